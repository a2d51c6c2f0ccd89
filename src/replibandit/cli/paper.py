"""``replibandit paper``: every table and figure of the paper, measured and set beside the printed numbers."""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path

import click
from rich.table import Table as Grid

from replibandit.cli.inputs import WHOLE
from replibandit.cli.outputs import ProgressBar, print_json
from replibandit.cli.tables import SLIM, console, show
from replibandit.core.invariants import whole
from replibandit.paper.artefact import Settings, Table
from replibandit.paper.artefacts import ARTEFACTS, chosen
from replibandit.paper.press import Report, make
from replibandit.paper.verdict import VERDICTS
from replibandit.paper.write import open_folder, write
from replibandit.simulate.pool import MAX_PROCESSES, Pool

NAMES = ", ".join(artefact.name for artefact in ARTEFACTS)


@click.command("paper", help=f"Reproduce the paper: every table and figure, as a report.\n\nArtefacts: {NAMES}.")
@click.option("--only", multiple=True, metavar="ARTEFACT", help="Make this artefact alone; repeatable.")
@click.option("--runs", type=WHOLE, default=300, show_default=True, help="Runs behind each number, as in the paper.")
@click.option("--seed", type=WHOLE, default=7, show_default=True, help="The seed behind everything.")
@click.option("--processes", type=WHOLE, help="Processes to work in.  [default: one per core]")
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("report"), show_default=True, help="Folder of the report."
)
@click.option("--json", "as_json", is_flag=True, help="Print results.json instead of a summary.")
def paper_command(
    only: tuple[str, ...], runs: int, seed: int, processes: int | None, out: Path, as_json: bool
) -> None:
    """Run what is not yet in the folder, write the report."""
    started = time.monotonic()
    artefacts, settings = chosen(only), Settings(runs, seed)
    processes = whole("processes", processes or os.cpu_count() or 1, low=1, high=MAX_PROCESSES)
    parts = open_folder(out)
    try:
        with Pool(processes) as pool, ProgressBar("reproducing the paper") as progress:
            report = make(artefacts, settings, parts, pool=pool, progress=progress)
            progress(1, 1, "figures and page")
            write(report, out, seconds=lambda: time.monotonic() - started, pool=pool)
    except KeyboardInterrupt:
        click.echo(f"the finished parts are kept in {out}; the same command goes on from there", err=True)
        raise
    if as_json:
        print_json(report.results())
    else:
        _print(report, out, tables=bool(only), seconds=time.monotonic() - started)


def _print(report: Report, out: Path, *, tables: bool, seconds: float) -> None:
    """The tables if artefacts were asked for by name, else one line for each."""
    screen = console()
    for artefact, section in report.sections.items():
        verdicts = Counter(
            cell.text for table in section.tables for row in table.rows for cell in row if cell.text in VERDICTS
        )
        told = ", ".join(f"{verdicts[word]} {word}" for word in VERDICTS if verdicts[word])
        screen.print(artefact.title + (f": {told}" if told else ""), style="bold" if tables else "")
        for table in section.tables if tables else ():
            show(screen, table.caption, _grid(table))
        for note in section.notes if tables else ():
            screen.print(note, style="dim")
    screen.print(f"{out / 'index.html'} written after {seconds:.1f} s", style="dim", soft_wrap=True)


def _grid(table: Table) -> Grid:
    grid = Grid(**SLIM)
    for column, heading in enumerate(table.headings):
        numbers = any("number" in row[column].look.split() for row in table.rows)
        grid.add_column(heading, justify="right" if numbers else "left")
    for row in table.rows:
        grid.add_row(*(cell.text for cell in row))
    return grid
