"""The approximate G-optimal design: known optima, the theorems that characterise it, and its fixed choices."""

from __future__ import annotations

import math
import time
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replibandit as rb
from replibandit.core.arrays import FloatArray
from replibandit.errors import InvalidParameter
from replibandit.theory.coordinates import coordinates
from replibandit.theory.design import shared_out

TIGHT = 1e-4
numbers = st.integers(-20, 20).map(lambda n: n / 4)


def norms(features: FloatArray, weights: FloatArray) -> FloatArray:
    """||x_i||^2 in V(pi)^-1 on the span, by LAPACK: nothing of the package is used."""
    information = features.T @ (weights[:, None] * features)
    return np.einsum("ij,jk,ik->i", features, np.linalg.pinv(information, rcond=1e-11, hermitian=True), features)


def log_det(features: FloatArray, weights: FloatArray) -> float:
    return float(np.linalg.slogdet(features.T @ (weights[:, None] * features))[1])


def multiplicative(features: FloatArray, steps: int = 20_000) -> FloatArray:
    """The D-optimal design by another algorithm: uniform weights, each multiplied by its norm / d (Titterington)."""
    weights = np.full(len(features), 1 / len(features))
    for _ in range(steps):
        weights *= norms(features, weights) / features.shape[1]
    return weights


def circle(points: int) -> FloatArray:
    angles = 2 * np.pi * np.arange(points) / points
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


@pytest.mark.parametrize("arms", [1, 2, 3, 10, 200])
def test_one_hot_features_are_shared_out_evenly_and_g_is_the_dimension(arms: int) -> None:
    design = rb.g_optimal(np.eye(arms))
    assert design.weights == (1 / arms,) * arms
    assert design.g == design.rank == arms
    assert design.iterations == 0


KNOWN = {
    "cube": np.array(list(product([-1.0, 1.0], repeat=4))),
    "cube with its centre": np.array([*product([-1.0, 1.0], repeat=3), (0.0, 0.0, 0.0)]),
    "cross": np.concatenate([np.eye(3), -np.eye(3), 0.3 * np.ones((5, 3))]),
    "simplex": np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]),
    "circle": circle(12),
    "pentagon": circle(5),
    "quadratic on a grid": np.stack([np.ones(21), np.linspace(-1, 1, 21), np.linspace(-1, 1, 21) ** 2], axis=1),
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_optima_are_found(name: str) -> None:
    """Kiefer and Wolfowitz: the design is optimal exactly where g = d; log det is then at most d log(1 + eps) off."""
    features = KNOWN[name]
    design, d = rb.g_optimal(features, tolerance=TIGHT), features.shape[1]
    assert design.rank == d
    assert d * (1 - 1e-9) <= design.g <= d * (1 + TIGHT) * (1 + 1e-9)
    best = log_det(features, multiplicative(features, 2000))
    assert log_det(features, np.array(design.weights)) == pytest.approx(best, abs=d * math.log1p(TIGHT))


def test_the_quadratic_is_measured_at_both_ends_and_in_the_middle() -> None:
    design = rb.g_optimal(KNOWN["quadratic on a grid"])
    assert design.support == (0, 10, 20)
    assert design.weights[10] == pytest.approx(1 / 3)


