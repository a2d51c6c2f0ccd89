"""REC: Replicable Explore-then-Commit (Algorithm 1 of the paper).

::

    for p = 1, 2, ..., P:
        draw U_p ~ Uniform(0, 1), shared between twins
        draw each arm up to N_p times
        if Dhat(p) >= (2 + U_p) Conf^max(p):        Dhat = largest - second largest mean
            commit to argmax_i mean_i(p); stop exploring
    draw the committed arm for the remaining rounds

rho_a = rho. An incomplete phase makes no decision. Ties go to the lowest index.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from replibandit.core.arrays import BoolArray, FloatArray
from replibandit.core.phase import Decisions, Tally
from replibandit.policies.elimination import ByRule, Elimination
from replibandit.policies.gap import leader, top_two
from replibandit.policies.theorem import TheoremConstants

if TYPE_CHECKING:
    from replibandit.policies.sharp import SharpREC


@dataclass(frozen=True, slots=True, kw_only=True)
class ExploreThenCommit(Elimination):
    """Algorithm 1 for any phases and thresholds."""

    @property
    def slots(self) -> int:
        """One uniform per phase."""
        return 1

    @property
    def rules(self) -> tuple[str, ...]:
        """It only commits."""
        return ("commit",)

    def decide_by(self, thresholds: ByRule, tally: Tally, active: BoolArray, u: FloatArray) -> Decisions:
        """Commit to the leader if the gap reaches its threshold."""
        means = self.estimates(tally, active)
        top, second = top_two(means, active)
        exploring = second > -np.inf
        gap = np.where(exploring, top, 0.0) - np.where(exploring, second, 0.0)
        threshold = thresholds["commit"].at(u[..., 0])
        commit = exploring & (gap >= threshold)
        survivors = active
        if commit.any():
            survivors = np.where(commit[..., None], leader(means, active), active)
        return Decisions(
            slots=(0,),
            statistic=gap[..., None],
            threshold=threshold[..., None],
            u=u[..., :1],
            evaluated=exploring[..., None],
            taken=commit[..., None],
            active=survivors,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class REC(TheoremConstants, ExploreThenCommit):
    """Replicable Explore-then-Commit.

    >>> policy = REC(arms=10, horizon=10_000, rho=0.3, sigma=0.5)
    >>> str(policy.guarantee)
    '0.3-replicable: Theorem 4 of the paper'
    >>> round(policy.smallest_gap, 2)
    3.06
    """

    kind: ClassVar[str] = "rec/1"
    theorem: ClassVar[str] = "Theorem 4"

    def share(self, rule: str) -> float:
        """rho_a = rho."""
        del rule
        return self.rho

    def scale(self, rule: str) -> float:
        """C."""
        del rule
        return self.commit_scale

    @staticmethod
    def sharp(
        *,
        arms: int,
        horizon: int,
        rho: float,
        sigma: float,
        noise: str = "sub-gaussian",
        order: str = "round_robin",
    ) -> SharpREC:
        """REC with certified constants of least cost: `design` with ``objective="commit"``."""
        from replibandit.policies.designed import design_commit  # noqa: PLC0415  it builds on this module

        return design_commit(arms=arms, rho=rho, noise=noise, horizon=horizon, sigma=sigma, order=order)
