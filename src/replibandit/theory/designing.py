"""Constants with the least worst-case cost among those with a certificate.

The rule: fixed thresholds lo sigma / sqrt(n), and phases n_p = n_1 b^(p - 1 + V) that U starts at one of G places, V
= 0, 1 / G, 2 / G, ... On an endless schedule all gaps cost about the same and part twins about as often: that is what
U is for. So n_1 drops out, and there are two numbers to find, b and lo.

=============  ===============================================================================================
cost           see `theory.costs`
certificate    2 / ln b times the integral of 2 F (1 - F) over the logarithm of the centre, which is what the sum of
               `theory.fixed_thresholds` tends to; plus what a run may be misled in all phases to T
misled regret  at most 2 cost, so that the regret of wrong commitments, misled regret x sigma^2 / Delta_i a rival, is
               at most that of exploring
=============  ===============================================================================================

For every ratio b the least lo with a certificate and with small misled regret is found by bisection; then the ratio
of least cost on a grid. Last, the number of starts: enough that the looks of all starts are closer together than
twins can tell.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from replibandit.theory.costs import Brief, Constants, cost_of, misled_regret
from replibandit.theory.straying import Straying

RATIOS = np.geomspace(2.5, 40.0, 71)
LEAST_LO, MOST_LO = 1.0, 1e7
PANELS = 2000  # of the integral over the centre
SMALL = 0.05  # of lo: below such a centre twins part as at a tie, which the misled are charged for
FEW, SURELY = 32, 0.98  # starts that stand for all of them in a search, and what is left for the others
APART = 5.0  # standard deviations between a commitment's threshold and the first elimination of its rival
CLOSE = 1.2  # sigma / sqrt(n) between looks of all starts: at 1.4 they add up to 0.9 % more than the integral


def rho_of(brief: Brief, found: Constants) -> float:
    """The certificate with as many starts as one likes, what misleads in all phases to the horizon included."""
    far = brief.straying.far
    centres = np.linspace(max(found.lo - far, SMALL * found.lo), found.lo + far, PANELS + 1)
    bump = brief.straying.parts(found.lo - centres, found.lo - centres)
    parted = 2 / math.log(found.ratio) * float(np.trapezoid(bump / centres, centres))
    misled = 2 * (brief.arms - 1) * brief.noise.tail(found.lo)
    return brief.rivals * parted + misled * found.phases(brief.horizon, brief.arms)


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
