"""The protocols: every registered policy keeps them, and the stricter ones where it should."""

from __future__ import annotations

from typing import Any

import pytest

import replibandit as rb
from replibandit.core.policy import CertifiedPolicy, Guarantee, IndexPolicy, PhasedPolicy
from tests.contract import EXAMPLES


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_every_policy_is_phased(example: Any) -> None:
    assert isinstance(example.policy, PhasedPolicy)


def test_only_ucb1_goes_by_an_index() -> None:
    for example in EXAMPLES:
        assert isinstance(example.policy, IndexPolicy) == isinstance(example.policy, rb.UCB1)


def test_a_policy_with_a_proof_knows_its_budget() -> None:
    certified = {type(e.policy).__name__ for e in EXAMPLES if isinstance(e.policy, CertifiedPolicy)}
    assert {"REC", "RSE"} <= certified
    assert not {"UCB1", "RASMAB", "SharpREC"} & certified


def test_a_guarantee_says_what_holds_or_why_nothing_does() -> None:
    assert str(Guarantee(rho=0.25, reasons=("Theorem 4",))) == "0.25-replicable: Theorem 4"
    nothing = Guarantee(rho=None, reasons=("one", "two"))
    assert str(nothing) == "not guaranteed to be replicable: one; two"
