"""What happens in a phase: the tally that comes in, the decisions that go out, the trace that remains."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from replibandit.core.arrays import BoolArray, FloatArray, IntArray
from replibandit.errors import InvalidParameter


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """How often each arm was pulled and what it returned in total: ``counts [..., K]``, ``totals [..., K]``.

    >>> Tally.of([[1.0, 0.0, 1.0], [0.5]]).means
    array([0.66666667, 0.5       ])
    """

    counts: IntArray
    totals: FloatArray

    @classmethod
    def of(cls, rewards: Iterable[Iterable[float]]) -> Tally:
        """The tally of single rewards, arm by arm. `math.fsum` makes it free of their order."""
        arms = [list(arm) for arm in rewards]
        return cls(np.array([len(arm) for arm in arms]), np.array([math.fsum(arm) for arm in arms]))

    @classmethod
    def zero(cls, shape: tuple[int, ...]) -> Tally:
        """Nothing pulled yet."""
        return cls(np.zeros(shape, dtype=np.int64), np.zeros(shape))

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.counts + other.counts, self.totals + other.totals)

    @property
    def means(self) -> FloatArray:
        """Mean reward of each arm, 0 for an arm never pulled: ``[..., K]``."""
        return self.totals / np.maximum(self.counts, 1)

    def checked(self, arms: int) -> Tally:
        """This tally if it could have happened: ``arms`` arms, finite totals, no reward without a pull."""
        counts, totals = np.asarray(self.counts), np.asarray(self.totals, dtype=np.float64)
        if counts.shape != totals.shape or counts.shape[-1:] != (arms,):
            raise InvalidParameter(
                f"a tally must have one count and one total per arm ({arms}), but got shapes "
                f"{counts.shape} and {totals.shape}."
            )
        if not ((counts >= 0) & (counts == np.floor(counts))).all():
            raise InvalidParameter(f"a tally must have whole counts >= 0, but got counts={counts.tolist()}.")
        if not np.isfinite(totals).all() or (totals[counts == 0] != 0).any():
            raise InvalidParameter(
                "a tally must have finite totals, and total 0 where nothing was pulled, but got "
                f"counts={counts.tolist()} totals={totals.tolist()}."
            )
        return Tally(counts.astype(np.int64), totals)


@dataclass(frozen=True, slots=True, eq=False)
class Decisions:
    """All decision variables of one phase, for every run of a batch; ``D`` of them, one per slot of U.

    ``evaluated`` marks those that were tested, ``taken`` those that came out true.
    """

    slots: tuple[int, ...]
    statistic: FloatArray  # [..., D]
    threshold: FloatArray  # [..., D]
    u: FloatArray  # [..., D]
    evaluated: BoolArray  # [..., D]
    taken: BoolArray  # [..., D]
    active: BoolArray  # [..., K], the next active set

    def listed(self, phase: int) -> tuple[Decision, ...]:
        """The evaluated decisions of a single run (no leading axes), for its trace."""
        return tuple(
            Decision(
                phase=phase,
                slot=slot,
                statistic=float(self.statistic[d]),
                threshold=float(self.threshold[d]),
                u=float(self.u[d]),
                taken=bool(self.taken[d]),
            )
            for d, slot in enumerate(self.slots)
            if self.evaluated[d]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One decision variable d_{p,slot} of one run, with everything needed to check it by hand."""

    phase: int
    slot: int
    statistic: float
    threshold: float
    u: float
    taken: bool

    @property
    def arm(self) -> int | None:
        """The arm (index) this decision is about; None for the commitment, slot 0."""
        return None if self.slot == 0 else self.slot - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseRecord:
    """One phase of one run. ``totals`` and ``decisions`` are empty when the horizon cut the phase short."""

    phase: int
    active: tuple[int, ...]
    pulls: tuple[int, ...]
    complete: bool
    totals: tuple[float, ...]
    decisions: tuple[Decision, ...]

    @property
    def tally(self) -> Tally:
        """The rewards of this phase, as `replay` takes them."""
        return Tally(np.array(self.pulls), np.array(self.totals))


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The record of one run: equal traces mean equal decisions on equal data."""

    phases: tuple[PhaseRecord, ...]
    digest: int

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """The tally of every complete phase: all the data a replay needs."""
        return tuple(record.tally for record in self.phases if record.complete)

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """Every decision of the run, in order."""
        return tuple(decision for record in self.phases for decision in record.decisions)

    @property
    def pulls(self) -> tuple[int, ...]:
        """Pulls per arm over the whole run."""
        return tuple(sum(arm) for arm in zip(*(record.pulls for record in self.phases), strict=True))
