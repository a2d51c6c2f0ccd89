"""The lower bound for two arms beside REC and RSE."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from replibandit.paper.artefact import Section
from replibandit.paper.lower_bound import GAPS, HORIZON, LOWER_BOUND, RHOS, summarise
from replibandit.theory.bounds import Setting, two_arm_lower_bound

Made = Callable[..., Section]


def test_every_point_stands_beside_the_bound(made: Made) -> None:
    section = made(LOWER_BOUND)
    points = section.data["points"]
    assert len(points) == 2 * len(RHOS) * len(GAPS)
    for found in points:
        bound = two_arm_lower_bound(Setting((found["gap"],), HORIZON, found["rho"]))
        assert found["bound"] == bound
        assert found["ratio"] == pytest.approx(found["regret"]["estimate"] / bound)
    assert section.data["summary"] == summarise(points)


def test_a_gap_too_small_to_see_costs_half_of_all_rounds(made: Made) -> None:
    """Then both explore to the end, and both terms of the bound meet: the ratio is 1/2 and no larger."""
    section = made(LOWER_BOUND)
    for found in section.data["points"]:
        if found["gap"] == GAPS[0]:
            assert found["regret"]["estimate"] == pytest.approx(HORIZON * found["gap"] / 2)
    assert section.data["summary"]["least_ratio"] == pytest.approx(0.5)


def test_the_summary_finds_the_point_closest_to_the_bound() -> None:
    interval = {"estimate": 100.0, "low": 90.0, "high": 110.0}
    share = {"estimate": 0.1, "low": 0.0, "high": 0.4}
    row = {"policy": "REC", "rho": 0.3, "gap": 0.1, "regret": interval, "nonreplication": share}
    rows = [row | {"bound": 10.0, "ratio": 10.0}, row | {"bound": 45.0, "ratio": 100 / 45, "gap": 0.2}]
    found = summarise(rows)
    assert found["least_ratio"] == pytest.approx(2.0)
    assert found["least_at"]["gap"] == 0.2
    assert found["not_shown_replicable"] == 2
