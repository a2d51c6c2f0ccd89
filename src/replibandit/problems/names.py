"""Names that belong to instances: a problem that bears one is that instance, however it was made."""

from __future__ import annotations

from typing import Any

from replibandit.core.invariants import text
from replibandit.core.problem import Problem
from replibandit.errors import InvalidParameter

# Immutable: a name never changes its meaning; a different instance gets a new name.
INSTANCES: dict[str, tuple[float, ...]] = {
    "paper/model-1": (0.7, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3),
    "paper/model-2": (0.9, 0.8, 0.3),
    "tie/2": (0.5, 0.5),
    "tie/10": (0.5,) * 10,
    "runner-up/10": (0.7, 0.65, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3),
    "geometric/10": (0.9, *(0.9 - 0.8 * 2.0**-halvings for halvings in range(9))),
}
# The paper prints theta and the means of its linear instance, not the features. Arm 1 is the first coordinate alone;
# the others are even steps along the line of mean 0.7 through the positive quadrant: distinct and in round numbers.
LINEAR: dict[str, dict[str, tuple[Any, ...]]] = {
    "paper/linear": {
        "features": ((1.0, 0.0), (0.7, 0.0), (0.5, 0.4), (0.3, 0.8), (0.1, 1.2)),
        "theta": (1.0, 0.5),
    },
}


def check_name(problem: Problem, name: object) -> None:
    """Refuse a name that is no text, or that belongs to another instance."""
    name = text("name", name)
    if name in INSTANCES and problem.means != INSTANCES[name]:
        raise InvalidParameter(
            f"the name {name!r} belongs to other means: {list(INSTANCES[name])}; choose another name."
        )
    fixed = LINEAR.get(name, {})
    if any(getattr(problem, field, None) != value for field, value in fixed.items()):
        raise InvalidParameter(
            f"the name {name!r} belongs to other features or another theta: {fixed}; choose another name."
        )
