"""RASMAB: Replicable Algorithm for Stochastic Multi-Armed Bandits (Algorithm 2 of Esfandiari et al., ICLR 2023).

::

    B = ceil(ln T), q = T^(1/B), beta = floor(max(K^2 / rho^2, 2304)), c_0 = 0, A = [K], r = T, all means 0
    for i = 1, ..., B - 1:
        if beta floor(q^i) |A| > r: break
        draw each arm of A beta floor(q^i) times; r = r minus these
        c_i = c_{i-1} + floor(q^i)
        Utilde = sqrt(2 ln(2 K T B) / (beta c_i)), U = sqrt(2 ln(2 K T B) / c_i)
        draw Ubar ~ Uniform(U / 2, U), one for all arms, shared between twins
        A = A minus {a : mean_a + Utilde < max over A of the means - Ubar}
    draw argmax of the means over A for the remaining rounds

Departures, all those of the paper that compares with it: means pool the samples of all batches; beta is divided by
``divisor``, which is tuned; widths are scaled by sigma. ``base`` replaces the e of the logarithm. A batch whose
beta floor(q^i) is not whole is rounded down, and is one draw at least. A gap equal to its threshold (probability 0)
eliminates.

In phases: a batch is a phase, and the last draws are decided at the end of the batch before them, as soon as the
next one would not fit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from replibandit.core.arrays import BoolArray, FloatArray, by_arm
from replibandit.core.invariants import TINY, real
from replibandit.core.knobs import Knob
from replibandit.core.phase import Decisions, Tally
from replibandit.core.policy import Guarantee
from replibandit.policies.elimination import GapPolicy
from replibandit.policies.gap import leader, top_two
from replibandit.theory import batches
from replibandit.theory.thresholds import Threshold

LARGEST = 10.0**12  # of the divisor: every batch is then one draw per arm


@dataclass(frozen=True, slots=True, kw_only=True)
class RASMAB(GapPolicy):
    """RASMAB with pooled samples.

    >>> policy = RASMAB(arms=10, horizon=10_000, rho=0.3, sigma=0.5)
    >>> print(policy.guarantee)  # doctest: +ELLIPSIS
    not guaranteed to be replicable: O(rho) is proved ... the first batch needs 46,080 pulls...
    >>> tuned = RASMAB(arms=10, horizon=10_000, rho=0.3, sigma=0.5, divisor=200)
    >>> [tuned.new_pulls(batch) for batch in range(1, tuned.phases)]
    [23, 69, 172, 449, 1152, 2891, 7257, 10001, 10001]
    """

    kind: ClassVar[str] = "rasmab/1"

    divisor: float = 1.0
    base: float = math.e

    def __post_init__(self) -> None:
        super(RASMAB, self).__post_init__()
        self._set("divisor", real("divisor", self.divisor, low=TINY, high=LARGEST))
        hint = "Batches must grow, and one of them must end before the horizon."
        self._set("base", real("base", self.base, low=1.1, high=1e6, remedy=hint))

    @property
    def knobs(self) -> dict[str, Knob]:
        """What the paper tunes: from the least division that explores down to less than one draw per unit of length.

        Where the first batch does not fit, arm 0 is played unseen: if the best arm comes first, a search would take
        that for the best of policies.
        """
        printed = batches.sample_factor(self.arms, self.rho)
        fitting = printed * self.length(1) * self.arms / self.horizon
        return {"divisor": Knob(min(max(fitting, 1.0), 4.0 * printed), 4.0 * printed)}

    # --- batches --------------------------------------------------------------------------------------------

    @property
    def beta(self) -> float:
        """Beta, after division."""
        return batches.sample_factor(self.arms, self.rho) / self.divisor

    @property
    def phases(self) -> int:
        """B."""
        return batches.batch_count(self.horizon, self.base)

    def length(self, phase: int) -> int:
        """floor(q^i)."""
        return batches.batch_length(phase, self.phases, self.horizon)

    def new_pulls(self, phase: int) -> int:
        """The draws of each arm, beta floor(q^i); one more than the horizon from batch B on."""
        if phase >= self.phases:
            return self.horizon + 1
        return max(min(math.floor(self.beta * self.length(phase)), self.horizon + 1), 1)

    @property
    def explores(self) -> bool:
        """Whether the first batch fits into the horizon."""
        return self.rounds_with_all(1) <= self.horizon

    def first_active(self) -> BoolArray:
        """[K], or arm 0 alone where not even the first batch fits (all means are 0, ties go to the lowest)."""
        opening: BoolArray = (np.arange(self.arms) == 0) | self.explores
        return opening

    # --- decisions ------------------------------------------------------------------------------------------

    @property
    def slots(self) -> int:
        """One uniform per batch, for all arms."""
        return 1

    @property
    def rules(self) -> tuple[str, ...]:
        """It eliminates; the last batch needs no threshold."""
        return ("eliminate",)

    def threshold(self, phase: int, rule: str) -> Threshold:
        """Utilde + Ubar, where Ubar = (1 + U) (half the wide width)."""
        del rule
        total = sum(self.length(batch) for batch in range(1, phase + 1))
        wide = self.sigma * batches.wide_width(total, self.arms, self.horizon, self.phases)
        narrow = self.sigma * batches.narrow_width(total, self.arms, self.horizon, self.phases, self.beta)
        return Threshold(1 + 2 * narrow / wide, wide / 2)

    def decide(self, phase: int, tally: Tally, active: BoolArray, u: FloatArray) -> Decisions:
        """Drop every arm whose gap reaches the one random threshold; take the leader if the next batch is too long.

        Slot 0 is the latter: the rounds of the next batch against one more than the rounds that are left.
        """
        means = self.estimates(tally, active)
        top, second = top_two(means, active)
        tested = active & (second > -np.inf)[..., None]
        arms = self.arms
        statistic = by_arm((*top.shape, arms + 1), 0.0, np.float64)
        threshold = by_arm(statistic.shape, 0.0, np.float64)
        statistic[..., 1:] = np.where(tested, top[..., None] - means, 0.0)
        threshold[..., 1:] = self.threshold(phase, "eliminate").at(u[..., :1])
        dropped = tested & (statistic[..., 1:] >= threshold[..., 1:])
        survivors = active & ~dropped
        remaining = survivors.sum(axis=-1)
        statistic[..., 0] = self.new_pulls(phase + 1) * remaining
        threshold[..., 0] = self.horizon - tally.counts.sum(axis=-1) + 1
        evaluated = np.concatenate([(remaining > 1)[..., None], tested], axis=-1)
        taken = evaluated & (statistic >= threshold)
        survivors = np.where(taken[..., :1], leader(means, survivors), survivors)
        return Decisions(
            slots=tuple(range(arms + 1)),
            statistic=statistic,
            threshold=threshold,
            u=np.broadcast_to(u[..., :1], statistic.shape),
            evaluated=evaluated,
            taken=taken,
            active=survivors,
        )

    # --- what is proved -------------------------------------------------------------------------------------

    @property
    def guarantee(self) -> Guarantee:
        """None, and why."""
        reasons = ["O(rho) is proved with no constant, so no number can be certified"]
        if self.divisor != 1:
            reasons.append(f"beta is divided by {self.divisor:g}")
        if not self.explores:
            reasons.append(
                f"the first batch needs {self.new_pulls(1) * self.arms:,} pulls, more than the horizon "
                f"{self.horizon:,}: arm 0 is played without exploring (a larger `divisor` shortens batches)"
            )
        return Guarantee(rho=None, reasons=tuple(reasons))
