"""The search for constants: closed forms in the limit, exact laws, and suprema that are not missed."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import integrate, stats

from replibandit.theory.designing import (
    Brief,
    Constants,
    cost_of,
    cost_of_random,
    design_constants,
    misled_regret,
    rho_of,
    starts_for,
)
from replibandit.theory.noise import Noise
from replibandit.theory.stopping import Look, arrivals
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


@pytest.mark.parametrize(("ratio", "lo", "starts"), [(7.3, 5.7, 8), (15.0, 12.0, 16), (9.0, 8.0, 2)])
def test_the_cost_is_never_below_and_hardly_above_the_exact_law(ratio: float, lo: float, starts: int) -> None:
    found = Constants(ratio=ratio, lo=lo, starts=starts)
    exact = []
    for gap in 0.01 * ratio ** (np.arange(6) / 12 / starts):
        expected = 0.0
        for offset in found.offsets:
            pulls = ratio ** (np.arange(2, 7) + offset) * 10
            drawn = 0.0
            for arrival in arrivals([Look(n, lo, 1 / math.sqrt(n), 0.0) for n in pulls], float(gap), 1.0):
                expected += arrival.mass.sum() * (arrival.look.pulls - drawn)
                drawn = arrival.look.pulls
        exact.append(expected / starts * gap**2 / 2)
    assert max(exact) <= cost_of(TWO, found) * (1 + 1e-9)
    assert cost_of(TWO, found) <= 1.03 * max(exact)


def test_random_thresholds_of_no_width_cost_what_fixed_ones_do() -> None:
    fixed, narrow = Constants(ratio=9.0, lo=8.0), Constants(ratio=9.0, lo=8.0, width=1e-3)
    assert cost_of(TWO, fixed) <= cost_of_random(TWO, narrow) <= 1.05 * cost_of(TWO, fixed)  # levels are steps


@pytest.mark.parametrize("noise", ["gaussian", "sub-gaussian"])
def test_no_gap_of_a_fine_sweep_has_a_larger_misled_regret(noise: str) -> None:
    brief = replace(TWO, straying=Straying(Noise(noise)))
    found = Constants(ratio=7.3, lo=5.7, starts=8)
    steps = np.arange(found.phases(1e9, 2)) + found.offsets[:, None]
    roots = np.sqrt(found.first * 7.3**steps).ravel()
    sweep = [
        1e9 * gap**2 * brief.noise.tails(5.7 + gap * roots).sum() / 8 for gap in np.geomspace(1e-6, 10, 4000).tolist()
    ]
    assert max(sweep) <= misled_regret(brief, found) <= 1.02 * max(sweep)


def test_looks_of_all_starts_are_closer_than_noise_can_tell() -> None:
    for lo in (3.0, 30.0, 300.0):
        found = Constants(ratio=12.0, lo=lo)
        assert lo * math.log(12) / 2 / starts_for(TWO, found) <= 1.2
    wider = replace(TWO, straying=Straying(Noise("gaussian", 2.0)))
    assert starts_for(wider, Constants(ratio=12.0, lo=30.0)) <= starts_for(TWO, Constants(ratio=12.0, lo=30.0))


def test_nothing_is_designed_where_no_threshold_is_high_enough() -> None:
    assert design_constants(replace(TWO, rho=1e-9)) is None
