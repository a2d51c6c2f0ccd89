"""Figure 2 ("Additional Simulations"): regret and rho-hat against the multiplier, and why rho-hat is not monotone.

The paper's reason: twins part where their runs are split between two stopping phases. So the phases in which runs
stop are drawn under rho-hat, and the share of twins that stop in different phases beside it. For REC that is nearly
all of rho-hat; for RSE the rest comes from eliminations one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from replibandit.paper import printed
from replibandit.paper.artefact import Artefact, Picture, Results, Section, Settings, Table, Task, number, text
from replibandit.paper.measures import MOST_SEEDS
from replibandit.paper.points import Point, draw_points, limits, point, stopped_points
from replibandit.paper.protocols import PROTOCOLS, Protocol
from replibandit.paper.two_models import multipliers, title, tuning_tasks
from replibandit.study import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POLICIES = ("REC", "RSE")
SCALES = tuple(float(f"{scale:.4g}") for scale in np.geomspace(0.1, 10, 33))
TICKS = (0.1, 0.2, 0.5, 1, 2, 5, 10)
TWINS = 10
NEVER = "0"  # the key of runs that explore to the end
Place = tuple[Protocol, str, str]


def prepare(settings: Settings) -> Iterable[Task]:
    """The searches whose multipliers are scaled here."""
    return (task for task in tuning_tasks(settings) if task.key.endswith(POLICIES))


def sweep(settings: Settings, prepared: Results) -> Iterable[Task]:
    """One task for each protocol, model and policy: the points along the multiplier."""
    for place in _places():
        protocol, model, name = place
        found = multipliers(protocol, model, name, prepared)
        points = [
            point(
                protocol.policy(model, name, printed.HORIZON, {knob: scale * value for knob, value in found.items()}),
                protocol.problem(model),
            )
            for scale in SCALES
        ]
        key = _key(place)
        arguments = {"points": points, "seeds": min(settings.runs, MOST_SEEDS), "runs": TWINS}
        yield Task(key, stopped_points, arguments | {"seed": settings.seed_for(key)})


def _places() -> Iterator[Place]:
    return product(PROTOCOLS, printed.MODELS, POLICIES)


def _key(place: Place) -> str:
    protocol, model, name = place
    return f"figure-2/{protocol.name}/{model}/{name}"


def analyse(settings: Settings, results: Results) -> Section:
    """The curves, and each fall of rho-hat between two rises."""
    data: dict[str, Any] = {
        protocol.name: {
            model: {
                name: {"scales": list(SCALES), "points": results[_key((protocol, model, name))]} for name in POLICIES
            }
            for model in printed.MODELS
        }
        for protocol in PROTOCOLS
    }
    seeds = min(settings.runs, MOST_SEEDS)
    told = f"{seeds:,} values of U with {TWINS} datasets each behind every point; bars are 95 % intervals."
    pictures = []
    for protocol, model in product(PROTOCOLS, printed.MODELS):
        about = (
            f"{title(model)}, {protocol.title}: regret, nonreplication and the phase in which runs stop, against the "
            f"multiplier; C_scale = 1 is the tuned one. {told}"
        )
        name = f"figure-2-{protocol.name}-{model.removeprefix('paper/')}"
        pictures.append(Picture(name, about, partial(_draw, data[protocol.name][model])))
    return Section(
        data=data,
        tables=(_table(data, told),),
        pictures=tuple(pictures),
        notes=tuple(sentences(data)),
    )


def sentences(data: Mapping[str, Any]) -> Iterator[str]:
    """Where rho-hat falls and rises again, with the mixture of stopping phases there."""
    for protocol, model, name in _places():
        points = data[protocol.name][model][name]["points"]
        where = f"{title(model)}, {name}, {protocol.title}"
        found = valley(points)
        if found is None:
            top = max(range(len(points)), key=lambda at: points[at]["nonreplication"]["estimate"])
            yield f"{where}: one hump, highest at {_mixture(points, top)}."
        else:
            before, low, after = (_mixture(points, at) for at in found)
            last = points[found[2]]
            alone = last["phases_differ"]["estimate"] < last["nonreplication"]["estimate"] / 2
            told = "; there twins part by eliminations one by one, not by when they stop" if alone else ""
            yield f"{where}: ρ̂ falls from {before} to {low}, and rises again to {after}{told}."


def valley(points: Sequence[Point]) -> tuple[int, int, int] | None:
    """The deepest place (before, low, after) where rho-hat is lower than on both sides beyond its intervals."""
    low = np.array([found["nonreplication"]["low"] for found in points])
    high = np.array([found["nonreplication"]["high"] for found in points])
    best, deepest = None, 0.0
    for middle in range(1, len(points) - 1):
        before = int(low[:middle].argmax())
        after = middle + 1 + int(low[middle + 1 :].argmax())
        depth = float(min(low[before], low[after]) - high[middle])
        if depth > deepest:
            best, deepest = (before, middle, after), depth
    return best


def _mixture(points: Sequence[Point], at: int) -> str:
    """Rho-hat at a point, and the two phases in which most runs stop there."""
    found = points[at]
    shares = sorted(sorted(found["stopping"].items(), key=lambda pair: -pair[1])[:2])
    told = ", ".join(
        f"{share:.0%} {'never stop' if phase == NEVER else f'stop in phase {phase}'}" for phase, share in shares
    )
    return f"{found['nonreplication']['estimate']:.2f} at C_scale = {SCALES[at]:.2g} ({told})"


def _table(data: Mapping[str, Any], told: str) -> Table:
    rows = []
    for protocol, model, name in _places():
        for scale, found in zip(SCALES, data[protocol.name][model][name]["points"], strict=True):
            regret = found["regret"]
            rows.append(
                (
                    text(protocol.title),
                    text(title(model)),
                    text(name),
                    number(scale, 3),
                    number(regret["estimate"], error=regret["high"] - regret["estimate"]),
                    limits(found["nonreplication"]),
                    limits(found["phases_differ"]),
                )
            )
    headings = ("protocol", "model", "policy", "C_scale", "regret", "nonreplication", "stop in different phases")
    return Table("figure-2-points", told, headings, tuple(rows))


def _draw(curves: Mapping[str, Any]) -> Figure:
    figure, panels = figures.panels(len(POLICIES), 3, height=2.7)
    for column, name in enumerate(POLICIES):
        points = curves[name]["points"]
        regret, nonreplication, phases = panels[column :: len(POLICIES)]
        draw_points(regret, SCALES, points, "regret", color=figures.COLOURS[0], lw=1.6, elinewidth=0.9)
        regret.set(ylabel="regret", title=name, ylim=(0, None))
        _draw_nonreplication(nonreplication, points)
        _draw_phases(phases, points)
        for axes in (regret, nonreplication, phases):
            axes.set(xscale="log", xlim=(SCALES[0], SCALES[-1]), xlabel="C_scale")
            axes.axvline(1, ymax=0.75, color=figures.MUTED, lw=1, ls=":")
            axes.set_xticks(TICKS, [f"{tick:g}" for tick in TICKS])
    return figure


def _draw_nonreplication(axes: Axes, points: Sequence[Point]) -> None:
    looks = {"color": figures.COLOURS[1], "lw": 1.8, "elinewidth": 0.9}
    draw_points(axes, SCALES, points, "nonreplication", label="measured", **looks)
    phases = [found["phases_differ"]["estimate"] for found in points]
    axes.plot(SCALES, phases, color="black", lw=1.2, ls=figures.DASHES[2], label="twins stop in different phases")
    axes.axhline(printed.RHO, color=figures.MUTED, lw=1, ls="-.", label=f"target {printed.RHO}")
    highest = max(found["nonreplication"]["high"] for found in points)
    axes.set(ylabel="nonreplication", ylim=(0, max(0.5, highest) * 1.45))
    axes.legend(loc="upper right", fontsize=8, ncols=3)


def _draw_phases(axes: Axes, points: Sequence[Point]) -> None:
    """Shares of runs by the phase in which they stop, stacked; those that never do on top."""
    phases = sorted({int(phase) for found in points for phase in found["stopping"]} - {0})
    keys = [*map(str, phases), NEVER]
    shares = [[found["stopping"].get(key, 0.0) for found in points] for key in keys]
    colours = [*(figures.COLOURS[phase % len(figures.COLOURS)] for phase in phases), "#bbbbbb"]
    labels = [*map(str, phases), "never"]
    axes.stackplot(SCALES, shares, colors=colours, labels=labels, lw=0.6, edgecolor="#ffffff")
    axes.set(ylabel="share that stops in phase", ylim=(0, 1.3), yticks=(0, 0.5, 1))
    axes.legend(loc="upper center", fontsize=8, ncols=len(keys), columnspacing=1.2, handlelength=1.2)


FIGURE_2 = Artefact(
    name="figure-2",
    title="Figure 2: regret and nonreplication against the multiplier",
    about=(
        "Every multiplier of REC and RSE is scaled by one number, C_scale. Regret and nonreplication trade off, but "
        "not monotonically: nonreplication is high where runs are split between two stopping phases and low where "
        "nearly all stop in the same one, as the mixture drawn under it shows."
    ),
    sweep=sweep,
    analyse=analyse,
    prepare=prepare,
)