@pytest.mark.parametrize("seed", range(6))
def test_another_algorithm_finds_no_better_determinant(seed: int) -> None:
    rng = np.random.default_rng(seed)
    features = rng.standard_normal((12 + 5 * seed, 2 + seed // 2)) * rng.uniform(0.1, 3, 2 + seed // 2)
    design = rb.g_optimal(features, tolerance=TIGHT)
    best, d = multiplicative(features, 3000), features.shape[1]
    assert norms(features, best).max() < d * 1.01, "the other algorithm has converged"
    assert log_det(features, np.array(design.weights)) >= log_det(features, best) - d * math.log1p(TIGHT)


@given(
    st.integers(1, 4).flatmap(lambda d: st.lists(st.lists(numbers, min_size=d, max_size=d), min_size=1, max_size=15)),
    st.sampled_from([1.0, 0.1, 0.01]),
)
def test_the_laws_of_the_design_hold_for_any_features(features: list[list[float]], tolerance: float) -> None:
    design = rb.g_optimal(features, tolerance=tolerance)
    weights, matrix = np.array(design.weights), np.array(features)
    own = norms(matrix, weights)
    assert design.rank == np.linalg.matrix_rank(matrix, tol=1e-8)
    assert weights.sum() == pytest.approx(1)
    assert (weights >= 0).all()
    assert design.support == tuple(np.flatnonzero(weights))
    assert weights @ own == pytest.approx(design.rank, abs=1e-8)  # the trace of the identity on the span
    assert own.max() == pytest.approx(design.g, rel=1e-8, abs=1e-8)
    assert design.rank * (1 - 1e-9) <= design.g <= (1 + tolerance) * design.rank * (1 + 1e-9)


@given(
    st.integers(1, 4).flatmap(lambda d: st.lists(st.lists(numbers, min_size=d, max_size=d), min_size=2, max_size=10)),
    st.data(),
)
def test_of_equal_arms_the_lowest_index_takes_the_mass(features: list[list[float]], data: st.DataObject) -> None:
    copied = data.draw(st.lists(st.integers(0, len(features) - 1), min_size=1, max_size=5))
    plain = rb.g_optimal(features)
    doubled = rb.g_optimal(features + [features[arm] for arm in copied])
    assert doubled.weights == plain.weights + (0.0,) * len(copied)


@given(st.integers(0, 10**6), st.integers(2, 5))
def test_features_in_a_wider_space_keep_the_design_of_their_span(seed: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    inside = rng.standard_normal((20, d))
    wide = inside @ rng.standard_normal((d, d + 3))
    design = rb.g_optimal(wide)
    assert design.rank == d
    assert norms(wide, np.array(design.weights)).max() == pytest.approx(design.g, rel=1e-6)
    assert design.g <= 1.1 * d * (1 + 1e-9)


def test_units_of_the_features_do_not_matter() -> None:
    rng = np.random.default_rng(5)
    features = rng.standard_normal((30, 4))
    plain = rb.g_optimal(features)
    assert rb.g_optimal(features * 2.0**160).weights == plain.weights
    assert rb.g_optimal(features * 2.0**-900).weights == plain.weights
    skewed = rb.g_optimal(features * np.array([1, 1e3, 1e-3, 1]))
    assert skewed.g <= 4.4 * (1 + 1e-9)


def test_a_direction_within_the_tolerance_is_no_direction() -> None:
    almost = [[1.0, 0.0], [1.0, 1e-12], [0.5, -1e-13]]
    assert rb.g_optimal(almost).rank == 1
    assert rb.g_optimal(almost).support == (0,)
    assert rb.g_optimal([[1.0, 0.0], [1.0, 1e-6]]).rank == 2


def test_one_dimension_is_measured_where_the_signal_is_strongest() -> None:
    design = rb.g_optimal([[0.5], [-2.0], [1.0], [2.0]])
    assert design.weights == (0.0, 1.0, 0.0, 0.0)  # -2 and 2 tell the same; the lowest index is taken
    assert (design.g, design.rank, design.iterations) == (1.0, 1, 0)


def test_arms_that_differ_by_rounding_alone_are_equal() -> None:
    assert rb.g_optimal([[1.0, 0.0], [1.0 + 1e-12, 0.0], [0.0, 1.0 + 2e-12]]).support == (0, 2)
    assert rb.g_optimal([[1.0, 0.0], [1.0 + 1e-9, 0.0], [0.0, 1.0 + 2e-9]]).support == (1, 2)


def test_every_arm_is_written_in_the_basis_of_the_pivots() -> None:
    """Also where the features are nearly dependent: powers of 30 points, orthogonal only to 1e-7 in floats."""
    powers = np.linspace(0.1, 1, 30)[:, None] ** np.arange(9)
    found = coordinates(powers)
    assert found.rank == 9
    assert np.abs(found.rows.T @ powers[found.pivots] - powers).max() < 1e-14
    assert np.abs(found.rows).max() < 3
    assert (found.rows[:, found.pivots] == np.eye(9)).all()


def test_where_all_features_vanish_there_is_nothing_to_know() -> None:
    assert rb.g_optimal([[0.0, 0.0]] * 3) == rb.GOptimal(
        weights=(1.0, 0.0, 0.0), support=(0,), g=0.0, rank=0, iterations=0
    )


@pytest.mark.parametrize(("arms", "d"), [(200, 3), (1000, 10), (1000, 30)])
@pytest.mark.parametrize("kind", ["normal", "sphere"])
def test_the_paper_s_design_has_a_small_support(arms: int, d: int, kind: str) -> None:
    """4 d log log d + 16 arms suffice for g <= 2 d (`sec_linear`); log log d counts once it exceeds one."""
    features = np.random.default_rng(1).standard_normal((arms, d))
    if kind == "sphere":
        features /= np.linalg.norm(features, axis=1)[:, None]
    design = rb.g_optimal(features, tolerance=1.0)
    assert design.g <= 2 * d
    assert len(design.support) <= 4 * d * max(math.log(math.log(d)), 1) + 16
    assert len(design.support) <= d + design.iterations


def test_a_smaller_tolerance_means_a_smaller_g() -> None:
    features = np.random.default_rng(2).standard_normal((300, 6))
    gs = [rb.g_optimal(features, tolerance=tolerance).g for tolerance in (1.0, 0.3, 0.1, 0.01)]
    assert gs == sorted(gs, reverse=True)
    assert gs[-1] <= 6.06


def test_a_thousand_arms_in_ten_dimensions_take_milliseconds() -> None:
    """The fastest of five, so that a busy machine does not matter; 4 ms where this was written."""
    features = np.random.default_rng(3).standard_normal((1000, 10)).tolist()
    seconds = []
    for _ in range(5):
        started = time.perf_counter()
        rb.g_optimal(features)
        seconds.append(time.perf_counter() - started)
    assert min(seconds) < 0.05


@pytest.mark.parametrize(
    ("features", "says"),
    [
        ([], "must have a row for each arm"),
        ([[]], "must hold at least one number"),
        ([[1.0], [1.0, 2.0]], "row 0 has 1 numbers and row 1 2"),
        ([[1.0], [math.nan]], "features[1][0]"),
        ("12", "must be a list of rows"),
        ([1.0, 2.0], "features[0]"),
        ([["1"]], "must be a number"),
    ],
)
def test_features_that_are_none_are_refused(features: object, says: str) -> None:
    with pytest.raises(InvalidParameter) as refusal:
        rb.g_optimal(features)  # type: ignore[arg-type]
    assert says in str(refusal.value)


@pytest.mark.parametrize("tolerance", [0.0, 2.0, math.nan])
def test_a_tolerance_outside_the_paper_s_is_refused(tolerance: float) -> None:
    with pytest.raises(InvalidParameter, match="tolerance"):
        rb.g_optimal([[1.0]], tolerance=tolerance)


@given(parts=st.integers(1, 500), each=st.integers(1, 10**9))
def test_whole_shares_stay_whole(parts: int, each: int) -> None:
    """Whichever way 1 / parts was rounded, its share of parts x each pulls is each."""
    for weight in (1 / parts, math.nextafter(1 / parts, 0), math.nextafter(1 / parts, 1)):
        assert shared_out(np.array([weight]), float(parts * each), 10**15).tolist() == [each]


@given(weight=st.floats(1e-9, 1), pulls=st.floats(1e-3, 1e12))
def test_shares_are_rounded_up_and_cut_at_the_most(weight: float, pulls: float) -> None:
    (share,) = shared_out(np.array([weight]), pulls, 10**6).tolist()
    exact = weight * pulls
    assert 1 <= share <= 10**6
    assert share == 10**6 or exact * (1 - 1e-15) <= share < exact + 1
    assert shared_out(np.array([weight]), math.inf, 10**6).tolist() == [10**6]
