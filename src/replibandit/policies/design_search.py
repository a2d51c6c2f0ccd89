"""The search behind `design`: constants of least cost, fitted to the full certificate of their policy."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from replibandit.errors import InvalidParameter
from replibandit.policies.certified import certify
from replibandit.policies.design_table import Entry
from replibandit.policies.sharp import MAX_STARTS
from replibandit.theory.costs import Brief, Constants, cost_of, misled_regret
from replibandit.theory.designing import design_constants, design_pair
from replibandit.theory.straying import Straying

TRIALS, ENOUGH = 10, 0.002  # full certificates in a search, and the part of rho that may be left unused
MOST_TIMES = 4  # MAX_STARTS starts can stand for so many; for more, thresholds would have to be much higher


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
