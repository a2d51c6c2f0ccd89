"""The log grid: both ends, strictly growing, about forty points per factor of ten."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replibandit.simulate.grid import PER_DECADE, log_grid


@given(st.integers(1, 10**15))
def test_it_holds_both_ends_and_grows(horizon: int) -> None:
    grid = log_grid(horizon)
    assert grid.dtype == np.int64
    assert (int(grid[0]), int(grid[-1])) == (1, horizon)
    assert (np.diff(grid) > 0).all()


def test_short_horizons_have_every_round() -> None:
    assert log_grid(1).tolist() == [1]
    assert log_grid(7).tolist() == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize("horizon", [10**4, 10**9, 10**15])
def test_steps_are_even_on_the_log_scale(horizon: int) -> None:
    grid = log_grid(horizon)
    late = np.log10(grid[grid > 1000].astype(np.float64))
    assert np.diff(late)[:-1] == pytest.approx(1 / PER_DECADE, rel=0.2)
