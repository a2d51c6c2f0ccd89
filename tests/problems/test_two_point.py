"""Two-point laws: exact sums, and the smallest scale for which they are sub-Gaussian."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import replibandit as rb
from replibandit.core.problem import Problem
from replibandit.problems.two_point import coin_scale

PROBLEM = rb.TwoPoint(means=[1.5, 3.0, 4.5], low=1, high=[5, 5, 7])


@pytest.mark.statistical
@pytest.mark.parametrize("arm", [0, 1, 2])
def test_a_sum_in_one_draw_has_the_law_of_added_rewards(arm: int) -> None:
    """Two Kolmogorov-Smirnov tests of 2000 sums at level 0.001 each, conservative on a lattice."""
    rng = np.random.default_rng(5)
    pulls = np.full((2000, 3), 40)
    drawn = PROBLEM.totals(pulls, rng)[:, arm]
    added = Problem.totals(PROBLEM, pulls, rng)[:, arm]
    assert stats.ks_2samp(drawn, added).pvalue > 0.001
    chance, span = PROBLEM.chances[arm], PROBLEM.high[arm] - PROBLEM.low[arm]  # type: ignore[index]
    spread = span * (40 * chance * (1 - chance)) ** 0.5
    assert abs(drawn.mean() - 40 * PROBLEM.means[arm]) < 4 * spread / 2000**0.5


def test_rewards_take_the_two_values_of_their_arm() -> None:
    drawn = PROBLEM.rewards(2, (500,), np.random.default_rng(1))
    assert set(drawn.tolist()) == {1.0, 7.0}


@pytest.mark.parametrize("chance", [0.5, 0.3, 0.1, 0.9, 0.001])
def test_the_scale_is_sub_gaussian_and_no_smaller_one_is(chance: float) -> None:
    """E exp(t (B - p)) <= exp(t^2 sigma^2 / 2) for all t, with equality somewhere (t -> 0 for a fair coin)."""
    t = np.linspace(-30, 30, 20_001)
    log_mean = np.log(chance * np.exp(t * (1 - chance)) + (1 - chance) * np.exp(-t * chance))
    sigma = coin_scale(chance)
    assert np.all(log_mean <= t**2 * sigma**2 / 2 + 1e-12)
    assert np.any(log_mean > t**2 * (0.99 * sigma) ** 2 / 2 + 1e-12)


def test_a_certain_arm_needs_no_scale_of_its_own() -> None:
    assert rb.TwoPoint(means=[1.0, 0.5]).subgaussian == 0.5
    assert rb.TwoPoint(means=[1.0, 1.0]).subgaussian is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"means": [1.5]}, r"low <= means\[0\] <= high"),
        ({"means": [1.0], "low": 1, "high": 1}, "low < high"),
        ({"means": [0.5, 0.5], "low": [0, 0, 0]}, "one per arm"),
        ({"means": [0.5], "low": "zero"}, "low"),
    ],
)
def test_a_law_that_cannot_be_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(rb.errors.InvalidParameter, match=message):
        rb.TwoPoint(**options)
