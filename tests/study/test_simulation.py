"""`simulate`: what a study says about its runs."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from scipy import special, stats

import replibandit as rb
from replibandit.errors import InvalidParameter

MODEL_1 = rb.problem("paper/model-1", sd=0.5)
POLICY = rb.REC(arms=10, horizon=10_000, rho=0.3, sigma=0.5, commit_scale=0.03)


@pytest.fixture(scope="module")
def study() -> rb.Study:
    return rb.simulate(POLICY, MODEL_1, runs=300, seed=7)


def test_one_row_per_run(study: rb.Study) -> None:
    assert study.regret.shape == (300,)
    assert study.pulls.shape == (300, 10)
    assert study.digests.shape == (300,)
    assert study.digests.dtype == np.uint64
    assert (study.pulls.sum(axis=-1) == 10_000).all()


def test_regret_is_the_gaps_times_the_pulls(study: rb.Study) -> None:
    by_hand = [sum(0.4 * n for n in pulls[1:]) for pulls in study.pulls.tolist()]
    assert study.regret == pytest.approx(by_hand)
    assert study.regret_mean == pytest.approx(np.mean(by_hand))
    assert study.regret_se == pytest.approx(stats.sem(by_hand))
    low, high = stats.norm.interval(0.95, np.mean(by_hand), stats.sem(by_hand))
    assert (study.regret_interval.low, study.regret_interval.high) == pytest.approx((low, high))


def test_stopping_phases_are_those_of_the_traces(study: rb.Study) -> None:
    for run in range(5):
        taken = [d.phase for d in study.trace(run).decisions if d.taken]
        assert study.stopping_phases[run] == (taken[0] if taken else 0)
    assert sum(study.stopping.values()) == pytest.approx(1)
    assert study.stopping == {
        int(p): float((study.stopping_phases == p).mean()) for p in np.unique(study.stopping_phases)
    }


@pytest.mark.statistical
def test_the_stopping_phases_of_two_arms_have_their_exact_law() -> None:
    """One complete phase: the gap |N(0.3, 2 sd^2 / 8)| against (2 + U) Conf^max. Exact binomial, false alarm 1e-6."""
    policy = rb.REC(arms=2, horizon=20, rho=0.3, sigma=0.5, commit_scale=0.005)
    conf = 0.005 * 2.25 * math.sqrt(math.log(18 * 4 * policy.phases / 0.3)) / 0.3 / 2
    nodes, weight = np.polynomial.legendre.leggauss(60)
    edge, noise = (2 + (nodes + 1) / 2) * conf, 0.5 * math.sqrt(2 / 8)
    stops = float(weight / 2 @ (special.ndtr((0.3 - edge) / noise) + special.ndtr((-0.3 - edge) / noise)))
    study = rb.simulate(policy, rb.Gaussian(means=[0.5, 0.2], sd=0.5), runs=200_000, seed=9)
    assert 0.1 < stops < 0.9
    assert stats.binomtest(int((study.stopping_phases == 1).sum()), 200_000, stops).pvalue > 1e-6


def test_a_policy_that_never_stops_has_no_stopping_phase() -> None:
    study = rb.simulate(rb.UCB1(arms=10, horizon=50), MODEL_1, runs=3, seed=1)
    assert study.stopping == {}
    with pytest.raises(InvalidParameter, match="needs a policy that stops exploring"):
        _ = study.stopping_phases


def test_the_same_seed_gives_the_same_study_and_another_seed_another(study: rb.Study) -> None:
    again, other = (rb.simulate(POLICY, MODEL_1, runs=300, seed=seed) for seed in (7, 8))
    assert (again.digests == study.digests).all()
    assert (again.pulls == study.pulls).all()
    assert (other.pulls != study.pulls).any()


@pytest.mark.parametrize("policy", [POLICY, rb.UCB1(arms=10, horizon=200)], ids=["phases", "rounds"])
def test_whole_chunks_of_runs_do_not_depend_on_how_many_follow(policy: Any) -> None:
    few, many = (rb.simulate(policy, MODEL_1, runs=runs, seed=3) for runs in (13_107, 13_300))
    assert (few.digests[:13_056] == many.digests[:13_056]).all()
    assert (few.pulls[:13_056] == many.pulls[:13_056]).all()


def test_one_fixed_u_may_be_given_to_every_run() -> None:
    u = rb.SharedRandomness("one for all")
    study = rb.simulate(POLICY, MODEL_1, runs=20, seed=7, u=u)
    assert study.randomness(3) == u
    assert {d.u for run in range(20) for d in study.trace(run).decisions if d.phase == 1} == {u.uniform(1, 0)}


def test_a_trace_is_the_run_it_stands_for(study: rb.Study) -> None:
    for run in (0, 17, 299):
        trace = study.trace(run)
        assert trace.pulls == tuple(study.pulls[run].tolist())
        assert trace.digest == int(study.digests[run])
        assert rb.replay(POLICY, trace.tallies, u=study.randomness(run)) == trace


@pytest.mark.parametrize("run", [-1, 300, 1.5, True, "0"])
def test_a_run_that_is_none_is_refused(study: rb.Study, run: Any) -> None:
    with pytest.raises(InvalidParameter, match="run"):
        study.trace(run)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"runs": 0}, "1 <= runs"),
        ({"runs": 2.5}, "`runs` must be a whole number"),
        ({"seed": -1}, "0 <= seed"),
        ({"seed": 2**63}, "0 <= seed"),
    ],
)
def test_counts_that_make_no_sense_are_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidParameter, match=says):
        rb.simulate(POLICY, MODEL_1, **options)


def test_policy_and_problem_must_have_the_same_arms() -> None:
    with pytest.raises(InvalidParameter, match="the policy has 10 arms and the problem 3"):
        rb.simulate(POLICY, rb.problem("paper/model-2"))


def test_the_summary_is_json_and_holds_what_others_rely_on(study: rb.Study) -> None:
    told = json.loads(json.dumps(study.summary(), allow_nan=False))
    assert {"regret_mean", "regret_se", "runs", "horizon", "seconds", "policy", "problem", "seed"} <= set(told)
    assert (told["runs"], told["horizon"], told["seed"]) == (300, 10_000, 7)
    assert told["regret_mean"] == study.regret_mean
    assert sum(told["pulls_mean"]) == pytest.approx(10_000)
    assert told["versions"]["replibandit"] == rb.__version__
    assert (
        json.loads(json.dumps(rb.simulate(POLICY, MODEL_1, runs=1).summary(), allow_nan=False))["regret_se"] is None
    )


def test_the_table_has_one_row_per_run(study: rb.Study) -> None:
    table = study.table()
    assert {len(column) for column in table.values()} == {300}
    assert list(table)[:3] == ["run", "regret", "stopping_phase"]
    assert [table[f"pulls_{arm}"][4] for arm in range(10)] == study.pulls[4].tolist()
    assert int(table["digest"][4], 16) == int(study.digests[4])


def test_it_prints_what_it_is(study: rb.Study) -> None:
    assert repr(study).startswith("Study(REC(arms=10")
    assert "runs=300, seed=7, regret_mean=" in repr(study)


def test_progress_is_told_and_ends_at_all_runs() -> None:
    calls: list[tuple[int, int]] = []
    rb.simulate(POLICY, MODEL_1, runs=30_000, seed=1, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (30_000, 30_000)
    assert len(calls) == 3
    assert calls == sorted(calls)


@pytest.mark.parametrize("noise", ["gaussian", "bernoulli"])
@pytest.mark.parametrize("kind", [rb.REC, rb.RSE])
def test_counts_are_exact_at_a_horizon_of_10_to_the_15(kind: Any, noise: str) -> None:
    """Every arm's pulls are whole multiples of the phases it was in, and the last arm has all the rest."""
    policy = kind(arms=3, horizon=10**15, rho=0.3, sigma=0.5)
    study = rb.simulate(policy, rb.problem("paper/model-2", noise=noise), runs=200, seed=4)
    assert (study.pulls.sum(axis=-1) == 10**15).all()
    ends = {2 * 4**p for p in range(1, policy.phases)}
    for row in study.pulls.tolist():
        assert row[0] == 10**15 - row[1] - row[2]
        assert set(row[1:]) <= ends
