"""The public surface: sorted, complete, nothing in it by accident."""

from __future__ import annotations

import inspect
from types import ModuleType

import pytest

import replibandit as rb


def test_the_public_names_are_sorted_acronyms_then_classes_then_functions() -> None:
    assert list(rb.__all__) == sorted(set(rb.__all__), key=lambda name: (_group(name), name))


def _group(name: str) -> int:
    if name.isupper():
        return 0
    return 1 if name[0].isupper() else 2


def test_every_public_name_exists() -> None:
    missing = [name for name in rb.__all__ if not hasattr(rb, name)]
    assert missing == []


def test_nothing_is_public_without_being_listed() -> None:
    visible = {
        name
        for name, value in vars(rb).items()
        if not name.startswith("_") and not isinstance(value, ModuleType) and name != "annotations"
    }
    assert visible - set(rb.__all__) == set()


@pytest.mark.parametrize("name", [name for name in rb.__all__ if callable(getattr(rb, name, None))])
def test_every_public_class_and_function_says_what_it_is(name: str) -> None:
    assert (inspect.getdoc(getattr(rb, name)) or "").strip()


def test_the_names_others_rely_on_keep_their_arguments() -> None:
    policy = rb.REC(arms=3, horizon=100, rho=0.3, sigma=0.5)
    world = rb.problem("paper/model-2", sd=0.5)
    study = rb.simulate(policy, world, runs=4, seed=7)
    assert study.regret.shape == (4,)
    assert study.pulls.shape == (4, 3)
    assert study.digests.shape == (4,)
    twins = rb.replicate(policy, world, seeds=2, runs=3, seed=7)
    assert 0 <= twins.low <= twins.nonreplication <= twins.high <= 1
    assert twins.ledger is not None
