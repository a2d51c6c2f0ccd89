"""`design`: the policy of least worst-case cost among those that are certified to be rho-replicable."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any, Literal, TypeVar, cast

import numpy as np

from replibandit.core.invariants import one_of, real, whole
from replibandit.errors import InvalidParameter
from replibandit.policies.certified import certify
from replibandit.policies.designs import Features
from replibandit.policies.elimination import MAX_ARMS, MAX_HORIZON
from replibandit.policies.linear_commit import SharpRLSE
from replibandit.policies.sharp import MAX_STARTS, FreeConstants, SharpREC, SharpRSE
from replibandit.theory import radii
from replibandit.theory.designing import (
    LEAD,
    Brief,
    Constants,
    cost_of,
    cost_of_random,
    design_constants,
    design_pair,
    misled_regret,
)
from replibandit.theory.noise import NOISES, Noise
from replibandit.theory.straying import Straying

P = TypeVar("P", bound=FreeConstants)
Objective = Literal["commit", "eliminate"]
OBJECTIVES: tuple[Objective, ...] = ("commit", "eliminate")
COMMON = 10**9  # constants made for this horizon serve every shorter one: fewer phases, fewer chances to part
LEAST_RHO = 1e-3
TRIALS, ENOUGH = 10, 0.002  # full certificates in a search, and the part of rho that may be left unused
MOST_TIMES = 4  # MAX_STARTS starts can stand for so many; for more, thresholds would have to be much higher
RULES: dict[str, type[FreeConstants]] = {"commit": SharpREC, "eliminate": SharpRSE, "linear": SharpRLSE}


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
    """The numbers of the design, and its worst-case ``cost``: looked up, or searched for."""
    entry = Entry(
        objective=objective, noise="gaussian" if noise == "gaussian" else "sub-gaussian", arms=arms, rho=rho
    )
    if horizon == COMMON and entry.name in shipped():
        return shipped()[entry.name]
    return search(entry, horizon)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What an entry of the table is about: one design at the common horizon.

    >>> Entry(objective="commit", noise="gaussian", arms=2, rho=0.3).name
    'commit gaussian K=2 rho=0.3'
    """

    objective: str
    noise: str
    arms: int
    rho: float

    @property
    def name(self) -> str:
        """Its key in the table."""
        return f"{self.objective} {self.noise} K={self.arms} rho={self.rho:g}"

    @classmethod
    def named(cls, name: str) -> Entry:
        """The entry of this name."""
        objective, noise, arms, rho = name.split()
        return cls(
            objective=objective,
            noise=noise,
            arms=int(arms.removeprefix("K=")),
            rho=float(rho.removeprefix("rho=")),
        )

    def brief(self, horizon: float = COMMON) -> Brief:
        """What `theory.designing` is asked for."""
        if self.objective == "linear":
            straying, horizon = Straying.commit(Noise(self.noise, 2.0), self.arms), horizon * self.arms
        elif self.noise == "gaussian" and self.arms > 2:
            straying = Straying(Noise(self.noise), medians=True)
        else:
            straying = Straying.commit(Noise(self.noise), self.arms)
        return Brief(arms=self.arms, rho=self.rho, straying=straying, horizon=horizon)

    def policy(self, values: Mapping[str, float], horizon: int) -> FreeConstants:
        """The policy with these numbers; linear arms as one-hot ones with K times the time."""
        longer = horizon * self.arms if self.objective == "linear" else horizon
        asked = {"arms": self.arms, "horizon": min(longer, MAX_HORIZON), "rho": self.rho, "sigma": 1.0}
        options = {name: value for name, value in values.items() if name != "cost"}
        return RULES[self.objective].from_dict(asked | options | {"noise": self.noise})


@functools.cache
def shipped() -> dict[str, dict[str, float]]:
    """The table that comes with the package; `make designs` makes it again."""
    text = resources.files("replibandit.policies").joinpath("designs.json").read_text(encoding="utf-8")
    return cast("dict[str, dict[str, float]]", json.loads(text)["designs"])


