"""A deterministic policy that learns is not rho-replicable for any rho < 1/2 (appendix, `thm_deterministic`).

Without U the threshold of a phase is a number, and some gap puts the gap statistic on either side of it with
probability 1/2: twins then part half of the time, whatever number was chosen. U moves the threshold away from any one
gap. So U is switched off by holding it at a constant, the gap is scanned, and both are compared.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from replibandit.paper.artefact import Artefact, Picture, Results, Section, Settings, Table, Task, number, text
from replibandit.paper.points import draw_points, limits, measure_points, point
from replibandit.policies import REC, RSE
from replibandit.problems import Gaussian
from replibandit.study import figures

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RHO, SD, HORIZON, PHASE = 0.3, 0.5, 10**6, 7
POLICIES: dict[str, REC | RSE] = {
    "REC": REC(arms=2, horizon=HORIZON, rho=RHO, sigma=SD),
    "RSE": RSE(arms=2, horizon=HORIZON, rho=RHO, sigma=SD),
}
CONSTANTS = (0.0, 0.5, 1.0)  # where U is held
TWINS, ENOUGH = 2, 1200  # datasets of each value of U; values of U that show a probability of 1/2 to 0.03


def pairs(settings: Settings) -> int:
    """Values of U for each gap: one pair of twins each, and more of them than runs where the report has few."""
    return max(settings.runs, min(4 * settings.runs, ENOUGH))


def critical_gap(policy: REC | RSE, u: float) -> float:
    """The gap at which the policy commits at the end of `PHASE` with probability 1/2, U being held at u."""
    return float(policy.threshold(PHASE, "commit").at(np.array(u)))


def scan(policy: REC | RSE) -> list[float]:
    """Gaps around one phase's thresholds: evenly, and densely where a constant puts the threshold."""
    noise = SD * (2 / policy.pull_count(PHASE)) ** 0.5  # standard deviation of the estimated gap
    low, high = critical_gap(policy, 0.0), critical_gap(policy, 1.0)
    places = set(np.linspace(low - 6 * noise, high + 6 * noise, 25).tolist())
    for u in CONSTANTS:
        places |= set((critical_gap(policy, u) + noise * np.array([-3, -2, -1, -0.5, 0, 0.5, 1, 2, 3])).tolist())
    return sorted(round(place, 9) for place in places)


def sweep(settings: Settings, prepared: Results) -> Iterable[Task]:
    """One task for each policy with U, and for each constant in its place."""
    del prepared
    for name, policy in POLICIES.items():
        for u in (None, *CONSTANTS):
            points = [point(policy, Gaussian(means=(0.5, 0.5 - gap), sd=SD), u=u) for gap in scan(policy)]
            arguments = {"points": points, "seeds": pairs(settings), "runs": TWINS}
            key = _key(name, u)
            yield Task(key, measure_points, arguments | {"seed": settings.seed_for(key)})


def _key(name: str, u: float | None) -> str:
    return f"necessity/{name} {_label(u)}"


def _label(u: float | None) -> str:
    return "with U" if u is None else f"U held at {u:g}"


def analyse(settings: Settings, results: Results) -> Section:
    """The worst gap of each policy, with and without U, and the critical gap where theory puts it."""
    curves = {name: {_label(u): results[_key(name, u)] for u in (None, *CONSTANTS)} for name in POLICIES}
    rows = [_row(name, u, curves[name][_label(u)]) for name in POLICIES for u in (None, *CONSTANTS)]
    caption = (
        f"Nonreplication of REC and RSE (theorems' constants, ρ = {RHO}) on two Gaussian arms of standard deviation "
        f"{SD}, T = {HORIZON:,}, over gaps around the thresholds of phase {PHASE}: {pairs(settings):,} pairs "
        f"of twins for each gap, seed {settings.seed}, with U and with U held at a constant."
    )
    gaps = {name: scan(policy) for name, policy in POLICIES.items()}
    return Section(
        data={"rho": RHO, "horizon": HORIZON, "phase": PHASE, "gaps": gaps, "curves": curves, "worst": rows},
        tables=(_table(rows, caption),),
        pictures=(Picture("necessity-scan", caption, lambda: _draw(gaps, curves)),),
        notes=sentences(rows),
        settings=tuple((name, policy.to_dict()) for name, policy in POLICIES.items()),
    )


def _row(name: str, u: float | None, curve: list[dict[str, Any]]) -> dict[str, Any]:
    policy = POLICIES[name]
    gaps = scan(policy)
    worst = max(range(len(gaps)), key=lambda index: curve[index]["nonreplication"]["estimate"])
    return {
        "policy": name,
        "u": u,
        "gap": gaps[worst],
        "critical_gap": None if u is None else critical_gap(policy, u),
        "nonreplication": curve[worst]["nonreplication"],
    }


def sentences(rows: list[dict[str, Any]]) -> tuple[str, ...]:
    """What the scan shows, from its numbers."""
    held = [row for row in rows if row["u"] is not None]
    free = [row for row in rows if row["u"] is None]
    low = min(row["nonreplication"]["estimate"] for row in held)
    high = max(row["nonreplication"]["estimate"] for row in held)
    highest = max(free, key=lambda row: row["nonreplication"]["high"])
    verdict = "below" if highest["nonreplication"]["high"] < RHO else "NOT shown to be below"
    far = max(abs(row["gap"] / row["critical_gap"] - 1) for row in held)
    return (
        (
            f"Without U each of the {len(held)} deterministic policies has a gap at which twins part with "
            f"probability {low:.3f} to {high:.3f}, at most {far:.2%} away from the gap that equals its threshold: "
            "another choice of the threshold moves that gap and helps nothing."
        ),
        (
            f"With U the worst gap of the same scan gives {highest['nonreplication']['estimate']:.3f} (upper limit "
            f"{highest['nonreplication']['high']:.3f}), {verdict} ρ = {RHO}."
        ),
    )


def _table(rows: list[dict[str, Any]], caption: str) -> Table:
    cells = tuple(
        (
            text(row["policy"]),
            text(_label(row["u"])),
            number(row["critical_gap"], 4),
            number(row["gap"], 4),
            limits(row["nonreplication"]),
        )
        for row in rows
    )
    headings = ("policy", "randomness", "gap at the threshold", "worst gap of the scan", "nonreplication there")
    return Table("necessity-worst-gaps", caption, headings, cells)


def _draw(gaps: dict[str, list[float]], curves: dict[str, dict[str, list[dict[str, Any]]]]) -> Figure:
    figure, panels = figures.panels(len(curves))
    for axes, (name, by_label) in zip(panels, curves.items(), strict=True):
        for index, (label, curve) in enumerate(by_label.items()):
            looks = {"color": figures.COLOURS[index], "lw": 2.4 if index == 0 else 1.3, "elinewidth": 0.8}
            draw_points(axes, gaps[name], curve, "nonreplication", label=label, **looks)
        axes.axhline(0.5, color=figures.MUTED, lw=1, ls=":", label="1/2")
        axes.axhline(RHO, color="black", lw=1, ls="-.", label=f"ρ = {RHO}")
        axes.set(xlabel="gap Δ", ylabel="nonreplication", title=f"{name}: with U and without", ylim=(0, 0.85))
        axes.legend(loc="upper center", fontsize=8, ncols=2)
    return figure


NECESSITY = Artefact(
    "necessity",
    "Why there must be randomness",
    "The appendix proves that a deterministic policy with small regret is not ρ-replicable for any ρ < 1/2. Here the "
    "thresholds' randomness U is taken away: at the gap that equals the threshold, twins part half of the time.",
    sweep,
    analyse,
)
