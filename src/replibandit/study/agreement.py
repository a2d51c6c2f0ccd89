"""How often do twins agree? Counting equal pairs among the runs that share a value of U."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from replibandit.core.arrays import FloatArray, HashArray
from replibandit.core.digest import mix
from replibandit.study.intervals import LEVEL, Interval, bounded_mean, clopper_pearson


def equal_pairs(keys: HashArray) -> FloatArray:
    """The number of ordered pairs of distinct runs with equal keys, for each value of U: ``[m, n] -> [m]``."""
    seeds, runs = keys.shape
    ordered = np.sort(keys, axis=1)
    first = np.ones((seeds, runs), dtype=np.bool_)
    first[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    starts = np.flatnonzero(first)
    sizes = np.diff(np.append(starts, seeds * runs)).astype(np.float64)
    pairs: FloatArray = np.bincount(starts // runs, sizes * (sizes - 1), minlength=seeds).astype(np.float64)
    return pairs


def nonreplication_per_seed(keys: HashArray) -> FloatArray:
    """Unbiased for each U: 1 - sum_s N_s (N_s - 1) / (n (n - 1)), N_s being how many runs took sequence s."""
    runs = int(keys.shape[1])
    differing: FloatArray = 1 - equal_pairs(keys) / (runs * (runs - 1))
    return differing


def plug_in(keys: HashArray) -> float:
    """The paper's rho-hat, 1 - sum_s (N_s / n)^2, averaged over U: biased low by the factor (n - 1) / n."""
    runs = int(keys.shape[1])
    mean = float(nonreplication_per_seed(keys).mean())
    return mean * (runs - 1) / runs


def over_seeds(per_seed: FloatArray, runs: int, level: float = LEVEL) -> Interval:
    """An interval over values of U: exact if each value is one pair of twins, by betting otherwise."""
    if runs == 2:
        return clopper_pearson(round(float(per_seed.sum())), per_seed.size, level)
    return bounded_mean(per_seed, level)


def combine(keys: HashArray, values: NDArray[np.integer | np.bool_]) -> HashArray:
    """Keys that are equal where both ``keys`` and ``values`` are."""
    return mix(mix(keys ^ np.uint64(0x5851F42D4C957F2D)) ^ values.astype(np.uint64))


def row_keys(values: NDArray[np.integer]) -> HashArray:
    """One key per row of ``values [..., K]``."""
    keys = np.zeros(values.shape[:-1], dtype=np.uint64)
    for column in range(values.shape[-1]):
        keys = combine(keys, values[..., column])
    return keys
