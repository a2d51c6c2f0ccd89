"""Every row of Table 1 as a curve beside measured regret."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from replibandit.paper.artefact import Section
from replibandit.paper.table_1 import HORIZONS, TABLE_1_CURVES, instances
from replibandit.theory.bounds import TABLE_1

Made = Callable[..., Section]


def test_every_row_of_the_table_is_drawn_somewhere() -> None:
    drawn = {row.bound for instance in instances() for row in instance.rows}
    assert drawn == {row.bound for row in TABLE_1}


def test_the_common_constant_is_the_smallest_that_keeps_every_bound(made: Made) -> None:
    section = made(TABLE_1_CURVES)
    constant, touched = section.data["constant"], 0
    for entry in section.data["rows"]:
        if entry["least_constant"] is None:
            continue
        for name in entry["policies"]:
            points = section.data["measured"][entry["instance"]][name]
            for found, bound in zip(points, entry["curve"], strict=True):
                assert found["regret"]["high"] <= constant * bound * (1 + 1e-12)
                touched += found["regret"]["high"] == pytest.approx(constant * bound)
    assert touched


def test_regret_grows_far_slower_than_the_multiplied_bound_once_exploration_ends(made: Made) -> None:
    """The point of the paper: rho costs an addition, not a multiple of log T."""
    section = made(TABLE_1_CURVES)
    first, last = HORIZONS.index(10**10), len(HORIZONS) - 1
    for instance in ("two arms, Δ = 0.1", "Model 1", "Model 2"):
        theirs = next(
            e["curve"] for e in section.data["rows"] if e["instance"] == instance and e["work"] != "this work"
        )
        for points in (section.data["measured"][instance][name] for name in ("REC", "RSE")):
            growth = points[last]["regret"]["estimate"] / points[first]["regret"]["estimate"]
            assert growth < theirs[last] / theirs[first]
