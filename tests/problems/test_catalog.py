"""Names: an instance keeps its meaning for ever, and what is not known is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import replibandit as rb
from replibandit.errors import InvalidParameter, UnknownName
from replibandit.problems import INSTANCES, MODELS

NUMBER: Any = 5

# Written out once more: a name never changes its meaning.
MEANT = {
    "paper/model-1": (0.7, *(0.3,) * 9),
    "paper/model-2": (0.9, 0.8, 0.3),
    "tie/2": (0.5, 0.5),
    "tie/10": (0.5,) * 10,
    "runner-up/10": (0.7, 0.65, *(0.3,) * 8),
    "geometric/10": (0.9, 0.1, 0.5, 0.7, 0.8, 0.85, 0.875, 0.8875, 0.89375, 0.896875),
}


@pytest.mark.parametrize("name", MEANT)
def test_a_name_never_changes_its_meaning(name: str) -> None:
    assert rb.problem(name).means == pytest.approx(MEANT[name], abs=1e-15)
    assert rb.problem(name).to_dict()["name"] == name
    assert INSTANCES[name] == rb.problem(name).means


def test_a_named_instance_is_gaussian_with_the_papers_variance_unless_told_otherwise() -> None:
    assert rb.problem("paper/model-2").to_dict()["sd"] ** 2 == pytest.approx(0.5)
    assert rb.problem("paper/model-2", sd=0.5) == rb.Gaussian(means=(0.9, 0.8, 0.3), sd=0.5, name="paper/model-2")
    assert rb.problem("paper/model-2", noise="bernoulli").kind == "bernoulli/1"
    assert rb.problem("paper/model-2", noise="student-t", df=2.5).subgaussian is None


def test_what_is_fixed_by_the_name_cannot_be_set() -> None:
    for options in ({"means": [0.1]}, {"name": "mine"}):
        with pytest.raises(InvalidParameter, match="fixed by its name"):
            rb.problem("paper/model-1", **options)


def test_unknown_names_are_told_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="no problem is called 'paper/model-3'; named problems: paper/model-1"):
        rb.problem("paper/model-3")
    with pytest.raises(UnknownName, match="no reward model is called 'cauchy'; known models: gaussian, bernoulli"):
        rb.problem("paper/model-1", noise="cauchy")
    with pytest.raises(UnknownName, match="`gaussian/1` has no option 'df'; it has means, sd, name"):
        rb.problem("paper/model-1", df=3)


def test_every_model_is_registered_under_its_kind() -> None:
    for kind, model in MODELS.items():
        assert model.kind == kind
        assert kind.endswith("/1")


def test_the_noise_of_the_linear_instance_is_gaussian_however_it_is_asked_for() -> None:
    assert rb.problem("paper/linear", noise="linear", sd=2) == rb.problem("paper/linear", sd=2)
    for ask in (lambda: rb.problem("paper/linear", noise="bernoulli"), lambda: _described("bernoulli")):
        with pytest.raises(InvalidParameter, match="the noise of 'paper/linear' is gaussian"):
            ask()


def _described(noise: str) -> Any:
    return rb.problem_from_dict({"name": "paper/linear", "noise": noise})


def test_a_description_by_name_alone_is_the_named_instance() -> None:
    assert rb.problem_from_dict({"name": "paper/model-1"}) == rb.problem("paper/model-1")
    assert rb.problem_from_dict({"name": "tie/2", "noise": "bernoulli"}) == rb.problem("tie/2", noise="bernoulli")


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"name": "paper/model-1", "means": [0.1, 0.2]}, "belongs to other means"),
        ({"name": "paper/model-1", "means": 5}, "must be a list of numbers"),
        ({"name": [1], "means": [0.1]}, "`name` must be a text"),
        ({"name": 7, "means": [0.1]}, "`name` must be a text"),
        ({"noise": "bernoulli", "kind": "gaussian", "means": [0.1]}, "name the same thing"),
        ({"kind": "gaussian"}, "needs `means`"),
        ({"means": [0.1], "sd": [1]}, "`sd` must be a number"),
    ],
)
def test_a_description_that_contradicts_itself_is_refused(values: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidParameter, match=says):
        rb.problem_from_dict(values)


@pytest.mark.parametrize(
    ("model", "options"),
    [
        (rb.Gaussian, {"means": [0.1, 0.2], "name": "tie/2"}),
        (rb.Bernoulli, {"means": [0.1, 0.2], "name": "paper/model-1"}),
        (rb.Empirical, {"samples": [[1], [0]], "name": "tie/2"}),
        (rb.Gaussian, {"means": [1.0, 0.7, 0.7, 0.7, 0.7], "name": "paper/linear"}),
        (rb.Linear, {"features": [[1, 0], [0.5, 0.4]], "theta": [1, 0.5], "name": "paper/linear"}),
    ],
)
def test_a_name_of_an_instance_is_taken_by_no_other_problem(model: Any, options: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameter, match="belongs to other"):
        model(**options)


def test_what_bears_the_name_of_an_instance_is_read_back() -> None:
    for made in (
        rb.StudentT(means=[0.5, 0.5], name="tie/2"),
        rb.Empirical(samples=[[0, 1], [1, 0]], name="tie/2"),
        rb.Linear(features=[[1], [1]], theta=[0.5], name="tie/2"),
    ):
        assert rb.problem_from_dict(made.to_dict()) == made


def test_noise_given_beside_a_file_of_rewards_is_refused_and_not_ignored(tmp_path: Path) -> None:
    path = tmp_path / "rewards.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(UnknownName, match="`empirical/1` has no option 'noise'"):
        rb.problem(path, noise="bernoulli")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: rb.problem(NUMBER), "`name` must be a text or a path"),
        (lambda: rb.problem("paper/model-2", noise=NUMBER), "`noise` must be a text"),
        (lambda: rb.problem("paper/linear", noise=NUMBER), "`noise` must be a text"),
        (lambda: rb.problem_from_dict(NUMBER), "`values` must be a dict"),
        (lambda: rb.read_rewards(NUMBER), "`path` must be a text or a path"),
    ],
)
def test_arguments_of_another_kind_are_refused_in_one_sentence(call: Callable[[], object], said: str) -> None:
    with pytest.raises(InvalidParameter, match=said):
        call()
