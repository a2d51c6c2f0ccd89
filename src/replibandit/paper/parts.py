"""Finished parts on disk: what an interrupted report need not compute again."""

from __future__ import annotations

import functools
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import scipy

import replibandit
from replibandit.core.files import whole_file
from replibandit.paper.artefact import Task
from replibandit.version import __version__

# rooms whose code cannot change a number of the report
NOT_PART = ("cli", "live", "serve", "adapters", "paper/page")


@functools.cache
def fingerprint() -> str:
    """Versions and source code behind every number: a part made by other code is not taken for a result of this."""
    root = Path(replibandit.__file__).parent
    digest = hashlib.sha256(f"{__version__}|{np.__version__}|{scipy.__version__}".encode())
    for file in sorted(root.rglob("*.py")):
        name = file.relative_to(root).as_posix()
        if not name.startswith(tuple(f"{room}/" for room in NOT_PART)):
            digest.update(name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


class Parts:
    """A folder with one file per finished task."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find(self, task: Task) -> tuple[Any, float] | None:
        """The task's result and the seconds it took, if it is there; a damaged file counts as none."""
        try:
            part = json.loads(self._file(task).read_text(encoding="utf-8"))
            return part["result"], float(part["seconds"])
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None

    def keep(self, task: Task, result: object, seconds: float) -> Any:  # noqa: ANN401  plain JSON
        """Write the part, whole or not at all; returns the result as it will be read again."""
        self.folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"key": task.key, "result": result, "seconds": seconds}, allow_nan=False)
        with whole_file(self._file(task)) as draft:
            draft.write_text(text, encoding="utf-8")
        return json.loads(text)["result"]

    def _file(self, task: Task) -> Path:
        return self.folder / f"{task.identity(fingerprint())}.json"
