"""The layout of arrays: the arm axis is last in shape and slow in memory."""

from __future__ import annotations

import numpy as np
import pytest

from replibandit.core.arrays import by_arm, rows_of


@pytest.mark.parametrize("shape", [(3,), (5, 3), (2, 5, 3)])
def test_arms_come_last_in_shape_and_first_in_memory(shape: tuple[int, ...]) -> None:
    made = by_arm(shape, 1.5, np.float64)
    assert made.shape == shape
    assert (made == 1.5).all()
    for arm in range(3):
        assert made[..., arm].flags.c_contiguous, "one arm of all runs is one stretch of memory"


def test_some_runs_keep_the_layout() -> None:
    table = by_arm((4, 3), 0, np.int64)
    table[...] = np.arange(12).reshape(4, 3)
    some = rows_of(table, np.array([2, 0]))
    assert some.tolist() == [[6, 7, 8], [0, 1, 2]]
    assert some[:, 1].flags.c_contiguous
    assert rows_of(np.array([5, 6, 7]), np.array([2, 0])).tolist() == [7, 5]
