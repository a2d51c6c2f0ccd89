"""Theorem 6: what no replicable policy for two arms can avoid, beside what REC and RSE pay.

Both run with the theorems' constants on the proof's instances, Bernoulli(1/2) against Bernoulli(1/2 - Delta): they
are rho-replicable for every Delta, so the theorem speaks of them. (A policy tuned to one Delta need not obey it.)
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from replibandit.paper.artefact import Artefact, Picture, Results, Section, Settings, Table, Task, number, text
from replibandit.paper.points import draw_points, limits, measure_points, point
from replibandit.policies import REC, RSE
from replibandit.problems import Bernoulli
from replibandit.study import figures
from replibandit.theory.bounds import Setting, two_arm_lower_bound

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HORIZON = 10**8
RHOS = (0.5, 0.3, 0.1, 0.03)
GAPS = tuple(float(f"{gap:.2g}") for gap in np.geomspace(1e-5, 0.4, 15))
POLICIES: dict[str, type[REC | RSE]] = {"REC": REC, "RSE": RSE}
TWINS = 2  # an exact interval of nonreplication: each value of U gives one pair
MARKERS = {"REC": "o", "RSE": "^"}


def sweep(settings: Settings, prepared: Results) -> Iterable[Task]:
    """One task for each policy and rho: the points along Delta."""
    del prepared
    for name, rho in product(POLICIES, RHOS):
        points = [point(_policy(name, rho), Bernoulli(means=(0.5, 0.5 - gap))) for gap in GAPS]
        arguments = {"points": points, "seeds": settings.runs, "runs": TWINS}
        key = _key(name, rho)
        yield Task(key, measure_points, arguments | {"seed": settings.seed_for(key)})


def _policy(name: str, rho: float) -> REC | RSE:
    return POLICIES[name](arms=2, horizon=HORIZON, rho=rho, sigma=0.5)


def _key(name: str, rho: float) -> str:
    return f"lower-bound/{name} {rho:g}"


def analyse(settings: Settings, results: Results) -> Section:
    """Every point beside the bound with its constant set to 1."""
    rows = []
    for name, rho in product(POLICIES, RHOS):
        for gap, found in zip(GAPS, results[_key(name, rho)], strict=True):
            bound = two_arm_lower_bound(Setting((gap,), HORIZON, rho))
            ratio = found["regret"]["estimate"] / bound
            rows.append({"policy": name, "rho": rho, "gap": gap, "bound": bound, "ratio": ratio, **found})
    summary = summarise(rows)
    caption = (
        f"Regret of REC and RSE with the theorems' constants on Bernoulli(1/2) against Bernoulli(1/2 - Δ), "
        f"T = {HORIZON:,}, {settings.runs:,} values of U with {TWINS} datasets each, seed {settings.seed}, beside "
        "min(1/(ρ²Δ log(1/(ρΔ))), TΔ), the bound of Theorem 6 with its constant set to 1."
    )
    return Section(
        data={"horizon": HORIZON, "constant": 1.0, "points": rows, "summary": summary},
        tables=(_table(rows, caption),),
        pictures=(Picture("lower-bound-curves", caption, lambda: _draw(rows)),),
        notes=sentences(summary),
        settings=tuple((name, _policy(name, 0.3).to_dict()) for name in POLICIES),
    )


def summarise(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """How close measured regret comes to the bound, and how far it is from it where exploration ends in time."""
    lowest = min(rows, key=lambda row: row["regret"]["low"] / row["bound"])
    stopped = [row for row in rows if row["regret"]["estimate"] < HORIZON * row["gap"] / 4]
    logs = [row["ratio"] / math.log(1 / (row["rho"] * row["gap"])) for row in stopped]
    above = [row for row in rows if row["nonreplication"]["high"] > row["rho"]]
    return {
        "least_ratio": lowest["regret"]["low"] / lowest["bound"],
        "least_at": {name: lowest[name] for name in ("policy", "rho", "gap")},
        "stopped": len(stopped),
        "ratio_over_log": [min(logs), max(logs)] if logs else None,
        "points": len(rows),
        "not_shown_replicable": len(above),
        "largest_nonreplication": max(row["nonreplication"]["estimate"] for row in rows),
    }


def sentences(summary: dict[str, Any]) -> tuple[str, ...]:
    """The summary in plain words."""
    at = summary["least_at"]
    said = [
        (
            f"The bound is kept with a constant of {summary['least_ratio']:.2g} at all {summary['points']} points "
            f"(lower confidence limits of regret); {at['policy']} comes closest, "
            f"at ρ = {at['rho']:g} and Δ = {at['gap']:g}."
        )
    ]
    if summary["ratio_over_log"]:
        low, high = summary["ratio_over_log"]
        said.append(
            f"Where exploration ends in time ({summary['stopped']} points), regret is {low:,.0f} to {high:,.0f} "
            "times 1/(ρ²Δ): the order of the bound up to its logarithm log(1/(ρΔ)), times the proofs' constants."
        )
    shown = summary["points"] - summary["not_shown_replicable"]
    said.append(
        f"The upper confidence limit of nonreplication is at most ρ at {shown} of {summary['points']} points; the "
        f"largest nonreplication measured is {summary['largest_nonreplication']:.3f}."
    )
    return tuple(said)


def _table(rows: list[dict[str, Any]], caption: str) -> Table:
    cells = tuple(
        (
            text(row["policy"]),
            number(row["rho"], 2),
            number(row["gap"], 6),
            number(row["regret"]["estimate"], error=row["regret"]["high"] - row["regret"]["estimate"]),
            number(row["bound"]),
            number(row["ratio"]),
            limits(row["nonreplication"]),
        )
        for row in rows
    )
    headings = ("policy", "ρ", "Δ", "regret", "bound", "regret / bound", "nonreplication")
    return Table("lower-bound-points", caption, headings, cells)


def _draw(rows: list[dict[str, Any]]) -> Figure:
    figure, (left, right) = figures.panels(2)
    gaps = np.geomspace(min(GAPS), max(GAPS), 200)
    for index, rho in enumerate(RHOS):
        colour, dashes = figures.COLOURS[index], figures.DASHES[index]
        bounds = [two_arm_lower_bound(Setting((float(gap),), HORIZON, rho)) for gap in gaps]
        left.plot(gaps, bounds, color=colour, ls=dashes, lw=1.6, label=f"bound, ρ = {rho:g}")
        for name in POLICIES:
            chosen = [row for row in rows if row["policy"] == name and row["rho"] == rho]
            looks = _marks(name, colour)
            draw_points(left, [row["gap"] for row in chosen], chosen, "regret", ls="none", **looks)
            right.plot([row["gap"] for row in chosen], [row["ratio"] for row in chosen], ls=dashes, lw=0.8, **looks)
    for axes in (left, right):
        for name in POLICIES:
            axes.plot([], [], ls="none", label=f"{name}, measured", **_marks(name, "black"))
        axes.set(xscale="log", yscale="log", xlabel="gap Δ")
    left.set(ylabel="regret", title="Regret and the bound of Theorem 6")
    right.set(ylabel="regret / bound", title="How far above the bound, by the same colours")
    right.axhline(1, color="black", lw=1, ls=":", label="the bound, constant 1")
    for axes in (left, right):
        axes.legend(loc="upper left", fontsize=8)
    return figure


def _marks(name: str, colour: str) -> dict[str, Any]:
    return {"color": colour, "marker": MARKERS[name], "ms": 4.5, "mfc": "none" if name == "RSE" else colour}


LOWER_BOUND = Artefact(
    "lower-bound",
    "The lower bound for two arms",
    "Theorem 6 says that every ρ-replicable policy for two arms has a regret of the order of "
    "min(1/(ρ²Δ log(1/(ρΔ))), TΔ) at least. Here it stands beside the measured regret of REC and RSE, over ρ and Δ. "
    "Colours are ρ: lines are the bound, marks are measurements.",
    sweep,
    analyse,
)
