"""Checks of parameters: accepted values come back in their plain type, others with the invariant and the value."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from replibandit.core.invariants import file_path, flag, mapping, one_of, real, reals, shown, text, whole
from replibandit.errors import InvalidParameter


@pytest.mark.parametrize("value", [3, 3.0, np.int8(3), np.uint64(3), np.float32(3.0)])
def test_whole_numbers_of_every_kind_become_ints(value: Any) -> None:
    number = whole("n", value, low=1, high=9)
    assert number == 3
    assert type(number) is int


@pytest.mark.parametrize("value", [True, "3", None, 2.5, math.nan, math.inf, 3j, [3], Fraction(7, 2)])
def test_what_is_not_whole_is_refused(value: Any) -> None:
    with pytest.raises(InvalidParameter, match="`n` must be a whole number, but got n="):
        whole("n", value, low=1, high=9)


@pytest.mark.parametrize("value", [0, 10, -(10**30), 10**30])
def test_a_whole_number_out_of_bounds_is_refused_with_the_bounds(value: int) -> None:
    with pytest.raises(InvalidParameter, match=r"`1 <= n <= 9` must hold, but got n="):
        whole("n", value, low=1, high=9)


@pytest.mark.parametrize("value", [0.5, Fraction(1, 2), np.float32(0.5)])
def test_real_numbers_of_every_kind_become_floats(value: Any) -> None:
    number = real("x", value)
    assert number == 0.5
    assert type(number) is float


@pytest.mark.parametrize("value", [True, "0.5", None, 1j, [0.5]])
def test_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(InvalidParameter, match="`x` must be a number, but got x="):
        real("x", value)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 10**400], ids=["nan", "inf", "-inf", "huge"])
def test_what_is_not_finite_is_refused(value: Any) -> None:
    with pytest.raises(InvalidParameter, match="must hold, but got x="):
        real("x", value)


@pytest.mark.parametrize(
    ("bounds", "value", "says"),
    [
        ({"above": 0}, 0, "`0 < x < inf` must hold, but got x=0."),
        ({"low": 0}, -1, "`0 <= x < inf` must hold, but got x=-1."),
        ({"high": 1}, 2, "`-inf < x <= 1` must hold, but got x=2."),
        ({"above": 0, "high": 0.5}, 0.8, "`0 < x <= 0.5` must hold, but got x=0.8."),
        ({}, math.nan, "`-inf < x < inf` must hold, but got x=nan."),
    ],
)
def test_the_invariant_is_written_out(bounds: dict[str, float], value: float, says: str) -> None:
    with pytest.raises(InvalidParameter) as refusal:
        real("x", value, **bounds)
    assert str(refusal.value) == says


def test_the_remedy_follows_the_refusal() -> None:
    with pytest.raises(InvalidParameter, match=r"x=0\. Try harder\."):
        real("x", 0, above=0, remedy="Try harder.")


def test_a_list_of_numbers_names_the_bad_one() -> None:
    assert reals("means", np.array([1, 2])) == (1.0, 2.0)
    with pytest.raises(InvalidParameter, match=r"`means\[1\]` must be a number"):
        reals("means", [1, "2"])
    with pytest.raises(InvalidParameter, match="at least one number"):
        reals("means", [])
    with pytest.raises(InvalidParameter, match="must be a list of numbers"):
        reals("means", "0.5")
    with pytest.raises(InvalidParameter, match="must be a list of numbers"):
        reals("means", 0.5)


def test_true_or_false_is_not_any_word_or_number() -> None:
    assert flag("outside", value=True)
    for value in ("yes", 1, None, []):
        with pytest.raises(InvalidParameter, match="`outside` must be true or false, but got outside="):
            flag("outside", value)


def test_a_text_is_one_that_can_be_written() -> None:
    assert text("name", "Züge") == "Züge"
    for value, says in (
        (5, "must be a text, but got name=5"),
        ("a\ud800", r"lone surrogates, but got name='a\\ud800'"),
    ):
        with pytest.raises(InvalidParameter, match=says):
            text("name", value)


@pytest.mark.parametrize("value", ["x" * 5000, 10**5000, [[0] * 5000]], ids=["text", "int", "list"])
def test_a_refusal_is_short_however_long_the_value_is(value: Any) -> None:
    for check in (lambda: reals("x", value), lambda: one_of("x", value, ("a",)), lambda: text("x", [value])):
        with pytest.raises(InvalidParameter) as refusal:
            check()
        assert len(str(refusal.value)) < 150
    assert shown([value]).endswith(("...", "list"))


def test_one_of_a_few_words() -> None:
    assert one_of("order", "blocks", ("blocks", "turns")) == "blocks"
    for value in ("Blocks", "", None, 3, ["blocks"]):
        with pytest.raises(InvalidParameter, match="`order` must be one of blocks, turns, but got order="):
            one_of("order", value, ("blocks", "turns"))


@pytest.mark.parametrize("values", [None, 5, [], "x", {5: 1}])
def test_what_is_no_dict_with_texts_as_keys_is_refused(values: object) -> None:
    with pytest.raises(InvalidParameter, match="`values` must be a dict"):
        mapping("values", values)


@pytest.mark.parametrize("value", [None, 5, [], b"x"])
def test_what_is_no_path_is_refused(value: object) -> None:
    assert file_path("path", "x") == file_path("path", Path("x")) == Path("x")
    with pytest.raises(InvalidParameter, match="`path` must be a text or a path"):
        file_path("path", value)
