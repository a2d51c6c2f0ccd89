"""A session can be used clumsily, but not so that its record is spoilt."""

from __future__ import annotations

import json
import math
import random
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import replibandit as rb
from replibandit.errors import ConflictingReward, InvalidParameter, InvalidReward, SessionError, UnknownPull


@pytest.fixture
def session() -> rb.Session:
    policy = rb.REC(arms=2, horizon=40, rho=0.3, sigma=0.5, commit_scale=0.01)
    return rb.Session(policy, u=rb.SharedRandomness("fixture"))


def finish(session: rb.Session, reward: float = 1.0) -> None:
    while pulls := session.ask(7):
        for pull in pulls:
            session.tell(pull, reward if pull.arm == 0 else 0.0)


# --- asking ---------------------------------------------------------------------------------------------------


def test_pulls_are_numbered_from_one_without_gaps(session: rb.Session) -> None:
    numbers = [pull.number for pull in session.ask(3) + session.ask(2)]
    assert numbers == [1, 2, 3, 4, 5]


def test_a_phase_hands_out_its_pulls_and_then_waits(session: rb.Session) -> None:
    pulls = session.ask(1000)
    assert [pull.arm for pull in pulls] == [0, 1] * 8
    assert session.ask(1) == []
    assert session.waiting == pulls
    session.tell(pulls[3], 0.5)
    assert session.ask(1) == []
    assert len(session.waiting) == 15


def test_asking_for_nothing_gives_nothing(session: rb.Session) -> None:
    assert session.ask(0) == []


@pytest.mark.parametrize("count", [-1, 1.5, "3", None, True])
def test_asking_for_a_strange_number_is_refused(session: rb.Session, count: Any) -> None:
    with pytest.raises(InvalidParameter, match="count"):
        session.ask(count)


def test_a_finished_session_hands_out_nothing_more(session: rb.Session) -> None:
    finish(session)
    assert session.done
    assert session.ask(5) == []
    assert session.waiting == []
    assert sum(session.pulls) == 40


# --- telling --------------------------------------------------------------------------------------------------


def test_telling_a_reward_again_is_harmless_by_pull_or_by_number(session: rb.Session) -> None:
    (pull,) = session.ask(1)
    for _ in range(3):
        session.tell(pull, 0.25)
        session.tell(pull.number, 0.25)
        session.tell(np.int64(pull.number), np.float64(0.25))  # type: ignore[arg-type]
    assert sum(session.pulls) == 1


def test_telling_again_after_the_phase_is_closed_is_harmless(session: rb.Session) -> None:
    pulls = session.ask(16)
    for pull in pulls:
        session.tell(pull, float(pull.arm == 0))
    assert session.phase == 2
    session.tell(pulls[0], 1.0)
    with pytest.raises(ConflictingReward):
        session.tell(pulls[0], 0.0)


def test_a_contradiction_is_loud_and_the_first_reward_stays(session: rb.Session) -> None:
    (pull,) = session.ask(1)
    session.tell(pull, 1.0)
    with pytest.raises(ConflictingReward, match=r"pull 1 already has the reward 1\.0, but got 0\.0"):
        session.tell(pull, 0.0)
    session.tell(pull, 1.0)


@pytest.mark.parametrize(
    "pull",
    [0, -1, 17, 10**30, 1.5, "1", None, True, rb.Pull(1, 1, 1), rb.Pull(1, 2, 0), rb.Pull(99, 1, 0)],
    ids=repr,
)
def test_a_pull_that_was_never_handed_out_is_refused(session: rb.Session, pull: Any) -> None:
    session.ask(16)
    with pytest.raises(UnknownPull, match="was never handed out"):
        session.tell(pull, 1.0)
    assert sum(session.pulls) == 0


def test_a_pull_planned_but_not_yet_handed_out_is_refused(session: rb.Session) -> None:
    session.ask(1)
    with pytest.raises(UnknownPull, match="numbered 1 to 1"):
        session.tell(2, 1.0)


@pytest.mark.parametrize(
    "reward",
    [math.nan, math.inf, -math.inf, None, "1.0", b"1", 1j, [1.0], np.nan, np.float32("inf"), 10**400, 1e300,
     np.array([1.0, 2.0]), Decimal(1)],
    ids=repr,
)  # fmt: skip
def test_a_reward_that_is_not_a_finite_number_is_refused(session: rb.Session, reward: Any) -> None:
    (pull,) = session.ask(1)
    with pytest.raises(InvalidReward, match="pull 1 must be a finite number"):
        session.tell(pull, reward)
    assert session.waiting == [pull]


