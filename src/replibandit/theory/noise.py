"""How far means stray from the truth, under each assumption on the rewards: what certificates are made of.

Units: s = sigma / sqrt(n), so that each arm's mean over n rewards strays by Z_i, of variance at most 1, and the
difference of two arms by Z_i - Z_j. With ``spread`` = sqrt(2) for independent arms (2 for correlated estimates):

===========  ==============================================  =========================================
assumption   P(difference strays by more than x >= 0)        holds for
===========  ==============================================  =========================================
gaussian     Q(x / spread), Q the upper tail of a normal     normal rewards with sd sigma
sub-gaussian  exp(-x^2 / (2 spread^2)) (Chernoff)             sigma-sub-Gaussian rewards
bounded      the same                                        rewards in a range of 2 sigma (Hoeffding)
===========  ==============================================  =========================================
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import special

from replibandit.core.arrays import FloatArray
from replibandit.core.invariants import one_of

Assumption = Literal["gaussian", "sub-gaussian", "bounded"]
NOISES: tuple[Assumption, ...] = ("gaussian", "sub-gaussian", "bounded")
INDEPENDENT = math.sqrt(2)


@dataclass(frozen=True, slots=True)
class Noise:
    """The tails of one assumption.

    >>> round(Noise("gaussian").tail(2.0), 4), round(Noise("sub-gaussian").tail(2.0), 4)
    (0.0786, 0.3679)
    """

    assumption: str
    spread: float = INDEPENDENT

    def __post_init__(self) -> None:
        one_of("noise", self.assumption, NOISES)

    @property
    def gaussian(self) -> bool:
        """Whether the noise is exactly normal."""
        return self.assumption == "gaussian"

    @property
    def independent(self) -> bool:
        """Whether the arms' estimates are independent."""
        return self.spread == INDEPENDENT

    def tail(self, x: float) -> float:
        """A bound on P(a difference strays upwards by at least x)."""
        return float(self.tails(np.array(x)))

    def tails(self, x: FloatArray) -> FloatArray:
        """The same for each x."""
        scaled = x / self.spread
        tails: FloatArray = special.ndtr(-scaled) if self.gaussian else np.exp(-(np.maximum(scaled, 0.0) ** 2) / 2)
        return tails

    def reach(self, probability: FloatArray, arms: float = 1.0) -> FloatArray:
        """Where ``arms`` times the tail falls to ``probability``: no level of that probability lies farther out.

        Negative for a normal tail above 1/2; never for a Chernoff bound.
        """
        chance = np.clip(probability / arms, 1e-300, 1.0)
        if self.gaussian:
            return -self.spread * special.ndtri(np.minimum(chance, 1 - 1e-16))
        reach: FloatArray = self.spread * np.sqrt(2 * np.log(1 / chance))
        return reach

    def mean_tail(self, lo: FloatArray, width: FloatArray, lead: FloatArray) -> FloatArray:
        """The tail at lo + width U + lead, averaged over U: a run's probability to be misled by one rival."""
        if not np.any(width):
            return self.tails(lo + lead)
        low, high = (lo + lead) / self.spread, (lo + width + lead) / self.spread
        area = _normal_area(low) - _normal_area(high) if self.gaussian else _chernoff_area(low) - _chernoff_area(high)
        return np.clip(self.spread * area / width, 0.0, 1.0)

    def told(self, sigma: float, *, exactly: bool = False) -> str:
        """The assumption in words."""
        most = "" if exactly else "at most "
        return {
            "gaussian": f"rewards independent, identically distributed per arm, Gaussian, "
            f"standard deviation {most}{sigma:g}",
            "sub-gaussian": f"rewards independent, identically distributed per arm and {sigma:g}-sub-Gaussian",
            "bounded": f"rewards independent, identically distributed per arm, within a range of {2 * sigma:g}",
        }[self.assumption]


def _normal_area(x: FloatArray) -> FloatArray:
    """The integral of Q over [x, inf)."""
    area: FloatArray = np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi) - x * special.ndtr(-x)
    return area


def _chernoff_area(x: FloatArray) -> FloatArray:
    """The integral of exp(-max(x, 0)^2 / 2) over [x, inf)."""
    area: FloatArray = math.sqrt(math.pi / 2) * special.erfc(np.maximum(x, 0.0) / math.sqrt(2)) - np.minimum(x, 0.0)
    return area
