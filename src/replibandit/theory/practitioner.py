"""When is the cost of replicability negligible? The rule of the Discussion ("Summary for Practitioners").

    log T >= D^2 log(K / rho) / rho^2

D is the number of decisions: 1 for explore-then-commit, K for eliminations one by one. The right-hand side is the
part of the bounds that pays for rho, the left-hand side the part that every bandit pays (`theory.bounds.exploration`,
with log log T left out).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from replibandit.core.invariants import TINY, one_of, real, whole
from replibandit.theory.bounds import LONGEST

Decisions = Literal["commit", "eliminate"]
DECISIONS: tuple[Decisions, ...] = ("commit", "eliminate")


@dataclass(frozen=True, slots=True)
class Cost:
    """Both sides of the rule."""

    arms: int
    rho: float
    horizon: int
    decisions: Decisions

    @property
    def learning(self) -> float:
        """What every bandit pays: log T."""
        return math.log(self.horizon)

    @property
    def replicability(self) -> float:
        """What rho costs: D^2 log(K / rho) / rho^2."""
        count = 1 if self.decisions == "commit" else self.arms
        return float(count**2 * math.log(self.arms / self.rho) / self.rho**2)

    @property
    def ratio(self) -> float:
        """How many times what learning costs is paid for replicability: 1 or less is what the rule asks for."""
        return self.replicability / self.learning

    @property
    def negligible(self) -> bool:
        """Whether the rule holds."""
        return self.ratio <= 1

    @property
    def log10_horizon_needed(self) -> float:
        """The rule holds from T = 10 to this power on."""
        return self.replicability / math.log(10)


def replicability_cost(*, arms: int, rho: float, horizon: int, decisions: Decisions = "commit") -> Cost:
    """The practitioner's rule of the paper for K arms, rho and T.

    "Roughly speaking", says the paper: it is a rule of thumb about orders of growth, with all constants 1.

    >>> cost = replicability_cost(arms=10, rho=0.3, horizon=10**6)
    >>> cost.negligible, round(cost.ratio, 1), round(cost.log10_horizon_needed, 1)
    (False, 2.8, 16.9)
    >>> round(replicability_cost(arms=10, rho=0.3, horizon=10**6, decisions="eliminate").log10_horizon_needed)
    1692
    """
    return Cost(
        arms=whole("arms", arms, low=2, high=10**9),
        rho=real("rho", rho, low=TINY, high=1, remedy="rho is a probability."),
        horizon=whole("horizon", horizon, low=2, high=LONGEST),
        decisions="commit" if one_of("decisions", decisions, DECISIONS) == "commit" else "eliminate",
    )
