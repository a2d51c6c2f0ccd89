"""The answer to "when does which win" in plain words, read from the cells and from nothing else."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

Cells = Sequence[Mapping[str, Any]]


def sentences(cells: Cells, target: float) -> tuple[str, ...]:
    """How often each wins, on which kind, what not knowing costs, who did not qualify, what the search missed."""
    won = [cell for cell in cells if cell["winner"]]
    if not won:
        return (f"No policy was shown to be {target:g}-replicable anywhere: too few runs for an answer.",)
    kinds = tuple(dict.fromkeys(cell["kind"] for cell in won))
    said = [_count(won), *(_kind(kind, [cell for cell in won if cell["kind"] == kind]) for kind in kinds)]
    return (*said, _unknown(won), _qualified(cells, target), _searched(won))


def _count(won: Cells) -> str:
    counts = Counter(cell["winner"] for cell in won)
    shares = ", ".join(f"{name} on {count}" for name, count in counts.most_common())
    close = sum(not cell["clear"] for cell in won)
    return (
        f"Least regret on {len(won)} instances: {shares}. On {close} of them the intervals of the best two overlap: "
        "there is no clear winner."
    )


def _kind(kind: str, won: Cells) -> str:
    """Who wins at which K, and what each pays on average."""
    places: dict[str, list[str]] = {}
    for cell in won:
        places.setdefault(cell["winner"], []).append(f"{cell['arms']:,}" + ("" if cell["clear"] else "*"))
    winners = "; ".join(f"{name} at K = {', '.join(arms)}" for name, arms in places.items())
    pays = ", ".join(f"{name} {factor:.2f}" for name, factor in typical_factors(won).items())
    return f"{kind.capitalize()}: {winners} (* = not clear). Regret relative to the least, geometric mean: {pays}."


def typical_factors(won: Cells) -> dict[str, float]:
    """The geometric mean of each policy's factor where it qualifies, the least first."""
    logs: dict[str, list[float]] = {}
    for cell in won:
        for name, values in cell["policies"].items():
            if values["factor"] is not None:
                logs.setdefault(name, []).append(math.log(values["factor"]))
    return dict(
        sorted(((name, math.exp(sum(found) / len(found))) for name, found in logs.items()), key=lambda pair: pair[1])
    )


def worst_factors(won: Cells) -> dict[str, tuple[float, Mapping[str, Any]]]:
    """The largest factor of each policy and where, the least first; only of policies that qualify everywhere."""
    worst: dict[str, tuple[float, Mapping[str, Any]]] = {}
    for name in won[0]["policies"]:
        found = [(cell["policies"][name]["factor"], cell) for cell in won]
        if all(factor is not None for factor, _ in found):
            worst[name] = max(found, key=lambda pair: float(pair[0]))
    return dict(sorted(worst.items(), key=lambda pair: pair[1][0]))


def _unknown(won: Cells) -> str:
    worst = worst_factors(won)
    if not worst:
        return "No policy qualifies on all instances, so none can be recommended for an unknown one."
    told = "; ".join(
        f"{name} at most {factor:.2f} times the least ({cell['kind']}, K = {cell['arms']:,})"
        for name, (factor, cell) in worst.items()
    )
    return f"If the kind of instance is not known, {next(iter(worst))} risks least: {told}."


def _qualified(cells: Cells, target: float) -> str:
    missing = [
        f"{name} on {cell['kind']}, K = {cell['arms']:,}"
        for cell in cells
        for name, values in cell["policies"].items()
        if not values["qualifies"]
    ]
    if missing:
        return f"Not shown to be {target:g}-replicable with any constants tried: {'; '.join(missing)}."
    spent = [cell["policies"][cell["winner"]]["nonreplication"]["estimate"] for cell in cells]
    spare = sum(value < target / 3 for value in spent)
    return (
        f"All policies qualify everywhere. On {spare} of {len(cells)} instances the winner uses less than a third of "
        f"the {target:g} it may: there wrong decisions cost more regret than replicability asks for."
    )


def _searched(won: Cells) -> str:
    """What the search has missed at least: RSE that never eliminates is REC, so it need never pay more."""
    both = [
        (cell["policies"]["RSE"]["factor"] / cell["policies"]["REC"]["factor"], cell)
        for cell in won
        if cell["policies"]["RSE"]["factor"] and cell["policies"]["REC"]["factor"]
    ]
    said = "The intervals tell how well the chosen constants are measured, not how good the search was"
    missed = [pair for pair in both if pair[0] > 1]
    if not missed:
        return f"{said}."
    factor, cell = max(missed, key=lambda pair: float(pair[0]))
    return (
        f"{said}: RSE can do all that REC does, yet pays up to {factor:.2f} times as much ({cell['kind']}, "
        f"K = {cell['arms']:,}). Differences of that size mean nothing."
    )
