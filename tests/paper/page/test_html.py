"""The page: the numbers of results.json, nothing from elsewhere, every link leads somewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

import pytest

from replibandit.paper import printed
from replibandit.paper.artefact import Cell, Table
from replibandit.paper.page.html import LONG, _table
from tests.paper.conftest import Whole


@dataclass
class Page(HTMLParser):
    """What a reader sees of the page: rows of cells by table, ids, links."""

    rows: dict[str, list[list[str]]] = field(default_factory=dict)
    ids: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    tags: set[str] = field(default_factory=set)
    figure: str = ""

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.add(tag)
        self.ids += [found["id"]] if found.get("id") else []
        self.links += [str(value) for name, value in attrs if name in {"href", "src", "xlink:href"}]
        if tag == "figure":
            self.figure = str(found["id"])
            self.rows[self.figure] = []
        if tag == "tr":
            self.rows[self.figure].append([])
        if tag in {"td", "th"}:
            self.rows[self.figure][-1].append("")

    def handle_data(self, data: str) -> None:
        if self.lasttag in {"td", "th"} and self.rows.get(self.figure):
            self.rows[self.figure][-1][-1] += data.strip()


def read(page: str) -> Page:
    found = Page()
    found.feed(page)
    return found


def shown(value: float, error: float | None = None) -> str:
    return f"{value:,.1f}" + ("" if error is None else f" ± {error:,.1f}")


def expected(entry: dict[str, Any]) -> set[str]:
    """What a row must say of an entry."""
    paper, share = entry["paper"], entry["nonreplication"]
    return {
        shown(entry["regret"], entry["half_width"]),
        shown(paper["regret"], paper["half_width"]),
        f"{share['estimate']:.3f} ({share['low']:.3f} to {share['high']:.3f})",
        f"{entry['regret'] / paper['regret'] - 1:+.1%}",
    }


@pytest.mark.parametrize("protocol", ["as-written", "as-reconstructed"])
def test_table_2_shows_the_numbers_of_results_json(whole: Whole, protocol: str) -> None:
    heading, *rows = read(whole.page).rows[f"table-2-{protocol}"]
    assert heading[:3] == ["model", "policy", "ours"]
    data = whole.results["table_2"][protocol]
    entries = [(model, name) for model in printed.MODELS for name in printed.POLICIES]
    assert len(rows) == len(entries)
    for row, (model, name) in zip(rows, entries, strict=True):
        entry = data[model][name]
        assert row[:2] == [f"Model {model[-1]}", name]
        assert expected(entry) <= set(row)
        assert any(cell.endswith(entry["verdict"]) for cell in row)


@pytest.mark.parametrize("protocol", ["as-written", "as-reconstructed"])
def test_table_3_shows_the_numbers_of_results_json(whole: Whole, protocol: str) -> None:
    _, *rows = read(whole.page).rows[f"table-3-{protocol}"]
    data = whole.results["table_3"][protocol]
    entries = [(m, h, name) for m in printed.MODELS for h in printed.HORIZONS for name in printed.POLICIES]
    assert len(rows) == len(entries)
    for row, (model, horizon, name) in zip(rows, entries, strict=True):
        entry = data[model][name][str(horizon)]
        assert row[:3] == [f"Model {model[-1]}", f"{horizon:,}", name]
        assert expected(entry) <= set(row)
        assert any(cell.endswith(entry["verdict"]) for cell in row)


def test_every_table_of_the_report_is_on_the_page_whole(whole: Whole) -> None:
    rows = read(whole.page).rows
    for section in whole.report.sections.values():
        for table in section.tables:
            assert len(rows[table.name]) == len(table.rows) + 1


def test_the_page_needs_nothing_else(whole: Whole) -> None:
    page = read(whole.page)
    assert not page.tags & {"script", "link", "img", "iframe", "object"}
    assert "@import" not in whole.page
    assert not re.findall(r"url\((?!#)", whole.page)
    for link in page.links:
        if link.startswith("#"):
            assert link[1:] in page.ids
        else:
            assert (whole.folder / link).exists(), link


def test_no_id_stands_for_two_things(whole: Whole) -> None:
    ids = read(whole.page).ids
    assert len(set(ids)) == len(ids)


def test_settings_seeds_versions_and_timings_are_there(whole: Whole) -> None:
    for name, version in whole.results["versions"].items():
        assert f"{name} {version}" in whole.page
    assert "20 runs behind each number · seed 7" in whole.page
    assert {row[0] for row in read(whole.page).rows["timings"]} >= {"entries", "tuning"}
    assert str(whole.results["table_2"]["as-written"]["paper/model-1"]["REC"]["settings"]["seed"]) in whole.page


def test_a_long_table_is_folded_and_text_is_escaped() -> None:
    short = _table(Table("t", "a < b", ("x",), ((Cell("<b>"),),)))
    assert "a &lt; b" in short
    assert "&lt;b&gt;" in short
    assert "<details>" not in short
    assert "<details>" in _table(Table("t", "c", ("x",), ((Cell("1"),),) * (LONG + 1)))
