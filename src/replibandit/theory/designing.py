"""Constants with the least worst-case cost among those with a certificate.

The rule: fixed thresholds lo sigma / sqrt(n), and phases n_p = n_1 b^(p - 1 + V) that U starts at one of G places, V
= 0, 1 / G, 2 / G, ... On an endless schedule all gaps cost about the same and part twins about as often: that is what
U is for. So n_1 drops out, and there are two numbers to find, b and lo.

=============  ===============================================================================================
cost           sup over the gap of E[N_stop] Delta^2 / (2 sigma^2), N_stop per arm, all rivals equally far
certificate    2 / ln b times the integral of 2 F (1 - F) over the logarithm of the centre, which is what the sum of
               `theory.fixed_thresholds` tends to; plus what a run may be misled in all phases to T
misled regret  sup of T Delta^2 / sigma^2 times P(commit to one given rival): at most 2 cost, so that the regret
               of wrong commitments, misled regret x sigma^2 / Delta_i a rival, is at most that of exploring
=============  ===============================================================================================

The expectation is bounded from above: P(alive before p) <= F_{p-1}, for any gap of a cell. For every ratio b the
least lo with a certificate and with small misled regret is found by bisection; then the ratio of least cost on a
grid. Last, the number of starts: enough that the looks of all starts are closer together than twins can tell.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from replibandit.core.arrays import FloatArray
from replibandit.theory.disagreement import Schedule
from replibandit.theory.noise import Noise
from replibandit.theory.straying import Straying

RATIOS = np.geomspace(2.5, 40.0, 71)
LEAST_LO, MOST_LO = 1.0, 1e7
PANELS = 2000  # of the integral over the centre
SMALL = 0.05  # of lo: below such a centre twins part as at a tie, which the misled are charged for
COST_CELL = 5e-4  # of the logarithm of the gap: a cost is too high by 0.1 % at most
FEW, SURELY = 32, 0.98  # starts that stand for all of them in a search, and what is left for the others
GRID = (
    1.01  # what a supremum over a grid of leads may miss; a sweep 70 times as fine finds 0.4 % more (see the tests)
)
APART = 5.0  # standard deviations between a commitment's threshold and the first elimination of its rival
CLOSE = 1.2  # sigma / sqrt(n) between looks of all starts: at 1.4 they add up to 0.9 % more than the integral
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


def rho_of(brief: Brief, found: Constants) -> float:
    """The certificate with as many starts as one likes, what misleads in all phases to the horizon included."""
    far = brief.straying.far
    centres = np.linspace(max(found.lo - far, SMALL * found.lo), found.lo + far, PANELS + 1)
    bump = brief.straying.parts(found.lo - centres, found.lo - centres)
    parted = 2 / math.log(found.ratio) * float(np.trapezoid(bump / centres, centres))
    misled = 2 * (brief.arms - 1) * brief.noise.tail(found.lo)
    return brief.rivals * parted + misled * found.phases(brief.horizon, brief.arms)


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


def design_constants(brief: Brief) -> Constants | None:
    """The constants with the least cost; None where no threshold is high enough."""
    found = [design_at(brief, float(ratio)) for ratio in RATIOS]
    return min((each for each in found if each is not None), key=lambda each: each.cost, default=None)


def design_at(brief: Brief, ratio: float, least: float = LEAST_LO) -> Constants | None:
    """The least lo, from ``least`` on, for this ratio."""
    certified = _least_lo(lambda lo: rho_of(brief, Constants(ratio=ratio, lo=lo)) <= brief.rho, least)
    if certified is None:
        return None
    lo = _least_lo(lambda lo: keeps_regret(brief, Constants(ratio=ratio, lo=lo)), certified)
    if lo is None:
        return None
    found = Constants(ratio=ratio, lo=lo)
    starts = starts_for(brief, found)
    return replace(found, starts=starts, cost=cost_of(brief, replace(found, starts=min(starts, FEW))))


def keeps_regret(brief: Brief, found: Constants) -> bool:
    """Whether wrong commitments cost no more regret than exploring; a few starts tell."""
    few = replace(found, starts=min(starts_for(brief, found), FEW))
    return misled_regret(brief, few) <= SURELY * 2 * cost_of(brief, few)


def starts_for(brief: Brief, found: Constants) -> int:
    """As many starts as it takes, a power of two."""
    apart = math.log(found.ratio) / 2 * found.lo / CLOSE * math.sqrt(2) / brief.noise.spread
    return int(2 ** max(0, math.ceil(math.log2(apart))))


def design_pair(brief: Brief) -> tuple[Constants, Constants] | None:
    """Constants of the commitment and of each elimination, with one ratio: half of rho for each kind.

    Eliminations begin where a commitment to the best arm would have come before, had their arm been its closest
    rival; else the commitment would have to be certified against every rival that may be left.
    """
    others = brief.arms - 1
    commit = replace(brief, rho=brief.rho / 2, straying=Straying.commit(brief.noise, brief.arms))
    eliminate = replace(commit, rivals=others, straying=Straying.eliminate(brief.noise, brief.arms))
    best: tuple[Constants, Constants] | None = None
    for ratio in RATIOS.tolist():
        first = design_at(commit, ratio)
        if first is None:
            continue
        least = (first.lo + APART) / math.sqrt(ratio) + APART + math.sqrt(2 * math.log(brief.arms))
        second = design_at(eliminate, ratio, least)
        if second is not None and (best is None or first.cost * second.cost < best[0].cost * best[1].cost):
            best = first, second
    return best


def _least_lo(enough: Callable[[float], bool], least: float) -> float | None:
    """The least lo that is enough, by bisection of its logarithm; what is enough stays so."""
    low, high = least, 2 * least
    if enough(low):
        return low
    while not enough(high):
        low, high = high, 2 * high
        if high > MOST_LO:
            return None
    while high > low * (1 + 1e-4):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
