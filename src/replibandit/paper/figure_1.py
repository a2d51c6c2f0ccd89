"""Figure 1: regret against t, from the runs of Table 2."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from replibandit.paper import printed
from replibandit.paper.artefact import Artefact, Picture, Results, Section, Settings, Table, Task, number, text
from replibandit.paper.protocols import PROTOCOLS, Protocol
from replibandit.paper.two_models import POLICIES, entry_key, entry_tasks, title, tuning_tasks
from replibandit.study import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MODELS = printed.MODELS
SHOWN = (100, 1_000, 3_162, 10_000)  # rounds in the table; the picture has them all
WIDE = 1.96  # of a 95 % band, in standard errors


def sweep(settings: Settings, prepared: Results) -> Iterable[Task]:
    """The entries of Table 2: their curves are kept with them."""
    return entry_tasks(settings, prepared, (printed.HORIZON,))


def analyse(settings: Settings, results: Results) -> Section:
    """Every curve, under both protocols."""
    data = {
        protocol.name: {
            model: {name: _curve(results, protocol, model, name) for name in POLICIES} for model in MODELS
        }
        for protocol in PROTOCOLS
    }
    told = f"{settings.runs:,} runs, with 95 % bands. Crosses: the paper's values at T = 10,000 with its ±."
    linear = f"Regret(t) for t = 1 to T on the paper's axes. {told}"
    log = f"The same curves on logarithmic axes. {told}"
    return Section(
        data=data,
        tables=(_table(data),),
        pictures=(
            Picture("figure-1-regret", linear, lambda: _draw(data, scale="linear")),
            Picture("figure-1-regret-log", log, lambda: _draw(data, scale="log")),
        ),
    )


def _curve(results: Results, protocol: Protocol, model: str, name: str) -> dict[str, Any]:
    curve: dict[str, Any] = results[entry_key(protocol, model, name, printed.HORIZON)]["curve"]
    return curve


def _table(data: dict[str, Any]) -> Table:
    """The curves at some rounds."""
    rows = []
    for protocol, model in product(PROTOCOLS, MODELS):
        for name, curve in data[protocol.name][model].items():
            places = np.searchsorted(curve["rounds"], SHOWN).tolist()
            regrets = [number(curve["mean"][at], error=2 * curve["se"][at]) for at in places]
            rows.append((text(protocol.title), text(title(model)), text(name), *regrets))
    headings = ("protocol", "model", "policy", *(f"t = {t:,}" for t in SHOWN))
    return Table("figure-1-rounds", "Regret(t) at some rounds, with two standard errors.", headings, tuple(rows))


def _draw(data: dict[str, Any], *, scale: str) -> Figure:
    figure, panels = figures.panels(len(MODELS), len(PROTOCOLS))
    for axes, (protocol, model) in zip(panels, product(PROTOCOLS, MODELS), strict=True):
        _draw_one(axes, data[protocol.name][model], model)
        axes.set(xscale=scale, yscale=scale, xlabel="round t", ylabel="regret")
        axes.set_title(f"{title(model)}, {protocol.title}")
        if scale == "log":
            axes.set(xlim=(10, printed.HORIZON * 1.2), ylim=(1, None))
        else:
            axes.set(xlim=(0, printed.HORIZON * 1.03), ylim=(0, None))
        axes.legend(loc="upper left", fontsize=8)
    return figure


def _draw_one(axes: Axes, curves: dict[str, dict[str, list[float]]], model: str) -> None:
    for index, (name, curve) in enumerate(curves.items()):
        colour, dashes = figures.COLOURS[index], figures.DASHES[index]
        rounds, mean, band = (np.array(curve[what]) for what in ("rounds", "mean", "se"))
        axes.plot(rounds, mean, color=colour, ls=dashes, lw=2, label=name)
        axes.fill_between(rounds, mean - WIDE * band, mean + WIDE * band, color=colour, alpha=0.18, lw=0)
        regret, half_width = printed.TABLE_2[model][name]
        looks: dict[str, Any] = {
            "color": colour,
            "marker": "x",
            "ms": 7,
            "mew": 2,
            "capsize": 3,
            "ls": "none",
            "clip_on": False,
        }
        axes.errorbar([printed.HORIZON], [regret], yerr=[half_width], **looks)


FIGURE_1 = Artefact(
    name="figure-1",
    title="Figure 1: regret against t",
    about=(
        "Regret(t) of the four policies on both models, from the runs behind Table 2, under both readings of the "
        "paper's settings. Regret is exact at every round of the grid, inside phases as well."
    ),
    sweep=sweep,
    analyse=analyse,
    prepare=tuning_tasks,
)
