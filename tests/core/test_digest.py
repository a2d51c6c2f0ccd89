"""The digest is that of the sequence of arms, whoever computes it and however it was cut."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replibandit.core import digest as dg
from replibandit.core.order import ORDERS, rank, sequence

P, BASE = 2**61 - 1, 0x9E3779B1


def of_sequence(arms: int, played: list[int], start: int = 0) -> int:
    """The definition, in whole numbers."""
    keys = dg.arm_keys(arms).tolist()
    for arm in played:
        start = (start * BASE + keys[arm]) % P
    return start


def extended(pulls: object, order: str = "round_robin", place: object = None, start: object = 0) -> np.ndarray:
    planned = np.array(pulls, dtype=np.int64)
    where = rank(order, planned.shape[-1], None) if place is None else np.array(place)
    begin = np.broadcast_to(np.array(start, dtype=np.uint64), planned.shape[:-1])
    return dg.extend(begin, planned, order, where)


pulls_of_four = st.lists(st.integers(0, 40), min_size=4, max_size=4)


@given(
    pulls=pulls_of_four, order=st.sampled_from(ORDERS), start=st.integers(0, P - 1), shuffle=st.permutations(range(4))
)
def test_a_phase_in_closed_form_is_its_rounds_one_by_one(
    pulls: list[int], order: str, start: int, shuffle: list[int]
) -> None:
    place = np.array(shuffle) if order == "permuted" else rank(order, 4, None)
    played = list(sequence(order, place, np.array(pulls)))
    assert int(extended(pulls, order, place, start)) == of_sequence(4, played, start)


@given(first=pulls_of_four, second=pulls_of_four)
def test_phases_add_up_to_the_sequence(first: list[int], second: list[int]) -> None:
    place = rank("round_robin", 4, None)
    played = [arm for pulls in (first, second) for arm in sequence("round_robin", place, np.array(pulls))]
    assert int(extended(second, start=extended(first))) == of_sequence(4, played)


def test_where_a_phase_ends_leaves_no_mark() -> None:
    assert int(extended([100, 0])) == int(extended([93, 0], start=extended([7, 0])))
    assert int(extended([60, 60])) == int(extended([53, 53], start=extended([7, 7])))


@given(rows=st.lists(pulls_of_four, min_size=1, max_size=6), order=st.sampled_from(ORDERS[:3]))
def test_a_row_of_a_batch_has_the_digest_of_a_batch_of_one(rows: list[list[int]], order: str) -> None:
    together = extended(rows * 2, order)
    assert together.tolist() == [int(extended(row, order)) for row in rows] * 2


def test_each_run_may_have_its_own_order() -> None:
    pulls, places = [[3, 2, 1], [3, 2, 1]], np.array([[0, 1, 2], [2, 0, 1]])
    expected = [of_sequence(3, [0, 0, 0, 1, 1, 2]), of_sequence(3, [1, 1, 2, 0, 0, 0])]
    assert extended(pulls, "permuted", places).tolist() == expected


@given(start=st.integers(0, P - 1), key=st.integers(0, P - 1))
def test_one_round_is_one_step_of_the_polynomial(start: int, key: int) -> None:
    assert int(dg.append(np.uint64(start), np.uint64(key))) == (start * BASE + key) % P


@pytest.mark.parametrize("order", ORDERS[:3])
def test_phases_of_any_length_are_exact(order: str) -> None:
    pulls = [10**14, 3 * 10**14, 10**14 - 1]
    total = 0
    stretches = {
        "round_robin": [([0, 1, 2], 10**14 - 1), ([0, 1], 1), ([1], 2 * 10**14)],
        "blocks": [([0], pulls[0]), ([1], pulls[1]), ([2], pulls[2])],
        "reversed_blocks": [([2], pulls[2]), ([1], pulls[1]), ([0], pulls[0])],
    }[order]
    for circle, turns in stretches:
        step = pow(BASE, len(circle), P)
        once = of_sequence(3, circle)
        total = (total * pow(step, turns, P) + once * (pow(step, turns, P) - 1) * pow(step - 1, -1, P)) % P
    assert int(extended(pulls, order)) == total


def test_all_short_sequences_differ() -> None:
    sequences = [list(played) for n in range(8) for played in itertools.product(range(3), repeat=n)]
    assert len({of_sequence(3, played) for played in sequences}) == len(sequences)


def test_the_base_is_a_primitive_root() -> None:
    factors = (2, 3, 5, 7, 11, 13, 31, 41, 61, 151, 331, 1321)
    assert all(pow(BASE, (P - 1) // factor, P) != 1 for factor in factors)
    assert int(dg.BASE) == BASE
    assert int(dg.PRIME) == P


def test_keys_are_residues_and_distinct() -> None:
    keys = dg.arm_keys(8000)
    assert len(set(keys.tolist())) == 8000
    assert int(keys.max()) < P
    assert int(keys.min()) > 0


def test_thousands_of_arms_do_not_overflow() -> None:
    pulls = np.full(3000, 2)
    pulls[::3] = 1
    played = list(sequence("round_robin", np.arange(3000), pulls))
    assert int(extended(pulls)) == of_sequence(3000, played)
