"""Designed constants: certified, far cheaper than the theorem's, deterministic, and refused where hopeless."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import replibandit as rb
from replibandit.errors import InvalidParameter
from replibandit.policies import design_search, design_table
from replibandit.study.forecast import looks
from replibandit.theory.costs import Constants, cost_of, cost_of_random, misled_regret
from replibandit.theory.stopping import arrivals
from replibandit.theory.twins import twin_law

LEAST_SAVING = {(2, "gaussian"): 500, (10, "gaussian"): 350, (2, "sub-gaussian"): 130}
MOST_COST = {0.3: 60, 0.1: 390, 0.05: 1500}  # for two Gaussian arms
NAMES = sorted(design_table.shipped())


def entry_of(objective: str, arms: int, rho: float, noise: str) -> dict[str, float]:
    return design_table.shipped()[design_table.Entry(objective=objective, arms=arms, rho=rho, noise=noise).name]


def exact_cost(policy: Any, gap: float) -> float:
    """E[N_stop] Delta^2 / (2 sigma^2) by the exact law of one run, averaged over the starts."""
    expected = 0.0
    for opening in policy.openings:
        drawn = 0
        for arrival in arrivals(looks(opening), gap, 1.0, per_panel=8):
            expected += arrival.mass.sum() * (arrival.look.pulls - drawn)
            drawn = arrival.look.pulls
    return expected / len(policy.openings) * gap**2 / 2


def exact_rho(policy: Any, gap: float) -> float:
    """How often twins differ, exactly."""
    return math.fsum(twin_law(looks(rule), gap, 1.0).differ for rule in policy.openings) / len(policy.openings)


@pytest.mark.parametrize(("arms", "noise"), LEAST_SAVING)
@pytest.mark.parametrize("rho", [0.3, 0.1, 0.05])
def test_certified_constants_cost_hundreds_of_times_less_than_the_theorems(arms: int, noise: str, rho: float) -> None:
    cost = entry_of("commit", arms, rho, noise)["cost"]
    assert design_table.theorem_cost(arms, rho) / cost >= LEAST_SAVING[arms, noise]


@pytest.mark.parametrize("rho", MOST_COST)
def test_for_two_gaussian_arms_certificate_exact_value_and_cost_agree(rho: float) -> None:
    """At the certificate's worst gap and over one whole period of the gap, in steps of the distance of looks."""
    policy = rb.REC.sharp(arms=2, horizon=design_table.COMMON, rho=rho, sigma=1.0, noise="gaussian")
    certificate = rb.certify(policy)
    steps = np.arange(policy.starts + 1) / (2 * policy.starts)
    gaps = [*(certificate.worst_gap * policy.ratio**steps).tolist(), 0.01, 0.001]
    exact = max(exact_rho(policy, gap) for gap in gaps)
    assert 0.97 * certificate.rho <= exact <= certificate.rho <= rho
    cost = max(exact_cost(policy, gap) for gap in (0.01, 0.001))
    assert cost <= entry_of("commit", 2, rho, "gaussian")["cost"] <= min(1.01 * cost, MOST_COST[rho])  # its cells


@pytest.mark.parametrize("name", NAMES)
def test_every_entry_of_the_table_is_certified(name: str) -> None:
    entry = design_table.Entry.named(name)
    certified = rb.certify(entry.policy(design_table.shipped()[name], design_table.COMMON)).rho
    assert 0.97 * entry.rho <= certified <= entry.rho


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("commit")])
def test_wrong_commitments_cost_no_more_regret_than_exploring(name: str) -> None:
    values = design_table.shipped()[name]
    found = Constants(ratio=values["ratio"], lo=values["lo"], starts=int(values["starts"]))
    assert found.first == values["first"]
    assert misled_regret(design_table.Entry.named(name).brief(), found) <= 2 * values["cost"]


@pytest.mark.parametrize("name", ["commit gaussian K=2 rho=0.3", "commit sub-gaussian K=10 rho=0.05"])
def test_a_search_gives_the_entry_of_the_table_again(name: str) -> None:
    found = design_search.search(design_table.Entry.named(name), design_table.COMMON)
    assert found == pytest.approx(design_table.shipped()[name])


def test_no_ratio_and_no_threshold_nearby_is_certified_at_a_lower_cost() -> None:
    """Neither of the two numbers can be moved to the better, judged by the full certificate."""
    best = entry_of("commit", 2, 0.1, "gaussian")
    entry = design_table.Entry(objective="commit", arms=2, rho=0.1, noise="gaussian")
    for ratio in best["ratio"] * np.array([0.8, 1.0, 1.25]):
        lo = best["lo"] * (0.99 if ratio == best["ratio"] else math.log(best["ratio"]) / math.log(ratio))
        cost = cost_of(entry.brief(), Constants(ratio=ratio, lo=lo, starts=16))
        certified = rb.certify(entry.policy(best | {"ratio": ratio, "lo": lo}, design_table.COMMON)).rho
        assert certified > 0.1 or cost > 0.99 * best["cost"]


@pytest.mark.parametrize(
    ("rho", "ratio", "lo", "width"),
    [(0.3, 5.334, 4.883, 6.335), (0.1, 6.074, 13.91, 16.34), (0.05, 7.231, 23.05, 32.62)],
)
def test_random_thresholds_cost_about_twice_as_much(rho: float, ratio: float, lo: float, width: float) -> None:
    """The best of their kind that are known: eight over rho squared, about."""
    found = Constants(ratio=ratio, lo=lo, width=width)
    policy = rb.SharpREC(
        arms=2,
        horizon=design_table.COMMON,
        rho=rho,
        sigma=1,
        noise="gaussian",
        first=found.first,
        ratio=ratio,
        lo=lo,
        width=width,
    )
    assert rb.certify(policy).rho <= rho
    entry = design_table.Entry(objective="commit", arms=2, rho=rho, noise="gaussian")
    assert 1.8 <= cost_of_random(entry.brief(), found) / design_table.shipped()[entry.name]["cost"] <= 2.4


def test_what_is_not_in_the_table_is_searched_for_and_certified() -> None:
    policy = rb.design(arms=7, rho=0.25, noise="bounded", horizon=10**6, sigma=0.5)
    assert policy.noise == "bounded"
    assert policy.guarantee.rho == 0.25
    assert rb.certify(policy).rho <= 0.25


def test_a_rho_that_is_not_quite_the_tables_is_searched_for() -> None:
    for rho in (0.3 - 1e-9, 0.1 + 1e-9):
        entry = design_table.Entry(objective="commit", noise="gaussian", arms=2, rho=rho)
        assert entry.name in design_table.shipped()  # names have six figures
        assert design_table.entry_for(entry) is None
        assert rb.REC.sharp(arms=2, rho=rho, noise="gaussian", horizon=10**6, sigma=1).guarantee.rho == rho


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
        ({"rho": 1e-4}, "longer than any horizon"),
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
