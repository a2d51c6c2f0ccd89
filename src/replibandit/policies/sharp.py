"""The rules of REC and RSE with free constants: phases N_1 b^(p-1+V), thresholds (lo + w U_p) sigma / sqrt(N_p).

The theorems' constants are one point of this family (b = a^2, lo = 2 c, w = c, V = 0); others keep the same guarantee
for hundreds of times fewer samples, or trade it for a measured one. What hides the twins' differences may be the
thresholds, drawn anew in each phase, or the place where phases begin, V = floor(G U) / G, drawn once for the run.

=================  ==========================================
first              N_1
starts             G: where phases may begin; with 1 (the default) V = 0
ratio              b, N_{p+1} / N_p
lo, width          of the commitment; with width 0 (the default) its threshold is fixed
eliminate_lo,      of each elimination
eliminate_width
=================  ==========================================
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace
from typing import ClassVar, Self, TypeVar

import numpy as np

from replibandit.core.arrays import BoolArray, IntArray
from replibandit.core.invariants import HUGE, one_of, real, scale, whole
from replibandit.core.knobs import Knob
from replibandit.core.policy import Guarantee
from replibandit.errors import InvalidParameter
from replibandit.policies.certified import certify
from replibandit.policies.elimination import MAX_HORIZON, Elimination
from replibandit.policies.opened import Opened
from replibandit.policies.rec import ExploreThenCommit
from replibandit.policies.rse import SuccessiveElimination
from replibandit.theory import radii
from replibandit.theory.noise import NOISES
from replibandit.theory.thresholds import Threshold

MAX_STARTS = 4096  # each is a rule of its own to a certificate


def window(name: str, value: object) -> float:
    """The width of a threshold's range: 0, or nothing so small that its products vanish."""
    width = real(name, value, low=0, high=HUGE)
    return scale(name, width) if width else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeConstants(Elimination):
    """Phases and thresholds given by numbers."""

    endless: ClassVar[bool] = True

    first: int
    ratio: float
    lo: float
    width: float = 0.0
    starts: int = 1
    start: int | None = None  # which of the starts: None leaves it to U
    noise: str = "sub-gaussian"  # what is assumed of the rewards, for the guarantee alone

    def __post_init__(self) -> None:
        super(FreeConstants, self).__post_init__()
        self._set("first", whole("first", self.first, low=1, high=MAX_HORIZON))
        hint = "Phases must grow: b = ratio > 1."
        self._set("ratio", real("ratio", self.ratio, above=1, high=1e12, remedy=hint))
        self._set("lo", real("lo", self.lo, low=0, high=HUGE))
        self._set("width", window("width", self.width))
        hint = "1 leaves nothing to U; tens to hundreds hide what twins see."
        self._set("starts", whole("starts", self.starts, low=1, high=MAX_STARTS, remedy=hint))
        if self.start is not None:
            hint = "It counts the starts from 0; leave it out, and U chooses."
            self._set("start", whole("start", self.start, low=0, high=self.starts - 1, remedy=hint))
        one_of("noise", self.noise, NOISES)
        self._check_phases("ratio")

    @property
    def knobs(self) -> dict[str, Knob]:
        """Every constant; but where starts are random they stay as many, and fixed thresholds fixed."""
        most = max(self.horizon // self.arms, 1)
        knobs = {"first": Knob(1, most, whole=True), "ratio": Knob(1.2, 30.0), "lo": Knob(0.1, 30.0)}
        return knobs | ({"width": Knob(0.05, 30.0)} if self.width or self.starts == 1 else {})

    @property
    def phases(self) -> int:
        """P = min{p : N_p >= T}."""
        most = 1 + math.log(max(self.horizon / self.first, 1)) / math.log(self.ratio)
        return radii.first_reaching(self._pull_count, self.horizon, most)

    @property
    def openings(self) -> tuple[Self, ...]:
        """One rule for each start."""
        return (self,) if self.starts == 1 or self.start is not None else _openings(self)

    def pull_count(self, phase: int) -> int:
        """N_p = ceil(N_1 b^(p-1+V))."""
        if self.start is None and self.starts > 1:
            raise InvalidParameter(
                "`start` must be known to say when phases end, but it is left to U; ask one of the `openings`."
            )
        return self._pull_count(phase)

    def _pull_count(self, phase: int) -> int:
        return radii.grown(self.first, self.ratio, phase - 1 + (self.start or 0) / self.starts, self.horizon)

    def precision(self, phase: int) -> int:
        """n_p; cumulative draws go up to N_p."""
        return self.pull_count(phase) if self.draws == "cumulative" else super(FreeConstants, self).precision(phase)

    def pulls(self, phase: int, active: BoolArray) -> IntArray:
        """The pulls of every active arm; the last arm left is played until the horizon."""
        return self.pulls_of(self.each_pulls(phase), active)

    def each_pulls(self, phase: int) -> IntArray:
        """Pulls of each arm while exploring: ``[K]``, or ``[1]`` where all are equal."""
        return np.array([self.new_pulls(phase)])

    def opened_at(self, chosen: IntArray) -> Opened:
        """A batch of runs in which run b follows ``openings[chosen[b]]``."""
        return Opened(self, chosen)

    def bounds(self, rule: str) -> tuple[float, float]:
        """``(lo, width)`` of the rule, in units of sigma / sqrt(N_p)."""
        del rule
        return self.lo, self.width

    def threshold(self, phase: int, rule: str) -> Threshold:
        """(lo + w U) sigma / sqrt(N_p)."""
        lo, width = self.bounds(rule)
        root = math.sqrt(self.pull_count(phase))
        return Threshold(lo / width, width * self.sigma / root) if width else Threshold(lo, self.sigma / root, 0.0)

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


P = TypeVar("P", bound=FreeConstants)


@functools.lru_cache(maxsize=64)
def _openings(policy: P) -> tuple[P, ...]:
    return tuple(replace(policy, start=start) for start in range(policy.starts))


@dataclass(frozen=True, slots=True, kw_only=True)
class SharpREC(FreeConstants, ExploreThenCommit):
    """REC with free constants."""

    kind: ClassVar[str] = "rec-sharp/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class SharpRSE(FreeConstants, SuccessiveElimination):
    """RSE with free constants."""

    kind: ClassVar[str] = "rse-sharp/1"

    eliminate_lo: float
    eliminate_width: float = 0.0

    def __post_init__(self) -> None:
        super(SharpRSE, self).__post_init__()
        self._set("eliminate_lo", real("eliminate_lo", self.eliminate_lo, low=0, high=HUGE))
        self._set("eliminate_width", window("eliminate_width", self.eliminate_width))

    @property
    def knobs(self) -> dict[str, Knob]:
        """Every constant."""
        knobs = super(SharpRSE, self).knobs | {"eliminate_lo": Knob(0.1, 30.0)}
        return knobs | ({"eliminate_width": Knob(0.05, 30.0)} if self.eliminate_width or self.starts == 1 else {})

    def bounds(self, rule: str) -> tuple[float, float]:
        """``(lo, width)`` of the commitment or of an elimination."""
        return (self.lo, self.width) if rule == "commit" else (self.eliminate_lo, self.eliminate_width)
