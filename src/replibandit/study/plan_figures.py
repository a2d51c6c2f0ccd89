"""The picture of a plan: when each design chooses an arm, and what that costs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from replibandit.study.figures import COLOURS, DASHES, panels, save, styled
from replibandit.study.planning import Plan

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_plan(plan: Plan, path: str | Path) -> None:
    """Two panels: the probability of having chosen against samples per arm, and the expected regret."""
    with styled():
        figure, axes = panels(2)
        draw_choices(axes[0], plan)
        draw_costs(axes[1], plan)
        save(figure, Path(path))


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
        title=f"When the choice is made: K = {plan.arms}, gap {plan.gap:g}, rho {plan.rho:g}",
    )
    axes.legend(loc="best", fontsize=8)


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
        risks = f"chooses {design.commits:.0%}, wrongly {design.wrong:.1g}, two runs differ {design.differ:.2g}"
        axes.text(left, row + 0.36, risks, fontsize=8, color="#444444", va="center")
    axes.set_ylim(-0.5, len(rows) - 0.4)
