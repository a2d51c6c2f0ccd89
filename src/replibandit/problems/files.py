"""Problem files (TOML, JSON) and reward files (CSV, Parquet).

A reward file has either one column per arm, or two columns called ``arm`` and ``reward`` in any order. In the wide
form a blank cell means "no more rewards of this arm on this line". Every bad cell is named by file and line.
"""

from __future__ import annotations

import csv
import io
import json
import math
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from replibandit.core.invariants import HUGE, file_path, shown
from replibandit.errors import MissingExtra, UnreadableFile

TALL = {"arm", "reward"}  # the columns of the second form
Row = tuple[str, list[Any]]  # where it stands ("line 7"), its cells


def read_settings(path: Path) -> dict[str, Any]:
    """The table in a TOML or JSON file."""
    readers: dict[str, Callable[[str], Any]] = {".toml": tomllib.loads, ".json": json.loads}
    if path.suffix.lower() not in readers:
        raise UnreadableFile(f"{path} must end in .toml, .json, .csv or .parquet, but ends in {path.suffix!r}.")
    text = _text(path)  # no earlier: what ends in nothing known may be a device without an end
    try:
        values = readers[path.suffix.lower()](text)
    except (ValueError, RecursionError) as error:  # a syntax error, a number or a nesting without end
        raise UnreadableFile(f"{path} is not valid {path.suffix[1:].upper()}: {error}.") from None
    if not isinstance(values, dict):
        raise UnreadableFile(f"{path} must hold one JSON object, but holds a {type(values).__name__}.")
    return values


def read_rewards(path: str | Path) -> dict[str, Any]:
    """``samples`` and ``labels`` of an `Empirical` problem."""
    path = file_path("path", path)
    header, rows = _parquet(path) if path.suffix.lower() == ".parquet" else _csv(path)
    if len(set(header)) != len(header) or not all(header):
        raise UnreadableFile(f"{path}: every column needs its own name, but the header is {shown(header)}.")
    samples = _tall(path, header, rows) if _is_tall(header) else _wide(path, header, rows)
    empty = [label for label, rewards in samples.items() if not rewards]
    if empty:
        raise UnreadableFile(f"{path}: every arm needs at least one reward, but {empty[0]!r} has none.")
    if not samples:
        raise UnreadableFile(f"{path} holds no rewards.")
    return {"samples": tuple(map(tuple, samples.values())), "labels": tuple(samples)}


def _is_tall(header: Iterable[str]) -> bool:
    return set(header) >= TALL


def _wide(path: Path, header: list[str], rows: Iterable[Row]) -> dict[str, list[float]]:
    samples: dict[str, list[float]] = {label: [] for label in header}
    for place, cells in rows:
        if len(cells) != len(header):
            raise UnreadableFile(f"{path}, {place}: expected {len(header)} cells, but found {len(cells)}.")
        for label, cell in zip(header, cells, strict=True):
            if cell is not None and str(cell).strip():
                samples[label].append(_number(path, place, label, cell))
    return samples


def _tall(path: Path, header: list[str], rows: Iterable[Row]) -> dict[str, list[float]]:
    arm, reward = header.index("arm"), header.index("reward")
    samples: dict[str, list[float]] = {}
    for place, cells in rows:
        if len(cells) != len(header):
            raise UnreadableFile(f"{path}, {place}: expected {len(header)} cells, but found {len(cells)}.")
        label = "" if cells[arm] is None else str(cells[arm]).strip()
        if not label:
            raise UnreadableFile(f"{path}, {place}: the arm is blank.")
        samples.setdefault(label, []).append(_number(path, place, "reward", cells[reward]))
    return dict(sorted(samples.items()))


def _number(path: Path, place: str, column: str, cell: object) -> float:
    try:
        number = float(cell) if isinstance(cell, bool) else float(str(cell))  # success as True or False is 1 or 0
    except ValueError:
        number = math.nan
    if not abs(number) <= HUGE:
        raise UnreadableFile(
            f"{path}, {place}, column {column!r}: a reward must be a finite number of at most {HUGE:g} in size, "
            f"but got {shown(cell)}."
        )
    return number


def _csv(path: Path) -> tuple[list[str], Iterator[Row]]:
    lines = _lines(path)
    header = [cell.strip() for cell in next(lines, ("", []))[1]]
    if not header:
        raise UnreadableFile(f"{path} is empty; its first line must name the columns.")
    numbered = [[str(arm + first) for arm in range(len(header))] for first in (0, 1)]
    if any(_is_number(cell) for cell in header) and header not in numbered:
        raise UnreadableFile(
            f"{path}, line 1: expected column names (or arms numbered from 0 or 1), but found {shown(header)}."
        )
    return header, lines


def _lines(path: Path) -> Iterator[Row]:
    """The lines of a CSV file that are not blank."""
    reader = csv.reader(io.StringIO(_text(path), newline=""))
    try:
        for cells in reader:
            if cells:
                yield f"line {reader.line_num}", cells
    except csv.Error as error:
        raise UnreadableFile(f"{path}, line {reader.line_num}: {error}.") from None


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _parquet(path: Path) -> tuple[list[str], Iterator[Row]]:
    try:
        from pyarrow import ArrowException, parquet  # noqa: PLC0415  an extra
    except ImportError:
        raise MissingExtra("reading Parquet", "pyarrow", "tables") from None
    refuse_other_than_files(path)
    try:
        table = parquet.read_table(path)
    except FileNotFoundError:
        raise UnreadableFile(f"{path} does not exist.") from None
    except (ArrowException, OSError) as error:
        raise UnreadableFile(f"{path} is not a readable Parquet file: {error}.") from None
    named = list(zip(table.column_names, table.columns, strict=True))
    if _is_tall(table.column_names):  # what else a log of pulls holds may be of any type
        named = [(name, column) for name, column in named if name in TALL]
    columns = [_cells(path, name, column) for name, column in named]
    rows = ((f"row {number}", list(cells)) for number, cells in enumerate(zip(*columns, strict=True), 1))
    return [name for name, _ in named], rows


def _cells(path: Path, name: str, column: Any) -> list[Any]:  # noqa: ANN401  a module without types
    try:
        cells: list[Any] = column.to_pylist()
    except (ValueError, OverflowError, NotImplementedError) as error:  # a time finer or later than Python's
        raise UnreadableFile(
            f"{path}, column {name!r}: a reward must be a number, but got values of type {column.type}: {error}."
        ) from None
    return cells


def refuse_other_than_files(path: Path) -> None:
    """Refuse a folder, and a device, which may have no end."""
    try:
        other = path.exists() and not path.is_file()
    except (OSError, ValueError):  # reading it will say why
        other = False
    if other:
        raise UnreadableFile(f"{path} cannot be read: it is a folder or a device, not a file; name a file.")


def _text(path: Path) -> str:
    refuse_other_than_files(path)
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UnreadableFile(f"{path} does not exist.") from None
    except UnicodeDecodeError as error:
        raise UnreadableFile(f"{path} is not UTF-8 text: {error.reason} at byte {error.start}.") from None
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError as error:  # a name with a null byte
        raise UnreadableFile(f"{str(path)!r} cannot be read: {error}.") from None
