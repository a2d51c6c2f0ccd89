"""`design`: the policy of least worst-case cost among those that are certified to be rho-replicable."""

from __future__ import annotations

import math
from typing import Any, Literal, TypeVar

from replibandit.core.invariants import one_of, real, whole
from replibandit.errors import InvalidParameter
from replibandit.policies.design_search import search
from replibandit.policies.design_table import COMMON, Entry, entry_for
from replibandit.policies.designs import Features
from replibandit.policies.elimination import MAX_ARMS, MAX_HORIZON
from replibandit.policies.linear_commit import SharpRLSE
from replibandit.policies.sharp import FreeConstants, SharpREC, SharpRSE
from replibandit.theory.costs import LEAD
from replibandit.theory.noise import NOISES

P = TypeVar("P", bound=FreeConstants)
Objective = Literal["commit", "eliminate"]
OBJECTIVES: tuple[Objective, ...] = ("commit", "eliminate")
LEAST_RHO = 1e-3


def design(
    arms: int,
    rho: float,
    noise: str = "sub-gaussian",
    horizon: int = 10_000,
    objective: Objective = "commit",
    *,
    sigma: float = 1.0,
    order: str = "round_robin",
) -> SharpREC | SharpRSE:
    """Certified constants for this many arms: rho over all means, at the least cost found.

    ``objective="commit"`` gives REC with the least sup over the gap of E[N_stop] Delta^2 / (2 sigma^2), all rivals
    equally far; ``"eliminate"`` gives RSE with the least product of that and the same for dropping one arm, each
    with half of rho. Constants for common arms and rho are looked up, others are searched for, in a few seconds.

    >>> import replibandit as rb
    >>> policy = rb.design(arms=2, rho=0.05, noise="gaussian", horizon=100_000, sigma=0.5)
    >>> print(policy.guarantee)  # doctest: +ELLIPSIS
    0.05-replicable: certified at 0.0... over all means for gaussian noise
    """
    one_of("objective", objective, OBJECTIVES)
    make = design_commit if objective == "commit" else design_eliminate
    return make(arms=arms, rho=rho, noise=noise, horizon=horizon, sigma=sigma, order=order)


def design_commit(*, arms: int, rho: float, noise: str, horizon: int, sigma: float, order: str) -> SharpREC:
    """`design` of REC."""
    asked = _asked(arms=arms, rho=rho, noise=noise, horizon=horizon, sigma=sigma)
    return _useful(SharpREC.from_dict(asked | _numbers("commit", asked) | {"order": order}))


def design_eliminate(*, arms: int, rho: float, noise: str, horizon: int, sigma: float, order: str) -> SharpRSE:
    """`design` of RSE."""
    asked = _asked(arms=arms, rho=rho, noise=noise, horizon=horizon, sigma=sigma)
    return _useful(SharpRSE.from_dict(asked | _numbers("eliminate", asked) | {"order": order}))


def design_linear(
    *, arms: int, rho: float, noise: str, horizon: int, sigma: float, features: Features, order: str
) -> SharpRLSE:
    """The same for RLSE's commitment, whatever the features are."""
    asked = _asked(arms=arms, rho=rho, noise=noise, horizon=horizon, sigma=sigma)
    chosen = _numbers("linear", asked) | {"features": features, "order": order}
    return _useful(SharpRLSE.from_dict(asked | chosen))


def _asked(*, arms: int, rho: float, noise: str, horizon: int, sigma: float) -> dict[str, Any]:
    return {
        "arms": whole("arms", arms, low=2, high=MAX_ARMS, remedy="One arm leaves nothing to decide."),
        "rho": real("rho", rho, low=LEAST_RHO, high=0.5, remedy="Less would take longer than any horizon."),
        "noise": one_of("noise", noise, NOISES),
        "horizon": whole("horizon", horizon, low=1, high=MAX_HORIZON),
        "sigma": real("sigma", sigma, above=0, remedy="Give the standard deviation of a reward, or an upper bound."),
    }


def _numbers(objective: str, asked: dict[str, Any]) -> dict[str, float]:
    """The numbers of the design, looked up or searched for; bounded rewards are treated as sub-Gaussian."""
    law = "gaussian" if asked["noise"] == "gaussian" else "sub-gaussian"
    entry = Entry(objective=objective, noise=law, arms=asked["arms"], rho=asked["rho"])
    horizon = max(asked["horizon"], COMMON)
    known = entry_for(entry) if horizon == COMMON else None
    found = search(entry, horizon) if known is None else known
    return {name: value for name, value in found.items() if name != "cost"}


def _useful(policy: P) -> P:
    """The policy, if there is anything that it could decide."""
    if policy.smallest_gap > LEAD * policy.sigma:
        gap = policy.smallest_gap / policy.sigma
        decided = "could decide no gap" if math.isinf(gap) else f"could decide no gap below {gap:.3g} sigma"
        raise InvalidParameter(
            f"rho={policy.rho:g} is too small for T={policy.horizon:,} and {policy.arms} arms: certified constants "
            f"{decided}; allow a larger rho or a longer horizon."
        )
    return policy
