"""How a linear policy explores an active set, and what it then knows of every arm: once per set, not once per run.

The runs of a batch have active sets of their own, but many share one. So runs are grouped by their set; design,
coordinates and weights of the estimates are found once per set and kept, as long as there is room.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from replibandit.core.arrays import BoolArray, FloatArray, IntArray, by_arm
from replibandit.core.invariants import real_rows
from replibandit.core.phase import Tally
from replibandit.errors import InvalidParameter
from replibandit.theory.coordinates import Coordinates, coordinates
from replibandit.theory.design import shared_out, weights_for
from replibandit.theory.least_squares import mean_weights

ROOM = 1 << 22  # numbers kept for each policy's sets: 32 MiB
Features = tuple[tuple[float, ...], ...]


def checked_features(features: object, arms: int) -> Features:
    """One row per arm; none at all stands for one-hot features."""
    if isinstance(features, tuple | list) and not features:
        return ()
    rows = real_rows("features", features)
    if len(rows) != arms:
        raise InvalidParameter(
            f"`features` must have one row per arm ({arms}), but got {len(rows)}. "
            "Leave them out for one-hot features."
        )
    return rows


class Designs(Protocol):
    """What `RLSE` asks: the arrays have runs and arms as axes, ``[D, K]``."""

    @property
    def dimension(self) -> int:
        """The dimension of the span of all features."""
        ...

    def pulls(self, active: BoolArray, count: float, most: int) -> IntArray:
        """ceil(count pi_i) pulls of each arm, at most ``most``; pi is the design of the row's active set."""
        ...

    def estimates(self, tally: Tally, active: BoolArray) -> FloatArray:
        """x_i . theta_hat of each active arm, by least squares on the tally."""
        ...


@functools.lru_cache(maxsize=8)
def designs_of(features: Features, arms: int) -> Designs:
    """The designs of all active sets of these arms; without features, every arm is a dimension of its own."""
    return FeatureDesigns(np.array(features)) if features else OneHotDesigns(arms)


@dataclass(frozen=True, slots=True)
class OneHotDesigns:
    """One-hot features: the design is uniform, and each arm's estimate is its own mean."""

    dimension: int

    def pulls(self, active: BoolArray, count: float, most: int) -> IntArray:
        """The same for each active arm."""
        size = active.sum(axis=-1)
        each = np.zeros(active.shape[-1] + 1, dtype=np.int64)
        sizes = np.unique(size)
        each[sizes] = shared_out(1 / sizes, count, most)
        return np.where(active, each[size][:, None], 0)

    def estimates(self, tally: Tally, active: BoolArray) -> FloatArray:
        """The means."""
        del active
        return tally.means


@dataclass(frozen=True, slots=True, eq=False)
class ActiveSet:
    """One active set: its arms in coordinates of their span, and the arms of its design with their weights."""

    arms: IntArray  # [k]
    space: Coordinates  # rows [r, k]
    support: IntArray  # [m], places among `arms`
    weights: FloatArray  # [m]


class FeatureDesigns:
    """Any features ``[K, d]``."""

    def __init__(self, features: FloatArray) -> None:
        self.features = features
        # where all features are 0 there is nothing to learn; one pull in place of none keeps the phases going
        self.dimension = max(coordinates(features).rank, 1)
        sets = max(ROOM // (2 * features.size), 16)
        self._set = functools.lru_cache(maxsize=sets)(self._new_set)
        self._weights = functools.lru_cache(maxsize=sets)(self._new_weights)

    def pulls(self, active: BoolArray, count: float, most: int) -> IntArray:
        """ceil(count pi_i) for the arms of the design."""
        pulls = by_arm(active.shape, 0, np.int64)
        for rows in groups(active):
            found = self._set(key_of(active[rows[0]]))
            chosen = found.arms[found.support]
            pulls.T[chosen[:, None], rows] = shared_out(found.weights, count, most)[:, None]
        return pulls

    def estimates(self, tally: Tally, active: BoolArray) -> FloatArray:
        """Weights on the means of the pulled arms, added up in the order of the arms."""
        estimates, means = by_arm(active.shape, 0.0, np.float64), tally.means.T
        for rows in groups(active, tally.counts):
            key = key_of(active[rows[0]])
            counts = tally.counts[rows[0]].astype(np.int64)
            found, weights = self._set(key), self._weights(key, counts.tobytes())
            values = np.zeros((found.arms.size, rows.size))
            for arm, weight in zip(found.arms[found.support], weights, strict=True):
                some = np.flatnonzero(weight)
                if some.size == weight.size:
                    values += weight[:, None] * means[arm, rows]
                else:  # one-hot features: an arm tells of itself alone
                    values[some] += weight[some, None] * means[arm, rows]
            if values.size == estimates.size:
                return values.T
            estimates.T[found.arms[:, None], rows] = values
        return estimates

    def _new_set(self, key: bytes) -> ActiveSet:
        """The set whose members are the bits of ``key``."""
        arms = np.flatnonzero(np.unpackbits(np.frombuffer(key, dtype=np.uint8), count=len(self.features)))
        space = coordinates(self.features[arms])
        weights, _, _ = weights_for(space)
        support = np.flatnonzero(weights)
        return ActiveSet(arms, space, support, weights[support])

    def _new_weights(self, key: bytes, counts: bytes) -> FloatArray:
        """The weights of the estimates for an active set and these pulls: ``[m, k]``."""
        found = self._set(key)
        pulls = np.frombuffer(counts, dtype=np.int64)[found.arms[found.support]]
        return mean_weights(found.space.rows, found.space.rows[:, found.support], pulls.astype(np.float64))


def key_of(active: BoolArray) -> bytes:
    """One active set ``[K]``, as bits."""
    return np.packbits(active).tobytes()


def groups(active: BoolArray, counts: IntArray | None = None) -> Iterator[IntArray]:
    """The rows of ``[D, K]`` that share an active set, and ``counts`` if given: one index array for each kind."""
    for rows in _alike(np.packbits(active, axis=-1)):
        if counts is None or (counts[rows] == counts[rows[0]]).all():  # always so within one phase of a study
            yield rows
        else:
            yield from (rows[some] for some in _alike(counts[rows]))


def _alike(table: NDArray[Any]) -> Iterator[IntArray]:
    if (table == table[:1]).all():
        yield from ([np.arange(len(table))] if len(table) else [])
        return
    wide = np.ascontiguousarray(table)
    labels = wide[:, 0] if wide.shape[1] == 1 else wide.view(f"V{wide.itemsize * wide.shape[1]}")[:, 0]
    _, kinds = np.unique(labels, return_inverse=True)
    order = np.argsort(kinds, kind="stable")
    yield from np.split(order, np.flatnonzero(np.diff(kinds[order])) + 1)
