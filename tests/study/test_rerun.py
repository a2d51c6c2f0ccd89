"""Any result again, from what it carries."""

from __future__ import annotations

import json
from typing import Any

import pytest

import replibandit as rb
from replibandit.errors import InvalidParameter

PROBLEMS: list[Any] = [
    rb.problem("paper/model-2", sd=0.5),
    rb.Bernoulli(means=[0.6, 0.5, 0.1]),
    rb.Empirical(samples=[[1, 0, 1], [0, 1, 0], [0, 0, 0.5]], labels=["a", "b", "c"]),
]
POLICIES: list[Any] = [
    rb.REC(arms=3, horizon=1000, rho=0.3, sigma=0.5, commit_scale=0.03, draws="fresh", order="permuted"),
    rb.RSE(arms=3, horizon=1000, rho=0.3, sigma=0.5, commit_scale=0.03, eliminate_scale=0.01),
    rb.UCB1(arms=3, horizon=200),
]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.kind)
@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.kind)
def test_a_study_and_twins_are_the_same_again_from_their_json(policy: Any, problem: Any) -> None:
    study = rb.simulate(policy, problem, runs=40, seed=5)
    again = rb.rerun(json.loads(json.dumps(study.summary())))
    assert isinstance(again, rb.Study)
    assert (again.digests == study.digests).all()
    assert (again.pulls == study.pulls).all()
    assert again.trace(7) == study.trace(7)
    twins = rb.replicate(policy, problem, seeds=10, runs=4, seed=5)
    replicated = rb.rerun(json.loads(json.dumps(twins.summary())))
    assert isinstance(replicated, rb.Twins)
    assert replicated.interval == twins.interval
    assert replicated.ledger == twins.ledger


def test_the_configuration_alone_is_enough_and_stays_the_same() -> None:
    study = rb.simulate(POLICIES[0], PROBLEMS[0], runs=10, seed=5, u=rb.SharedRandomness("u"))
    again = rb.rerun(study.config)
    assert again.config == study.config


def test_a_result_with_impossible_counts_is_refused() -> None:
    config = rb.simulate(POLICIES[0], PROBLEMS[0], runs=10).config
    with pytest.raises(InvalidParameter, match="1 <= runs"):
        rb.rerun(config | {"runs": 0})
    with pytest.raises(InvalidParameter, match="must hold, but the policy has 3 arms and the problem 2"):
        rb.rerun(config | {"problem": rb.problem("tie/2").to_dict()})


def test_what_carries_nothing_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="a result must carry"):
        rb.rerun({})


@pytest.mark.parametrize("result", [[], 5, None])
def test_a_result_that_is_no_dict_is_refused(result: Any) -> None:
    with pytest.raises(InvalidParameter, match="`result` must be a dict"):
        rb.rerun(result)
