"""Knobs: places in [0, 1] and values, there and back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replibandit as rb


@given(low=st.floats(1e-3, 1e3), factor=st.floats(1.01, 1e6), place=st.floats(0, 1))
def test_a_place_is_found_again_from_its_value(low: float, factor: float, place: float) -> None:
    knob = rb.Knob(low, low * factor)
    value = float(knob.at(np.array(place)))
    assert knob.low <= value <= knob.high
    assert knob.place(value) == pytest.approx(place, abs=1e-6)


def test_whole_numbers_stay_whole_and_within_their_ends() -> None:
    values = rb.Knob(2, 90, whole=True).at(np.linspace(0, 1, 50))
    assert np.all(values == np.rint(values))
    assert (values[0], values[-1]) == (2, 90)


def test_a_knob_without_a_range_has_one_place() -> None:
    knob = rb.Knob(3, 3)
    assert not knob.wide
    assert knob.place(3) == 0
    assert float(knob.at(np.array(0.7))) == 3
