"""What a problem is: reward laws, one per arm. It knows neither policy nor U."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from replibandit.core.arrays import FloatArray, IntArray, by_arm
from replibandit.core.spec import Spec

CHUNK = 1 << 20  # single rewards drawn at once where no exact law of their sum exists


class Problem(Spec):
    """Base of every reward model; the noise generator ``rng`` is always passed in, never kept."""

    __slots__ = ()

    if TYPE_CHECKING:  # at run time, dataclasses would take a property here for the default of the field `means`

        @property
        def means(self) -> tuple[float, ...]:
            """mu_i."""

    @property
    def subgaussian(self) -> float | None:
        """A sigma for which every arm is sigma-sub-Gaussian; None if there is none (heavy tails)."""
        raise NotImplementedError

    def rewards(self, arm: int, size: tuple[int, ...], rng: np.random.Generator) -> FloatArray:
        """Independent single rewards of one arm."""
        raise NotImplementedError

    def totals(self, pulls: IntArray, rng: np.random.Generator) -> FloatArray:
        """The sum of ``pulls [..., K]`` new rewards of each arm, in law exactly: ``[..., K]``.

        Here by drawing and adding them in chunks; models with a known law of the sum override this.
        """
        totals = by_arm(pulls.shape, 0.0, np.float64)
        for arm in range(pulls.shape[-1]):
            totals[..., arm] = self._summed(arm, pulls[..., arm], rng)
        return totals

    def _summed(self, arm: int, counts: IntArray, rng: np.random.Generator) -> FloatArray:
        flat = counts.ravel()
        sums = np.zeros(flat.size)
        ends = np.cumsum(flat)
        row = 0
        while row < flat.size:
            before = int(ends[row - 1]) if row else 0
            last = max(int(np.searchsorted(ends, before + CHUNK, side="right")), row + 1)
            if last == row + 1:
                sums[row] = self._one_sum(arm, int(flat[row]), rng)
            else:
                drawn = np.append(self.rewards(arm, (int(ends[last - 1]) - before,), rng), 0.0)
                starts = ends[row:last] - flat[row:last] - before
                added = np.add.reduceat(drawn, starts)
                sums[row:last] = np.where(flat[row:last] > 0, added, 0.0)
            row = last
        return sums.reshape(counts.shape)

    def _one_sum(self, arm: int, count: int, rng: np.random.Generator) -> float:
        return math.fsum(
            float(self.rewards(arm, (min(CHUNK, count - done),), rng).sum()) for done in range(0, count, CHUNK)
        )

    @property
    def arms(self) -> int:
        """K."""
        return len(self.means)

    @property
    def gaps(self) -> FloatArray:
        """Delta_i = mu_1 - mu_i, mu_1 being the largest mean: ``[K]``."""
        means = np.array(self.means)
        gaps: FloatArray = means.max() - means
        return gaps

    @property
    def best(self) -> int:
        """The arm of the largest mean, ties to the lowest index."""
        return int(np.argmax(self.means))
