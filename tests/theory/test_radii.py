"""Pull counts and radii against exact arithmetic and the formulas written out."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replibandit.theory import radii


@given(
    growth=st.sampled_from([1.25, 1.5, 2.0, 3.0, 10.0]),
    sigma=st.sampled_from([2.0**-6, 0.25, 0.5, 1.0, 8.0]),  # exact in binary, and so are their squares
    phase=st.integers(1, 30),
)
def test_n_p_is_the_ceiling_in_exact_arithmetic(growth: float, sigma: float, phase: int) -> None:
    exact = math.ceil(8 * Fraction(growth) ** (2 * phase) * Fraction(sigma) ** 2)
    assert radii.pull_count(phase, growth, sigma, 10**15) == min(exact, 10**15)


@given(growth=st.floats(1.01, 50), sigma=st.floats(0.01, 100), horizon=st.integers(1, 10**15))
def test_p_is_the_first_phase_that_reaches_the_horizon(growth: float, sigma: float, horizon: int) -> None:
    last = radii.last_phase(growth, sigma, horizon)
    assert radii.pull_count(last, growth, sigma, horizon) >= horizon
    assert last == 1 or radii.pull_count(last - 1, growth, sigma, horizon) < horizon


def test_the_square_root_of_one_half_counts_as_one_half() -> None:
    assert radii.pull_count(1, 2.0, math.sqrt(0.5), 10**6) == 16


def test_the_radii_are_those_of_the_paper_written_out() -> None:
    """Model 1, T = 10^4, a = 2, rho = 0.3: ln(18 * 100 * 7 / 0.3) = ln 42000 and ln(10 * 10^4 * 7)."""
    assert radii.conf_repr(0.25, 10, 7, 0.3) == pytest.approx(0.25 * math.sqrt(math.log(42_000)) / 0.3)
    assert radii.conf_reg(0.25, 10, 7, 10_000) == pytest.approx(0.25 * math.sqrt(math.log(700_000)))
    assert radii.good_radius(0.25, 10, 7, 0.3) == pytest.approx(0.3 * radii.conf_repr(0.25, 10, 7, 0.3))
    assert radii.conf_max(2.0, 3.0, 9 / 4) == 4.5
    assert radii.conf_max(1.0, 3.0, 9 / 4) == 3.0
