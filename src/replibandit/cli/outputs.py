"""Where results go: JSON on stdout, tables of runs and pictures in files; all checked before any work is done."""

from __future__ import annotations

import csv
import json
import os
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from replibandit.core.files import whole_file
from replibandit.errors import InvalidParameter, MissingExtra, UnreadableFile
from replibandit.problems.files import read_settings, refuse_other_than_files
from replibandit.study import figures

PATH = click.Path(dir_okay=False, path_type=Path)
PATIENCE = 1.0  # seconds of work before a progress bar appears


def output_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """--json, --csv, --parquet, --plot."""
    decorators = (
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of tables."),
        click.option("--csv", "csv_file", type=PATH, help="Write one row per run; FILE-metadata.json says of what."),
        click.option("--parquet", "parquet_file", type=PATH, help="The same as Parquet, configuration included."),
        click.option("--plot", "plot_file", type=PATH, help="Draw a picture: .svg, .png or .pdf."),
    )
    for decorator in reversed(decorators):
        command = decorator(command)
    return command


@dataclass(frozen=True, slots=True, kw_only=True)
class Outputs:
    """What was asked for."""

    as_json: bool
    csv_file: Path | None
    parquet_file: Path | None
    plot_file: Path | None

    def check(self, *others: Path | None) -> None:
        """Refuse what could not be written, before the work; ``others`` are written beside these files."""
        targets = [path for path in (self.csv_file, self.parquet_file, self.plot_file, *others) if path is not None]
        for path in targets:
            check_place(path)
        if self.csv_file is not None:
            targets.append(metadata_file(self.csv_file))
            check_place(targets[-1])
        _check_apart(targets)
        if self.parquet_file is not None:
            _pyarrow()
        if self.plot_file is not None:
            figures.check_target(self.plot_file)

    def write(self, table: dict[str, list[Any]], config: dict[str, Any]) -> None:
        """The rows, each file with its configuration."""
        text = json.dumps(config, ensure_ascii=False)
        if self.csv_file is not None:
            with whole_file(self.csv_file) as draft, draft.open("w", newline="", encoding="utf-8") as file:
                writer = csv.writer(file)
                writer.writerow(table)
                writer.writerows(zip(*table.values(), strict=True))
            with whole_file(metadata_file(self.csv_file)) as draft:
                draft.write_text(text + "\n", encoding="utf-8")
        if self.parquet_file is not None:
            pa, parquet = _pyarrow()
            rows = pa.table(table).replace_schema_metadata({"replibandit": text})
            with whole_file(self.parquet_file) as draft, draft.open("wb") as columns:
                parquet.write_table(rows, columns)  # given a name, it would delete what it cannot write to


def metadata_file(path: Path) -> Path:
    """The file beside a CSV that holds its configuration (the name is that of CSV on the Web)."""
    return path.with_name(path.name + "-metadata.json")


def read_configuration(path: Path) -> dict[str, Any]:
    """The configuration in a file written by --json, --csv or --parquet."""
    suffix = path.suffix.lower()
    if suffix == ".csv":
        return read_settings(metadata_file(path))
    if suffix != ".parquet":
        return read_settings(path)
    pa, parquet = _pyarrow()
    refuse_other_than_files(path)
    try:
        metadata = parquet.read_schema(path).metadata or {}
        values = json.loads(metadata[b"replibandit"])
    except FileNotFoundError:
        raise UnreadableFile(f"{path} does not exist.") from None
    except (KeyError, ValueError, RecursionError, OSError, pa.ArrowException):
        values = None
    if not isinstance(values, dict):
        raise UnreadableFile(f"{path} carries no configuration: `replibandit --parquet` did not write it.")
    return values


def print_json(values: dict[str, Any]) -> None:
    """One object, on one line per key of the top level when a person reads it."""
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    click.echo(json.dumps(values, ensure_ascii=not unicode, indent=2 if Console().is_terminal else None))


class ProgressBar:
    """A bar on stderr, if that is a terminal and the work takes more than a second.

    A timer shows it, so that work which says nothing for long is seen to go on.
    """

    def __init__(self, label: str) -> None:
        self._label, self._console = label, Console(stderr=True)
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
        )
        self._bar = Progress(*columns, TimeRemainingColumn(), console=self._console, transient=True)
        self._task = self._bar.add_task(label, total=None)
        self._timer = threading.Timer(PATIENCE, self._bar.start)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._timer.start()
        return self

    def __call__(self, done: int, total: int, running: str = "") -> None:
        """Show how far the work is, and the name of what runs."""
        label = f"{self._label}: {running}" if running else self._label
        self._bar.update(self._task, completed=done, total=total, description=label)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        if self._timer.ident is not None:
            self._timer.join()  # it may be about to start the bar
        if self._bar.live.is_started:
            self._bar.stop()


def check_place(path: Path) -> None:
    """Refuse a file that could not be written."""
    if not path.name or path.is_dir():
        raise InvalidParameter(f"an output must be the name of a file, but got {str(path)!r}; choose another name.")
    folder = path.parent
    if not folder.is_dir():
        raise InvalidParameter(
            f"the folder of {str(path)!r} must exist, but {str(folder)!r} does not; create it first."
        )
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise InvalidParameter(f"{str(path)!r} must be writable, but it is not; choose another file.")


def _check_apart(paths: list[Path]) -> None:
    """Refuse two outputs in one file."""
    seen: set[Path] = set()
    for path in paths:
        if path.resolve() in seen:
            raise InvalidParameter(
                f"every output needs a file of its own, but {str(path)!r} is asked for twice; choose another name."
            )
        seen.add(path.resolve())


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa  # noqa: PLC0415  an extra
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError:
        raise MissingExtra("writing Parquet", "pyarrow", "tables") from None
    return pa, parquet
