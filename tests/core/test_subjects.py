"""What a driver is given: what is no policy, no problem, no source of U is refused in one clear sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import replibandit as rb
from replibandit.core.subjects import check_policy, check_problem, check_randomness
from replibandit.errors import InvalidParameter

POLICY: Any = rb.REC(arms=2, horizon=100, rho=0.3, sigma=0.5, commit_scale=0.01)
PROBLEM: Any = rb.Gaussian(means=(0.6, 0.5), sd=0.5)
U: Any = rb.SharedRandomness("x")
ANY: Any = "x"
NUMBER: Any = 5
NUMBERS: Any = [1]
CLASS: Any = rb.REC
GENERATOR: Any = np.random.default_rng(1)

FIRST, SECOND = "a policy must come first, but got", "a problem must come second, but got"
SOURCE, TALLIES = "`u` must be a source of U, but got", "`tallies` must list one rb.Tally per complete phase, but"
WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "simulate, U": (lambda: rb.simulate(POLICY, PROBLEM, u=ANY), SOURCE),
    "simulate, swapped": (lambda: rb.simulate(PROBLEM, POLICY), FIRST),
    "simulate, a name": (lambda: rb.simulate(POLICY, ANY), SECOND),
    "simulate, a class": (lambda: rb.simulate(CLASS, PROBLEM), f"{FIRST} the class REC, which has no `arms`"),
    "replicate, swapped": (lambda: rb.replicate(PROBLEM, POLICY), FIRST),
    "replicate, a name": (lambda: rb.replicate(POLICY, ANY), SECOND),
    "tune, swapped": (lambda: rb.tune(PROBLEM, POLICY), FIRST),
    "tune, a name": (lambda: rb.tune(POLICY, ANY), SECOND),
    "attack, a problem": (lambda: rb.attack(PROBLEM), FIRST),
    "session, U": (lambda: rb.Session(POLICY, u=ANY), SOURCE),
    "session, a class": (lambda: rb.Session(POLICY, u=CLASS), SOURCE),
    "session, a generator": (lambda: rb.Session(POLICY, u=GENERATOR), SOURCE),
    "session, a problem": (lambda: rb.Session(PROBLEM, u=U), FIRST),
    "replay, a number": (lambda: rb.replay(POLICY, NUMBER, u=U), TALLIES),
    "replay, numbers": (lambda: rb.replay(POLICY, NUMBERS, u=U), TALLIES),
    "replay, a problem": (lambda: rb.replay(PROBLEM, [], u=U), FIRST),
    "replay, U": (lambda: rb.replay(POLICY, [], u=ANY), SOURCE),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_subject_is_refused_by_every_driver(name: str) -> None:
    call, said = WRONG[name]
    with pytest.raises(InvalidParameter) as caught:
        call()
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


class Handmade:
    """A policy that keeps everything in the object and asks for nothing to be inherited."""

    def __init__(self) -> None:
        self.__dict__.update({name: getattr(POLICY, name) for name in vars(rb.PhasedPolicy) if name[0] != "_"})


def test_a_policy_of_ones_own_passes_and_its_guarantee_is_not_worked_out() -> None:
    class Dear(rb.REC):
        @property
        def guarantee(self) -> rb.Guarantee:
            raise AssertionError

    check_policy(Handmade())
    check_policy(Dear(arms=2, horizon=100, rho=0.3, sigma=0.5))
    check_problem(PROBLEM)
    check_randomness(U)


def test_a_long_text_is_cut() -> None:
    with pytest.raises(InvalidParameter) as caught:
        check_policy("x" * 10**6)
    assert len(str(caught.value)) < 200
