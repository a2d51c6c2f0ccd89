"""How far a statistic strays: bumps and levels against the laws that they bound."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from replibandit.theory.noise import Noise
from replibandit.theory.straying import NEVER, Straying

LAW = Straying(Noise("gaussian"))
CASES = [
    LAW,
    Straying(Noise("gaussian"), medians=True),
    Straying(Noise("sub-gaussian"), below=9),
    Straying(Noise("bounded"), above=4),
]


def test_for_two_normal_arms_the_bump_is_the_law_itself() -> None:
    x = np.linspace(-9, 9, 61)
    f = stats.norm.cdf(x / np.sqrt(2))
    assert LAW.parts(x, x) == pytest.approx(2 * f * (1 - f))


@pytest.mark.parametrize("scale", [0.3, 1.0])
@given(st.floats(-9, 9))
def test_no_normal_law_of_at_most_this_scale_has_a_larger_bump(scale: float, x: float) -> None:
    """Also with scales of their own for the two arms: only the scale of the difference counts."""
    f = stats.norm.cdf(x / (scale * np.sqrt(2)))
    assert 2 * f * (1 - f) <= float(LAW.parts(np.array(x), np.array(x))) + 1e-15


@pytest.mark.parametrize("straying", CASES)
@given(st.floats(-30, 30), st.floats(0, 5), st.floats(0, 1))
def test_a_cell_takes_the_largest_value_within_it(straying: Straying, low: float, width: float, place: float) -> None:
    x = np.array(low + place * width)
    assert straying.parts(np.array(low), np.array(low + width)) >= straying.parts(x, x) - 1e-15


@pytest.mark.parametrize("straying", CASES)
def test_beyond_far_nothing_is_left(straying: Straying) -> None:
    for x in (straying.far, -straying.far, np.inf, -np.inf):
        assert straying.parts(np.array(x), np.array(x)) <= 2 * NEVER * (1 + 1e-9)
    assert straying.parts(np.array(0.0), np.array(0.0)) == 0.5


@pytest.mark.parametrize("straying", CASES)
def test_the_levels_are_those_of_the_bump(straying: Straying) -> None:
    """A bump above a level lies within ``down`` and ``up`` of the centre."""
    levels = straying.levels()
    assert levels.weight.sum() + levels.rest == pytest.approx(0.5)
    for level in range(0, levels.weight.size, 40):
        x = levels.rest + levels.weight[:level].sum()
        for edge in (levels.up[level], -levels.down[level]):
            outside = np.array(edge * 1.001 + np.sign(edge) * 1e-6)
            assert straying.parts(outside, outside) <= x * (1 + 1e-6)
