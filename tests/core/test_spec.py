"""Specs say all there is to know, and say it in JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

import replibandit as rb
from replibandit.core.spec import read_json
from replibandit.errors import InvalidParameter, UnknownName

PROBLEMS: list[Any] = [
    rb.Gaussian(means=[0.7, 0.3], sd=0.5),
    rb.Bernoulli(means=[0.7, 0.3]),
    rb.Bounded(means=[3.5, 3.0], low=1, high=5),
    rb.StudentT(means=[0.5, 0.3], df=2.5),
    rb.Empirical(samples=[[1, 0, 1], [0.5]], labels=["blau", "grün"]),
    rb.problem("paper/model-1"),
    rb.TwoPoint(means=[3.5, 3.0], low=[1, 2], high=5),
]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.kind)
def test_a_problem_goes_through_json_unchanged(problem: Any) -> None:
    again = rb.problem_from_dict(json.loads(problem.to_json()))
    assert again == problem
    assert type(again) is type(problem)


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.kind)
def test_a_problem_is_frozen(problem: Any) -> None:
    with pytest.raises(AttributeError):
        problem.name = "another"
    assert not hasattr(problem, "__dict__")


def test_the_kind_comes_first() -> None:
    assert next(iter(PROBLEMS[0].to_dict())) == "kind"


def test_tuples_become_lists_all_the_way_down() -> None:
    assert PROBLEMS[4].to_dict()["samples"] == [[1.0, 0.0, 1.0], [0.5]]


def test_text_outside_ascii_is_kept_readable() -> None:
    assert "grün" in PROBLEMS[4].to_json()


def test_an_unknown_option_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match=r"`gaussian/1` has no option 'variance'; it has means, sd, name"):
        rb.Gaussian.from_dict({"means": [1], "variance": 1})


def test_a_missing_option_is_named() -> None:
    with pytest.raises(InvalidParameter, match="`gaussian/1` needs `means`"):
        rb.Gaussian.from_dict({})


@pytest.mark.parametrize("text", ["", "{", "nonsense", "[]", "3", '"x"', "null"])
def test_what_is_no_json_object_is_refused(text: str) -> None:
    with pytest.raises(InvalidParameter, match="expected a JSON object"):
        read_json(text)
