from __future__ import annotations

from pathlib import Path

import pytest

import replibandit as rb
from replibandit.errors import InvalidParameter
from replibandit.study.plan_figures import percent, plot_plan


@pytest.mark.parametrize("horizon", [None, 10_000])
def test_the_picture_is_written_and_the_same_every_time(tmp_path: Path, horizon: int | None) -> None:
    plan = rb.plan(arms=2, gap=0.1, sigma=0.5, rho=0.1, horizon=horizon, pairs=200)
    for name in ("a.svg", "b.svg"):
        plot_plan(plan, tmp_path / name)
    first, second = ((tmp_path / name).read_text() for name in ("a.svg", "b.svg"))
    assert first == second
    assert all(design.design in first for design in plan.designs)


def test_a_picture_of_unknown_format_is_refused(tmp_path: Path) -> None:
    plan = rb.plan(arms=2, gap=0.1, sigma=0.5, rho=0.1, horizon=10_000, pairs=200)
    with pytest.raises(InvalidParameter, match="svg"):
        plot_plan(plan, tmp_path / "plan.gif")


def test_a_simulated_zero_is_drawn_as_the_limit_it_is(tmp_path: Path) -> None:
    plan = rb.plan(arms=5, gap=0.1, sigma=0.5, rho=0.1, horizon=10_000, pairs=200)
    simulated = next(design for design in plan.designs if design.wrong == 0 < design.wrong_high)
    plot_plan(plan, tmp_path / "plan.svg")
    drawn = (tmp_path / "plan.svg").read_text()
    assert f"wrongly &lt; {percent(simulated.wrong_high)}" in drawn
