"""One way into both engines: which runs, which U, which noise; chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from replibandit.core.arrays import IntArray, by_arm
from replibandit.core.phase import Tally
from replibandit.core.policy import IndexPolicy, PhasedPolicy
from replibandit.core.problem import Problem
from replibandit.core.randomness import BulkRandomness, Randomness, RowsOf
from replibandit.simulate.grid import log_grid
from replibandit.simulate.phased import Chunk, chunk_size
from replibandit.simulate.rounds import CHUNK_RUNS, Rounds, exploration_table, warn_if_slow
from replibandit.simulate.runs import PhasedRuns, RoundRuns
from replibandit.simulate.streams import Sharing, reward_noise, source_for

Progress = Callable[[int, int], None]  # work done, work in all: runs, or rounds of an index policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Everything that determines a batch of runs: run r reads row ``r // runs_per_seed`` of U."""

    policy: PhasedPolicy
    problem: Problem
    runs: int
    seed: int
    runs_per_seed: int = 1
    sharing: Sharing = "shared"
    u: Randomness | None = None  # one fixed U for every run, instead of the study's own
    watch: bool = False  # record digests after every checkpoint, and failures of the good event

    @property
    def source(self) -> Randomness:
        """Where U comes from."""
        return source_for(self.sharing, self.seed) if self.u is None else self.u

    @property
    def grid(self) -> IntArray:
        """The rounds of the curve."""
        return log_grid(self.policy.horizon)

    @property
    def chunk_runs(self) -> int:
        """Runs per chunk."""
        return CHUNK_RUNS if isinstance(self.policy, IndexPolicy) else chunk_size(self.policy.arms)

    def u_rows(self, runs: IntArray) -> IntArray:
        """Which value of U each run reads: twins read the same one."""
        return runs // self.runs_per_seed if self.sharing == "shared" else runs

    def u_of(self, runs: IntArray) -> Randomness:
        """U of some runs, one row each, in the order given."""
        rows, source = self.u_rows(runs), self.source
        if not isinstance(source, BulkRandomness):
            return RowsOf(source, rows)
        first = int(rows.min())
        return RowsOf(source.block(first, int(rows.max()) - first + 1), rows - first)

    def u_row(self, run: int) -> Randomness:
        """U of one run alone."""
        source = self.source
        return source.row(int(self.u_rows(np.array(run)))) if isinstance(source, BulkRandomness) else source


def simulate_runs(job: Job, progress: Progress | None = None) -> PhasedRuns | RoundRuns:
    """All runs of a job."""
    if isinstance(job.policy, IndexPolicy):
        return _rounds(job, job.policy, progress)
    return _phased(job, progress)


def simulate_tallies(job: Job, run: int) -> list[Tally]:
    """The tallies of one run of a job, by simulating its chunk again."""
    chunk, row = divmod(run, job.chunk_runs)
    runs = min(job.chunk_runs, job.runs - chunk * job.chunk_runs)
    rng = reward_noise(job.seed, chunk)
    if isinstance(job.policy, IndexPolicy):
        rounds = Rounds(job.policy, job.problem, runs, job.grid)
        return rounds.go(exploration_table(job.policy), rng, keep=row)
    out = PhasedRuns.empty(runs, job.policy.arms)
    u = job.u_of(np.arange(runs) + chunk * job.chunk_runs)
    return Chunk(job.policy, job.problem, u, rng, out).go(keep=row)


def _phased(job: Job, progress: Progress | None) -> PhasedRuns:
    checkpoints = job.policy.phases + 1 if job.watch else 0
    out = PhasedRuns.empty(job.runs, job.policy.arms, checkpoints=checkpoints)
    for chunk, first in enumerate(range(0, job.runs, job.chunk_runs)):
        rows = slice(first, min(first + job.chunk_runs, job.runs))
        part = out.rows(rows)
        u = job.u_of(np.arange(rows.start, rows.stop))
        Chunk(job.policy, job.problem, u, reward_noise(job.seed, chunk), part).go()
        if progress:
            progress(rows.stop, job.runs)
    return out


def _rounds(job: Job, policy: IndexPolicy, progress: Progress | None) -> RoundRuns:
    warn_if_slow(job.runs * policy.horizon)
    grid, exploration = job.grid, exploration_table(policy)
    pulls = by_arm((job.runs, policy.arms), 0, np.int64)
    digests = np.zeros(job.runs, dtype=np.uint64)
    prefix = np.zeros((job.runs, grid.size), dtype=np.uint64) if job.watch else None
    total, squares, origin = np.zeros(grid.size), np.zeros(grid.size), np.zeros(grid.size)
    for chunk, first in enumerate(range(0, job.runs, job.chunk_runs)):
        rows = slice(first, min(first + job.chunk_runs, job.runs))
        part = Rounds(policy, job.problem, rows.stop - first, grid)
        part.go(exploration, reward_noise(job.seed, chunk), told=_counted(job, first, progress))
        pulls[rows], digests[rows] = part.counts, part.digest
        if prefix is not None:
            prefix[rows] = part.prefix
        if chunk == 0:
            origin = part.curve[0].copy()
        total += part.curve.sum(axis=0)
        squares += ((part.curve - origin) ** 2).sum(axis=0)
    return RoundRuns(
        pulls=pulls,
        digests=digests,
        prefix=prefix,
        curve_sum=total,
        curve_squares=squares,
        curve_origin=origin,
    )


def _counted(job: Job, first: int, progress: Progress | None) -> Callable[[int], None] | None:
    """Tells the rounds done in the chunk that starts with run ``first`` as a part of all rounds."""
    horizon = job.policy.horizon
    return progress and (lambda rounds: progress(first * horizon + rounds, job.runs * horizon))
