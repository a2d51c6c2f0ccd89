"""The bounds of Table 1 against values worked out by hand and the limits the paper states."""

from __future__ import annotations

import math

import pytest

from replibandit.errors import InvalidParameter
from replibandit.problems import problem
from replibandit.theory import bounds
from replibandit.theory.bounds import TABLE_1, Setting

E = math.e
TWO = Setting(gaps=(0.5,), horizon=1000, rho=0.25)
THREE = Setting(gaps=(0.5, 0.25), horizon=1000, rho=0.25)
LINEAR = Setting(gaps=(0.5, 0.25), horizon=10_000, rho=0.5, dimension=2)


def test_the_setting_of_a_problem_leaves_the_best_arm_out() -> None:
    setting = Setting.of(problem("paper/model-2").gaps, horizon=10_000, rho=0.3)
    assert setting.gaps == pytest.approx((0.1, 0.6))
    assert (setting.arms, setting.gap, setting.features) == (3, pytest.approx(0.1), 3)


def test_exploration_adds_log_t_and_the_price_of_rho() -> None:
    # ln 1000 = 6.907755; ln(3 * 6.907755 / 0.25) = ln 82.893063 = 4.417551; / 0.25^2 = * 16
    assert bounds.exploration(THREE, 1) == pytest.approx(6.907755 + 16 * 4.417551, rel=1e-6)
    assert bounds.exploration(THREE, 3) == pytest.approx(6.907755 + 9 * 16 * 4.417551, rel=1e-6)


def test_the_upper_bounds_for_k_arms_take_their_values_by_hand() -> None:
    once, thrice = 77.588571, 643.035099  # the two values above
    assert bounds.commitment_bound(THREE) == pytest.approx((0.5 + 0.25) / 0.25**2 * once, rel=1e-6)
    assert bounds.elimination_bound(THREE) == pytest.approx((1 / 0.5 + 1 / 0.25) * thrice, rel=1e-6)
    assert bounds.gap_free_bound(THREE) == pytest.approx(math.sqrt(3 * 1000 * thrice), rel=1e-6)
    assert bounds.esfandiari_bound(THREE) == pytest.approx((2 + 4) * 9 / 0.0625 * 6.907755, rel=1e-6)


def test_the_linear_bounds_take_their_values_by_hand() -> None:
    log_t = 9.210340
    once = log_t + 4 * math.log(3 * log_t / 0.5)
    thrice = log_t + 9 * 4 * math.log(3 * log_t / 0.5)
    assert bounds.linear_bound(LINEAR) == pytest.approx(2 / 0.25**2 * once, rel=1e-6)
    assert bounds.linear_gap_free_bound(LINEAR) == pytest.approx(2 * math.sqrt(1e4 * log_t * thrice), rel=1e-6)
    assert bounds.esfandiari_linear_bound(LINEAR) == pytest.approx(9 * math.sqrt(2e4) / 0.25, rel=1e-6)


def test_log_log_d_counts_once_it_exceeds_one() -> None:
    many = tuple([0.5] * 99)
    wide = [bounds.linear_gap_free_bound(Setting(many, 10_000, 0.5, dimension=d)) / d for d in (1, 2, 15, 16, 100)]
    assert wide[0] == wide[1] == wide[2] < wide[3] < wide[4]
    assert (wide[4] / wide[0]) ** 2 == pytest.approx(math.log(math.log(100)))


def test_the_lower_bound_is_the_smaller_of_its_two_terms() -> None:
    # 1 / (0.25^2 * 0.5 * ln 8) = 32 / 2.079442
    assert bounds.two_arm_lower_bound(TWO) == pytest.approx(15.388748, rel=1e-6)
    assert bounds.two_arm_lower_bound(Setting(gaps=(0.5,), horizon=20, rho=0.25)) == pytest.approx(20 * 0.5)


@pytest.mark.parametrize(("arms", "rho"), [(2, 0.5), (10, 0.3), (100, 0.1)])
def test_the_ratio_of_the_bounds_tends_to_rho_squared_over_k_squared(arms: int, rho: float) -> None:
    """The limsup of the paper's "Main results", reached from above and only at astronomical horizons."""
    limit = rho**2 / arms**2
    settings = [Setting(tuple([0.5] * (arms - 1)), 10**digits, rho) for digits in (4, 100, 10_000, 100_000)]
    ratios = [bounds.elimination_bound(s) / bounds.esfandiari_bound(s) for s in settings]
    assert ratios == sorted(ratios, reverse=True)
    assert all(ratio > limit for ratio in ratios)
    excess = math.log(arms * math.log(10) * 100_000 / rho) / (math.log(10) * 100_000)
    assert ratios[-1] - limit == pytest.approx(excess)


def test_commitment_wins_for_equal_gaps_and_elimination_for_spread_gaps() -> None:
    equal = Setting(tuple([0.4] * 9), 10_000, 0.3)
    spread = Setting((0.01, *[0.5] * 9), 10**4000, 0.3)
    assert bounds.commitment_bound(equal) < bounds.elimination_bound(equal)
    assert bounds.commitment_bound(spread) > bounds.elimination_bound(spread)


def test_for_two_arms_upper_and_lower_bound_differ_by_logarithms_only() -> None:
    """The remark after Theorem 6: the cost of rho is matched up to log(1 / rho), log(1 / Delta) and log log T."""
    for rho in (0.3, 0.03, 0.003):
        for gap in (0.5, 0.05, 0.005):
            setting = Setting((gap,), 10**12, rho)
            cost = bounds.commitment_bound(setting) - math.log(10**12) / gap
            logs = math.log(2 * math.log(10**12) / rho) * math.log(1 / (rho * gap))
            assert cost / bounds.two_arm_lower_bound(setting) == pytest.approx(logs)


def test_bounds_that_grow_like_t_are_infinite_where_t_is_no_float() -> None:
    beyond = Setting((0.5,), 10**400, 0.25)
    assert bounds.gap_free_bound(beyond) == math.inf
    assert bounds.two_arm_lower_bound(beyond) == pytest.approx(15.388748)


def test_every_row_of_table_1_is_there_and_names_its_place() -> None:
    kinds = [(row.problem, row.work, row.kind) for row in TABLE_1]
    assert kinds.count(("K-armed", "this work", "upper")) == 3
    assert kinds.count(("K-armed", "this work", "lower")) == 1
    assert kinds.count(("linear", "this work", "upper")) == 2
    assert kinds.count(("K-armed", "Esfandiari et al.", "upper")) == 1
    assert kinds.count(("linear", "Esfandiari et al.", "upper")) == 1
    assert all(row.source and row.bound(Setting((0.4,), 10_000, 0.3, dimension=2)) > 0 for row in TABLE_1)


def test_settings_without_a_finite_bound_are_refused_in_one_sentence() -> None:
    with pytest.raises(InvalidParameter, match=r"Delta_1 < Delta_2.*tied"):
        Setting.of([0.0, 0.0, 0.3], horizon=100, rho=0.3)
    with pytest.raises(InvalidParameter, match="K == 2"):
        bounds.two_arm_lower_bound(THREE)
    with pytest.raises(InvalidParameter, match="rho \\* Delta < 1"):
        bounds.two_arm_lower_bound(Setting((10.0,), 100, 0.3))
    with pytest.raises(InvalidParameter, match="horizon"):
        Setting.of([0.0, 0.3], horizon=2, rho=0.3)
