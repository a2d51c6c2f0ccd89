"""RLSE: Replicable Linear Successive Elimination (Algorithm 3 of the paper).

::

    A_1 = [K]
    for p = 1, 2, ..., P:
        draw U_{p,0}, ..., U_{p,K} ~ Uniform(0, 1), shared between twins
        pi = approximate G-optimal design of {x_i : i in A_p}, g(pi) <= 2 d
        draw each arm i of A_p ceil(Nlin(p) pi_i) times, Nlin(p) = 16 a^(2p) sigma^2 d
        theta_hat = least squares on the rewards of this phase alone; mean_i = x_i . theta_hat for all i in A_p
        if |A_p| >= 2 and Dhat(p) >= (2 + U_{p,0}) Conf^max_a(p):
            A_{p+1} = {argmax_i mean_i}                                      commit
        otherwise
            A_{p+1} = A_p minus {i : Dhat_i(p) >= (2 + U_{p,i}) Conf^max_e(p)}  eliminate
    when one arm is left, draw it for the remaining rounds

The decisions are those of RSE; only draws and means differ, and an arm may be judged without ever being drawn.
Without ``features`` every arm is a dimension of its own (one-hot): what the paper's linear experiment calls RSE. It
then decides as RSE does on the means of each phase alone, which take 16 a^(2p) sigma^2 K / |A_p| draws of each arm.

Readings. P = min{p : N_p >= T} with the N_p of REC and RSE: the paper defines P once, there, and Conf^reg of RLSE "is
identical" to theirs; Nlin(p) > N_p, so phase P never completes either. d is the dimension of the span of all
features, in every phase; the design of a set that spans less has g <= 2 r <= 2 d in coordinates of its own span.

Departure: the box of Algorithm 3 draws ceil(N_p pi_i) times, which for d > 1 is too few for `lem_fixed_bound`; the
Nlin(p) of `ineq_npf_bound_linear` is taken. That lemma holds for all arms at once with probability 1 - 2 K delta, not
1 - delta; at the theorem's delta = rho / (18 K^2 P), over P phases, that is rho / (9 K), which for K >= 2 is within
the rho / 18 of the proof. For K = 1 there is nothing to decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from replibandit.core.arrays import BoolArray, FloatArray, IntArray
from replibandit.core.phase import Tally
from replibandit.core.policy import Guarantee, Memory
from replibandit.policies.designs import Designs, Features, checked_features, designs_of
from replibandit.policies.rse import TwoRules
from replibandit.theory import radii

if TYPE_CHECKING:
    from replibandit.policies.linear_commit import SharpRLSE


@dataclass(frozen=True, slots=True, kw_only=True)
class RLSE(TwoRules):
    """Replicable Linear Successive Elimination; ``features`` has one row per arm, or none for one-hot features.

    >>> features = [[1.0, 0.0], [0.7, 0.0], [0.5, 0.4], [0.3, 0.8], [0.1, 1.2]]
    >>> policy = RLSE(arms=5, horizon=10_000, rho=0.3, sigma=1.0, features=features)
    >>> policy.dimension, policy.pulls(1, policy.first_active()).tolist()
    (2, [64, 0, 0, 0, 64])
    >>> RLSE(arms=5, horizon=10_000, rho=0.3, sigma=1.0).pulls(1, policy.first_active()).tolist()
    [64, 64, 64, 64, 64]
    """

    kind: ClassVar[str] = "rlse/1"
    theorem: ClassVar[str] = "the theorem on RLSE"
    draws: ClassVar[str] = "fresh"  # type: ignore[misc]  # no option here: theta_hat reads one phase alone

    features: Features = ()

    def __post_init__(self) -> None:
        super(RLSE, self).__post_init__()
        self._set("features", checked_features(self.features, self.arms))

    @property
    def designs(self) -> Designs:
        """The designs of all active sets, shared by every policy with these features."""
        return designs_of(self.features, self.arms)

    @property
    def dimension(self) -> int:
        """d, the dimension of the span of all features."""
        return self.designs.dimension

    @property
    def memory(self) -> Memory:
        """The rewards of the phase alone."""
        return "phase"

    # --- phases ---------------------------------------------------------------------------------------------

    def pulls(self, phase: int, active: BoolArray) -> IntArray:
        """ceil(Nlin(p) pi_i) pulls of each arm of the design; the last arm left is played until the horizon."""
        rows = active.reshape(-1, self.arms)
        count = radii.linear_count(phase, self.growth, self.sigma, self.dimension)
        pulls = self.designs.pulls(rows, count, self.horizon + 1)
        alone = rows.sum(axis=-1) == 1
        return np.where(alone[:, None] & rows, self.horizon, pulls).reshape(active.shape)

    def new_pulls(self, phase: int) -> int:
        """The most pulls of any arm while all are active."""
        return int(self.pulls(phase, self.first_active()).max())

    def rounds_with_all(self, phase: int) -> int:
        """Rounds of the phase if every arm is still active."""
        return int(self.pulls(phase, self.first_active()).sum())

    # --- decisions ------------------------------------------------------------------------------------------

    def estimates(self, tally: Tally, active: BoolArray) -> FloatArray:
        """x_i . theta_hat of each active arm."""
        rows = active.reshape(-1, self.arms)
        phase = Tally(tally.counts.reshape(rows.shape), tally.totals.reshape(rows.shape))
        return self.designs.estimates(phase, rows).reshape(active.shape)

    # --- what is proved -------------------------------------------------------------------------------------

    @property
    def guarantee(self) -> Guarantee:
        """What the proof gives; with features, for means that are linear in them."""
        found = super(RLSE, self).guarantee
        if found.rho is None or not self.features:
            return found
        linear = "the mean of every arm is the product of its features with one unknown vector"
        return Guarantee(rho=found.rho, reasons=found.reasons, assumptions=(*found.assumptions, linear))

    @staticmethod
    def sharp(
        *,
        arms: int,
        horizon: int,
        rho: float,
        sigma: float,
        noise: str = "sub-gaussian",
        features: Features = (),
        order: str = "round_robin",
    ) -> SharpRLSE:
        """RLSE's commitment with certified constants of least cost (see `design`)."""
        from replibandit.policies.designed import design_linear  # noqa: PLC0415  it builds on this module

        return design_linear(
            arms=arms, rho=rho, noise=noise, horizon=horizon, sigma=sigma, features=features, order=order
        )
