"""Bernoulli rewards: a phase is one binomial draw."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import replibandit as rb
from replibandit.errors import InvalidParameter
from tests.laws import follows, follows_points, uncorrelated

PROBLEM = rb.Bernoulli(means=[0.9, 0.04])


@pytest.mark.statistical
@pytest.mark.parametrize("pulls", [1, 5, 40])
def test_a_total_is_binomial(pulls: int) -> None:
    """Two tests and a correlation, 1e-6 each."""
    totals = PROBLEM.totals(np.full((20_000, 2), pulls), np.random.default_rng(21))
    for arm, mean in enumerate(PROBLEM.means):
        law = stats.binom(pulls, mean)
        follows_points(totals[:, arm], {float(k): float(law.pmf(k)) for k in range(pulls + 1)})
    uncorrelated(totals[:, 0], totals[:, 1])


@pytest.mark.statistical
def test_totals_of_10_to_the_15_pulls_are_binomial_too() -> None:
    """Against the exact distribution function; its steps of 1e-7 are far below what 4000 draws can see."""
    totals = PROBLEM.totals(np.full((4000, 2), 10**15), np.random.default_rng(22))
    assert (totals == np.floor(totals)).all()
    for arm, mean in enumerate(PROBLEM.means):
        follows(totals[:, arm], stats.binom(10**15, mean).cdf)


@pytest.mark.statistical
def test_single_rewards_are_zeros_and_ones() -> None:
    """False alarm 1e-6."""
    drawn = PROBLEM.rewards(1, (100, 200), np.random.default_rng(23))
    follows_points(drawn, {0.0: 0.96, 1.0: 0.04})


def test_certain_arms_are_certain() -> None:
    totals = rb.Bernoulli(means=[0.0, 1.0]).totals(np.full((50, 2), 10**15), np.random.default_rng(1))
    assert (totals == [0, 10**15]).all()


@pytest.mark.parametrize("mean", [0.0, 0.04, 0.3, 0.5, 1.0])
def test_one_half_is_a_sub_gaussian_scale_of_every_coin(mean: float) -> None:
    assert rb.Bernoulli(means=[mean]).subgaussian == 0.5
    t = np.linspace(-40, 40, 4001)
    log_mean = np.logaddexp(np.log1p(-mean) if mean < 1 else -np.inf, t + np.log(mean) if mean else -np.inf)
    assert (log_mean - t * mean <= 0.25 * t**2 / 2 + 1e-9).all()


@pytest.mark.parametrize("mean", [-0.1, 1.1, float("nan"), "half", True])
def test_a_mean_that_is_no_probability_is_refused(mean: Any) -> None:
    with pytest.raises(InvalidParameter, match=r"means\[1\]"):
        rb.Bernoulli(means=[0.5, mean])
