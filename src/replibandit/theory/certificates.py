"""Certificates: an upper bound on nonreplication over all means, by computation and not by simulation.

Twins differ only if some decision is the first to part them, or if one of them is misled: it commits to an arm that
is not best, or drops the best arm. So

    rho <= sup over instances of sum over decisions of P(first part there)  +  2 P(a run is misled).

The first kind is bounded in `theory.disagreement` for random thresholds and in `theory.fixed_thresholds` for fixed
ones at random starts, the second by tails of differences of two arms, summed over phases and over K - 1 rivals, all
as close as a tie. See the page on certificates for every step.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from replibandit.core.arrays import FloatArray
from replibandit.theory import disagreement, fixed_thresholds
from replibandit.theory.disagreement import Schedule, gap_cells
from replibandit.theory.noise import Noise
from replibandit.theory.straying import NEVER, Straying

CELL = 0.05  # of the gap, in units of sigma / sqrt(n): what a centre may move within a cell
MEDIAN_CELL, MOST_CELLS = 0.02, 8_000
FIXED_CELL, FIXED_MEDIAN_CELL = 0.005, 0.003  # the same where thresholds are fixed
HIGH = 100.0  # beyond which cells for fixed thresholds grow in proportion: their number stays the same
WIDE = 2000.0  # beyond which a window's end is worth larger cells: the theorem's constants, not designed ones
SLACK = 1e-9  # far above all rounding errors of sums of at most 10^7 terms below 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What one decision variable in one phase adds to the bound."""

    phase: int
    decision: str  # "commit", "eliminate" (all arms together), "next rival"
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """rho over all means: ``rho`` is the sum of all shares, of ``misled`` and of the slack for rounding."""

    rho: float
    noise: str
    method: str
    shares: tuple[Share, ...]
    misled: float
    assumptions: tuple[str, ...]
    worst_gap: float | None  # in the rewards' units, where one gap describes the worst instance

    def to_dict(self) -> dict[str, Any]:
        """The certificate as plain JSON values."""
        values = asdict(self)
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    def __str__(self) -> str:
        return f"{self.rho:.4g}-replicable for {self.noise} noise: {self.method}"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RhoBound:
    """The numbers of a certificate, before policy and assumptions are put into words."""

    rho: float
    parts: Mapping[str, FloatArray]  # by decision: [P]
    misled: float
    worst: float | None  # gap / sigma
    method: str
    law_known: bool = False  # whether a normal law of exactly this scale was used, not only how far it strays at most

    @property
    def shares(self) -> tuple[Share, ...]:
        """Every phase and decision that adds anything."""
        return tuple(
            Share(phase=phase, decision=decision, share=float(share))
            for decision, by_phase in self.parts.items()
            for phase, share in enumerate(by_phase.tolist(), 1)
            if share > SLACK
        )


def commit_bound(starts: Sequence[Schedule], noise: Noise, arms: int, *, least: float = 0.0) -> RhoBound:
    """A rule that compares the gap statistic of all K arms with its threshold: REC. One schedule for each start.

    Two normal arms: the statistic's law is known, one unknown gap is left. More normal arms: the lead of the best arm
    is a Lipschitz function of the noise, whose median takes the part of the gap. Other noise: Chernoff's bound for
    each rival, with centre at the gap; so also where there are too many looks for medians, or a gap is known. The gap
    / sigma is at ``least`` that.
    """
    misled = misled_bound(starts, noise, arms, least)
    few = sum(schedule.pulls.size for schedule in starts) <= fixed_thresholds.MOST_LOOKS
    if noise.gaussian and arms > 2 and noise.independent and not least and few:
        parted = _along_medians(starts, Straying(noise, medians=True))
        return rho_bound({"commit": parted}, misled, None, "medians of a Lipschitz function of normal noise")
    straying = Straying.commit(noise, arms)
    gaps = gap_cells(starts, straying.far, cell_of(starts), least)
    parts = _along_gaps(starts, straying, gaps)
    worst = int(np.argmax(parts.sum(axis=1)))
    two = noise.gaussian and arms == 2
    method = "law of the difference of two arms" if two else "tails at the gap of each rival"
    known = straying.law_used and not is_fixed(starts)
    return rho_bound({"commit": parts[worst]}, misled, float(gaps[worst + 1]), method, law_known=known)


def elimination_bound(
    commit: Sequence[Schedule], eliminate: Sequence[Schedule], noise: Noise, arms: int, *, least: float = 0.0
) -> RhoBound:
    """RSE: a commitment among the active arms, and an elimination of each. One schedule of each for each start.

    Whatever set A of arms is active, as long as it holds the best arm 1 and its closest rival 2, the statistic of the
    commitment lies between delta_2 + Z_1 - max_k Z_k and delta_2 + Z_1 - Z_2, and that of arm i between delta_i +
    Z_1 - Z_i and delta_i + max_k Z_k - Z_i: bounds for which no union over A is needed. Where arm 2 is gone, another
    arm is the closest rival ("next rival"): it is at least as far, and arm 2 must have been dropped before.
    """
    misled = misled_bound(commit, noise, arms, least) + misled_bound(eliminate, noise, arms, least)
    near, each = Straying.commit(noise, arms), Straying.eliminate(noise, arms)
    gaps = gap_cells(commit, near.far, cell_of(commit), least)
    parted = _along_gaps(commit, near, gaps)
    others = np.zeros_like(parted)
    if arms > 2:
        alone = parted if is_fixed(commit) else _along_gaps(commit, near, gaps, surviving=False)
        farther = np.maximum.accumulate(alone[::-1], axis=0)[::-1]
        before = _dropped_before(eliminate, each, arms, gaps, farther)
        others = (arms - 2) * (np.minimum(farther, before) + 2 * NEVER)
    drops = gap_cells(eliminate, each.far, cell_of(eliminate), least)
    dropped = _along_gaps(eliminate, each, drops)
    arm, worst = int(np.argmax(dropped.sum(axis=1))), int(np.argmax((parted + others).sum(axis=1)))
    parts = {"commit": parted[worst], "next rival": others[worst], "eliminate": (arms - 1) * dropped[arm]}
    method = "tails at the gap of each rival, whatever arms are active"
    known = near.law_used and not is_fixed([*commit, *eliminate])
    return rho_bound(parts, misled, float(gaps[worst + 1]), method, law_known=known)


