"""The press: waves, parts on disk, the same bytes on any number of processes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from replibandit.errors import InvalidParameter
from replibandit.paper.artefact import Artefact, Results, Section, Settings, Table, Task, number, text
from replibandit.paper.parts import Parts
from replibandit.paper.press import make
from replibandit.simulate.pool import Pool

CALLS: list[int] = []


def double(*, value: int) -> dict[str, int]:
    CALLS.append(value)
    if value == 13:
        raise KeyboardInterrupt
    return {"double": 2 * value}


def first(settings: Settings) -> Iterable[Task]:
    yield Task("shared/first", double, {"value": settings.runs})


def sweep(settings: Settings, prepared: Results) -> Iterable[Task]:
    del settings
    start: int = prepared["shared/first"]["double"]
    for value in range(start, start + 3):
        yield Task(f"toy/{value}", double, {"value": value})


def analyse(settings: Settings, results: Results) -> Section:
    del settings
    doubles = {key: found["double"] for key, found in results.items()}
    rows = tuple((text(key), number(value, 0)) for key, value in doubles.items())
    return Section(data=doubles, tables=(Table("toy", "Toy", ("task", "double"), rows),))


TOY = Artefact("toy", "Toy", "A toy.", sweep, analyse, first)


def results_json(folder: Path, processes: int = 1, **settings: Any) -> str:
    with Pool(processes) as pool:
        return json.dumps(make([TOY], Settings(**settings), Parts(folder), pool=pool).results())


def test_a_sweep_sees_what_was_prepared_and_the_analysis_sees_both(tmp_path: Path) -> None:
    data = make([TOY], Settings(runs=5), Parts(tmp_path)).results()["toy"]
    assert data == {"shared/first": 10, "toy/10": 20, "toy/11": 22, "toy/12": 24}


def test_one_and_two_processes_give_the_same_bytes(tmp_path: Path) -> None:
    assert results_json(tmp_path / "1", 1, runs=5) == results_json(tmp_path / "2", 2, runs=5)


def test_a_finished_part_is_not_run_again(tmp_path: Path) -> None:
    once = results_json(tmp_path, runs=5)
    CALLS.clear()
    assert results_json(tmp_path, runs=5) == once
    assert CALLS == []


def test_an_interruption_keeps_what_is_finished(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        results_json(tmp_path, runs=6)  # 6 -> 12, then 12, 13: the last one interrupts
    CALLS.clear()
    with pytest.raises(KeyboardInterrupt):
        results_json(tmp_path, runs=6)
    assert CALLS == [13]


def test_a_damaged_part_is_run_again(tmp_path: Path) -> None:
    once = results_json(tmp_path, runs=5)
    for part in tmp_path.glob("*.json"):
        part.write_text('{"result": ', encoding="utf-8")
    assert results_json(tmp_path, runs=5) == once


def test_tasks_that_are_equal_are_run_once(tmp_path: Path) -> None:
    CALLS.clear()
    twin = Artefact("twin", "Twin", "The same tasks.", sweep, analyse, first)
    make([TOY, twin], Settings(runs=5), Parts(tmp_path))
    assert sorted(CALLS) == [5, 10, 11, 12]


def test_two_tasks_of_one_name_are_refused(tmp_path: Path) -> None:
    def clash(settings: Settings, prepared: Results) -> Iterable[Task]:
        del settings, prepared
        yield Task("toy/a", double, {"value": 1})
        yield Task("toy/a", double, {"value": 2})

    with pytest.raises(InvalidParameter, match="'toy/a'"):
        make([Artefact("toy", "Toy", "A toy.", clash, analyse)], Settings(), Parts(tmp_path))


def test_progress_names_what_runs(tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    make([TOY], Settings(runs=5), Parts(tmp_path), progress=lambda *seen: told.append(seen))
    assert told == [(0, 1, "shared/first"), (1, 4, "toy/10"), (2, 4, "toy/11"), (3, 4, "toy/12")]


def test_a_sweep_that_needs_nothing_is_run_with_the_preparations(tmp_path: Path) -> None:
    def alone(settings: Settings, prepared: Results) -> Iterable[Task]:
        del settings, prepared
        yield Task("alone/1", double, {"value": 77})

    CALLS.clear()
    make([TOY, Artefact("alone", "Alone", "A toy.", alone, analyse)], Settings(runs=5), Parts(tmp_path))
    assert CALLS[:2] == [5, 77]
