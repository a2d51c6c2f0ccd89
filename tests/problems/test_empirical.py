"""Rewards resampled from recorded ones: both ways of adding them up have the same, exact law."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import replibandit as rb
from replibandit.core.problem import Problem
from replibandit.errors import InvalidParameter
from tests.laws import convolved, follows_points

RECORDED = [[0.0, 1.0, 1.0, 4.0], [2.5]]  # three distinct values: more than three pulls are one multinomial draw
PROBLEM = rb.Empirical(samples=RECORDED)
LAW = {0.0: 1 / 4, 1.0: 2 / 4, 4.0: 1 / 4}


@pytest.mark.statistical
@pytest.mark.parametrize("pulls", [1, 2, 3, 4, 5, 9])
def test_a_total_has_the_exact_law_of_the_sum(pulls: int) -> None:
    """Against all outcomes listed; up to 3 pulls by single draws, beyond by counts. False alarm 1e-6 each."""
    totals = PROBLEM.totals(np.full((20_000, 2), pulls), np.random.default_rng(51))
    follows_points(totals[:, 0], convolved(LAW, pulls))
    assert (totals[:, 1] == 2.5 * pulls).all()


@pytest.mark.statistical
def test_counts_and_single_draws_are_one_law() -> None:
    """The two paths on the same number of pulls, each against the exact law. False alarm 2e-6."""
    pulls, rng = np.full(20_000, 6), np.random.default_rng(52)
    follows_points(PROBLEM._summed(0, pulls, rng), convolved(LAW, 6))
    follows_points(Problem._summed(PROBLEM, 0, pulls, rng), convolved(LAW, 6))


@pytest.mark.statistical
def test_runs_of_one_batch_may_have_different_numbers_of_pulls() -> None:
    """False alarm 2e-6."""
    pulls = np.tile([1, 8], 20_000)
    totals = PROBLEM._summed(0, pulls, np.random.default_rng(53))
    follows_points(totals[::2], convolved(LAW, 1))
    follows_points(totals[1::2], convolved(LAW, 8))


def test_10_to_the_15_pulls_cost_no_more_than_ten() -> None:
    totals = PROBLEM.totals(np.full((200, 2), 10**15), np.random.default_rng(54))
    assert totals[:, 0] == pytest.approx(1.5 * 10**15, rel=1e-6)
    assert (totals[:, 1] == 2.5 * 10**15).all()


def test_a_big_table_of_counts_is_cut_into_pieces_that_change_nothing() -> None:
    many = rb.Empirical(samples=[np.linspace(0, 1, 30_000).tolist()])
    totals = many.totals(np.full((300, 1), 40_000), np.random.default_rng(55))
    assert totals == pytest.approx(20_000, rel=0.02)


def test_single_rewards_are_recorded_ones() -> None:
    drawn = PROBLEM.rewards(0, (30, 20), np.random.default_rng(56))
    assert set(drawn.ravel().tolist()) == {0.0, 1.0, 4.0}


def test_half_the_widest_range_is_the_scale() -> None:
    assert PROBLEM.subgaussian == 2.0
    assert rb.Empirical(samples=[[1.0, 1.0], [0.0]]).subgaussian is None


def test_arms_are_labelled() -> None:
    assert PROBLEM.labels == ("0", "1")
    assert rb.Empirical(samples=RECORDED, labels=["old", "new"]).labels == ("old", "new")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"samples": []}, "at least one arm"),
        ({"samples": [[]]}, r"`samples\[0\]` must hold at least one number"),
        ({"samples": [[1, None]]}, r"samples\[0\]\[1\]"),
        ({"samples": [[1, float("inf")]]}, r"samples\[0\]\[1\]"),
        ({"samples": 5}, "`samples` must be a list with one entry per arm"),
        ({"samples": "1,2"}, "`samples` must be a list with one entry per arm"),
        ({"samples": [[1], [2]], "labels": ["a"]}, "each of the 2 arms once"),
        ({"samples": [[1], [2]], "labels": ["a", "a"]}, "each of the 2 arms once"),
        ({"samples": [[1], [2]], "labels": ["a", "\udc80"]}, r"`labels\[1\]` must be a text without lone surrogates"),
        ({"samples": [[1], [2]], "labels": 5}, "`labels` must be a list"),
    ],
)
def test_records_that_cannot_be_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        rb.Empirical(**options)
