"""Tails of a difference of two arms, against numerical integrals and other laws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate, stats

from replibandit.errors import InvalidParameter
from replibandit.theory.noise import INDEPENDENT, NOISES, Noise


@pytest.mark.parametrize("assumption", NOISES)
@pytest.mark.parametrize("spread", [INDEPENDENT, 2.0])
def test_the_reach_inverts_the_tail(assumption: str, spread: float) -> None:
    noise = Noise(assumption, spread)
    for chance in (1e-12, 0.01, 0.3):
        assert noise.tail(float(noise.reach(np.array(chance)))) == pytest.approx(chance, rel=1e-9)
        assert noise.tail(float(noise.reach(np.array(chance), 9.0))) == pytest.approx(chance / 9, rel=1e-9)


@pytest.mark.parametrize("assumption", NOISES)
@pytest.mark.parametrize(
    ("lo", "width", "lead"), [(0.5, 3.0, 0.0), (4.0, 11.0, 0.0), (5.0, 1.0, -7.0), (2.0, 9.0, 3.0)]
)
def test_the_mean_tail_is_the_integral_over_u(assumption: str, lo: float, width: float, lead: float) -> None:
    noise = Noise(assumption)
    points = [-lead - lo] if 0 < (-lead - lo) / width < 1 else None
    kinks = [(-lead - lo) / width] if points else None
    expected, _ = integrate.quad(lambda u: noise.tail(lo + width * u + lead), 0, 1, points=kinks, epsabs=1e-13)
    found = float(noise.mean_tail(np.array(lo), np.array(width), np.array(lead)))
    assert found == pytest.approx(expected, abs=1e-10)


def test_the_chernoff_tail_lies_above_every_law_it_is_said_to_cover() -> None:
    """The mean of n fair coins in [-1, 1] (sigma = 1), whose tails are binomial sums."""
    pulls, noise = 50, Noise("sub-gaussian")
    coin = np.arange(2 * pulls + 1)
    law = stats.binom(2 * pulls, 0.5).pmf(coin)  # heads of one arm plus tails of the other
    difference = (coin - pulls) * 2 / pulls * math.sqrt(pulls)  # in units of sigma / sqrt(n)
    for x in (0.5, 1.0, 2.0, 4.0):
        assert law[difference >= x].sum() <= noise.tail(x)


def test_an_unknown_assumption_is_refused_by_name() -> None:
    with pytest.raises(InvalidParameter, match="gaussian, sub-gaussian, bounded"):
        Noise("cauchy")
