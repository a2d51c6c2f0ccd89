"""Runs followed to the very end: which arm was chosen, after how many pulls, and the data they leave for a test."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from replibandit.core import fold
from replibandit.core.arrays import FloatArray, IntArray, by_arm
from replibandit.policies.elimination import Elimination
from replibandit.simulate.engine import Job
from replibandit.simulate.phased import Chunk
from replibandit.simulate.runs import PhasedRuns
from replibandit.simulate.streams import reward_noise


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Outcomes:
    """One row per run; ``means`` are over every pull of an arm up to the horizon."""

    runs: PhasedRuns
    means: FloatArray  # [R, K]
    chosen: IntArray  # [R] the arm committed to, -1 = none before the horizon
    explored: FloatArray  # [R] pulls per arm until then, T / K if never


class _ToTheEnd(Chunk):
    """A chunk that also draws the rewards of the last, incomplete phase: no decision needs them, a test does.

    They come from a stream of their own, so the runs are those of the engine, bit for bit.
    """

    def totals_to(self, totals: FloatArray) -> None:
        """Fold every run to its horizon and write its total rewards."""
        self.totals, self.rest = totals, self.rng.spawn(1)[0]
        self.go()

    def _finish(self, state: fold.State, last: IntArray, which: np.ndarray) -> None:
        super()._finish(state, last, which)
        pulls = last[which]
        self.totals[self.alive[which]] = state.tally.totals[which] + self.problem.totals(pulls, self.rest)


def outcomes(job: Job, policy: Elimination) -> Outcomes:
    """All runs of a job of this policy."""
    runs = PhasedRuns.empty(job.runs, policy.arms)
    totals = by_arm((job.runs, policy.arms), 0.0, np.float64)
    for chunk, first in enumerate(range(0, job.runs, job.chunk_runs)):
        rows = slice(first, min(first + job.chunk_runs, job.runs))
        u = job.u_of(np.arange(rows.start, rows.stop))
        part = _ToTheEnd(policy, job.problem, u, reward_noise(job.seed, chunk), runs.rows(rows))
        part.totals_to(totals[rows])
    stopped = runs.stopping_phase > 0
    others = np.sort(runs.pulls, axis=-1)[:, -2] if policy.arms > 1 else np.zeros(job.runs)
    return Outcomes(
        runs=runs,
        means=totals / np.maximum(runs.pulls, 1),
        chosen=np.where(stopped, np.argmax(runs.left == 0, axis=-1), -1),
        explored=np.where(stopped, others, policy.horizon / policy.arms),
    )


def phase_pulls(policy: Elimination) -> list[int]:
    """New pulls of every arm in each phase that all arms complete before the horizon."""
    pulls: list[int] = []
    for phase in range(1, policy.phases + 1):
        pulls.append(policy.new_pulls(phase))
        if sum(pulls) * policy.arms > policy.horizon:
            return pulls[:-1]
    return pulls
