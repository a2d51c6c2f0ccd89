"""``replibandit rerun``: any result again, from the file that holds it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from replibandit.cli import run

COMMON = ["paper/model-2", "rec", "--horizon", "500", "--set", "commit_scale=0.03", "--seed", "7"]
COMMANDS = {
    "simulate": ["simulate", *COMMON, "--runs", "20"],
    "simulate, rivals": ["simulate", *COMMON, "--runs", "20", "--against", "rse", "--against", "ucb1"],
    "simulate, one u": ["simulate", *COMMON, "--runs", "20", "--u", "ü"],
    "replicate": ["replicate", *COMMON, "--seeds", "8", "--runs", "3"],
}


def without_seconds(text: str) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(text)
    for result in (values, *values.get("against", [])):
        assert result.pop("seconds") >= 0
    return values


@pytest.mark.parametrize("name", COMMANDS)
def test_json_csv_and_parquet_lead_back_to_the_same_result(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow")
    paths = [tmp_path / "r.json", tmp_path / "r.csv", tmp_path / "r.parquet"]
    assert run([*COMMANDS[name], "--json", "--csv", str(paths[1]), "--parquet", str(paths[2])]) == 0
    first = capsys.readouterr().out
    paths[0].write_text(first, encoding="utf-8")
    for path in paths:
        assert run(["rerun", str(path), "--json"]) == 0
        assert without_seconds(capsys.readouterr().out) == without_seconds(first)


def test_it_prints_the_tables_of_the_question(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, title in (("simulate", "pulls per arm"), ("replicate", "Where twins first part")):
        assert run([*COMMANDS[name], "--json"]) == 0
        (tmp_path / "r.json").write_text(capsys.readouterr().out, encoding="utf-8")
        assert run(["rerun", str(tmp_path / "r.json")]) == 0
        assert title in capsys.readouterr().out
