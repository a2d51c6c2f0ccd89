"""Rewards of two values: the most spread-out law of a given range, and sums that stay exact at any length."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from replibandit.core.arrays import FloatArray, IntArray, by_arm
from replibandit.core.invariants import HUGE, real, reals
from replibandit.core.problem import Problem
from replibandit.errors import InvalidParameter
from replibandit.problems.names import check_name


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoPoint(Problem):
    """Arm i pays low[i] or high[i], with mean means[i]; one number for ``low`` or ``high`` stands for all arms.

    A phase's sum is one binomial draw. With a common range this is the Bernoulli law, stretched; with
    low[i] = means[i] - s and high[i] = means[i] + s it is a fair coin around each mean.

    >>> TwoPoint(means=[3.5, 3.0], low=1, high=5).subgaussian
    2.0
    >>> TwoPoint(means=[0.3, 0.0], low=[0.2, -0.1], high=[1.2, 0.9]).chances.round(12).tolist()
    [0.1, 0.1]
    """

    kind: ClassVar[str] = "two-point/1"

    means: tuple[float, ...]
    low: tuple[float, ...] | float = 0.0
    high: tuple[float, ...] | float = 1.0
    name: str = ""

    def __post_init__(self) -> None:
        means = reals("means", self.means)
        low, high = (self._per_arm(name, getattr(self, name), len(means)) for name in ("low", "high"))
        for arm, (mean, least, most) in enumerate(zip(means, low, high, strict=True)):
            if not least <= mean <= most or least == most:
                raise InvalidParameter(
                    f"`low <= means[{arm}] <= high` and `low < high` must hold, but got low={least:g}, "
                    f"mean {mean:g}, high={most:g}."
                )
        for field, value in (("means", means), ("low", low), ("high", high)):
            object.__setattr__(self, field, value)
        check_name(self, self.name)

    @staticmethod
    def _per_arm(name: str, value: object, arms: int) -> tuple[float, ...]:
        values = (
            reals(name, value) if isinstance(value, Sequence) else (real(name, value, low=-HUGE, high=HUGE),) * arms
        )
        if len(values) != arms:
            raise InvalidParameter(f"`{name}` must be one number or one per arm ({arms}), but got {len(values)}.")
        return values

    @property
    def chances(self) -> FloatArray:
        """The probability of the higher value: ``[K]``."""
        low, high = np.array(self.low), np.array(self.high)
        chances: FloatArray = (np.array(self.means) - low) / (high - low)
        return chances

    @property
    def subgaussian(self) -> float | None:
        """The largest of the arms' optimal scales (Kearns and Saul 1998); half the range for a fair coin."""
        span = np.array(self.high) - np.array(self.low)
        return max(s * coin_scale(p) for s, p in zip(span.tolist(), self.chances.tolist(), strict=True)) or None

    def rewards(self, arm: int, size: tuple[int, ...], rng: np.random.Generator) -> FloatArray:
        """Low or high."""
        low, high = np.array(self.low)[arm], np.array(self.high)[arm]
        drawn: FloatArray = np.where(rng.random(size) < self.chances[arm], high, low)
        return drawn

    def totals(self, pulls: IntArray, rng: np.random.Generator) -> FloatArray:
        """N low + (high - low) Binomial(N, p)."""
        totals = by_arm(pulls.shape, 0.0, np.float64)
        low, span = np.array(self.low), np.array(self.high) - np.array(self.low)
        for arm, chance in enumerate(self.chances.tolist()):
            totals[..., arm] = low[arm] * pulls[..., arm] + span[arm] * rng.binomial(pulls[..., arm], chance)
        return totals


def coin_scale(chance: float) -> float:
    """The smallest sigma for which a coin of 0 and 1 is sigma-sub-Gaussian.

    sigma^2 = (1 - 2 p) / (2 ln((1 - p) / p)), which is 1/4 at p = 1/2 and 0 for a certain outcome.

    >>> [round(coin_scale(chance), 4) for chance in (0.5, 0.1, 0.9, 0.0)]
    [0.5, 0.4267, 0.4267, 0.0]
    """
    if not 0 < chance < 1:
        return 0.0
    off = 1 - 2 * chance
    # off / (2 ln((1 + off) / (1 - off))) with ln(..) = 2 artanh(off): 1/4 (1 - off^2 / 3 ...) near a fair coin
    return 0.5 * math.sqrt(off / math.atanh(off)) if abs(off) > 1e-6 else 0.5
