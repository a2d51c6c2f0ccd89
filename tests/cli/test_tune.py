from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from replibandit.cli import run

TUNE = ["tune", "paper/model-2", "rse-sharp", "--horizon", "2000", "--candidates", "30", "--effort", "0.1"]
WIDTH = 100


def test_the_tables_name_every_knob_and_none_is_cut(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(TUNE) == 0
    out = capsys.readouterr().out
    assert "…" not in out
    assert max(map(len, out.splitlines())) <= WIDTH
    assert "not guaranteed" in out
    for heading in ("first", "ratio", "lo", "width", "_lo", "_width"):
        assert heading in out


def test_a_narrow_window_cuts_nothing_either(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("COLUMNS", "80"), ("FORCE_COLOR", "1"), ("TERM", "dumb")):
        monkeypatch.setenv(name, value)
    assert run(TUNE) == 0
    out = capsys.readouterr().out
    assert "…" not in out


def test_json_csv_and_picture_tell_of_the_same_search(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, picture = tmp_path / "tuning.csv", tmp_path / "tuning.png"
    assert run([*TUNE, "--json", "--csv", str(table), "--plot", str(picture)]) == 0
    told = json.loads(capsys.readouterr().out)
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert sum(row["stage"] == "screening" for row in rows) == told["tried"] == 30
    best = next(row for row in rows if row["best"] == "True")
    assert float(best["regret_estimate"]) == told["best"]["regret"]["estimate"]
    assert float(best["nonreplication_high"]) <= told["target"] == 0.3
    assert picture.stat().st_size > 10_000


def test_a_result_runs_again_from_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*TUNE, "--json"]) == 0
    first = capsys.readouterr().out
    (tmp_path / "tuning.json").write_text(first)
    assert run(["rerun", str(tmp_path / "tuning.json"), "--json"]) == 0
    assert capsys.readouterr().out == first


def test_no_setting_within_the_target_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*TUNE, "--target", "0.0001"]) == 0
    assert "no setting was measured to be 0.0001-replicable" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--target", "0"], "target"),
        (["--knob", "lo=1"], "LOW:HIGH"),
        (["--knob", "colour=1:2"], "colour"),
        (["--plot", "x.gif"], "x.gif"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(
    arguments: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*TUNE, *arguments]) == 2
    err = capsys.readouterr().err
    assert named in err
    assert err.count("\n") == 1
