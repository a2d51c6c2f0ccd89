"""Better than printed, under the paper's own rules: the free-constants family, found by the tuner from a cold start.

The rules: variance 0.5, T = 10,000, nonreplication at most 0.3 by its upper confidence limit on shared U. The family
is REC's and RSE's decisions with any phases and thresholds (`SharpREC`, `SharpRSE`): the paper's are one point of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

from replibandit.paper import printed
from replibandit.paper.artefact import Artefact, Cell, Picture, Results, Section, Settings, Table, Task, number, text
from replibandit.paper.measures import measured, tuned
from replibandit.paper.points import limits
from replibandit.paper.protocols import AS_WRITTEN
from replibandit.paper.two_models import title, tuning_key, tuning_task
from replibandit.policies import Policy, SharpREC, SharpRSE
from replibandit.study import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FREE = ("SharpREC", "SharpRSE")
OWN = ("RASMAB", "REC", "RSE")  # the paper's families, tuned for Table 2
MANY = 10_000
TICKS = (100, 200, 500, 1000, 2000, 5000)
LABELS = {"SharpREC": "REC, free constants", "SharpRSE": "RSE, free constants"}
SYMBOLS = {"first": "N₁", "ratio": "b", "lo": "lo", "width": "w", "eliminate_lo": "lo′", "eliminate_width": "w′"}


def runs_for(settings: Settings) -> int:
    """Runs behind what was found: a wrong commitment is rare and costs thousands, so that 300 runs may miss it."""
    return max(settings.runs, round(MANY * settings.effort))


def start(model: str, name: str) -> Policy:
    """What the search is given: a member of the family; its constants are all searched, none is a hint."""
    arms = AS_WRITTEN.problem(model).arms
    common: dict[str, Any] = {"arms": arms, "horizon": printed.HORIZON, "rho": printed.RHO, "sigma": AS_WRITTEN.sd}
    ones: dict[str, Any] = {"first": 1, "ratio": 2.0, "lo": 1.0, "width": 1.0}
    if name == "SharpREC":
        return SharpREC(**common, **ones)
    return SharpRSE(**common, **ones, eliminate_lo=1.0, eliminate_width=1.0)


def prepare(settings: Settings) -> Iterator[Task]:
    """The searches, and those of Table 2 for comparison."""
    for model, name in product(printed.MODELS, FREE):
        key = _key("search", model, name)
        arguments = {
            "policy": start(model, name).to_dict(),
            "problem": AS_WRITTEN.problem(model).to_dict(),
            "target": printed.RHO,
            "seed": settings.seed_for(key),
            "effort": settings.effort,
        }
        yield Task(key, tuned, arguments)
    for model, name in product(printed.MODELS, OWN):
        yield tuning_task(settings, AS_WRITTEN, model, name)


def sweep(settings: Settings, prepared: Results) -> Iterable[Task]:
    """What was found, measured once more on seeds that no search has seen."""
    for model, name in product(printed.MODELS, FREE):
        key = _key("found", model, name)
        arguments = {
            "policy": _found(prepared, model, name),
            "problem": AS_WRITTEN.problem(model).to_dict(),
            "runs": runs_for(settings),
            "seed": settings.seed_for(key),
        }
        yield Task(key, measured, arguments)


def _key(what: str, model: str, name: str) -> str:
    return f"tuned/{what}/{model}/{name}"


def _found(prepared: Results, model: str, name: str) -> dict[str, Any]:
    """The policy that the search has found."""
    settings: dict[str, Any] = prepared[_key("search", model, name)]["settings"]
    return start(model, name).to_dict() | settings


def best_printed(model: str) -> tuple[str, float, float]:
    """The printed number to beat: the paper's replicable policy with the least regret.

    >>> best_printed("paper/model-1")
    ('REC', 597.2, 21.1)
    """
    name = min(("RASMAB", "REC", "RSE"), key=lambda name: printed.TABLE_2[model][name])
    return name, *printed.TABLE_2[model][name]


def analyse(settings: Settings, results: Results) -> Section:
    """What was found beside the best printed number, and what each family can buy."""
    best: dict[str, Any] = {
        model: {name: _entry(settings, results, model, name) for name in FREE} for model in printed.MODELS
    }
    frontiers = {model: {name: _frontier(results, model, name) for name in (*OWN, *FREE)} for model in printed.MODELS}
    rules = f"variance 0.5, T = {printed.HORIZON:,}, nonreplication at most {printed.RHO} by its upper limit"
    caption = (
        f"Found under the paper's rules ({rules}), and measured again on fresh seeds: {runs_for(settings):,} runs, "
        "regret with two standard errors. The search's own limit allows for all its finalists."
    )
    drawn = (
        f"What a search has seen of each family as written ({rules}): the least regret at each nonreplication. "
        "Diamonds: the choices for free constants, measured again. Crosses: the paper's numbers, at its target."
    )
    return Section(
        data={"best": best, "frontiers": frontiers},
        tables=(_table(best, caption), _constants(best)),
        pictures=(Picture("tuned-frontiers", drawn, lambda: _draw(frontiers, best)),),
        notes=tuple(sentences(best)),
        settings=tuple(
            (f"{title(model)}, {name}", best[model][name]["settings"]) for model in best for name in best[model]
        ),
    )


def _entry(settings: Settings, results: Results, model: str, name: str) -> dict[str, Any]:
    found, search = results[_key("found", model, name)], results[_key("search", model, name)]
    paper, regret, half_width = best_printed(model)
    return {
        "regret": found["regret"],
        "half_width": 2 * found["se"],
        "nonreplication": found["nonreplication"],
        "search": {"regret": search["regret"], "nonreplication": search["nonreplication"]},
        "paper": {"policy": paper, "regret": regret, "half_width": half_width},
        "settings": {
            "policy": _found(results, model, name),
            "problem": AS_WRITTEN.problem(model).to_dict(),
            "runs": runs_for(settings),
            "seed": settings.seed_for(_key("found", model, name)),
            "candidates": search["candidates"],
            "search_seed": settings.seed_for(_key("search", model, name)),
            "confirmed": search["confirmed"],
        },
    }


def _frontier(results: Results, model: str, name: str) -> list[dict[str, Any]]:
    key = _key("search", model, name) if name in FREE else tuning_key(AS_WRITTEN, model, name)
    frontier: list[dict[str, Any]] = results[key]["frontier"]
    return frontier


def sentences(best: Mapping[str, Any]) -> Iterator[str]:
    """By how much the printed numbers are beaten, and what such a number is worth."""
    for model, found in best.items():
        name = min(found, key=lambda name: found[name]["regret"])
        entry = found[name]
        paper = entry["paper"]
        yield (
            f"{title(model)}: {LABELS[name]}, regret {entry['regret']:,.0f}; the least printed is "
            f"{paper['policy']}'s {paper['regret']:,.0f}: {1 - entry['regret'] / paper['regret']:.0%} less."
        )
        for name, entry in found.items():
            if not entry["settings"]["confirmed"]:
                yield f"{title(model)}, {LABELS[name]}: no setting was confirmed; the most replicable one is shown."
    yield (
        "Nonreplication was measured on this instance and horizon; nothing guarantees it on any other. The theorems' "
        "constants are larger because they hold for every instance."
    )


def _table(best: Mapping[str, Any], caption: str) -> Table:
    rows = []
    for model, found in best.items():
        for name, entry in found.items():
            paper = entry["paper"]
            difference = entry["regret"] / paper["regret"] - 1
            rows.append(
                (
                    text(title(model)),
                    text(LABELS[name]),
                    number(entry["regret"], error=entry["half_width"], look="strong"),
                    _least_printed(paper),
                    Cell(f"{difference:+.1%}", difference, look="number dim"),
                    limits(entry["nonreplication"]),
                    limits(entry["search"]["nonreplication"]),
                )
            )
    headings = (
        "model", "rule", "regret", "least printed", "difference", "nonreplication, 95 %", "as the search saw it",
    )  # fmt: skip
    return Table("tuned-best", caption, headings, tuple(rows))


def _least_printed(paper: Mapping[str, Any]) -> Cell:
    words = f"{paper['policy']}: {paper['regret']:,.1f} ± {paper['half_width']:,.1f}"
    return Cell(words, paper["regret"], look="number")


def _constants(best: Mapping[str, Any]) -> Table:
    """What was found, in the symbols of the family."""
    rows = []
    for model, found in best.items():
        for name, entry in found.items():
            policy = entry["settings"]["policy"]
            values = (number(policy.get(knob), 0 if knob == "first" else 3) for knob in SYMBOLS)
            rows.append((text(title(model)), text(LABELS[name]), *values))
    return Table("tuned-constants", "The constants found.", ("model", "rule", *SYMBOLS.values()), tuple(rows))


def _draw(frontiers: Mapping[str, Any], best: Mapping[str, Any]) -> Figure:
    figure, panels = figures.panels(len(frontiers), height=4.4)
    for axes, (model, families) in zip(panels, frontiers.items(), strict=True):
        for index, (name, frontier) in enumerate(families.items()):
            _draw_frontier(axes, index, LABELS.get(name, name), frontier)
            if name in best[model]:
                entry = best[model][name]
                place = entry["nonreplication"]["estimate"], entry["regret"]
                axes.plot(*place, color=figures.COLOURS[index], marker="D", ms=7, ls="none", zorder=4)
            else:
                looks: dict[str, Any] = {"color": figures.COLOURS[index], "marker": "x", "ms": 7, "mew": 2}
                axes.plot([printed.RHO], [printed.TABLE_2[model][name][0]], ls="none", zorder=4, **looks)
        axes.axvline(printed.RHO, color=figures.MUTED, lw=1, ls="-.", label=f"target {printed.RHO}")
        axes.set(xlabel="nonreplication", ylabel="regret", title=title(model), yscale="log", xlim=(-0.01, 0.6))
        axes.set_yticks(TICKS, [f"{tick:,}" for tick in TICKS])
        axes.set_ylim(100, 5000)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", fontsize=9, ncols=3)
    return figure


def _draw_frontier(axes: Axes, index: int, label: str, frontier: list[dict[str, Any]]) -> None:
    """A staircase: what lies to its upper right can be had."""
    places = [point["nonreplication"] for point in frontier]
    regrets = [point["regret"] for point in frontier]
    looks: dict[str, Any] = {"color": figures.COLOURS[index], "ls": figures.DASHES[index], "lw": 1.8}
    axes.step([*places, 1.0], [*regrets, regrets[-1]], where="post", label=label, **looks)


TUNED = Artefact(
    name="tuned",
    title="Better than printed, by the same rules",
    about=(
        "The decisions of REC and RSE with free constants: phases N₁ bᵖ⁻¹ and thresholds (lo + w U) σ / √N for the "
        "commitment, (lo′ + w′ U) σ / √N for eliminations. All constants are found by our tuner, which starts from "
        "nothing and obeys the paper's rules."
    ),
    sweep=sweep,
    analyse=analyse,
    prepare=prepare,
)
