"""Heavy tails: the law is right, and nothing pretends that it is sub-Gaussian."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import replibandit as rb
from replibandit.errors import InvalidParameter
from tests.laws import follows


@pytest.mark.statistical
@pytest.mark.parametrize("df", [1.01, 2.5, 30.0])
def test_a_reward_is_a_shifted_and_scaled_t_draw(df: float) -> None:
    """False alarm 1e-6 each."""
    problem = rb.StudentT(means=[0.5, -2.0], df=df, scale=3)
    law = stats.t(df, loc=-2.0, scale=3)
    follows(problem.rewards(1, (4000,), np.random.default_rng(41)), law.cdf)
    follows(problem.totals(np.ones((4000, 2), dtype=np.int64), np.random.default_rng(42))[:, 1], law.cdf)


@pytest.mark.statistical
def test_a_total_is_a_sum_of_independent_draws() -> None:
    """df = 3: the sum of two has a known density, here by quadrature. False alarm 1e-6."""
    law, nodes = stats.t(3), np.tan(np.linspace(-np.pi / 2, np.pi / 2, 2003)[1:-1])  # the line as an interval
    weight = law.pdf(nodes) * (1 + nodes**2)
    known = np.array([float(weight @ law.cdf(x - nodes)) for x in nodes]) / weight.sum()
    assert known[nodes.size // 2] == pytest.approx(0.5)

    def cdf(x: np.ndarray) -> np.ndarray:
        return np.interp(np.arctan(x), np.arctan(nodes), known)

    totals = rb.StudentT(means=[0.0], df=3).totals(np.full((2000, 1), 2), np.random.default_rng(43))
    follows(totals, cdf)


def test_no_scale_is_sub_gaussian_and_the_command_line_asks_for_one() -> None:
    assert rb.StudentT(means=[0.5]).subgaussian is None


@pytest.mark.parametrize(
    ("options", "message"),
    [({"df": 1}, "With df <= 1 the mean does not exist"), ({"df": float("nan")}, "df"), ({"scale": 0}, "scale")],
)
def test_a_law_that_cannot_be_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        rb.StudentT(means=[0.5], **options)
