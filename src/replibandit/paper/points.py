"""Points of a sweep: one policy on one problem, measured; and what tables and figures say about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from replibandit.core.policy import PhasedPolicy
from replibandit.core.problem import Problem
from replibandit.core.randomness import ConstantRandomness
from replibandit.core.spec import Spec
from replibandit.errors import InvalidParameter
from replibandit.paper.artefact import Cell
from replibandit.policies import policy_from_dict
from replibandit.problems import problem_from_dict
from replibandit.simulate.engine import Job, simulate_runs
from replibandit.simulate.runs import PhasedRuns
from replibandit.study.agreement import nonreplication_per_seed, over_seeds
from replibandit.study.measure import measure, summarised
from replibandit.study.simulation import checked_job

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Point = dict[str, Any]  # {"regret": {estimate, low, high, method}, "nonreplication": {the same}}


def point(policy: PhasedPolicy, problem: Problem, *, u: float | None = None) -> dict[str, Any]:
    """One point to measure, as plain values; with ``u`` every uniform is that constant: U is switched off."""
    if not isinstance(policy, Spec):
        raise InvalidParameter(f"a sweep is kept on disk, so its policies must be specs, but got {policy!r}.")
    return {"policy": policy.to_dict(), "problem": problem.to_dict(), "u": u}


def measure_points(points: Sequence[Mapping[str, Any]], seeds: int, runs: int, seed: int) -> list[Point]:
    """Measure each point on ``seeds`` values of U with ``runs`` datasets each: the same U and noise for all."""
    found = []
    for case in points:
        policy, problem = policy_from_dict(case["policy"]), problem_from_dict(case["problem"])
        u = None if case["u"] is None else ConstantRandomness(case["u"])
        found.append(measure(policy, problem, seeds=seeds, runs=runs, seed=seed, u=u).to_dict())
    return found


def stopped_points(points: Sequence[Mapping[str, Any]], seeds: int, runs: int, seed: int) -> list[Point]:
    """The same of policies that stop, with the phases they stop in.

    ``stopping`` holds shares of runs by phase, where phase "0" are those that explore to the end; ``phases_differ``
    is the share of twins that stop in different phases.
    """
    found = []
    for case in points:
        policy, problem = policy_from_dict(case["policy"]), problem_from_dict(case["problem"])
        job = checked_job(Job(policy=policy, problem=problem, runs=seeds * runs, seed=seed, runs_per_seed=runs))
        done = simulate_runs(job)
        if not isinstance(done, PhasedRuns):
            raise InvalidParameter(f"a stopping phase needs a policy that stops exploring, but got {policy!r}.")
        phases = done.stopping_phase
        differ = over_seeds(nonreplication_per_seed(phases.astype(np.uint64).reshape(seeds, runs)), runs)
        counted = zip(*(column.tolist() for column in np.unique(phases, return_counts=True)), strict=True)
        stopping = {str(phase): count / job.runs for phase, count in counted}
        found.append(summarised(job, done).to_dict() | {"phases_differ": asdict(differ), "stopping": stopping})
    return found


def limits(interval: Mapping[str, Any], digits: int = 3) -> Cell:
    """A cell with an estimate between its limits."""
    words = f"{interval['estimate']:,.{digits}f} ({interval['low']:,.{digits}f} to {interval['high']:,.{digits}f})"
    return Cell(words, interval["estimate"], look="number")


def draw_points(axes: Axes, places: Sequence[float], points: Sequence[Point], what: str, **looks: Any) -> None:  # noqa: ANN401
    """Estimates with their intervals along ``places``; ``what`` is "regret" or "nonreplication"."""
    estimates = [found[what]["estimate"] for found in points]
    below = [found[what]["estimate"] - found[what]["low"] for found in points]
    above = [found[what]["high"] - found[what]["estimate"] for found in points]
    axes.errorbar(places, estimates, yerr=(below, above), **looks)
