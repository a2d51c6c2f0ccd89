"""The linear instances of Figure 3 are what the report says they are."""

from __future__ import annotations

import numpy as np
import pytest

import replibandit as rb
from replibandit.paper.figure_3 import ARMS
from replibandit.paper.linear_cases import BETWEEN, DIMENSION, GAP, curves, many_arms
from replibandit.paper.printed import LINEAR, RHO


def test_the_second_choice_has_the_paper_s_means_and_its_best_arm_is_never_drawn() -> None:
    assert BETWEEN.means == LINEAR["means"]
    curve = curves()[1]
    assert curve.problem == BETWEEN
    assert curve.policy.pulls(1, np.ones(5, dtype=np.bool_)).tolist() == [0, 64, 0, 0, 64]


@pytest.mark.parametrize("arms", ARMS)
def test_many_arms_have_one_best_and_equal_gaps_in_few_dimensions(arms: int) -> None:
    problem = many_arms(arms)
    assert problem.gaps[0] == 0
    assert problem.gaps[1:] == pytest.approx(np.full(arms - 1, GAP))
    features = np.array(problem.features)
    assert np.linalg.norm(features, axis=1) == pytest.approx(np.ones(arms), abs=1e-5)
    assert np.linalg.matrix_rank(features) == DIMENSION
    policy = rb.RLSE(arms=arms, horizon=10**12, rho=RHO, sigma=1.0, features=problem.features)
    assert policy.guarantee.rho == RHO
