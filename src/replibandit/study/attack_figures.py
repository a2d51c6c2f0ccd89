"""The picture of an attack: nonreplication against the gap, for each shape, with the claim as a line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from replibandit.study.attack import Attack
from replibandit.study.attack_instances import TIED
from replibandit.study.attack_search import Finding
from replibandit.study.figures import COLOURS, DASHES, MUTED, panels, save, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_attack(found: Attack, path: str | Path) -> None:
    """Everything an attack has seen, as a picture file."""
    with styled():
        figure, axes = panels(1, width=8.4, height=4.6)
        draw_attack(axes[0], found)
        save(figure, Path(path))


def draw_attack(axes: Axes, found: Attack) -> None:
    """The screening as one line per shape, the other laws as dots, the finalists with their intervals."""
    screened = [finding for finding in found.findings if finding.stage == "screening"]
    main = screened[0].instance.law.name
    shapes = list(dict.fromkeys(f.instance.shape for f in screened if f.instance.shape != TIED))
    for number, shape in enumerate(shapes):
        line = sorted(
            (f.instance.place.gap, f.nonreplication.estimate)
            for f in screened
            if f.instance.shape == shape and f.instance.law.name == main
        )
        colour, dashes = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
        axes.plot(*zip(*line, strict=True), color=colour, ls=dashes, lw=1.2, alpha=0.8, label=f"{shape}, {main}")
    others = [f for f in screened if f.instance.law.name != main and f.instance.judged and f.instance.shape != TIED]
    if others:
        axes.scatter(*_points(others), s=7, color=MUTED, alpha=0.4, lw=0, label="other laws")
    _draw_finalists(axes, found)
    tied = max((f.nonreplication.estimate for f in screened if f.instance.shape == TIED), default=0.0)
    axes.axhline(tied, color=MUTED, lw=0.8, ls=":", label=f"all tied (gap 0): {tied:.3g}")
    axes.axhline(found.rho, color="black", lw=1.4, ls=(0, (6, 2)), label=f"claimed {found.rho:g}")
    policy = found.policy
    axes.set(
        xscale="log",
        xlabel="gap",
        ylabel="nonreplication",
        title=f"{type(policy).__name__}, K = {policy.arms}, T = {policy.horizon:.3g}: {_verdict(found)}",
    )
    highest = max(f.nonreplication.estimate for f in [*screened, *found.finalists] if f.instance.judged)
    axes.set_ylim(0, 1.08 * max(found.rho, highest))
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8)


def _draw_finalists(axes: Axes, found: Attack) -> None:
    judged = [f for f in found.finalists if f.instance.judged and f.instance.shape != TIED]
    for finding in judged:
        measured = finding.nonreplication
        axes.plot([finding.instance.place.gap] * 2, (measured.low, measured.high), color="black", lw=1)
    if judged:
        axes.scatter(*_points(judged), s=18, color="black", marker="D", zorder=5, label="finalists")


def _points(findings: list[Finding]) -> tuple[list[float], list[float]]:
    return [f.instance.place.gap for f in findings], [f.nonreplication.estimate for f in findings]


def _verdict(found: Attack) -> str:
    return "claim refuted" if found.refuted else "claim not refuted"
