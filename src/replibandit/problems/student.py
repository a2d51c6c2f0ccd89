"""Heavy-tailed rewards: what happens when the sub-Gaussian assumption is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from replibandit.core.arrays import FloatArray
from replibandit.core.invariants import HUGE, real, reals, scale
from replibandit.core.problem import Problem
from replibandit.problems.names import check_name


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentT(Problem):
    """Arm i pays means[i] + scale * t, t being Student's t with ``df`` degrees of freedom (df > 1).

    With df <= 2 the variance is infinite. No sigma makes it sub-Gaussian, so no guarantee covers it.

    >>> StudentT(means=[0.5, 0.3], df=2.5).subgaussian is None
    True
    """

    kind: ClassVar[str] = "student-t/1"

    means: tuple[float, ...]
    df: float = 3.0
    scale: float = 1.0
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "means", reals("means", self.means))
        hint = "With df <= 1 the mean does not exist."
        object.__setattr__(self, "df", real("df", self.df, above=1, high=HUGE, remedy=hint))
        object.__setattr__(self, "scale", scale("scale", self.scale))
        check_name(self, self.name)

    @property
    def subgaussian(self) -> float | None:
        """None: the tails are polynomial."""
        return None

    def rewards(self, arm: int, size: tuple[int, ...], rng: np.random.Generator) -> FloatArray:
        """Shifted and scaled t draws."""
        return self.means[arm] + self.scale * rng.standard_t(self.df, size)
