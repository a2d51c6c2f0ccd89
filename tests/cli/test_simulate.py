"""``replibandit simulate``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import replibandit as rb
from replibandit.cli import run

ARGS = ["simulate", "paper/model-1", "rec", "--sd", "0.5", "--horizon", "10000", "--runs", "300", "--seed", "7"]


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run([*arguments, "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.count("\n") == 1
    values: dict[str, Any] = json.loads(out)
    return values


def test_json_is_one_object_with_what_others_rely_on(capsys: pytest.CaptureFixture[str]) -> None:
    values = told(capsys, *ARGS)
    assert {"regret_mean", "regret_se", "runs", "horizon", "seconds", "policy", "problem"} <= set(values)
    policy = rb.REC(arms=10, horizon=10_000, rho=0.3, sigma=0.5)
    study = rb.simulate(policy, rb.problem("paper/model-1", sd=0.5), runs=300, seed=7)
    assert values["regret_mean"] == study.regret_mean
    assert rb.policy_from_dict(values["policy"]) == policy
    assert rb.problem_from_dict(values["problem"]) == study.problem


def test_options_of_the_policy_are_set_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    values = told(capsys, *ARGS, "--set", "commit_scale=0.03", "--set", "order=reversed_blocks")
    assert values["policy"]["commit_scale"] == 0.03
    assert values["policy"]["order"] == "reversed_blocks"


def test_a_problem_may_be_given_by_its_means_or_by_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    common = ["--horizon", "200", "--runs", "10", "--seed", "3"]
    by_means = told(capsys, "simulate", "rec", "--means", "0.7,0.3", "--noise", "gaussian", "--sd", "0.5", *common)
    path = tmp_path / "mine.toml"
    path.write_text('noise = "gaussian"\nmeans = [0.7, 0.3]\nsd = 0.5\n')
    by_file = told(capsys, "simulate", str(path), "rec", *common)
    assert by_file["regret_mean"] == by_means["regret_mean"]
    assert by_file["problem"] == by_means["problem"]
    (tmp_path / "rewards.csv").write_text("old,new\n1,0\n0,0\n1,1\n")
    by_rewards = told(capsys, "simulate", str(tmp_path / "rewards.csv"), "rec", *common)
    assert by_rewards["problem"]["labels"] == ["old", "new"]


def test_rivals_are_told_beside_the_first(capsys: pytest.CaptureFixture[str]) -> None:
    values = told(capsys, *ARGS, "--runs", "5", "--against", "ucb1", "--against", "rse")
    assert [rival["policy"]["kind"] for rival in values["against"]] == ["ucb1/1", "rse/1"]


def test_one_u_for_all_runs_is_carried_in_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, *ARGS, "--runs", "5", "--u", "secret")["fixed_u"] == {"hashed": "secret"}


def test_the_table_tells_regret_arms_guarantee_and_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*ARGS, "--against", "ucb1"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    for text in ("paper/model-1: 300 runs, T = 10,000", "REC", "UCB1", "95 % interval", "pulls per arm",
                 "0.3-replicable: Theorem 4 of the paper", "UCB1 reacts to every reward",
                 "expect uniform allocation"):  # fmt: skip
        assert text in out


def test_a_picture_is_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert run([*ARGS, "--runs", "20", "--set", "commit_scale=0.03", "--plot", str(tmp_path / "a.svg")]) == 0
    assert "Gap against random threshold" in (tmp_path / "a.svg").read_text()
    assert capsys.readouterr().err == ""
