"""How far the statistic of a decision strays from its centre: what every bound on first disagreements is made of.

The centre m is where the statistic would be without noise, or its median; from there it strays upwards by more than x
with probability at most ``above`` tails of `theory.noise`, downwards with at most ``below`` of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from replibandit.core.arrays import FloatArray
from replibandit.theory.noise import Noise

NORMAL_LEVELS, FAR_LEVELS = 300, 60  # levels x, evenly spaced as normal quantiles, below and above 3.5
NEAR, FAR = 3.5, 7.5  # u = Q(7.5) = 3e-14 is the smallest level; what lies below it is charged in full
NEVER = float(special.ndtr(-FAR))


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """Levels x with their weights, and how far the statistic strays at each: ``[X]`` each."""

    weight: FloatArray
    up: FloatArray
    down: FloatArray
    stay: FloatArray
    rest: float  # the level below which the probability is charged in full

    @property
    def far(self) -> float:
        """The largest distance at which a phase can still matter."""
        return float(max(self.up.max(), self.down.max()))


@dataclass(frozen=True, slots=True)
class Straying:
    """Tails of one statistic.

    With ``medians`` the centre is the median of a Lipschitz function of normal noise, which is no more spread than a
    normal variable on either side; beyond the median nothing more is known.
    """

    noise: Noise
    above: float = 1
    below: float = 1
    medians: bool = False

    @classmethod
    def commit(cls, noise: Noise, arms: int) -> Straying:
        """The lead of the best arm, about the gap of its closest rival."""
        return cls(noise, below=arms - 1)

    @classmethod
    def eliminate(cls, noise: Noise, arms: int) -> Straying:
        """How far one arm is behind the leader, about its gap."""
        return cls(noise, above=arms - 1)

    @property
    def law_used(self) -> bool:
        """Whether levels use a normal law of exactly this scale, not only how far it strays at most."""
        return self.noise.gaussian and self.noise.independent and not self.medians

    @property
    def far(self) -> float:
        """Beyond this distance from its threshold a statistic may be taken to be on its side."""
        return float(self.noise.reach(np.array(NEVER), max(self.above, self.below)))

    def parts(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """2 F (1 - F), F = P(statistic < threshold), at most: for thresholds ``low`` to ``high`` past the centre."""
        nearest = np.clip(0.0, low, high)
        chance = np.where(nearest > 0, self.above, self.below) * self.noise.tails(np.abs(nearest))
        chance = np.minimum(chance, 0.5)
        parts: FloatArray = 2 * chance * (1 - chance)
        return parts

    def levels(self, fine: int = 1) -> Levels:
        """Levels of 2 F (1 - F), for thresholds that are random."""
        quantiles = np.concatenate(
            (np.linspace(FAR, NEAR, FAR_LEVELS * fine), np.linspace(NEAR, 0, NORMAL_LEVELS * fine)[1:])
        )
        u = special.ndtr(-quantiles)
        x = 2 * u * (1 - u)
        stay = self.noise.reach(np.sqrt(np.minimum(2 * x[:-1], 1.0)), self.below)
        return Levels(
            weight=np.diff(x),
            up=self.noise.reach(u[:-1], self.above),
            down=self.noise.reach(u[:-1], self.below),
            stay=stay if self.law_used else np.maximum(stay, 0.0),
            rest=float(x[0]),
        )
