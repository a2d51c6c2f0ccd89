"""Tables for people: what must be seen before the numbers are believed."""

from __future__ import annotations

import math

import pytest

import replibandit as rb
from replibandit.cli.tables import guarantee_text, limits, notes, print_studies, print_twins
from replibandit.study.intervals import Interval

MODEL = rb.problem("paper/model-2", sd=0.5)


def study(**options: float) -> rb.Study:
    policy = rb.REC(**{"arms": 3, "horizon": 1000, "rho": 0.3, "sigma": 0.5} | options)  # type: ignore[arg-type]
    return rb.simulate(policy, MODEL, runs=5, seed=1)


def test_a_horizon_at_which_no_gap_here_can_decide_is_said() -> None:
    (note,) = notes(study())
    assert "the largest gap here is 0.6: expect uniform allocation" in note
    assert "commit_scale" in note
    assert notes(study(horizon=10)) == ["the horizon ends inside the first phase: no decision is ever made."]
    assert notes(study(commit_scale=0.03)) == []


def test_policies_without_thresholds_need_no_note() -> None:
    assert notes(rb.simulate(rb.UCB1(arms=3, horizon=50), MODEL, runs=2)) == []
    one = rb.simulate(rb.REC(arms=1, horizon=50, rho=0.3, sigma=1), rb.Gaussian(means=[0.5]), runs=2)
    assert notes(one) == []


def test_a_guarantee_is_told_with_its_assumptions() -> None:
    assert guarantee_text(study().policy.guarantee).startswith("0.3-replicable: Theorem 4 of the paper, if rewards")
    assert guarantee_text(study(commit_scale=0.03).policy.guarantee).startswith("not guaranteed")


def test_limits_that_do_not_exist_are_a_dash() -> None:
    assert limits(Interval(1.0, math.nan, math.nan, "normal")) == "-"
    assert limits(Interval(0.5, 0.25, 0.75, "exact"), 2) == "0.25 to 0.75"


def test_many_arms_are_summed_up_after_a_dozen(capsys: pytest.CaptureFixture[str]) -> None:
    problem = rb.Gaussian(means=[0.5] * 30, sd=0.5)
    print_studies([rb.simulate(rb.REC(arms=30, horizon=3000, rho=0.3, sigma=0.5), problem, runs=2)])
    assert "18 more" in capsys.readouterr().out


def test_labels_of_a_reward_file_name_the_arms(capsys: pytest.CaptureFixture[str]) -> None:
    problem = rb.Empirical(samples=[[0, 1], [1, 1]], labels=["old page", "new page"])
    print_studies([rb.simulate(rb.REC(arms=2, horizon=100, rho=0.3, sigma=0.5), problem, runs=1)])
    out = capsys.readouterr().out
    assert "new page" in out
    assert "nan" not in out


def test_names_in_brackets_are_printed_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    problem = rb.Empirical(samples=[[0, 1], [1, 1]], labels=["[control]", "[/red] :smile:"], name="[/red]")
    policy = rb.REC(arms=2, horizon=100, rho=0.3, sigma=0.5)
    print_studies([rb.simulate(policy, problem, runs=1)])
    print_twins(rb.replicate(policy, problem, seeds=2, runs=2))
    out = capsys.readouterr().out
    assert "[control]" in out
    assert "[/red] :smile:" in out
    assert "on [/red]:" in out


def test_the_ledger_is_told_with_its_budget_and_total(capsys: pytest.CaptureFixture[str]) -> None:
    policy = rb.REC(arms=2, horizon=10**8, rho=0.3, sigma=0.5)
    twins = rb.replicate(policy, rb.Gaussian(means=[0.6, 0.5], sd=0.5), seeds=20, runs=5)
    print_twins(twins)
    out = " ".join(capsys.readouterr().out.split())
    assert twins.ledger.budget is not None
    for text in (f"{twins.ledger.total:.4f}", f"{twins.ledger.budget:.4f}", "a run's good event", "0.3-replicable"):
        assert text in out
