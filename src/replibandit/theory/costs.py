"""What constants cost: samples in the worst case, and the regret of runs that are misled.

=============  ===============================================================================================
cost           sup over the gap of E[N_stop] Delta^2 / (2 sigma^2), N_stop per arm, all rivals equally far
misled regret  sup over the gap of T Delta^2 / sigma^2 times P(commit to one given rival)
=============  ===============================================================================================

The cost is that of an endless schedule, on which a gap sqrt(b) times smaller takes one phase more and nothing else
changes. The expectation is bounded from above: P(alive before p) <= F_{p-1} for any gap of a cell.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from replibandit.core.arrays import FloatArray
from replibandit.theory.disagreement import Schedule
from replibandit.theory.noise import Noise
from replibandit.theory.straying import Straying

COST_CELL = 5e-4  # of the logarithm of the gap: a cost is too high by 0.1 % at most
GRID = 1.01  # more than a supremum over this grid of leads may miss (see the tests)
LEAD = 2.0  # gaps above 2 sigma are not what phases are spent on: the first phase is the first to decide such a gap


@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """One rule, with its worst-case cost."""

    ratio: float
    lo: float
    width: float = 0.0
    starts: int = 1
    cost: float = math.inf

    @property
    def first(self) -> int:
        """n_1: the least at which a gap of 2 sigma reaches the window."""
        return max(1, math.ceil((self.lo / LEAD) ** 2))

    @property
    def offsets(self) -> FloatArray:
        """V, for each start."""
        return np.arange(self.starts) / self.starts

    def phases(self, horizon: float, arms: int) -> int:
        """How many phases all arms complete before the horizon, at most."""
        return 1 + max(0, math.ceil(math.log(max(horizon / (arms * self.first), 1.0)) / math.log(self.ratio)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """What is asked for: one gap rule among ``arms``, with budget ``rho`` for this rule alone."""

    arms: int
    rho: float
    straying: Straying
    horizon: float
    rivals: int = 1  # how many rules like this share the budget (eliminations: K - 1)

    @property
    def noise(self) -> Noise:
        """What is assumed of the rewards."""
        return self.straying.noise


def cost_of(brief: Brief, found: Constants) -> float:
    """The sup over the gap of E[N_stop] Delta^2 / (2 sigma^2), bounded from above; thresholds are fixed."""
    starts, edges = every_start(brief, found), one_period(brief, found)
    explored = np.zeros(edges.size - 1)
    for schedule in starts:
        alive = behind(brief, found.lo - edges[:-1, None] * schedule.roots)
        explored += schedule.pulls[0] + alive[:, :-1] @ np.diff(schedule.pulls)
    return float((explored * edges[1:] ** 2).max() / 2) / len(starts)


def behind(brief: Brief, threshold: FloatArray) -> FloatArray:
    """P(alive), at most: the lead is below a threshold so far above the gap of all rivals."""
    rivals = brief.arms - 1 if brief.straying.medians else brief.straying.below
    return np.minimum(rivals * brief.noise.tails(-threshold), 1.0)


def cost_of_random(brief: Brief, found: Constants) -> float:
    """The same for random thresholds: P(alive before p) <= E min over j < p of F_j, level by level."""
    chance = special.ndtr(np.linspace(-6, 6, 120))
    weight = np.diff(np.concatenate(([0.0], chance, [1.0])))
    stay = brief.noise.reach(np.concatenate(([1e-12], chance)), brief.arms - 1)
    (schedule,), edges = every_start(brief, found), one_period(brief, found)
    alive = np.ones((edges.size - 1, weight.size))
    explored = np.full(edges.size - 1, schedule.pulls[0])
    for phase in range(schedule.pulls.size - 1):
        centre = edges[:-1, None] * schedule.roots[phase]
        alive = alive * schedule.window(centre - stay, np.array(np.inf), phase)
        explored += (schedule.pulls[phase + 1] - schedule.pulls[phase]) * (alive @ weight)
    return float((explored * edges[1:] ** 2).max() / 2)


def every_start(brief: Brief, found: Constants) -> list[Schedule]:
    """An endless schedule where it matters to the gaps of `one_period`, from each start."""
    low, high = least_centre(brief, found), found.lo + found.width + brief.straying.far
    phases = 3 + math.ceil(2 * math.log(high / low) / math.log(found.ratio))
    steps = np.arange(phases, dtype=np.float64)
    return [Schedule.alike(found.ratio ** (offset + steps), found.lo, found.width) for offset in found.offsets]


def one_period(brief: Brief, found: Constants) -> FloatArray:
    """Edges of cells that hold one period of the gap: a gap b^(1 / 2G) times smaller moves every start up by one."""
    period = math.log(found.ratio) / 2 / found.starts
    cells = max(math.ceil(period / COST_CELL), 4)
    edges: FloatArray = least_centre(brief, found) * np.exp(np.linspace(-period, 0, cells + 1))
    return edges


def least_centre(brief: Brief, found: Constants) -> float:
    """Where no threshold is within reach yet."""
    return max(found.lo - brief.straying.far, 0.2 * found.lo)


def misled_regret(brief: Brief, found: Constants) -> float:
    """The sup over the gap of T (Delta / sigma)^2 sum over phases of P(one given rival leads by a threshold)."""
    phases = found.phases(brief.horizon, brief.arms)
    steps = (np.arange(phases) + found.offsets[:, None]).ravel()
    roots = np.sqrt(found.first * found.ratio**steps)
    leads = np.geomspace(0.05, 12.0, 60)  # Delta sqrt(n) / sigma in the phase that misleads
    gaps = (leads[:, None] / np.sqrt(found.first * found.ratio ** np.arange(phases))).ravel()
    chance = np.array([brief.noise.tails(found.lo + gap * roots).sum() for gap in gaps.tolist()]) / found.starts
    return GRID * float((brief.horizon * gaps**2 * chance).max())
