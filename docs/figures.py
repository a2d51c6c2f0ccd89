"""Every picture of the README and the documentation, drawn by the package itself: ``make figures``.

Each figure is a function; its name is the name of its files, ``assets/NAME-light.svg`` and ``assets/NAME-dark.svg``.
Both are one drawing, the dark one in the dark colours of the report. Seeds are fixed: the same bytes every time.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.colors import BoundaryNorm, ListedColormap

import replibandit as rb
from replibandit.policies import design_table
from replibandit.study import figures, frontier, plan_figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ASSETS = Path(__file__).parent / "assets"
SEED = 7
METADATA = {"Date": None, "Source": f"docs/figures.py with NumPy {np.__version__}"}
DARK = {  # light ink -> dark ink; the same pairs as in the style sheet of the report
    "#000000": "#e4e7ea",
    figures.GRID: "#3d434a",
    figures.MUTED: "#a3a9b0",
    "#444444": "#c3c9cf",
    "#999999": "#8b929a",
    "#0072b2": "#4aa8e0",
    "#d55e00": "#ff8a3d",
    "#009e73": "#2fc79b",
    "#cc79a7": "#e59cc6",
    "#56b4e9": "#8fd0f5",
    "#e69f00": "#ffc04d",
}
BLUE, VERMILION = figures.COLOURS[:2]
ARMS = ("#0173b2", "#e8891a", "#12a37a")  # inside a bitmap, so they must do on both backgrounds
FAMILIES = "'DejaVu Sans', 'Verdana', 'Arial', sans-serif"

# A rule of REC's shape with a wide random threshold: at human horizons the theorem's constants would only explore.
WIDE: dict[str, Any] = {"rho": 0.3, "sigma": 0.5, "first": 8, "ratio": 4, "lo": 4, "width": 12}
THREE_ARMS = rb.Gaussian(means=[0.7, 0.5, 0.4], sd=0.5)


# --- twins: the picture of the README -------------------------------------------------------------------------------


def twins() -> Figure:
    """Sixteen repetitions of one experiment, round by round, by three policies."""
    horizon, repetitions, text = 10_000, 16, "published before the first pull"
    rec = rb.SharpREC(arms=3, horizon=horizon, order="blocks", **WIDE)
    shared = rb.simulate(rec, THREE_ARMS, runs=repetitions, seed=SEED, u=rb.SharedRandomness(text))
    strips = {
        "UCB1": rb.simulate(rb.UCB1(arms=3, horizon=horizon), THREE_ARMS, runs=repetitions, seed=SEED),
        "REC, every repetition with its own U": rb.simulate(rec, THREE_ARMS, runs=repetitions, seed=SEED),
        "REC, all repetitions with one published U": shared,
    }
    figure, panels = figures.panels(1, rows=3, width=7.4, height=1.45)
    for axes, (title, study) in zip(panels, strips.items(), strict=True):
        _draw_sequences(axes, study)
        distinct = np.unique(study.digests).size
        axes.set_title(f"{title}: {distinct} sequence{'s' if distinct > 1 else ''} of arms", fontsize=10)
    for colour, name in zip(ARMS, ("best arm", "second", "third"), strict=True):
        panels[0].bar([1], [0], color=colour, label=name)
    for axes in panels:
        axes.set_xlim(1, horizon)
    for axes in panels[:-1]:
        axes.set_xticklabels([])
    panels[-1].set_xlabel("round t")
    panels[1].set_ylabel("repetition, each on its own data")
    figure.legend(loc="outside upper right", ncols=3, fontsize=9, handlelength=1.2)
    return figure


def _draw_sequences(axes: Axes, study: rb.Study) -> None:
    """One row per run, one column per round, the arm as colour."""
    rows = np.array([_arms_of(study.trace(run)) for run in range(study.digests.size)])
    picture = np.repeat(rows[:, ::4], 6, axis=0)  # every fourth round, rows six pixels high
    colours = ListedColormap(ARMS)
    norm = BoundaryNorm([-0.5, 0.5, 1.5, 2.5], 3)
    axes.imshow(
        picture,
        cmap=colours,
        norm=norm,
        aspect="auto",
        interpolation="none",
        extent=(1, study.policy.horizon, 0.5 + rows.shape[0], 0.5),
    )
    axes.set_yticks([1, rows.shape[0]])
    axes.grid(visible=False)


def _arms_of(trace: rb.Trace) -> np.ndarray:
    """The sequence of arms of a run whose phases are blocks, lowest arm first."""
    return np.concatenate([np.repeat(np.arange(len(record.pulls)), record.pulls) for record in trace.phases])


# --- what replicable means ------------------------------------------------------------------------------------------


def thresholds() -> Figure:
    """The gap statistic of forty runs against the random threshold, phase by phase."""
    policy = rb.REC(arms=2, horizon=10**8, rho=0.3, sigma=0.5)
    study = rb.simulate(policy, rb.Gaussian(means=[0.6, 0.5], sd=0.5), runs=40, seed=SEED)
    figure, (axes,) = figures.panels(1, width=7.0, height=4.2)
    figures.draw_thresholds(axes, study)
    axes.set_title("REC with the constants of Theorem 4, forty runs, each with its own U")
    return figure


def everywhere() -> Figure:
    """Nonreplication over five orders of magnitude of the gap, with U shared and not."""
    gaps = np.geomspace(0.02, 2, 81)
    policy = rb.REC(arms=2, horizon=10**9, rho=0.3, sigma=0.5)
    figure, (axes,) = figures.panels(1, width=7.0, height=3.9)
    looks = {"shared": (BLUE, "-", "twins share U"), "independent": (VERMILION, (0, (6, 2)), "each has its own U")}
    for sharing, (colour, dashes, label) in looks.items():
        measured = [
            rb.replicate(
                policy, rb.Gaussian(means=[gap, 0.0], sd=0.5), seeds=4000, runs=2, seed=SEED, sharing=sharing
            )
            for gap in gaps.tolist()
        ]
        axes.fill_between(gaps, [m.low for m in measured], [m.high for m in measured], color=colour, alpha=0.2, lw=0)
        axes.plot(gaps, [m.nonreplication for m in measured], color=colour, ls=dashes, lw=1.8, label=label)
    axes.axhline(0.3, color="black", lw=1, ls=":", label="guaranteed: ρ = 0.3")
    axes.set(
        xscale="log",
        xlabel="gap Δ between two arms",
        ylabel="nonreplication",
        ylim=(0, 0.75),
        title="REC with the constants of Theorem 4: a promise for every gap",
    )
    axes.legend(loc="upper right", fontsize=9, ncols=3)
    return figure


def necessity() -> Figure:
    """Gaps around one phase's threshold: with U, and with U held at a constant."""
    policy = rb.REC(arms=2, horizon=10**6, rho=0.3, sigma=0.5)
    rule = policy.threshold(7, "commit")
    noise = 0.5 * (2 / policy.pull_count(7)) ** 0.5
    critical = (rule.offset + 0.5) * rule.unit  # where "none", U = 1/2, puts the threshold
    places = np.linspace(rule.low - 6 * noise, rule.high + 6 * noise, 41)
    gaps = np.unique(np.concatenate((places, critical + noise * np.linspace(-3, 3, 25))))
    figure, (axes,) = figures.panels(1, width=7.0, height=3.9)
    for sharing, colour, dashes, label in (
        ("shared", BLUE, "-", "with U, shared by the twins"),
        ("none", VERMILION, (0, (6, 2)), "without U: held at 1/2"),
    ):
        found = [
            rb.replicate(
                policy, rb.Gaussian(means=[gap, 0.0], sd=0.5), seeds=4000, runs=2, seed=SEED, sharing=sharing
            )
            for gap in gaps.tolist()
        ]
        axes.fill_between(gaps, [f.low for f in found], [f.high for f in found], color=colour, alpha=0.2, lw=0)
        axes.plot(gaps, [f.nonreplication for f in found], color=colour, ls=dashes, lw=1.8, label=label)
    axes.axvspan(rule.low, rule.high, color="#999999", alpha=0.15, lw=0, label="range of phase 7's threshold")
    axes.axhline(0.3, color="black", lw=1, ls=":", label="guaranteed with U: ρ = 0.3")
    axes.set(
        xlabel="gap Δ between two arms",
        ylabel="nonreplication",
        ylim=(0, 0.72),
        xlim=(gaps[0], gaps[-1]),
        title="REC around the threshold of phase 7",
    )
    axes.legend(loc="upper right", fontsize=9, ncols=2)
    return figure


