"""Bounded rewards that are neither 0 nor 1: Beta laws stretched to [low, high]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from replibandit.core.arrays import FloatArray
from replibandit.core.invariants import HUGE, real, reals, scale
from replibandit.core.problem import Problem
from replibandit.errors import InvalidParameter
from replibandit.problems.names import check_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounded(Problem):
    """Arm i pays low + (high - low) Beta(m c, (1 - m) c), with mean means[i] and c = concentration.

    No exact law of the sum exists: rewards are drawn and added, so cost grows with the length of exploration.

    >>> Bounded(means=[3.5, 3.0], low=1, high=5).subgaussian
    2.0
    """

    kind: ClassVar[str] = "bounded/1"

    means: tuple[float, ...]
    low: float = 0.0
    high: float = 1.0
    concentration: float = 2.0
    name: str = ""

    def __post_init__(self) -> None:
        low, high = (real(name, getattr(self, name), low=-HUGE, high=HUGE) for name in ("low", "high"))
        if not low < high:
            raise InvalidParameter(f"`low < high` must hold, but got low={low:g}, high={high:g}.")
        means = reals("means", self.means)
        for arm, mean in enumerate(means):
            if not low < mean < high:
                raise InvalidParameter(
                    f"`low < means[{arm}] < high` must hold, but got {mean:g} outside ({low:g}, {high:g})."
                )
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)
        object.__setattr__(self, "means", means)
        object.__setattr__(self, "concentration", scale("concentration", self.concentration))
        check_name(self, self.name)

    @property
    def subgaussian(self) -> float | None:
        """Half the range, by Hoeffding's lemma."""
        return (self.high - self.low) / 2

    def rewards(self, arm: int, size: tuple[int, ...], rng: np.random.Generator) -> FloatArray:
        """Stretched Beta draws."""
        span = self.high - self.low
        place = (self.means[arm] - self.low) / span
        return self.low + span * rng.beta(place * self.concentration, (1 - place) * self.concentration, size)
