"""The lean measurement says what `replicate` says about the same twins."""

from __future__ import annotations

import pytest

import replibandit as rb
from replibandit.study.measure import measure

POLICY = rb.REC(arms=3, horizon=3000, rho=0.3, sigma=0.5, commit_scale=0.05)
PROBLEM = rb.problem("paper/model-2", sd=0.5)


@pytest.mark.parametrize("runs", [2, 6])
def test_the_same_twins_give_the_same_numbers_as_replicate(runs: int) -> None:
    found = measure(POLICY, PROBLEM, seeds=150, runs=runs, seed=5)
    twins = rb.replicate(POLICY, PROBLEM, seeds=150, runs=runs, seed=5)
    assert found.nonreplication == twins.interval
    assert found.regret.estimate == pytest.approx(twins.regret_mean, rel=1e-12)


def test_the_interval_of_regret_counts_values_of_u_not_runs() -> None:
    """Independent runs would make the interval five times narrower when there are 25 times as many; twins do not."""
    few = measure(POLICY, PROBLEM, seeds=150, runs=2, seed=5).regret
    many = measure(POLICY, PROBLEM, seeds=150, runs=50, seed=5).regret
    assert (many.high - many.low) > (few.high - few.low) / 4


def test_without_u_and_with_one_constant_for_it_the_twins_are_the_same() -> None:
    switched_off = measure(POLICY, PROBLEM, seeds=100, runs=2, seed=5, sharing="none")
    constant = measure(POLICY, PROBLEM, seeds=100, runs=2, seed=5, u=rb.ConstantRandomness(0.5))
    assert switched_off == constant
