"""The search for constants: closed forms in the limit, and as many starts as it takes."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from scipy import integrate, stats

from replibandit.theory.costs import Brief, Constants, cost_of
from replibandit.theory.designing import design_constants, rho_of, starts_for
from replibandit.theory.noise import Noise
from replibandit.theory.straying import Straying

TWO = Brief(arms=2, rho=0.1, straying=Straying(Noise("gaussian")), horizon=1e9)


def test_for_small_rho_the_best_ratio_and_cost_are_those_of_the_limit() -> None:
    """b ln b = 3 (b - 1), and 2 (E|D - D'|)^2 (b - 1) / ln^3 b over rho squared."""
    found = design_constants(replace(TWO, rho=0.002))
    assert found is not None
    assert found.ratio == pytest.approx(16.8, rel=0.05)
    assert cost_of(TWO, found) * 0.002**2 == pytest.approx(3.58, rel=0.005)


def test_the_certificate_of_many_starts_is_the_integral_over_the_centre() -> None:
    found = Constants(ratio=12.0, lo=9.0)

    def bump(log_centre: float) -> float:
        f = stats.norm.cdf((9.0 - math.exp(log_centre)) / math.sqrt(2))
        return float(2 * f * (1 - f))

    integral = integrate.quad(bump, math.log(0.45), math.log(25), points=[math.log(9)], epsabs=1e-12, limit=200)[0]
    misled = 2 * stats.norm.sf(9 / math.sqrt(2)) * found.phases(1e9, 2)
    assert rho_of(TWO, found) == pytest.approx(2 / math.log(12) * integral + misled, rel=1e-5)


def test_looks_of_all_starts_are_closer_than_noise_can_tell() -> None:
    for lo in (3.0, 30.0, 300.0):
        found = Constants(ratio=12.0, lo=lo)
        assert lo * math.log(12) / 2 / starts_for(TWO, found) <= 1.2
    wider = replace(TWO, straying=Straying(Noise("gaussian", 2.0)))
    assert starts_for(wider, Constants(ratio=12.0, lo=30.0)) <= starts_for(TWO, Constants(ratio=12.0, lo=30.0))


def test_nothing_is_designed_where_no_threshold_is_high_enough() -> None:
    assert design_constants(replace(TWO, rho=1e-9)) is None
