"""Linear rewards: every arm's mean is the product of its known features with one unknown vector."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from replibandit.core.arrays import FloatArray, IntArray
from replibandit.core.invariants import real_rows, reals, scale
from replibandit.core.problem import Problem
from replibandit.errors import InvalidParameter
from replibandit.problems.gaussian import normal_totals
from replibandit.problems.names import check_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Linear(Problem):
    """Arm i pays Normal(x_i . theta, sd^2), x_i being row i of ``features``. Every policy can be run on it.

    >>> Linear(features=[[1, 0], [0.5, 0.4]], theta=[1, 0.5]).means
    (1.0, 0.7)

    `RLSE` is the policy that uses the features: ``RLSE(..., features=problem.features)``.
    """

    kind: ClassVar[str] = "linear/1"

    features: tuple[tuple[float, ...], ...]
    theta: tuple[float, ...]
    sd: float = 1.0
    name: str = ""

    def __post_init__(self) -> None:
        features, theta = real_rows("features", self.features), reals("theta", self.theta)
        if len(theta) != len(features[0]):
            raise InvalidParameter(
                f"`theta` must have one number per column of `features` ({len(features[0])}), but got {len(theta)}."
            )
        object.__setattr__(self, "features", features)
        object.__setattr__(self, "theta", theta)
        object.__setattr__(self, "sd", scale("sd", self.sd))
        reals("means", self.means)  # a product may be too large where its factors are not
        check_name(self, self.name)

    @property
    def means(self) -> tuple[float, ...]:
        """x_i . theta, correctly rounded sums."""
        return _means(self.features, self.theta)

    @property
    def arms(self) -> int:
        """K."""
        return len(self.features)

    @property
    def subgaussian(self) -> float | None:
        """The standard deviation."""
        return self.sd

    def rewards(self, arm: int, size: tuple[int, ...], rng: np.random.Generator) -> FloatArray:
        """Normal draws."""
        return self.means[arm] + self.sd * rng.standard_normal(size)

    def totals(self, pulls: IntArray, rng: np.random.Generator) -> FloatArray:
        """N x_i . theta + sd sqrt(N) Z."""
        return normal_totals(pulls, self.means, self.sd, rng)


@functools.lru_cache(maxsize=64)  # asked for at every phase of a study
def _means(features: tuple[tuple[float, ...], ...], theta: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(math.fsum(x * t for x, t in zip(row, theta, strict=True)) for row in features)
