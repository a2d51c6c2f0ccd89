from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import replibandit as rb
from replibandit.policies.elimination import Elimination
from replibandit.simulate.engine import Job
from replibandit.study import forecast as module
from replibandit.study.forecast import Question, ab_forecast, forecast
from replibandit.study.outcomes import outcomes

PAIRS = 50_000


def sharp(**options: float) -> rb.SharpREC:
    values = {
        "arms": 2,
        "horizon": 20_000,
        "rho": 0.02,
        "sigma": 0.5,
        "first": 50,
        "ratio": 4.0,
        "lo": 2.0,
        "width": 8,
    }
    return rb.SharpREC.from_dict(values | options)


def both(policy: Elimination, question: Question) -> tuple[module.Forecast, module.Forecast]:
    """The same forecast by simulation and by quadrature."""
    problem = rb.Gaussian(means=[question.gap, 0.0], sd=policy.sigma)
    job = Job(policy=policy, problem=problem, runs=2 * question.pairs, seed=question.seed, runs_per_seed=2)
    simulated = module._simulated("x", policy, question, outcomes(job, policy))
    return simulated, module._exact(simulated, policy, question)


@pytest.mark.statistical
@pytest.mark.parametrize("gap", [0.03, 0.1])
@pytest.mark.parametrize("policy", [sharp(), sharp(lo=6.0, width=0.0, starts=8)], ids=["thresholds", "starts"])
def test_quadrature_and_simulation_agree(policy: rb.SharpREC, gap: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every figure within five standard errors: false alarm below 6e-7 per figure."""
    monkeypatch.setattr(module, "test_level", lambda *_: 0.03)
    simulated, exact = both(policy, Question(gap=gap, level=0.05, pairs=PAIRS, seed=2))
    assert abs(simulated.regret - exact.regret) < 5 * simulated.regret_error
    for name in ("commits", "power", "wrong"):
        seen, known = getattr(simulated, name), getattr(exact, name)
        assert abs(seen - known) < 5 * math.sqrt(known * (1 - known) / (2 * PAIRS)) + 1e-12, name
    if policy.starts > 1:
        assert "differing" not in exact.method
        assert abs(simulated.differ - exact.differ) < 5 * math.sqrt(exact.differ * (1 - exact.differ) / PAIRS)
    assert simulated.samples_sure == exact.samples_sure
    spread = 10_000 / math.sqrt(2 * PAIRS)
    assert abs(simulated.samples_mean - exact.samples_mean) < 5 * spread
    assert np.abs(np.array(simulated.chosen_by) - exact.chosen_by).max() < 5 / math.sqrt(8 * PAIRS)
    assert exact.tie_commits <= simulated.tie_commits


def test_of_many_starts_evenly_spaced_ones_stand_for_all() -> None:
    for starts, kept in (
        (1, [0]),
        (64, list(range(64))),
        (100, list(range(1, 100, 2))),
        (256, list(range(2, 256, 4))),
    ):
        rules = module.rules_of(sharp(width=0.0, starts=starts))
        assert [rule.start or 0 for rule in rules] == kept  # type: ignore[attr-defined]


@pytest.mark.statistical
@pytest.mark.parametrize("arms", [2, 4])
def test_closed_forms_of_known_gap_etc_agree_with_simulation(arms: int) -> None:
    """Binomial tests, false alarm 1e-6 each. A tenth of the pulls makes wrong choices common enough to count."""
    policy = rb.KnownGapETC(arms=arms, horizon=20_000, rho=0.4, sigma=0.5, gap=0.15)
    question = Question(gap=0.05, level=0.05, pairs=PAIRS, seed=2)
    found = forecast("known-gap ETC", policy, question)
    problem = rb.Gaussian(means=[0.05, *[0.0] * (arms - 1)], sd=0.5)
    seen = outcomes(Job(policy=policy, problem=problem, runs=2 * PAIRS, seed=9, runs_per_seed=2), policy)
    wrong = int((seen.chosen > 0).sum())
    differing = int((seen.runs.digests[::2] != seen.runs.digests[1::2]).sum())
    assert stats.binomtest(wrong, 2 * PAIRS, found.wrong).pvalue > 1e-6
    assert stats.binomtest(differing, PAIRS, found.differ).pvalue > 1e-6
    regret = 0.05 * seen.runs.pulls[:, 1:].sum(axis=1)
    assert abs(regret.mean() - found.regret) < 5 * regret.std() / math.sqrt(regret.size)


def test_the_power_of_a_test_after_a_fixed_sample_is_the_textbook_one() -> None:
    """At a gap far too small to choose, all data are one balanced sample."""
    question = Question(gap=0.01, level=0.05, pairs=100, seed=1)
    found = forecast("x", rb.REC(arms=2, horizon=40_000, rho=0.02, sigma=0.5), question)
    z, critical = 0.01 / (0.5 * math.sqrt(2 / 20_000)), stats.norm.ppf(1 - 0.03 / 2)
    assert found.commits == 0
    assert found.power == pytest.approx(stats.norm.cdf(z - critical) + stats.norm.cdf(-z - critical), abs=1e-9)


def test_without_a_guarantee_or_with_rho_at_the_level_there_is_no_test() -> None:
    question = Question(gap=0.1, level=0.05, pairs=100, seed=1)
    assert forecast("x", sharp(), question).power is None
    assert forecast("x", rb.REC(arms=2, horizon=1000, rho=0.05, sigma=0.5), question).power is None
    assert forecast("x", rb.REC(arms=2, horizon=1000, rho=0.049, sigma=0.5), question).power is not None


def test_an_ab_test_that_does_not_fit_the_horizon_says_so() -> None:
    question = Question(gap=0.05, level=0.05, pairs=100, seed=1)
    found = ab_forecast(rb.REC(arms=2, horizon=1000, rho=0.1, sigma=0.5), question, 0.8)
    assert found.samples_mean == 500
    assert found.power is not None
    assert found.power < 0.5
    assert "1,570 per arm would be needed" in found.guarantee


@pytest.mark.statistical
def test_the_ab_forecast_agrees_with_simulated_tests() -> None:
    """Two binomial tests, false alarm 1e-6 each."""
    question = Question(gap=0.1, level=0.05, pairs=100, seed=1)
    found = ab_forecast(rb.REC(arms=3, horizon=10_000, rho=0.1, sigma=0.5), question, 0.6)
    n = int(found.samples_mean)
    means = np.random.default_rng(8).standard_normal((100_000, 3)) * 0.5 / math.sqrt(n) + np.array([0.1, 0, 0])
    top = np.sort(means, axis=1)
    verdict = np.where(top[:, 2] - top[:, 1] >= 1.959964 * 0.5 * math.sqrt(2 / n), np.argmax(means, axis=1), -1)
    assert stats.binomtest(int((verdict == 0).sum()), 100_000, found.power or 0).pvalue > 1e-6
    assert stats.binomtest(int((verdict[::2] != verdict[1::2]).sum()), 50_000, found.differ).pvalue > 1e-6
