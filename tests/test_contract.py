"""Every policy under the one contract."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from replibandit.policies import POLICIES
from tests.contract import CHECKS, EXAMPLES, HORIZONS, Example, check_the_three_drivers_agree


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
def test_the_contract(check: Callable[[Example], None], example: Example) -> None:
    check(example)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
@pytest.mark.parametrize("horizon", HORIZONS)
def test_the_three_drivers_agree_at_every_horizon(example: Example, horizon: int) -> None:
    check_the_three_drivers_agree(example, horizon)


def test_every_registered_policy_has_an_example() -> None:
    missing = set(POLICIES) - {example.policy.kind for example in EXAMPLES}
    assert not missing, f"append an Example of {sorted(missing)} to EXAMPLES in tests/contract.py"


def test_the_examples_have_names_of_their_own() -> None:
    names = [example.name for example in EXAMPLES]
    assert len(set(names)) == len(names)
