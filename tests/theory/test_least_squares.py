"""Weights of least squares, against LAPACK and against what they must be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replibandit.core.arrays import FloatArray
from replibandit.theory.least_squares import mean_weights


def drawn(seed: int, rank: int, pulled: int, arms: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((rank, arms))
    return rows, rows[:, :pulled], rng.integers(1, 1000, pulled).astype(np.float64)


@given(seed=st.integers(0, 10**6), rank=st.integers(1, 8), more=st.integers(0, 6), idle=st.integers(0, 10))
def test_the_weights_are_those_of_lapack(seed: int, rank: int, more: int, idle: int) -> None:
    """The means of single rewards, fitted by `lstsq` with every reward as a row of its own square root of a count."""
    rows, pulled, counts = drawn(seed, rank, rank + more, rank + more + idle)
    means = np.random.default_rng(seed + 1).standard_normal(counts.size)
    root = np.sqrt(counts)
    theta = np.linalg.lstsq(root[:, None] * pulled.T, root * means, rcond=None)[0]
    condition = np.linalg.cond(root[:, None] * pulled.T) ** 2
    found = (mean_weights(rows, pulled, counts) * means[:, None]).sum(axis=0)
    assert found == pytest.approx(rows.T @ theta, rel=1e-9, abs=1e-13 * condition)


@given(seed=st.integers(0, 10**6), rank=st.integers(1, 6), more=st.integers(0, 5))
def test_rewards_that_are_linear_are_fitted_whatever_the_counts(seed: int, rank: int, more: int) -> None:
    rows, pulled, counts = drawn(seed, rank, rank + more, rank + more + 3)
    theta = np.arange(1.0, rank + 1)
    condition = np.linalg.cond(np.sqrt(counts)[:, None] * pulled.T) ** 2
    found = (mean_weights(rows, pulled, counts) * (theta @ pulled)[:, None]).sum(axis=0)
    assert found == pytest.approx(theta @ rows, abs=1e-12 * condition)


def test_one_hot_arms_have_their_own_means_to_the_last_bit() -> None:
    identity = np.eye(7)
    counts = np.array([1.0, 3.0, 49.0, 7.0, 11.0, 1e15, 6.0])
    assert (mean_weights(identity, identity, counts) == identity).all()


def test_no_dimension_has_no_weight() -> None:
    assert mean_weights(np.zeros((0, 4)), np.zeros((0, 1)), np.array([5.0])).tolist() == [[0.0] * 4]
