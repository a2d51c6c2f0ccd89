"""Bounded rewards: stretched Beta laws, added one by one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import special, stats

import replibandit as rb
from replibandit.errors import InvalidParameter
from tests.laws import follows

PROBLEM = rb.Bounded(means=[4.2, 1.5], low=1, high=5, concentration=3)


@pytest.mark.statistical
@pytest.mark.parametrize("arm", [0, 1])
def test_a_reward_is_a_beta_draw_stretched_to_the_range_with_the_given_mean(arm: int) -> None:
    """False alarm 1e-6 each."""
    place = (PROBLEM.means[arm] - 1) / 4
    law = stats.beta(3 * place, 3 * (1 - place), loc=1, scale=4)
    assert law.mean() == pytest.approx(PROBLEM.means[arm])
    follows(PROBLEM.rewards(arm, (4000,), np.random.default_rng(31)), law.cdf)
    follows(PROBLEM.totals(np.ones((4000, 2), dtype=np.int64), np.random.default_rng(32))[:, arm], law.cdf)


@pytest.mark.statistical
@pytest.mark.parametrize("pulls", [2, 5, 12])
def test_a_total_of_uniform_rewards_has_the_law_of_irwin_and_hall(pulls: int) -> None:
    """Beta(1, 1) is uniform: the law of the sum is known exactly. False alarm 1e-6 each."""
    uniform = rb.Bounded(means=[0.5], concentration=2)

    def irwin_hall(x: np.ndarray) -> np.ndarray:
        k = np.arange(pulls + 1)
        terms = (-1.0) ** k * special.comb(pulls, k) * np.maximum(np.asarray(x)[..., None] - k, 0) ** pulls
        return terms.sum(axis=-1) / math.factorial(pulls)

    follows(uniform.totals(np.full((4000, 1), pulls), np.random.default_rng(33)), irwin_hall)


@pytest.mark.parametrize("arm", [0, 1])
def test_half_the_range_is_a_sub_gaussian_scale(arm: int) -> None:
    """The moment generating function of a Beta law is Kummer's function."""
    assert PROBLEM.subgaussian == 2.0
    place = (PROBLEM.means[arm] - 1) / 4
    t = np.linspace(-5, 5, 1001)
    mean = special.hyp1f1(3 * place, 3, 4 * t) * np.exp(-4 * t * place)
    assert (mean <= np.exp(t**2 * 4 / 2) * (1 + 1e-9)).all()


@pytest.mark.parametrize("concentration", [1e-50, 1e-6, 1e6, 1e50])
def test_extreme_concentrations_still_pay_within_the_range(concentration: float) -> None:
    problem = rb.Bounded(means=[0.3], concentration=concentration)
    drawn = problem.rewards(0, (1000,), np.random.default_rng(1))
    assert ((drawn >= 0) & (drawn <= 1)).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"means": [0.0]}, r"low < means\[0\] < high"),
        ({"means": [0.5, 1.5]}, r"low < means\[1\] < high"),
        ({"means": [0.5], "low": 1, "high": 0}, "low < high"),
        ({"means": [0.5], "low": -1e60}, "low"),
        ({"means": [0.5], "concentration": 0}, "concentration"),
    ],
)
def test_a_law_that_cannot_be_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        rb.Bounded(**options)
