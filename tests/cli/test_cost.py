"""``replibandit cost``."""

from __future__ import annotations

import json

import pytest

from replibandit.cli import run


def test_the_command_prints_both_families(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["cost", "--arms", "10"]) == 0
    told = capsys.readouterr().out
    assert "10^16.9" in told
    assert "10^1,692.1" in told


def test_json_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["cost", "--arms", "2", "--rho", "0.5", "--horizon", "1e4", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["commit"]["negligible"] is True
    assert told["eliminate"]["negligible"] is False


def test_a_mistake_is_one_sentence_and_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["cost", "--arms", "1"]) == 2
    assert capsys.readouterr().err.startswith("error: `2 <= arms")
