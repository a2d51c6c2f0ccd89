"""The picture of a plan: when each design chooses an arm, and what that costs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from replibandit.study.figures import COLOURS, DASHES, panels, save, styled
from replibandit.study.forecast import Forecast
from replibandit.study.planning import Plan

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def plot_plan(plan: Plan, path: str | Path) -> None:
    """Two panels: the probability of having chosen against samples per arm, and the expected regret."""
    with styled():
        save(drawn(plan), Path(path))


def drawn(plan: Plan) -> Figure:
    """The choices above, their costs below."""
    figure, (above, below) = panels(1, rows=2, width=7.0, height=3.1)
    draw_choices(above, plan)
    draw_costs(below, plan)
    return figure


def draw_choices(axes: Axes, plan: Plan) -> None:
    """How likely one arm has been chosen after so many samples of each arm."""
    most = plan.horizon / plan.arms
    first = min((look for design in plan.designs for look in design.looks), default=most)
    first = max(first, min(found.samples_mean for found in plan.designs) / 100)
    for number, design in enumerate(plan.designs):
        samples = np.array([first / 2, *design.looks, most])
        chosen = np.array([0.0, *design.chosen_by, design.commits])
        axes.step(samples, chosen, where="post", color=COLOURS[number], ls=DASHES[number], lw=2, label=design.design)
    axes.set(
        xscale="log",
        xlim=(first / 2, most),
        ylim=(-0.02, 1.04),
        xlabel="samples per arm",
        ylabel="probability that an arm is chosen",
    )
    axes.set_title(f"When the choice is made: K = {plan.arms}, gap {plan.gap:g}, rho {plan.rho:g}", pad=22)
    axes.legend(
        loc="lower left", bbox_to_anchor=(-0.015, 0.985), ncols=len(plan.designs), fontsize=8, handlelength=2.8
    )


def draw_costs(axes: Axes, plan: Plan) -> None:
    """Expected regret, and beside each bar the risks that belong to it."""
    rows = np.arange(len(plan.designs))[::-1]
    regrets = [max(design.regret, 1e-3) for design in plan.designs]
    axes.barh(rows, regrets, height=0.5, color=[COLOURS[number] for number in range(len(rows))])
    axes.set(xscale="log", xlabel=f"expected regret up to T = {plan.horizon:,}", title="What it costs")
    axes.set_xlim(min(regrets) / 10, max(regrets) * 3)
    axes.set_yticks(rows, [design.design for design in plan.designs])
    axes.grid(visible=False, axis="y")
    left = min(regrets) / 8
    for row, design in zip(rows, plan.designs, strict=True):
        risks = (
            f"chooses {percent(design.commits)}, wrongly {wrong(design)}, two runs differ {percent(design.differ)}"
        )
        axes.text(left, row + 0.36, risks, fontsize=8, color="#444444", va="center")
    axes.set_ylim(-0.5, len(rows) - 0.4)


def wrong(design: Forecast) -> str:
    """How likely a wrong arm is chosen; a simulated zero is an upper limit, not a zero."""
    return f"< {percent(design.wrong_high)}" if design.wrong == 0 < design.wrong_high else percent(design.wrong)


def percent(value: float | None) -> str:
    """A probability, with two figures at either end.

    >>> percent(0.00012), percent(0.5), percent(0.99999)
    ('0.012 %', '50 %', '> 99.9 %')
    """
    if value is None:
        return "-"
    if value == 0 or value >= 0.01:
        nearly = 0.9995 <= value < 1
        return "> 99.9 %" if nearly else f"{100 * value:.3g} %"
    return f"{100 * value:.2g} %"
