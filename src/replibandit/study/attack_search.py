"""How `attack` looks for the worst instance: screening of many, heats and refinement of some, finals of a few.

Every measurement has fresh values of U and fresh rewards. The search picks instances for their luck as well as for
their badness, so only the finals count, and their limits hold for all finalists at once (Bonferroni).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from replibandit.core.policy import IndexPolicy, PhasedPolicy
from replibandit.core.problem import Problem
from replibandit.policies.known_gap import KnownGapETC
from replibandit.simulate.engine import Job, Progress, simulate_runs
from replibandit.simulate.streams import Sharing
from replibandit.study.attack_instances import TIED, Place, draws_per_run, looks, places, shapes
from replibandit.study.attack_laws import Law, laws
from replibandit.study.intervals import LEVEL, Interval, clopper_pearson
from replibandit.theory.noise import Assumption

ATTACK = 4  # spawn key of an attack's seeds (1, 2 and 3 are U, rewards and the search of `tune`)
BATCH = 1 << 17  # pairs simulated at once: bounds the memory
FEWEST = 200  # pairs below which a measurement says nothing
HEATS, ALIKE = 16, 5  # instances that go on from the screening, of one shape at most
EVERY = 4  # of the gaps that are swept finely, every fourth is tried with the other laws
CROSSED = 4  # of which are tried with every other law
REFINED = ((4, (-3, -2, -1, 1, 2, 3), 4), (2, (-2, -1, 1, 2), 16))  # (how many, moves, parts of a step) of each round
FINALISTS, OUTSIDERS = 6, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """Means of some shape and gap, with rewards of some law; ``judged`` if the claim covers it."""

    shape: str
    law: Law
    place: Place
    problem: Problem
    judged: bool
    draws: float  # single rewards per run, at most; 0 where a phase's sum is one draw

    @property
    def family(self) -> tuple[str, str]:
        """What stays the same when the gap is refined."""
        return self.shape, self.law.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What was measured on one instance."""

    instance: Instance
    stage: str
    pairs: int
    nonreplication: Interval

    @property
    def problem(self) -> Problem:
        """The instance as a problem that `replicate` takes."""
        return self.instance.problem

    def to_dict(self) -> dict[str, Any]:
        """The finding as plain JSON values."""
        instance = self.instance
        return {
            "shape": instance.shape,
            "law": instance.law.name,
            "gap": instance.place.gap,
            "judged": instance.judged,
            "pairs": self.pairs,
            "nonreplication": asdict(self.nonreplication),
            "problem": self.problem.to_dict(),
        }

    def __str__(self) -> str:
        instance = self.instance
        gap = f", gap {instance.place.gap:.4g}" if instance.shape != TIED else ""
        return f"{instance.shape}{gap}, {instance.law.name}: {self.nonreplication}"


