"""Phases of the gap policies: how many pulls, of whom, and what happens at the horizon."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import replibandit as rb
from replibandit.errors import InvalidParameter

REC: dict[str, Any] = {"arms": 10, "horizon": 10_000, "rho": 0.3, "sigma": 0.5}
EVERYONE = np.ones(10, dtype=np.bool_)


def test_n_p_is_the_ceiling_of_8_a_to_the_2p_sigma_squared() -> None:
    policy = rb.REC(**REC)
    assert [policy.pull_count(p) for p in range(1, 7)] == [8, 32, 128, 512, 2048, 8192]
    assert [rb.REC(**REC | {"growth": 1.5}).pull_count(p) for p in (1, 2, 3)] == [5, 11, 23]  # 4.5, 10.125, 22.78


def test_n_p_is_cumulative_so_a_phase_draws_the_difference() -> None:
    policy = rb.REC(**REC)
    assert [policy.pulls(p, EVERYONE)[0] for p in (1, 2, 3, 4)] == [8, 24, 96, 384]


def test_fresh_draws_take_n_p_new_pulls_every_phase() -> None:
    policy = rb.REC(**REC, draws="fresh")
    assert [policy.pulls(p, EVERYONE)[0] for p in (1, 2, 3, 4)] == [8, 32, 128, 512]


def test_fresh_draws_pool_all_means() -> None:
    """Per-arm totals 8, 40, ...: the second decision reads all 40 rewards."""
    policy = rb.REC(arms=2, horizon=100, rho=0.3, sigma=0.5, draws="fresh")
    first, second = rb.Tally.of([[1.0] * 8, [0.0] * 8]), rb.Tally.of([[0.0] * 32, [0.0] * 32])
    trace = rb.replay(policy, [first, second], u=rb.ConstantRandomness(0.5))
    assert [decision.statistic for decision in trace.decisions] == [1.0, 8 / 40]


def test_p_is_the_first_phase_with_n_p_at_least_t() -> None:
    assert rb.REC(**REC).phases == 7  # N_6 = 8192 < 10^4 <= N_7 = 32768
    assert rb.REC(**REC | {"horizon": 8192}).phases == 6
    assert rb.REC(**REC | {"horizon": 8193}).phases == 7
    assert rb.REC(**REC | {"horizon": 1}).phases == 1


def test_p_is_exact_where_phases_grow_slowly() -> None:
    """ceil(2 * 1.01^(2p)) reaches 10 as soon as 2 * 1.01^(2p) > 9, several phases before it reaches 10."""
    policy = rb.REC(arms=2, horizon=10, rho=0.3, sigma=0.5, growth=1.01)
    by_hand = next(p for p in range(1, 1000) if math.ceil(2 * 1.01 ** (2 * p)) >= 10)
    assert policy.phases == by_hand == 76
    sharp = rb.SharpREC(arms=2, horizon=10, rho=0.3, sigma=0.5, first=2, ratio=1.01, lo=1, width=1)
    assert sharp.phases == next(p for p in range(1, 1000) if math.ceil(2 * 1.01 ** (p - 1)) >= 10)


def test_phase_p_itself_never_completes_with_two_arms_or_more() -> None:
    for arms in (2, 3, 10):
        for draws in ("cumulative", "fresh"):
            policy = rb.REC(arms=arms, horizon=5000, rho=0.3, sigma=0.5, draws=draws)
            before = sum(policy.new_pulls(p) for p in range(1, policy.phases)) * arms
            assert before + policy.new_pulls(policy.phases) * arms > policy.horizon


def test_a_sigma_whose_square_is_off_by_an_ulp_gives_the_papers_counts() -> None:
    assert 0.5**0.5 * 0.5**0.5 > 0.5
    policy = rb.REC(arms=3, horizon=10_000, rho=0.3, sigma=0.5**0.5)
    assert [policy.pull_count(p) for p in (1, 2, 3)] == [16, 64, 256]


def test_counts_are_exact_whole_numbers_at_the_largest_horizon() -> None:
    policy = rb.REC(arms=10, horizon=10**15, rho=0.3, sigma=0.5)
    assert [policy.pull_count(p) for p in range(1, policy.phases)] == [2 * 4**p for p in range(1, policy.phases)]
    study = rb.simulate(policy, rb.problem("paper/model-1", sd=0.5), runs=50, seed=1)
    assert (study.pulls.sum(axis=-1) == 10**15).all()
    assert study.pulls.dtype == np.int64


def test_only_active_arms_are_pulled_equally_often() -> None:
    policy = rb.RSE(arms=4, horizon=1000, rho=0.3, sigma=0.5)
    active = np.array([[True, True, False, True], [False, True, True, False]])
    assert policy.pulls(2, active).tolist() == [[24, 24, 0, 24], [0, 24, 24, 0]]


def test_the_last_arm_is_played_until_the_horizon() -> None:
    policy = rb.RSE(arms=3, horizon=1000, rho=0.3, sigma=0.5)
    assert policy.pulls(4, np.array([False, True, False])).tolist() == [0, 1000, 0]


def test_the_horizon_inside_a_phase_stops_at_exactly_t_and_decides_nothing() -> None:
    policy = rb.REC(arms=2, horizon=21, rho=0.3, sigma=0.5, commit_scale=1e-6)
    trace = rb.replay(policy, [rb.Tally.of([[0.0] * 8, [0.0] * 8])], u=rb.ConstantRandomness(0.5))
    assert trace.pulls == (11, 10)  # 16, then 5 of 48 in turns
    assert [record.complete for record in trace.phases] == [True, False]
    assert len(trace.decisions) == 1


def test_a_cut_phase_of_reversed_blocks_starves_the_first_arm() -> None:
    policy = rb.REC(arms=2, horizon=21, rho=0.3, sigma=0.5, order="reversed_blocks")
    trace = rb.replay(policy, [rb.Tally.of([[0.0] * 8, [0.0] * 8])], u=rb.ConstantRandomness(0.5))
    assert trace.pulls == (8, 13)


@pytest.mark.parametrize("kind", [rb.REC, rb.RSE])
def test_one_arm_is_played_without_a_decision(kind: Any) -> None:
    policy = kind(arms=1, horizon=17, rho=0.3, sigma=0.5)
    trace = rb.replay(policy, [rb.Tally.of([[1.0] * 17])], u=rb.ConstantRandomness(0.5))
    assert trace.pulls == (17,)
    assert trace.decisions == ()


@pytest.mark.parametrize("kind", [rb.REC, rb.RSE])
def test_the_ledger_of_one_arm_is_empty(kind: Any) -> None:
    policy = kind(arms=1, horizon=17, rho=0.3, sigma=0.5)
    assert policy.budget(np.array([0.0])) == {}


@pytest.mark.parametrize(
    ("option", "value", "invariant"),
    [
        ("rho", 0.8, "`0 < rho <= 0.5` must hold, but got rho=0.8"),
        ("rho", 0.0, "`0 < rho <= 0.5` must hold, but got rho=0.0"),
        ("rho", -0.1, "`0 < rho <= 0.5` must hold"),
        ("rho", 1e-60, "`1e-50 <= rho < inf` must hold, but got rho=1e-60"),
        ("rho", math.nan, "`0 < rho <= 0.5` must hold, but got rho=nan"),
        ("rho", "0.3", "`rho` must be a number"),
        ("rho", True, "`rho` must be a number"),
        ("sigma", 0, "`1e-50 <= sigma <= 1e+50` must hold, but got sigma=0."),
        ("sigma", math.inf, "`1e-50 <= sigma <= 1e+50` must hold, but got sigma=inf."),
        ("arms", 0, "`1 <= arms <= 8000` must hold"),
        ("arms", 2.5, "`arms` must be a whole number"),
        ("horizon", 0, "must hold, but got horizon=0"),
        ("horizon", 10**16, "must hold, but got horizon=1e"),
        ("growth", 1.0, "`1 < growth <= 1e+06` must hold"),
        ("c_mul", 0.0, "`1e-50 <= c_mul <= 1e+50` must hold"),
        ("commit_scale", -1, "`1e-50 <= commit_scale <= 1e+50` must hold"),
        ("growth", 1 + 1e-9, "`phases <= 100000` must hold, but growth=1.000000001 makes 4.26e+09"),
        ("order", "random", "`order` must be one of round_robin, blocks, reversed_blocks, permuted"),
        ("draws", "new", "`draws` must be one of cumulative, fresh"),
    ],
)
def test_an_impossible_option_is_refused_with_its_invariant(option: str, value: Any, invariant: str) -> None:
    with pytest.raises(InvalidParameter) as refusal:
        rb.REC(**REC | {option: value})
    assert invariant in str(refusal.value)


def test_rho_beyond_one_half_names_the_alternative() -> None:
    with pytest.raises(InvalidParameter, match="For a policy without a guarantee use `UCB1`"):
        rb.RSE(arms=3, horizon=100, rho=0.51, sigma=1)


def test_whole_floats_count_as_whole_numbers() -> None:
    assert rb.REC(**REC | {"horizon": 1e4}).horizon == 10_000
    assert isinstance(rb.REC(**REC | {"horizon": 1e4}).horizon, int)


def test_the_smallest_gap_that_can_decide_counts_only_phases_all_arms_complete() -> None:
    """10 N_4 = 5120 <= T < 10 N_5: the last threshold starts at 2 Conf^max(4)."""
    assert rb.REC(**REC).smallest_gap == pytest.approx(2 * 2.25 / 16 * math.sqrt(math.log(42_000)) / 0.3)
    assert rb.REC(**REC | {"horizon": 79}).smallest_gap == math.inf
