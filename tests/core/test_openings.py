"""Policies that leave to U where their phases begin: one rule per run, the same in a batch, and equally likely."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import replibandit as rb
from replibandit.core.openings import opened
from replibandit.errors import InvalidParameter
from replibandit.policies.opened import Opened

POLICY = rb.SharpREC(arms=2, horizon=10_000, rho=0.3, sigma=0.5, first=9, ratio=6.0, lo=4.0, starts=4)


def test_a_policy_that_leaves_nothing_open_is_its_own_rule() -> None:
    plain = rb.REC(arms=2, horizon=100, rho=0.3, sigma=0.5)
    assert opened(plain, rb.SharedRandomness("any")) is plain
    assert opened(POLICY.openings[2], rb.SharedRandomness("any")) is POLICY.openings[2]
    assert opened(rb.UCB1(arms=2, horizon=9), rb.SharedRandomness("any")).horizon == 9


def test_the_start_is_the_part_of_the_unit_interval_that_holds_u() -> None:
    for seed in "abcdefgh":
        u = rb.SharedRandomness(seed)
        assert opened(POLICY, u) == POLICY.openings[int(4 * u.uniform(0, 0, stream="start"))]
    assert opened(POLICY, rb.ConstantRandomness(1.0)) == POLICY.openings[3]


def test_a_batch_follows_the_rule_of_each_run() -> None:
    u = rb.BulkRandomness(3).block(0, 500)
    batch = opened(POLICY, u)
    assert isinstance(batch, Opened)
    active = np.ones((500, 2), dtype=np.bool_)
    firsts = batch.pulls(1, active)[:, 0]
    alone = [opened(POLICY, rb.BulkRandomness(3).row(row)).pulls(1, active[0])[0] for row in range(500)]
    assert firsts.tolist() == alone
    assert sorted(set(firsts.tolist())) == [opening.pull_count(1) for opening in POLICY.openings] == [9, 15, 23, 35]


@pytest.mark.statistical
def test_all_starts_are_equally_likely() -> None:
    """Chi-squared at 1e-6: false alarms in one of a million seeds."""
    batch = opened(POLICY, rb.BulkRandomness(11).block(0, 40_000))
    assert isinstance(batch, Opened)
    assert stats.chisquare(np.bincount(batch.chosen)).pvalue > 1e-6


def test_an_empty_batch_has_empty_decisions() -> None:
    batch = POLICY.opened_at(np.zeros(0, dtype=np.int64))
    none = np.ones((0, 2), dtype=np.bool_)
    assert batch.pulls(1, none).shape == (0, 2)
    decisions = batch.decide(1, rb.Tally.zero((0, 2)), none, np.zeros((0, 1)))
    assert decisions.active.shape == (0, 2)


def test_twins_with_other_starts_part() -> None:
    policy = replace(POLICY, lo=8.0, horizon=10**6)
    world = rb.Gaussian(means=[0.1, 0.0], sd=0.5)
    shared = rb.replicate(policy, world, seeds=2000, runs=2, seed=5)
    alone = rb.replicate(policy, world, seeds=2000, runs=2, seed=5, sharing="independent")
    assert shared.nonreplication < 0.3
    assert alone.nonreplication > 0.7  # three of four pairs look at other times


def test_asking_the_policy_itself_for_pulls_is_an_error_that_says_what_to_do() -> None:
    with pytest.raises(InvalidParameter, match="left to U"):
        POLICY.pulls(1, POLICY.first_active())


def test_the_record_of_a_live_run_replays_with_the_same_start() -> None:
    u = rb.SharedRandomness("published")
    session = rb.Session(POLICY, u=u)
    while pulls := session.ask(1000):
        for pull in pulls:
            session.tell(pull, 1.0 if pull.arm == 0 else 0.0)
    assert session.policy is POLICY
    assert rb.replay(POLICY, session.trace.tallies, u=u) == session.trace
    assert session.trace.phases[0].pulls[0] == opened(POLICY, u).pull_count(1)  # type: ignore[attr-defined]
