"""The rule log T >= D^2 log(K / rho) / rho^2, by hand and at its edge."""

from __future__ import annotations

import math

import pytest

from replibandit.errors import InvalidParameter
from replibandit.theory.practitioner import replicability_cost


def test_two_arms_need_a_billion_rounds() -> None:
    cost = replicability_cost(arms=2, rho=0.3, horizon=10_000)
    assert cost.replicability == pytest.approx(math.log(2 / 0.3) / 0.09)  # 1.897120 / 0.09 = 21.07911
    assert cost.replicability == pytest.approx(21.07911, rel=1e-6)
    assert cost.ratio == pytest.approx(21.07911 / 9.210340, rel=1e-6)
    assert not cost.negligible
    assert 10**cost.log10_horizon_needed == pytest.approx(math.exp(21.07911), rel=1e-4)  # 1.43e9


def test_the_rule_turns_exactly_at_the_horizon_it_names() -> None:
    needed = math.ceil(10 ** replicability_cost(arms=2, rho=0.3, horizon=2).log10_horizon_needed)
    assert replicability_cost(arms=2, rho=0.3, horizon=needed + 1).negligible
    assert not replicability_cost(arms=2, rho=0.3, horizon=needed - 1).negligible


def test_eliminations_pay_k_squared_times_as_much() -> None:
    commit = replicability_cost(arms=7, rho=0.2, horizon=1000)
    eliminate = replicability_cost(arms=7, rho=0.2, horizon=1000, decisions="eliminate")
    assert eliminate.replicability == pytest.approx(49 * commit.replicability)


def test_what_is_no_setting_is_refused() -> None:
    for wrong in ({"arms": 1}, {"rho": 0.0}, {"rho": 1.5}, {"horizon": 1}, {"decisions": "guess"}):
        with pytest.raises(InvalidParameter):
            replicability_cost(**({"arms": 2, "rho": 0.3, "horizon": 100} | wrong))
