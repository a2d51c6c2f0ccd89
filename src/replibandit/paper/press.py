"""The press: runs the tasks of some artefacts, keeps what is finished, and sets the sections."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from replibandit.errors import InvalidParameter
from replibandit.paper.artefact import Artefact, Results, Section, Settings, Task
from replibandit.paper.parts import Parts, fingerprint
from replibandit.simulate.pool import Call, Pool
from replibandit.version import __version__

SCHEMA = "replibandit/paper-results/1"
Progress = Callable[[int, int, str], None]  # tasks done, tasks known, the name of what runs


@dataclass(frozen=True, slots=True)
class Report:
    """Every section, what it was made from, and the seconds behind it."""

    settings: Settings
    sections: dict[Artefact, Section]
    found: dict[Artefact, Results]
    seconds: dict[str, float]  # of processor time by key of task, as measured when it was run

    def results(self) -> dict[str, Any]:
        """results.json: the same bytes for the same settings and versions, however it was run."""
        sections = {artefact.key: section.data for artefact, section in self.sections.items()}
        return {
            "schema": SCHEMA,
            "settings": self.settings.to_dict(),
            "versions": versions(),
        } | sections

    def seconds_by_part(self) -> dict[str, float]:
        """Seconds by the first word of the tasks' keys: an artefact, or what several share."""
        found: dict[str, float] = {}
        for key, seconds in self.seconds.items():
            part = key.partition("/")[0]
            found[part] = found.get(part, 0.0) + seconds
        return dict(sorted(found.items()))


def versions() -> dict[str, str]:
    """Everything with a version that a number depends on."""
    source = fingerprint()[:16]
    return {"replibandit": __version__, "source": source, "numpy": np.__version__, "scipy": scipy.__version__}


def make(
    artefacts: Sequence[Artefact],
    settings: Settings,
    parts: Parts,
    *,
    pool: Pool | None = None,
    progress: Progress | None = None,
) -> Report:
    """Run what is not yet on disk, then analyse: in two waves, as sweeps may need what was prepared.

    Sweeps that need nothing fill up the first wave: no process idles while the last preparation runs.
    """
    bench = Bench(parts, pool or Pool(), progress)
    tasks = {artefact: list(artefact.prepare(settings)) for artefact in artefacts}
    ready = {artefact: list(artefact.sweep(settings, {})) for artefact in artefacts if not tasks[artefact]}
    bench.run([task for some in (*tasks.values(), *ready.values()) for task in some])
    for artefact in artefacts:
        known = bench.results(tasks[artefact])
        tasks[artefact] += ready.get(artefact) or artefact.sweep(settings, known)
    bench.run([task for some in tasks.values() for task in some])
    found = {artefact: bench.results(tasks[artefact]) for artefact in artefacts}
    sections = {artefact: artefact.analyse(settings, found[artefact]) for artefact in artefacts}
    return Report(settings, sections, found, bench.seconds)


class Bench:
    """Tasks in, results out; each distinct task is run once, or found on disk."""

    def __init__(self, parts: Parts, pool: Pool, progress: Progress | None) -> None:
        self._parts, self._pool, self._progress = parts, pool, progress
        self._found: dict[str, Any] = {}  # by identity
        self._known = 0
        self.seconds: dict[str, float] = {}

    def run(self, tasks: Sequence[Task]) -> None:
        """Run all tasks that have no result yet."""
        distinct = {identity(task): task for task in tasks if identity(task) not in self._found}
        self._known += len(distinct)
        missing = {}
        for name, task in distinct.items():
            part = self._parts.find(task)
            if part is None:
                missing[name] = task
            else:
                self._note(task, *part)
        self._tell(missing)
        names = list(missing)
        for done in self._pool.run([Call(task.function, task.arguments) for task in missing.values()]):
            task = missing.pop(names[done.number])
            self._note(task, self._parts.keep(task, done.result, done.seconds), done.seconds)
            self._tell(missing)

    def results(self, tasks: Sequence[Task]) -> Results:
        """The results of these tasks by their keys."""
        named: dict[str, str] = {}
        for task in tasks:
            if named.setdefault(task.key, identity(task)) != identity(task):
                raise InvalidParameter(f"each task needs a key of its own, but two are called {task.key!r}.")
        return {key: self._found[found] for key, found in named.items()}

    def _note(self, task: Task, result: object, seconds: float) -> None:
        self._found[identity(task)] = result
        self.seconds[task.key] = seconds

    def _tell(self, missing: Mapping[str, Task]) -> None:
        """Tasks are begun in their order, so the first that is missing is under way."""
        if self._progress and missing:
            self._progress(len(self._found), self._known, next(iter(missing.values())).key)


def identity(task: Task) -> str:
    """The task's name on disk."""
    return task.identity(fingerprint())
