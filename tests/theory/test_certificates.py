"""Bounds of whole rules: what eliminations add, against their definitions on a fine grid of gaps."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from replibandit.theory.certificates import elimination_bound
from replibandit.theory.disagreement import Schedule
from replibandit.theory.noise import Noise

NOISE = Noise("gaussian")


def bump(x: np.ndarray, above: float, below: float) -> np.ndarray:
    """2 q (1 - q), q at most 1/2: the tail on the side of the threshold, x past the centre."""
    tail = np.where(x > 0, above, below) * stats.norm.sf(np.abs(x) / np.sqrt(2))
    q = np.minimum(tail, 0.5)
    return 2 * q * (1 - q)


@pytest.mark.parametrize("arms", [3, 6])
@pytest.mark.parametrize(("lo", "eliminate_lo"), [(9.0, 5.0), (12.0, 7.0), (8.0, 30.0)])
def test_the_closest_rival_may_have_been_dropped_before(arms: int, lo: float, eliminate_lo: float) -> None:
    """Where eliminations begin early, another rival is the closest; where they begin late, hardly ever."""
    starts = [40 * 7.0 ** (np.arange(4) + v) for v in (0.0, 0.25, 0.5, 0.75)]
    commit = [Schedule.alike(pulls, lo, 0.0) for pulls in starts]
    eliminate = [Schedule.alike(pulls, eliminate_lo, 0.0) for pulls in starts]
    found = elimination_bound(commit, eliminate, NOISE, arms)

    gaps = np.geomspace(1e-3, 10, 20_001)[:, None]
    parted = np.mean([bump(lo - gaps * np.sqrt(n), 1, arms - 1) for n in starts], axis=0)  # [gaps, P]
    farther = np.maximum.accumulate(parted[::-1], axis=0)[::-1]
    dropped = (arms - 1) * np.mean(
        [stats.norm.sf((eliminate_lo - gaps * np.sqrt(n)) / 2**0.5) for n in starts], axis=0
    )
    before = np.minimum(np.cumsum(dropped, axis=1) - dropped, 1.0)
    others = (arms - 2) * np.minimum(farther, before)
    worst = (parted + others).sum(axis=1).max()
    each = np.mean([bump(eliminate_lo - gaps * np.sqrt(n), arms - 1, 1) for n in starts], axis=0).sum(axis=1).max()
    ties = 2 * (arms - 1) * 4 * (stats.norm.sf(lo / 2**0.5) + stats.norm.sf(eliminate_lo / 2**0.5))
    assert found.misled == pytest.approx(ties)
    assert worst <= found.parts["commit"].sum() + found.parts["next rival"].sum() + 1e-9 <= 1.02 * worst
    assert (arms - 1) * each <= found.parts["eliminate"].sum() + 1e-9 <= 1.02 * (arms - 1) * each
    assert bool(found.parts["next rival"].sum() > 0.05) is (eliminate_lo < lo)
