"""Which rule a run follows where a policy leaves that to U: chosen once, before phase 1, by U of stream "start".

Such a policy lists the rules, all equally likely, as ``openings``; they differ in where their phases end. A single
run then *is* a run of that rule. A batch holds runs of several, which ``opened_at`` follows at once: row b is the
single run, bit for bit.
"""

from __future__ import annotations

from typing import Protocol, Self, runtime_checkable

import numpy as np

from replibandit.core.arrays import IntArray
from replibandit.core.policy import PhasedPolicy
from replibandit.core.randomness import Randomness


@runtime_checkable
class Openable(Protocol):
    """What a policy has beyond `PhasedPolicy` if U chooses among rules."""

    @property
    def openings(self) -> tuple[PhasedPolicy, ...]:
        """The rules; a policy that leaves nothing open is its own and only one."""
        ...

    def opened_at(self, chosen: IntArray) -> PhasedPolicy:
        """A batch of runs in which run b follows ``openings[chosen[b]]``."""
        ...


@runtime_checkable
class Batch(Protocol):
    """Runs that follow rules of their own."""

    def rows(self, index: IntArray) -> Self:
        """The runs ``index`` of the batch."""
        ...


def rows_following(rule: PhasedPolicy, index: IntArray) -> PhasedPolicy:
    """What the runs ``index`` of a batch follow, if the batch follows ``rule``."""
    return rule.rows(index) if isinstance(rule, Batch) else rule


def opened(policy: PhasedPolicy, u: Randomness) -> PhasedPolicy:
    """What the runs of this U follow."""
    if not isinstance(policy, Openable) or len(policy.openings) == 1:
        return policy
    count = len(policy.openings)
    drawn = u.uniforms(0, 1, stream="start")[..., 0]
    chosen = np.minimum((drawn * count).astype(np.int64), count - 1)
    return policy.openings[int(chosen)] if chosen.ndim == 0 else policy.opened_at(chosen)
