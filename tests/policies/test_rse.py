"""RSE: Algorithm 2, decision by decision."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import replibandit as rb
from replibandit.core.phase import Decisions
from tests.contract import Dataset, run_on

POLICY = rb.RSE(arms=4, horizon=10_000, rho=0.3, sigma=0.5, commit_scale=2.0)  # P = 7
ELIMINATE = 2.25 * math.sqrt(math.log(18 * 16 * 7 / 0.05)) / 0.05 / 2  # rho_e = 0.3 / 6
COMMIT = 2 * 2.25 * math.sqrt(math.log(18 * 16 * 7 / 0.15)) / 0.15 / 2  # rho_a = 0.15, C = 2
HALF = [0.5] * 5


def decide(means: list[float], u: list[float], active: Any = None, policy: Any = POLICY) -> Decisions:
    """The decisions at the end of phase 1 of one run whose arms have these means."""
    tally = rb.Tally(np.full(len(means), 8), np.array(means) * 8)
    everyone = np.ones(len(means), dtype=np.bool_) if active is None else np.array(active)
    return policy.decide(1, tally, everyone, np.array(u))


def test_rho_is_halved_for_the_commitment_and_shared_by_the_eliminations() -> None:
    thresholds = decide([0.0] * 4, HALF).threshold
    assert thresholds[0] == pytest.approx(2.5 * COMMIT, rel=1e-14)
    assert thresholds[1:] == pytest.approx([2.5 * ELIMINATE] * 4, rel=1e-14)


def test_every_arm_has_a_uniform_of_its_own() -> None:
    u = [0.1, 0.2, 0.3, 0.4, 0.5]
    thresholds = decide([0.0] * 4, u).threshold
    assert thresholds[1:] == pytest.approx([(2 + own) * ELIMINATE for own in u[1:]], rel=1e-14)


def test_it_commits_before_it_eliminates() -> None:
    made = decide([0.0, 3 * max(COMMIT, ELIMINATE), 0.0, 0.0], HALF)
    assert made.active.tolist() == [False, True, False, False]
    assert made.evaluated.tolist() == [True, False, False, False, False]
    assert made.taken.tolist() == [True, False, False, False, False]


def test_it_eliminates_every_arm_beyond_its_own_threshold_at_once() -> None:
    top = 2.7 * ELIMINATE
    made = decide([top, top - 1e-9, 0.0, 0.0], [0.5, 0.5, 0.5, 0.6, 0.8])
    assert made.active.tolist() == [True, True, False, True]
    assert made.evaluated.all()


def test_all_eliminations_are_tested_against_the_same_maximum() -> None:
    """Arm 3 is far below arm 0 and near arm 1, which goes in the same phase: arm 3 goes as well."""
    top = 3 * ELIMINATE
    made = decide([top, 0.1, top - 1e-9, 0.0], HALF)
    assert made.active.tolist() == [True, False, True, False]
    assert made.statistic.tolist() == pytest.approx([1e-9, 0.0, top - 0.1, 1e-9, top], abs=1e-10)


def test_a_gap_equal_to_the_threshold_eliminates() -> None:
    threshold = float(decide([0.0] * 4, HALF).threshold[2])
    tally = rb.Tally(np.ones(4, dtype=np.int64), np.array([threshold, 0.0, threshold, threshold]))
    everyone = np.ones(4, dtype=np.bool_)
    assert POLICY.decide(1, tally, everyone, np.array(HALF)).active.tolist() == [True, False, True, True]


def test_the_leader_is_never_eliminated() -> None:
    made = decide([1e9, 1e9, 1e9, 1e9], [0.0] * 5)
    assert made.active.all()


def test_eliminated_arms_take_no_part_and_are_not_tested() -> None:
    made = decide([1e9, 1.0, 0.5, 0.0], HALF, active=[False, True, True, True])
    assert made.evaluated.tolist() == [True, False, True, True, True]
    assert made.statistic.tolist() == [0.5, 0.0, 0.0, 0.5, 1.0]
    assert made.active.tolist() == [False, True, True, True]


def test_one_arm_left_decides_nothing() -> None:
    made = decide([1.0, 2.0, 3.0, 4.0], HALF, active=[False, False, True, False])
    assert not made.evaluated.any()
    assert made.active.tolist() == [False, False, True, False]


def test_u_of_an_eliminated_arm_does_not_shift_the_others() -> None:
    """Two worlds that differ in whether arm 3 went early read the same U for arm 1 ever after."""
    policy = rb.RSE(arms=3, horizon=3000, rho=0.3, sigma=0.5, commit_scale=0.2, eliminate_scale=0.02)
    u = rb.SharedRandomness("addressed")
    early = run_on(policy, Dataset(1, (0.9, 0.85, -2.0)), u)
    late = run_on(policy, Dataset(1, (0.9, 0.85, 0.8)), u)
    drawn = [{(d.phase, d.slot): d.u for d in trace.decisions} for trace in (early, late)]
    assert (2, 3) not in drawn[0]
    assert (2, 3) in drawn[1]
    shared = drawn[0].keys() & drawn[1].keys()
    assert (2, 2) in shared
    assert all(drawn[0][address] == drawn[1][address] for address in shared)


def test_the_commitment_of_two_arms_has_the_statistic_of_the_elimination() -> None:
    """K = 2: Dhat and Dhat_i coincide, so there are two chances to stop per phase."""
    policy = rb.RSE(arms=2, horizon=1000, rho=0.3, sigma=0.5)
    made = decide([0.25, 1.0], [0.5] * 3, policy=policy)
    assert made.statistic.tolist() == [0.75, 0.75, 0.0]
    assert policy.share("commit") == policy.share("eliminate") == 0.15
    gap = 2.3 * policy.radius(1, "eliminate")
    made = decide([0.0, gap], [0.9, 0.1, 0.9], policy=policy)
    assert made.taken.tolist() == [False, True, False]
    assert made.active.tolist() == [False, True]


def test_eliminate_scale_multiplies_the_whole_right_hand_side_of_the_eliminations_only() -> None:
    scaled = rb.RSE(arms=4, horizon=10_000, rho=0.3, sigma=0.5, commit_scale=2.0, eliminate_scale=0.1)
    thresholds = decide([0.0] * 4, HALF, policy=scaled).threshold
    assert thresholds[0] == pytest.approx(2.5 * COMMIT, rel=1e-14)
    assert thresholds[1:] == pytest.approx([0.25 * ELIMINATE] * 4, rel=1e-14)


def test_eliminations_leave_the_last_two_arms_to_be_told_apart() -> None:
    policy = rb.RSE(arms=3, horizon=2000, rho=0.3, sigma=0.5, commit_scale=0.02, eliminate_scale=0.01)
    trace = run_on(policy, Dataset(4, (0.9, 0.8, 0.2)), rb.SharedRandomness("two left"))
    sizes = [len(record.active) for record in trace.phases]
    assert sizes[0] == 3
    assert sizes == sorted(sizes, reverse=True)
    assert 2 in sizes
