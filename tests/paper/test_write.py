"""The folder of the report: refused early, written whole, described in the documentation."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from replibandit.errors import InvalidParameter
from replibandit.paper.artefact import Artefact, Results, Section, Settings, Table, Task, nothing, number, text
from replibandit.paper.artefacts import ARTEFACTS
from replibandit.paper.parts import Parts
from replibandit.paper.press import make
from replibandit.paper.write import open_folder, write
from tests.paper.conftest import Whole

DOCS = Path(__file__).parents[2] / "docs"


def no_tasks(settings: Settings, prepared: Results) -> tuple[Task, ...]:
    del settings, prepared
    return ()


def one_table(settings: Settings, results: Results) -> Section:
    del settings, results
    rows = ((text("half"), number(0.5, 1, error=0.25)),)
    return Section(data={"half": 0.5}, tables=(Table("numbers", "Numbers", ("name", "value"), rows),))


def made(name: str, folder: Path) -> None:
    artefacts = [Artefact(each, each, "A toy.", no_tasks, one_table, nothing) for each in name.split()]
    write(make(artefacts, Settings(), Parts(folder)), folder, seconds=lambda: 2.5)


def test_a_csv_holds_values_and_json_the_data(tmp_path: Path) -> None:
    made("toy", tmp_path)
    written = (tmp_path / "tables" / "numbers.csv").read_text(encoding="utf-8")
    rows = list(csv.reader(written.splitlines()))
    assert rows == [["name", "value"], ["half", "0.5"]]
    results = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert results["toy"] == {"half": 0.5}
    assert results["settings"] == {"runs": 300, "seed": 7}
    assert json.loads((tmp_path / "timings.json").read_text(encoding="utf-8"))["total"] == 2.5


def test_two_tables_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter, match="'numbers'"):
        made("toy twin", tmp_path)


def test_timings_stay_out_of_results_json(whole: Whole) -> None:
    assert "seconds" not in json.dumps(whole.results)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    place = tmp_path / "report"
    place.write_text("", encoding="utf-8")
    with pytest.raises(InvalidParameter, match="is a file"):
        open_folder(place)


def test_the_schema_in_the_documentation_is_the_one_that_is_written(whole: Whole) -> None:
    told = (DOCS / "results-json.md").read_text(encoding="utf-8")
    entry = whole.results["table_2"]["as-written"]["paper/model-1"]["REC"]
    names = {*entry, *entry["settings"], *entry["nonreplication"], *entry["paper"], *whole.results["versions"]}
    names |= set(whole.results["figure_2"]["as-written"]["paper/model-1"]["REC"]["points"][0])
    names |= set(whole.results["figure_1"]["as-written"]["paper/model-1"]["REC"])
    names |= {"schema", "settings", "versions", "frontiers", "best", whole.results["schema"]}
    assert sorted(name for name in names if name not in told) == ["numpy", "scipy"], "written as NumPy and SciPy"


def test_the_documentation_lists_every_artefact() -> None:
    told = (DOCS / "paper-report.md").read_text(encoding="utf-8")
    assert [artefact.name for artefact in ARTEFACTS if f"`{artefact.name}`" not in told] == []
