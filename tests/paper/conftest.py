"""Making one artefact small, and what must hold for each."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from replibandit.paper.artefact import Artefact, Section, Settings
from replibandit.paper.parts import Parts
from replibandit.paper.press import make
from replibandit.study import figures

Made = Callable[..., Section]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """Make an artefact in this process; its section is complete, labelled and plain before a test sees it."""

    def make_one(artefact: Artefact, runs: int = 20) -> Section:
        section = make([artefact], Settings(runs=runs), Parts(tmp_path)).sections[artefact]
        names = [artefact.name, *(item.name for item in (*section.tables, *section.pictures))]
        assert len(set(names)) == len(names), "a page needs a name of its own for everything on it"
        _check(section)
        return section

    return make_one


def _check(section: Section) -> None:
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
