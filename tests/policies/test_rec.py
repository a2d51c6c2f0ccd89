"""REC: Algorithm 1, decision by decision."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import replibandit as rb
from replibandit.core.phase import Decisions


def decide(policy: Any, means: list[float], u: list[float], phase: int = 1, active: Any = None) -> Decisions:
    """The decisions of one run whose arms have these means."""
    count = policy.pull_count(phase)
    tally = rb.Tally(np.full(len(means), count), np.array(means) * count)
    everyone = np.ones(len(means), dtype=np.bool_) if active is None else np.array(active)
    return policy.decide(phase, tally, everyone, np.array(u))


POLICY = rb.REC(arms=3, horizon=10_000, rho=0.3, sigma=0.5)
WIDTH = 2.25 * math.sqrt(math.log(18 * 9 * 7 / 0.3)) / 0.3 / 2  # Conf^max at p = 1, P = 7


def test_the_threshold_is_two_plus_u_times_conf_max() -> None:
    for u in (0.0, 0.25, 0.999):
        assert decide(POLICY, [0, 0, 0], [u]).threshold[0] == pytest.approx((2 + u) * WIDTH, rel=1e-14)


def test_it_commits_to_the_largest_mean_when_the_gap_reaches_the_threshold() -> None:
    made = decide(POLICY, [0.0, 3 * WIDTH, 0.5], [0.3])
    assert made.taken.tolist() == [True]
    assert made.active.tolist() == [False, True, False]
    assert made.statistic[0] == pytest.approx(3 * WIDTH - 0.5)


def test_it_explores_on_below_the_threshold() -> None:
    made = decide(POLICY, [0.0, 2 * WIDTH, 0.5], [0.3])
    assert made.taken.tolist() == [False]
    assert made.active.tolist() == [True, True, True]


def test_a_gap_equal_to_the_threshold_commits() -> None:
    """>=, not >."""
    threshold = float(decide(POLICY, [0, 0, 0], [0.5]).threshold[0])
    tally = rb.Tally(np.array([1, 1, 1]), np.array([0.0, 0.0, threshold]))
    everyone = np.ones(3, dtype=np.bool_)
    assert POLICY.decide(1, tally, everyone, np.array([0.5])).taken.tolist() == [True]
    below = rb.Tally(np.array([1, 1, 1]), np.array([0.0, 0.0, np.nextafter(threshold, 0)]))
    assert POLICY.decide(1, below, everyone, np.array([0.5])).taken.tolist() == [False]


def test_tied_leaders_have_no_gap() -> None:
    made = decide(POLICY, [50.0, 50.0, 0.0], [0.0])
    assert made.statistic.tolist() == [0.0]
    assert made.taken.tolist() == [False]


def test_ties_go_to_the_lowest_index() -> None:
    """Only a threshold of zero commits on a tie: the known-gap rule has one."""
    policy = rb.KnownGapETC(arms=3, horizon=1000, rho=0.3, sigma=0.5, gap=0.5)
    assert decide(policy, [0.0, 0.5, 0.5], [0.0]).active.tolist() == [False, True, False]


def test_no_decision_when_one_arm_is_left() -> None:
    made = decide(POLICY, [0.0, 99.0, 0.0], [0.0], active=[True, False, False])
    assert made.evaluated.tolist() == [False]
    assert made.active.tolist() == [True, False, False]


def test_inactive_arms_take_no_part_in_the_gap() -> None:
    made = decide(POLICY, [1.0, 99.0, 0.25], [0.0], active=[True, False, True])
    assert made.statistic.tolist() == [0.75]


def test_negative_rewards_are_rewards() -> None:
    made = decide(POLICY, [-100.0, -1.0, -100.0], [0.0])
    assert made.active.tolist() == [False, True, False]


def test_commit_scale_multiplies_the_whole_right_hand_side() -> None:
    for scale in (0.03, 0.5, 2.0):
        scaled = rb.REC(arms=3, horizon=10_000, rho=0.3, sigma=0.5, commit_scale=scale)
        assert decide(scaled, [0, 0, 0], [0.7]).threshold[0] == pytest.approx(2.7 * scale * WIDTH, rel=1e-14)
        regret_bound = rb.REC(arms=3, horizon=10_000, rho=0.3, sigma=0.5, commit_scale=scale, c_mul=0.01)
        conf_reg = math.sqrt(math.log(3 * 10_000 * 7)) / 2
        assert decide(regret_bound, [0, 0, 0], [0.7]).threshold[0] == pytest.approx(2.7 * scale * conf_reg)


def test_c_mul_multiplies_conf_repr_and_not_conf_reg() -> None:
    half = rb.REC(arms=3, horizon=10_000, rho=0.3, sigma=0.5, c_mul=9 / 8)
    assert half.radius(1, "commit") == pytest.approx(WIDTH / 2)
    tiny = rb.REC(arms=3, horizon=10_000, rho=0.3, sigma=0.5, c_mul=1e-9)
    assert tiny.radius(1, "commit") == pytest.approx(math.sqrt(math.log(3 * 10_000 * 7)) / 2)


def test_one_uniform_per_phase_shared_by_all_arms() -> None:
    assert POLICY.slots == 1


def test_rec_is_rse_with_all_of_rho_for_the_commitment_and_no_elimination() -> None:
    """rho_a = rho / 2 in RSE: give it twice the rho, an elimination threshold out of reach, and the same U."""
    options: dict[str, Any] = {"arms": 3, "horizon": 4000, "sigma": 0.5, "commit_scale": 0.03}
    rec = rb.REC(rho=0.2, **options)
    rse = rb.RSE(rho=0.4, eliminate_scale=1e9, **options)
    problem = rb.problem("paper/model-2", sd=0.5)
    one, other = rb.simulate(rec, problem, runs=500, seed=3), rb.simulate(rse, problem, runs=500, seed=3)
    assert (one.digests == other.digests).all()
    assert one.stopping == other.stopping
    assert len(one.stopping) > 1
