from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import replibandit as rb
from replibandit.simulate.engine import Job, simulate_runs
from replibandit.study.outcomes import outcomes, phase_pulls

PROBLEM = rb.Gaussian(means=[0.5, 0.3, 0.3], sd=0.5)
POLICY = rb.SharpREC(arms=3, horizon=3000, rho=0.3, sigma=0.5, first=20, ratio=3.0, lo=1.0, width=6.0)


def test_the_runs_are_those_of_the_engine() -> None:
    job = Job(policy=POLICY, problem=PROBLEM, runs=60_000, seed=3, runs_per_seed=2)  # more than one chunk
    seen, plain = outcomes(job, POLICY), simulate_runs(job)
    assert (seen.runs.digests == plain.digests).all()
    assert (seen.runs.pulls == plain.pulls).all()


@pytest.mark.parametrize(
    "policy", [POLICY, replace(POLICY, lo=4.0, width=0.0, starts=4)], ids=["thresholds", "starts"]
)
def test_pulls_are_explained_by_the_choice(policy: rb.SharpREC) -> None:
    seen = outcomes(Job(policy=policy, problem=PROBLEM, runs=2000, seed=3), policy)
    losers = np.take_along_axis(seen.runs.pulls, (seen.chosen[:, None] + 1) % 3, axis=1)[:, 0]
    settled = seen.chosen >= 0
    assert settled.any()
    assert (~settled).any()
    assert (losers[settled] == seen.explored[settled]).all()
    assert (seen.explored[~settled] == 1000).all()


@pytest.mark.statistical
def test_means_are_over_all_pulls_up_to_the_horizon() -> None:
    """Standardised means of arms explored to the very end: |z| of their average below 5, false alarm 6e-7."""
    tie = rb.Gaussian(means=[0.3, 0.3, 0.3], sd=0.5)
    policy = rb.REC(arms=3, horizon=3000, rho=0.3, sigma=0.5)
    seen = outcomes(Job(policy=policy, problem=tie, runs=5000, seed=5), policy)
    z = (seen.means - 0.3) / (0.5 / np.sqrt(seen.runs.pulls))
    assert abs(z.mean()) * np.sqrt(z.size) < 5
    assert abs(z.std() - 1) * np.sqrt(2 * z.size) < 5


def test_phases_end_where_the_horizon_does() -> None:
    assert phase_pulls(POLICY) == [20, 40, 120, 360]
    assert phase_pulls(rb.KnownGapETC(arms=3, horizon=700, rho=0.3, sigma=0.5, gap=0.1)) == []