@dataclass(frozen=True, slots=True)
class Stage:
    """How many pairs of twins each instance gets, and how many single rewards may be drawn for them."""

    name: str
    pairs: int
    draws: float

    def pairs_for(self, instance: Instance) -> int:
        """Fewer where every reward must be drawn."""
        return self.pairs if not instance.draws else min(self.pairs, int(self.draws / (2 * instance.draws)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What is attacked, and with how much effort."""

    policy: PhasedPolicy
    sigma: float
    noise: Assumption
    outside: bool
    sharing: Sharing
    pairs: int
    seed: int
    level: float

    @property
    def stages(self) -> tuple[Stage, Stage, Stage]:
        """A few pairs for many instances, many for few."""
        return (
            Stage("screening", min(max(self.pairs // 20, FEWEST), 1000), 2e5),
            Stage("heats", min(max(self.pairs // 5, 5 * FEWEST), 20_000), 2e6),
            Stage("finals", self.pairs, 4e7),
        )


class Range:
    """Makes instances and measures them; each measurement has a seed of its own."""

    def __init__(self, target: Target, progress: Progress | None = None) -> None:
        self.target, self._progress = target, progress
        self._number, self._done, self._total = 0, 0, 1
        policy, sigma = target.policy, target.sigma
        self.laws = laws(target.noise, outside=target.outside)
        self.shapes = {
            name: unit_means(policy, gaps)
            for name, gaps in shapes(policy.arms, math.exp(looks(policy, sigma).period)).items()
        }
        self.skipped = 0  # instances that would have needed too many single rewards

    def instance(self, shape: str, law: Law, place: Place) -> Instance | None:
        """The instance, None where the law has no room for it or its rewards are too many to draw."""
        target = self.target
        means = [place.gap * mean + 0.0 for mean in self.shapes[shape]]  # + 0.0: no negative zeros
        problem = law.made(means, target.sigma)
        if problem is None:
            return None
        lead = float(np.sort(problem.gaps)[1])
        by_round = not law.summed or isinstance(target.policy, IndexPolicy)
        found = Instance(
            shape=shape,
            law=law,
            place=place,
            problem=problem,
            judged=target.noise in law.covered_by and covers(target.policy, problem),
            draws=draws_per_run(target.policy, lead, target.sigma) if by_round else 0.0,
        )
        if target.stages[0].pairs_for(found) < FEWEST:
            self.skipped += 1
            return None
        return found

    def expect(self, opening: Sequence[Instance]) -> None:
        """About how many pairs the whole search will take, for the progress bar."""
        screening, heats, finals = self.target.stages
        later = HEATS + CROSSED * len(self.laws) + sum(count * len(moves) for count, moves, _ in REFINED)
        last = FINALISTS + OUTSIDERS * self.target.outside
        self._total = sum(map(screening.pairs_for, opening)) + later * heats.pairs + last * finals.pairs

    def measure(self, instances: Iterable[Instance], stage: Stage, level: float = LEVEL) -> Iterator[Finding]:
        """Each instance on pairs of twins of its own."""
        for instance in instances:
            pairs, self._number = stage.pairs_for(instance), self._number + 1
            seeds = np.random.SeedSequence(self.target.seed, spawn_key=(ATTACK, self._number))
            differing, sizes = 0, [min(BATCH, pairs - first) for first in range(0, pairs, BATCH)]
            for size, state in zip(sizes, seeds.generate_state(len(sizes), np.uint64).tolist(), strict=True):
                differing += count_differing(self.target, instance.problem, size, state >> 1)
                self._done += size
                if self._progress:
                    self._progress(min(self._done, self._total), self._total)
            interval = clopper_pearson(differing, pairs, level)
            yield Finding(instance=instance, stage=stage.name, pairs=pairs, nonreplication=interval)


def count_differing(target: Target, problem: Problem, pairs: int, seed: int) -> int:
    """How many of these pairs of twins play different sequences of arms."""
    job = Job(
        policy=target.policy,
        problem=problem,
        runs=2 * pairs,
        seed=seed,
        runs_per_seed=2,
        sharing=target.sharing,
    )
    first, second = simulate_runs(job).digests.reshape(pairs, 2).T
    return int((first != second).sum())


def unit_means(policy: PhasedPolicy, gaps: Sequence[float]) -> list[float]:
    """The means of a shape whose gap is 1; with features, the nearest means that are linear in them."""
    features = getattr(policy, "features", ())
    if not features:
        return [-gap for gap in gaps]
    rows = np.array(features)
    theta, *_ = np.linalg.lstsq(rows, -np.array(gaps), rcond=None)
    nearest: list[float] = (rows @ theta).tolist()
    return nearest


def covers(policy: PhasedPolicy, problem: Problem) -> bool:
    """Whether the policy's guarantee speaks of these means: known-gap ETC asks for a lead of the best arm."""
    if not isinstance(policy, KnownGapETC):
        return True
    return float(np.sort(problem.gaps)[1]) >= policy.gap * (1 - 1e-12)


def search(target: Target, progress: Progress | None = None) -> tuple[list[Finding], int]:
    """Every measurement of the attack, the finals last; and how many instances were too long to draw."""
    bench = Range(target, progress)
    screening, heats, finals = target.stages
    first = opening(bench)
    bench.expect(first)
    seen = list(bench.measure(first, screening))
    tried = list(bench.measure(going_on(bench, seen), heats))
    for count, moves, parts in REFINED:
        tried += bench.measure(refined(bench, tried, count, moves, parts), heats)
    level = 1 - (1 - target.level) / FINALISTS
    last = list(bench.measure(finalists(tried), finals, level))
    return seen + tried + last, bench.skipped


def opening(bench: Range) -> list[Instance]:
    """Every shape and gap with the first law; the other laws more coarsely, at the ends and in one period."""
    swept = places(bench.target.policy, bench.target.sigma)
    few = [place for place in swept if place.fine][::EVERY]
    tie, found = Place(0.0, 0.0, fine=True), []
    for number, law in enumerate(bench.laws):
        for shape in bench.shapes:
            some = [tie] if shape == TIED else few if number else swept
            found += [bench.instance(shape, law, place) for place in some]
    return [instance for instance in found if instance is not None]


def going_on(bench: Range, seen: Sequence[Finding]) -> list[Instance]:
    """The most promising of the screening, the worst of them with every law."""
    chosen = ranked(seen, HEATS, ALIKE)
    crossed = [bench.instance(best.shape, law, best.place) for best in chosen[:CROSSED] for law in bench.laws]
    ties = [finding.instance for finding in seen if finding.instance.shape == TIED]
    return unique([*chosen, *ties, *(instance for instance in crossed if instance is not None)])


def refined(bench: Range, tried: Sequence[Finding], count: int, moves: Sequence[int], parts: int) -> list[Instance]:
    """Gaps between those that were tried, around the worst of different families."""
    found = []
    for best in ranked([finding for finding in tried if finding.instance.place.gap], count, 1):
        step = best.place.step / parts
        for move in moves:
            place = replace(best.place, gap=best.place.gap * math.exp(move * step))
            found.append(bench.instance(best.shape, best.law, place))
    return [instance for instance in found if instance is not None]


def finalists(tried: Sequence[Finding]) -> list[Instance]:
    """The worst that the claim covers, and the worst of the others."""
    judged = [finding for finding in tried if finding.instance.judged]
    others = [finding for finding in tried if not finding.instance.judged]
    return [*ranked(judged, FINALISTS, 3), *ranked(others, OUTSIDERS, 1)]


def ranked(seen: Sequence[Finding], count: int, alike: int) -> list[Instance]:
    """The instances of highest nonreplication, covered ones first; while there are others, few ``alike``."""
    values, families = smoothed(seen), Counter[tuple[str, str]]()
    order = sorted(range(len(seen)), key=lambda i: (not seen[i].instance.judged, -values[i]))
    preferred: list[Instance] = []
    rest: list[Instance] = []
    for instance in unique(seen[index].instance for index in order):
        families[instance.family] += 1
        (preferred if families[instance.family] <= alike else rest).append(instance)
    return [*preferred, *rest][:count]


def smoothed(seen: Sequence[Finding]) -> list[float]:
    """Estimates, in the screening averaged with those of neighbouring gaps: luck is not shared by neighbours."""
    if seen and seen[0].stage != "screening":
        return [finding.nonreplication.estimate for finding in seen]
    values, weights = np.zeros(len(seen)), np.zeros(len(seen))
    estimates = np.array([finding.nonreplication.estimate for finding in seen])
    families: dict[tuple[str, str], list[int]] = {}
    for index, finding in enumerate(seen):
        families.setdefault(finding.instance.family, []).append(index)
    for members in families.values():
        rows = np.array(sorted(members, key=lambda i: seen[i].instance.place.gap))
        for shift, weight in ((0, 2.0), (1, 1.0), (-1, 1.0)):
            here, there = rows[max(-shift, 0) : rows.size - max(shift, 0)], rows[max(shift, 0) :]
            there = there[: here.size]
            values[here] += weight * estimates[there]
            weights[here] += weight
    smooth: list[float] = (values / np.maximum(weights, 1)).tolist()
    return smooth


def unique(instances: Iterable[Instance]) -> list[Instance]:
    """Without repetitions, in order."""
    found = {(instance.family, instance.place.gap): instance for instance in reversed(list(instances))}
    return list(reversed(found.values()))