def is_fixed(starts: Sequence[Schedule]) -> bool:
    """Whether no threshold of any start is random."""
    return all(schedule.fixed for schedule in starts)


def _along_gaps(
    starts: Sequence[Schedule], straying: Straying, gaps: FloatArray, *, surviving: bool = True
) -> FloatArray:
    """What each phase adds for every gap in each cell, averaged over the starts: ``[C, P]``."""
    if is_fixed(starts):
        return fixed_thresholds.along_gaps(starts, straying, gaps)
    at = straying.levels()
    return averaged([disagreement.along_gaps(schedule, at, gaps, surviving=surviving) for schedule in starts])


def _along_medians(starts: Sequence[Schedule], straying: Straying) -> FloatArray:
    if is_fixed(starts):
        return fixed_thresholds.along_medians(starts, straying, FIXED_MEDIAN_CELL)
    at = straying.levels()
    cells = min(max(round((highest(starts) + at.far) / MEDIAN_CELL), 1000), MOST_CELLS)
    return averaged([disagreement.along_medians(schedule, at, cells) for schedule in starts])


def averaged(parts: Sequence[FloatArray]) -> FloatArray:
    """The mean over starts of ``[..., P]``, phases that a start does not have being 0."""
    total = np.zeros((*parts[0].shape[:-1], max(part.shape[-1] for part in parts)))
    for part in parts:
        total[..., : part.shape[-1]] += part
    return total / len(parts)


def cell_of(starts: Sequence[Schedule]) -> float:
    """How far a centre may move within a cell."""
    if is_fixed(starts):
        return FIXED_CELL * max(1.0, highest(starts) / HIGH)
    return CELL * math.pow(max(1.0, highest(starts) / WIDE), 1.5)


def highest(starts: Sequence[Schedule]) -> float:
    """The end of the highest threshold's range."""
    return max(float(schedule.high.max()) for schedule in starts if schedule.pulls.size)


def misled_bound(starts: Sequence[Schedule], noise: Noise, arms: int, least: float = 0.0) -> float:
    """2 P(a rival ``least`` behind the best arm is ever a threshold ahead of it), by the union bound."""
    chance = [noise.mean_tail(found.lo, found.width, least * found.roots).sum() for found in starts]
    return float(2 * (arms - 1) * np.mean(chance))


def _dropped_before(
    eliminate: Sequence[Schedule], dropping: Straying, arms: int, gaps: FloatArray, farther: FloatArray
) -> FloatArray:
    """A bound on P(a rival with this gap was dropped before the phase), by one given twin: ``[C, P]``.

    Cells in which nothing is ``farther [C, P]`` any more are given 1.
    """
    before = np.zeros_like(farther)
    for phase in range(farther.shape[1] - 1):
        some = [found for found in eliminate if found.pulls.size > phase]
        left = np.flatnonzero((farther[:, phase + 1 :] > 3 * NEVER).any(axis=1))
        last = int(left[-1]) + 1 if left.size else 0
        reached = min(((found.lo[phase] - dropping.far) / found.roots[phase] for found in some), default=math.inf)
        first = min(int(np.searchsorted(gaps[1:], reached)), last)
        chance = np.ones(gaps.size - 1)
        chance[:first] = NEVER
        chance[first:last] = sum(
            dropping.noise.mean_tail(
                found.lo[phase], found.width[phase], -gaps[first + 1 : last + 1] * found.roots[phase]
            )
            for found in some
        ) / len(eliminate)
        before[:, phase + 1 :] += (arms - 1) * chance[:, None]
    return np.minimum(before, 1.0)


def rho_bound(
    parts: dict[str, FloatArray], misled: float, worst: float | None, method: str, *, law_known: bool = False
) -> RhoBound:
    """The sum of everything, and the slack for rounding."""
    total = float(sum(part.sum() for part in parts.values())) + misled + SLACK
    return RhoBound(rho=min(total, 1.0), parts=parts, misled=misled, worst=worst, method=method, law_known=law_known)


def certificate(found: RhoBound, noise: Noise, sigma: float, assumptions: Sequence[str]) -> Certificate:
    """The bound, in the rewards' units and with its assumptions."""
    return Certificate(
        rho=found.rho,
        noise=noise.assumption,
        method=found.method,
        shares=found.shares,
        misled=found.misled,
        assumptions=(noise.told(sigma, exactly=found.law_known), *assumptions),
        worst_gap=None if found.worst is None else found.worst * sigma,
    )
