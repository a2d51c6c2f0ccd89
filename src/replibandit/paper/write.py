"""The report on disk: index.html, results.json, timings.json, tables/*.csv, figures/*."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable
from pathlib import Path

from replibandit.errors import InvalidParameter
from replibandit.paper.page.html import page
from replibandit.paper.page.pictures import draw
from replibandit.paper.parts import Parts
from replibandit.paper.press import Report
from replibandit.simulate.pool import Call, Pool
from replibandit.study import figures

PARTS = ".parts"


def open_folder(out: Path) -> Parts:
    """The folder of the report, made if need be; refused before any work if nothing could be written to it."""
    if out.exists() and not out.is_dir():
        raise InvalidParameter(f"the report goes to a folder, but {str(out)!r} is a file; choose another --out.")
    probe = out / PARTS / ".probe"
    try:
        probe.parent.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        reason = error.strerror or str(error)
        raise InvalidParameter(
            f"the report must be writable, but {str(out)!r} is not ({reason.lower()}); choose another --out."
        ) from None
    figures.require_matplotlib()
    return Parts(out / PARTS)


def write(report: Report, out: Path, *, seconds: Callable[[], float], pool: Pool | None = None) -> None:
    """Everything; the page last, so that it never speaks of files that are not there."""
    pool = pool or Pool()
    sections = report.sections.values()
    tables = [table for section in sections for table in section.tables]
    pictures = [picture for section in sections for picture in section.pictures]
    _distinct([table.name for table in tables] + [picture.name for picture in pictures])
    for folder in ("tables", "figures"):
        (out / folder).mkdir(exist_ok=True)
    _json(out / "results.json", report.results())
    for table in tables:
        with (out / "tables" / f"{table.name}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(table.headings)
            writer.writerows([cell.plain for cell in row] for row in table.rows)
    drawn = _draw(report, out / "figures", pool)
    processes = pool.processes
    _json(out / "timings.json", {"processes": processes, "total": seconds(), "tasks": report.seconds})
    (out / "index.html").write_text(page(report, drawn, seconds=seconds(), processes=processes), encoding="utf-8")


def _draw(report: Report, folder: Path, pool: Pool) -> dict[str, str]:
    """Every picture, drawn in the pool: a process makes the section once more, as pictures cannot travel."""
    calls, names = [], []
    for artefact, section in report.sections.items():
        common = {"artefact": artefact, "settings": report.settings, "results": report.found[artefact]}
        for number, picture in enumerate(section.pictures):
            calls.append(Call(draw, {**common, "number": number, "folder": folder}))
            names.append(picture.name)
    return {names[done.number]: done.result for done in pool.run(calls)}


def _json(path: Path, values: object) -> None:
    path.write_text(json.dumps(values, ensure_ascii=False, indent=1, allow_nan=False) + "\n", encoding="utf-8")


def _distinct(names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InvalidParameter(f"tables and figures of a report need names of their own, but two are {name!r}.")
        seen.add(name)
