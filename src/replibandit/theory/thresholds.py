"""Thresholds (offset + width U) unit: random ones with a width of 1, fixed ones with a width of 0."""

from __future__ import annotations

from dataclasses import dataclass

from replibandit.core.arrays import FloatArray


class Range:
    """From where to where a threshold ranges, for what has an ``offset``, a ``unit`` and a ``width``."""

    __slots__ = ()
    offset: float
    unit: float
    width: float

    @property
    def low(self) -> float:
        """Where it starts: a smaller statistic never decides."""
        return self.offset * self.unit

    @property
    def high(self) -> float:
        """Where it ends: a larger statistic always decides."""
        return (self.offset + self.width) * self.unit


@dataclass(frozen=True, slots=True)
class Threshold(Range):
    """The threshold of one rule in one phase: ``(offset + width U) * unit``; the paper's is (2 + U) Conf^max."""

    offset: float
    unit: float
    width: float = 1.0  # 0 where the threshold is fixed

    def at(self, u: FloatArray) -> FloatArray:
        """The threshold for each value of U."""
        return (self.offset + self.width * u) * self.unit


@dataclass(frozen=True, slots=True, eq=False)
class Thresholds:
    """The thresholds of a batch of runs that differ in their ``unit [...]``."""

    offset: float
    unit: FloatArray
    width: float

    def at(self, u: FloatArray) -> FloatArray:
        """The threshold for each value of U: ``[...]``, or ``[..., D]`` for several decisions."""
        return (self.offset + self.width * u) * self.unit.reshape(self.unit.shape + (1,) * (u.ndim - self.unit.ndim))
