"""Certificates: an upper bound on nonreplication over all means, by computation and not by simulation.

Twins differ only if some decision is the first to part them, or if one of them is misled: it commits to an arm that
is not best, or drops the best arm. So

    rho <= sup over instances of sum over decisions of P(first part there)  +  2 P(a run is misled).

The first kind is bounded in `theory.disagreement`, the second by tails of differences of two arms, summed over
phases and over K - 1 rivals, all as close as a tie. See the page on certificates for every step.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from replibandit.core.arrays import FloatArray
from replibandit.theory.disagreement import Schedule, along_gaps, along_medians, gap_cells, levels
from replibandit.theory.noise import Noise

CELL = 0.05  # of the gap, in units of sigma / sqrt(n): what a centre may move within a cell
MEDIAN_CELL, MOST_CELLS = 0.02, 8_000
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

    @property
    def shares(self) -> tuple[Share, ...]:
        """Every phase and decision that adds anything."""
        return tuple(
            Share(phase=phase, decision=decision, share=float(share))
            for decision, by_phase in self.parts.items()
            for phase, share in enumerate(by_phase.tolist(), 1)
            if share > SLACK
        )


def commit_bound(schedule: Schedule, noise: Noise, arms: int, *, least: float = 0.0) -> RhoBound:
    """A rule that compares the gap statistic of all K arms with its threshold: REC.

    Two normal arms: the statistic's law is known, one unknown gap is left. More normal arms: the lead of the best arm
    is a Lipschitz function of the noise, whose median takes the part of the gap. Other noise: Chernoff's bound for
    each rival, with centre at the gap. The gap / sigma is at ``least`` that.
    """
    misled = misled_bound(schedule, noise, arms, least)
    if noise.gaussian and arms > 2 and noise.independent and not least:
        at = levels(noise, medians=True)
        cells = round((float(schedule.high.max()) + at.far) / MEDIAN_CELL)
        parted = along_medians(schedule, at, min(max(cells, 1000), MOST_CELLS))
        return rho_bound({"commit": parted}, misled, None, "medians of a Lipschitz function of normal noise")
    at = levels(noise, below=arms - 1)
    gaps = gap_cells(schedule, at, cell_of(schedule), least)
    parts = along_gaps(schedule, at, gaps)
    worst = int(np.argmax(parts.sum(axis=1)))
    exact = noise.gaussian and arms == 2
    method = "law of the difference of two arms" if exact else "tails at the gap of each rival"
    return rho_bound({"commit": parts[worst]}, misled, float(gaps[worst + 1]), method)


def elimination_bound(
    commit: Schedule, eliminate: Schedule, noise: Noise, arms: int, *, least: float = 0.0
) -> RhoBound:
    """RSE: a commitment among the active arms, and an elimination of each.

    Whatever set A of arms is active, as long as it holds the best arm 1 and its closest rival 2, the statistic of the
    commitment lies between delta_2 + Z_1 - max_k Z_k and delta_2 + Z_1 - Z_2, and that of arm i between delta_i +
    Z_1 - Z_i and delta_i + max_k Z_k - Z_i: bounds for which no union over A is needed. Where arm 2 is gone, another
    arm is the closest rival ("next rival"): it is at least as far, and arm 2 must have been dropped before.
    """
    misled = misled_bound(commit, noise, arms, least) + misled_bound(eliminate, noise, arms, least)
    near, each = levels(noise, below=arms - 1), levels(noise, above=arms - 1)
    gaps = gap_cells(commit, near, cell_of(commit), least)
    parted = along_gaps(commit, near, gaps)
    others = np.zeros_like(parted)
    if arms > 2:
        farther = np.maximum.accumulate(along_gaps(commit, near, gaps, surviving=False)[::-1], axis=0)[::-1]
        others = (arms - 2) * np.minimum(farther, _dropped_before(eliminate, noise, arms, gaps))
    dropped = along_gaps(eliminate, each, gap_cells(eliminate, each, cell_of(eliminate), least))
    arm, worst = int(np.argmax(dropped.sum(axis=1))), int(np.argmax((parted + others).sum(axis=1)))
    parts = {"commit": parted[worst], "next rival": others[worst], "eliminate": (arms - 1) * dropped[arm]}
    return rho_bound(
        parts, misled, float(gaps[worst + 1]), "tails at the gap of each rival, whatever arms are active"
    )


def cell_of(schedule: Schedule) -> float:
    """How far a centre may move within a cell."""
    return CELL * math.pow(max(1.0, float(schedule.high.max()) / WIDE), 1.5)


def misled_bound(schedule: Schedule, noise: Noise, arms: int, least: float = 0.0) -> float:
    """2 P(a rival ``least`` behind the best arm is ever a threshold ahead of it), by the union bound."""
    chance = noise.mean_tail(schedule.lo, schedule.width, least * schedule.roots)
    return float(2 * (arms - 1) * chance.sum())


def _dropped_before(eliminate: Schedule, noise: Noise, arms: int, gaps: FloatArray) -> FloatArray:
    """A bound on P(a rival with this gap was dropped before the phase), by one given twin: ``[C, P]``."""
    ahead = -gaps[1:, None] * eliminate.roots
    chance = (arms - 1) * noise.mean_tail(eliminate.lo, eliminate.width, ahead)
    before = np.zeros_like(chance)
    before[:, 1:] = np.cumsum(chance[:, :-1], axis=1)
    return np.minimum(before, 1.0)


def rho_bound(parts: dict[str, FloatArray], misled: float, worst: float | None, method: str) -> RhoBound:
    """The sum of everything, and the slack for rounding."""
    total = float(sum(part.sum() for part in parts.values())) + misled + SLACK
    return RhoBound(rho=min(total, 1.0), parts=parts, misled=misled, worst=worst, method=method)


def certificate(found: RhoBound, noise: Noise, sigma: float, assumptions: Sequence[str]) -> Certificate:
    """The bound, in the rewards' units and with its assumptions."""
    return Certificate(
        rho=found.rho,
        noise=noise.assumption,
        method=found.method,
        shares=found.shares,
        misled=found.misled,
        assumptions=(noise.told(sigma), *assumptions),
        worst_gap=None if found.worst is None else found.worst * sigma,
    )
