"""Every policy under the one contract."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import replibandit as rb
from replibandit.core.order import ORDERS
from replibandit.policies import POLICIES
from tests.contract import (
    CHECKS,
    EXAMPLES,
    HORIZONS,
    Example,
    check_a_hashed_u_drives_all_three_as_well,
    check_the_three_drivers_agree,
)

KINDS_OF_REWARD: list[rb.Problem] = [
    rb.Gaussian(means=[0.9, 0.8, 0.3], sd=0.5),
    rb.Bernoulli(means=[0.9, 0.8, 0.3]),
    rb.Bounded(means=[0.9, 0.8, 0.3], low=-1, high=2),
    rb.StudentT(means=[0.9, 0.8, 0.3], df=2.5),
    rb.Empirical(samples=[[1, 1, 0.7], [1, 0.6], [0, 0.9, 0]]),
    rb.TwoPoint(means=[0.9, 0.8, 0.3], low=-0.5, high=1.5),
]
QUICK: dict[str, Any] = {"arms": 3, "horizon": 700, "rho": 0.3, "sigma": 0.5, "commit_scale": 0.02}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
def test_the_contract(check: Callable[[Example], None], example: Example) -> None:
    check(example)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
@pytest.mark.parametrize("horizon", HORIZONS)
def test_the_three_drivers_agree_at_every_horizon(example: Example, horizon: int) -> None:
    check_the_three_drivers_agree(example, horizon)


@pytest.mark.parametrize("problem", KINDS_OF_REWARD, ids=lambda problem: problem.kind)
@pytest.mark.parametrize("draws", ["cumulative", "fresh"])
@pytest.mark.parametrize("order", ORDERS)
def test_the_three_drivers_agree_in_every_order_on_every_kind_of_reward(
    order: str, draws: str, problem: rb.Problem
) -> None:
    rules = (
        rb.REC(**QUICK, order=order, draws=draws),
        rb.RSE(**QUICK, order=order, draws=draws, eliminate_scale=0.006),
    )
    for policy in rules:
        example = Example(name=policy.kind, policy=policy, problem=problem)
        check_the_three_drivers_agree(example)
        check_a_hashed_u_drives_all_three_as_well(example)


@pytest.mark.parametrize("problem", KINDS_OF_REWARD, ids=lambda problem: problem.kind)
def test_the_three_drivers_agree_on_ucb1_on_every_kind_of_reward(problem: rb.Problem) -> None:
    check_the_three_drivers_agree(Example(name="ucb1", policy=rb.UCB1(arms=3, horizon=150), problem=problem))


def test_every_registered_policy_has_an_example() -> None:
    missing = set(POLICIES) - {example.policy.kind for example in EXAMPLES}
    assert not missing, f"append an Example of {sorted(missing)} to EXAMPLES in tests/contract.py"


def test_the_examples_have_names_of_their_own() -> None:
    names = [example.name for example in EXAMPLES]
    assert len(set(names)) == len(names)
