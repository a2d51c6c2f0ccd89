"""Gaussian rewards: one normal draw is the sum of any number of them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import replibandit as rb
from tests.laws import follows, uncorrelated

PROBLEM = rb.Gaussian(means=[0.7, -0.3], sd=0.5)


@pytest.mark.statistical
@pytest.mark.parametrize("pulls", [1, 7, 10**6, 10**15])
def test_a_total_is_normal_with_n_times_the_mean_and_n_times_the_variance(pulls: int) -> None:
    """The law, the variance (exactly chi-square) and a correlation, 1e-6 each: 2e-5 in all four cases together."""
    totals = PROBLEM.totals(np.full((40_000, 2), pulls), np.random.default_rng(11))
    for arm, mean in enumerate(PROBLEM.means):
        law = stats.norm(pulls * mean, 0.5 * pulls**0.5)
        follows(totals[:, arm], law.cdf)
        squares = float((((totals[:, arm] - law.mean()) / law.std()) ** 2).sum())
        assert min(stats.chi2.cdf(squares, 40_000), stats.chi2.sf(squares, 40_000)) > 5e-7
    uncorrelated(totals[:, 0], totals[:, 1])


@pytest.mark.statistical
def test_single_rewards_are_normal() -> None:
    """False alarm 1e-6."""
    drawn = PROBLEM.rewards(1, (50, 80), np.random.default_rng(12))
    assert drawn.shape == (50, 80)
    follows(drawn, stats.norm(-0.3, 0.5).cdf)


def test_the_scale_is_the_standard_deviation() -> None:
    assert PROBLEM.subgaussian == 0.5


def test_runs_with_unequal_pulls_get_sums_of_their_own_length() -> None:
    """sd so small that every total shows its mean."""
    pulls = np.array([[3, 0], [10, 10**12]])
    totals = rb.Gaussian(means=[0.5, 2.0], sd=1e-9).totals(pulls, np.random.default_rng(1))
    assert totals == pytest.approx(np.array([[1.5, 0.0], [5.0, 2e12]]), abs=1e-1)
    assert totals[0] == pytest.approx([1.5, 0.0], abs=1e-7)
