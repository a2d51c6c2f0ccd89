"""Counting equal pairs of twins, against counting them one by one."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from replibandit.core.arrays import HashArray, IntArray
from replibandit.study.agreement import (
    combine,
    equal_pairs,
    nonreplication_per_seed,
    over_seeds,
    plug_in,
    row_keys,
)

KEYS = hnp.arrays(
    np.uint64, hnp.array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=7), elements=st.integers(0, 3)
)


@given(KEYS)
def test_equal_pairs_are_those_counted_one_by_one(keys: HashArray) -> None:
    brute = [sum(a == b for a, b in permutations(row, 2)) for row in keys.tolist()]
    assert equal_pairs(keys).tolist() == brute


@given(KEYS)
def test_nonreplication_is_the_share_of_ordered_pairs_that_differ(keys: HashArray) -> None:
    runs = keys.shape[1]
    brute = [sum(a != b for a, b in permutations(row, 2)) / (runs * (runs - 1)) for row in keys.tolist()]
    assert nonreplication_per_seed(keys) == pytest.approx(brute, abs=1e-15)


@given(KEYS)
def test_the_plug_in_is_the_papers_formula_and_too_low_by_n_minus_1_over_n(keys: HashArray) -> None:
    runs = keys.shape[1]
    paper = [1 - sum((row.count(s) / runs) ** 2 for s in set(row)) for row in keys.tolist()]
    assert plug_in(keys) == pytest.approx(np.mean(paper), abs=1e-12)
    assert plug_in(keys) == pytest.approx(nonreplication_per_seed(keys).mean() * (runs - 1) / runs, abs=1e-12)


def test_the_estimate_is_unbiased_and_the_plug_in_is_not() -> None:
    """Two equally likely sequences, three runs: all 8 outcomes, each 1/8; the truth is 1/2."""
    outcomes = np.array([[(n >> bit) & 1 for bit in range(3)] for n in range(8)], dtype=np.uint64)
    assert nonreplication_per_seed(outcomes).mean() == pytest.approx(1 / 2)
    assert plug_in(outcomes) == pytest.approx(1 / 2 * 2 / 3)


def test_runs_of_different_u_are_never_compared() -> None:
    keys = np.array([[1, 1], [2, 2]], dtype=np.uint64)
    assert nonreplication_per_seed(keys).tolist() == [0.0, 0.0]


def test_one_pair_per_u_gives_the_exact_interval_more_runs_the_betting_one() -> None:
    assert over_seeds(np.array([0.0, 1.0]), 2).method.startswith("Clopper-Pearson")
    assert over_seeds(np.array([0.0, 1.0]), 3).method.startswith("betting")


def test_the_interval_of_pairs_is_that_of_the_number_of_pairs_that_differ() -> None:
    interval = over_seeds(np.array([1.0, 0.0, 0.0, 1.0, 1.0]), 2)
    assert interval.estimate == 3 / 5
    assert (round(interval.low, 4), round(interval.high, 4)) == (0.1466, 0.9473)  # textbook value for 3 of 5


@given(hnp.arrays(np.int64, (6, 3), elements=st.integers(0, 2)))
def test_row_keys_are_equal_exactly_where_rows_are(values: IntArray) -> None:
    keys = row_keys(values)
    for a in range(6):
        for b in range(6):
            assert (keys[a] == keys[b]) == (values[a].tolist() == values[b].tolist())


def test_combined_keys_tell_the_order_of_their_parts() -> None:
    zero, one, two = (np.array([n], dtype=np.uint64) for n in range(3))
    assert combine(combine(zero, one), two) != combine(combine(zero, two), one)
    assert combine(zero, np.array([False])) != zero
