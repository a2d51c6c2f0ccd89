"""Sums of rewards without a law of their own: drawn in chunks, none lost and none counted twice."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replibandit as rb
from replibandit.core import problem as module
from replibandit.core.arrays import FloatArray
from replibandit.core.problem import Problem

NO_NOISE = np.random.default_rng(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbered(Problem):
    """Arm i pays 1, 2, 3, ... (plus 1000 i), so that a sum tells which rewards are in it."""

    kind: ClassVar[str] = "numbered/1"
    drawn: ClassVar[list[int]] = []

    means: tuple[float, ...] = (0.0, 0.0)

    def rewards(self, arm: int, size: tuple[int, ...], rng: np.random.Generator) -> FloatArray:
        del rng
        first = sum(self.drawn)
        self.drawn.extend(size)
        return 1000.0 * arm + np.arange(first + 1, first + 1 + size[0], dtype=np.float64)


@given(counts=st.lists(st.integers(0, 30), min_size=1, max_size=12), chunk=st.integers(1, 40))
def test_every_reward_is_counted_once_whatever_the_chunks(counts: list[int], chunk: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHUNK", chunk)
        Numbered.drawn.clear()
        sums = Numbered()._summed(0, np.array(counts), NO_NOISE)
    assert max(Numbered.drawn, default=0) <= chunk, "never more than a chunk is held at once"
    ends = np.cumsum(counts)
    assert sums.tolist() == [sum(range(int(end) - n + 1, int(end) + 1)) for n, end in zip(counts, ends, strict=True)]


def test_totals_are_drawn_arm_by_arm_for_any_leading_axes() -> None:
    Numbered.drawn.clear()
    pulls = np.array([[[1, 2], [0, 1]]])
    assert Numbered().totals(pulls, NO_NOISE).tolist() == [[[1.0, 2000.0 + 2 + 3], [0.0, 1000.0 + 4]]]


def test_no_pulls_give_no_reward() -> None:
    for problem in (rb.Bounded(means=[0.5, 0.5]), rb.StudentT(means=[0.5, 0.5]), rb.Gaussian(means=[0.5, 0.5])):
        assert problem.totals(np.zeros((3, 2), dtype=np.int64), NO_NOISE).tolist() == [[0.0, 0.0]] * 3


@pytest.mark.parametrize("name", [5, None, [], "a\ud800"], ids=ascii)
def test_a_name_is_a_text_that_can_be_written(name: Any) -> None:
    with pytest.raises(rb.errors.InvalidParameter, match="`name` must be a text"):
        rb.Gaussian(means=[0.5], name=name)


def test_the_best_arm_and_the_gaps_follow_from_the_means() -> None:
    problem = rb.Gaussian(means=[0.3, 0.9, 0.9, 0.1])
    assert problem.arms == 4
    assert problem.best == 1, "ties go to the lowest index"
    assert problem.gaps.tolist() == pytest.approx([0.6, 0.0, 0.0, 0.8])


PROBLEMS: list[Any] = [
    rb.Gaussian(means=[0.7, 0.3], sd=0.5, name="two arms"),
    rb.Bernoulli(means=[0.7, 0.3]),
    rb.Bounded(means=[2.0, 3.0], low=1, high=5, concentration=4),
    rb.StudentT(means=[0.7, 0.3], df=2.5, scale=2),
    rb.Empirical(samples=[[1, 0, 1], [0.5]], labels=["a", "b"]),
    rb.TwoPoint(means=[0.5, 0.2], low=[0, 0.1], high=[1, 2]),
]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: type(problem).__name__)
def test_a_problem_is_frozen_and_survives_json(problem: Any) -> None:
    again = rb.problem_from_dict(problem.to_dict())
    assert again == problem
    assert type(again) is type(problem)
    assert hash(again) == hash(problem)
    assert again.to_json() == problem.to_json()
    with pytest.raises(AttributeError):
        problem.name = "another"
    assert not hasattr(problem, "__dict__")


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: type(problem).__name__)
def test_totals_have_the_shape_of_the_pulls_and_hold_finite_numbers(problem: Any) -> None:
    rng = np.random.default_rng(1)
    for shape in ((2,), (5, 2), (2, 3, 2)):
        pulls = rng.integers(0, 50, shape)
        before = pulls.copy()
        totals = problem.totals(pulls, rng)
        assert totals.shape == shape
        assert np.isfinite(totals).all()
        assert (totals[pulls == 0] == 0).all()
        assert (pulls == before).all(), "the pulls are not written to"


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: type(problem).__name__)
def test_the_same_noise_gives_the_same_rewards(problem: Any) -> None:
    pulls = np.array([[7, 3], [100, 2]])
    one, other = (problem.totals(pulls, np.random.default_rng(3)) for _ in range(2))
    assert (one == other).all()
    assert (problem.rewards(1, (4, 3), np.random.default_rng(3)).shape) == (4, 3)


def test_means_and_noise_too_large_to_add_up_are_refused() -> None:
    for means in ([1e60, 0.0], [math.nan, 0.0], [math.inf, 0.0]):
        with pytest.raises(rb.errors.InvalidParameter, match=r"`-1e\+50 <= means\[0\] <= 1e\+50` must hold"):
            rb.Gaussian(means=means)
    with pytest.raises(rb.errors.InvalidParameter, match=r"`1e-50 <= sd <= 1e\+50` must hold, but got sd=0\."):
        rb.Gaussian(means=[0.0], sd=0.0)
    extreme = rb.Gaussian(means=[1e50, -1e50], sd=1e50)
    study = rb.simulate(rb.REC(arms=2, horizon=10**15, rho=0.3, sigma=1e50), extreme, runs=20, seed=1)
    assert math.isfinite(study.regret_mean)
    assert math.isfinite(study.regret_se)
