"""The press: runs the tasks of some artefacts, keeps what is finished, and sets the sections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from replibandit.errors import InvalidParameter
from replibandit.paper.artefact import Artefact, Results, Section, Settings, Task
from replibandit.paper.parts import Parts, fingerprint
from replibandit.simulate.engine import Progress
from replibandit.simulate.pool import Call, run_calls
from replibandit.version import __version__

SCHEMA = "replibandit/paper-results/1"


@dataclass(frozen=True, slots=True)
class Report:
    """Every section, and the seconds behind it."""

    settings: Settings
    sections: dict[Artefact, Section]
    seconds: dict[str, float]  # by key of task, as measured when it was run

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
    processes: int = 1,
    progress: Progress | None = None,
) -> Report:
    """Run what is not yet on disk, then analyse: in two waves, as sweeps may need what was prepared."""
    bench = Bench(parts, processes, progress)
    preparation = {artefact: list(artefact.prepare(settings)) for artefact in artefacts}
    bench.run([task for tasks in preparation.values() for task in tasks])
    sweeps = {}
    for artefact in artefacts:
        sweeps[artefact] = list(artefact.sweep(settings, bench.results(preparation[artefact])))
    bench.run([task for tasks in sweeps.values() for task in tasks])
    sections = {}
    for artefact in artefacts:
        sections[artefact] = artefact.analyse(settings, bench.results(preparation[artefact] + sweeps[artefact]))
    return Report(settings, sections, bench.seconds)


class Bench:
    """Tasks in, results out; each distinct task is run once, or found on disk."""

    def __init__(self, parts: Parts, processes: int, progress: Progress | None) -> None:
        self._parts, self._processes, self._progress = parts, processes, progress
        self._found: dict[str, Any] = {}  # by identity
        self._done = self._known = 0
        self.seconds: dict[str, float] = {}

    def run(self, tasks: Sequence[Task]) -> None:
        """Run all tasks that have no result yet."""
        distinct = {identity(task): task for task in tasks if identity(task) not in self._found}
        self._known += len(distinct)
        missing = []
        for task in distinct.values():
            part = self._parts.find(task)
            if part is None:
                missing.append(task)
            else:
                self._note(task, *part)
        for done in run_calls([Call(task.function, task.arguments) for task in missing], self._processes):
            task = missing[done.number]
            self._note(task, self._parts.keep(task, done.result, done.seconds), done.seconds)

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
        self._done += 1
        if self._progress:
            self._progress(self._done, self._known)


def identity(task: Task) -> str:
    """The task's name on disk."""
    return task.identity(fingerprint())
