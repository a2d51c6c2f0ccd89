"""Replicable known-gap ETC: when a lower bound on the gap is known, replicability costs only a logarithm.

::

    draw each arm m = ceil((4 sigma^2 / Delta^2) ln(2 (K - 1) / rho)) times
    commit to argmax_i mean_i; draw it for the remaining rounds

The rule is deterministic: twins differ only if one of them commits to a wrong arm. The difference of two means is
sigma sqrt(2 / m)-sub-Gaussian, so a wrong arm leads the best one with probability at most exp(-m Delta^2 / (4
sigma^2)), a run is wrong with probability at most rho / 2, and twins differ with probability at most rho. This is
the remark of the paper that no rho^-2 is paid for a known gap, made concrete; Garivier, Kaufmann and Lattimore
(2016) analyse the textbook rule, whose m is chosen for regret.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from replibandit.core.invariants import scale
from replibandit.core.policy import Guarantee
from replibandit.policies.rec import ExploreThenCommit
from replibandit.theory.fixed_sample import known_gap_pulls
from replibandit.theory.thresholds import Threshold


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownGapETC(ExploreThenCommit):
    """Explore for a number of rounds fixed in advance, then commit.

    >>> policy = KnownGapETC(arms=2, horizon=100_000, rho=0.05, sigma=0.5, gap=0.05)
    >>> policy.pull_count(1)
    1476
    >>> str(policy.guarantee)
    '0.05-replicable: no other arm comes within gap=0.05 of the best'
    """

    kind: ClassVar[str] = "known-gap-etc/1"

    gap: float

    def __post_init__(self) -> None:
        super(KnownGapETC, self).__post_init__()
        hint = "Give the smallest lead of the best arm that you want to be sure of; if none is known use `REC`."
        self._set("gap", scale("gap", self.gap, remedy=hint))

    @property
    def phases(self) -> int:
        """One, and what is left of the horizon."""
        return 1 if self.pull_count(1) == self.horizon else 2

    def pull_count(self, phase: int) -> int:
        """m, and everything after it."""
        pulls = known_gap_pulls(self.gap, self.arms, self.sigma, self.rho, most=self.horizon)
        return pulls if phase == 1 else self.horizon

    def threshold(self, phase: int, rule: str) -> Threshold:
        """0, whatever U is: the first phase that is complete commits."""
        del phase, rule
        return Threshold(0.0, 0.0)

    @property
    def guarantee(self) -> Guarantee:
        """rho, for instances with at least the known gap."""
        assumptions = (
            f"the best arm leads every other by at least {self.gap:g}",
            f"rewards independent, identically distributed per arm and {self.sigma:g}-sub-Gaussian",
        )
        reason = f"no other arm comes within gap={self.gap:g} of the best"
        return Guarantee(rho=self.rho, reasons=(reason,), assumptions=assumptions)
