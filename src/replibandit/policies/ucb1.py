"""UCB1 (Auer, Cesa-Bianchi and Fischer 2002): the first non-replicable comparator.

::

    pull each arm once, lowest index first
    at round t, with n_i pulls of arm i so far: pull argmax_i mean_i + sqrt(2 ln t / n_i)

The width is that of rewards in [0, 1] and is not rescaled by sigma: this is the variant the paper ran.
Each round is a phase of one pull, so the same protocol serves simulation, replay and live use.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from replibandit.core.arrays import BoolArray, FloatArray, IntArray
from replibandit.core.invariants import whole
from replibandit.core.phase import Decisions, Tally
from replibandit.core.policy import Guarantee, Memory
from replibandit.core.spec import Spec


def index(mean: FloatArray, root: FloatArray, exploration: FloatArray) -> FloatArray:
    """The UCB1 index; ``root`` is 1 / sqrt(pulls), ``exploration`` is sqrt(2 ln t)."""
    return mean + exploration * root


@dataclass(frozen=True, slots=True, kw_only=True)
class UCB1(Spec):
    """UCB1.

    >>> print(UCB1(arms=3, horizon=1000).guarantee)
    not guaranteed to be replicable: UCB1 reacts to every reward
    """

    kind: ClassVar[str] = "ucb1/1"
    index: ClassVar[Callable[..., FloatArray]] = staticmethod(index)

    arms: int
    horizon: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "arms", whole("arms", self.arms, low=1, high=10**6))
        hint = "UCB1 works round by round, so its cost grows with the horizon."
        object.__setattr__(self, "horizon", whole("horizon", self.horizon, low=1, high=10**9, remedy=hint))

    @property
    def phases(self) -> int:
        """Every round is a phase."""
        return self.horizon

    @property
    def order(self) -> str:
        """A phase is one pull: any order is the same."""
        return "round_robin"

    @property
    def memory(self) -> Memory:
        """Every reward so far."""
        return "run"

    @property
    def slots(self) -> int:
        """UCB1 uses no internal randomness."""
        return 0

    @property
    def guarantee(self) -> Guarantee:
        """None."""
        return Guarantee(rho=None, reasons=("UCB1 reacts to every reward",))

    def exploration(self, rounds: IntArray) -> FloatArray:
        """sqrt(2 ln t) for each round t, by `math`: the same bits in every driver."""
        return np.array([math.sqrt(2 * math.log(t)) for t in rounds.ravel().tolist()]).reshape(rounds.shape)

    def first_active(self) -> BoolArray:
        """Arm 0 opens."""
        opening: BoolArray = np.arange(self.arms) == 0
        return opening

    def pulls(self, phase: int, active: BoolArray) -> IntArray:
        """One pull of the chosen arm."""
        del phase
        return active.astype(np.int64)

    def decide(self, phase: int, tally: Tally, active: BoolArray, u: FloatArray) -> Decisions:
        """The arm of round phase + 1: an arm never pulled, or else the largest index."""
        shape = active.shape
        fresh = tally.counts == 0
        root = 1.0 / np.sqrt(np.maximum(tally.counts, 1))
        factor = self.exploration(np.array(phase + 1))
        score = np.where(fresh, np.inf, index(tally.means, root, factor))
        best = np.argmax(score, axis=-1)
        chosen = np.arange(self.arms) == best[..., None]
        rival = np.where(chosen, -np.inf, score).max(axis=-1)
        return Decisions(
            slots=tuple(range(1, self.arms + 1)),
            statistic=score,
            threshold=np.broadcast_to(rival[..., None], shape),
            u=np.broadcast_to(u[..., :0].sum(axis=-1, keepdims=True), shape),
            evaluated=chosen,
            taken=chosen,
            active=chosen,
        )
