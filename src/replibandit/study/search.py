"""How `tune` looks for settings: screening of many, heats of some, finals of a few.

Every candidate of a stage is measured on the same seeds (common random numbers): U and the noise of its phases are
those of its rivals, so that differences between candidates are far better known than the candidates themselves. Each
stage has fresh seeds: a search picks some candidates for their luck, and luck does not last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, zip_longest
from typing import Any

import numpy as np
from scipy.stats import qmc

from replibandit.core.arrays import FloatArray
from replibandit.core.knobs import Knob
from replibandit.core.policy import PhasedPolicy
from replibandit.core.problem import Problem
from replibandit.study.intervals import LEVEL, Interval
from replibandit.study.measure import measure

Settings = tuple[tuple[str, float], ...]
CHOSEN = 3  # spawn key of the search's own randomness (1 and 2 are U and rewards: simulate/streams.py)
GRID = {1: 61, 2: 31}  # points per knob of a full grid; more knobs get five each
# Candidates are wanted a little below the target as well: some of those just below it are there by luck alone.
SEARCH_BARS = (1.0, 0.9, 0.8)
HEAT_BARS = (1.0, 0.95, 0.9, 0.85, 0.8, 0.7)


@dataclass(frozen=True, slots=True)
class Stage:
    """How many candidates at most are measured, on how many values of U, with how many runs of each."""

    number: int  # the stage's seed is the search's plus this
    candidates: int
    seeds: int
    runs: int


SCREENING = Stage(0, 600, 150, 10)
HEATS = Stage(1, 40, 500, 20)
FINALS = Stage(2, 8, 2000, 20)
PER_KNOB = 150  # candidates of a screening


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One setting of the knobs and what was measured of it."""

    settings: Settings
    regret: Interval
    nonreplication: Interval

    def to_dict(self) -> dict[str, Any]:
        """The candidate as plain JSON values."""
        return {
            "settings": dict(self.settings),
            "regret": asdict(self.regret),
            "nonreplication": asdict(self.nonreplication),
        }


class Bench:
    """Measures candidates, all of a stage on the same seeds."""

    def __init__(
        self,
        configured: Callable[[Settings], PhasedPolicy],
        problem: Problem,
        knobs: dict[str, Knob],
        *,
        seed: int,
        effort: float,
    ) -> None:
        self.configured, self.problem, self.knobs = configured, problem, knobs
        self.seed, self.effort = seed, effort

    def measure(self, settings: Settings, stage: Stage, level: float = LEVEL) -> Candidate:
        """Regret and nonreplication of one candidate."""
        found = measure(
            self.configured(settings),
            self.problem,
            seeds=max(20, round(stage.seeds * self.effort)),
            runs=stage.runs,
            seed=self.seed + stage.number,
            level=level,
        )
        return Candidate(settings=settings, regret=found.regret, nonreplication=found.nonreplication)

    def screen(self, place: FloatArray) -> Candidate:
        """The candidate at a place of the unit cube."""
        values = zip(self.knobs.items(), place, strict=True)
        return self.measure(
            tuple((name, float(knob.at(np.array(where)))) for (name, knob), where in values), SCREENING
        )


def grid_size(knobs: int) -> int:
    """Candidates of a full grid."""
    return int(GRID.get(knobs, 5) ** knobs)


def usual_candidates(knobs: int) -> int:
    """Candidates of a refining search, where no number was asked for."""
    return min(PER_KNOB * knobs, SCREENING.candidates)


def grid(bench: Bench) -> Iterator[Candidate]:
    """A full grid over the unit cube, as the paper searches."""
    knobs = len(bench.knobs)
    axis = np.linspace(0, 1, GRID.get(knobs, 5))
    for place in np.stack(np.meshgrid(*[axis] * knobs, indexing="ij"), axis=-1).reshape(-1, knobs):
        yield bench.screen(place)


def refine(bench: Bench, target: float, candidates: int) -> Iterator[Candidate]:
    """Fill the cube evenly, then draw around the best places, closer and closer."""
    rng = np.random.default_rng(np.random.SeedSequence(bench.seed, spawn_key=(CHOSEN,)))
    knobs, opening = len(bench.knobs), max(candidates // 4, 1)
    places = list(qmc.Sobol(knobs, rng=rng).random(1 << (opening - 1).bit_length())[:opening])
    seen: list[tuple[Candidate, FloatArray]] = []
    for number in range(candidates):
        if number < opening:
            place = places[number]
        else:
            bar = target * SEARCH_BARS[number % len(SEARCH_BARS)]
            progress = (number - opening) / (candidates - opening)
            ranked = sorted(seen, key=lambda pair: _rank(pair[0], bar))
            elite = ranked[: max(3, round(12 * (1 - progress)))]
            parents = [elite[index][1] for index in rng.integers(len(elite), size=2)]
            mixed = np.where(rng.random(knobs) < 0.7, parents[0], parents[1])
            place = np.clip(mixed + 0.25 * 0.1**progress * rng.standard_normal(knobs), 0, 1)
        candidate = bench.screen(place)
        seen.append((candidate, place))
        yield candidate


def _rank(candidate: Candidate, bar: float) -> tuple[bool, float]:
    """Below the bar the least regret is best; above it, and behind those below, the least nonreplication."""
    above = candidate.nonreplication.estimate > bar
    return above, candidate.nonreplication.estimate if above else candidate.regret.estimate


def heats(bench: Bench, target: float, seen: Sequence[Candidate]) -> Iterator[Candidate]:
    """The most promising again, on more and fresh seeds."""
    groups = [[c for c in seen if c.nonreplication.estimate <= bar * target] for bar in HEAT_BARS]
    for candidate in _shortlist(seen, groups, HEATS.candidates):
        yield bench.measure(candidate.settings, HEATS)


def finals(bench: Bench, target: float, seen: Sequence[Candidate]) -> Iterator[Candidate]:
    """The best of the heats; all their limits hold at once with probability 95 % (Bonferroni)."""
    safe = [c for c in seen if c.nonreplication.high <= target]
    likely = [c for c in seen if (c.nonreplication.estimate + c.nonreplication.high) / 2 <= target]
    level = 1 - (1 - LEVEL) / FINALS.candidates
    for candidate in _shortlist(seen, [safe, likely], FINALS.candidates):
        yield bench.measure(candidate.settings, FINALS, level)


def _shortlist(seen: Sequence[Candidate], groups: Sequence[Sequence[Candidate]], count: int) -> list[Candidate]:
    """The least regret of each group in turn, then the next of each; if all are empty, the most replicable."""
    queues = [sorted(group, key=lambda c: c.regret.estimate) for group in groups]
    listed: dict[Settings, Candidate] = {}
    for candidate in chain.from_iterable(zip_longest(*queues)):
        if candidate is not None and len(listed) < count:
            listed.setdefault(candidate.settings, candidate)
    return list(listed.values()) or sorted(seen, key=lambda c: c.nonreplication.high)[:count]
