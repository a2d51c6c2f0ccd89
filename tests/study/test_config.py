"""The configuration a result carries is all there is to know about it."""

from __future__ import annotations

import json
from typing import Any

import pytest

import replibandit as rb
from replibandit.errors import InvalidParameter, UnknownName
from replibandit.study.config import configuration, job_from_config

POLICY = rb.REC(arms=2, horizon=100, rho=0.3, sigma=0.5, commit_scale=0.01)
PROBLEM = rb.Gaussian(means=[0.6, 0.5], sd=0.5)


def carried(**options: Any) -> dict[str, Any]:
    config = rb.replicate(POLICY, PROBLEM, seeds=4, runs=3, seed=9).config
    return json.loads(json.dumps(config)) | options


def test_a_configuration_survives_json_and_makes_the_same_job() -> None:
    for result in (
        rb.simulate(POLICY, PROBLEM, runs=5, seed=3),
        rb.simulate(POLICY, PROBLEM, runs=5, seed=3, u=rb.SharedRandomness("text, with ümläuts")),
        rb.simulate(POLICY, PROBLEM, runs=5, seed=3, u=rb.ConstantRandomness(0.25)),
        rb.replicate(POLICY, PROBLEM, seeds=4, runs=3, seed=9, sharing="independent"),
    ):
        job = job_from_config(json.loads(json.dumps(result.config)))
        assert job == result._job
        assert configuration(result.config["question"], job) == result.config


def test_it_says_what_it_was_made_with() -> None:
    versions = carried()["versions"]
    assert versions["replibandit"] == rb.__version__
    assert "numpy" in versions


@pytest.mark.parametrize(
    "name", ["question", "policy", "problem", "runs", "runs_per_seed", "seed", "sharing", "fixed_u"]
)
def test_what_is_missing_is_named(name: str) -> None:
    config = carried()
    del config[name]
    with pytest.raises(InvalidParameter, match=f"a result must carry '{name}' to be run again"):
        job_from_config(config)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"question": "guess"}, "`question` must be one of"),
        ({"question": ["a"]}, "`question` must be one of"),
        ({"sharing": "some"}, "`sharing` must be one of"),
        ({"policy": "my own policy"}, "only built-in policies and problems"),
        ({"runs": 0}, "1 <= runs"),
        ({"runs": "12"}, "`runs` must be a whole number"),
        ({"runs_per_seed": 0}, "2 <= runs_per_seed"),
        ({"runs_per_seed": 1}, "2 <= runs_per_seed"),
        ({"runs_per_seed": 5}, "`runs` must be a multiple of `runs_per_seed`, but got runs=12, runs_per_seed=5"),
        ({"seed": -1}, "0 <= seed"),
        ({"fixed_u": "BulkRandomness(7)"}, "`fixed_u` must be a hashed seed or a constant"),
        ({"fixed_u": {"constant": "x"}}, "`fixed_u.constant` must be a number"),
        ({"fixed_u": {"constant": 2}}, "0 <= fixed_u.constant <= 1"),
        ({"fixed_u": {"hashed": 5}}, "the seed of U must be a non-empty text"),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused(changed: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidParameter) as refusal:
        job_from_config(carried(**changed))
    assert says in str(refusal.value)


def test_unknown_policies_and_problems_are_refused_by_name() -> None:
    with pytest.raises(UnknownName, match="no policy is called 'rec/99'"):
        job_from_config(carried(policy={"kind": "rec/99"}))
    with pytest.raises(UnknownName, match="no reward model is called 'cauchy'"):
        job_from_config(carried(problem={"kind": "cauchy"}))
