"""Pictures of tunings: regret against nonreplication. Needs the extra ``plot``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from replibandit.study import figures
from replibandit.study.search import Candidate
from replibandit.study.tuning import Tuning

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_tuning(tuning: Tuning, path: str | Path) -> None:
    """Everything a search has seen, as a picture file."""
    with figures.styled():
        figure, axes = figures.panels(1, width=6.4, height=4.4)
        draw_tuning(axes[0], tuning)
        figures.save(figure, Path(path))


def draw_tuning(axes: Axes, tuning: Tuning) -> None:
    """Regret against nonreplication: the screened candidates, their frontier, the finalists and the chosen one."""
    from matplotlib import ticker  # noqa: PLC0415  an extra

    grey, blue, vermilion = "#999999", figures.COLOURS[0], figures.COLOURS[1]
    axes.scatter(*_places(tuning.candidates), s=9, color=grey, alpha=0.5, lw=0, label="screened")
    axes.step(*_places(tuning.frontier), where="post", color=blue, lw=1.8, label="frontier of the screened")
    for candidate in tuning.finalists:
        measured = candidate.nonreplication
        axes.plot((measured.low, measured.high), [candidate.regret.estimate] * 2, color=vermilion, lw=1.2)
    axes.scatter(*_places(tuning.finalists), s=20, color=vermilion, marker="s", label="finalists, 95 % limits")
    if tuning.best is not None:
        axes.scatter(*_places([tuning.best]), s=90, color=vermilion, marker="*", zorder=5, label="chosen")
    axes.axvline(tuning.target, color="black", lw=1, ls=":", label=f"target {tuning.target:g}")
    policy, problem = type(tuning.policy).__name__, figures.problem_name(tuning.problem)
    axes.set(
        xlabel="nonreplication (shared U)",
        ylabel=f"regret at T = {tuning.policy.horizon:,}",
        title=f"{policy} on {problem}, measured on this instance only",
        xlim=(0, 1),
    )
    if min(candidate.regret.estimate for candidate in tuning.candidates) > 0:
        axes.set_yscale("log", subs=[])  # some candidates lose a hundred times what the best do
        axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.legend(loc="upper right", fontsize=8, frameon=True, framealpha=0.9, edgecolor="none")


def _places(candidates: Sequence[Candidate]) -> tuple[list[float], list[float]]:
    found = list(candidates)
    return [c.nonreplication.estimate for c in found], [c.regret.estimate for c in found]
