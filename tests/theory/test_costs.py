"""What constants cost, against exact laws and fine sweeps."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from replibandit.theory.costs import Brief, Constants, cost_of, cost_of_random, misled_regret
from replibandit.theory.noise import Noise
from replibandit.theory.stopping import Look, arrivals
from replibandit.theory.straying import Straying

TWO = Brief(arms=2, rho=0.1, straying=Straying(Noise("gaussian")), horizon=1e9)


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
    assert max(sweep) <= misled_regret(brief, found) <= 1.011 * max(sweep)
