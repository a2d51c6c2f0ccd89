"""The phased engine: array code over sufficient statistics.

A phase of any length is one draw per arm, so a run costs its number of phases, not its horizon. Runs are done in
chunks that fit the cache; a run leaves its chunk when its horizon is reached.
"""

from __future__ import annotations

import numpy as np

from replibandit.core import fold
from replibandit.core.arrays import HashArray, IntArray, rows_of
from replibandit.core.openings import opened, rows_following
from replibandit.core.phase import Decisions, Tally
from replibandit.core.policy import CertifiedPolicy, PhasedPolicy
from replibandit.core.problem import Problem
from replibandit.core.randomness import Randomness, RowsOf
from replibandit.simulate.runs import PhasedRuns

CELLS = 1 << 17  # runs x arms of a chunk: measured best; a few arrays of 1 MiB


def chunk_size(arms: int) -> int:
    """Runs per chunk. Part of what a seed means: changing it changes every result."""
    return max(CELLS // arms, 16)


class Chunk:
    """One chunk of runs being simulated; `go` folds them to their horizon."""

    def __init__(
        self, policy: PhasedPolicy, problem: Problem, u: Randomness, rng: np.random.Generator, out: PhasedRuns
    ) -> None:
        self.policy, self.problem, self.u, self.rng, self.out = policy, problem, u, rng, out
        self.alive = np.arange(out.digests.size)
        self.means = np.array(problem.means)

    def go(self, keep: int | None = None) -> list[Tally]:
        """Fold every run to its horizon; returns the tallies of run ``keep``, if asked for."""
        kept: list[Tally] = []
        state = fold.start(self.policy, (self.alive.size,))
        rule = opened(self.policy, RowsOf(self.u, self.alive))
        while self.alive.size:
            u = RowsOf(self.u, self.alive)
            plan = fold.plan(rule, state, fold.places(rule, state.phase, u))
            state = fold.play(rule, state, plan)
            self._watch_digest(state.phase, state.digest)
            complete, pulls = plan.complete, plan.pulls
            if not complete.all():
                self._finish(state, pulls, ~complete)
                going = np.flatnonzero(complete)
                state, pulls, self.alive = state.rows(going), rows_of(pulls, going), self.alive[going]
                rule = rows_following(rule, going)
                if not going.size:
                    break
            rewards = Tally(pulls, self.problem.totals(pulls, self.rng))
            if keep is not None and keep in self.alive:
                row = int(np.searchsorted(self.alive, keep))
                kept.append(Tally(pulls[row].copy(), rewards.totals[row].copy()))
            uniforms = RowsOf(self.u, self.alive).uniforms(state.phase, self.policy.slots)
            following, decisions = fold.decide(rule, state, rewards, uniforms)
            self._note(state, following, decisions)
            self._watch_good_event(state, rewards)
            state = following
            over = state.elapsed >= self.policy.horizon
            if over.any():
                self._finish(state, np.zeros_like(pulls), over)
                going = np.flatnonzero(~over)
                state, self.alive, rule = state.rows(going), self.alive[going], rows_following(rule, going)
        return kept

    def _finish(self, state: fold.State, last: IntArray, which: np.ndarray) -> None:
        """Write the result of the runs that have reached the horizon."""
        rows = self.alive[which]
        self.out.pulls[rows] = (state.tally.counts + last)[which]
        self.out.digests[rows] = state.digest[which]
        if self.out.prefix is not None:
            self.out.prefix[rows, state.phase - 1 :] = state.digest[which, None]

    def _watch_digest(self, phase: int, digest: HashArray) -> None:
        if self.out.prefix is not None:
            self.out.prefix[self.alive, phase - 1] = digest

    def _note(self, state: fold.State, following: fold.State, decisions: Decisions) -> None:
        """Write down what was decided: dropped arms and commitments."""
        changed = np.flatnonzero((following.active != state.active).any(axis=-1))
        if changed.size:
            rows = self.alive[changed]
            dropped = rows_of(state.active, changed) & ~rows_of(following.active, changed)
            self.out.left[rows] = np.where(dropped, state.phase, self.out.left[rows])
        if decisions.slots[:1] == (0,):
            self.out.committed[self.alive[decisions.taken[..., 0]]] = state.phase

    def _watch_good_event(self, state: fold.State, rewards: Tally) -> None:
        """The good event: every estimated gap between active arms is within a radius of the true one."""
        policy = self.policy
        if self.out.prefix is None or not isinstance(policy, CertifiedPolicy):
            return
        error = policy.estimates(fold.remembered(policy, state, rewards), state.active) - self.means
        high = np.where(state.active, error, -np.inf).max(axis=-1)
        low = np.where(state.active, error, np.inf).min(axis=-1)
        failed = self.alive[high - low > policy.good_radius(state.phase)]
        self.out.bad[failed] = np.where(self.out.bad[failed] == 0, state.phase, self.out.bad[failed])
