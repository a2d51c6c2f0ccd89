"""Pictures of studies and twins. Needs the extra ``plot``; writes SVG, PNG or PDF."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from replibandit.core.files import whole_file
from replibandit.core.policy import PhasedPolicy
from replibandit.core.problem import Problem
from replibandit.errors import InvalidParameter, MissingExtra
from replibandit.policies.elimination import Elimination
from replibandit.study.replicability import Twins
from replibandit.study.simulation import Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")  # Okabe and Ito: safe for all eyes
DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (6, 2, 1, 2)), (0, (1, 1)), (0, (9, 3)))
GRID, MUTED = "#e3e3e3", "#666666"
FORMATS = (".svg", ".png", ".pdf")
TRACED = 60  # runs whose statistics are drawn one by one
STYLE = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial"],  # an SVG names them all, for browsers without the first
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "axes.axisbelow": True,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "legend.frameon": False,
    "svg.hashsalt": "replibandit",
    "svg.fonttype": "none",
}


def check_target(path: Path) -> None:
    """Refuse a picture file that could not be written, before any work is done."""
    if path.suffix.lower() not in FORMATS:
        raise InvalidParameter(f"a plot file must end in {', '.join(FORMATS)}, but got {str(path)!r}.")
    require_matplotlib()


def plot_studies(studies: Sequence[Study], path: str | Path) -> None:
    """Regret curves of the studies and, for the first that explores, its gap statistic against its threshold."""
    explorers = [study for study in studies if _has_thresholds(study.policy)]
    with styled():
        figure, axes = panels(2 if explorers else 1)
        draw_regret(axes[0], studies)
        if explorers:
            draw_thresholds(axes[1], explorers[0])
        save(figure, Path(path))


def _has_thresholds(policy: PhasedPolicy) -> bool:
    """Whether there is a random threshold to draw, the same for all runs: known-gap ETC has none."""
    return isinstance(policy, Elimination) and len(policy.openings) == 1 and policy.threshold(1, "commit").high > 0


def plot_twins(twins: Twins, path: str | Path) -> None:
    """Where twins part, and how nonreplication varies with U."""
    with styled():
        figure, axes = panels(2)
        draw_ledger(axes[0], twins)
        draw_seeds(axes[1], twins)
        save(figure, Path(path))


def draw_regret(axes: Axes, studies: Sequence[Study]) -> None:
    """Mean regret after each round, with its 95 % band."""
    for number, study in enumerate(studies):
        curve, colour = study.curve, COLOURS[number % len(COLOURS)]
        axes.plot(curve.rounds, curve.mean, color=colour, ls=DASHES[number % len(DASHES)], lw=2, label=label(study))
        if np.isfinite(curve.se).all():
            low, high = curve.mean - 1.96 * curve.se, curve.mean + 1.96 * curve.se
            axes.fill_between(curve.rounds, low, high, color=colour, alpha=0.18, lw=0)
    axes.set(xscale="log", xlabel="round t", ylabel="regret", title=f"Regret on {problem_name(studies[0].problem)}")
    axes.set_xlim(1, studies[0].policy.horizon)
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left")


def draw_thresholds(axes: Axes, study: Study) -> None:
    """The gap statistic of single runs, phase by phase, against the range of its random threshold."""
    policy = study.policy
    if not isinstance(policy, Elimination):
        raise InvalidParameter(f"thresholds can be drawn for REC and RSE, but got {policy!r}.")
    runs = min(TRACED, study.digests.size)
    decisions = [d for run in range(runs) for d in study.trace(run).decisions if d.slot == 0]
    last = max((d.phase for d in decisions), default=1)
    phases = np.arange(1, last + 1)
    low, high = np.array([(t.low, t.high) for t in (policy.threshold(int(p), "commit") for p in phases)]).T
    axes.bar(
        phases, high - low, bottom=low, width=0.42, color="#999999", alpha=0.25, lw=0, label="range of thresholds"
    )
    gap = float(np.sort(study.problem.gaps)[1]) if policy.arms > 1 else 0.0
    floor = min(float(low.min()), gap or np.inf) / 30  # smaller statistics are drawn at the lower edge
    spread = np.random.default_rng(0).uniform(-0.16, 0.16, len(decisions))
    axes.scatter(
        [d.phase + x for d, x in zip(decisions, spread, strict=True)],
        [d.threshold for d in decisions],
        marker="_",
        s=22,
        color=MUTED,
        lw=0.8,
        label="random threshold",
    )
    for taken, colour, marker, text in (
        (False, COLOURS[0], "o", "gap statistic: explore on"),
        (True, COLOURS[1], "^", "gap statistic: commit"),
    ):
        some = [(d.phase + x, d.statistic) for d, x in zip(decisions, spread, strict=True) if d.taken is taken]
        if some:
            places, values = zip(*some, strict=True)
            axes.scatter(
                places, np.maximum(values, floor), s=16, color=colour, marker=marker, alpha=0.7, lw=0, label=text
            )
    if gap > 0:
        axes.axhline(gap, color="black", lw=1, ls=":", label=f"true gap {gap:.3g}")
    axes.set(
        yscale="log",
        ylim=(floor / 1.3, max(float(high.max()) * 1.7, 2 * gap)),
        xlabel="phase p",
        ylabel="gap statistic",
        title=f"Gap against random threshold, {policy_name(study)}",
    )
    axes.set_xticks(phases)
    axes.set_xlim(0.6, last + 0.4)
    axes.legend(loc="best", fontsize=8)


def draw_ledger(axes: Axes, twins: Twins) -> None:
    """Share of twins that first part at each decision, beside what the proof allows."""
    largest = sorted(twins.ledger.entries, key=lambda entry: -max(entry.share, entry.budget or 0))[:12]
    entries = [entry for entry in reversed(twins.ledger.entries) if entry in largest]
    rows = np.arange(len(entries))
    axes.barh(rows, [e.share for e in entries], color=COLOURS[0], height=0.55, label="measured share of twins")
    budgets = [(row, e.budget) for row, e in zip(rows, entries, strict=True) if e.budget]
    if budgets:
        marks, allowed = zip(*budgets, strict=True)
        axes.scatter(allowed, marks, marker="|", s=320, color=COLOURS[1], lw=2.5, label="budget of the proof")
    axes.set_yticks(rows, [f"{e.where}, {e.decision}" for e in entries])
    axes.grid(visible=False, axis="y")
    axes.set(xlabel="probability that twins first part here", title=f"Where twins part, {policy_name(twins)}")
    axes.set_xlim(left=0)
    if entries:
        axes.legend(loc="lower right", fontsize=8, markerscale=0.5)
    else:
        axes.text(0.5, 0.5, "no twins parted", ha="center", va="center", transform=axes.transAxes)


def draw_seeds(axes: Axes, twins: Twins) -> None:
    """Nonreplication of each U, sorted, with the mean and its interval."""
    ordered = np.sort(twins.per_seed)[::-1]
    share = (np.arange(ordered.size) + 0.5) / ordered.size
    axes.fill_between(share, 0, ordered, step="mid", color=COLOURS[4], alpha=0.6, lw=0, label="each value of U")
    axes.axhline(twins.nonreplication, color=COLOURS[0], lw=2, label=f"mean {twins.nonreplication:.3g}")
    axes.axhspan(twins.low, twins.high, color=COLOURS[0], alpha=0.2, lw=0, label="95 % interval of the mean")
    rho = twins.policy.guarantee.rho
    if rho is not None:
        axes.axhline(rho, color=COLOURS[1], lw=2, ls=(0, (6, 2)), label=f"guaranteed {rho:g}")
    axes.set(
        xlabel="values of U, worst first (share)",
        ylabel="probability that two runs differ",
        title=f"Nonreplication by U on {problem_name(twins.problem)}",
        xlim=(0, 1),
        ylim=(0, None),
    )
    axes.legend(loc="upper right", fontsize=8)


def policy_name(result: Study | Twins) -> str:
    """REC, RSE, UCB1."""
    return type(result.policy).__name__


def problem_name(problem: Problem) -> str:
    """The instance's name, or its model and number of arms."""
    return getattr(problem, "name", "") or f"{type(problem).__name__}, K = {problem.arms}"


