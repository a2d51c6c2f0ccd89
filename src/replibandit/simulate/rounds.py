"""The round engine: a compiled loop for index policies such as UCB1.

Rewards are read from a block of the dataset matrix (Def. 1 of the paper): run b's n-th pull of arm k reads its n-th
entry, and a block that is used up is refilled. So any reward model serves, and the loop itself knows none.
Without numba the same loop runs as plain Python: same results, a hundred times slower.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from replibandit.core.arrays import FloatArray, HashArray, IntArray
from replibandit.core.digest import append, arm_keys
from replibandit.core.phase import Tally
from replibandit.core.policy import IndexPolicy
from replibandit.core.problem import Problem

CHUNK_RUNS = 64  # part of what a seed means: changing it changes every result
SLOW = 10**6  # rounds beyond which the missing extra is worth a warning


def block_length(arms: int, horizon: int) -> int:
    """Rewards held ready per run and arm."""
    return max(16, min(256, 2 * horizon // arms))


class Rounds:
    """One chunk of runs of an index policy."""

    def __init__(self, policy: IndexPolicy, problem: Problem, runs: int, grid: IntArray) -> None:
        arms = policy.arms
        self.policy, self.problem, self.grid = policy, problem, grid
        self.length = block_length(arms, policy.horizon)
        self.block = np.empty((runs, arms, self.length))
        self.cursor = np.full((runs, arms), self.length, dtype=np.int64)
        self.elapsed = np.zeros(runs, dtype=np.int64)
        self.counts = np.zeros((runs, arms), dtype=np.int64)
        self.totals = np.zeros((runs, arms))
        self.digest = np.zeros(runs, dtype=np.uint64)
        self.curve = np.zeros((runs, grid.size))
        self.prefix = np.zeros((runs, grid.size), dtype=np.uint64)

    def go(
        self,
        exploration: FloatArray,
        rng: np.random.Generator,
        keep: int | None = None,
        told: Callable[[int], None] | None = None,
    ) -> list[Tally]:
        """Play every run to its horizon; returns the tally of every round of run ``keep``, if asked for.

        ``told`` hears how many rounds are done, again and again: a chunk may take minutes.
        """
        horizon = self.policy.horizon
        log_arm = np.zeros(0 if keep is None else horizon, dtype=np.int64)
        log_reward = np.zeros(log_arm.size)
        loop = compiled_loop(self.policy.index)
        while (self.elapsed < horizon).any():
            self._refill(rng)
            loop(
                exploration, arm_keys(self.policy.arms), self.grid, self.problem.gaps, horizon,
                self.block, self.cursor, self.elapsed, self.counts, self.totals,
                self.digest, self.curve, self.prefix,
                -1 if keep is None else keep, log_arm, log_reward,
            )  # fmt: skip
            if told:
                told(int(self.elapsed.sum()))
        eye = np.eye(self.policy.arms, dtype=np.int64)
        rounds = zip(log_arm.tolist(), log_reward.tolist(), strict=True)
        return [Tally(eye[arm], eye[arm] * reward) for arm, reward in rounds]

    def _refill(self, rng: np.random.Generator) -> None:
        """New rewards wherever a run has used up its block of an arm."""
        for arm in range(self.policy.arms):
            rows = np.flatnonzero(self.cursor[:, arm] == self.length)
            rows = rows[self.elapsed[rows] < self.policy.horizon]
            if rows.size:
                self.block[rows, arm] = self.problem.rewards(arm, (rows.size, self.length), rng)
                self.cursor[rows, arm] = 0


def exploration_table(policy: IndexPolicy) -> FloatArray:
    """``policy.exploration`` for the choice of each round 1 .. T, computed once per study."""
    return policy.exploration(np.arange(1, policy.horizon + 1))


def _loop(  # noqa: C901  one compiled loop: calls would cost more than the rounds they make
    index: Callable[..., Any], append: Callable[..., Any]
) -> Callable[..., None]:
    def play(  # noqa: C901, PLR0917
        exploration: FloatArray, keys: HashArray, grid: IntArray, gaps: FloatArray, horizon: int,
        block: FloatArray, cursor: IntArray, elapsed: IntArray, counts: IntArray, totals: FloatArray,
        digest: HashArray, curve: FloatArray, prefix: HashArray,
        keep: int, log_arm: IntArray, log_reward: FloatArray,
    ) -> None:  # fmt: skip
        arms, length = block.shape[1], block.shape[2]
        mean, root = np.zeros(arms), np.zeros(arms)
        for run in range(block.shape[0]):
            for arm in range(arms):
                pulled = max(counts[run, arm], 1)
                mean[arm] = totals[run, arm] / pulled
                root[arm] = 1.0 / np.sqrt(pulled)
            t, word = elapsed[run], digest[run]
            mark = np.searchsorted(grid, t + 1)
            while t < horizon:
                chosen = t
                if t >= arms:
                    chosen, highest, factor = 0, -np.inf, exploration[t]
                    for arm in range(arms):
                        score = index(mean[arm], root[arm], factor)
                        if score > highest:
                            chosen, highest = arm, score
                place = cursor[run, chosen]
                if place == length:
                    break
                reward = block[run, chosen, place]
                cursor[run, chosen] = place + 1
                if run == keep:
                    log_arm[t], log_reward[t] = chosen, reward
                counts[run, chosen] += 1
                totals[run, chosen] += reward
                mean[chosen] = totals[run, chosen] / counts[run, chosen]
                root[chosen] = 1.0 / np.sqrt(counts[run, chosen])
                word = append(word, keys[chosen])
                t += 1
                if t == grid[mark]:
                    prefix[run, mark] = word
                    for arm in range(arms):
                        curve[run, mark] += counts[run, arm] * gaps[arm]
                    mark += 1
            elapsed[run], digest[run] = t, word

    return play


@functools.cache
def compiled_loop(index: Callable[..., Any]) -> Callable[..., None]:
    """The loop for this index, compiled if numba is there."""
    try:
        import numba  # noqa: PLC0415  an extra
    except ImportError:
        return _loop(index, append)
    compiled: Callable[..., None] = numba.njit(_loop(numba.njit(index), numba.njit(append)))
    return compiled


def warn_if_slow(rounds: int) -> None:
    """Say once that an extra would help, when it would."""
    try:
        import numba  # noqa: F401, PLC0415  an extra
    except ImportError:
        if rounds > SLOW:
            warnings.warn(
                f"{rounds:.2g} rounds run in plain Python; pip install 'replibandit[fast]' makes them about "
                "a hundred times faster.",
                stacklevel=4,
            )
