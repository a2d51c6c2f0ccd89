"""Table 1: every bound as a curve over T, beside the regret of the policies it holds for.

The policies run with the theorems' constants, so that the bounds speak of them. All upper bounds are drawn with one
common constant: the smallest for which each of the paper's lies above the measured regret of its policies. The lower
bound keeps the constant 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from replibandit.core.policy import PhasedPolicy
from replibandit.core.problem import Problem
from replibandit.paper.artefact import Artefact, Picture, Results, Section, Settings, Table, Task, number, text
from replibandit.paper.points import draw_points, measure_points, point
from replibandit.policies import REC, RLSE, RSE
from replibandit.problems import Gaussian, problem
from replibandit.study import figures
from replibandit.theory.bounds import TABLE_1, Row, Setting

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

RHO, SD, TWINS = 0.3, 0.5, 2
HORIZONS = tuple(10**digits for digits in range(3, 15))


@dataclass(frozen=True, slots=True)
class Instance:
    """A problem, the policies measured on it, and the part of Table 1 that speaks of it."""

    name: str
    problem: Problem
    policies: dict[str, Callable[[int], PhasedPolicy]]  # by name: the policy for a horizon
    part: str
    dimension: int | None = None

    def setting(self, horizon: int) -> Setting:
        """What the bounds depend on."""
        return Setting.of(self.problem.gaps, horizon=horizon, rho=RHO, dimension=self.dimension)

    @property
    def rows(self) -> list[Row]:
        """The rows of Table 1 that speak of the instance; the lower bound needs two arms."""
        return [
            row for row in TABLE_1 if row.problem == self.part and (row.kind == "upper" or self.problem.arms == 2)
        ]


def _rec(arms: int) -> Callable[[int], PhasedPolicy]:
    return lambda horizon: REC(arms=arms, horizon=horizon, rho=RHO, sigma=SD)


def _rse(arms: int) -> Callable[[int], PhasedPolicy]:
    return lambda horizon: RSE(arms=arms, horizon=horizon, rho=RHO, sigma=SD)


def _linear(name: str, instance: Problem) -> Instance:
    features = instance.to_dict()["features"]
    options: dict[str, Any] = {"arms": instance.arms, "rho": RHO, "sigma": SD, "features": features}
    return Instance(
        name, instance, {"RLSE": lambda horizon: RLSE(horizon=horizon, **options)}, "linear", len(features[0])
    )


def _arms(name: str, instance: Problem) -> Instance:
    count = instance.arms
    return Instance(name, instance, {"REC": _rec(count), "RSE": _rse(count)}, "K-armed")


def instances() -> tuple[Instance, ...]:
    """Two arms, the paper's models, and and its linear instance."""
    return (
        _arms("two arms, Δ = 0.1", Gaussian(means=(0.5, 0.4), sd=SD)),
        _arms("Model 1", problem("paper/model-1", sd=SD)),
        _arms("Model 2", problem("paper/model-2", sd=SD)),
        _linear("linear, K = 5, d = 2", problem("paper/linear", sd=SD)),
    )


def sweep(settings: Settings, prepared: Results) -> Iterable[Task]:
    """One task for each instance and policy: the points along T."""
    del prepared
    for instance in instances():
        for name, policy in instance.policies.items():
            points = [point(policy(horizon), instance.problem) for horizon in HORIZONS]
            arguments = {"points": points, "seeds": settings.runs, "runs": TWINS}
            key = _key(instance, name)
            yield Task(key, measure_points, arguments | {"seed": settings.seed_for(key)})


def _key(instance: Instance, policy: str) -> str:
    return f"table-1/{instance.name}, {policy}"


def analyse(settings: Settings, results: Results) -> Section:
    """Every row of Table 1 on every instance."""
    measured = {
        instance.name: {name: results[_key(instance, name)] for name in instance.policies} for instance in instances()
    }
    entries = [_entry(instance, row, measured[instance.name]) for instance in instances() for row in instance.rows]
    tightest = max((e for e in entries if e["least_constant"] is not None), key=lambda entry: entry["least_constant"])
    caption = (
        f"Regret of the policies with the theorems' constants (ρ = {RHO}, {settings.runs:,} values of U with {TWINS} "
        f"datasets each, seed {settings.seed}) from T = 10³ to 10¹⁴, beside every bound of Table 1. All upper bounds "
        f"carry the same constant {tightest['least_constant']:.3g}, the smallest for which none of the paper's is "
        "exceeded anywhere by a policy it holds for; the lower bound has the constant 1."
    )
    constant = tightest["least_constant"]
    return Section(
        data={"rho": RHO, "horizons": list(HORIZONS), "constant": constant, "rows": entries, "measured": measured},
        tables=(_table(entries, caption),),
        pictures=(Picture("table-1-curves", caption, lambda: _draw(measured, constant)),),
        notes=sentences(entries, tightest),
        settings=tuple((instance.name, instance.problem.to_dict()) for instance in instances()),
    )


