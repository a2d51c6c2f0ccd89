"""Policies by name."""

from __future__ import annotations

from typing import Any

import pytest

import replibandit as rb
from replibandit.errors import InvalidParameter, UnknownName
from replibandit.policies import POLICIES, policy_class

NUMBER: Any = 5


def test_every_kind_is_a_name_and_a_version() -> None:
    for kind, cls in POLICIES.items():
        name, _, version = kind.partition("/")
        assert name
        assert int(version) >= 1
        assert policy_class(kind) is cls


def test_a_bare_name_means_the_newest_version() -> None:
    assert policy_class("rec") is rb.REC
    assert policy_class("REC") is rb.REC


def test_an_unknown_policy_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match=r"no policy is called 'thompson9'; known policies: rec, rse"):
        policy_class("thompson9")


def test_another_version_is_not_taken_for_this_one() -> None:
    with pytest.raises(UnknownName):
        policy_class("rec/99")


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("{", InvalidParameter, "expected a JSON object"),
        ("[1]", InvalidParameter, "expected a JSON object, but got a list"),
        ("{}", UnknownName, "no policy is called ''"),
        ('{"kind": "ucb1/1", "arms": 3}', InvalidParameter, "`ucb1/1` needs `horizon`"),
        ('{"kind": "ucb1/1", "arms": 3, "horizon": 9, "rho": 1}', UnknownName, "has no option 'rho'"),
        ('{"kind": "ucb1/1", "arms": "3", "horizon": 9}', InvalidParameter, "`arms` must be a whole number"),
    ],
)
def test_a_bad_description_is_refused_in_one_sentence(text: str, error: type[Exception], says: str) -> None:
    with pytest.raises(error) as refusal:
        rb.policy_from_json(text)
    assert says in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_description_is_plain_json_with_every_option() -> None:
    policy = rb.RSE(arms=3, horizon=100, rho=0.3, sigma=0.5)
    values: dict[str, Any] = policy.to_dict()
    assert values["kind"] == "rse/1"
    assert values["eliminate_scale"] == 1.0
    assert rb.policy_from_dict(values) == policy


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, "1" * 5000, '{"arms": ' + "1" * 5000 + "}", None, 5, b"\xff"],
    ids=lambda text: str(text)[:9],
)
def test_what_is_no_json_object_is_refused_in_one_sentence(text: Any) -> None:
    with pytest.raises(InvalidParameter, match="expected a JSON object"):
        rb.policy_from_json(text)


def test_a_policy_from_no_dict_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="must be a dict"):
        rb.policy_from_dict(NUMBER)