# --- how-to pages ---------------------------------------------------------------------------------------------------


def curves() -> Figure:
    """Regret after each round."""
    world = rb.problem("paper/model-2", sd=0.5)
    common: dict[str, Any] = {"arms": 3, "horizon": 10_000}
    tuned: dict[str, Any] = common | {"rho": 0.3, "sigma": 0.5}
    policies = (
        rb.REC(commit_scale=0.046, **tuned),
        rb.RSE(commit_scale=0.046, eliminate_scale=0.01, **tuned),
        rb.UCB1(**common),
    )
    figure, (axes,) = figures.panels(1, width=7.0, height=3.9)
    figures.draw_regret(axes, [rb.simulate(policy, world, runs=300, seed=SEED) for policy in policies])
    return figure


def ledger() -> Figure:
    """Where twins part, beside the budget of the proof."""
    policy = rb.REC(arms=2, horizon=10**8, rho=0.3, sigma=0.5)
    measured = rb.replicate(policy, rb.Gaussian(means=[0.6, 0.5], sd=0.5), seeds=300, runs=50, seed=SEED)
    figure, (left, right) = figures.panels(1, rows=2, width=7.0, height=2.9)
    figures.draw_ledger(left, measured)
    figures.draw_seeds(right, measured)
    return figure


def tuning() -> Figure:
    """Everything a search has seen."""
    policy = rb.REC(arms=3, horizon=10_000, rho=0.3, sigma=0.5)
    found = rb.tune(policy, rb.problem("paper/model-2", sd=0.5), target=0.3, search="grid", seed=SEED)
    figure, (axes,) = figures.panels(1, width=7.0, height=4.2)
    frontier.draw_tuning(axes, found)
    return figure


