"""The gap statistic, shared by every policy that commits."""

from __future__ import annotations

import numpy as np

from replibandit.core.arrays import BoolArray, FloatArray


def top_two(means: FloatArray, active: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Largest and second largest mean over the active arms (``[..., K]`` -> twice ``[...]``); -inf if missing.

    A running maximum over the arms: arms are few and runs are many, so each step is one sweep over all runs.
    """
    masked = np.where(active, means, -np.inf)
    top, second = masked[..., 0], np.full(masked.shape[:-1], -np.inf)
    for arm in range(1, masked.shape[-1]):
        second = np.maximum(second, np.minimum(top, masked[..., arm]))
        top = np.maximum(top, masked[..., arm])
    return top, second


def leader(means: FloatArray, active: BoolArray) -> BoolArray:
    """The active arm of the largest mean, ties to the lowest index, as a one-arm set: ``[..., K]``."""
    best = np.argmax(np.where(active, means, -np.inf), axis=-1)
    one: BoolArray = np.arange(means.shape[-1]) == best[..., None]
    return one
