"""What a policy is: a frozen spec with pure functions, the same object in every driver."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from replibandit.core.arrays import BoolArray, FloatArray, IntArray
from replibandit.core.phase import Decisions, Tally

Memory: TypeAlias = Literal["run", "phase"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Guarantee:
    """What is known to hold, and why not more. ``rho`` is None when nothing is guaranteed."""

    rho: float | None
    reasons: tuple[str, ...]
    assumptions: tuple[str, ...] = ()

    def __str__(self) -> str:
        head = "not guaranteed to be replicable" if self.rho is None else f"{self.rho:g}-replicable"
        return f"{head}: {'; '.join(self.reasons)}"


@runtime_checkable
class PhasedPolicy(Protocol):
    """A policy that fixes the pulls of a phase before its first reward and decides only at its end.

    ``pulls`` and ``decide`` know neither each other's results nor the past beyond their arguments: asking twice is
    safe. All arrays carry any leading axes; row b of a batch equals the single run, bit for bit.
    """

    @property
    def arms(self) -> int:
        """K."""
        ...

    @property
    def horizon(self) -> int:
        """T."""
        ...

    @property
    def phases(self) -> int:
        """A bound on the number of phases."""
        ...

    @property
    def order(self) -> str:
        """In which order the pulls of a phase are made (see `core.order`)."""
        ...

    @property
    def memory(self) -> Memory:
        """Whose rewards `decide` reads: those of the whole ``"run"`` so far, or of the ``"phase"`` alone."""
        ...

    @property
    def slots(self) -> int:
        """How many uniforms a phase has: slot 0 for the commitment, slot i for arm i (1-based)."""
        ...

    @property
    def guarantee(self) -> Guarantee:
        """What is guaranteed about replicability, and why not more."""
        ...

    def first_active(self) -> BoolArray:
        """A_1: ``[K]``."""
        ...

    def pulls(self, phase: int, active: BoolArray) -> IntArray:
        """Planned pulls of the phase, for ``active [..., K]``: ``[..., K]``. No data, no randomness."""
        ...

    def decide(self, phase: int, tally: Tally, active: BoolArray, u: FloatArray) -> Decisions:
        """The decision variables and the next active set, from the rewards of `memory` and U_{phase, .}."""
        ...


@runtime_checkable
class IndexPolicy(PhasedPolicy, Protocol):
    """A policy that plays the arm of the largest index every round: a phase is one pull.

    ``index`` must be plain arithmetic on its arguments (no NumPy calls), so that the compiled engine, a batch and a
    live session run the same line and agree bit for bit.
    """

    @property
    def index(self) -> Callable[..., FloatArray]:
        """``index(mean, root, exploration)``, root being 1 / sqrt(pulls of the arm)."""
        ...

    def exploration(self, rounds: IntArray) -> FloatArray:
        """The factor of 1 / sqrt(pulls) when choosing the arm of each of ``rounds``."""
        ...


@runtime_checkable
class CertifiedPolicy(PhasedPolicy, Protocol):
    """A phased policy with a proof: it knows its good event and the budget of the composition theorem."""

    def good_radius(self, phase: int) -> float:
        """The good event of the phase: every estimated gap is within this radius of the true one."""
        ...

    def estimates(self, tally: Tally, active: BoolArray) -> FloatArray:
        """The estimated mean of each active arm, from the rewards of `memory`: ``[..., K]``."""
        ...

    def budget(self, gaps: FloatArray) -> dict[tuple[int, int], float]:
        """rho^(p, slot) as bounded by the proof, for an instance with these gaps; absent entries are 0."""
        ...

    @property
    def bad_event_budget(self) -> float:
        """rho^G as bounded by the proof."""
        ...
