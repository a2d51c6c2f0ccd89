"""`tune`: the constants with the least regret among those that were measured to be replicable enough.

Every candidate is measured on the same seeds (common random numbers): U and the noise of its phases are those of its
rivals, so that differences between candidates are far better known than the candidates themselves. The best go on to
heats and finals, each on fresh seeds: a search picks some candidates for their luck, a final does not.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np
from scipy.stats import qmc

from replibandit.core.arrays import FloatArray
from replibandit.core.invariants import one_of, real, whole
from replibandit.core.knobs import Knob
from replibandit.core.policy import PhasedPolicy
from replibandit.core.problem import Problem
from replibandit.core.spec import Spec
from replibandit.errors import InvalidParameter
from replibandit.simulate.engine import Progress
from replibandit.study.intervals import LEVEL, Interval
from replibandit.study.measure import measure

Search = Literal["grid", "refine"]
SEARCHES: tuple[Search, ...] = ("grid", "refine")
GRID = {1: 61, 2: 31}  # points per knob of a full grid; more knobs get five each
SCREENING = (150, 10)  # values of U, runs of each: of every candidate,
HEATS = (600, 20)  # of the best of them,
FINALS = (2500, 20)  # and of the finalists; each stage on fresh seeds
IN_HEATS, FINALISTS = 60, 8
CHOSEN = 3  # spawn key of the search's own randomness (1 and 2 are U and rewards: simulate/streams.py)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One setting of the knobs and what was measured of it."""

    settings: tuple[tuple[str, float], ...]
    regret: Interval
    nonreplication: Interval

    def to_dict(self) -> dict[str, Any]:
        """The candidate as plain JSON values."""
        return {
            "settings": dict(self.settings),
            "regret": dataclasses.asdict(self.regret),
            "nonreplication": dataclasses.asdict(self.nonreplication),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """Everything a search has seen. ``best`` is None if no candidate was confirmed."""

    policy: PhasedPolicy
    problem: Problem
    target: float
    best: Candidate | None
    finalists: tuple[Candidate, ...]
    candidates: tuple[Candidate, ...]
    config: dict[str, Any]

    @property
    def tuned(self) -> PhasedPolicy:
        """The policy with the best settings."""
        if self.best is None:
            least = min(self.candidates, key=lambda c: c.nonreplication.estimate)
            raise InvalidParameter(
                f"no setting was measured to be {self.target:g}-replicable; the least nonreplication found was "
                f"{least.nonreplication}. Allow more, widen the space, or use another policy."
            )
        return configured(self.policy, self.best.settings)

    @property
    def frontier(self) -> tuple[Candidate, ...]:
        """The candidates that no other beats in both regret and nonreplication, least nonreplication first."""
        order = sorted(self.candidates, key=lambda c: (c.nonreplication.estimate, c.regret.estimate))
        kept: list[Candidate] = []
        for candidate in order:
            if not kept or candidate.regret.estimate < kept[-1].regret.estimate:
                kept.append(candidate)
        return tuple(kept)

    @property
    def warning(self) -> str:
        """What a tuned number is, and what it is not."""
        return (
            f"rho = {self.target:g} was measured on this instance and horizon; it is not guaranteed on any other. "
            "For a guarantee use the theorem's or certified constants."
        )

    def to_dict(self) -> dict[str, Any]:
        """The tuning as plain JSON values."""
        return {
            "best": None if self.best is None else self.best.to_dict(),
            "frontier": [candidate.to_dict() for candidate in self.frontier],
            "finalists": [candidate.to_dict() for candidate in self.finalists],
            "candidates": len(self.candidates),
            "target": self.target,
            "warning": self.warning,
        } | self.config


def tune(
    policy: PhasedPolicy,
    problem: Problem,
    *,
    target: float = 0.3,
    search: Search = "refine",
    space: Mapping[str, Knob | tuple[float, float]] | None = None,
    candidates: int = 600,
    seed: int = 0,
    progress: Progress | None = None,
) -> Tuning:
    """Search the policy's knobs for the least regret whose nonreplication is at most ``target``.

    "At most" means that the upper 95 % confidence limit over values of U is, on fresh seeds, allowing for all
    finalists that were tried. ``search="grid"`` is the paper's way; ``"refine"`` goes from coarse to fine.

    >>> import replibandit as rb
    >>> policy = rb.REC(arms=3, horizon=1000, rho=0.3, sigma=0.5)
    >>> tuning = rb.tune(policy, rb.problem("paper/model-2", sd=0.5), target=0.3, search="grid")
    >>> tuning.best.nonreplication.high <= 0.3
    True
    >>> tuning.tuned.commit_scale < 0.2
    True
    """
    real("target", target, above=0, high=1)
    one_of("search", search, SEARCHES)
    whole("candidates", candidates, low=10, high=10**6)
    knobs = space_of(policy, space)
    bench = Bench(policy, problem, knobs, seed)
    total = (GRID.get(len(knobs), 5) ** len(knobs) if search == "grid" else candidates) + IN_HEATS + FINALISTS
    report = _reporter(progress, total)
    seen = list(_grid(bench, report) if search == "grid" else _refine(bench, target, candidates, report))
    finalists, best = _confirm(bench, target, seen, report)
    config = {
        "question": "tune",
        "search": search,
        "seed": seed,
        "space": {name: [knob.low, knob.high] for name, knob in knobs.items()},
        "stages": {"screening": SCREENING, "heats": HEATS, "finals": FINALS},
        "policy": policy.to_dict() if isinstance(policy, Spec) else repr(policy),
        "problem": problem.to_dict(),
    }
    return Tuning(
        policy=policy,
        problem=problem,
        target=target,
        best=best,
        finalists=tuple(finalists),
        candidates=tuple(seen),
        config=config,
    )


def space_of(policy: PhasedPolicy, space: Mapping[str, Knob | tuple[float, float]] | None) -> dict[str, Knob]:
    """The knobs to turn: those asked for, or all the policy has."""
    subject = cast("Any", policy)
    own: dict[str, Knob] = getattr(subject, "knobs", {})
    if not dataclasses.is_dataclass(subject) or not (own or space):
        raise InvalidParameter(f"only a policy with knobs can be tuned, but {type(policy).__name__} has none.")
    if space is None:
        return own
    fields = {field.name for field in dataclasses.fields(subject)}
    unknown = sorted(set(space) - fields)
    if unknown:
        raise InvalidParameter(
            f"`space` must name options of {type(policy).__name__}, but got {unknown[0]!r}; "
            f"it has {', '.join(sorted(fields))}."
        )
    return {name: knob if isinstance(knob, Knob) else Knob(*knob) for name, knob in space.items()}


def configured(policy: PhasedPolicy, settings: Sequence[tuple[str, float]]) -> PhasedPolicy:
    """The policy with these settings."""
    return cast("PhasedPolicy", dataclasses.replace(cast("Any", policy), **dict(settings)))


class Bench:
    """Measures candidates, all on the same seeds."""

    def __init__(self, policy: PhasedPolicy, problem: Problem, knobs: dict[str, Knob], seed: int) -> None:
        self.policy, self.problem, self.knobs, self.seed = policy, problem, knobs, seed

    def settings(self, place: FloatArray) -> tuple[tuple[str, float], ...]:
        """The settings at a place of the unit cube."""
        values = zip(self.knobs.items(), place, strict=True)
        return tuple((name, float(knob.at(np.array(where)))) for (name, knob), where in values)

    def measure(
        self, settings: Sequence[tuple[str, float]], sizes: tuple[int, int], *, seed: int, level: float = LEVEL
    ) -> Candidate:
        """Regret and nonreplication of one candidate."""
        seeds, runs = sizes
        policy = configured(self.policy, settings)
        found = measure(policy, self.problem, seeds=seeds, runs=runs, seed=seed, level=level)
        return Candidate(settings=tuple(settings), regret=found.regret, nonreplication=found.nonreplication)


def _grid(bench: Bench, report: Callable[[], None]) -> Iterator[Candidate]:
    """A full grid over the unit cube."""
    knobs = len(bench.knobs)
    axis = np.linspace(0, 1, GRID.get(knobs, 5))
    for place in np.stack(np.meshgrid(*[axis] * knobs, indexing="ij"), axis=-1).reshape(-1, knobs):
        yield bench.measure(bench.settings(place), SCREENING, seed=bench.seed)
        report()


def _refine(bench: Bench, target: float, candidates: int, report: Callable[[], None]) -> Iterator[Candidate]:
    """Fill the cube evenly, then draw around the best places, closer and closer."""
    rng = np.random.default_rng(np.random.SeedSequence(bench.seed, spawn_key=(CHOSEN,)))
    knobs, opening = len(bench.knobs), candidates // 4
    places = list(qmc.Sobol(knobs, rng=rng).random(1 << (opening - 1).bit_length())[:opening])
    seen: list[tuple[float, FloatArray]] = []
    for number in range(candidates):
        if number < opening:
            place = places[number]
        else:
            progress = (number - opening) / (candidates - opening)
            elite = sorted(seen, key=lambda pair: pair[0])[: max(3, round(12 * (1 - progress)))]
            parents = [elite[index][1] for index in rng.integers(len(elite), size=2)]
            mixed = np.where(rng.random(knobs) < 0.7, parents[0], parents[1])
            place = np.clip(mixed + 0.25 * 0.1**progress * rng.standard_normal(knobs), 0, 1)
        candidate = bench.measure(bench.settings(place), SCREENING, seed=bench.seed)
        seen.append((_score(candidate, target), place))
        yield candidate
        report()


def _score(candidate: Candidate, target: float) -> float:
    """Regret, made worse where nonreplication is above the target."""
    excess = max(candidate.nonreplication.estimate / target - 1, 0.0)
    return candidate.regret.estimate * (1 + 4 * excess) + (excess > 0) * abs(candidate.regret.estimate) * 0.1


def _confirm(
    bench: Bench, target: float, seen: list[Candidate], report: Callable[[], None]
) -> tuple[list[Candidate], Candidate | None]:
    """Heats, then finals: the least regret among the finalists whose upper limit holds."""
    heats = []
    for candidate in sorted(seen, key=lambda c: _score(c, target))[:IN_HEATS]:
        heats.append(bench.measure(candidate.settings, HEATS, seed=bench.seed + 1))
        report()
    safe = sorted((c for c in heats if c.nonreplication.high <= target), key=lambda c: c.regret.estimate)
    rest = sorted((c for c in heats if c not in safe), key=lambda c: c.nonreplication.high)
    level = 1 - (1 - LEVEL) / FINALISTS  # all finalists' limits hold at once with probability 95 %
    finals = []
    for candidate in [*safe, *rest][:FINALISTS]:
        finals.append(bench.measure(candidate.settings, FINALS, seed=bench.seed + 2, level=level))
        report()
    passed = [c for c in finals if c.nonreplication.high <= target]
    return finals, min(passed, key=lambda c: c.regret.estimate, default=None)


def _reporter(progress: Progress | None, total: int) -> Callable[[], None]:
    done = 0

    def report() -> None:
        nonlocal done
        done += 1
        if progress:
            progress(min(done, total), total)

    return report
