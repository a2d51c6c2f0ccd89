from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import replibandit as rb
from replibandit.errors import InvalidParameter


def spec(**options: object) -> rb.KnownGapETC:
    values = {"arms": 3, "horizon": 10_000, "rho": 0.3, "sigma": 0.5, "gap": 0.1}
    return rb.KnownGapETC.from_dict(values | options)


def test_it_pulls_each_arm_as_often_as_the_formula_says_and_then_commits() -> None:
    policy = spec()
    expected = math.ceil(4 * 0.5**2 / 0.1**2 * math.log(2 * 2 / 0.3))
    study = rb.simulate(policy, rb.Gaussian(means=[0.9, 0.8, 0.3], sd=0.5), runs=50, seed=1)
    assert policy.pull_count(1) == expected == 260
    assert study.stopping == {1: 1.0}
    assert (np.sort(study.pulls, axis=1)[:, :2] == expected).all()


def test_u_has_no_effect() -> None:
    problem = rb.Gaussian(means=[0.9, 0.85, 0.3], sd=0.5)
    digests = [
        rb.simulate(spec(), problem, runs=200, seed=3, u=rb.ConstantRandomness(u)).digests for u in (0.0, 0.99)
    ]
    assert (digests[0] == digests[1]).all()


def test_a_horizon_inside_the_exploration_commits_never() -> None:
    study = rb.simulate(spec(horizon=700), rb.Gaussian(means=[0.9, 0.8, 0.3], sd=0.5), runs=20, seed=1)
    assert study.stopping == {0: 1.0}


@pytest.mark.statistical
@pytest.mark.parametrize("arms", [2, 5])
def test_a_wrong_arm_and_differing_twins_keep_to_their_bounds(arms: int) -> None:
    """False alarm below 1e-6 each, if the bound were attained; here the truth is far below it."""
    policy = spec(arms=arms, rho=0.3)
    problem = rb.Gaussian(means=[0.5, *[0.4] * (arms - 1)], sd=0.5)
    twins = rb.replicate(policy, problem, seeds=5000, runs=2, seed=11)
    differing = round(float(twins.per_seed.sum()))
    wrong = int((np.argmax(twins.pulls, axis=-1) != 0).sum())
    assert stats.binom.sf(differing - 1, 5000, 0.3) > 1e-6
    assert stats.binom.sf(wrong - 1, 10_000, 0.15) > 1e-6


def test_ten_times_too_few_pulls_would_be_noticed() -> None:
    policy, short = spec(arms=5), spec(arms=5, gap=0.1 * math.sqrt(10))
    problem = rb.Gaussian(means=[0.5, *[0.4] * 4], sd=0.5)
    twins = rb.replicate(short, problem, seeds=5000, runs=2, seed=11)
    assert short.pull_count(1) == math.ceil(policy.pull_count(1) / 10)
    assert stats.binom.sf(round(float(twins.per_seed.sum())) - 1, 5000, 0.3) < 1e-6


@pytest.mark.parametrize("gap", [0, -0.1, math.nan, math.inf, "wide"])
def test_a_gap_that_is_no_positive_number_is_refused(gap: object) -> None:
    with pytest.raises(InvalidParameter, match="gap"):
        spec(gap=gap)
