"""Designed constants: certified, far cheaper than the theorem's, deterministic, and refused where hopeless."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import replibandit as rb
from replibandit.errors import InvalidParameter
from replibandit.policies import designed
from replibandit.study.forecast import looks
from replibandit.theory.designing import Constants, misled_regret
from replibandit.theory.stopping import arrivals
from replibandit.theory.twins import twin_law

LEAST_SAVING = {(2, "gaussian"): 250, (10, "gaussian"): 100, (2, "sub-gaussian"): 50}
MOST_COST = {0.3: 110, 0.1: 1190, 0.05: 5140}  # for two Gaussian arms
ENTRIES = designed.shipped()


def exact_cost(policy: Any, steps: int = 240) -> float:
    """sup over a period of the gap of E[N_stop] Delta^2 / (2 sigma^2), by the exact law of one run."""
    phases = looks(policy)
    middle = policy.lo / math.sqrt(phases[len(phases) // 2].pulls)
    costs = []
    for gap in middle * np.geomspace(1, math.sqrt(policy.ratio), steps):
        expected, drawn = 0.0, 0
        for arrival in arrivals(phases, float(gap), 1.0, per_panel=8):
            expected += arrival.mass.sum() * (arrival.look.pulls - drawn)
            drawn = arrival.look.pulls
        costs.append(expected * gap**2 / 2)
    return max(costs)


@pytest.mark.parametrize(("arms", "noise"), LEAST_SAVING)
@pytest.mark.parametrize("rho", [0.3, 0.1, 0.05])
def test_certified_constants_cost_hundreds_of_times_less_than_the_theorems(arms: int, noise: str, rho: float) -> None:
    entry = ENTRIES[designed.key("commit", arms, rho, noise)]
    assert designed.theorem_cost(arms, rho) / entry["cost"] >= LEAST_SAVING[arms, noise]


@pytest.mark.parametrize("rho", MOST_COST)
def test_for_two_gaussian_arms_certificate_exact_value_and_cost_agree(rho: float) -> None:
    """The gap is swept finely: a coarse sweep would under-report the exact worst case."""
    policy = rb.REC.sharp(arms=2, horizon=designed.COMMON, rho=rho, sigma=1.0, noise="gaussian")
    certificate = rb.certify(policy)
    phases = looks(policy)
    gaps = certificate.worst_gap * np.geomspace(policy.ratio**-0.25, policy.ratio**0.25, 80)  # one whole period
    exact = max(twin_law(phases, float(gap), 1.0).differ for gap in gaps)
    assert exact <= certificate.rho <= min(rho, 1.5 * exact)
    cost = exact_cost(policy)
    assert cost <= MOST_COST[rho]
    assert (
        cost
        <= designed.constants(objective="commit", arms=2, rho=rho, noise="gaussian", horizon=designed.COMMON)["cost"]
        * 1.02
    )  # both are suprema over a grid of gaps


@pytest.mark.parametrize("name", sorted(ENTRIES))
def test_every_entry_of_the_table_is_certified(name: str) -> None:
    objective, noise, arms, rho = name.split()
    brief = designed.brief_for(
        objective, int(arms.removeprefix("K=")), float(rho.removeprefix("rho=")), noise, designed.COMMON
    )
    certified = designed.certified_rho(objective, brief, ENTRIES[name])
    assert 0.97 * brief.rho <= certified <= brief.rho


@pytest.mark.parametrize("name", [name for name in sorted(ENTRIES) if name.startswith("commit")])
def test_wrong_commitments_cost_no_more_regret_than_exploring(name: str) -> None:
    _, noise, arms, rho = name.split()
    entry = ENTRIES[name]
    brief = designed.brief_for(
        "commit", int(arms.removeprefix("K=")), float(rho.removeprefix("rho=")), noise, designed.COMMON
    )
    found = Constants(ratio=entry["ratio"], lo=entry["lo"], width=entry["width"])
    assert misled_regret(brief, found) <= 2 * entry["cost"]


def test_a_search_gives_the_entry_of_the_table_again() -> None:
    name = designed.key("commit", 2, 0.3, "gaussian")
    found = designed.search("commit", 2, 0.3, "gaussian", designed.COMMON)
    assert {k: v for k, v in found.items() if k != "cost"} == {k: v for k, v in ENTRIES[name].items() if k != "cost"}


def test_what_is_not_in_the_table_is_searched_for_and_certified() -> None:
    policy = rb.design(arms=7, rho=0.25, noise="bounded", horizon=10**6, sigma=0.5)
    assert policy.noise == "bounded"
    assert policy.guarantee.rho == 0.25
    assert rb.certify(policy).rho <= 0.25


def test_the_shorthands_are_the_design() -> None:
    asked: dict[str, Any] = {"arms": 3, "horizon": 10**6, "rho": 0.1, "sigma": 0.5, "noise": "gaussian"}
    assert rb.REC.sharp(**asked) == rb.design(3, 0.1, "gaussian", 10**6, sigma=0.5)
    assert rb.RSE.sharp(**asked) == rb.design(3, 0.1, "gaussian", 10**6, "eliminate", sigma=0.5)
    linear = rb.RLSE.sharp(
        **(asked | {"arms": 5, "features": [[1, 0], [0.7, 0], [0.5, 0.4], [0.3, 0.8], [0.1, 1.2]]})
    )
    assert linear.guarantee.rho == 0.1


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"arms": 1}, "`2 <= arms"),
        ({"rho": 0}, "rho"),
        ({"rho": 0.7}, "rho"),
        ({"rho": 1e-6}, "longer than any horizon"),
        ({"sigma": 0}, "sigma"),
        ({"noise": "heavy"}, "gaussian, sub-gaussian, bounded"),
        ({"objective": "both"}, "commit, eliminate"),
        ({"horizon": 20, "rho": 0.05}, "too small for T=20"),
    ],
)
def test_what_can_never_be_certified_is_answered_in_one_sentence(options: dict[str, Any], told: str) -> None:
    asked: dict[str, Any] = {"arms": 2, "rho": 0.3, "noise": "gaussian", "horizon": 10**5} | options
    with pytest.raises(InvalidParameter, match=told) as caught:
        rb.design(**asked)
    assert "\n" not in str(caught.value)
