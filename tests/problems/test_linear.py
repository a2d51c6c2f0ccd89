"""Linear problems: means from features, and the paper's instance under its name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import replibandit as rb
from replibandit.errors import InvalidParameter, UnknownName
from replibandit.paper import printed


def test_the_paper_s_instance_has_the_means_theta_and_noise_that_are_printed() -> None:
    problem = rb.problem("paper/linear")
    assert isinstance(problem, rb.Linear)
    assert problem.means == printed.LINEAR["means"]
    assert problem.theta == printed.LINEAR["theta"]
    assert problem.sd == printed.LINEAR["noise_sd"]
    assert (problem.arms, len(problem.features[0])) == (printed.LINEAR["arms"], printed.LINEAR["dimension"])
    assert len(set(problem.features)) == 5
    assert np.linalg.matrix_rank(np.array(problem.features)) == 2


def test_of_a_named_instance_only_the_noise_may_be_set() -> None:
    assert rb.problem("paper/linear", sd=0.5).subgaussian == 0.5
    for option in ({"features": [[1.0]]}, {"theta": [1.0, 1.0]}, {"means": [1.0]}):
        with pytest.raises(InvalidParameter, match="fixed by its name"):
            rb.problem("paper/linear", **option)
    with pytest.raises(InvalidParameter, match="noise"):
        rb.problem("paper/linear", noise="bernoulli")


def test_a_linear_problem_goes_through_json() -> None:
    for problem in (rb.problem("paper/linear", sd=2.0), rb.Linear(features=[[1, 2], [3, 4]], theta=[0.5, -1])):
        again = rb.problem_from_dict(json.loads(problem.to_json()))
        assert again == problem
        assert hash(again) == hash(problem)


def test_a_name_keeps_its_meaning_in_json() -> None:
    values = rb.problem("paper/linear").to_dict()
    assert rb.problem_from_dict({"name": "paper/linear", "sd": 1.0}) == rb.problem("paper/linear")
    for changed in ({"theta": [1.0, 0.4]}, {"features": [[1.0, 0.0]] * 5}):
        with pytest.raises(InvalidParameter, match="belongs to other features"):
            rb.problem_from_dict(values | changed)


@pytest.mark.parametrize("suffix", ["toml", "json"])
def test_a_file_may_give_features_and_theta(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"own.{suffix}"
    values = {"features": [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]], "theta": [0.2, 0.6], "sd": 0.5}
    lines = "\n".join(f"{name} = {value}" for name, value in values.items())
    path.write_text(lines if suffix == "toml" else json.dumps(values), encoding="utf-8")
    problem = rb.problem(path)
    assert problem.means == (0.2, 0.4, 0.6)
    assert problem.subgaussian == 0.5


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"features": [[1, 0], [0, 1]], "theta": [1]}, "one number per column"),
        ({"features": [[1, 0], [0]], "theta": [1, 2]}, "rows of one length"),
        ({"features": [], "theta": [1]}, "row for each arm"),
        ({"features": [[1]], "theta": [1], "sd": 0}, "sd"),
    ],
)
def test_bad_options_are_refused_in_one_sentence(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidParameter, match=words):
        rb.Linear(**options)


def test_a_linear_problem_has_no_means_of_its_own() -> None:
    with pytest.raises(UnknownName, match="means"):
        rb.problem_from_dict({"kind": "linear", "features": [[1]], "theta": [1], "means": [2]})


def test_every_policy_runs_on_it() -> None:
    problem = rb.problem("paper/linear")
    options: dict[str, Any] = {"arms": 5, "horizon": 2000}
    for policy in (
        rb.UCB1(**options),
        rb.REC(**options, rho=0.3, sigma=1.0),
        rb.RLSE(**options, rho=0.3, sigma=1.0, features=problem.features),
    ):
        assert (rb.simulate(policy, problem, runs=2, seed=1).pulls.sum(axis=-1) == 2000).all()


@pytest.mark.statistical
def test_sums_have_the_law_of_single_rewards() -> None:
    """Kolmogorov and Smirnov at 10^-6 for each of two arms; one false alarm in 500,000 studies."""
    problem, rng = rb.Linear(features=[[1, 2], [0, -1]], theta=[0.5, 0.25], sd=1.5), np.random.default_rng(3)
    totals = problem.totals(np.full((4000, 2), 9), rng)
    for arm, mean in enumerate((1.0, -0.25)):
        single = problem.rewards(arm, (4000, 9), rng).sum(axis=1)
        assert stats.kstest(totals[:, arm], stats.norm(9 * mean, 1.5 * 3).cdf).pvalue > 1e-6
        assert stats.kstest(single, stats.norm(9 * mean, 1.5 * 3).cdf).pvalue > 1e-6