def label(study: Study) -> str:
    """The policy with the multipliers that make it differ from the theorem's."""
    policy = study.policy
    scales = (("C", getattr(policy, "commit_scale", 1.0)), ("C₂", getattr(policy, "eliminate_scale", 1.0)))
    changed = [f"{symbol} = {value:g}" for symbol, value in scales if value != 1]
    return f"{policy_name(study)}{' (' + ', '.join(changed) + ')' if changed else ''}"


def panels(columns: int, rows: int = 1, *, width: float = 5.2, height: float = 3.9) -> tuple[Figure, list[Axes]]:
    """A figure of ``rows`` times ``columns`` panels, listed row by row. Call it within `styled`."""
    from matplotlib.figure import Figure  # noqa: PLC0415  an extra

    figure = Figure(figsize=(width * columns, height * rows), layout="constrained")
    return figure, list(figure.subplots(rows, columns, squeeze=False).flat)


def save(figure: Figure, path: Path) -> None:
    """Write the figure, without a date: the same bytes every time."""
    check_target(path)
    undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    suffix, picture = path.suffix.lower(), io.BytesIO()
    figure.savefig(picture, format=suffix[1:], dpi=160, metadata=undated.get(suffix))
    with whole_file(path) as draft:
        draft.write_bytes(picture.getvalue())


def styled() -> Any:  # noqa: ANN401  a context manager of a module without types
    """The style of every picture, for as long as the context lasts."""
    return require_matplotlib().rc_context(STYLE)


def require_matplotlib() -> Any:  # noqa: ANN401  a module without types
    """matplotlib, or one sentence on how to get it."""
    try:
        import matplotlib as mpl  # noqa: PLC0415  an extra
    except ImportError:
        raise MissingExtra("plotting", "matplotlib", "plot") from None
    return mpl
