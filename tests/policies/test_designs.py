"""Active sets of a batch: grouped without loss, designed once, kept within bounds."""

from __future__ import annotations

import numpy as np
import pytest

import replibandit as rb
from replibandit.policies.designs import FeatureDesigns, OneHotDesigns, groups


def test_every_distinct_active_set_is_designed_once_and_room_is_bounded() -> None:
    designs = FeatureDesigns(np.random.default_rng(4).standard_normal((12, 2)))
    active = np.random.default_rng(0).random((3000, 12)) < 0.5
    active[:, 0] = True
    counts = designs.pulls(active, 1000.0, 10**6)
    kinds = len({row.tobytes() for row in active})
    assert designs._set.cache_info().misses == kinds < 3000
    designs.estimates(rb.Tally(counts, counts * 0.5), active)
    assert designs._set.cache_info().misses == kinds
    most = designs._set.cache_info().maxsize
    assert most is not None
    assert most * 2 * 12 * 2 <= 1 << 22


def test_rows_are_grouped_by_active_set_and_by_pulls() -> None:
    active = np.array([[True, False], [True, True], [True, False], [True, True]])
    assert sorted(rows.tolist() for rows in groups(active)) == [[0, 2], [1, 3]]
    counts = np.array([[5, 0], [2, 2], [6, 0], [2, 2]])
    assert sorted(rows.tolist() for rows in groups(active, counts)) == [[0], [1, 3], [2]]


@pytest.mark.parametrize("arms", [3, 8, 9, 70])
def test_grouping_loses_and_doubles_no_row(arms: int) -> None:
    active = np.random.default_rng(arms).random((200, arms)) < 0.9
    found = list(groups(active))
    assert sorted(np.concatenate(found).tolist()) == list(range(200))
    for rows in found:
        assert (active[rows] == active[rows[0]]).all()
    assert len(found) == len({row.tobytes() for row in active})


def test_what_was_asked_before_changes_nothing() -> None:
    """The same answers from a full memory, an empty one, and in another order of runs."""
    rng = np.random.default_rng(1)
    features = rng.standard_normal((6, 3))
    active = rng.random((100, 6)) < 0.6
    active[:, 0] = True
    used, fresh = FeatureDesigns(features), FeatureDesigns(features)
    for count in (50.0, 777.0):
        counts = used.pulls(active, count, 10**9)
        tally = rb.Tally(counts, rng.standard_normal((100, 6)) * counts)
        estimates = used.estimates(tally, active)
        order = rng.permutation(100)
        assert (fresh.pulls(active[order], count, 10**9) == counts[order]).all()
        moved = rb.Tally(tally.counts[order], tally.totals[order])
        assert (fresh.estimates(moved, active[order]) == estimates[order]).all()


def test_unit_vectors_and_one_hot_designs_are_the_same() -> None:
    rng = np.random.default_rng(2)
    active = rng.random((200, 9)) < 0.5
    active[:, 3] = True
    units, bare = FeatureDesigns(np.eye(9)), OneHotDesigns(9)
    assert units.dimension == bare.dimension == 9
    for count in (1.0, 100.0, 12345.6, np.inf):
        counts = units.pulls(active, count, 10**6)
        assert (counts == bare.pulls(active, count, 10**6)).all()
        tally = rb.Tally(counts, rng.standard_normal((200, 9)) * counts)
        theirs = np.where(active, bare.estimates(tally, active), 0.0)
        assert (units.estimates(tally, active) == theirs).all()
