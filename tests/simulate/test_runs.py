"""What an engine returns."""

from __future__ import annotations

import numpy as np

from replibandit.simulate.runs import PhasedRuns


def test_views_of_some_runs_write_through() -> None:
    runs = PhasedRuns.empty(5, 3, checkpoints=2)
    part = runs.rows(slice(1, 3))
    part.pulls[...], part.digests[...], part.left[...] = 7, 8, 9
    part.committed[...], part.bad[...] = 1, 2
    assert part.prefix is not None
    part.prefix[...] = 3
    assert runs.pulls.tolist() == [[0] * 3, [7] * 3, [7] * 3, [0] * 3, [0] * 3]
    assert runs.digests.tolist() == [0, 8, 8, 0, 0]
    assert runs.prefix is not None
    assert runs.prefix[:, 1].tolist() == [0, 3, 3, 0, 0]
    assert runs.left[2].tolist() == [9] * 3
    assert (runs.committed.tolist(), runs.bad.tolist()) == ([0, 1, 1, 0, 0], [0, 2, 2, 0, 0])


def test_without_checkpoints_there_are_no_prefixes() -> None:
    runs = PhasedRuns.empty(5, 3)
    assert runs.prefix is None
    assert runs.rows(slice(0, 2)).prefix is None


def test_the_stopping_phase_is_the_last_in_which_an_arm_left_if_one_is_left() -> None:
    runs = PhasedRuns.empty(4, 3)
    runs.left[...] = np.array([[0, 0, 0], [2, 0, 5], [3, 0, 3], [2, 0, 0]])
    assert runs.stopping_phase.tolist() == [0, 5, 3, 0]
