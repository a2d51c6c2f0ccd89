"""Frozen descriptions that round-trip through JSON."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any, ClassVar, Self

from replibandit.core.invariants import mapping, shown
from replibandit.errors import InvalidParameter, UnknownName


class Spec:
    """Base of every frozen description (a policy, a problem): ``kind`` names it and its version.

    Subclasses are frozen keyword-only dataclasses; what they store is all there is to know about them.
    """

    __slots__ = ()
    kind: ClassVar[str]

    def to_dict(self) -> dict[str, Any]:
        """The description as plain JSON values, ``kind`` first."""
        fields = dataclasses.fields(self)  # type: ignore[arg-type]  # every final Spec is a dataclass
        return {"kind": self.kind} | {f.name: _plain(getattr(self, f.name)) for f in fields}

    def to_json(self) -> str:
        """The description as one line of JSON; `from_json` of the registry reads it back."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """The description written by `to_dict`; unknown names are refused, not ignored."""
        known = [f.name for f in dataclasses.fields(cls)]  # type: ignore[arg-type]
        options = {name: value for name, value in mapping("values", values).items() if name != "kind"}
        unknown = sorted(set(options) - set(known))
        if unknown:
            raise UnknownName(f"`{cls.kind}` has no option {shown(unknown[0])}; it has {', '.join(known)}.")
        required = [f.name for f in dataclasses.fields(cls) if _is_required(f)]  # type: ignore[arg-type]
        missing = [name for name in required if name not in options]
        if missing:
            raise InvalidParameter(f"`{cls.kind}` needs `{missing[0]}`, which was not given.")
        return cls(**options)


def read_json(text: str) -> dict[str, Any]:
    """The JSON object in ``text``, or one sentence about why it is none."""
    if not isinstance(text, str | bytes | bytearray):
        raise InvalidParameter(f"expected a JSON object as a text, but got {shown(text)}.")
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidParameter(f"expected a JSON object, but {error}.") from None
    if not isinstance(values, dict):
        raise InvalidParameter(f"expected a JSON object, but got a {type(values).__name__}.")
    return values


def _is_required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _plain(value: Any) -> Any:  # noqa: ANN401  any field value
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
