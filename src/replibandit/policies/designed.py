"""`design`: the policy of least worst-case cost among those that are certified to be rho-replicable."""

from __future__ import annotations

import functools
import json
import math
from dataclasses import replace
from importlib import resources
from typing import Any, Literal, TypeVar, cast

import numpy as np

from replibandit.core.invariants import one_of, real, whole
from replibandit.errors import InvalidParameter
from replibandit.policies.certified import certify
from replibandit.policies.designs import Features
from replibandit.policies.elimination import MAX_ARMS, MAX_HORIZON
from replibandit.policies.linear_commit import SharpRLSE
from replibandit.policies.sharp import FreeConstants, SharpREC, SharpRSE
from replibandit.theory import radii
from replibandit.theory.designing import LEAD, Brief, Constants, cost_of, design_constants, design_pair, misled_regret
from replibandit.theory.noise import NOISES, Noise

P = TypeVar("P", bound=FreeConstants)
Objective = Literal["commit", "eliminate"]
OBJECTIVES: tuple[Objective, ...] = ("commit", "eliminate")
COMMON = 10**9  # constants made for this horizon serve every shorter one: fewer phases, fewer chances to part
LEAST_RHO = 1e-4
TRIALS, ENOUGH = 10, 0.004  # full certificates in a search, and the part of rho that may be left unused


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
    with half of rho. Constants for common arms and rho are looked up, others are searched for, near those.

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
        "arms": whole("arms", arms, low=2, high=MAX_ARMS, remedy="With one arm there is nothing to decide."),
        "rho": real("rho", rho, low=LEAST_RHO, high=0.5, remedy="Smaller values would take longer than any horizon."),
        "noise": one_of("noise", noise, NOISES),
        "horizon": whole("horizon", horizon, low=1, high=MAX_HORIZON),
        "sigma": real("sigma", sigma, above=0, remedy="Give the standard deviation of a reward, or an upper bound."),
    }


def _numbers(objective: str, asked: dict[str, Any]) -> dict[str, float]:
    horizon = max(asked["horizon"], COMMON)
    found = constants(
        objective=objective, arms=asked["arms"], rho=asked["rho"], noise=asked["noise"], horizon=horizon
    )
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


def constants(*, objective: str, arms: int, rho: float, noise: str, horizon: float) -> dict[str, float]:
    """Ratio, lo, width, ... of the design, and its worst-case ``cost``: looked up, or searched for."""
    law = "gaussian" if noise == "gaussian" else "sub-gaussian"
    if horizon == COMMON:
        known = shipped().get(key(objective, arms, rho, law))
        if known is not None:
            return known
    return search(objective, arms, rho, law, horizon, near=nearest(objective, arms, rho, law))


def key(objective: str, arms: int, rho: float, noise: str) -> str:
    """The name of an entry of the table."""
    return f"{objective} {noise} K={arms} rho={rho:g}"


@functools.cache
def shipped() -> dict[str, dict[str, float]]:
    """The table that comes with the package; `make designs` makes it again."""
    text = resources.files("replibandit.policies").joinpath("designs.json").read_text(encoding="utf-8")
    return cast("dict[str, dict[str, float]]", json.loads(text)["designs"])


def nearest(objective: str, arms: int, rho: float, noise: str) -> Constants | None:
    """The shipped constants most like those asked for; thresholds grow as 1 / rho does."""
    best: tuple[float, Constants] | None = None
    for name, entry in shipped().items():
        kind, law, for_arms, for_rho = name.split()
        if (kind, law) == (objective, noise):
            known, lot = float(for_rho.removeprefix("rho=")), int(for_arms.removeprefix("K="))
            distance = abs(math.log(known / rho)) + abs(math.log(lot / arms)) / 10
            if best is None or distance < best[0]:
                lo, width = entry["lo"] * known / rho, entry["width"] * known / rho
                best = distance, Constants(ratio=entry["ratio"], lo=lo, width=width)
    return None if best is None else best[1]


@functools.lru_cache(maxsize=256)
def search(
    objective: str, arms: int, rho: float, noise: str, horizon: float, *, near: Constants | None = None
) -> dict[str, float]:
    """The constants of least cost, narrowed or widened until the full certificate of the policy just fits rho."""
    brief = brief_for(objective, arms, rho, noise, horizon)
    found = _pair(brief) if objective == "eliminate" else _commit(brief, near)
    if found is None:
        raise InvalidParameter(
            f"no constants are certified for rho={rho:g} with {arms} arms at T={horizon:,}; allow a larger rho."
        )
    return _fitted(objective, brief, found)


