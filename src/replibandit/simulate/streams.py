"""Where a study's randomness comes from: U and reward noise, both addressed by seed and chunk of runs.

Results depend on the seed and the number of runs alone: not on the machine's load, nor on which process does them.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from replibandit.core.randomness import BulkRandomness, ConstantRandomness, Randomness

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


def source_for(sharing: Sharing, seed: int) -> Randomness:
    """The study's U, or a constant where U is switched off."""
    return ConstantRandomness() if sharing == "none" else study_randomness(seed)