@functools.lru_cache(maxsize=256)
def search(entry: Entry, horizon: int) -> dict[str, float]:
    """The constants of least cost, thresholds moved until the full certificate of the policy just fits rho."""
    brief = entry.brief(horizon)
    found = _pair(brief) if entry.objective == "eliminate" else _commit(brief)
    if found is None:
        raise InvalidParameter(
            f"no constants are certified for rho={entry.rho:g} with {entry.arms} arms at T={horizon:,}; "
            "allow a larger rho."
        )
    return _fitted(entry, horizon, found)


def theorem_cost(arms: int, rho: float) -> float:
    """The worst-case cost of REC with the theorem's constants at the table's horizon, by the same bound."""
    phases = radii.last_phase(2.0, 1.0, COMMON)
    c = radii.C_MUL * math.sqrt(8) * radii.good_radius(1.0, arms, phases, rho) / rho
    entry = Entry(objective="commit", noise="gaussian", arms=arms, rho=rho)
    return cost_of_random(entry.brief(), Constants(ratio=4.0, lo=2 * c, width=c))


def _commit(brief: Brief) -> dict[str, float] | None:
    found = design_constants(brief)
    return None if found is None else _named(found)


def _pair(brief: Brief) -> dict[str, float] | None:
    pair = design_pair(brief)
    if pair is None:
        return None
    commit, eliminate = pair
    starts = max(commit.starts, eliminate.starts)
    if starts > MOST_TIMES * MAX_STARTS:
        return None
    return _named(replace(commit, starts=starts)) | {"eliminate_lo": eliminate.lo}


def _named(found: Constants) -> dict[str, float]:
    starts = min(found.starts, MAX_STARTS)
    return {"first": found.first, "ratio": _rounded(found.ratio), "starts": starts, "lo": found.lo}


def _fitted(entry: Entry, horizon: int, found: dict[str, float]) -> dict[str, float]:
    """Thresholds times the least factor at which the full certificate fits rho, by secants of its logarithm."""
    best: dict[str, float] | None = None
    last: tuple[float, float] | None = None
    factor = 1.0
    for _ in range(TRIALS):
        trial = found | {name: _rounded(found[name] * factor) for name in found if name.endswith("lo")}
        trial["first"] = Constants(ratio=trial["ratio"], lo=trial["lo"]).first
        excess = math.log(certify(entry.policy(trial, horizon)).rho / entry.rho)
        if excess <= 0 and (best is None or trial["lo"] < best["lo"]):
            best = trial
        if -ENOUGH <= excess <= 0 or (best == trial and factor == 1.0):  # at 1 the regret may ask for more
            break
        slope = -1.0 if last is None or last[0] == factor else (excess - last[1]) / math.log(factor / last[0])
        last = factor, excess
        factor = max(1.0, factor * math.exp(min(max((excess + ENOUGH / 2) / -min(slope, -0.2), -0.7), 0.7)))
    if best is None:
        raise InvalidParameter(f"no thresholds are certified for rho={entry.rho:g}; allow a larger rho.")
    cost = _cost(entry.brief(horizon), best)
    commit = Constants(ratio=best["ratio"], lo=best["lo"], starts=int(best["starts"]))
    if misled_regret(entry.brief(horizon), commit) > 2 * cost:
        raise InvalidParameter(f"no constants keep the regret for rho={entry.rho:g} at T={horizon:,}.")
    return best | {"cost": cost}


def _cost(brief: Brief, values: Mapping[str, float]) -> float:
    """The worst-case cost of these constants; of a pair, the geometric mean."""
    rules = [(values["lo"], brief)]
    if "eliminate_lo" in values:
        rules = [
            (values["lo"], replace(brief, straying=Straying.commit(brief.noise, brief.arms))),
            (values["eliminate_lo"], replace(brief, straying=Straying.eliminate(brief.noise, brief.arms))),
        ]
    starts = int(values["starts"])
    costs = [cost_of(asked, Constants(ratio=values["ratio"], lo=lo, starts=starts)) for lo, asked in rules]
    mean: float = np.exp(np.log(costs).mean()).item()
    return mean


def _rounded(value: float) -> float:
    """Four figures, upwards: constants that can be printed."""
    digits = 3 - math.floor(math.log10(value))
    return math.ceil(value * 10.0**digits - 1e-9) / 10.0**digits
