"""The rules of REC and RSE with free constants: phases N_1 b^(p-1), thresholds (lo + w U) sigma / sqrt(N_p).

The theorems' constants are one point of this family (b = a^2, lo = 2 c, w = c); others keep the same guarantee for
hundreds of times fewer samples, or trade it for a measured one.

=================  ==========================================
first              N_1
ratio              b, N_{p+1} / N_p
lo, width          of the commitment
eliminate_lo,      of each elimination
eliminate_width
=================  ==========================================
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from replibandit.core.invariants import HUGE, one_of, real, scale, whole
from replibandit.core.knobs import Knob
from replibandit.core.policy import Guarantee
from replibandit.policies.certified import certify
from replibandit.policies.elimination import MAX_HORIZON, Elimination, Threshold
from replibandit.policies.rec import ExploreThenCommit
from replibandit.policies.rse import SuccessiveElimination
from replibandit.theory import radii
from replibandit.theory.noise import NOISES


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeConstants(Elimination):
    """Phases and thresholds given by numbers."""

    endless: ClassVar[bool] = True

    first: int
    ratio: float
    lo: float
    width: float
    noise: str = "sub-gaussian"  # what is assumed of the rewards, for the guarantee alone

    def __post_init__(self) -> None:
        super(FreeConstants, self).__post_init__()
        self._set("first", whole("first", self.first, low=1, high=MAX_HORIZON))
        hint = "Phases must grow: b = ratio > 1."
        self._set("ratio", real("ratio", self.ratio, above=1, high=1e12, remedy=hint))
        self._set("lo", real("lo", self.lo, low=0, high=HUGE))
        self._set("width", scale("width", self.width))
        one_of("noise", self.noise, NOISES)
        self._check_phases("ratio")

    @property
    def knobs(self) -> dict[str, Knob]:
        """Every constant."""
        most = max(self.horizon // self.arms, 1)
        return {
            "first": Knob(1, most, whole=True),
            "ratio": Knob(1.2, 30.0),
            "lo": Knob(0.1, 30.0),
            "width": Knob(0.05, 30.0),
        }

    @property
    def phases(self) -> int:
        """P = min{p : N_p >= T}."""
        most = 1 + math.log(max(self.horizon / self.first, 1)) / math.log(self.ratio)
        return radii.first_reaching(self.pull_count, self.horizon, most)

    def pull_count(self, phase: int) -> int:
        """N_p = ceil(N_1 b^(p-1))."""
        return radii.grown(self.first, self.ratio, phase - 1, self.horizon)

    def bounds(self, rule: str) -> tuple[float, float]:
        """``(lo, width)`` of the rule, in units of sigma / sqrt(N_p)."""
        del rule
        return self.lo, self.width

    def threshold(self, phase: int, rule: str) -> Threshold:
        """(lo + w U) sigma / sqrt(N_p)."""
        lo, width = self.bounds(rule)
        return Threshold(lo / width, width * self.sigma / math.sqrt(self.pull_count(phase)))

    @property
    def guarantee(self) -> Guarantee:
        """rho, if these constants are certified for it."""
        if self.arms == 1:
            return Guarantee(rho=self.rho, reasons=("with one arm nothing is decided",))
        found = certify(self)
        told = f"certified at {found.rho:.4g} over all means for {found.noise} noise"
        if found.rho > self.rho:
            return Guarantee(rho=None, reasons=(f"its constants are only {told}, above rho={self.rho:g}",))
        return Guarantee(rho=self.rho, reasons=(told,), assumptions=found.assumptions)


@dataclass(frozen=True, slots=True, kw_only=True)
class SharpREC(FreeConstants, ExploreThenCommit):
    """REC with free constants."""

    kind: ClassVar[str] = "rec-sharp/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class SharpRSE(FreeConstants, SuccessiveElimination):
    """RSE with free constants."""

    kind: ClassVar[str] = "rse-sharp/1"

    eliminate_lo: float
    eliminate_width: float

    def __post_init__(self) -> None:
        super(SharpRSE, self).__post_init__()
        self._set("eliminate_lo", real("eliminate_lo", self.eliminate_lo, low=0, high=HUGE))
        self._set("eliminate_width", scale("eliminate_width", self.eliminate_width))

    @property
    def knobs(self) -> dict[str, Knob]:
        """Every constant."""
        return super(SharpRSE, self).knobs | {"eliminate_lo": Knob(0.1, 30.0), "eliminate_width": Knob(0.05, 30.0)}

    def bounds(self, rule: str) -> tuple[float, float]:
        """``(lo, width)`` of the commitment or of an elimination."""
        return (self.lo, self.width) if rule == "commit" else (self.eliminate_lo, self.eliminate_width)
