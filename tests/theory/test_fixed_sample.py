from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from replibandit.theory import fixed_sample


def test_the_inverses_of_the_known_gap_formula_give_back_what_went_in() -> None:
    pulls = fixed_sample.known_gap_pulls(0.05, 5, 0.5, 0.05, most=10**9)
    assert (
        fixed_sample.known_gap_rho(pulls, 0.05, 5, 0.5) <= 0.05 < fixed_sample.known_gap_rho(pulls - 1, 0.05, 5, 0.5)
    )
    assert fixed_sample.known_gap_gap(pulls, 5, 0.5, 0.05) == pytest.approx(0.05, rel=1e-3)


@pytest.mark.parametrize(("lead", "margin"), [(0.0, 0.0), (1.0, 0.3), (5.0, 2.8), (2.0, 4.0)])
def test_for_two_arms_the_integral_is_one_normal_tail(lead: float, margin: float) -> None:
    right, wrong = (f(lead, margin, 2) for f in (fixed_sample.best_leads, fixed_sample.other_leads))
    assert right == pytest.approx(stats.norm.sf((margin - lead) / math.sqrt(2)), abs=1e-13)
    assert wrong == pytest.approx(stats.norm.sf((margin + lead) / math.sqrt(2)), abs=1e-13)


@pytest.mark.parametrize("arms", [2, 3, 10, 200])
def test_some_arm_leads_by_nothing(arms: int) -> None:
    some = fixed_sample.best_leads(1.3, 0.0, arms) + (arms - 1) * fixed_sample.other_leads(1.3, 0.0, arms)
    assert some == pytest.approx(1, abs=1e-12)


@pytest.mark.statistical
def test_the_integrals_agree_with_simulated_means() -> None:
    """Four binomial tests with a false-alarm rate of 1e-6 each."""
    noise = np.random.default_rng(5).standard_normal((200_000, 4))
    for lead, margin in ((1.0, 0.5), (3.0, 2.8)):
        means = noise + np.array([lead, 0, 0, 0])
        leads = means[:, 0] - means[:, 1:].max(axis=1) >= margin
        other = means[:, 1] - np.delete(means, 1, axis=1).max(axis=1) >= margin
        for hits, chance in (
            (leads, fixed_sample.best_leads(lead, margin, 4)),
            (other, fixed_sample.other_leads(lead, margin, 4)),
        ):
            assert stats.binomtest(int(hits.sum()), hits.size, chance).pvalue > 1e-6


def test_for_two_arms_the_sample_size_is_the_textbook_one() -> None:
    z = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    assert fixed_sample.ab_pulls(0.05, 2, 0.5, 0.05, 0.8) == math.ceil(2 * (z * 0.5 / 0.05) ** 2)


@pytest.mark.parametrize("arms", [2, 3, 20])
def test_the_ab_test_has_its_power_and_not_with_one_pull_less(arms: int) -> None:
    pulls = fixed_sample.ab_pulls(0.1, arms, 0.5, 0.05, 0.8)
    margin = fixed_sample.critical_margin(0.05)
    power = [fixed_sample.best_leads(0.1 / 0.5 * math.sqrt(n), margin, arms) for n in (pulls - 1, pulls)]
    assert power[0] < 0.8 <= power[1]
    assert fixed_sample.ab_gap(pulls, arms, 0.5, 0.05, 0.8) == pytest.approx(0.1, rel=1e-2)


@pytest.mark.parametrize("tied", [2, 3, 8])
def test_a_tied_top_keeps_the_level_of_the_ab_test(tied: int) -> None:
    margin = fixed_sample.critical_margin(0.05)
    level = tied * fixed_sample.other_leads(0.0, margin, tied)
    assert level == pytest.approx(0.05, abs=1e-12) if tied == 2 else level < 0.05
