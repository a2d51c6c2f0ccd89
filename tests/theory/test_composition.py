"""Theorem 3 and what the proofs of Theorems 4 and 5 put into it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replibandit.theory.composition import decision_budget, separates_phases, stopping_phase


@given(gap=st.floats(1e-6, 100), first=st.floats(1e-3, 1e3))
def test_p_s_is_the_first_phase_whose_radius_is_at_most_10_17ths_of_the_gap(gap: float, first: float) -> None:
    found = stopping_phase(gap, lambda phase: first * 2.0**-phase, 20)
    small = [phase for phase in range(1, 21) if first * 2.0**-phase <= 10 * gap / 17]
    assert found == (small[0] if small else None)


def test_tied_arms_are_never_in_doubt() -> None:
    assert stopping_phase(0.0, lambda phase: 1 / phase, 10) is None


def test_a_decision_may_cost_twice_the_good_radius_over_the_width_of_u_and_never_more_than_one() -> None:
    assert decision_budget(0.1, 0.9) == pytest.approx(2 / 9)
    assert decision_budget(1.0, 0.5) == 1.0


@given(rho=st.floats(0.001, 0.5))
def test_a_growth_of_two_separates_phases_for_every_rho(rho: float) -> None:
    assert separates_phases(2.0, rho)
    assert not separates_phases(1.7, rho)
