"""Where a study's randomness comes from: U and reward noise, both addressed by seed and chunk of runs.

Results depend on the seed and the number of runs alone: not on the machine's load, nor on which process does them.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from replibandit.core.arrays import IntArray
from replibandit.core.randomness import BulkRandomness, ConstantRandomness, Randomness, RowsOf

Sharing = Literal["shared", "independent", "none"]
SHARING: tuple[Sharing, ...] = ("shared", "independent", "none")
U_KEY, REWARDS = 1, 2


def study_randomness(seed: int) -> BulkRandomness:
    """U of a study: one row per value of U."""
    low, high = np.random.SeedSequence(seed, spawn_key=(U_KEY,)).generate_state(2, np.uint64).tolist()
    return BulkRandomness((high << 64) | low)


def reward_noise(seed: int, chunk: int) -> np.random.Generator:
    """The reward noise of one chunk of runs."""
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(REWARDS, chunk))))


def chunk_randomness(source: Randomness, rows: IntArray) -> Randomness:
    """U of the consecutive runs that read these ``rows`` of a study's U."""
    if not isinstance(source, BulkRandomness):
        return RowsOf(source, rows)
    first, last = int(rows[0]), int(rows[-1])
    return RowsOf(source.block(first, last - first + 1), rows - first)


def u_rows(sharing: Sharing, first: int, runs: int, runs_per_seed: int) -> IntArray:
    """Which value of U each of the consecutive runs reads: twins read the same one."""
    run = np.arange(first, first + runs)
    return run // runs_per_seed if sharing == "shared" else run


def source_for(sharing: Sharing, seed: int) -> Randomness:
    """The study's U, or a constant where U is switched off."""
    return ConstantRandomness() if sharing == "none" else study_randomness(seed)
