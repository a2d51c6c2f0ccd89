"""How `tune` looks for settings: screening of many, heats of some, finals of a few.

Every candidate of a stage is measured on the same seeds (common random numbers): U and the noise of its phases are
those of its rivals, so that differences between candidates are far better known than the candidates themselves. Each
stage has fresh seeds: a search picks some candidates for their luck, and luck does not last. Each finalist has its
own, so that the next may be chosen by how the last has done.

A search that refines goes on refining in the heats: only there is nonreplication known well enough to come close to
the target without passing it.
"""

from __future__ import annotations

import math
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
CHOSEN, MEASURED = 3, 4  # spawn keys of the search (1 and 2 are U and rewards: simulate/streams.py)
GRID = {1: 61, 2: 31}  # points per knob of a full grid; more knobs get five each
# Candidates are wanted a little below the target as well: some of those just below it are there by luck alone.
SEARCH_BARS = (1.0, 0.9, 0.8)
HEAT_BARS = (0.9, 0.6, 1.0, 0.75, 0.95, 0.85, 0.8, 0.7)  # safe ones among the first: there may be room for few
# Where an interval of the finals is expected to end, as a part of the way from the estimate of the heats to its upper
# limit: sqrt(800 / 3000 seeds), times 1.35 for a level that allows for six finalists.
TO_FINALS = 0.7
FIRST_STEP, NEXT_STEPS = 0.6, 0.6  # how much bolder after a success, safer after a failure; and how that shrinks
LAST_RESORT = 3.0  # for the last finalist, where none before it has passed


@dataclass(frozen=True, slots=True)
class Stage:
    """How many candidates at most are measured, on how many values of U, with how many runs of each."""

    number: int
    candidates: int
    seeds: int
    runs: int


SCREENING = Stage(0, 600, 150, 10)
HEATS = Stage(1, 40, 800, 10)
FINALS = Stage(2, 6, 3000, 10)
PER_KNOB = 100  # candidates of a screening
HEATS_PER_KNOB = 4  # on top of HEATS_AT_LEAST
HEATS_AT_LEAST = 16
FEWEST_SEEDS = 10
HASTE = 5  # below 1 / HASTE of the usual effort heats and finals get fewer candidates as well,
LEAST_PART = 0.4  # down to this part of them


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

    def measure(self, settings: Settings, stage: Stage, level: float = LEVEL, own: int = 0) -> Candidate:
        """Regret and nonreplication of one candidate; ``own`` tells apart those that have seeds of their own."""
        policy = self.configured(settings)
        if policy.arms > 1 and np.count_nonzero(policy.first_active()) == 1:
            return self._unseen(settings)
        found = measure(
            policy,
            self.problem,
            seeds=max(FEWEST_SEEDS, round(stage.seeds * self.effort)),
            runs=stage.runs,
            seed=int(self._sequence(MEASURED, stage.number, own).generate_state(1, np.uint64)[0] >> 1),
            level=level,
        )
        return Candidate(settings=settings, regret=found.regret, nonreplication=found.nonreplication)

    def _unseen(self, settings: Settings) -> Candidate:
        """An arm chosen before any reward could be any arm: its regret is that of the worst, not of the first."""
        regret = float(self.configured(settings).horizon * self.problem.gaps.max())
        method = "the worst arm, as one is chosen before any reward"
        return Candidate(
            settings=settings,
            regret=Interval(regret, regret, regret, method),
            nonreplication=Interval(0.0, 0.0, 0.0, method),
        )

    @property
    def heats(self) -> int:
        """Candidates of the heats."""
        return self._part(min(HEATS_AT_LEAST + HEATS_PER_KNOB * len(self.knobs), HEATS.candidates))

    @property
    def finals(self) -> int:
        """Candidates of the finals."""
        return self._part(FINALS.candidates)

    def _part(self, count: int) -> int:
        return math.ceil(count * min(max(HASTE * self.effort, LEAST_PART), 1))

    def settings(self, place: FloatArray) -> Settings:
        """The settings at a place of the unit cube."""
        values = zip(self.knobs.items(), place, strict=True)
        return tuple((name, float(knob.at(np.array(where)))) for (name, knob), where in values)

    def place(self, candidate: Candidate) -> FloatArray:
        """Where in the unit cube a candidate is."""
        values = zip(self.knobs.values(), candidate.settings, strict=True)
        return np.array([knob.place(value) for knob, (_, value) in values])

    def chance(self, stage: Stage) -> np.random.Generator:
        """The randomness by which the candidates of a stage are chosen."""
        return np.random.default_rng(self._sequence(CHOSEN, stage.number))

    def _sequence(self, *key: int) -> np.random.SeedSequence:
        return np.random.SeedSequence(self.seed, spawn_key=key)


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
        yield bench.measure(bench.settings(place), SCREENING)


