"""Replay refuses every record that the policy's plan does not allow."""

from __future__ import annotations

import numpy as np
import pytest

import replibandit as rb
from replibandit.errors import InvalidParameter, ReplayMismatch

POLICY = rb.REC(arms=2, horizon=100, rho=0.3, sigma=0.5, commit_scale=0.01)
U = rb.SharedRandomness("replay")
FIRST = rb.Tally.of([[1.0] * 8, [0.0] * 8])


def test_one_tally_per_complete_phase() -> None:
    trace = rb.replay(POLICY, iter([FIRST]), u=U)
    assert sum(trace.pulls) == 100


def test_a_missing_tally_is_named_by_its_phase() -> None:
    with pytest.raises(ReplayMismatch, match="phase 1 is complete by the policy's plan, but its tally is missing"):
        rb.replay(POLICY, [], u=U)


def test_an_extra_tally_is_refused() -> None:
    with pytest.raises(ReplayMismatch, match="ends after 1 complete phases, but 2 more tallies were given"):
        rb.replay(POLICY, [FIRST, FIRST, FIRST], u=U)


def test_a_tally_with_other_counts_is_refused() -> None:
    with pytest.raises(ReplayMismatch, match=r"pulls \[8, 8\], but the tally records \[8, 7\]"):
        rb.replay(POLICY, [rb.Tally.of([[1.0] * 8, [0.0] * 7])], u=U)


def test_a_tally_of_another_policy_or_u_is_refused() -> None:
    other = rb.REC(arms=2, horizon=100, rho=0.3, sigma=1.0)
    with pytest.raises(ReplayMismatch, match="check that policy and U are those of the record"):
        rb.replay(other, [FIRST], u=U)


def test_an_impossible_tally_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="finite totals"):
        rb.replay(POLICY, [rb.Tally(np.array([8, 8]), np.array([np.nan, 0.0]))], u=U)


def test_replaying_twice_gives_the_same_trace() -> None:
    assert rb.replay(POLICY, [FIRST], u=U) == rb.replay(POLICY, [FIRST], u=U)


def test_another_u_is_seen_in_the_trace() -> None:
    one, other = rb.replay(POLICY, [FIRST], u=U), rb.replay(POLICY, [FIRST], u=rb.SharedRandomness("other"))
    assert one != other
    assert one.decisions[0].u != other.decisions[0].u
