"""Making one artefact small, or the whole report; and what must hold for each."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from replibandit.paper.artefact import Artefact, Section, Settings
from replibandit.paper.artefacts import ARTEFACTS
from replibandit.paper.parts import Parts
from replibandit.paper.press import Report, make
from replibandit.paper.write import open_folder, write
from replibandit.study import figures

Made = Callable[..., Section]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """Make an artefact in this process; its section is complete, labelled and plain before a test sees it."""

    def make_one(artefact: Artefact, runs: int = 20) -> Section:
        section = make([artefact], Settings(runs=runs), Parts(tmp_path)).sections[artefact]
        check(artefact, section)
        return section

    return make_one


@dataclass(frozen=True)
class Whole:
    """The whole report in a folder, with few runs."""

    folder: Path
    report: Report

    @property
    def results(self) -> dict[str, Any]:
        """results.json."""
        found: dict[str, Any] = json.loads((self.folder / "results.json").read_text(encoding="utf-8"))
        return found

    @property
    def page(self) -> str:
        """index.html."""
        return (self.folder / "index.html").read_text(encoding="utf-8")

    def data(self, artefact: Artefact) -> Any:
        """What results.json holds of one artefact."""
        return self.results[artefact.key]


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """Made once for all tests that look at it."""
    folder = tmp_path_factory.mktemp("report")
    report = make(ARTEFACTS, Settings(runs=20), open_folder(folder))
    write(report, folder, seconds=lambda: 1.0)
    return Whole(folder, report)


def check(artefact: Artefact, section: Section) -> None:
    """The section is not empty, everything in it has a caption, every axis a name."""
    names = [artefact.name, *(item.name for item in (*section.tables, *section.pictures))]
    assert len(set(names)) == len(names), "a page needs a name of its own for everything on it"
    assert section.data
    assert section.tables or section.pictures
    json.dumps(section.data, allow_nan=False)
    for table in section.tables:
        assert table.rows, f"{table.name} is empty"
        assert all(len(row) == len(table.headings) for row in table.rows)
        assert table.caption
    for picture in section.pictures:
        assert picture.caption
        with figures.styled():
            drawn = picture.draw()
        used = [axes for axes in drawn.axes if axes.axison]
        assert used
        for axes in used:
            assert axes.get_xlabel(), f"an axis of {picture.name} has no name"
            assert axes.get_ylabel(), f"an axis of {picture.name} has no name"
            assert axes.has_data(), f"a panel of {picture.name} is empty"
