"""RSE: Replicable Successive Elimination (Algorithm 2 of the paper).

::

    A_1 = [K]
    for p = 1, 2, ..., P:
        draw U_{p,0}, ..., U_{p,K} ~ Uniform(0, 1), shared between twins
        draw each arm of A_p up to N_p times
        if |A_p| >= 2 and Dhat(p) >= (2 + U_{p,0}) Conf^max_a(p):
            A_{p+1} = {argmax_i mean_i(p)}                                   commit
        otherwise
            A_{p+1} = A_p minus {i : Dhat_i(p) >= (2 + U_{p,i}) Conf^max_e(p)}  eliminate
    when one arm is left, draw it for the remaining rounds

Dhat_i = max over A_p of the means - mean_i; all tests of a phase use the same maximum.
rho_a = rho / 2 for the commitment, rho_e = rho / (2 (K - 1)) for each elimination.

Departure: Algorithm 2 loops over A_{p+1} after a commitment as well; the one arm left has Dhat_i = 0 and cannot be
eliminated, so nothing changes. Algorithm 2 says >=, the proof's decision variables say >; >= is taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from replibandit.core.arrays import BoolArray, FloatArray, by_arm
from replibandit.core.invariants import scale
from replibandit.core.phase import Decisions, Tally
from replibandit.policies.elimination import ByRule, Elimination
from replibandit.policies.gap import leader, top_two
from replibandit.policies.theorem import TheoremConstants

if TYPE_CHECKING:
    from replibandit.policies.sharp import SharpRSE


@dataclass(frozen=True, slots=True, kw_only=True)
class SuccessiveElimination(Elimination):
    """Algorithm 2 for any phases and thresholds."""

    @property
    def slots(self) -> int:
        """U_{p,0} for the commitment, U_{p,i} for each arm."""
        return self.arms + 1

    @property
    def rules(self) -> tuple[str, ...]:
        """It commits and eliminates."""
        return ("commit", "eliminate")

    def decide_by(self, thresholds: ByRule, tally: Tally, active: BoolArray, u: FloatArray) -> Decisions:
        """Commit to the leader, or else drop every arm whose gap reaches its own threshold."""
        means = self.estimates(tally, active)
        top, second = top_two(means, active)
        exploring = second > -np.inf
        top = np.where(exploring, top, 0.0)
        # slot 0 is the commitment, slot i the elimination of arm i - 1
        statistic = by_arm((*exploring.shape, self.slots), 0.0, np.float64)
        statistic[..., 0] = top - np.where(exploring, second, 0.0)
        tested = active & exploring[..., None]
        statistic[..., 1:] = np.where(tested, top[..., None] - means, 0.0)
        threshold = thresholds["eliminate"].at(u)
        threshold[..., 0] = thresholds["commit"].at(u[..., 0])
        evaluated = by_arm(statistic.shape, fill=0, dtype=np.bool_)
        evaluated[..., 0] = exploring
        commit = exploring & (statistic[..., 0] >= threshold[..., 0])
        evaluated[..., 1:] = tested & ~commit[..., None]
        taken = evaluated & (statistic >= threshold)
        survivors = active & ~taken[..., 1:]
        if commit.any():
            survivors = np.where(commit[..., None], leader(means, active), survivors)
        return Decisions(
            slots=tuple(range(self.slots)),
            statistic=statistic,
            threshold=threshold,
            u=u,
            evaluated=evaluated,
            taken=taken,
            active=survivors,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoRules(TheoremConstants, SuccessiveElimination):
    """Algorithm 2 with the paper's constants: half of rho for the commitment, half for all eliminations."""

    eliminate_scale: float = 1.0

    def __post_init__(self) -> None:
        super(TwoRules, self).__post_init__()
        self._set("eliminate_scale", scale("eliminate_scale", self.eliminate_scale))

    def share(self, rule: str) -> float:
        """rho_a = rho / 2, rho_e = rho / (2 (K - 1))."""
        return self.rho / 2 if rule == "commit" else self.rho / (2 * max(self.arms - 1, 1))

    def scale(self, rule: str) -> float:
        """C for the commitment, C_2 for the eliminations."""
        return self.commit_scale if rule == "commit" else self.eliminate_scale


@dataclass(frozen=True, slots=True, kw_only=True)
class RSE(TwoRules):
    """Replicable Successive Elimination.

    >>> policy = RSE(arms=3, horizon=10**6, rho=0.3, sigma=0.5, commit_scale=0.03)
    >>> print(policy.guarantee)  # doctest: +ELLIPSIS
    not guaranteed to be replicable: the commit threshold is 0.0675 Conf^repr, but the proof needs 9/4 ...
    """

    kind: ClassVar[str] = "rse/1"
    theorem: ClassVar[str] = "Theorem 5"

    @staticmethod
    def sharp(
        *,
        arms: int,
        horizon: int,
        rho: float,
        sigma: float,
        noise: str = "sub-gaussian",
        order: str = "round_robin",
    ) -> SharpRSE:
        """RSE with certified constants of least cost: `design` with ``objective="eliminate"``."""
        from replibandit.policies.designed import design_eliminate  # noqa: PLC0415  it builds on this module

        return design_eliminate(arms=arms, rho=rho, noise=noise, horizon=horizon, sigma=sigma, order=order)
