from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import replibandit as rb
from replibandit.cli import run

CONSTANTS = ["--set", "first=1", "--set", "ratio=3", "--set", "lo=4", "--set", "width=11.7"]
ATTACK = ["attack", "rec-sharp", *CONSTANTS, "--horizon", "1000", "--noise", "gaussian", "--pairs", "500"]


def test_a_claim_that_holds_ends_with_code_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*ATTACK, "--claim", "0.5"]) == 0
    out = capsys.readouterr().out
    assert "not refuted" in out
    assert max(map(len, out.splitlines())) <= 100


def test_a_claim_that_does_not_ends_with_code_1_and_leaves_the_instance(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    worst = tmp_path / "worst.json"
    assert run([*ATTACK, "--claim", "0.1", "--worst", str(worst)]) == 1
    assert "refuted: rho = 0.1 is claimed" in capsys.readouterr().out
    assert run(["replicate", str(worst), "rec-sharp", *CONSTANTS, "--horizon", "1000", "--runs", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["low"] > 0.1


def test_files_are_written_and_run_again_to_the_same_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, picture = tmp_path / "attack.csv", tmp_path / "attack.png"
    assert run([*ATTACK, "--claim", "0.1", "--json", "--csv", str(table), "--plot", str(picture)]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["refuted"] is True
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert sum(row["worst"] == "True" for row in rows) == 1
    assert picture.stat().st_size > 10_000
    assert run(["rerun", str(table), "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == told


def test_a_policy_is_read_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "policy.json"
    file.write_text(rb.REC(arms=2, horizon=10**6, rho=0.4, sigma=0.25).to_json(), encoding="utf-8")
    assert run(["attack", str(file), "--pairs", "200", "--noise", "gaussian", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["rho"], told["sigma"]) == (0.4, 0.25)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["attack"], "POLICY"),
        (["attack", "nope"], "nope"),
        (["attack", "nope.json"], "nope.json"),
        (["attack", "rec-sharp"], "first"),
        (["attack", "rec-sharp", *CONSTANTS], "claims nothing"),
        ([*ATTACK, "--claim", "2"], "rho"),
        ([*ATTACK, "--claim", "0.1", "--pairs", "3"], "pairs"),
        ([*ATTACK, "--claim", "0.1", "--noise", "pink"], "pink"),
        ([*ATTACK, "--claim", "0.1", "--worst", "nowhere/worst.json"], "nowhere"),
        ([*ATTACK, "--claim", "0.1", "--plot", "attack.txt"], ".svg"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(
    arguments: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    err = capsys.readouterr().err
    assert named in err
    assert err.count("\n") == 1