def planning() -> Figure:
    """When each design has chosen, and what it costs."""
    found = rb.plan(arms=2, gap=0.1, sigma=0.5, rho=0.1)
    return plan_figures.drawn(found)


def certificates() -> Figure:
    """Worst-case cost against rho: theorem's constants, certified ones, and the growth of the lower bound."""
    figure, panels = figures.panels(1, width=6.4, height=4.4)
    axes, rhos = panels[0], (0.3, 0.2, 0.1, 0.05)
    for arms, marker in ((2, "o"), (10, "s")):
        theorem = [design_table.theorem_cost(arms, rho) for rho in rhos]
        axes.plot(rhos, theorem, color=figures.MUTED, marker=marker, lw=1.6, label=f"theorem's constants, K = {arms}")
    styles = ((2, "gaussian", BLUE, "o"), (10, "gaussian", BLUE, "s"), (2, "sub-gaussian", VERMILION, "o"))
    for arms, noise, colour, marker in styles:
        entries = [design_table.Entry(objective="commit", arms=arms, rho=rho, noise=noise) for rho in rhos]
        costs = [design_table.shipped()[entry.name]["cost"] for entry in entries]
        axes.plot(rhos, costs, color=colour, marker=marker, lw=1.6, label=f"certified, {noise}, K = {arms}")
    grid = np.geomspace(rhos[-1], rhos[0], 40)
    bound = 1 / (2 * grid**2 * np.log(1 / (grid * 0.1)))
    axes.plot(grid, bound, color="#000000", ls=":", lw=1.4, label="growth of the lower bound, gap 0.1")
    axes.set(xscale="log", yscale="log", xlabel="rho", ylabel="worst-case cost")
    axes.set_xticks(rhos, [f"{rho:g}" for rho in rhos])
    axes.minorticks_off()
    axes.legend(loc="center left", bbox_to_anchor=(1.02, 0.5), fontsize=8)
    return figure


FIGURES: dict[str, Callable[[], Figure]] = {
    drawn.__name__: drawn
    for drawn in (twins, thresholds, everywhere, necessity, curves, ledger, tuning, planning, certificates)
}


# --- files ----------------------------------------------------------------------------------------------------------


def svg_of(name: str) -> str:
    """The figure in light colours on no background, without a date."""
    with figures.styled():
        text = io.StringIO()
        FIGURES[name]().savefig(text, format="svg", transparent=True, metadata=METADATA)
    svg = text.getvalue().replace("font-family: 'DejaVu Sans'\"", f'font-family: {FAMILIES}"')  # powers of ten
    return re.sub(r" +$", "", svg, flags=re.MULTILINE)


def darkened(svg: str) -> str:
    """The same picture for a dark page; text without a colour of its own is black in SVG."""
    svg = svg.replace("</style>", f"text{{fill:{DARK['#000000']}}}</style>", 1)
    return re.sub(r"#[0-9a-fA-F]{6}\b", lambda found: DARK.get(found[0].lower(), found[0]), svg)


def write(names: list[str], folder: Path = ASSETS) -> None:
    """Draw the figures of these names, all for none."""
    for name in names or FIGURES:
        light = svg_of(name)
        (folder / f"{name}-light.svg").write_text(light, encoding="utf-8")
        (folder / f"{name}-dark.svg").write_text(darkened(light), encoding="utf-8")
        print(f"{name}: {len(light) / 1024:.0f} KiB, matplotlib {mpl.__version__}")


if __name__ == "__main__":
    write(sys.argv[1:])