def refine(bench: Bench, target: float, candidates: int) -> Iterator[Candidate]:
    """Fill the cube evenly, then draw around the best places, closer and closer."""
    rng = bench.chance(SCREENING)
    opening = max(candidates // 4, 1)
    places = list(qmc.Sobol(len(bench.knobs), rng=rng).random(1 << (opening - 1).bit_length())[:opening])
    seen: list[Candidate] = []
    for number in range(candidates):
        if number < opening:
            place = places[number]
        else:
            bar = target * SEARCH_BARS[number % len(SEARCH_BARS)]
            progress = (number - opening) / (candidates - opening)
            ranked = sorted(seen, key=lambda candidate: _rank(candidate, bar))
            place = _near(bench, rng, ranked[: max(3, round(12 * (1 - progress)))], 0.25 * 0.1**progress)
        seen.append(bench.measure(bench.settings(place), SCREENING))
        yield seen[-1]


def _near(bench: Bench, rng: np.random.Generator, elite: Sequence[Candidate], spread: float) -> FloatArray:
    """A place near one of the best, some of its knobs as another has them."""
    knobs = len(bench.knobs)
    one, other = (bench.place(elite[index]) for index in rng.integers(len(elite), size=2))
    mixed = np.where(rng.random(knobs) < 0.7, one, other)
    near: FloatArray = np.clip(mixed + spread * rng.standard_normal(knobs), 0, 1)
    return near


def _rank(candidate: Candidate, bar: float, to_limit: float = 0.0) -> tuple[bool, float]:
    """Below the bar the least regret is best; above it, and behind those below, the least nonreplication."""
    feared = _feared(candidate, to_limit)
    return feared > bar, feared if feared > bar else candidate.regret.estimate


def _feared(candidate: Candidate, to_limit: float) -> float:
    """Nonreplication somewhere between the estimate (0) and its upper limit (1)."""
    found = candidate.nonreplication
    return found.estimate + to_limit * (found.high - found.estimate)


def heats(bench: Bench, target: float, screened: Sequence[Candidate], *, closing: bool) -> Iterator[Candidate]:
    """The most promising again, on more and fresh seeds; with ``closing`` half of them are new, drawn near these."""
    count = bench.heats
    groups = [[c for c in screened if c.nonreplication.estimate <= bar * target] for bar in HEAT_BARS]
    seen: list[Candidate] = []
    for candidate in _shortlist(screened, groups, count // 2 if closing else count):
        seen.append(bench.measure(candidate.settings, HEATS))
        yield seen[-1]
    rng, begun = bench.chance(HEATS), len(seen)
    while closing and len(seen) < count:
        progress = (len(seen) - begun) / (count - begun)
        ranked = sorted(seen, key=lambda candidate: _rank(candidate, target, TO_FINALS))
        place = _near(bench, rng, ranked[:3], 0.03 * 0.1**progress)
        seen.append(bench.measure(bench.settings(place), HEATS))
        yield seen[-1]


def finals(bench: Bench, target: float, seen: Sequence[Candidate]) -> Iterator[Candidate]:
    """The best of the heats, bolder after a success and safer after a failure.

    Each has fresh seeds and a limit that fails with probability 5 % over their number whatever came before it, so
    that with probability 95 % all of them hold (Bonferroni).
    """
    level = 1 - (1 - LEVEL) / bench.finals
    caution, step, passed = TO_FINALS, FIRST_STEP, False
    left = list({candidate.settings: candidate for candidate in seen}.values())
    for number in range(min(bench.finals, len(left))):
        if number == bench.finals - 1 and not passed:
            caution = LAST_RESORT
        chosen = min(left, key=lambda candidate: _rank(candidate, target, caution))
        left.remove(chosen)
        finalist = bench.measure(chosen.settings, FINALS, level, own=number)
        yield finalist
        succeeded = finalist.nonreplication.high <= target
        passed = passed or succeeded
        caution += -step if succeeded else step
        step *= NEXT_STEPS


def _shortlist(seen: Sequence[Candidate], groups: Sequence[Sequence[Candidate]], count: int) -> list[Candidate]:
    """The least regret of each group in turn, then the next of each; if all are empty, the most replicable."""
    queues = [sorted(group, key=lambda c: c.regret.estimate) for group in groups]
    listed: dict[Settings, Candidate] = {}
    for candidate in chain.from_iterable(zip_longest(*queues)):
        if candidate is not None and len(listed) < count:
            listed.setdefault(candidate.settings, candidate)
    return list(listed.values()) or sorted(seen, key=lambda c: c.nonreplication.high)[:count]
