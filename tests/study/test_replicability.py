"""`replicate`: its estimate, its interval and the relaxed notions, against a case that can be worked out by hand."""

from __future__ import annotations

import json
import math
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy import special, stats

import replibandit as rb
from replibandit.errors import InvalidParameter

# Two arms, one complete phase of 8 pulls each, then 44 rounds: a run commits to arm 0, to arm 1, or to none.
POLICY = rb.REC(arms=2, horizon=60, rho=0.3, sigma=0.5, commit_scale=0.012)
PROBLEM = rb.Gaussian(means=[0.5, 0.2], sd=0.03)


def truth() -> float:
    """E over U of 1 - sum of squared probabilities of the three sequences, by quadrature over U."""
    conf = 0.012 * 2.25 * math.sqrt(math.log(18 * 4 * POLICY.phases / 0.3)) / 0.3 / 2
    nodes, weight = np.polynomial.legendre.leggauss(60)
    edge, noise = (2 + (nodes + 1) / 2) * conf, 0.03 * math.sqrt(2 / 8)
    to_0, to_1 = special.ndtr((0.3 - edge) / noise), special.ndtr((-0.3 - edge) / noise)
    return float(weight / 2 @ (1 - to_0**2 - to_1**2 - (1 - to_0 - to_1) ** 2))


def twins(seed: int, seeds: int, runs: int, **options: Any) -> rb.Twins:
    return rb.replicate(POLICY, PROBLEM, seeds=seeds, runs=runs, seed=seed, **options)


@pytest.mark.statistical
@pytest.mark.parametrize("runs", [2, 5])
def test_the_estimate_is_unbiased_and_its_interval_covers(runs: int) -> None:
    """400 measurements with 60 values of U each.

    The mean of the estimates is within 5 of its standard errors (false alarm 6e-7); were the interval to cover less
    than 95 %, more misses than the exact binomial tail allows had a chance of 1e-6. The plug-in is too low by 1 / n.
    """
    found = [twins(seed, 60, runs) for seed in range(400)]
    estimates = np.array([one.nonreplication for one in found])
    assert abs(estimates.mean() - truth()) < 5 * stats.sem(estimates)
    misses = sum(not one.low <= truth() <= one.high for one in found)
    assert misses <= stats.binom.isf(1e-6, 400, 0.05)
    plug_in = np.array([one.plug_in for one in found])
    assert abs(plug_in.mean() - truth() * (runs - 1) / runs) < 5 * stats.sem(plug_in)
    assert 0.1 < truth() < 0.2


@pytest.mark.statistical
def test_many_pairs_differ_as_often_as_worked_out_by_hand() -> None:
    """Exact binomial test of 200,000 pairs; false alarm 1e-6."""
    many = twins(1, 200_000, 2)
    assert stats.binomtest(round(many.nonreplication * 200_000), 200_000, truth()).pvalue > 1e-6


@pytest.mark.statistical
def test_without_sharing_twins_are_strangers() -> None:
    """Each run has a U of its own: the same marginal law, independent. Exact binomial test; false alarm 1e-6."""
    conf = 0.012 * 2.25 * math.sqrt(math.log(18 * 4 * POLICY.phases / 0.3)) / 0.3 / 2
    nodes, weight = np.polynomial.legendre.leggauss(60)
    edge, noise = (2 + (nodes + 1) / 2) * conf, 0.03 * math.sqrt(2 / 8)
    to_0, to_1 = (float(weight / 2 @ special.ndtr((gap - edge) / noise)) for gap in (0.3, -0.3))
    expected = 1 - to_0**2 - to_1**2 - (1 - to_0 - to_1) ** 2
    strangers = twins(1, 100_000, 2, sharing="independent")
    assert expected > 3 * truth()
    assert stats.binomtest(round(strangers.nonreplication * 100_000), 100_000, expected).pvalue > 1e-6


# --- the same numbers, counted pair by pair -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def few() -> rb.Twins:
    policy = rb.RSE(arms=4, horizon=900, rho=0.3, sigma=0.5, commit_scale=0.01, eliminate_scale=0.003)
    return rb.replicate(policy, rb.Gaussian(means=[0.42, 0.5, 0.3, 0.3], sd=0.5), seeds=30, runs=6, seed=3)


