"""The regret curve: mean pseudo-regret after each round of a log grid, exact inside a phase."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from replibandit.core import fold
from replibandit.core.arrays import FloatArray, IntArray, by_arm
from replibandit.core.openings import opened
from replibandit.core.order import first_pulls
from replibandit.simulate.engine import Job
from replibandit.simulate.runs import PhasedRuns, RoundRuns

CELLS = 1 << 22  # paths x grid rounds x arms held at once


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """Mean regret and its standard error after each of ``rounds``: ``[G]`` each."""

    rounds: IntArray
    mean: FloatArray
    se: FloatArray


def mean_curve(job: Job, runs: PhasedRuns | RoundRuns) -> Curve:
    """The curve of a batch of runs."""
    if isinstance(runs, RoundRuns):
        return _curve(job, runs.curve_sum, runs.curve_squares, runs.curve_origin)
    rows, weights = _representatives(job, runs)
    origin = path_curves(job, runs, rows[:1])[0]
    total, squares = np.zeros(origin.size), np.zeros(origin.size)
    step = max(1, CELLS // (origin.size * job.policy.arms))
    for first in range(0, rows.size, step):
        curves = path_curves(job, runs, rows[first : first + step])
        weight = weights[first : first + step]
        total += weight @ curves
        squares += weight @ (curves - origin) ** 2
    return _curve(job, total, squares, origin)


def _curve(job: Job, total: FloatArray, squares: FloatArray, origin: FloatArray) -> Curve:
    """Mean and standard error from a sum and a sum of squares about ``origin`` (which avoids cancellation)."""
    mean = total / job.runs
    spread = np.maximum(squares - job.runs * (mean - origin) ** 2, 0)
    se = np.sqrt(spread / (job.runs - 1) / job.runs) if job.runs > 1 else np.full(mean.size, np.nan)
    return Curve(job.grid, mean, se)


def path_curves(job: Job, runs: PhasedRuns, rows: IntArray) -> FloatArray:
    """Regret of the runs ``rows`` after each round of the grid: ``[rows, G]``.

    The pulls are planned again phase by phase from the arms' phases of leaving; no reward is needed.
    """
    policy, grid, gaps = job.policy, job.grid, job.problem.gaps
    u = job.u_of(rows)
    rule = opened(policy, u)
    regret = np.zeros((rows.size, grid.size))
    state = fold.start(policy, (rows.size,))
    while (state.elapsed < policy.horizon).any():
        place = fold.places(rule, state.phase, u)
        plan = fold.plan(rule, state, place)
        inside = np.clip(grid - state.elapsed[:, None], 0, plan.rounds[:, None])  # [rows, G]
        some = np.flatnonzero((inside > 0).any(axis=0))
        if some.size:
            pulls = np.broadcast_to(plan.pulls[:, None, :], (rows.size, some.size, policy.arms))
            ranks = place if place.ndim == 1 else place[:, None, :]
            regret[:, some] += first_pulls(policy.order, ranks, pulls, inside[:, some]) @ gaps
        played = fold.play(policy, state, plan)
        dropped = runs.left[rows] == state.phase
        active = by_arm(dropped.shape, fill=0, dtype=np.bool_)
        active[...] = state.active & ~dropped
        state = fold.State(state.phase + 1, played.elapsed, active, state.tally, played.digest)
    return regret


def _representatives(job: Job, runs: PhasedRuns) -> tuple[IntArray, IntArray]:
    """One run of each path with the number of runs that share it; where U sets the order, paths are the runs'."""
    if job.policy.order == "permuted":
        return np.arange(job.runs), np.ones(job.runs, dtype=np.int64)
    _, rows, weights = np.unique(runs.digests, return_index=True, return_counts=True)
    return rows, weights