def theorem_cost(arms: int, rho: float) -> float:
    """The worst-case cost of REC with the theorem's constants at the table's horizon, by the same bound."""
    phases = radii.last_phase(2.0, 1.0, COMMON)
    c = radii.C_MUL * math.sqrt(8) * radii.good_radius(1.0, arms, phases, rho) / rho
    return cost_of(brief_for("commit", arms, rho, "gaussian", COMMON), Constants(ratio=4.0, lo=2 * c, width=c))


def brief_for(objective: str, arms: int, rho: float, noise: str, horizon: float) -> Brief:
    """What `theory.designing` is asked for."""
    if objective == "linear":
        return Brief(arms=arms, rho=rho, noise=Noise(noise, 2.0), horizon=horizon * arms, below=arms - 1)
    law = Noise(noise)
    medians = law.gaussian and arms > 2
    return Brief(arms=arms, rho=rho, noise=law, horizon=horizon, below=1 if medians else arms - 1, medians=medians)


def _commit(brief: Brief, near: Constants | None) -> dict[str, float] | None:
    found = design_constants(brief, near)
    return None if found is None else _named(found)


def _pair(brief: Brief) -> dict[str, float] | None:
    pair = design_pair(brief)
    if pair is None:
        return None
    commit, eliminate = pair
    return _named(commit) | {"eliminate_lo": _rounded(eliminate.lo), "eliminate_width": eliminate.width}


def _named(found: Constants) -> dict[str, float]:
    ratio, lo = _rounded(found.ratio), _rounded(found.lo)
    return {"first": Constants(ratio=ratio, lo=lo, width=1.0).first, "ratio": ratio, "lo": lo, "width": found.width}


def _fitted(objective: str, brief: Brief, found: dict[str, float]) -> dict[str, float]:
    """Widths times the least factor at which the full certificate fits rho, by secants of its logarithm."""
    best: dict[str, float] | None = None
    last: tuple[float, float] | None = None
    factor = 1.0
    for _ in range(TRIALS):
        trial = found | {name: _rounded(found[name] * factor) for name in found if name.endswith("width")}
        excess = math.log(certified_rho(objective, brief, trial) / brief.rho)
        if excess <= 0 and (best is None or trial["width"] < best["width"]):
            best = trial
        if -ENOUGH <= excess <= 0:
            break
        slope = -0.7 if last is None or last[0] == factor else (excess - last[1]) / math.log(factor / last[0])
        last = factor, excess
        step = (excess + ENOUGH / 2) / -min(slope, -0.2)
        factor *= math.exp(min(max(step, -0.7), 0.7))
    if best is None:
        raise InvalidParameter(f"no widths are certified for rho={brief.rho:g}; allow a larger rho.")
    cost = _cost(brief, best)
    commit = Constants(ratio=best["ratio"], lo=best["lo"], width=best["width"])
    if misled_regret(brief, commit) > 2 * cost:
        raise InvalidParameter(f"no constants keep the regret for rho={brief.rho:g} at T={brief.horizon:,}.")
    return best | {"cost": cost}


def _cost(brief: Brief, values: dict[str, float]) -> float:
    """The worst-case cost of these constants; of a pair, the geometric mean."""
    rules = [(values["lo"], values["width"], brief.below)]
    if "eliminate_lo" in values:
        rules = [
            (values["lo"], values["width"], brief.arms - 1),
            (values["eliminate_lo"], values["eliminate_width"], 1),
        ]
    costs = [
        cost_of(replace(brief, below=below), Constants(ratio=values["ratio"], lo=lo, width=width))
        for lo, width, below in rules
    ]
    mean: float = np.exp(np.log(costs).mean()).item()
    return mean


def certified_rho(objective: str, brief: Brief, values: dict[str, float]) -> float:
    """The full certificate of the policy with these constants; linear arms as one-hot ones with K times the time."""
    options: dict[str, Any] = {name: value for name, value in values.items() if name != "cost"}
    classes: dict[str, type[FreeConstants]] = {"commit": SharpREC, "eliminate": SharpRSE, "linear": SharpRLSE}
    horizon = min(int(brief.horizon), MAX_HORIZON)
    common = {"arms": brief.arms, "horizon": horizon, "rho": brief.rho, "sigma": 1.0, "noise": brief.noise.assumption}
    rho: float = certify(classes[objective].from_dict(options | common)).rho
    return rho


def _rounded(value: float) -> float:
    """Four figures, upwards: constants that can be printed."""
    digits = 3 - math.floor(math.log10(value))
    return math.ceil(value * 10.0**digits - 1e-9) / 10.0**digits
