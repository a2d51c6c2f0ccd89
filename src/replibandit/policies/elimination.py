"""What REC and RSE have in common: geometric phases, radii, the guarantee and its budget."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from replibandit.core.arrays import BoolArray, FloatArray, IntArray
from replibandit.core.invariants import one_of, real, whole
from replibandit.core.order import ORDERS
from replibandit.core.policy import Guarantee
from replibandit.core.spec import Spec
from replibandit.theory import composition, radii

MAX_HORIZON = 10**15
MAX_ARMS = 8000  # arms x horizon stays below 2^63, so counts are exact
DRAWS = ("cumulative", "fresh")
RULES = ("commit", "eliminate")


@dataclass(frozen=True, slots=True, kw_only=True)
class Elimination(Spec):
    """Base of REC and RSE. Not a policy: it has no `decide`.

    Departure: ``growth`` is accepted from just above 1, where the theorems ask for 2; ``guarantee`` says what is
    then left. ``draws="fresh"`` takes N_p new pulls per phase with pooled means, which the proof covers too.
    """

    kind: ClassVar[str]

    arms: int
    horizon: int
    rho: float
    sigma: float
    growth: float = 2.0
    c_mul: float = radii.C_MUL
    commit_scale: float = 1.0
    order: str = "round_robin"
    draws: str = "cumulative"

    def __post_init__(self) -> None:
        self._set("arms", whole("arms", self.arms, low=1, high=MAX_ARMS))
        self._set("horizon", whole("horizon", self.horizon, low=1, high=MAX_HORIZON))
        hint = "For a policy without a guarantee use `UCB1`."
        self._set("rho", real("rho", self.rho, above=0, high=0.5, remedy=hint))
        self._set("sigma", real("sigma", self.sigma, above=0))
        hint = "Phases must grow: a = growth > 1, and the guarantee needs about 2."
        self._set("growth", real("growth", self.growth, above=1, high=1e6, remedy=hint))
        self._set("c_mul", real("c_mul", self.c_mul, above=0))
        self._set("commit_scale", real("commit_scale", self.commit_scale, above=0))
        one_of("order", self.order, ORDERS)
        one_of("draws", self.draws, DRAWS)

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    # --- phases ---------------------------------------------------------------------------------------------

    @property
    def phases(self) -> int:
        """P: the constant in the logarithms and a bound on the number of phases."""
        return radii.last_phase(self.growth, self.sigma, self.horizon)

    def eps(self, phase: int) -> float:
        """eps_p = a^-p."""
        return float(self.growth**-phase)

    def first_active(self) -> BoolArray:
        """A_1 = [K]."""
        return np.ones(self.arms, dtype=np.bool_)

    def new_pulls(self, phase: int) -> int:
        """Pulls of each active arm in this phase: N_p - N_{p-1}, or N_p with fresh draws."""
        count = radii.pull_count(phase, self.growth, self.sigma, self.horizon)
        if self.draws == "fresh" or phase == 1:
            return count
        return count - radii.pull_count(phase - 1, self.growth, self.sigma, self.horizon)

    def pulls(self, phase: int, active: BoolArray) -> IntArray:
        """Equal pulls of the active arms; the last arm left is played until the horizon."""
        alone = active.sum(axis=-1) == 1
        return np.where(active, np.where(alone, self.horizon, self.new_pulls(phase))[..., None], 0)

    # --- thresholds -----------------------------------------------------------------------------------------

    def share(self, rule: str) -> float:
        """The part of rho a decision variable of this rule may spend: rho_a or rho_e."""
        raise NotImplementedError

    def scale(self, rule: str) -> float:
        """What multiplies the whole right-hand side of this rule: the paper's C or C_2."""
        raise NotImplementedError

    def radius(self, phase: int, rule: str) -> float:
        """The unit of the rule's threshold (2 + U) * radius: C * Conf^max(p)."""
        eps = self.eps(phase)
        repr_ = radii.conf_repr(eps, self.arms, self.phases, self.share(rule))
        reg = radii.conf_reg(eps, self.arms, self.phases, self.horizon)
        return self.scale(rule) * radii.conf_max(repr_, reg, self.c_mul)

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules this policy decides by."""
        raise NotImplementedError

    @property
    def smallest_gap(self) -> float:
        """The smallest gap statistic that could make a first decision before the horizon; inf if none could.

        Only phases that all K arms complete count: below this gap the policy explores uniformly to the end.
        """
        spent, smallest = 0, math.inf
        for phase in range(1, self.phases + 1):
            spent += self.new_pulls(phase) * self.arms
            if spent >= self.horizon:
                break
            smallest = min(smallest, *(2 * self.radius(phase, rule) for rule in self.rules))
        return smallest

    # --- what is proved -------------------------------------------------------------------------------------

    def good_radius(self, phase: int) -> float:
        """The good event asks every estimated gap to be this close; the tightest of the rules' radii."""
        eps = self.eps(phase)
        return min(radii.good_radius(eps, self.arms, self.phases, self.share(rule)) for rule in self.rules)

    @property
    def bad_event_budget(self) -> float:
        """rho^G <= rho / 18."""
        return self.rho / 18

    def budget(self, gaps: FloatArray) -> dict[tuple[int, int], float]:
        """rho^(p, slot) of the proof for an instance with these ``gaps [K]``; absent entries are 0."""
        spent: dict[tuple[int, int], float] = {}
        order = np.argsort(gaps, kind="stable")
        for rule in self.rules:
            arms = [int(order[1])] if rule == "commit" else [int(arm) for arm in order[1:]]
            for arm in arms if self.arms > 1 else []:
                phase = self._stopping_phase(float(gaps[arm]), rule)
                if phase is not None:
                    good = radii.good_radius(self.eps(phase), self.arms, self.phases, self.share(rule))
                    slot = 0 if rule == "commit" else arm + 1
                    spent[phase, slot] = composition.decision_budget(good, self.radius(phase, rule))
        return spent

    def _stopping_phase(self, gap: float, rule: str) -> int | None:
        return composition.stopping_phase(gap, lambda phase: self.radius(phase, rule), self.phases)

    @property
    def guarantee(self) -> Guarantee:
        """What the proof of Theorems 4 and 5 gives for exactly these parameters."""
        lacking = []
        for rule in self.rules:
            rho = self.share(rule)
            if not composition.separates_phases(self.growth, rho):
                lacking.append(
                    f"growth={self.growth:g} is too small for the {rule} rule: "
                    f"1.7 a - 4 rho / 9 >= 3 must hold (a >= 2 always suffices)"
                )
            ratio = self.radius(1, rule) / radii.conf_repr(self.eps(1), self.arms, self.phases, rho)
            if ratio < radii.C_MUL * (1 - 1e-12):
                lacking.append(
                    f"the {rule} threshold is {ratio:.3g} Conf^repr, but the proof needs 9/4 "
                    f"(c_mul={self.c_mul:g}, scale={self.scale(rule):g})"
                )
        if lacking:
            return Guarantee(rho=None, reasons=tuple(lacking))
        assumptions = (
            f"rewards independent, identically distributed per arm and {self.sigma:g}-sub-Gaussian",
            "U uniform, shared by the twins and independent of the rewards",
            "the horizon fixed in advance",
        )
        return Guarantee(rho=self.rho, reasons=(f"{self.theorem} of the paper",), assumptions=assumptions)

    theorem: ClassVar[str] = ""
