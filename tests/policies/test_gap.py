"""The gap statistic against sorting."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from replibandit.core.arrays import BoolArray, FloatArray
from replibandit.policies.gap import leader, top_two

MEANS = hnp.arrays(np.float64, (5, 4), elements=st.sampled_from([-2.0, -0.5, 0.0, 0.5, 0.5, 1.0]))
ACTIVE = hnp.arrays(np.bool_, (5, 4))


@given(means=MEANS, active=ACTIVE)
def test_the_two_largest_means_are_those_of_the_active_arms(means: FloatArray, active: BoolArray) -> None:
    top, second = top_two(means, active)
    for row in range(5):
        ordered = [*sorted(means[row][active[row]].tolist(), reverse=True), -np.inf, -np.inf]
        assert (top[row], second[row]) == (ordered[0], ordered[1])


@given(means=MEANS, active=ACTIVE)
def test_the_leader_is_the_first_active_arm_of_the_largest_mean(means: FloatArray, active: BoolArray) -> None:
    chosen = leader(means, active)
    assert (chosen.sum(axis=-1) == 1).all()
    for row in np.flatnonzero(active.any(axis=-1)):
        best = max(means[row][active[row]])
        assert np.argmax(chosen[row]) == next(a for a in range(4) if active[row, a] and means[row, a] == best)


def test_one_arm_has_no_second() -> None:
    top, second = top_two(np.array([0.3]), np.array([True]))
    assert (float(top), float(second)) == (0.3, -np.inf)
