"""`tune`: the settings with the least regret among those that were measured to be replicable enough.

What is searched are the policy's knobs; how, is told in `search`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from replibandit.core.invariants import mapping, one_of, real, reals, shown, whole
from replibandit.core.knobs import Knob
from replibandit.core.policy import PhasedPolicy
from replibandit.core.problem import Problem
from replibandit.core.spec import Spec
from replibandit.core.subjects import check_policy, check_problem
from replibandit.errors import InvalidParameter
from replibandit.simulate.engine import Progress
from replibandit.study.config import carried, subjects, versions
from replibandit.study.search import (
    Bench,
    Candidate,
    Settings,
    finals,
    grid,
    grid_size,
    heats,
    refine,
    usual_candidates,
)

Search = Literal["grid", "refine"]
SEARCHES: tuple[Search, ...] = ("grid", "refine")
Space = Mapping[str, Knob | tuple[float, float]]
EDGE = 0.02  # the part of a knob's range that counts as its end


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
            raise InvalidParameter(
                f"no setting was measured to be {self.target:g}-replicable; the least nonreplication found was "
                f"{self.safest.nonreplication}. Allow more, widen the space, or use another policy."
            )
        return configured(self.policy, self.best.settings)

    @property
    def safest(self) -> Candidate:
        """The finalist with the lowest upper limit of nonreplication."""
        return min(self.finalists, key=lambda candidate: candidate.nonreplication.high)

    @property
    def frontier(self) -> tuple[Candidate, ...]:
        """The screened candidates that none beats in both regret and nonreplication, the most replicable first."""
        order = sorted(self.candidates, key=lambda c: (c.nonreplication.estimate, c.regret.estimate))
        kept: list[Candidate] = []
        for candidate in order:
            if not kept or candidate.regret.estimate < kept[-1].regret.estimate:
                kept.append(candidate)
        return tuple(kept)

    @property
    def at_the_edge(self) -> tuple[str, ...]:
        """The knobs that the best (or safest) candidate has turned to an end of their range."""
        chosen = self.best or self.safest
        space = {name: Knob(low, high) for name, (low, high) in self.config["space"].items()}
        places = {name: space[name].place(value) for name, value in chosen.settings if space[name].wide}
        return tuple(name for name, place in places.items() if not EDGE < place < 1 - EDGE)

    @property
    def warning(self) -> str:
        """What a tuned number is, and what it is not."""
        return (
            "nonreplication is measured on this instance and horizon; it is not guaranteed on any other. "
            "For a guarantee use the theorem's or certified constants."
        )

    def to_dict(self) -> dict[str, Any]:
        """The tuning as plain JSON values."""
        return {
            "best": None if self.best is None else self.best.to_dict(),
            "frontier": [candidate.to_dict() for candidate in self.frontier],
            "finalists": [candidate.to_dict() for candidate in self.finalists],
            "tried": len(self.candidates),
            "at_the_edge": list(self.at_the_edge),
            "warning": self.warning,
        } | self.config

    def table(self) -> dict[str, list[Any]]:
        """One row per candidate, as columns; ``stage`` tells the screened ones from the finalists."""
        stages = [("screening", self.candidates), ("finals", self.finalists)]
        rows = [(stage, candidate) for stage, candidates in stages for candidate in candidates]
        best, frontier = self.best, set(self.frontier)
        columns: dict[str, list[Any]] = {"stage": [stage for stage, _ in rows]}
        for index, (name, _) in enumerate(rows[0][1].settings):
            columns[name] = [candidate.settings[index][1] for _, candidate in rows]
        for measured in ("regret", "nonreplication"):
            for limit in ("estimate", "low", "high"):
                columns[f"{measured}_{limit}"] = [getattr(getattr(c, measured), limit) for _, c in rows]
        columns["frontier"] = [candidate in frontier for _, candidate in rows]
        columns["best"] = [candidate is best for _, candidate in rows]
        return columns


def tune(
    policy: PhasedPolicy,
    problem: Problem,
    *,
    target: float | None = None,
    search: Search = "refine",
    space: Space | None = None,
    candidates: int | None = None,
    effort: float = 1.0,
    seed: int = 0,
    progress: Progress | None = None,
) -> Tuning:
    """Search the policy's knobs for the least regret whose nonreplication is at most ``target``, by default its rho.

    "At most" means that the upper 95 % confidence limit over values of U is, on fresh seeds, allowing for all
    finalists that were tried. ``search="grid"`` is the paper's way; ``"refine"`` goes from coarse to fine with
    ``candidates`` in all (100 per knob, 600 at most, if not told). ``effort`` multiplies the values of U behind
    every measurement.

    >>> import replibandit as rb
    >>> policy = rb.REC(arms=3, horizon=1000, rho=0.3, sigma=0.5)
    >>> tuning = rb.tune(policy, rb.problem("paper/model-2", sd=0.5), target=0.3, search="grid")
    >>> tuning.best.nonreplication.high <= 0.3
    True
    >>> tuning.tuned.commit_scale < 0.2
    True
    """
    check_policy(policy)
    check_problem(problem)
    target = real("target", getattr(policy, "rho", 0.3) if target is None else target, above=0, high=1)
    one_of("search", search, SEARCHES)
    real("effort", effort, above=0, high=1000)
    knobs = space_of(policy, space)
    candidates = usual_candidates(len(knobs)) if candidates is None else candidates
    whole("candidates", candidates, low=10, high=10**6)
    seed = whole("seed", seed, low=0, high=2**63 - 1)
    bench = Bench(lambda settings: configured(policy, settings), problem, knobs, seed=seed, effort=effort)
    screened = grid_size(len(knobs)) if search == "grid" else candidates
    counted = _counter(progress, screened + bench.heats + bench.finals)
    seen = tuple(counted(grid(bench) if search == "grid" else refine(bench, target, candidates)))
    heated = tuple(counted(heats(bench, target, seen, closing=search == "refine")))
    finalists = tuple(counted(finals(bench, target, heated)))
    passed = [c for c in finalists if c.nonreplication.high <= target]
    config = {
        "question": "tune",
        "policy": policy.to_dict() if isinstance(policy, Spec) else repr(policy),
        "problem": problem.to_dict(),
        "target": target,
        "search": search,
        "space": {name: [float(knob.low), float(knob.high)] for name, knob in knobs.items()},
        "candidates": candidates,
        "effort": effort,
        "seed": seed,
        "versions": versions(),
    }
    return Tuning(
        policy=policy,
        problem=problem,
        target=target,
        best=min(passed, key=lambda c: c.regret.estimate, default=None),
        finalists=finalists,
        candidates=seen,
        config=config,
    )


def tuning_from_config(config: Mapping[str, Any], progress: Progress | None = None) -> Tuning:
    """The tuning that a result tells of, made again."""
    policy, problem = subjects(config)
    options = carried(config, "target", "search", "space", "candidates", "effort", "seed")
    space = options.pop("space")
    if not isinstance(space, Mapping):
        raise InvalidParameter(f"`space` must give a range for each knob, but got {shown(space)}.")
    return tune(policy, problem, space=space, progress=progress, **options)


def space_of(policy: PhasedPolicy, space: Space | None) -> dict[str, Knob]:
    """The knobs to turn: those asked for, or all the policy has."""
    subject = cast("Any", policy)
    own: dict[str, Knob] = getattr(subject, "knobs", {})
    if not dataclasses.is_dataclass(subject) or not (own or space):
        raise InvalidParameter(f"only a policy with knobs can be tuned, but {type(policy).__name__} has none.")
    if space is None:
        return own
    fields = {field.name for field in dataclasses.fields(subject)}
    unknown = sorted(set(mapping("space", space)) - fields)
    if unknown or not space:
        raise InvalidParameter(
            f"`space` must name options of {type(policy).__name__}, but got {unknown[0] if unknown else 'none'!r}; "
            f"it has {', '.join(sorted(fields))}."
        )
    found = {}
    for name, knob in space.items():
        counted = own[name].whole if name in own else isinstance(getattr(subject, name), int)
        found[name] = knob if isinstance(knob, Knob) else _knob(name, knob, counted)
    return found


def _knob(name: str, ends: object, whole_numbers: bool) -> Knob:  # noqa: FBT001  private
    values = reals(name, ends)
    if len(values) != 2:
        raise InvalidParameter(f"a knob needs two ends, low and high, but got {name}={list(values)}.")
    return Knob(values[0], values[1], whole=whole_numbers)


def configured(policy: PhasedPolicy, settings: Settings) -> PhasedPolicy:
    """The policy with these settings."""
    return cast("PhasedPolicy", dataclasses.replace(cast("Any", policy), **dict(settings)))


def _counter(progress: Progress | None, total: int) -> Callable[[Iterable[Candidate]], Iterator[Candidate]]:
    """Passes candidates on and reports how many there were, over all stages."""
    done = 0

    def counted(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        nonlocal done
        for candidate in candidates:
            done += 1
            if progress:
                progress(min(done, total), total)
            yield candidate

    return counted
