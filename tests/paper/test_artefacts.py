"""The whole report, small: every artefact is there, complete and labelled."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from replibandit.errors import UnknownName
from replibandit.paper.artefact import Artefact
from replibandit.paper.artefacts import ARTEFACTS, chosen
from replibandit.paper.parts import Parts
from replibandit.paper.press import make
from replibandit.simulate.pool import Pool
from tests.paper.conftest import Whole, check

NEEDED = {
    "figure-1",
    "figure-2",
    "lower-bound",
    "necessity",
    "practitioner",
    "table-1",
    "table-2",
    "table-3",
    "tuned",
}


def test_every_table_and_figure_has_its_artefact() -> None:
    assert {artefact.name for artefact in ARTEFACTS} >= NEEDED


@pytest.mark.parametrize("artefact", ARTEFACTS, ids=lambda artefact: artefact.name)
def test_it_is_made_complete_and_labelled(whole: Whole, artefact: Artefact) -> None:
    section = whole.report.sections[artefact]
    check(artefact, section)
    assert whole.data(artefact)
    for table in section.tables:
        lines = (whole.folder / "tables" / f"{table.name}.csv").read_text(encoding="utf-8").splitlines()
        assert len(lines) == len(table.rows) + 1
    for picture in section.pictures:
        for suffix in (".svg", ".pdf", ".png"):
            assert (whole.folder / "figures" / f"{picture.name}{suffix}").stat().st_size > 2000


def test_two_processes_find_the_same_as_one(whole: Whole, tmp_path: Path) -> None:
    """Searches, entries and what is built on them; the whole was made on one."""
    artefacts = chosen(["table-3", "tuned"])
    with Pool(2) as pool:
        report = make(artefacts, whole.report.settings, Parts(tmp_path), pool=pool)
    for artefact in artefacts:
        ours, theirs = (made.results()[artefact.key] for made in (report, whole.report))
        assert json.dumps(ours) == json.dumps(theirs)


def test_names_choose_artefacts_in_the_order_of_the_report() -> None:
    assert [artefact.name for artefact in chosen(["table-3", "figure-1"])] == ["figure-1", "table-3"]
    assert chosen([]) == ARTEFACTS


def test_an_unknown_name_is_told_the_known_ones() -> None:
    with pytest.raises(UnknownName, match=r"'table-9'; known artefacts: .*table-2"):
        chosen(["table-9"])
