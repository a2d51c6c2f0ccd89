"""Pictures: the same bytes every time, colours that follow the page, names of their own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from replibandit.paper.artefact import Picture
from replibandit.paper.page.pictures import save
from replibandit.study import figures

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def line() -> Figure:
    figure, (axes,) = figures.panels(1)
    axes.plot([1, 2], [3, 4], color=figures.COLOURS[0], label="a line")
    axes.set(xlabel="here", ylabel="there")
    axes.legend()
    return figure


LINE = Picture("line", 'A "line" & more.', line)


def test_every_format_is_the_same_bytes_every_time(tmp_path: Path) -> None:
    for folder in (tmp_path / "1", tmp_path / "2"):
        folder.mkdir()
        save(LINE, folder)
    for suffix in figures.FORMATS:
        first, second = ((tmp_path / folder / f"line{suffix}").read_bytes() for folder in "12")
        assert first == second


def test_the_svg_of_the_page_follows_its_colours_and_is_named_for_readers(tmp_path: Path) -> None:
    svg = save(LINE, tmp_path)
    assert "var(--ink-1)" in svg
    assert "var(--page)" in svg
    assert not re.search(r"#0072b2", svg, re.IGNORECASE)
    assert 'aria-label="A &quot;line&quot; &amp; more."' in svg
    assert re.search(r'<svg [^>]*viewBox="', svg)
    assert not re.search(r'<svg [^>]*\b(width|height)="', svg)


def test_ids_carry_the_name_of_their_picture(tmp_path: Path) -> None:
    svg = save(LINE, tmp_path)
    ids = set(re.findall(r'\bid="([^"]*)"', svg))
    assert ids
    assert all(name.startswith("line-") for name in ids)
    used = {*re.findall(r'href="#([^"]*)"', svg), *re.findall(r"url\(#([^)]*)\)", svg)}
    assert used <= ids


def test_the_text_of_the_page_stays_text(tmp_path: Path) -> None:
    assert ">here<" in re.sub(r"\s+", "", save(LINE, tmp_path))
