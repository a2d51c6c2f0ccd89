"""Orders inside a phase: the closed form of a cut agrees with the pulls made one by one."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replibandit.core.order import ORDERS, first_pulls, rank, sequence

plans = st.lists(st.integers(0, 12), min_size=1, max_size=6)


def place_of(order: str, arms: int, shuffle: int) -> np.ndarray:
    return rank(order, arms, np.random.default_rng(shuffle).random(arms))


@given(order=st.sampled_from(ORDERS), pulls=plans, shuffle=st.integers(0, 99))
def test_every_cut_counts_the_pulls_of_the_sequence(order: str, pulls: list[int], shuffle: int) -> None:
    planned = np.array(pulls)
    place = place_of(order, planned.size, shuffle)
    played = list(sequence(order, place, planned))
    assert np.bincount(played, minlength=planned.size).tolist() == pulls
    for cut in range(len(played) + 1):
        expected = np.bincount(played[:cut], minlength=planned.size)
        assert first_pulls(order, place, planned, np.array(cut)).tolist() == expected.tolist()


@given(order=st.sampled_from(ORDERS), rows=st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=1,
       max_size=5), share=st.floats(0, 1), shuffle=st.integers(0, 99))  # fmt: skip
def test_a_batch_is_cut_row_by_row(order: str, rows: list[list[int]], share: float, shuffle: int) -> None:
    planned = np.array(rows)
    u = np.random.default_rng(shuffle).random(planned.shape)
    place = rank(order, 4, u)
    rounds = np.floor(planned.sum(axis=-1) * share).astype(np.int64)
    cut = first_pulls(order, place, planned, rounds)
    assert (cut.sum(axis=-1) == rounds).all()
    assert ((cut >= 0) & (cut <= planned)).all()
    for row in range(len(rows)):
        own = place[row] if place.ndim == 2 else place
        assert first_pulls(order, own, planned[row], rounds[row]).tolist() == cut[row].tolist()


@given(pulls=st.lists(st.integers(0, 10**14), min_size=2, max_size=5), share=st.fractions(0, 1))
def test_cuts_of_astronomical_phases_are_exact(pulls: list[int], share: float) -> None:
    planned = np.array(pulls)
    rounds = np.array(int(planned.sum() * share))
    for order in ORDERS[:3]:
        assert first_pulls(order, rank(order, planned.size, None), planned, rounds).sum() == rounds


def test_round_robin_takes_turns_lowest_arm_first() -> None:
    assert list(sequence("round_robin", rank("round_robin", 3, None), np.array([2, 1, 3]))) == [0, 1, 2, 0, 2, 2]


def test_a_cut_round_robin_is_fair() -> None:
    cut = first_pulls("round_robin", rank("round_robin", 3, None), np.array([100, 100, 100]), np.array(50))
    assert cut.tolist() == [17, 17, 16]


def test_blocks_finish_one_arm_before_the_next() -> None:
    assert list(sequence("blocks", rank("blocks", 3, None), np.array([2, 0, 1]))) == [0, 0, 2]


def test_reversed_blocks_begin_with_the_highest_arm() -> None:
    place = rank("reversed_blocks", 3, None)
    assert list(sequence("reversed_blocks", place, np.array([1, 2, 1]))) == [2, 1, 1, 0]


def test_permuted_blocks_follow_u_from_small_to_large() -> None:
    place = rank("permuted", 3, np.array([0.9, 0.1, 0.5]))
    assert list(sequence("permuted", place, np.array([1, 1, 1]))) == [1, 2, 0]


def test_permuted_needs_u() -> None:
    with pytest.raises(TypeError, match="needs the phase's U"):
        rank("permuted", 3, None)


def test_a_sequence_is_made_pull_by_pull() -> None:
    endless = sequence("blocks", rank("blocks", 2, None), np.array([10**15, 1]))
    assert list(islice(endless, 3)) == [0, 0, 0]
