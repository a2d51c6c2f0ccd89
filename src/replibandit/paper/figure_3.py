"""Figure 3: RLSE, which uses features, against one-hot features, which the paper calls RSE; and regret against K.

The paper prints neither the features of its instance nor the multipliers. Features are ours (`linear_cases`), and
multipliers are found by our own search.

The cases with d << K are not in the paper. There everything has the theorems' constants, so that all are
rho-replicable by proof and nothing is tuned to K.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from replibandit.paper.artefact import Artefact, Picture, Results, Section, Settings, Table, Task, number, text
from replibandit.paper.linear_cases import BETWEEN, DIMENSION, GAP, HORIZON, NAMED, Curve, curves, many_arms
from replibandit.paper.measures import measured, tuned
from replibandit.paper.points import draw_points, limits, measure_points, point
from replibandit.paper.printed import RHO
from replibandit.policies import RLSE, RSE
from replibandit.problems import problem
from replibandit.study import figures
from replibandit.study.intervals import normal_mean

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ARMS, LONG = (10, 30, 100, 300, 1000), 10**12
TIMES, TWINS, MOST_SEEDS = 10, 2, 1000
FEATURES = {"RLSE": True, "one-hot": False}  # the policies of the cases d << K
LIMITS = ("estimate", "low", "high")
MARKS = {"RLSE": "o", "one-hot": "^"}


def prepare(settings: Settings) -> Iterator[Task]:
    """The searches for multipliers, one for each curve."""
    for curve in curves():
        key = _tuning_key(curve)
        arguments = {
            "policy": curve.policy.to_dict(),
            "problem": curve.problem.to_dict(),
            "target": RHO,
            "seed": settings.seed_for(key),
            "effort": settings.effort,
        }
        yield Task(key, tuned, arguments)


def sweep(settings: Settings, prepared: Results) -> Iterable[Task]:
    """The cases of many arms, the longest first, and the curves."""
    for arms in reversed(ARMS):
        for name in FEATURES:
            key, seeds = _arms_key(name, arms), _seeds(settings)
            arguments = {
                "points": [_point(name, arms)],
                "seeds": seeds,
                "runs": TWINS,
                "seed": settings.seed_for(key),
            }
            yield Task(key, measure_points, arguments)
    for curve in curves():
        key = _curve_key(curve)
        arguments = {
            "policy": curve.policy.to_dict() | prepared[_tuning_key(curve)]["settings"],
            "problem": curve.problem.to_dict(),
            "runs": _runs(settings),
            "seed": settings.seed_for(key),
        }
        yield Task(key, measured, arguments)


def _runs(settings: Settings) -> int:
    """Of the curves: few runs choose a wrong arm, and those make most of the regret."""
    return TIMES * settings.runs


def _seeds(settings: Settings) -> int:
    return min(settings.runs, MOST_SEEDS)


def _point(name: str, arms: int) -> dict[str, Any]:
    instance = many_arms(arms)
    features = instance.features if FEATURES[name] else ()
    return point(RLSE(arms=arms, horizon=LONG, rho=RHO, sigma=1.0, features=features), instance)


def _tuning_key(curve: Curve) -> str:
    return f"tuning/figure-3/{curve.name}"


def _curve_key(curve: Curve) -> str:
    return f"figure-3/{curve.name}"


def _arms_key(name: str, arms: int) -> str:
    return f"figure-3/{name}, {arms} arms"


# --- what is found ----------------------------------------------------------------------------------------------


def analyse(settings: Settings, results: Results) -> Section:
    """Regret at T with multipliers and nonreplication, the curves, and regret against K."""
    entries = {curve.name: _entry(curve, results) for curve in curves()}
    points = [
        {"policy": name, "arms": arms, **results[_arms_key(name, arms)][0]} for name in FEATURES for arms in ARMS
    ]
    tuned_caption = (
        f"The linear instance (K = 5, d = 2, θ = (1, 1/2), means 1 and four times 0.7, standard Gaussian noise), "
        f"T = {HORIZON:,}, {_runs(settings):,} runs, seed {settings.seed}; multipliers by our own search under a "
        f"nonreplication of at most {RHO} (upper confidence limit, shared U)."
    )
    arms_caption = (
        f"K arms in d = {DIMENSION} dimensions (unit vectors; all gaps {GAP}), T = 10¹², the theorem's constants "
        f"with ρ = {RHO}, {_seeds(settings):,} values of U with {TWINS} datasets each, seed {settings.seed}; "
        "95 % intervals."
    )
    caption = f"Left: {tuned_caption} Bands are 95 % intervals of the mean. Right: {arms_caption}"
    return Section(
        data={"horizon": HORIZON, "rho": RHO, "curves": entries, "many_arms": points},
        tables=(_tuned_table(entries, tuned_caption), _arms_table(points, arms_caption)),
        pictures=(Picture("figure-3-curves", caption, lambda: _draw(entries, points)),),
        notes=sentences(entries, points),
        settings=tuple((name, entry["settings"]) for name, entry in entries.items()),
    )


def _entry(curve: Curve, results: Results) -> dict[str, Any]:
    """One curve, as results.json holds it."""
    found, search = results[_curve_key(curve)], results[_tuning_key(curve)]
    interval = asdict(normal_mean(found["regret"], found["se"]))
    return {
        "regret": {limit: interval[limit] for limit in LIMITS},
        "nonreplication": found["nonreplication"],
        "confirmed": search["confirmed"],
        "curve": found["curve"],
        "settings": {
            "policy": curve.policy.to_dict() | search["settings"],
            "problem": curve.problem.to_dict(),
        },
    }


def sentences(entries: dict[str, dict[str, Any]], points: list[dict[str, Any]]) -> tuple[str, ...]:
    """The figure in plain words, and what is ours in it."""
    with_features = [(p["arms"], p["regret"]) for p in points if p["policy"] == "RLSE"]
    without = {p["arms"]: p["regret"] for p in points if p["policy"] == "one-hot"}
    most, regret = with_features[-1]
    rlse, other, one_hot = (entries[curve.name]["regret"] for curve in curves()[:3])
    choice = ", ".join(f"({x:g}, {y:g})" for x, y in problem(NAMED).to_dict()["features"])
    between = ", ".join(f"({x:g}, {y:g})" for x, y in BETWEEN.features)
    return (
        (
            "The paper shows this figure without numbers: RLSE has less regret than one-hot features. So it is here, "
            f"by a factor of {_ratio(one_hot, rlse)}, and by {_ratio(one_hot, other)} with a second choice of "
            "features."
        ),
        (
            f"The features are our choice, as the paper does not print them: {choice}, of which the design draws the "
            f"first, which is the best arm, and the last. The second choice is {between}: its best arm lies between "
            "the second and the last, so exploration never draws it and costs twice as much a pull, but tells it "
            "from the others with less noise."
        ),
        (
            f"From K = {with_features[0][0]} to {most:,}, with d = {DIMENSION}, the regret of RLSE grows by a factor "
            f"of {_ratio(regret, with_features[0][1])}, that of one-hot features by "
            f"{_ratio(without[most], without[with_features[0][0]])}; at K = {most:,} features save a factor of "
            f"{_ratio(without[most], regret)}."
        ),
        (
            "Algorithm 2 itself pools its phases, which are half as long; but of those that end before "
            f"T = {HORIZON:,}, its last has seen {_seen(curves()[3].policy):,} pulls of each arm, that of one-hot "
            f"features {_seen(curves()[2].policy):,} new ones: which of the two does better depends on where T falls."
        ),
    )


def _seen(policy: RLSE | RSE) -> int:
    """What decisions read of each arm at the end of the last phase that all arms complete."""
    spent, seen = 0, 0
    for phase in range(1, policy.phases + 1):
        spent += policy.rounds_with_all(phase)
        if spent > policy.horizon:
            break
        seen = policy.new_pulls(phase) + (seen if policy.memory == "run" else 0)
    return seen


def _ratio(large: dict[str, float], small: dict[str, float]) -> str:
    """A ratio of two means between the ratios of their limits."""
    low, high = large["low"] / small["high"], large["high"] / small["low"]
    return f"{large['estimate'] / small['estimate']:,.3g} ({low:,.3g} to {high:,.3g})"


def _tuned_table(entries: dict[str, dict[str, Any]], caption: str) -> Table:
    rows = tuple(
        (
            text(name),
            number(entry["regret"]["estimate"], error=entry["regret"]["high"] - entry["regret"]["estimate"]),
            limits(entry["nonreplication"]),
            number(entry["settings"]["policy"]["commit_scale"], 5),
            number(entry["settings"]["policy"]["eliminate_scale"], 5),
            text("yes" if entry["confirmed"] else "no"),
        )
        for name, entry in entries.items()
    )
    headings = ("policy", "regret", "nonreplication", "C", "C₂", "confirmed")
    return Table("figure-3-tuned", caption, headings, rows)


def _arms_table(points: list[dict[str, Any]], caption: str) -> Table:
    rows = tuple(
        (
            number(arms, 0),
            *(limits({limit: found["regret"][limit] / 1e6 for limit in LIMITS}, 1) for found in pair),
            text(_ratio(pair[1]["regret"], pair[0]["regret"]), look="number"),
            *(limits(found["nonreplication"]) for found in pair),
        )
        for arms in ARMS
        for pair in ([found for found in points if found["arms"] == arms],)
    )
    names = tuple(FEATURES)
    headings = (
        "K",
        *(f"regret / 10⁶, {name}" for name in names),
        "ratio",
        *(f"nonreplication, {name}" for name in names),
    )
    return Table("figure-3-many-arms", caption, headings, rows)


def _draw(entries: dict[str, dict[str, Any]], points: list[dict[str, Any]]) -> Figure:
    figure, (left, right) = figures.panels(2)
    _draw_curves(left, entries)
    for index, name in enumerate(FEATURES):
        chosen = [found for found in points if found["policy"] == name]
        colour = figures.COLOURS[2 * index]
        looks = {"color": colour, "ls": figures.DASHES[2 * index], "marker": MARKS[name], "ms": 5, "lw": 1.6}
        draw_points(right, ARMS, chosen, "regret", capsize=2, label=name, **looks)
    right.set(
        xscale="log",
        yscale="log",
        xlabel="arms K",
        ylabel="regret",
        title=f"Theorem's constants: d = {DIMENSION}, T = 10¹²",
    )
    right.legend(loc="upper left")
    return figure


def _draw_curves(axes: Axes, entries: dict[str, dict[str, Any]]) -> None:
    for index, (name, entry) in enumerate(entries.items()):
        rounds, mean, se = (np.array(entry["curve"][part]) for part in ("rounds", "mean", "se"))
        low, high = (np.maximum(mean + sign * 1.96 * se, 1e-9) for sign in (-1, 1))
        shown = mean > 0
        looks = {"color": figures.COLOURS[index], "ls": figures.DASHES[index], "lw": 1.8}
        axes.plot(rounds[shown], mean[shown], label=name, **looks)
        axes.fill_between(rounds[shown], low[shown], high[shown], color=figures.COLOURS[index], alpha=0.18, lw=0)
    axes.set(
        xscale="log", yscale="log", xlabel="round t", ylabel="regret", title=f"Tuned: K = 5, d = 2, T = {HORIZON:,}"
    )
    axes.set_xlim(10, HORIZON)
    axes.set_ylim(bottom=1)
    axes.legend(loc="upper left", fontsize=8)


FIGURE_3 = Artefact(
    "figure-3",
    "Figure 3: linear bandits",
    "Figure 3 compares RLSE, which explores by a G-optimal design of the features, with the same algorithm on "
    "one-hot features, which the paper calls RSE. Beside it stand cases with many more arms than dimensions, which "
    "the paper does not have.",
    sweep,
    analyse,
    prepare,
)
