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


def test_no_run_is_a_batch_as_well_and_runs_may_have_two_axes() -> None:
    policy = rb.RLSE(
        arms=5, horizon=1000, rho=0.3, sigma=0.5, features=rb.problem("paper/linear").to_dict()["features"]
    )
    rng = np.random.default_rng(3)
    active = rng.random((4, 3, 5)) < 0.7
    active[..., 0] = True
    counts = policy.pulls(1, active)
    tally, u = rb.Tally(counts, rng.standard_normal(counts.shape) * counts), rng.random((4, 3, 6))
    both = policy.decide(1, tally, active, u)
    for row in np.ndindex(4, 3):
        one = policy.decide(1, rb.Tally(counts[row], tally.totals[row]), active[row], u[row])
        assert (one.active == both.active[row]).all()
        assert (one.statistic == both.statistic[row]).all()
    none = active.reshape(-1, 5)[:0]
    assert policy.pulls(1, none).shape == (0, 5)
    empty = policy.decide(1, rb.Tally.zero((0, 5)), none, np.zeros((0, 6)))
    assert empty.active.shape == (0, 5)


def test_counts_of_any_whole_type_are_read_alike() -> None:
    designs = FeatureDesigns(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))
    active = np.ones((1, 3), dtype=np.bool_)
    totals = np.array([[3.0, 5.0, 1.0]])
    found = [designs.estimates(rb.Tally(np.array([[4, 7, 2]], dtype=kind), totals), active) for kind in ("i4", "i8")]
    assert (found[0] == found[1]).all()
