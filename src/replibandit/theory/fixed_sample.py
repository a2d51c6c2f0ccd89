"""Designs whose sample size is fixed in advance: known-gap ETC and the A/B test, for Gaussian rewards.

The instance is the hardest with a given gap: one best arm, all others exactly ``gap`` below it.
"""

from __future__ import annotations

import functools
import math

import numpy as np
from scipy import special

from replibandit.core.arrays import FloatArray

NODES = 200  # Gauss-Legendre nodes on [-REACH, REACH]: errors are far below 1e-12
REACH = 10.0  # P(|Z| > 10) < 2e-23


def known_gap_pulls(gap: float, arms: int, sigma: float, rho: float, *, most: int) -> int:
    """Pulls per arm, m = ceil((4 sigma^2 / Delta^2) ln(2 (K - 1) / rho)), at least 1 and at most ``most``.

    >>> known_gap_pulls(0.05, 5, 0.5, 0.05, most=10**6)
    2031
    """
    pulls = 4 * (sigma / gap) ** 2 * math.log(2 * max(arms - 1, 1) / rho)
    return max(1, math.ceil(min(pulls, most)))


def known_gap_rho(pulls: int, gap: float, arms: int, sigma: float) -> float:
    """The rho that ``pulls`` of every arm pay for: the inverse of `known_gap_pulls`."""
    return 2 * (arms - 1) * math.exp(-pulls * (gap / sigma) ** 2 / 4)


def known_gap_gap(pulls: int, arms: int, sigma: float, rho: float) -> float:
    """The smallest gap that ``pulls`` of every arm pay for: the inverse of `known_gap_pulls`."""
    return 2 * sigma * math.sqrt(math.log(2 * (arms - 1) / rho) / pulls)


def best_leads(lead: float, margin: float, arms: int) -> float:
    """P(the best arm's mean is at least ``margin`` above all others), in units of sigma / sqrt(n).

    ``lead`` is its true lead over each of the K - 1 equal others. Exact: one integral over the best arm's noise.

    >>> best_leads(0.0, 0.0, 5)  # a five-way tie
    0.2
    """
    noise, weight = _normal_rule()
    return round(float(weight @ special.ndtr(noise + lead - margin) ** (arms - 1)), 15)


def other_leads(lead: float, margin: float, arms: int) -> float:
    """P(one given other arm is at least ``margin`` above all, the best included), in the same units.

    >>> other_leads(0.0, 0.0, 5)
    0.2
    """
    noise, weight = _normal_rule()
    behind = special.ndtr(noise - margin) ** (arms - 2) * special.ndtr(noise - lead - margin)
    return round(float(weight @ behind), 15)


def critical_margin(level: float) -> float:
    """How far the leader must lead the runner-up, in units of sigma / sqrt(n): the two-sided z test at ``level``.

    For more than two arms the level is kept without a correction: "the leader leads every other arm" is claimed
    only if the smallest of its leads is significant, and the worst case is two arms level, the rest far below.
    """
    return math.sqrt(2) * float(special.ndtri(1 - level / 2))


def ab_pulls(gap: float, arms: int, sigma: float, level: float, power: float) -> int:
    """Pulls per arm with which the z test finds the best arm with probability ``power``.

    For two arms this is the textbook 2 (z_{1-level/2} + z_power)^2 sigma^2 / Delta^2, rounded up:

    >>> ab_pulls(0.05, 2, 0.5, 0.05, 0.8)
    1570
    """
    margin = critical_margin(level)
    low, high = 0.0, 1.0
    while best_leads(high, margin, arms) < power:
        high *= 2
    while high - low > 1e-10 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if best_leads(middle, margin, arms) < power else (low, middle)
    return math.ceil((high * sigma / gap) ** 2 * (1 - 1e-9))


def ab_gap(pulls: int, arms: int, sigma: float, level: float, power: float) -> float:
    """The smallest gap the z test finds with probability ``power`` after ``pulls`` of every arm."""
    fine = 1e-6  # of a unit gap, ab_pulls is the squared lead at a resolution of 1e-12
    return fine * math.sqrt(ab_pulls(fine, arms, 1.0, level, power)) * sigma / math.sqrt(pulls)


@functools.cache
def _normal_rule() -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of an expectation over a standard normal."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    noise = REACH * nodes
    weight = REACH * weights * np.exp(-(noise**2) / 2) / math.sqrt(2 * math.pi)
    return noise, weight / weight.sum()
