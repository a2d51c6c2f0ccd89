"""The rule of the Discussion, log T >= D^2 log(K / rho) / rho^2, as a table, and beside what is measured.

The cost of replicability is measured by taking it out: with C_mul near 0, Conf^max is Conf^reg alone, and the policy
learns as before but hides no noise. Its regret is what learning costs; what REC and RSE pay more is for rho.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from replibandit.paper.artefact import Artefact, Picture, Results, Section, Settings, Table, Task, number
from replibandit.paper.points import measure_points, point
from replibandit.policies import REC, RSE
from replibandit.problems import problem
from replibandit.study import figures
from replibandit.theory.practitioner import DECISIONS, Decisions, replicability_cost

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ARMS = (2, 5, 10, 100, 1000)
RHOS = (0.5, 0.3, 0.1, 0.05)
MEASURED_RHOS = (0.5, 0.3, 0.1)
HORIZONS = tuple(10**digits for digits in range(6, 16))
SD, TWINS, WITHOUT = 0.5, 2, 1e-9  # C_mul near 0
POLICIES: dict[str, tuple[type[REC | RSE], Decisions]] = {"REC": (REC, "commit"), "RSE": (RSE, "eliminate")}
MODEL = "paper/model-2"
LINES: dict[str, Any] = {"REC": "-", "RSE": figures.DASHES[1]}
MARKERS = {"REC": "o", "RSE": "^"}


def sweep(settings: Settings, prepared: Results) -> Iterable[Task]:
    """Each policy with its constants and with replicability taken out, along T."""
    del prepared
    instance = problem(MODEL, sd=SD)
    common = {"arms": instance.arms, "sigma": SD}
    for name, rho, paid in product(POLICIES, MEASURED_RHOS, (True, False)):
        cls, _ = POLICIES[name]
        options = {**common, "rho": rho} if paid else {**common, "rho": rho, "c_mul": WITHOUT}
        points = [point(cls.from_dict({**options, "horizon": horizon}), instance) for horizon in HORIZONS]
        key = _key(name, rho, paid=paid)
        arguments = {"points": points, "seeds": settings.runs, "runs": TWINS}
        yield Task(key, measure_points, arguments | {"seed": settings.seed_for(key)})


def _key(name: str, rho: float, *, paid: bool) -> str:
    return f"practitioner/{name} {rho:g} {'with' if paid else 'without'}"


def analyse(settings: Settings, results: Results) -> Section:
    """The rule over K and rho, and the measured cost over T."""
    rule = [_rule(arms, rho) for arms, rho in product(ARMS, RHOS)]
    measured = [_measured(results, name, rho) for name, rho in product(POLICIES, MEASURED_RHOS)]
    caption = (
        "The horizon from which the cost of replicability is negligible by the rule of the Discussion, "
        "log T ≥ D² log(K/ρ)/ρ², with D = 1 for a commitment and D = K for eliminations one by one."
    )
    drawn = (
        f"Left: {caption} Right: the cost of replicability on Model 2 (standard deviation {SD}), measured as regret "
        "of REC and RSE with the theorems' constants over their regret with C_mul near 0, minus 1 (marks; "
        f"{settings.runs:,} values of U with {TWINS} datasets each, seed {settings.seed}), and by the rule (lines)."
    )
    return Section(
        data={"rule": rule, "horizons": list(HORIZONS), "measured": measured},
        tables=(_table(rule, caption),),
        pictures=(Picture("practitioner-rule", drawn, lambda: _draw(measured)),),
        notes=sentences(rule, measured),
    )


def _rule(arms: int, rho: float) -> dict[str, Any]:
    costs = [replicability_cost(arms=arms, rho=rho, horizon=10**4, decisions=each) for each in DECISIONS]
    return {"arms": arms, "rho": rho} | {
        f"log10_horizon_{cost.decisions}": cost.log10_horizon_needed for cost in costs
    }


def _measured(results: Results, name: str, rho: float) -> dict[str, Any]:
    """The cost of rho as a multiple of what learning costs, measured and by the rule."""
    paid, free = (results[_key(name, rho, paid=paid)] for paid in (True, False))
    arms, decisions = problem(MODEL).arms, POLICIES[name][1]
    rule = [
        replicability_cost(arms=arms, rho=rho, horizon=horizon, decisions=decisions).ratio for horizon in HORIZONS
    ]
    costs = [a["regret"]["estimate"] / b["regret"]["estimate"] - 1 for a, b in zip(paid, free, strict=True)]
    return {"policy": name, "rho": rho, "cost": costs, "rule": rule}


def sentences(rule: list[dict[str, Any]], measured: list[dict[str, Any]]) -> tuple[str, ...]:
    """What the rule asks for, and how far it is from what is measured."""
    least = min(rule, key=lambda row: row["log10_horizon_commit"])
    usual = next(row for row in rule if (row["arms"], row["rho"]) == (10, 0.3))
    factors = [row["cost"][-1] / row["rule"][-1] for row in measured]
    return (
        (
            "For K = 10 and ρ = 0.3 the rule asks for "
            f"T ≥ 10^{usual['log10_horizon_commit']:.1f} with a commitment and for "
            f"T ≥ 10^{usual['log10_horizon_eliminate']:,.0f} with eliminations; its mildest case in the table, "
            f"K = {least['arms']} and ρ = {least['rho']:g}, asks for T ≥ 10^{least['log10_horizon_commit']:.1f}."
        ),
        (
            f"The rule leaves out all constants: at T = 10¹⁵ the measured cost is {min(factors):.1f} to "
            f"{max(factors):.1f} times what it says for the theorems' constants on Model 2. It tells how the cost "
            "falls with T and grows with 1/ρ, not how large it is."
        ),
    )


def _table(rule: list[dict[str, Any]], caption: str) -> Table:
    cells = tuple(
        (
            number(row["arms"], 0),
            number(row["rho"], 2),
            number(row["log10_horizon_commit"], 1),
            number(row["log10_horizon_eliminate"], 1),
        )
        for row in rule
    )
    headings = ("K", "ρ", "log₁₀ T, commitment (D = 1)", "log₁₀ T, eliminations (D = K)")
    return Table("practitioner-horizons", caption, headings, cells)


def _draw(measured: list[dict[str, Any]]) -> Figure:
    figure, (left, right) = figures.panels(2)
    _draw_rule(left)
    _draw_cost(right, measured)
    return figure


def _draw_rule(axes: Axes) -> None:
    arms = np.unique(np.geomspace(2, 1000, 60).astype(int)).tolist()
    for (index, rho), (name, (_, decisions)) in product(enumerate(RHOS), POLICIES.items()):
        costs = [replicability_cost(arms=k, rho=rho, horizon=10**4, decisions=decisions) for k in arms]
        needed = [cost.log10_horizon_needed for cost in costs]
        axes.plot(arms, needed, color=figures.COLOURS[index], ls=LINES[name], lw=1.6)
    for index, rho in enumerate(RHOS):
        axes.plot([], [], color=figures.COLOURS[index], lw=4, label=f"ρ = {rho:g}")
    axes.plot([], [], color="black", ls=LINES["REC"], label="commitment, D = 1")
    axes.plot([], [], color="black", ls=LINES["RSE"], label="eliminations, D = K")
    title = "From when the rule calls the cost negligible"
    axes.set(xscale="log", yscale="log", xlabel="arms K", ylabel="log₁₀ T needed", title=title)
    axes.legend(loc="upper left", fontsize=8)


def _draw_cost(axes: Axes, measured: list[dict[str, Any]]) -> None:
    for row in measured:
        colour, name = figures.COLOURS[RHOS.index(row["rho"])], row["policy"]
        axes.plot(HORIZONS, row["rule"], color=colour, ls=LINES[name], lw=1.4)
        shown = [(horizon, cost) for horizon, cost in zip(HORIZONS, row["cost"], strict=True) if cost > 0]
        if shown:
            axes.plot(*zip(*shown, strict=True), color=colour, marker=MARKERS[name], ls="none", ms=5, mfc="none")
    for index, rho in enumerate(MEASURED_RHOS):
        axes.plot([], [], color=figures.COLOURS[index], lw=4, label=f"ρ = {rho:g}")
    for name in POLICIES:
        looks = {"color": "black", "marker": MARKERS[name], "mfc": "none", "ls": LINES[name]}
        axes.plot([], [], label=f"{name}: measured, rule", **looks)
    axes.axhline(1, color=figures.MUTED, lw=1, ls=":")
    axes.set(xscale="log", yscale="log", xlabel="horizon T", ylabel="cost of ρ / cost of learning")
    axes.set_title("Measured on Model 2, and by the rule")
    axes.set_ylim(top=axes.get_ylim()[1] * 30)
    axes.legend(loc="upper right", fontsize=8, ncols=2)


PRACTITIONER = Artefact(
    "practitioner",
    "The practitioner's rule",
    "The Discussion says that the cost of replicability is negligible once log T ≥ D² log(K/ρ)/ρ². The same rule is "
    "`replibandit cost` on the command line and `rb.replicability_cost` in Python.",
    sweep,
    analyse,
)
