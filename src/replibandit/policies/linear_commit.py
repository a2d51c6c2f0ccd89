"""RLSE's commitment with free constants: the linear rule that can be certified.

::

    pi = approximate G-optimal design of {x_1, ..., x_K}, g = g(pi)
    draw V from {0, 1/G, ..., (G-1)/G}, shared between twins
    for p = 1, 2, ...:
        draw U_p ~ Uniform(0, 1), shared between twins
        draw each arm ceil(n_p g pi_i) times, n_p = N_1 b^(p-1+V)
        theta_hat = least squares on the rewards of this phase alone; mean_i = x_i . theta_hat
        if Dhat(p) >= (lo + width U_p) sigma / sqrt(n_p):   commit to argmax_i mean_i

No arm's estimate varies by more than sigma^2 / n_p, and a phase costs about d n_p pulls where REC's costs K n_p. All
arms stay in the design until one is chosen: an elimination would change the design, and with it the law of every
estimate that the certificate has to bound.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from replibandit.core.arrays import BoolArray, FloatArray, IntArray
from replibandit.core.phase import Tally
from replibandit.core.policy import Memory
from replibandit.policies.designs import Designs, Features, checked_features, designs_of
from replibandit.policies.rec import ExploreThenCommit
from replibandit.policies.sharp import FreeConstants
from replibandit.theory.design import g_optimal


@dataclass(frozen=True, slots=True, kw_only=True)
class SharpRLSE(FreeConstants, ExploreThenCommit):
    """RLSE's commitment with free constants; ``features`` has one row per arm, or none for one-hot features.

    >>> features = [[1.0, 0.0], [0.7, 0.0], [0.5, 0.4], [0.3, 0.8], [0.1, 1.2]]
    >>> constants = {"first": 9, "ratio": 5, "lo": 7, "width": 12}
    >>> policy = SharpRLSE(arms=5, horizon=10**6, rho=0.3, sigma=1, features=features, **constants)
    >>> policy.pulls(1, policy.first_active()).tolist()
    [9, 0, 0, 0, 9]
    """

    kind: ClassVar[str] = "rlse-sharp/1"
    draws: ClassVar[str] = "fresh"  # type: ignore[misc]  # no option here: theta_hat reads one phase alone

    features: Features = ()

    def __post_init__(self) -> None:
        super(SharpRLSE, self).__post_init__()
        self._set("features", checked_features(self.features, self.arms))

    @property
    def designs(self) -> Designs:
        """The design of all arms."""
        return designs_of(self.features, self.arms)

    @property
    def memory(self) -> Memory:
        """The rewards of the phase alone."""
        return "phase"

    def precision(self, phase: int) -> int:
        """n_p: no estimate varies by more than sigma^2 / n_p."""
        return self.pull_count(phase)

    @property
    def spread(self) -> float:
        """Estimates are correlated: their difference strays by at most 2 sigma / sqrt(n_p)."""
        return 2.0

    def each_pulls(self, phase: int) -> IntArray:
        """Pulls of each arm while exploring."""
        count = self.precision(phase) * worst_variance(self.features, self.arms)
        everyone = np.ones((1, self.arms), dtype=np.bool_)
        pulls: IntArray = self.designs.pulls(everyone, count, self.horizon + 1)[0]
        return pulls

    def new_pulls(self, phase: int) -> int:
        """The most pulls of any arm while exploring."""
        return int(self.each_pulls(phase).max())

    def rounds_with_all(self, phase: int) -> int:
        """Rounds of the phase while exploring."""
        return int(self.each_pulls(phase).sum())

    def estimates(self, tally: Tally, active: BoolArray) -> FloatArray:
        """x_i . theta_hat of each active arm."""
        rows = active.reshape(-1, self.arms)
        phase = Tally(tally.counts.reshape(rows.shape), tally.totals.reshape(rows.shape))
        return self.designs.estimates(phase, rows).reshape(active.shape)


@functools.lru_cache(maxsize=64)
def worst_variance(features: Features, arms: int) -> float:
    """The g of the design; K for one-hot features, 1 where all features are 0 and nothing varies."""
    return max(g_optimal(features).g, 1.0) if features else float(arms)
