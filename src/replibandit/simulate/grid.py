"""The log grid of rounds on which curves are drawn."""

from __future__ import annotations

import numpy as np

from replibandit.core.arrays import IntArray

PER_DECADE = 40


def log_grid(horizon: int) -> IntArray:
    """Rounds 1 .. horizon, about forty per factor of ten, both ends included."""
    decades = np.log10(horizon)
    points = np.unique(np.rint(10 ** np.linspace(0, decades, int(PER_DECADE * decades) + 2)).astype(np.int64))
    return np.unique(np.append(points[points < horizon], horizon))
