"""The tree of errors: drawn once, in the module, and every message one sentence a user can act on."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable

import pytest

import replibandit as rb
from replibandit import errors

CLASSES = {
    name: cls for name, cls in vars(errors).items() if inspect.isclass(cls) and cls.__module__ == errors.__name__
}


def test_the_tree_in_the_docstring_is_the_tree_of_classes() -> None:
    drawn = re.findall(r"[├└]── (\w+)", errors.__doc__ or "")
    assert set(drawn) | {"ReplibanditError"} == set(CLASSES)


def test_the_built_in_families_in_the_docstring_are_those_of_the_classes() -> None:
    drawn = re.findall(r"── (\w+) .*\(also an? (\w+)\)", errors.__doc__ or "")
    assert drawn
    for name, builtin in drawn:
        assert builtin in {base.__name__ for base in CLASSES[name].__mro__}


def test_everything_raised_on_purpose_is_caught_by_one_name() -> None:
    assert all(issubclass(cls, errors.ReplibanditError) for cls in CLASSES.values())


def test_every_error_says_what_it_means() -> None:
    assert all(cls.__doc__ for cls in CLASSES.values())


def test_a_missing_extra_names_the_command_that_installs_it() -> None:
    error = errors.MissingExtra("reading Parquet", "pyarrow", "tables")
    assert str(error) == (
        "reading Parquet needs pyarrow, which is not installed; run: pip install 'replibandit[tables]'"
    )
    assert isinstance(error, ImportError)


WORLD = rb.problem("paper/model-2", sd=0.5)
POLICY = rb.REC(arms=3, horizon=100, rho=0.3, sigma=0.5)

MISUSE: dict[str, Callable[[], object]] = {
    "rho": lambda: rb.REC(arms=3, horizon=100, rho=0.8, sigma=0.5),
    "order": lambda: rb.REC(arms=3, horizon=100, rho=0.3, sigma=0.5, order="any"),
    "arms": lambda: rb.simulate(POLICY, rb.problem("paper/model-1")),
    "runs": lambda: rb.simulate(POLICY, WORLD, runs=0),
    "seed": lambda: rb.simulate(POLICY, WORLD, runs=1, seed=-1),
    "seeds": lambda: rb.replicate(POLICY, WORLD, seeds=0, runs=2),
    "twins of one": lambda: rb.replicate(POLICY, WORLD, seeds=2, runs=1),
    "problem": lambda: rb.problem("paper/model-3"),
    "noise": lambda: rb.problem("paper/model-1", noise="cauchy"),
    "sd": lambda: rb.Gaussian(means=[1.0], sd=-1),
    "no arms": lambda: rb.Gaussian(means=[]),
    "nan mean": lambda: rb.Gaussian(means=[float("nan")]),
    "text means": lambda: rb.Gaussian(means="0.5"),  # type: ignore[arg-type]
    "probability": lambda: rb.Bernoulli(means=[1.5]),
    "no seed": lambda: rb.SharedRandomness(""),
    "tally shape": lambda: rb.replay(POLICY, [rb.Tally.of([[1.0]])], u=rb.ConstantRandomness()),
    "missing tally": lambda: rb.replay(POLICY, [], u=rb.ConstantRandomness()),
    "knob": lambda: rb.Knob(2, 1),
    "unknown option": lambda: rb.policy_from_dict(POLICY.to_dict() | {"gamma": 1}),
}


@pytest.mark.parametrize("misuse", MISUSE.values(), ids=MISUSE.keys())
def test_a_message_is_one_sentence_with_the_value_and_ends_in_a_full_stop(misuse: Callable[[], object]) -> None:
    with pytest.raises(errors.ReplibanditError) as refusal:
        misuse()
    message = str(refusal.value)
    assert "\n" not in message
    assert message.endswith(".")
    assert len(message) > 30
    assert not message.startswith("(")