def _entry(instance: Instance, row: Row, measured: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """One row on one instance: its curve, and the least constant that keeps it above its policies."""
    curve = [row.bound(instance.setting(horizon)) for horizon in HORIZONS]
    own = [name for name in measured if name in row.policies]
    needed = [
        found["regret"]["high"] / bound
        for name in own
        for found, bound in zip(measured[name], curve, strict=True)
        if row.kind == "upper" and row.work == "this work"
    ]
    return {
        "instance": instance.name,
        "bound": row.name,
        "work": row.work,
        "kind": row.kind,
        "source": row.source,
        "policies": own,
        "curve": curve,
        "least_constant": max(needed, default=None),
    }


def sentences(entries: list[dict[str, Any]], tightest: dict[str, Any]) -> tuple[str, ...]:
    """Where the constant comes from, and how the two works' bounds compare."""
    said = [
        (
            f"The constant {tightest['least_constant']:.3g} is set by the {tightest['bound']} bound "
            f"({tightest['source']}) on {tightest['instance']}; the theorems' constants are what makes it large."
        )
    ]
    for instance in instances():
        curves = {(e["bound"], e["work"]): e["curve"] for e in entries if e["instance"] == instance.name}
        theirs = next((curve for (_, work), curve in curves.items() if work != "this work"), None)
        ours = curves.get(("per arm, added", "this work"))
        if theirs and ours:
            limit = RHO**2 / instance.problem.arms**2
            said.append(
                f"{instance.name}: the paper's bound per arm is {ours[-1] / theirs[-1]:.3g} of Esfandiari et al.'s "
                f"at T = 10¹⁴; the limit for T → ∞ is ρ²/K² = {limit:.3g}, still "
                f"{ours[-1] / theirs[-1] / limit:,.1f} times away."
            )
    return tuple(said)


def _table(entries: list[dict[str, Any]], caption: str) -> Table:
    shown = [0, HORIZONS.index(10**6), HORIZONS.index(10**10), len(HORIZONS) - 1]
    cells = tuple(
        (
            text(entry["instance"]),
            text(entry["bound"]),
            text(entry["work"]),
            text(entry["source"]),
            *(number(entry["curve"][index], 0) for index in shown),
            number(entry["least_constant"], 2),
        )
        for entry in entries
    )
    horizons = ("T = 10³", "10⁶", "10¹⁰", "10¹⁴")
    headings = ("instance", "bound", "work", "in the paper", *horizons, "constant needed")
    return Table("table-1-bounds", f"{caption} The table prints the bounds with constant 1.", headings, cells)


def _draw(measured: dict[str, dict[str, list[dict[str, Any]]]], constant: float) -> Figure:
    chosen = instances()
    figure, panels = figures.panels(2, -(-len(chosen) // 2))
    for axes, instance in zip(panels, chosen, strict=False):
        _draw_one(axes, instance, measured[instance.name], constant)
    for axes in panels[len(chosen) :]:
        axes.set_axis_off()
    return figure


def _draw_one(axes: Axes, instance: Instance, measured: dict[str, list[dict[str, Any]]], constant: float) -> None:
    for index, row in enumerate(instance.rows):
        factor = constant if row.kind == "upper" else 1.0
        curve = [factor * row.bound(instance.setting(horizon)) for horizon in HORIZONS]
        colour = "#000000" if row.kind == "lower" else figures.COLOURS[index]
        whose = row.name if row.work == "this work" else f"{row.name} (Esfandiari et al.)"
        label = f"lower bound: {whose}" if row.kind == "lower" else whose
        axes.plot(HORIZONS, curve, color=colour, ls=figures.DASHES[index], lw=1.5, label=label)
    for marker, (name, points) in zip("o^sDv", measured.items(), strict=False):
        looks = {"color": figures.MUTED, "marker": marker, "ms": 5, "ls": "none", "mfc": "none"}
        draw_points(axes, HORIZONS, points, "regret", label=f"{name}, measured", **looks)
    axes.set(xscale="log", yscale="log", xlabel="horizon T", ylabel="regret", title=instance.name)
    axes.legend(loc="best", fontsize=7)


TABLE_1_CURVES = Artefact(
    "table-1",
    "Table 1: bounds and measured regret",
    "Table 1 compares regret bounds of the paper with those of Esfandiari et al. (2023). Here every row is a curve "
    "over the horizon T, beside the measured regret of the policies it speaks of.",
    sweep,
    analyse,
)
