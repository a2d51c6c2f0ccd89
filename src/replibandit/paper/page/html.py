"""The report as one HTML file that needs nothing else: plain templates, all text escaped."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from html import escape
from importlib.resources import files
from string import Template

from replibandit.paper.artefact import Artefact, Cell, Picture, Section, Table
from replibandit.paper.press import Report

LONG = 30  # rows beyond which a table is folded
MARKS = {"matched": "●", "near": "◐", "not-matched": "○"}  # the verdict must not hang on colour alone


def page(report: Report, drawn: Mapping[str, str], *, seconds: float, processes: int) -> str:
    """The whole page; ``drawn`` holds the SVG of each picture by its name."""
    source = files("replibandit.paper.page")
    return Template(source.joinpath("page.html").read_text(encoding="utf-8")).substitute(
        style=source.joinpath("page.css").read_text(encoding="utf-8"),
        subtitle=escape(_subtitle(report)),
        contents="\n".join(_entry(artefact) for artefact in report.sections),
        sections="\n".join(_section(*pair, drawn) for pair in report.sections.items()),
        timings=_table(_timings(report, seconds, processes)),
        versions=_versions(report),
    )


def _subtitle(report: Report) -> str:
    settings = report.settings
    return f"{settings.runs:,} runs behind each number · seed {settings.seed}"


def _entry(artefact: Artefact) -> str:
    return f'<li><a href="#{artefact.name}">{escape(artefact.title)}</a></li>'


def _section(artefact: Artefact, section: Section, drawn: Mapping[str, str]) -> str:
    blocks = [f"<p>{escape(artefact.about)}</p>"]
    tables = [_table(table) for table in section.tables]
    pictures = [_picture(picture, drawn[picture.name]) for picture in section.pictures]
    blocks += pictures + tables if artefact.name.startswith("figure-") else tables + pictures
    blocks += [f'<p class="note">{escape(note)}</p>' for note in section.notes]
    if section.settings:
        lines = "".join(f"<dt>{escape(name)}</dt><dd>{escape(_line(value))}</dd>" for name, value in section.settings)
        blocks.append(f"<details><summary>Every setting</summary><dl>{lines}</dl></details>")
    body = "\n".join(blocks)
    return f'<section id="{artefact.name}"><h2>{escape(artefact.title)}</h2>\n{body}\n</section>'


def _line(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _table(table: Table) -> str:
    head = "".join(
        f'<th scope="col" class="{_look(cells)}">{escape(heading)}</th>'
        for heading, cells in zip(table.headings, zip(*table.rows, strict=True), strict=True)
    )
    rows = "\n".join(f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in table.rows)
    body = f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table></div>'
    if len(table.rows) > LONG:
        body = f"<details><summary>All {len(table.rows)} rows</summary>{body}</details>"
    return f'<figure class="table" id="{table.name}"><figcaption>{escape(table.caption)}</figcaption>{body}</figure>'


def _look(cells: Iterable[Cell]) -> str:
    """A column of numbers has its heading on the right, too."""
    return "number" if any("number" in cell.look.split() for cell in cells) else ""


def _cell(cell: Cell) -> str:
    title = f' title="{escape(cell.title)}"' if cell.title else ""
    mark = next((f"{mark} " for look, mark in MARKS.items() if look in cell.look.split()), "")
    return f'<td class="{cell.look}"{title}>{mark}{escape(cell.text)}</td>'


def _picture(picture: Picture, svg: str) -> str:
    links = " · ".join(
        f'<a href="figures/{picture.name}.{kind}">{kind.upper()}</a>' for kind in ("svg", "pdf", "png")
    )
    caption = f'<figcaption>{escape(picture.caption)} <span class="files">{links}</span></figcaption>'
    return f'<figure id="{picture.name}"><div class="wide">{svg}</div>{caption}</figure>'


def _timings(report: Report, seconds: float, processes: int) -> Table:
    rows = [(Cell(part), Cell(f"{spent:.1f}", look="number")) for part, spent in report.seconds_by_part().items()]
    many = f"{processes} process{'es' if processes > 1 else ''}"
    rows.append(
        (Cell(f"by the clock from start to end, {many}", look="strong"), Cell(f"{seconds:.1f}", look="number strong"))
    )
    caption = (
        "Seconds of processor time behind each part, as measured when it was run. “tuning” and “entries” serve "
        "several artefacts and are counted once."
    )
    return Table("timings", caption, ("part", "seconds"), tuple(rows))


def _versions(report: Report) -> str:
    versions: dict[str, str] = report.results()["versions"]
    return " · ".join(escape(f"{name} {version}") for name, version in versions.items())
