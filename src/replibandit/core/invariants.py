"""Checks of parameters: each failure is one sentence with the invariant, the value and the remedy."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from decimal import Decimal
from numbers import Integral, Real
from os import PathLike
from pathlib import Path
from typing import Any

from replibandit.errors import InvalidParameter

LONGEST = 40  # characters of a value in a refusal: enough to recognise it by
TINY, HUGE = 1e-50, 1e50  # between them products of a few scales, and squared sums of 10^15 of them, stay finite


def whole(name: str, value: object, *, low: int, high: int, remedy: str = "") -> int:
    """``value`` as an int, with ``low <= value <= high``."""
    integral = isinstance(value, Integral) or (isinstance(value, Real) and float(value).is_integer())
    if isinstance(value, bool) or not integral:
        raise InvalidParameter(f"`{name}` must be a whole number, but got {name}={shown(value)}.{_tail(remedy)}")
    number = int(value)  # type: ignore[call-overload]  # Integral, or a float that is whole: checked above
    if not low <= number <= high:
        raise InvalidParameter(
            f"`{low} <= {name} <= {_short(high)}` must hold, but got {name}={_short(number)}.{_tail(remedy)}"
        )
    return int(number)


def real(
    name: str,
    value: object,
    *,
    above: float = -math.inf,
    low: float = -math.inf,
    high: float = math.inf,
    remedy: str = "",
) -> float:
    """``value`` as a finite float, with ``above < value`` and ``low <= value <= high``."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InvalidParameter(f"`{name}` must be a number, but got {name}={shown(value)}.{_tail(remedy)}")
    number = _float(value)
    if not (math.isfinite(number) and above < number and low <= number <= high):
        lower = f"{above:g} < " if above > -math.inf else f"{low:g} <= "
        bounds = f"{lower if math.isfinite(max(above, low)) else '-inf < '}{name}"
        bounds += f" <= {high:g}" if high < math.inf else " < inf"
        raise InvalidParameter(f"`{bounds}` must hold, but got {name}={shown(value)}.{_tail(remedy)}")
    return number


def scale(name: str, value: object, *, remedy: str = "") -> float:
    """``value`` as a positive float that can be multiplied and squared without overflow."""
    return real(name, value, low=TINY, high=HUGE, remedy=remedy)


def reals(name: str, values: object) -> tuple[float, ...]:
    """``values`` as a non-empty tuple of floats that can be squared and added up without overflow."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidParameter(f"`{name}` must be a list of numbers, but got {name}={shown(values)}.")
    listed = list(values)
    if not listed:
        raise InvalidParameter(f"`{name}` must hold at least one number, but got an empty list.")
    if all(type(value) is float and abs(value) <= HUGE for value in listed):  # long lists are common
        return tuple(listed)
    return tuple(real(f"{name}[{i}]", value, low=-HUGE, high=HUGE) for i, value in enumerate(listed))


def real_rows(name: str, values: object) -> tuple[tuple[float, ...], ...]:
    """``values`` as a non-empty tuple of equally long, non-empty tuples of finite floats: one row per arm."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidParameter(f"`{name}` must be a list of rows of numbers, but got {name}={shown(values)}.")
    rows = tuple(reals(f"{name}[{i}]", row) for i, row in enumerate(values))
    if not rows:
        raise InvalidParameter(f"`{name}` must have a row for each arm, but got an empty list.")
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise InvalidParameter(
                f"`{name}` must have rows of one length, but row 0 has {len(rows[0])} numbers and row {i} {len(row)}."
            )
    return rows


def one_of(name: str, value: object, allowed: Collection[str]) -> str:
    """``value`` if it is one of the allowed words."""
    if not isinstance(value, str) or value not in allowed:
        raise InvalidParameter(f"`{name}` must be one of {', '.join(allowed)}, but got {name}={shown(value)}.")
    return value


def flag(name: str, value: object) -> bool:
    """``value`` if it is True or False."""
    if not isinstance(value, bool):
        raise InvalidParameter(f"`{name}` must be true or false, but got {name}={shown(value)}.")
    return value


def text(name: str, value: object) -> str:
    """``value`` if it is a text that every file and terminal can take."""
    if not isinstance(value, str):
        raise InvalidParameter(f"`{name}` must be a text, but got {name}={shown(value)}.")
    if not is_unicode(value):
        raise InvalidParameter(
            f"`{name}` must be a text without lone surrogates, but got {name}={shown(value)}; write it as UTF-8."
        )
    return value


def mapping(name: str, values: object) -> Mapping[str, Any]:
    """``values`` if they are a dict whose keys are texts."""
    if not isinstance(values, Mapping):
        raise InvalidParameter(f"`{name}` must be a dict, but got {name}={shown(values)}.")
    for key in values:
        if not isinstance(key, str):
            raise InvalidParameter(f"`{name}` must be a dict whose keys are texts, but one key is {shown(key)}.")
    return values


def file_path(name: str, value: object) -> Path:
    """``value`` as a path, given as a text or as a path."""
    if not isinstance(value, str | PathLike):
        raise InvalidParameter(f"`{name}` must be a text or a path, but got {name}={shown(value)}.")
    return Path(value)


def is_unicode(text: str) -> bool:
    """False where half a character came in: bytes of another encoding, or a torn escape in JSON."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def shown(value: object) -> str:
    """``value`` as a refusal shows it, however long it is."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # an int of thousands of digits, a nesting without end
        return f"a very long {type(value).__name__}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 4]}..."


def _float(value: Real) -> float:
    try:
        return float(value)
    except OverflowError:  # an int of hundreds of digits
        return math.inf


def _tail(remedy: str) -> str:
    return f" {remedy}" if remedy else ""


def _short(number: int) -> str:
    if abs(number) < 10**7:
        return str(number)
    return f"{number:.3g}" if abs(number) < 10**300 else f"{Decimal(number):.3g}"  # an int may exceed every float
