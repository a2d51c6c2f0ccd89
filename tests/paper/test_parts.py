"""Parts on disk: found again only where everything behind the result is the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from replibandit.paper.artefact import Task
from replibandit.paper.parts import NOT_PART, Parts, fingerprint


def half(*, value: int) -> float:
    return value / 2


def double(*, value: int) -> int:
    return value * 2


TASK = Task("toy/half", half, {"value": 3})


def test_a_part_is_found_as_it_was_kept(tmp_path: Path) -> None:
    parts = Parts(tmp_path)
    assert parts.find(TASK) is None
    assert parts.keep(TASK, {"half": 1.5, "list": (1, 2)}, 0.25) == {"half": 1.5, "list": [1, 2]}
    assert parts.find(TASK) == ({"half": 1.5, "list": [1, 2]}, 0.25)
    assert [file.suffix for file in tmp_path.iterdir()] == [".json"], "no draft stays behind"


@pytest.mark.parametrize("other", [Task("toy/half", half, {"value": 4}), Task("toy/half", double, {"value": 3})])
def test_another_task_is_not_taken_for_it(tmp_path: Path, other: Task) -> None:
    parts = Parts(tmp_path)
    parts.keep(TASK, 1.5, 0.0)
    assert parts.find(other) is None


def test_the_key_alone_may_change(tmp_path: Path) -> None:
    parts = Parts(tmp_path)
    parts.keep(TASK, 1.5, 0.0)
    assert parts.find(Task("another/name", half, {"value": 3})) == (1.5, 0.0)


def test_a_part_of_other_code_or_versions_is_not_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = Parts(tmp_path)
    parts.keep(TASK, 1.5, 0.0)
    monkeypatch.setattr("replibandit.paper.parts.fingerprint", lambda: "another")
    assert parts.find(TASK) is None


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"seconds": 1}', '{"result": 1}', '{"result": 1, "seconds": []}'])
def test_a_damaged_part_counts_as_none(tmp_path: Path, damage: str) -> None:
    parts = Parts(tmp_path)
    parts.keep(TASK, 1.5, 0.0)
    for file in tmp_path.iterdir():
        file.write_text(damage, encoding="utf-8")
    assert parts.find(TASK) is None


def test_a_result_that_is_no_json_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON"):
        Parts(tmp_path).keep(TASK, float("nan"), 0.0)
    assert list(tmp_path.iterdir()) == []


def test_the_fingerprint_knows_every_room_a_number_can_come_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "study").mkdir()
    (tmp_path / "cli").mkdir()
    for name in ("__init__.py", "study/tuning.py", "cli/paper.py"):
        (tmp_path / name).write_text("a = 1\n", encoding="utf-8")
    monkeypatch.setattr("replibandit.__file__", str(tmp_path / "__init__.py"))
    seen = []
    for name in (None, "study/tuning.py", "cli/paper.py"):
        if name:
            (tmp_path / name).write_text("a = 2\n", encoding="utf-8")
        fingerprint.cache_clear()
        seen.append(fingerprint())
    fingerprint.cache_clear()
    assert seen[0] != seen[1], "another tuner makes other numbers"
    assert seen[1] == seen[2], "the command line cannot change a number"
    assert "paper/page" in NOT_PART
    json.dumps(seen)
