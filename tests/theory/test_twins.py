"""The exact law of twins, against closed forms, other quadrature and simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate, stats

import replibandit as rb
from replibandit.theory.stopping import Look, arrivals
from replibandit.theory.twins import twin_law

RULES = [(3.0, 4.0, 11.7, 100), (5.0, 1.0, 2.0, 100), (1.5, 2.0, 0.4, 40)]  # ratio, lo, width, first


def looks_of(ratio: float, lo: float, width: float, first: int, phases: int = 6) -> list[Look]:
    pulls = [math.ceil(first * ratio**phase) for phase in range(phases)]
    return [Look(n, lo / width, width / math.sqrt(n)) for n in pulls]


@pytest.mark.parametrize("gap", [0.0, 0.2, 0.7])
def test_with_one_phase_twins_differ_as_a_single_integral_says(gap: float) -> None:
    look = Look(100, 1.0, 0.2)

    def differ(u: float) -> float:
        t = (1.0 + u) * 0.2
        law = stats.norm(gap, math.sqrt(2 / 100))
        best, worst = law.sf(t), law.cdf(-t)
        return 1 - best**2 - worst**2 - (1 - best - worst) ** 2

    expected, _ = integrate.quad(differ, 0, 1, epsabs=1e-12)
    assert twin_law([look], gap, 1.0, per_panel=48).differ == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("gap", [0.0, 0.2, 0.7])
def test_with_one_phase_and_a_fixed_threshold_it_is_a_sum_of_squares(gap: float) -> None:
    law = stats.norm(gap, math.sqrt(2 / 100))
    best, worst = law.sf(0.3), law.cdf(-0.3)
    expected = 1 - best**2 - worst**2 - (1 - best - worst) ** 2
    assert twin_law([Look(100, 1.5, 0.2, 0.0)], gap, 1.0).differ == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("gap", [0.0, 0.35, 0.8])
def test_with_fixed_thresholds_twins_are_two_independent_runs(gap: float) -> None:
    """Nothing is random but the data: they agree with the sum of squares of what one run does."""
    looks = [Look(100 * 4**p, 4.0, 0.1 / 2**p, 0.0) for p in range(5)]
    steps = list(arrivals(looks, gap, 1.0))
    ends = [end for step in steps for end in (step.best, step.worse)]
    never = 1 - math.fsum(ends)
    assert twin_law(looks, gap, 1.0).differ == pytest.approx(1 - math.fsum(p**2 for p in [*ends, never]), abs=1e-9)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("gap", [0.0, 0.35, 0.8])
def test_doubling_the_nodes_quarters_the_error(rule: tuple[float, float, float, int], gap: float) -> None:
    found = [twin_law(looks_of(*rule), gap, 1.0, per_panel=nodes).differ for nodes in (8, 16, 32)]
    assert abs(found[2] - found[1]) <= max(abs(found[1] - found[0]) / 3, 1e-9)
    assert abs(found[2] - found[1]) < 5e-4


@pytest.mark.parametrize("rule", RULES)
def test_one_twin_alone_stops_as_the_law_of_one_run_says(rule: tuple[float, float, float, int]) -> None:
    looks = looks_of(*rule)
    assert twin_law(looks, 0.3, 1.0).wrong == pytest.approx(
        sum(a.worse for a in arrivals(looks, 0.3, 1.0)), abs=1e-12
    )


@pytest.mark.statistical
@pytest.mark.parametrize(("gap", "seed"), [(0.71, 1), (0.3, 2), (0.0, 3)])
def test_simulated_twins_differ_as_often(gap: float, seed: int) -> None:
    """An exact two-sided binomial test at level 1e-4 for each of three gaps: false alarms in 3e-4 of all seeds."""
    options = {"first": 6, "ratio": 5.334, "lo": 2.4, "width": 3.2}
    policy = rb.SharpREC(arms=2, horizon=10**6, rho=0.3, sigma=1.0, **options)
    pulls = [policy.pull_count(phase) for phase in range(1, policy.phases + 1)]
    looks = [Look(n, 0.75, 3.2 / math.sqrt(n)) for n in pulls if 2 * n <= policy.horizon]
    expected = twin_law(looks, gap, 1.0, per_panel=32).differ
    twins = rb.replicate(policy, rb.Gaussian(means=[gap, 0.0], sd=1.0), seeds=200_000, runs=2, seed=seed)
    differing = int(np.rint(twins.per_seed.sum()))
    assert stats.binomtest(differing, 200_000, expected).pvalue > 1e-4