@pytest.mark.parametrize(
    ("reward", "value"),
    [(True, 1.0), (False, 0.0), (np.True_, 1.0), (3, 3.0), (np.int8(3), 3.0), (Fraction(1, 4), 0.25), (-0.0, 0.0)],
)
def test_every_kind_of_finite_number_is_a_reward(session: rb.Session, reward: Any, value: float) -> None:
    (pull,) = session.ask(1)
    session.tell(pull, reward)
    session.tell(pull, value)  # the same reward, told again


def test_the_largest_rewards_still_sum_to_finite_means(session: rb.Session) -> None:
    for pull in session.ask(16):
        session.tell(pull, 1e290)
    (record,) = session.trace.phases
    assert all(math.isfinite(total) for total in record.totals)
    assert record.decisions[0].statistic == 0.0


def test_every_session_error_is_of_one_family() -> None:
    assert all(issubclass(error, SessionError) for error in (ConflictingReward, InvalidReward, UnknownPull))


# --- where it stands ------------------------------------------------------------------------------------------


def test_it_says_where_it_stands(session: rb.Session) -> None:
    assert (session.phase, session.active, session.pulls, session.done) == (1, (0, 1), (0, 0), False)
    finish(session)
    assert (session.phase, session.active, session.pulls, session.done) == (2, (0,), (32, 8), True)
    assert "told=40 of 40" in repr(session)
    assert "waiting=0" in repr(session)


def test_phases_without_new_pulls_decide_at_once() -> None:
    """sigma so small that N_1 = N_2 = ... = 1: the run goes on deciding and does not call itself done."""
    policy = rb.REC(arms=2, horizon=50, rho=0.3, sigma=0.02, commit_scale=0.2)
    session = rb.Session(policy, u=rb.SharedRandomness("small sigma"))
    for pull in session.ask(10):
        session.tell(pull, 1.0 if pull.arm == 1 else 0.0)
    assert [sum(record.pulls) for record in session.trace.phases] == [2, 0, 0, 0]
    assert not session.done
    finish(session)
    assert session.done
    assert sum(session.pulls) == 50
    assert rb.replay(policy, session.trace.tallies, u=rb.SharedRandomness("small sigma")) == session.trace


def test_ten_thousand_phases_without_pulls_do_not_exhaust_the_stack() -> None:
    policy = rb.REC(arms=2, horizon=50, rho=0.3, sigma=0.02, growth=1.0005)
    session = rb.Session(policy, u=rb.ConstantRandomness(0.5))
    for pull in session.ask(2):
        session.tell(pull, 0.0)
    assert session.phase > 2000
    assert not session.done


def test_a_phase_of_a_billion_pulls_is_not_written_down_in_advance() -> None:
    policy = rb.REC(arms=2, horizon=10**15, rho=0.3, sigma=1e5)
    session = rb.Session(policy, u=rb.ConstantRandomness(0.5))
    assert [pull.arm for pull in session.ask(5)] == [0, 1, 0, 1, 0]


def test_the_order_of_telling_leaves_no_trace() -> None:
    """Naive sums would differ in the last bit from one order to the next."""
    policy = rb.REC(arms=2, horizon=60, rho=0.3, sigma=0.5, commit_scale=0.02)
    rewards = {number: random.Random(number).gauss(0, 1) * 10 ** (number % 9) for number in range(1, 61)}
    traces = []
    for seed in range(20):
        session = rb.Session(policy, u=rb.SharedRandomness("order"))
        while pulls := session.ask(1000):
            random.Random(seed).shuffle(pulls)
            for pull in pulls:
                session.tell(pull, rewards[pull.number])
        traces.append(session.trace)
    assert all(trace == traces[0] for trace in traces)


def test_a_trace_is_plain_values_throughout(session: rb.Session) -> None:
    finish(session)
    trace = session.trace
    assert json.loads(json.dumps([trace.digest, trace.pulls, trace.phases[0].totals])) == [
        trace.digest, list(trace.pulls), list(trace.phases[0].totals),
    ]  # fmt: skip
