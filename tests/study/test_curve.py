"""The curve against pulls counted one by one, inside a phase and for every order."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
import pytest

import replibandit as rb
from replibandit.core.arrays import FloatArray
from replibandit.core.order import ORDERS, rank, sequence
from replibandit.simulate.engine import Job, simulate_runs
from replibandit.study import curve as module
from replibandit.study.curve import mean_curve

PROBLEM = rb.Gaussian(means=[0.5, 0.42, 0.3, 0.3], sd=0.5)
QUICK: dict[str, Any] = {"arms": 4, "horizon": 700, "rho": 0.3, "sigma": 0.5, "commit_scale": 0.01}


def arms_played(policy: Any, trace: rb.Trace, u: rb.Randomness) -> list[int]:
    """Every arm of a run, one by one, from its trace and U alone."""
    orders = (
        rank(policy.order, policy.arms, u.uniforms(record.phase, policy.arms, stream="order"))
        for record in trace.phases
    )
    return list(
        chain.from_iterable(
            sequence(policy.order, order, np.array(record.pulls))
            for order, record in zip(orders, trace.phases, strict=True)
        )
    )


def counted(study: rb.Study, runs: int) -> FloatArray:
    """The regret of each run after each round of the grid, by adding up one gap per pull."""
    rows = []
    for run in range(runs):
        played = arms_played(study.policy, study.trace(run), study.randomness(run))
        assert len(played) == study.policy.horizon
        rows.append(np.cumsum(study.problem.gaps[played])[study.curve.rounds - 1])
    return np.array(rows)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("draws", ["cumulative", "fresh"])
@pytest.mark.parametrize("kind", ["rec", "rse"])
def test_the_curve_is_the_mean_of_regrets_counted_pull_by_pull(kind: str, draws: str, order: str) -> None:
    options = QUICK | {"order": order, "draws": draws}
    policy: Any = rb.REC(**options) if kind == "rec" else rb.RSE(**options, eliminate_scale=0.003)
    study = rb.simulate(policy, PROBLEM, runs=12, seed=5)
    brute = counted(study, 12)
    assert study.curve.mean == pytest.approx(brute.mean(axis=0), abs=1e-9)
    assert study.curve.se == pytest.approx(brute.std(axis=0, ddof=1) / 12**0.5, abs=1e-6)
    assert len(study.stopping) > 1, "runs of one path alone would show less"


@pytest.mark.parametrize("order", ORDERS)
def test_the_curve_is_exact_in_a_phase_that_the_horizon_cuts(order: str) -> None:
    policy = rb.REC(**QUICK | {"horizon": 93, "order": order, "commit_scale": 1.0})
    study = rb.simulate(policy, PROBLEM, runs=3, seed=5)
    assert study.curve.mean == pytest.approx(counted(study, 3).mean(axis=0), abs=1e-9)


def test_the_curve_of_ucb1_is_counted_round_by_round() -> None:
    study = rb.simulate(rb.UCB1(arms=4, horizon=300), PROBLEM, runs=70, seed=5)  # more than one chunk
    brute = np.array([np.cumsum(PROBLEM.gaps[[r.active[0] for r in study.trace(run).phases]]) for run in range(70)])[
        :, study.curve.rounds - 1
    ]
    assert study.curve.mean == pytest.approx(brute.mean(axis=0), abs=1e-9)
    assert study.curve.se == pytest.approx(brute.std(axis=0, ddof=1) / 70**0.5, abs=1e-6)


def test_rasmab_which_deals_unequal_phases_is_counted_too() -> None:
    policy = rb.RASMAB(arms=4, horizon=900, rho=0.5, sigma=0.5, divisor=900, order="permuted")
    study = rb.simulate(policy, PROBLEM, runs=8, seed=5)
    assert study.curve.mean == pytest.approx(counted(study, 8).mean(axis=0), abs=1e-9)


def test_runs_that_begin_at_places_of_their_own_are_counted_too() -> None:
    policy = rb.SharpRSE(
        arms=4, horizon=900, rho=0.5, sigma=0.5, first=5, ratio=3, lo=2, eliminate_lo=3, starts=5, order="permuted"
    )
    study = rb.simulate(policy, PROBLEM, runs=20, seed=5)
    assert study.curve.mean == pytest.approx(counted(study, 20).mean(axis=0), abs=1e-9)


@pytest.mark.parametrize("horizon", [1, 2, 41, 10**15])
def test_it_starts_at_round_one_ends_at_the_horizon_and_never_falls(horizon: int) -> None:
    study = rb.simulate(rb.REC(**QUICK | {"horizon": horizon}), PROBLEM, runs=200, seed=5)
    rounds = study.curve.rounds
    assert (rounds[0], rounds[-1]) == (1, horizon)
    assert (np.diff(rounds) > 0).all()
    assert (np.diff(study.curve.mean) >= -1e-9 * study.curve.mean[-1]).all()
    assert study.curve.mean[-1] == pytest.approx(study.regret_mean)
    assert study.curve.se[-1] == pytest.approx(study.regret_se, rel=1e-6, abs=1e-12)


def test_one_run_has_a_curve_without_an_error() -> None:
    study = rb.simulate(rb.REC(**QUICK), PROBLEM, runs=1, seed=5)
    assert np.isnan(study.curve.se).all()
    assert study.summary()["curve"]["se"] == [None] * study.curve.rounds.size


def test_cutting_the_work_into_pieces_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = rb.RSE(**QUICK, eliminate_scale=0.003, order="permuted")
    job = Job(policy=policy, problem=PROBLEM, runs=40, seed=3)
    runs = simulate_runs(job)
    whole = mean_curve(job, runs)
    monkeypatch.setattr(module, "CELLS", 1)
    pieces = mean_curve(job, runs)
    assert pieces.mean == pytest.approx(whole.mean, abs=1e-9)
    assert pieces.se == pytest.approx(whole.se, abs=1e-9)
