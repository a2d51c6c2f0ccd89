"""What all gap policies have in common: phases of growing length, and one threshold per decision variable."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self, TypeAlias

import numpy as np

from replibandit.core.arrays import BoolArray, FloatArray, IntArray
from replibandit.core.invariants import TINY, one_of, real, scale, whole
from replibandit.core.order import ORDERS
from replibandit.core.phase import Decisions, Tally
from replibandit.core.policy import Guarantee, Memory
from replibandit.core.spec import Spec
from replibandit.errors import InvalidParameter
from replibandit.theory.thresholds import Threshold, Thresholds

MAX_HORIZON = 10**15
MAX_ARMS = 8000  # arms x horizon stays below 2^63, so counts are exact
MAX_PHASES = 100_000  # every phase is an array operation: more would run for hours, and decide nothing new
DRAWS = ("cumulative", "fresh")
RULES = ("commit", "eliminate")


ByRule: TypeAlias = Mapping[str, Threshold | Thresholds]


@dataclass(frozen=True, slots=True, kw_only=True)
class GapPolicy(Spec):
    """Base of every policy that compares gaps of means with thresholds at the end of equal phases."""

    kind: ClassVar[str]

    arms: int
    horizon: int
    rho: float
    sigma: float
    order: str = "round_robin"

    def __post_init__(self) -> None:
        self._set("arms", whole("arms", self.arms, low=1, high=MAX_ARMS))
        self._set("horizon", whole("horizon", self.horizon, low=1, high=MAX_HORIZON))
        hint = "For a policy without a guarantee use `UCB1`."
        self._set("rho", real("rho", self.rho, above=0, high=0.5, remedy=hint))
        real("rho", self.rho, low=TINY)
        self._set("sigma", scale("sigma", self.sigma))
        one_of("order", self.order, ORDERS)

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _check_phases(self, option: str) -> None:
        """Refuse phases that hardly grow; ``option`` is what they grow by."""
        if self.phases > MAX_PHASES:
            raise InvalidParameter(
                f"`phases <= {MAX_PHASES}` must hold, but {option}={getattr(self, option)!r} makes {self.phases:.3g} "
                f"before the horizon {self.horizon}; take a larger `{option}`."
            )

    # --- what a family of constants adds --------------------------------------------------------------------

    @property
    def phases(self) -> int:
        """P, a bound on the number of phases."""
        raise NotImplementedError

    def new_pulls(self, phase: int) -> int:
        """Pulls of each active arm in this phase."""
        raise NotImplementedError

    def threshold(self, phase: int, rule: str) -> Threshold:
        """The threshold of the rule ("commit" or "eliminate") at the end of the phase."""
        raise NotImplementedError

    @property
    def guarantee(self) -> Guarantee:
        """What is guaranteed about replicability, and why not more."""
        raise NotImplementedError

    # --- what an algorithm adds -----------------------------------------------------------------------------

    @property
    def slots(self) -> int:
        """How many uniforms a phase has."""
        raise NotImplementedError

    def decide(self, phase: int, tally: Tally, active: BoolArray, u: FloatArray) -> Decisions:
        """The decision variables and the next active set."""
        thresholds: ByRule = {rule: self.threshold(phase, rule) for rule in self.rules}
        return self.decide_by(thresholds, tally, active, u)

    def decide_by(self, thresholds: ByRule, tally: Tally, active: BoolArray, u: FloatArray) -> Decisions:
        """The same by these thresholds."""
        raise NotImplementedError

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules this policy decides by."""
        raise NotImplementedError

    @property
    def memory(self) -> Memory:
        """All rewards so far: counts are cumulative, or pooled."""
        return "run"

    def estimates(self, tally: Tally, active: BoolArray) -> FloatArray:
        """The mean reward of each arm."""
        del active
        return tally.means

    # --- phases ---------------------------------------------------------------------------------------------

    @property
    def openings(self) -> tuple[Self, ...]:
        """The rules among which U chooses one for the whole run, all equally likely: here this one alone."""
        return (self,)

    def first_active(self) -> BoolArray:
        """A_1 = [K]."""
        return np.ones(self.arms, dtype=np.bool_)

    def pulls(self, phase: int, active: BoolArray) -> IntArray:
        """Equal pulls of the active arms; the last arm left is played until the horizon."""
        return self.pulls_of(np.array([self.new_pulls(phase)]), active)

    def pulls_of(self, each: IntArray, active: BoolArray) -> IntArray:
        """``each [..., K]`` (or the same for all arms) while several arms are active."""
        alone = active.sum(axis=-1, keepdims=True) == 1
        return np.where(active, np.where(alone, self.horizon, each), 0)

    def rounds_with_all(self, phase: int) -> int:
        """Rounds of the phase if every arm is still active."""
        return self.new_pulls(phase) * self.arms

    @property
    def smallest_gap(self) -> float:
        """The smallest gap statistic that could make a first decision before the horizon; inf if none could.

        Only phases that all K arms complete count: below this gap the policy explores uniformly to the end.
        """
        return min(opening.smallest_gap_decided() for opening in self.openings)

    def smallest_gap_decided(self) -> float:
        """The same for a rule whose phases are known."""
        spent, smallest = 0, math.inf
        for phase in range(1, self.phases + 1):
            spent += self.rounds_with_all(phase)
            if spent >= self.horizon:
                break
            smallest = min(smallest, *(self.threshold(phase, rule).low for rule in self.rules))
        return smallest


@dataclass(frozen=True, slots=True, kw_only=True)
class Elimination(GapPolicy):
    """Base of REC and RSE with any constants: phases end at N_p pulls of each active arm.

    ``draws="fresh"`` takes N_p new pulls per phase with pooled means, where ``"cumulative"`` goes up to N_p.
    """

    endless: ClassVar[bool] = False  # whether phases and thresholds mean something without a horizon

    draws: str = "cumulative"

    def __post_init__(self) -> None:
        super(Elimination, self).__post_init__()
        one_of("draws", self.draws, DRAWS)

    def pull_count(self, phase: int) -> int:
        """N_p, capped at the horizon."""
        raise NotImplementedError

    def new_pulls(self, phase: int) -> int:
        """N_p - N_{p-1}, or N_p with fresh draws."""
        count = self.pull_count(phase)
        if self.draws == "fresh" or phase == 1:
            return count
        return count - self.pull_count(phase - 1)

    def precision(self, phase: int) -> int:
        """n_p: at the end of the phase each estimate is as good as the mean of so many rewards, or better."""
        return sum(self.new_pulls(p) for p in range(1, phase + 1))

    @property
    def spread(self) -> float:
        """How far the difference of two estimates strays, in sigma / sqrt(n_p): sqrt(2) for independent arms."""
        return math.sqrt(2)
