"""Does a sample follow a law? Exact or large-sample p-values; every test states the chance of a false alarm."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from scipy import stats

from replibandit.core.arrays import FloatArray

ALARM = 1e-6  # a correct sampler fails one such check in a million seeds; the seeds are fixed


def follows(sample: FloatArray, cdf: Callable[[FloatArray], FloatArray]) -> None:
    """Kolmogorov and Smirnov's test for a continuous law, with the exact law of their statistic."""
    found = stats.kstest(np.ravel(sample), cdf, method="exact")
    assert found.pvalue > ALARM, found


def follows_points(sample: FloatArray, pmf: Mapping[float, float]) -> None:
    """Pearson's test for a law of a few points; rare ones (fewer than 10 expected) are counted together."""
    values = np.round(np.ravel(sample), 9)
    points = np.round(np.array(list(pmf)), 9)
    assert np.isin(values, points).all(), "a value that the law does not have"
    expected = np.array(list(pmf.values())) * values.size
    observed = np.array([(values == point).sum() for point in points])
    rare = expected < 10
    if rare.any():
        observed = np.append(observed[~rare], observed[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    if expected[-1] == 0:
        observed, expected = observed[:-1], expected[:-1]
    found = stats.chisquare(observed, expected)
    assert found.pvalue > ALARM, found


def convolved(pmf: Mapping[float, float], times: int) -> dict[float, float]:
    """The law of the sum of ``times`` independent draws, by listing all outcomes step by step."""
    law = {0.0: 1.0}
    for _ in range(times):
        following: dict[float, float] = {}
        for total, weight in law.items():
            for value, chance in pmf.items():
                key = round(total + value, 9)
                following[key] = following.get(key, 0.0) + weight * chance
        law = following
    return law


def uncorrelated(one: FloatArray, other: FloatArray) -> None:
    """Under independence sqrt(n) r is nearly standard normal: |r| > 4.9 / sqrt(n) once in a million."""
    assert abs(np.corrcoef(np.ravel(one), np.ravel(other))[0, 1]) < 4.9 / np.sqrt(np.size(one))
