"""The approximate G-optimal design of the paper's `sec_linear`: which arms to pull so that every arm is known.

For weights pi over arms with features x_i let V(pi) = sum_i pi_i x_i x_i' and g(pi) = max_i ||x_i||^2 in V(pi)^-1: n
pulls shared out by pi give every x_i . theta a variance of at most g sigma^2 / n. Kiefer and Wolfowitz: the smallest
g is the dimension d of the span, and the design that has it also maximises det V (D-optimal).

::

    start     weight 1 / d on each of d arms, each the farthest from the span of those before it
    repeat    j = argmax_i ||x_i||^2 in V^-1 =: g;  stop when g <= (1 + tolerance) d
              move the share (g / d - 1) / (g - 1) of all weight to j, the best there is for det V

The start is that of Kumar and Yildirim (2005) with directions that point to the farthest arm; uniform weights would
never leave any arm out. The steps are those of Fedorov and Wynn; V^-1 follows by the Sherman-Morrison formula.
Everything is fixed: of arms that are equally good, or equal, the lowest index is taken.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from replibandit.core.arrays import FloatArray, IntArray
from replibandit.core.invariants import real, real_rows
from replibandit.theory.coordinates import Coordinates, coordinates, first_largest

TOLERANCE = 0.1  # the theorem needs 1; a smaller one buys precision for some more arms in the support


@dataclass(frozen=True, slots=True)
class GOptimal:
    """Weights of the arms that sum to 1, the arms that have some, and how good they are.

    ``g`` lies between ``rank`` (best) and ``(1 + tolerance) * rank``. Where all features are 0 there is nothing to
    know: then rank and g are 0, and arm 0 has all weight.
    """

    weights: tuple[float, ...]
    support: tuple[int, ...]
    g: float
    rank: int
    iterations: int


def g_optimal(features: Iterable[Iterable[float]], *, tolerance: float = TOLERANCE) -> GOptimal:
    """The approximate G-optimal design of arms with these features, one row per arm.

    >>> design = g_optimal([[1.0, 0.0], [0.9, 0.1], [0.0, 1.0], [0.5, 0.5]])
    >>> design.weights, design.support
    ((0.5, 0.0, 0.5, 0.0), (0, 2))
    >>> design.g, design.rank
    (2.0, 2)

    Features need not span their space; the design is that of their span.
    """
    real("tolerance", tolerance, low=1e-4, high=1, remedy="Below, steps become many; above, the paper's 2 d is lost.")
    arms = coordinates(np.array(real_rows("features", features)))
    weights, iterations, worst = weights_for(arms, tolerance)
    return GOptimal(
        weights=tuple(weights.tolist()),
        support=tuple(np.flatnonzero(weights).tolist()),
        g=worst,
        rank=arms.rank,
        iterations=iterations,
    )


def weights_for(arms: Coordinates, tolerance: float = TOLERANCE) -> tuple[FloatArray, int, float]:
    """Weights ``[K]``, the steps they took, and g."""
    rank, rows = arms.rank, arms.rows
    weights = np.zeros(rows.shape[1])
    if rank == 0:
        weights[0] = 1.0
        return weights, 0, 0.0
    weights[arms.pivots] = 1 / rank
    inverse = np.eye(rank) * rank  # V^-1: the pivots are the unit vectors of their own coordinates
    norms = (rows * rows).sum(axis=0) * rank  # ||x_i||^2 in V^-1
    steps = 0
    while norms[j := first_largest(norms)] > (1 + tolerance) * rank and rank > 1:
        share = (norms[j] / rank - 1) / (norms[j] - 1)
        towards = (inverse * rows[:, j]).sum(axis=1)
        overlap = (rows * towards[:, None]).sum(axis=0)
        factor = share / (1 - share + share * norms[j])
        inverse = (inverse - factor * towards[:, None] * towards) / (1 - share)
        norms = (norms - factor * overlap * overlap) / (1 - share)
        weights *= 1 - share
        weights[j] += share
        steps += 1
    return weights, steps, float(norms.max())


def shared_out(weights: FloatArray, pulls: float, most: int) -> IntArray:
    """ceil(pulls * weight) for each arm, at most ``most``, for weights above 0.

    Departure: a product within a few ulps of a whole number *is* that number, as for N_p (`radii.grown`): a third of
    48 pulls must be 16 and not 17, whichever way the third was rounded.
    """
    exact = np.minimum(pulls * weights, most)
    nearest = np.rint(exact)
    whole = np.abs(exact - nearest) <= 4 * np.spacing(exact)
    counts: IntArray = np.maximum(np.where(whole, nearest, np.ceil(exact)), 1).astype(np.int64)
    return counts
