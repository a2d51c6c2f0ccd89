"""Knobs: the options of a policy that a tuner may turn."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real

import numpy as np

from replibandit.core.arrays import FloatArray
from replibandit.core.invariants import shown
from replibandit.errors import InvalidParameter


@dataclass(frozen=True, slots=True)
class Knob:
    """An option between ``low`` and ``high``, searched on a logarithmic scale.

    >>> Knob(1, 1000).at(np.array([0.0, 0.5, 1.0])).round(9).tolist()
    [1.0, 31.622776602, 1000.0]
    """

    low: float
    high: float
    whole: bool = False

    def __post_init__(self) -> None:
        ends: tuple[object, object] = (self.low, self.high)
        numbers = all(isinstance(end, Real) and not isinstance(end, bool) for end in ends)
        if not numbers or not 0 < self.low <= self.high < math.inf:
            raise InvalidParameter(
                f"`0 < low <= high` must hold for a knob, but got low={shown(self.low)}, high={shown(self.high)}."
            )

    def at(self, place: FloatArray) -> FloatArray:
        """The value at each place in [0, 1], rounded where the option is a whole number."""
        value = self.low * (self.high / self.low) ** place
        return np.clip(np.rint(value) if self.whole else value, self.low, self.high)

    @property
    def wide(self) -> bool:
        """Whether there is anything to turn."""
        return self.high > self.low

    def place(self, value: float) -> float:
        """Where in [0, 1] a value is: the way back from `at`."""
        return math.log(value / self.low) / math.log(self.high / self.low) if self.wide else 0.0
