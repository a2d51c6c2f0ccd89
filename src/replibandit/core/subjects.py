"""What a driver is given, checked before its first step: a policy, a problem, a source of U.

A member counts as there if the class has it, so that a check never works out a property (a guarantee may be dear).
"""

from __future__ import annotations

from replibandit.core.invariants import shown
from replibandit.core.policy import PhasedPolicy
from replibandit.core.problem import Problem
from replibandit.core.randomness import Randomness
from replibandit.errors import InvalidParameter


def check_policy(policy: object) -> None:
    """Refuse what does not satisfy the protocol `PhasedPolicy`."""
    absent = _absent(policy, PhasedPolicy)
    if absent:
        raise InvalidParameter(
            f"a policy must come first, but got {_told(policy)}, which has no `{absent}`; "
            "make one, for example with rb.REC(...)."
        )


def check_problem(problem: object) -> None:
    """Refuse what is no `Problem`."""
    if not isinstance(problem, Problem):
        raise InvalidParameter(
            f"a problem must come second, but got {_told(problem)}; name one with rb.problem(...), "
            "or make one, for example with rb.Gaussian(...)."
        )


def check_randomness(u: object) -> None:
    """Refuse what is no source of U."""
    if _absent(u, Randomness):
        raise InvalidParameter(
            f"`u` must be a source of U, but got {_told(u)}; make one with rb.SharedRandomness('any text')."
        )


def _absent(value: object, protocol: type) -> str | None:
    """The first member of the protocol that a value lacks; a class is not yet an object and lacks them all."""
    members = [name for name in vars(protocol) if not name.startswith("_")]
    if isinstance(value, type):
        return members[0]
    return next((name for name in members if not hasattr(type(value), name) and not hasattr(value, name)), None)


def _told(value: object) -> str:
    """A value as refusals show it; a class by its name alone."""
    return f"the class {value.__name__}" if isinstance(value, type) else shown(value)
