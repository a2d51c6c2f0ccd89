"""Knobs: what a tuner may turn, and how far."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from replibandit.core.knobs import Knob
from replibandit.errors import InvalidParameter


def test_places_are_even_on_the_log_scale_and_stay_within_the_ends() -> None:
    values = Knob(0.01, 100).at(np.linspace(0, 1, 5))
    assert values.tolist() == pytest.approx([0.01, 0.1, 1, 10, 100])
    ends = Knob(0.1, 0.7).at(np.array([0.0, 1.0]))
    assert (ends[0], ends[1]) == (0.1, 0.7)


def test_whole_options_are_rounded() -> None:
    values = Knob(1, 1000, whole=True).at(np.linspace(0, 1, 50))
    assert (values == np.rint(values)).all()
    assert (values[0], values[-1]) == (1, 1000)


def test_a_knob_may_be_fixed() -> None:
    assert Knob(3, 3).at(np.array([0.0, 0.5, 1.0])).tolist() == [3, 3, 3]


@pytest.mark.parametrize(
    ("low", "high"), [(0, 1), (-1, 1), (2, 1), (1, math.inf), (math.nan, 1), ("x", 2), (1, None)]
)
def test_ends_that_make_no_scale_are_refused(low: Any, high: Any) -> None:
    with pytest.raises(InvalidParameter, match="`0 < low <= high` must hold for a knob"):
        Knob(low, high)
