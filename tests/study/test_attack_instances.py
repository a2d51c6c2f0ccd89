"""Shapes and gaps: the thresholds of every phase are met, one period finely and both ends."""

from __future__ import annotations

import math

import numpy as np
import pytest

import replibandit as rb
from replibandit.study.attack_instances import FINE, TIED, draws_per_run, looks, places, shapes

SHARP = rb.SharpREC(arms=2, horizon=10**12, rho=0.05, sigma=1.0, first=1, ratio=4, lo=22, width=70)
POLICIES = [
    SHARP,
    rb.REC(arms=3, horizon=10**15, rho=0.05, sigma=0.5),
    rb.RSE(arms=10, horizon=10**10, rho=0.3, sigma=2.0),
    rb.RASMAB(arms=3, horizon=10**6, rho=0.3, sigma=0.5, divisor=100.0),
    rb.UCB1(arms=2, horizon=1000),
    rb.REC(arms=2, horizon=5, rho=0.3, sigma=1.0),
]


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: f"{policy.kind} {policy.horizon}")
def test_the_middle_of_every_phase_is_a_place(policy: rb.PhasedPolicy) -> None:
    gaps = {place.gap for place in places(policy, 1.0)}
    assert gaps.issuperset(looks(policy, 1.0).middle.tolist())
    assert all(0 < gap < math.inf for gap in gaps)
    assert len(gaps) < 1000


def test_thresholds_are_those_of_the_policy() -> None:
    seen = looks(SHARP, 1.0)
    assert seen.pulls.tolist() == [4.0**p for p in range(20)]  # 2 * 4^20 > 10^12
    assert np.allclose(seen.low, 22 / seen.pulls**0.5)
    assert np.allclose(seen.high, 92 / seen.pulls**0.5)
    assert seen.period == pytest.approx(math.log(4) / 2)


def test_one_period_in_the_middle_and_both_ends_are_swept_finely() -> None:
    seen = looks(SHARP, 1.0)
    fine = sorted(place.gap for place in places(SHARP, 1.0) if place.fine)
    steps = np.diff(np.log(fine))
    closely = steps <= 1.001 * seen.period / FINE
    inside = (fine[0] < seen.low[-1], fine[-1] > seen.high[0])
    assert all(inside)
    assert (~closely).sum() == 2  # the two jumps between the three stretches
    assert closely.sum() >= 5 * FINE
    coarse = np.sort([place.gap for place in places(SHARP, 1.0)])
    assert np.diff(np.log(coarse)).max() < 0.5 * seen.period


def test_the_gap_that_known_gap_etc_relies_on_is_a_place() -> None:
    policy = rb.KnownGapETC(arms=3, horizon=10**6, rho=0.3, sigma=0.5, gap=0.123)
    assert 0.123 in {place.gap for place in places(policy, 0.5)}


@pytest.mark.parametrize("arms", [2, 3, 4, 10, 100])
def test_shapes_differ_and_lead_with_the_best_arm(arms: int) -> None:
    found = shapes(arms, 2.0)
    assert all(len(gaps) == arms and gaps[0] == 0 and min(gaps) == 0 for gaps in found.values())
    assert len({tuple(gaps) for gaps in found.values()}) == len(found)
    assert found[TIED] == [0.0] * arms
    assert len(found) == {2: 2, 3: 6, 4: 8}.get(arms, 9)


def test_in_the_geometric_shape_every_arm_sits_at_the_same_point_of_its_own_phase() -> None:
    assert shapes(4, 3.0)["geometric"] == [0.0, 1.0, 3.0, 9.0]


def test_a_tie_may_draw_to_the_end_and_a_large_lead_stops_at_once() -> None:
    seen = looks(SHARP, 1.0)
    assert draws_per_run(SHARP, 0.0, 1.0) == 2 * seen.pulls[-1]
    assert draws_per_run(SHARP, 100.0, 1.0) == 2
    assert draws_per_run(rb.UCB1(arms=2, horizon=1000), 100.0, 1.0) == 1000
