from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from replibandit.cli import run

PLAN = ["plan", "--arms", "2", "--gap", "0.05", "--sigma", "0.5", "--rho", "0.1", "--horizon", "1e5"]
BUDGET = ["plan", "--arms", "2", "--sigma", "0.5", "--rho", "0.1", "--budget", "1e5"]


def test_the_table_names_the_designs_and_fits_eighty_columns(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(PLAN) == 0
    out = capsys.readouterr().out
    assert "theorem's" in out
    assert "never commit below gap" in out.replace("\n", " ")
    assert max(map(len, out.splitlines())) <= 80


def test_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*PLAN, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["designs"][0]["commits"] == 0
    assert run([*BUDGET, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["unknown"] == "gap"


def test_files_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, picture = tmp_path / "plan.csv", tmp_path / "plan.png"
    assert run([*PLAN, "--csv", str(table), "--plot", str(picture)]) == 0
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["design"] == "theorem's constants"
    assert picture.stat().st_size > 10_000
    assert capsys.readouterr().err == ""


def test_the_inverse_question_is_answered_both_ways(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(BUDGET) == 0
    assert "smallest gap" in capsys.readouterr().out
    asked = ["plan", "--arms", "2", "--sigma", "0.5", "--gap", "0.1", "--budget", "1e9", "--solve", "rho"]
    assert run(asked) == 0
    assert "smallest rho" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--arms", "1", "--gap", "0.1", "--sigma", "1", "--rho", "0.1"], "arms"),
        (["--arms", "2", "--gap", "0.1", "--sigma", "0", "--rho", "0.1"], "sigma"),
        (["--arms", "2", "--gap", "-1", "--sigma", "1", "--rho", "0.1"], "gap"),
        (["--arms", "2", "--gap", "nan", "--sigma", "1", "--rho", "0.1"], "gap"),
        (["--arms", "2", "--gap", "0.1", "--sigma", "1", "--rho", "0.0001", "--horizon", "100"], "too small"),
        (["--arms", "2", "--gap", "0.1", "--sigma", "1"], "--rho"),
        (["--arms", "2", "--gap", "0.1", "--sigma", "1", "--rho", "0.1", "--solve", "gap"], "--budget"),
        (["--arms", "2", "--gap", "0.1", "--sigma", "1", "--rho", "0.1", "--budget", "1000"], "leave out"),
        (["--arms", "2", "--sigma", "1", "--budget", "1000", "--solve", "gap"], "--rho"),
        (["--arms", "2", "--sigma", "1", "--rho", "0.1", "--budget", "1000", "--plot", "x.png"], "--plot"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(
    arguments: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["plan", *arguments]) == 2
    err = capsys.readouterr().err
    assert named in err
    assert err.count("\n") == 1
