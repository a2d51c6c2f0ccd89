"""Bernoulli rewards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from replibandit.core.arrays import FloatArray, IntArray, by_arm
from replibandit.core.invariants import real, reals
from replibandit.core.problem import Problem
from replibandit.problems.names import check_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Bernoulli(Problem):
    """Arm i pays 1 with probability means[i], else 0. A phase's sum is one binomial draw.

    >>> Bernoulli(means=[0.9, 0.8, 0.3]).subgaussian
    0.5
    """

    kind: ClassVar[str] = "bernoulli/1"

    means: tuple[float, ...]
    name: str = ""

    def __post_init__(self) -> None:
        means = reals("means", self.means)
        hint = "A Bernoulli mean is a probability."
        for arm, mean in enumerate(means):
            real(f"means[{arm}]", mean, low=0, high=1, remedy=hint)
        object.__setattr__(self, "means", means)
        check_name(self, self.name)

    @property
    def subgaussian(self) -> float | None:
        """One half, by Hoeffding's lemma."""
        return 0.5

    def rewards(self, arm: int, size: tuple[int, ...], rng: np.random.Generator) -> FloatArray:
        """Zeros and ones."""
        return (rng.random(size) < self.means[arm]).astype(np.float64)

    def totals(self, pulls: IntArray, rng: np.random.Generator) -> FloatArray:
        """Binomial(n, p)."""
        totals = by_arm(pulls.shape, 0.0, np.float64)
        for arm, mean in enumerate(self.means):
            totals[..., arm] = rng.binomial(pulls[..., arm], mean)
        return totals
