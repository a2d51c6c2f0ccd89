"""Table 3 ("Additional Simulations"): regret of the policies tuned at T = 10,000 under other horizons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from replibandit.paper import printed
from replibandit.paper.artefact import Artefact, Results, Section, Settings, Table, Task, number
from replibandit.paper.protocols import PROTOCOLS, Protocol
from replibandit.paper.two_models import (
    HEADINGS,
    POLICIES,
    Place,
    entry,
    entry_cells,
    entry_tasks,
    footnotes,
    lettered,
    title,
    tuning_tasks,
)


def sweep(settings: Settings, prepared: Results) -> Iterable[Task]:
    """Every policy on both models at every horizon under both protocols."""
    return entry_tasks(settings, prepared, printed.HORIZONS)


def analyse(settings: Settings, results: Results) -> Section:
    """Ours beside the printed numbers; T = 10,000 is Table 2 again, from the same runs."""
    data = {protocol.name: _models(settings, results, protocol) for protocol in PROTOCOLS}
    entries = list(_entries(data))
    letters = lettered(values for _, values in entries)
    tables = []
    for protocol in PROTOCOLS:
        rows = []
        for (its, model, name, horizon), values in entries:
            if its is protocol:
                first, *rest = entry_cells(model, name, values, letters)
                rows.append((first, number(horizon, 0), *rest))
        caption = f"{protocol.title.capitalize()}: {protocol.about}. Regret with two standard errors."
        headings = (HEADINGS[0], "T", *HEADINGS[1:])
        tables.append(Table(f"table-3-{protocol.name}", caption, headings, tuple(rows)))
    every_setting = tuple(
        (f"{protocol.title}, {title(model)}, {name}, T = {horizon:,}", values["settings"])
        for (protocol, model, name, horizon), values in entries
    )
    return Section(data, tables=tuple(tables), notes=footnotes(letters), settings=every_setting)


def _models(settings: Settings, results: Results, protocol: Protocol) -> dict[str, Any]:
    """Entries by model, policy and horizon."""
    return {
        model: {
            name: {
                str(horizon): entry(
                    settings, results, (protocol, model, name, horizon), printed.regret(model, name, horizon)
                )
                for horizon in printed.HORIZONS
            }
            for name in POLICIES
        }
        for model in printed.MODELS
    }


def _entries(data: dict[str, Any]) -> Iterator[tuple[Place, dict[str, Any]]]:
    """In the order of the printed table: by model, then horizon, then policy."""
    for protocol, model, horizon, name in product(PROTOCOLS, printed.MODELS, printed.HORIZONS, POLICIES):
        yield (protocol, model, name, horizon), data[protocol.name][model][name][str(horizon)]


TABLE_3 = Artefact(
    name="table-3",
    title="Table 3: regret at T = 1,000, 10,000 and 100,000",
    about=(
        "Mean regret of the same policies under other horizons. As in the paper, multipliers are those tuned at "
        "T = 10,000: at another horizon nothing makes nonreplication stay below 0.3."
    ),
    sweep=sweep,
    analyse=analyse,
    prepare=tuning_tasks,
)
