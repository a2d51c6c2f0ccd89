"""Gaussian rewards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from replibandit.core.arrays import FloatArray, IntArray, by_arm
from replibandit.core.invariants import reals, scale
from replibandit.core.problem import Problem
from replibandit.problems.names import check_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Gaussian(Problem):
    """Arm i pays Normal(means[i], sd^2). A phase's sum is one normal draw, whatever its length.

    >>> Gaussian(means=[0.7, 0.3], sd=0.5).gaps.round(12).tolist()
    [0.0, 0.4]
    """

    kind: ClassVar[str] = "gaussian/1"

    means: tuple[float, ...]
    sd: float = 1.0
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "means", reals("means", self.means))
        object.__setattr__(self, "sd", scale("sd", self.sd))
        check_name(self, self.name)

    @property
    def subgaussian(self) -> float | None:
        """The standard deviation."""
        return self.sd

    def rewards(self, arm: int, size: tuple[int, ...], rng: np.random.Generator) -> FloatArray:
        """Normal draws."""
        return self.means[arm] + self.sd * rng.standard_normal(size)

    def totals(self, pulls: IntArray, rng: np.random.Generator) -> FloatArray:
        """N mu + sd sqrt(n) Z."""
        return normal_totals(pulls, self.means, self.sd, rng)


def normal_totals(pulls: IntArray, means: tuple[float, ...], sd: float, rng: np.random.Generator) -> FloatArray:
    """The sum of ``pulls [..., K]`` normal rewards of each arm: one normal draw, whatever their number."""
    noise = by_arm(pulls.shape, 0.0, np.float64)
    rng.standard_normal(out=np.moveaxis(noise, -1, 0))
    counts = pulls.astype(np.float64)
    noise *= sd * np.sqrt(counts)
    counts *= np.array(means)
    counts += noise
    return counts
