"""One algorithm per file; the registry maps "rec/1" to its class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from replibandit.core.invariants import mapping, shown
from replibandit.core.spec import read_json
from replibandit.errors import UnknownName
from replibandit.policies.known_gap import KnownGapETC
from replibandit.policies.linear_commit import SharpRLSE
from replibandit.policies.rasmab import RASMAB
from replibandit.policies.rec import REC
from replibandit.policies.rlse import RLSE
from replibandit.policies.rse import RSE
from replibandit.policies.sharp import SharpREC, SharpRSE
from replibandit.policies.ucb1 import UCB1

__all__ = [
    "POLICIES",
    "RASMAB",
    "REC",
    "RLSE",
    "RSE",
    "UCB1",
    "KnownGapETC",
    "Policy",
    "SharpREC",
    "SharpRLSE",
    "SharpRSE",
    "policy_class",
    "policy_from_dict",
    "policy_from_json",
]

Policy: TypeAlias = REC | RSE | RLSE | SharpREC | SharpRSE | SharpRLSE | KnownGapETC | RASMAB | UCB1
POLICIES: dict[str, type[Policy]] = {
    cls.kind: cls for cls in (REC, RSE, RLSE, SharpREC, SharpRSE, SharpRLSE, KnownGapETC, RASMAB, UCB1)
}


def policy_class(name: str) -> type[Policy]:
    """The class of ``"rec"`` (newest version) or ``"rec/1"`` (that version)."""
    found = [kind for kind in POLICIES if name.lower() in (kind, kind.partition("/")[0])]
    if not found:
        known = ", ".join(kind.partition("/")[0] for kind in POLICIES)
        raise UnknownName(f"no policy is called {shown(name)}; known policies: {known}.")
    return POLICIES[found[-1]]


def policy_from_dict(values: Mapping[str, Any]) -> Policy:
    """The policy written by ``policy.to_dict()``."""
    return policy_class(str(mapping("values", values).get("kind", ""))).from_dict(values)


def policy_from_json(text: str) -> Policy:
    """The policy written by ``policy.to_json()``.

    >>> policy_from_json('{"kind": "ucb1/1", "arms": 3, "horizon": 100}')
    UCB1(arms=3, horizon=100)
    """
    return policy_from_dict(read_json(text))
