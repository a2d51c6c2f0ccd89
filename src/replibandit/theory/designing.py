"""Constants with the least worst-case cost among those with a certificate.

The rule: phases n_p = n_1 b^(p - 1), thresholds (lo + w U) sigma / sqrt(n_p). On an endless schedule the problem
looks the same at every scale: a gap b^(1/2) times smaller takes one phase more. So cost and certificate are suprema
over one period of the gap, and n_1 drops out.

=============  ===============================================================================================
cost           sup over the gap of E[N_stop] Delta^2 / (2 sigma^2), N_stop per arm, all rivals equally far
certificate    sup of what `theory.disagreement` bounds, plus what a run may be misled in all phases to T
misled regret  sup of T Delta^2 / sigma^2 times P(commit to one given rival): at most 2 cost, so that the regret
               of wrong commitments, misled regret x sigma^2 / Delta_i a rival, is at most that of exploring
=============  ===============================================================================================

The expectation is bounded from above, level by level as in `theory.disagreement`: P(alive before p) <= E min over j <
p of F_j. Search: for every ratio b and start lo of a grid the least width that is certified; then twice a finer grid
around the best. Everything is deterministic.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from replibandit.core.arrays import FloatArray
from replibandit.theory.disagreement import Levels, Schedule, along_gaps, levels
from replibandit.theory.noise import Noise

RATIOS = (5.0, 6.5, 4.0, 8.0, 3.0, 10.0, 2.5, 13.0, 2.0, 17.0)  # the likeliest first: they bound the others
STARTS = tuple(2.5 * 1.25**step for step in range(24))
CELL = 0.2  # width of the largest cell of the gap while searching, in units of s
COST_CELLS = 120
GRID = 1.01  # what a supremum over a grid of leads may miss
SCAN = 1.12  # step of the widths that are tried
ROUNDS = ((1.12, 1.08), (1.05, 1.03))  # steps of ratio and start in the finer grids
APART = 5.0  # standard deviations between a commitment's window and the first elimination of its rival
NEAR = 1.2  # step of the grid around constants for something similar
LEAD = 2.0  # gaps above 2 sigma are not what phases are spent on: the first phase is the first to decide such a gap


@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """One rule, with its worst-case cost."""

    ratio: float
    lo: float
    width: float
    cost: float = math.inf

    @property
    def first(self) -> int:
        """n_1: the least at which a gap of 2 sigma reaches the window."""
        return max(1, math.ceil((self.lo / LEAD) ** 2))

    def phases(self, horizon: float, arms: int) -> int:
        """How many phases all arms complete before the horizon, at most."""
        return 1 + max(0, math.ceil(math.log(max(horizon / (arms * self.first), 1.0)) / math.log(self.ratio)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """What is asked for: one gap rule among ``arms``, with budget ``rho`` for this rule alone."""

    arms: int
    rho: float
    noise: Noise
    horizon: float
    rivals: int = 1  # how many rules like this share the budget (eliminations: K - 1)
    above: float = 1.0  # rivals past whose tails the statistic may stray upwards, and downwards
    below: float = 1.0
    medians: bool = False


@functools.cache
def coarse_levels(brief: Brief) -> Levels:
    """Few levels: a search compares, it does not certify."""
    fine = levels(brief.noise, above=brief.above, below=brief.below, medians=brief.medians)
    keep = slice(None, None, 3)
    edges = np.concatenate((np.cumsum(fine.weight)[::3], [fine.weight.sum()]))
    weight = np.diff(np.concatenate(([0.0], edges)))[1:]
    return replace(
        fine, weight=weight, up=fine.up[keep][: weight.size], down=fine.down[keep][: weight.size],
        stay=fine.stay[keep][: weight.size],
    )  # fmt: skip


def one_period(at: Levels, found: Constants) -> tuple[Schedule, FloatArray]:
    """An endless schedule where it matters, and the cells of one period of the gap."""
    low, high = max(found.lo - at.far, 0.2 * found.lo), found.lo + found.width + at.far
    phases = 2 + math.ceil(2 * math.log(high / low) / math.log(found.ratio))
    pulls = found.ratio ** np.arange(phases, dtype=np.float64)
    schedule = Schedule(pulls, np.full(phases, found.lo), np.full(phases, found.width))
    cells = math.ceil(math.log(found.ratio) / 2 * (found.lo + found.width + 2) / CELL)
    return schedule, low * np.geomspace(1 / math.sqrt(found.ratio), 1.0, max(cells, 40) + 1)


def rho_of(brief: Brief, found: Constants) -> float:
    """The certificate of an endless schedule, what misleads in all phases to the horizon included; coarsely."""
    at = coarse_levels(brief)
    schedule, gaps = one_period(at, found)
    misled = 2 * (brief.arms - 1) * brief.noise.mean_tail(schedule.lo[0], schedule.width[0], np.zeros(1))[0]
    parted = float(along_gaps(schedule, at, gaps).sum(axis=1).max())
    return brief.rivals * parted + float(misled) * found.phases(brief.horizon, brief.arms)


def cost_of(brief: Brief, found: Constants, cells: int = COST_CELLS) -> float:
    """The sup over the gap of E[N_stop] Delta^2 / (2 sigma^2), bounded from above."""
    chance = special.ndtr(np.linspace(-6, 6, 120))
    weight = np.diff(np.concatenate(([0.0], chance, [1.0])))
    rivals = brief.arms - 1 if brief.medians else brief.below  # a median says where the lead is, not how far behind
    stay = brief.noise.reach(np.concatenate(([1e-12], chance)), rivals)
    at = coarse_levels(brief)
    schedule, _ = one_period(at, found)
    low = max(found.lo - at.far, 0.2 * found.lo)
    gaps = low * np.geomspace(1 / math.sqrt(found.ratio), 1.0, cells + 1)
    alive = np.ones((gaps.size, weight.size))
    explored = np.full(gaps.size, schedule.pulls[0])
    for phase in range(schedule.pulls.size - 1):
        centre = gaps[:, None] * schedule.roots[phase]
        alive = alive * schedule.window(centre - stay, np.array(np.inf), phase)
        explored += (schedule.pulls[phase + 1] - schedule.pulls[phase]) * (alive @ weight)
    return float((explored * gaps**2).max() / 2)


def misled_regret(brief: Brief, found: Constants) -> float:
    """The sup over the gap of T (Delta / sigma)^2 sum over phases of P(one given rival leads by a threshold)."""
    phases = found.phases(brief.horizon, brief.arms)
    pulls = found.first * found.ratio ** np.arange(phases, dtype=np.float64)
    leads = np.geomspace(0.05, 12.0, 60)  # Delta sqrt(n) / sigma in the phase that misleads
    gaps = (leads[:, None] / np.sqrt(pulls)).ravel()
    lo, width = np.full(phases, found.lo), np.full(phases, found.width)
    chance = brief.noise.mean_tail(lo, width, gaps[:, None] * np.sqrt(pulls)).sum(axis=1)
    return GRID * float((brief.horizon * gaps**2 * chance).max())


def design_constants(brief: Brief, near: Constants | None = None) -> Constants | None:
    """The constants with the least cost; None if no width up to 100 / rho is certified for any of the grid.

    With ``near``, good constants for something similar, the first grid lies around them and is a tenth the size.
    """
    places = [(ratio, lo) for ratio in RATIOS for lo in STARTS]
    if near is not None:
        places = [
            (max(near.ratio * NEAR**i, 1.5), near.lo * NEAR**j) for i in (0, 1, -1, 2) for j in (0, 1, -1, 2, -2, 3)
        ]
    best = _best(brief, places)
    for ratio_step, start_step in ROUNDS:
        if best is None:
            return None
        steps = [(i, j) for i in range(-2, 3) for j in range(-2, 3)]
        places = [(max(best.ratio * ratio_step**i, 1.5), best.lo * start_step**j) for i, j in steps]
        best = _best(brief, places) or best
    return best


def design_pair(brief: Brief) -> tuple[Constants, Constants] | None:
    """Constants of the commitment and of each elimination, with one ratio: half of rho for each kind.

    Eliminations begin where a commitment to the best arm would have come before, had their arm been its closest
    rival; else the commitment would have to be certified against every rival that may be left.
    """
    commit = replace(brief, rho=brief.rho / 2, below=brief.arms - 1, medians=False)
    eliminate = replace(commit, rivals=brief.arms - 1, above=brief.arms - 1, below=1)
    best: tuple[Constants, Constants] | None = None
    for ratio in RATIOS:
        first = _best(commit, [(ratio, lo) for lo in STARTS])
        if first is None:
            continue
        least = (first.lo + first.width + APART) / math.sqrt(ratio) + APART + math.sqrt(2 * math.log(brief.arms))
        second = _best(eliminate, [(ratio, max(lo, least)) for lo in STARTS if lo * 1.25 > least])
        if second is not None and (best is None or first.cost * second.cost < best[0].cost * best[1].cost):
            best = first, second
    return best


def _best(brief: Brief, places: Iterable[tuple[float, float]]) -> Constants | None:
    best: Constants | None = None
    for ratio, lo in places:
        limit = math.inf if best is None else best.cost
        found = _narrowest(brief, ratio, lo, limit)
        if found is not None and found.cost < limit:
            best = found
    return best


def _narrowest(brief: Brief, ratio: float, lo: float, limit: float) -> Constants | None:
    """The least certified width for this ratio and start, if its cost can be below the limit.

    A wider window can be worse, where it lets in one phase more: so widths are tried from the narrowest on.
    """
    least = Constants(ratio=ratio, lo=lo, width=1e-3)
    if lo * lo / 2 >= limit:
        return None
    at, most = coarse_levels(brief), _widest(lo, limit, brief.rho)
    wide = 0.8 * brief.rivals * float(at.weight @ (at.up + at.down)) / brief.rho  # one phase in an endless window
    while rho_of(brief, replace(least, width=wide)) > brief.rho:
        wide *= SCAN
        if wide > most:
            return None
    narrow = wide / SCAN
    while wide / narrow > 1.003:
        middle = math.sqrt(narrow * wide)
        fits = rho_of(brief, replace(least, width=middle)) <= brief.rho
        narrow, wide = (narrow, middle) if fits else (middle, wide)
    found = replace(least, width=wide)
    cost = cost_of(brief, found)
    return replace(found, cost=cost) if misled_regret(brief, found) <= 2 * cost else None


def _widest(lo: float, limit: float, rho: float) -> float:
    """No larger width can cost less than the limit: E N_stop is at least E[(lo + w U)^2] less some noise."""
    most = 100.0 / rho
    if math.isinf(limit):
        return most
    spare = 6 * limit * 1.5 - lo * lo  # (lo^2 + lo hi + hi^2) / 6 <= 1.5 limit
    high = (-lo + math.sqrt(max(lo * lo + 4 * spare, 0.0))) / 2
    return min(most, high - lo)
