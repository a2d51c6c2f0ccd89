"""Tallies add in any order, and a record can be checked by hand."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replibandit as rb
from replibandit.errors import InvalidParameter

rewards = st.lists(st.lists(st.floats(-1e6, 1e6), max_size=30), min_size=1, max_size=4)
counts = st.lists(st.integers(0, 10**9), min_size=3, max_size=3)
totals = st.lists(st.integers(-(2**40), 2**40).map(float), min_size=3, max_size=3)  # exact in binary
tallies = st.lists(st.builds(lambda n, s: rb.Tally(np.array(n), np.array(s)), counts, totals), min_size=1, max_size=6)


@given(rewards=rewards, shuffle=st.integers(0, 99))
def test_a_tally_of_rewards_does_not_depend_on_their_order(rewards: list[list[float]], shuffle: int) -> None:
    shuffled = [random.Random(shuffle).sample(arm, len(arm)) for arm in rewards]
    assert rb.Tally.of(rewards).totals.tolist() == rb.Tally.of(shuffled).totals.tolist()
    assert rb.Tally.of(rewards).counts.tolist() == [len(arm) for arm in rewards]


@given(tallies=tallies, shuffle=st.integers(0, 99))
def test_tallies_add_in_any_order(tallies: list[rb.Tally], shuffle: int) -> None:
    zero = rb.Tally.zero((3,))
    one = sum(tallies, start=zero)
    other = sum(random.Random(shuffle).sample(tallies, len(tallies)), start=zero)
    assert one.counts.tolist() == other.counts.tolist()
    assert one.totals.tolist() == other.totals.tolist()


@given(rewards=st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=60))
def test_a_phase_is_the_sum_of_its_pulls(rewards: list[float]) -> None:
    """The exact sum, rounded once: no other float is nearer."""
    phase = rb.Tally.of([rewards])
    assert phase.totals[0] == math.fsum(rewards)
    assert phase.counts[0] == len(rewards)


def test_an_arm_never_pulled_has_mean_zero_not_nan() -> None:
    assert rb.Tally.zero((2, 3)).means.tolist() == [[0.0] * 3] * 2


@pytest.mark.parametrize(
    ("counts", "totals", "says"),
    [
        ([1, 1], [0.0, 0.0], r"one count and one total per arm \(3\)"),
        ([1, 1, 1], [0.0, 0.0], r"one count and one total per arm \(3\)"),
        ([[1, 1, 1]], [0.0, 0.0, 0.0], "one count and one total per arm"),
        ([1, 1, 1], [0.0, math.nan, 0.0], "finite totals"),
        ([1, 1, 1], [0.0, math.inf, 0.0], "finite totals"),
        ([1, -1, 1], [0.0, 0.0, 0.0], "whole counts >= 0"),
        ([1, 0, 1], [0.0, 0.5, 0.0], "total 0 where nothing was pulled"),
        ([1.5, 1, 1], [0.0, 0.0, 0.0], "whole counts"),
        ([math.nan, 1, 1], [0.0, 0.0, 0.0], "whole counts"),
    ],
)
def test_a_tally_that_cannot_have_happened_is_refused(counts: list[float], totals: list[float], says: str) -> None:
    with pytest.raises(InvalidParameter, match=says):
        rb.Tally(np.array(counts), np.array(totals)).checked(3)


def test_whole_counts_told_as_floats_are_whole() -> None:
    checked = rb.Tally(np.array([2.0, 3.0]), np.array([1, 0])).checked(2)
    assert checked.counts.dtype == np.int64
    assert checked.totals.dtype == np.float64


def test_a_decision_names_its_arm_or_the_commitment() -> None:
    common = {"phase": 2, "statistic": 0.1, "threshold": 0.2, "u": 0.5, "taken": False}
    assert rb.Decision(slot=0, **common).arm is None
    assert rb.Decision(slot=3, **common).arm == 2


def test_a_trace_gives_back_its_tallies_decisions_and_pulls() -> None:
    policy = rb.REC(arms=2, horizon=100, rho=0.3, sigma=0.5, commit_scale=0.01)
    data = rb.Tally.of([[1.0] * 8, [0.0] * 8])
    trace = rb.replay(policy, [data], u=rb.SharedRandomness("trace"))
    (tally,) = trace.tallies
    assert tally.counts.tolist() == data.counts.tolist()
    assert tally.totals.tolist() == data.totals.tolist()
    assert [decision.slot for decision in trace.decisions] == [0]
    assert trace.pulls == (92, 8)
