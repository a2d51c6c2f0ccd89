"""Pictures of the report: files for papers, and SVG in the page that follows its light or dark colours."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

from replibandit.paper.artefact import Artefact, Picture, Results, Settings
from replibandit.study import figures

INK = {
    "#000000": "currentColor",
    "#ffffff": "var(--page)",
    figures.GRID: "var(--grid)",
    figures.MUTED: "var(--muted)",
    **{colour.lower(): f"var(--ink-{number})" for number, colour in enumerate(figures.COLOURS, start=1)},
}


def draw(artefact: Artefact, settings: Settings, results: Results, number: int, folder: Path) -> str:
    """The picture of this number among an artefact's, in any process; returns its SVG for the page."""
    return save(artefact.analyse(settings, results).pictures[number], folder)


def save(picture: Picture, folder: Path) -> str:
    """Draw once; write SVG, PDF and PNG on white, the same bytes every time. Returns the SVG for the page."""
    with figures.styled():
        drawn = picture.draw()
        drawn.draw_without_rendering()  # lays it out: once, and not again for each format
        drawn.set_layout_engine(None)  # "none" would still draw everything twice
        for suffix in figures.FORMATS:
            figures.save(drawn, folder / f"{picture.name}{suffix}")
    return inline((folder / f"{picture.name}.svg").read_text(encoding="utf-8"), picture)


def inline(svg: str, picture: Picture) -> str:
    """The SVG as part of the page: its colours named by the style sheet, so that it follows light and dark."""
    svg = svg[svg.index("<svg ") :].strip()
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'<svg ([^>]*?)width="[^"]*pt"', r"<svg \1", svg, count=1)
    svg = re.sub(r'<svg ([^>]*?)height="[^"]*pt"', r"<svg \1", svg, count=1)
    svg = svg.replace("<svg ", f'<svg role="img" aria-label="{escape(picture.caption)}" ', 1)
    svg = _own_names(svg, picture.name)
    return re.sub(r"#[0-9a-fA-F]{6}\b", lambda found: INK.get(found[0].lower(), found[0]), svg)


def _own_names(svg: str, name: str) -> str:
    """Many pictures share one page: no id may stand for something in another picture."""
    svg = re.sub(r'\bid="', f'id="{name}-', svg)
    svg = svg.replace("url(#", f"url(#{name}-")
    return re.sub(r'href="#', f'href="#{name}-', svg)
