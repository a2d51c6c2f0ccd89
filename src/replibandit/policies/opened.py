"""A batch of runs of one policy whose phases begin at places of their own.

Given its start, a run follows an ordinary rule; starts differ in their numbers of pulls, and so in the unit of their
thresholds, alone. So one array expression still decides for all runs: each reads the numbers of its own start.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from replibandit.core.arrays import BoolArray, FloatArray, IntArray
from replibandit.core.phase import Decisions, Tally
from replibandit.core.policy import Guarantee, Memory
from replibandit.policies.elimination import ByRule
from replibandit.theory.thresholds import Thresholds

if TYPE_CHECKING:
    from replibandit.policies.sharp import FreeConstants


@functools.lru_cache(maxsize=256)
def _each_pulls(policy: FreeConstants, phase: int) -> IntArray:
    return np.array([opening.each_pulls(phase) for opening in policy.openings])


@functools.lru_cache(maxsize=256)
def _units(policy: FreeConstants, phase: int, rule: str) -> FloatArray:
    return np.array([opening.threshold(phase, rule).unit for opening in policy.openings])


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """A batch of runs of one policy, each from a start of its own; row b is the single run, bit for bit."""

    policy: FreeConstants
    chosen: IntArray  # [B]

    @property
    def arms(self) -> int:
        """K."""
        return self.policy.arms

    @property
    def horizon(self) -> int:
        """T."""
        return self.policy.horizon

    @property
    def phases(self) -> int:
        """A bound on the number of phases of any run."""
        return self.policy.phases

    @property
    def order(self) -> str:
        """In which order the pulls of a phase are made."""
        return self.policy.order

    @property
    def memory(self) -> Memory:
        """Whose rewards are read."""
        return self.policy.memory

    @property
    def slots(self) -> int:
        """How many uniforms a phase has."""
        return self.policy.slots

    @property
    def guarantee(self) -> Guarantee:
        """That of the policy: U is still shared."""
        return self.policy.guarantee

    def rows(self, index: IntArray) -> Opened:
        """The runs ``index`` of the batch."""
        return Opened(self.policy, self.chosen[index])

    def first_active(self) -> BoolArray:
        """A_1."""
        return self.policy.first_active()

    def pulls(self, phase: int, active: BoolArray) -> IntArray:
        """Planned pulls of the phase: ``[B, K]``."""
        return self.policy.pulls_of(_each_pulls(self.policy, phase)[self.chosen], active)

    def decide(self, phase: int, tally: Tally, active: BoolArray, u: FloatArray) -> Decisions:
        """The decisions of every run, by its own thresholds."""
        thresholds: ByRule = {rule: self._thresholds(phase, rule) for rule in self.policy.rules}
        return self.policy.decide_by(thresholds, tally, active, u)

    def _thresholds(self, phase: int, rule: str) -> Thresholds:
        alike = self.policy.openings[0].threshold(phase, rule)  # but for the unit
        return Thresholds(alike.offset, _units(self.policy, phase, rule)[self.chosen], alike.width)