def share_of_pairs(twins: rb.Twins, differ: Any) -> float:
    pairs = [(u, a, b) for u in range(twins.seeds) for a, b in permutations(range(twins.runs), 2)]
    return sum(differ(twins, u, a, b) for u, a, b in pairs) / len(pairs)


def test_nonreplication_is_the_share_of_pairs_with_different_sequences(few: rb.Twins) -> None:
    brute = share_of_pairs(few, lambda t, u, a, b: t.digests[u, a] != t.digests[u, b])
    assert few.nonreplication == pytest.approx(brute)
    assert 0.05 < brute < 0.95
    assert few.per_seed.mean() == pytest.approx(brute)


def test_the_relaxed_notions_are_shares_of_pairs_too_and_each_is_weaker(few: rb.Twins) -> None:
    counts = share_of_pairs(few, lambda t, u, a, b: (t.pulls[u, a] != t.pulls[u, b]).any())
    best = share_of_pairs(few, lambda t, u, a, b: t.pulls[u, a, 1] != t.pulls[u, b, 1])
    assert few.different_counts.estimate == pytest.approx(counts)
    assert few.different_best_count.estimate == pytest.approx(best)
    assert best < counts <= few.nonreplication


def test_the_plug_in_is_the_papers_formula_for_each_u(few: rb.Twins) -> None:
    paper = [1 - sum((row.count(s) / 6) ** 2 for s in set(row)) for row in few.digests.tolist()]
    assert few.plug_in == pytest.approx(np.mean(paper))


def test_runs_of_one_u_share_it_and_no_other(few: rb.Twins) -> None:
    study = rb.simulate(few.policy, few.problem, runs=2, seed=3)
    assert study.randomness(0) != study.randomness(1)
    assert few.digests.shape == (30, 6)
    assert few.pulls.shape == (30, 6, 4)


def test_the_method_of_the_interval_is_named() -> None:
    assert twins(1, 20, 2).interval.method == "Clopper-Pearson, 95 %"
    assert twins(1, 20, 3).interval.method == "betting (Waudby-Smith and Ramdas), 95 %"


def test_a_policy_that_ignores_data_is_perfectly_replicable() -> None:
    uniform = rb.REC(arms=3, horizon=1000, rho=0.3, sigma=0.5)  # no gap can stop it before T
    found = rb.replicate(uniform, rb.problem("paper/model-2"), seeds=50, runs=4)
    assert (found.nonreplication, found.low) == (0.0, 0.0)
    assert found.high > 0.0, "no event in 50 values of U is no proof"


def test_a_policy_that_reacts_to_every_reward_is_hardly_ever_replicable() -> None:
    found = rb.replicate(rb.UCB1(arms=3, horizon=500), rb.problem("paper/model-2"), seeds=20, runs=10)
    assert found.nonreplication > 0.95


# --- what it says -------------------------------------------------------------------------------------------------


def test_the_summary_is_json_and_holds_what_others_rely_on(few: rb.Twins) -> None:
    told = json.loads(json.dumps(few.summary(), allow_nan=False))
    assert {"nonreplication", "low", "high", "seeds", "runs_per_seed", "ledger", "policy", "problem"} <= set(told)
    assert (told["seeds"], told["runs_per_seed"]) == (30, 6)
    assert told["low"] <= told["nonreplication"] <= told["high"]
    assert told["plug_in"] == few.plug_in
    assert told["ledger"]["total"] == pytest.approx(told["nonreplication"])
    assert told["interval"] == few.interval.method


def test_the_table_has_one_row_per_value_of_u(few: rb.Twins) -> None:
    table = few.table()
    assert table["seed"] == list(range(30))
    assert table["distinct_sequences"] == [len(set(row)) for row in few.digests.tolist()]
    assert table["nonreplication"] == few.per_seed.tolist()


def test_it_prints_what_it_is(few: rb.Twins) -> None:
    assert repr(few).startswith("Twins(RSE(arms=4")
    assert "seeds=30, runs=6" in repr(few)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"runs": 1}, "Twins need at least two runs of each U"),
        ({"seeds": 0}, "1 <= seeds"),
        ({"sharing": "all"}, "`sharing` must be one of shared, independent, none"),
        ({"seed": -3}, "0 <= seed"),
    ],
)
def test_counts_that_make_no_sense_are_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidParameter, match=says):
        rb.replicate(POLICY, PROBLEM, **options)
