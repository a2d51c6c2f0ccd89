"""``replibandit replicate``."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import replibandit as rb
from replibandit.cli import run

ARGS = ["replicate", "paper/model-2", "rec", "--sd", "0.5", "--horizon", "3000", "--seeds", "40", "--runs", "6"]
ARGS += ["--seed", "7", "--set", "commit_scale=0.05"]


def twins(**options: str) -> rb.Twins:
    policy = rb.REC(arms=3, horizon=3000, rho=0.3, sigma=0.5, commit_scale=0.05)
    return rb.replicate(policy, rb.problem("paper/model-2", sd=0.5), seeds=40, runs=6, seed=7, **options)  # type: ignore[arg-type]


def test_json_is_one_object_with_what_others_rely_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*ARGS, "--json"]) == 0
    out, err = capsys.readouterr()
    values = json.loads(out)
    assert err == ""
    assert {"nonreplication", "low", "high", "seeds", "runs_per_seed", "ledger"} <= set(values)
    assert values["nonreplication"] == twins().nonreplication
    assert (values["seeds"], values["runs_per_seed"]) == (40, 6)
    assert values["ledger"]["total"] == pytest.approx(values["nonreplication"])


@pytest.mark.parametrize("sharing", ["independent", "none"])
def test_sharing_may_be_switched_off(sharing: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*ARGS, "--sharing", sharing, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["nonreplication"] == twins(sharing=sharing).nonreplication


def test_the_table_tells_all_three_notions_the_plug_in_and_the_ledger(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(ARGS) == 0
    out = " ".join(capsys.readouterr().out.split())
    for text in ("40 values of U, 6 runs each", "the sequence of arms", "the paper's plug-in", "some arm's count",
                 "the best arm's count", "Where twins first part", "interval: betting",
                 f"{twins().nonreplication:.4f}"):  # fmt: skip
        assert text in out


def test_files_hold_one_row_per_value_of_u(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    table, picture = tmp_path / "twins.csv", tmp_path / "twins.png"
    assert run([*ARGS, "--csv", str(table), "--plot", str(picture)]) == 0
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["nonreplication"]) for row in rows] == twins().per_seed.tolist()
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert capsys.readouterr().err == ""
