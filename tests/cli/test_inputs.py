"""From words to policies: features come from the problem."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

import replibandit as rb
from replibandit.cli import cli


def run(*words: str) -> dict[str, Any]:
    done = CliRunner().invoke(cli, [*words, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.mark.parametrize("command", ["simulate", "replicate"])
def test_rlse_takes_the_features_of_the_problem(command: str) -> None:
    small = ("--runs", "20") if command == "simulate" else ("--seeds", "10", "--runs", "2")
    found = run(command, "paper/linear", "rlse", "--horizon", "500", *small)
    assert found["policy"]["features"] == [list(row) for row in rb.problem("paper/linear").to_dict()["features"]]


def test_rlse_has_one_hot_features_where_the_problem_has_none() -> None:
    found = run("simulate", "paper/model-2", "rlse", "--horizon", "500", "--runs", "20")
    assert found["policy"]["features"] == []


def test_a_rival_gets_them_as_well() -> None:
    found = run("simulate", "paper/linear", "rse", "--against", "rlse", "--horizon", "500", "--runs", "20")
    assert "features" not in found["policy"]
    assert len(found["against"][0]["policy"]["features"]) == 5
