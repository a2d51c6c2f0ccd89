"""The constants of Theorems 4 and 5: phases of 8 a^(2p) sigma^2 pulls, thresholds (2 + U) Conf^max, and the proof.

=============  ===========================================
c_mul          C_mul, multiplies Conf^repr
commit_scale   C, multiplies the whole right-hand side of the commitment
growth         a
=============  ===========================================
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from replibandit.core.arrays import FloatArray
from replibandit.core.invariants import real, scale
from replibandit.core.knobs import Knob
from replibandit.core.policy import Guarantee
from replibandit.policies.elimination import Elimination
from replibandit.theory import composition, radii
from replibandit.theory.thresholds import Threshold


@dataclass(frozen=True, slots=True, kw_only=True)
class TheoremConstants(Elimination):
    """The paper's phases and thresholds.

    Departure: ``growth`` is accepted from just above 1, where the theorems ask for 2; ``guarantee`` says what is
    then left. ``draws="fresh"`` is covered by the proof as well.
    """

    theorem: ClassVar[str]

    growth: float = 2.0
    c_mul: float = radii.C_MUL
    commit_scale: float = 1.0

    def __post_init__(self) -> None:
        super(TheoremConstants, self).__post_init__()
        hint = "Phases must grow: a = growth > 1, and the guarantee needs about 2."
        self._set("growth", real("growth", self.growth, above=1, high=1e6, remedy=hint))
        self._set("c_mul", scale("c_mul", self.c_mul))
        self._set("commit_scale", scale("commit_scale", self.commit_scale))
        self._check_phases("growth")

    def share(self, rule: str) -> float:
        """The part of rho a decision variable of this rule may spend: rho_a or rho_e."""
        raise NotImplementedError

    def scale(self, rule: str) -> float:
        """What multiplies the whole right-hand side of this rule: the paper's C or C_2."""
        raise NotImplementedError

    @property
    def knobs(self) -> dict[str, Knob]:
        """What the paper tunes: C, and C_2 where there are eliminations."""
        return {f"{rule}_scale": Knob(1e-3, 1.0) for rule in self.rules}

    # --- phases and thresholds ------------------------------------------------------------------------------

    @property
    def phases(self) -> int:
        """P: the constant in the logarithms and a bound on the number of phases."""
        return radii.last_phase(self.growth, self.sigma, self.horizon)

    def pull_count(self, phase: int) -> int:
        """N_p = ceil(8 a^(2p) sigma^2)."""
        return radii.pull_count(phase, self.growth, self.sigma, self.horizon)

    def eps(self, phase: int) -> float:
        """eps_p = a^-p."""
        return float(self.growth**-phase)

    def radius(self, phase: int, rule: str) -> float:
        """C * Conf^max(p)."""
        eps = self.eps(phase)
        repr_ = radii.conf_repr(eps, self.arms, self.phases, self.share(rule))
        reg = radii.conf_reg(eps, self.arms, self.phases, self.horizon)
        return self.scale(rule) * radii.conf_max(repr_, reg, self.c_mul)

    def threshold(self, phase: int, rule: str) -> Threshold:
        """(2 + U) C Conf^max(p)."""
        return Threshold(2.0, self.radius(phase, rule))

    # --- what is proved -------------------------------------------------------------------------------------

    def good_radius(self, phase: int) -> float:
        """The good event asks every estimated gap to be this close; the tightest of the rules' radii."""
        return min(self._good_radius(phase, rule) for rule in self.rules)

    def _good_radius(self, phase: int, rule: str) -> float:
        return radii.good_radius(self.eps(phase), self.arms, self.phases, self.share(rule))

    @property
    def bad_event_budget(self) -> float:
        """rho^G <= rho / 18."""
        return self.rho / 18

    def budget(self, gaps: FloatArray) -> dict[tuple[int, int], float]:
        """rho^(p, slot) of the proof for an instance with these ``gaps [K]``; absent entries are 0."""
        spent: dict[tuple[int, int], float] = {}
        order = np.argsort(gaps, kind="stable")
        for rule in self.rules:
            rivals = [int(arm) for arm in order[1:]]  # none when K = 1
            for arm in rivals[:1] if rule == "commit" else rivals:
                phase = self._stopping_phase(float(gaps[arm]), rule)
                if phase is not None:
                    slot = 0 if rule == "commit" else arm + 1
                    good, radius = self._good_radius(phase, rule), self.radius(phase, rule)
                    spent[phase, slot] = composition.decision_budget(good, radius)
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
