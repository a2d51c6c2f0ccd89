"""UCB1: the index as the paper ran it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import replibandit as rb
from replibandit.errors import InvalidParameter


def next_arm(counts: list[int], totals: list[float], t: int) -> tuple[int, Any]:
    """The arm of round ``t`` and the decisions behind it."""
    policy = rb.UCB1(arms=len(counts), horizon=1000)
    tally = rb.Tally(np.array(counts), np.array(totals))
    made = policy.decide(t - 1, tally, np.ones(len(counts), dtype=np.bool_), np.zeros(0))
    return int(np.argmax(made.active)), made


def test_each_arm_opens_once_lowest_index_first() -> None:
    session = rb.Session(rb.UCB1(arms=4, horizon=10), u=rb.ConstantRandomness())
    arms = []
    for _ in range(4):
        (pull,) = session.ask(1)
        session.tell(pull, -100.0 * pull.arm)
        arms.append(pull.arm)
    assert arms == [0, 1, 2, 3]


def test_the_index_is_the_mean_plus_the_root_of_two_log_t_over_n() -> None:
    arm, made = next_arm([2, 1, 3], [1.0, 0.2, 2.4], t=7)
    expected = [m + math.sqrt(2 * math.log(7) / n) for m, n in ((0.5, 2), (0.2, 1), (0.8, 3))]
    assert made.statistic.tolist() == pytest.approx(expected, rel=1e-14)
    assert arm == 1


def test_the_width_is_not_rescaled_by_sigma() -> None:
    assert not hasattr(rb.UCB1(arms=2, horizon=10), "sigma")


def test_ties_go_to_the_lowest_index() -> None:
    arm, _ = next_arm([2, 2, 2], [0.0, 1.0, 1.0], t=7)
    assert arm == 1


def test_the_threshold_of_a_choice_is_the_best_rival() -> None:
    _, made = next_arm([2, 1, 3], [1.0, 0.2, 2.4], t=7)
    rest = sorted(made.statistic.tolist())
    assert made.threshold[0] == rest[-2]
    assert made.taken.sum() == 1


def test_it_uses_no_internal_randomness_and_says_so() -> None:
    policy = rb.UCB1(arms=3, horizon=100)
    assert policy.slots == 0
    assert policy.guarantee.rho is None
    assert "reacts to every reward" in str(policy.guarantee)


def test_a_horizon_beyond_reason_is_refused_with_the_cost() -> None:
    with pytest.raises(InvalidParameter, match="cost grows with the horizon"):
        rb.UCB1(arms=3, horizon=10**12)


def test_two_runs_of_ucb1_hardly_ever_agree() -> None:
    study = rb.simulate(rb.UCB1(arms=3, horizon=500), rb.problem("paper/model-2", sd=0.5), runs=100, seed=2)
    assert len(set(study.digests.tolist())) > 90
