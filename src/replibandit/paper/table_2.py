"""Table 2: regret at T = 10,000."""

from __future__ import annotations

from collections.abc import Iterable

from replibandit.paper import printed
from replibandit.paper.artefact import Artefact, Results, Section, Settings, Table, Task, text
from replibandit.paper.protocols import PROTOCOLS
from replibandit.paper.two_models import (
    HEADINGS,
    POLICIES,
    entry,
    entry_cells,
    entry_tasks,
    footnotes,
    lettered,
    title,
    tuning_tasks,
)


def sweep(settings: Settings, prepared: Results) -> Iterable[Task]:
    """Every policy on both models under both protocols."""
    return entry_tasks(settings, prepared, (printed.HORIZON,))


def analyse(settings: Settings, results: Results) -> Section:
    """Ours beside the printed numbers."""
    data = {
        protocol.name: {
            model: {
                name: entry(settings, results, (protocol, model, name, printed.HORIZON), printed.TABLE_2[model][name])
                for name in POLICIES
            }
            for model in printed.MODELS
        }
        for protocol in PROTOCOLS
    }
    entries = [
        ((protocol, model, name), values)
        for protocol in PROTOCOLS
        for model, policies in data[protocol.name].items()
        for name, values in policies.items()
    ]
    letters = lettered(values for _, values in entries)
    tables = []
    for protocol in PROTOCOLS:
        rows = [
            (*entry_cells(model, name, values, letters), text(_multipliers(values["settings"]["policy"])))
            for (its, model, name), values in entries
            if its is protocol
        ]
        caption = f"{protocol.title.capitalize()}: {protocol.about}. Regret with two standard errors."
        tables.append(Table(f"table-2-{protocol.name}", caption, (*HEADINGS, "multipliers"), tuple(rows)))
    every_setting = tuple(
        (f"{protocol.title}, {title(model)}, {name}", values["settings"])
        for (protocol, model, name), values in entries
    )
    return Section(data, tables=tuple(tables), notes=footnotes(letters), settings=every_setting)


def _multipliers(policy: dict[str, float]) -> str:
    named = {"commit_scale": "C = ", "eliminate_scale": "C₂ = ", "divisor": "β / "}
    return ", ".join(f"{symbol}{_shown(policy[name])}" for name, symbol in named.items() if name in policy)


def _shown(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


TABLE_2 = Artefact(
    name="table-2",
    title="Table 2: regret at T = 10,000",
    about=(
        "Mean regret of the tuned policies on the two models of Section 8, under both readings of the paper's "
        "settings. Nonreplication is the probability that two runs that share U pull different sequences of arms, "
        "with an interval over values of U."
    ),
    sweep=sweep,
    analyse=analyse,
    prepare=tuning_tasks,
)
