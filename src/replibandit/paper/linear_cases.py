"""The linear instances of Figure 3: the paper's, with two choices of features, and many arms in few dimensions.

The paper prints theta and the means of its instance, but not the features. `paper/linear` is our choice: its
design draws the best arm half of the time. In the second one, of the same means, the best arm lies between the
others, so that no design ever draws it: exploration costs twice as much.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from replibandit.core.problem import Problem
from replibandit.paper.printed import LINEAR, RHO
from replibandit.policies import RLSE, RSE
from replibandit.problems import Linear, problem

HORIZON: int = LINEAR["horizon"]  # type: ignore[assignment]  # a table of values of many types
NAMED = "paper/linear"
BETWEEN = Linear(
    features=((0.6, 0.8), (1.2, -1.0), (0.7, 0.0), (0.2, 1.0), (-0.3, 2.0)), theta=(1.0, 0.5), name="best arm between"
)
DIMENSION, GAP = 5, 0.3  # of the cases with many arms


@dataclass(frozen=True, slots=True)
class Curve:
    """One curve of the figure: a policy on an instance."""

    name: str
    problem: Problem
    policy: RLSE | RSE


def curves() -> tuple[Curve, ...]:
    """The paper's two, RLSE on the second choice of features, and Algorithm 2 itself."""
    given = problem(NAMED)
    options: dict[str, Any] = {"arms": given.arms, "horizon": HORIZON, "rho": RHO, "sigma": LINEAR["noise_sd"]}
    return (
        Curve("RLSE", given, RLSE(**options, features=given.to_dict()["features"])),
        Curve("RLSE, best arm between", BETWEEN, RLSE(**options, features=BETWEEN.features)),
        Curve("one-hot (the paper's RSE)", given, RLSE(**options)),
        Curve("RSE (Algorithm 2)", given, RSE(**options)),
    )


@functools.cache
def many_arms(arms: int) -> Linear:
    """K arms in d = 5 dimensions, one of mean 1 and the others at 0.7, in directions drawn evenly: unit vectors."""
    drawn = np.random.default_rng([DIMENSION, arms]).standard_normal((arms - 1, DIMENSION - 1))
    mean = 1 - GAP
    others = drawn * ((1 - mean**2) / (drawn**2).sum(axis=1, keepdims=True)) ** 0.5
    rows = [(mean, *(round(float(x), 6) for x in row)) for row in others]
    best = (1.0, *[0.0] * (DIMENSION - 1))
    return Linear(features=(best, *rows), theta=best, name=f"{arms} arms, d = {DIMENSION}")
