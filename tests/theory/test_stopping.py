from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import replibandit as rb
from replibandit.theory.stopping import Look, arrivals, stop_probability, tie_commits

GRIDS = {
    "steep": [Look(100 * 4**p, 0.1, 0.2 / 2**p) for p in range(6)],
    "dense": [Look(round(40 * 1.2**p), 2.0, 0.5 / np.sqrt(40 * 1.2**p)) for p in range(30)],
    "wide": [Look(16 * 16**p, 2.0, 9.0 / 4**p) for p in range(5)],
    "fixed": [Look(16 * 9**p, 5.0, 0.5 / 4 / 3**p, 0.0) for p in range(5)],
}


@pytest.mark.parametrize("name", GRIDS)
@pytest.mark.parametrize("gap", [0.0, 0.05, 0.6])
def test_doubling_the_nodes_moves_nothing(name: str, gap: float) -> None:
    coarse, fine = (
        np.array([[a.best, a.worse] for a in arrivals(GRIDS[name], gap, 0.5, per_panel=nodes)]) for nodes in (16, 32)
    )
    assert np.abs(coarse - fine).max() < 1e-12


@pytest.mark.parametrize("name", GRIDS)
def test_probability_is_neither_lost_nor_made(name: str) -> None:
    going = 1.0
    for arrival in arrivals(GRIDS[name], 0.05, 0.5):
        assert arrival.mass.sum() == pytest.approx(going, abs=1e-12)
        going = float(arrival.going.sum())
        assert arrival.best + arrival.worse + going == pytest.approx(arrival.mass.sum(), abs=1e-12)


def test_a_tie_is_symmetric() -> None:
    for arrival in arrivals(GRIDS["steep"], 0.0, 0.5):
        assert arrival.best == pytest.approx(arrival.worse, abs=1e-14)


def test_two_looks_at_the_same_data_are_two_draws_of_u() -> None:
    look = Look(100, 0.5, 0.1)
    first, second = arrivals([look, look], 0.1, 0.5)
    assert second.best == pytest.approx(float((first.going * first.stops)[first.statistic > 0].sum()), abs=1e-14)


def test_a_threshold_of_no_width_stops_everything() -> None:
    assert stop_probability(Look(5, 0.0, 0.0), np.array([-1.0, 0.0, 2.0])).tolist() == [1.0, 1.0, 1.0]


def test_a_fixed_threshold_stops_what_reaches_it() -> None:
    look = Look(100, 3.0, 0.1, 0.0)
    assert (look.low, look.high) == pytest.approx((0.3, 0.3))
    assert stop_probability(look, np.array([-0.31, 0.29, 0.31])).tolist() == [1.0, 0.0, 1.0]
    (arrival,) = arrivals([look], 0.1, 0.5)
    law = stats.norm(0.1, 0.5 * np.sqrt(2 / 100))
    assert (arrival.best, arrival.worse) == pytest.approx((law.sf(0.3), law.cdf(-0.3)), abs=1e-12)


def test_two_fixed_thresholds_have_the_law_of_two_correlated_normals() -> None:
    first, second = Look(100, 3.0, 0.1, 0.0), Look(400, 3.0, 0.05, 0.0)
    steps = list(arrivals([first, second], 0.2, 0.5))
    sd, half = 0.5 * np.sqrt(2 / 100), 0.5 * np.sqrt(2 / 400)
    law = stats.multivariate_normal([0.2, 0.2], [[sd**2, half**2], [half**2, half**2]])
    alive = law.cdf([0.3, np.inf]) - law.cdf([-0.3, np.inf])
    stayed = law.cdf([0.3, 0.15]) - law.cdf([-0.3, 0.15])
    assert steps[1].best == pytest.approx(alive - stayed, abs=1e-6)


@pytest.mark.statistical
def test_the_chain_agrees_with_simulated_runs() -> None:
    """One chi-square test per gap, false alarm 1e-6 each; a shift of 2 percent in any phase would show."""
    policy = rb.SharpREC(arms=2, horizon=400_000, rho=0.3, sigma=0.5, first=100, ratio=4.0, lo=1.0, width=10.0)
    looks = [
        Look(policy.pull_count(p), policy.threshold(p, "commit").offset, policy.threshold(p, "commit").unit)
        for p in range(1, 7)
    ]
    for gap in (0.02, 0.1):
        study = rb.simulate(policy, rb.Gaussian(means=[gap, 0.0], sd=0.5), runs=100_000, seed=4)
        exact = np.array([a.best + a.worse for a in arrivals(looks, gap, 0.5)])
        seen = np.array([study.stopping.get(p, 0.0) for p in range(1, 7)]) * 100_000
        common = exact * 100_000 > 10
        observed, expected = np.append(seen[common], 0), np.append(exact[common] * 100_000, 0)
        observed[-1], expected[-1] = 100_000 - observed.sum(), 100_000 - expected.sum()
        assert stats.chisquare(observed, expected).pvalue > 1e-6


@pytest.mark.parametrize("arms", [2, 6])
def test_the_tie_bound_holds_and_is_tight_for_two_arms(arms: int) -> None:
    looks = [Look(100 * 4**p, 3.0, 0.08 / 2**p) for p in range(5)]
    bound = tie_commits(looks, arms, 0.5)
    exact = sum(a.best + a.worse for a in arrivals(looks, 0.0, 0.5))
    assert exact <= bound
    assert bound <= 1.2 * exact * arms / 2
