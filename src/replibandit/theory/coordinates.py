"""Features in coordinates of their own: a basis is chosen among the arms, and every arm is written in it.

Active sets shrink, and their features may then span less than before. So features are orthogonalised arm by arm,
always going on with the arm farthest from the span of those chosen so far; a set of rank r ends with r *pivots*, and
``features[i] = sum_k rows[k, i] features[pivots[k]]``. G-optimal designs and least squares are the same in any
coordinates of the span, and in these they are well conditioned whatever the units of the features.

Tolerance and signs are fixed: an arm within `RANK` of the longest feature's length of the span lies in it; a basis
vector points towards its pivot. Ties go to the lowest index, up to `TIE`. Sums run in a fixed order over single
additions and products (no BLAS): the same features give the same bits on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from replibandit.core.arrays import FloatArray, IntArray

RANK = 1e-9
TIE = 1e-10


@dataclass(frozen=True, slots=True, eq=False)
class Coordinates:
    """``rows [r, K]``: column i is arm i in the basis of the arms ``pivots [r]``."""

    pivots: IntArray
    rows: FloatArray

    @property
    def rank(self) -> int:
        """r, the dimension of the span."""
        return self.pivots.size


def coordinates(features: FloatArray) -> Coordinates:
    """The coordinates of ``features [K, d]``.

    >>> found = coordinates(np.array([[3.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 2.0, 0.0]]))
    >>> found.pivots.tolist(), found.rows.round(12).tolist()
    ([0, 2], [[1.0, 0.333333333333, 0.0], [0.0, 0.5, 1.0]])
    """
    pivots, projections = _orthogonalised(features)
    at = projections[:, pivots]  # upper triangular: pivot l lies in the span of the basis vectors 0 .. l
    rows = np.zeros_like(projections)
    for k in reversed(range(pivots.size)):
        rows[k] = projections[k] / at[k, k]
        others = np.flatnonzero(at[:k, k])
        projections[others] -= at[others, k][:, None] * rows[k]
    rows[:, pivots] = np.eye(pivots.size)
    return Coordinates(pivots, rows)


def _orthogonalised(features: FloatArray) -> tuple[IntArray, FloatArray]:
    """Gram-Schmidt, farthest arm first: pivots ``[r]`` and every arm on the basis they give, ``[r, K]``."""
    rest = _scaled(features).T.copy()  # [d, K]
    arms = rest.shape[1]
    distance = (rest * rest).sum(axis=0)  # squared, to the span of the pivots
    negligible = float(distance.max(initial=0.0)) * RANK**2
    pivots: list[int] = []
    found: list[FloatArray] = []
    while len(pivots) < min(rest.shape):
        pivot = first_largest(distance)
        if distance[pivot] <= negligible:
            break
        towards = rest[:, pivot] / np.sqrt(distance[pivot])
        some = np.flatnonzero(towards)  # features are often sparse: one-hot features cost K steps of 1, not of K
        along = (rest[some] * towards[some, None]).sum(axis=0)
        moved = np.flatnonzero(along)
        rest[np.ix_(some, moved)] -= towards[some, None] * along[moved]
        distance[moved] = (rest[:, moved] * rest[:, moved]).sum(axis=0)
        rest[:, pivot], distance[pivot] = 0.0, 0.0
        pivots.append(pivot)
        found.append(along)
    return np.array(pivots, dtype=np.int64), np.array(found).reshape(len(pivots), arms)


def _scaled(features: FloatArray) -> FloatArray:
    """Divided by a power of two (exactly), so that squares neither overflow nor vanish."""
    _, exponent = np.frexp(np.abs(features).max(initial=0.0))
    scaled: FloatArray = np.ldexp(features, -exponent)
    return scaled


def first_largest(values: FloatArray) -> int:
    """The lowest index among those within `TIE` of the largest of ``values >= 0``."""
    return int(np.argmax(values >= values.max() * (1 - TIE)))
