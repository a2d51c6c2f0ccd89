"""The experiments behind Tables 2 and 3 and Figure 1: both models, all policies, under both protocols."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from string import ascii_lowercase
from typing import Any

from replibandit.paper import printed
from replibandit.paper.artefact import Cell, Results, Settings, Task, number, text
from replibandit.paper.measures import measured, tuned
from replibandit.paper.points import limits
from replibandit.paper.protocols import PROTOCOLS, Multipliers, Protocol
from replibandit.paper.verdict import cell, paper_error, verdict
from replibandit.paper.why import why

POLICIES = printed.POLICIES
HEADINGS = ("model", "policy", "ours", "paper", "difference", "verdict", "why", "nonreplication, 95 %")
Place = tuple[Protocol, str, str, int]  # protocol, model, policy, horizon


def tuning_tasks(settings: Settings) -> Iterator[Task]:
    """The searches for multipliers that are not known."""
    for protocol in PROTOCOLS:
        for model in printed.MODELS:
            for name in POLICIES:
                if not protocol.is_known(model, name):
                    yield tuning_task(settings, protocol, model, name)


def tuning_task(settings: Settings, protocol: Protocol, model: str, name: str) -> Task:
    """One search, at the horizon of Table 2."""
    key = tuning_key(protocol, model, name)
    arguments = {
        "policy": protocol.policy(model, name, printed.HORIZON, {}).to_dict(),
        "problem": protocol.problem(model).to_dict(),
        "target": printed.RHO,
        "seed": settings.seed_for(key),
        "effort": settings.effort,
    }
    return Task(key, tuned, arguments)


def tuning_key(protocol: Protocol, model: str, name: str) -> str:
    """The name of a search."""
    return f"tuning/{protocol.name}/{model}/{name}"


def multipliers(protocol: Protocol, model: str, name: str, prepared: Results) -> Multipliers:
    """The known ones, or those that were found."""
    if protocol.is_known(model, name):
        return protocol.known.get((model, name), {})
    found: Multipliers = prepared[tuning_key(protocol, model, name)]["settings"]
    return found


def entry_key(protocol: Protocol, model: str, name: str, horizon: int) -> str:
    """The name of one entry of Table 3."""
    return f"entries/{protocol.name}/{model}/{name}/{horizon}"


def entry_tasks(settings: Settings, prepared: Results, horizons: tuple[int, ...]) -> Iterator[Task]:
    """The measurements, the longest first: a pool ends sooner that way."""
    for horizon in sorted(horizons, reverse=True):
        for name in reversed(POLICIES):
            for protocol in PROTOCOLS:
                for model in printed.MODELS:
                    key = entry_key(protocol, model, name, horizon)
                    found = multipliers(protocol, model, name, prepared)
                    arguments = {
                        "policy": protocol.policy(model, name, horizon, found).to_dict(),
                        "problem": protocol.problem(model).to_dict(),
                        "runs": settings.runs,
                        "seed": settings.seed_for(key),
                    }
                    yield Task(key, measured, arguments)


def entry(settings: Settings, results: Results, place: Place, paper: tuple[float, float | None]) -> dict[str, Any]:
    """One entry of Table 2 or 3, as results.json holds it."""
    protocol, model, name, horizon = place
    found = results[entry_key(*place)]
    regret, se, (value, half_width) = found["regret"], found["se"], paper
    word = verdict(regret, se, value, paper_error(half_width, se, settings.runs))
    key = tuning_key(protocol, model, name)
    searched = not protocol.is_known(model, name)
    policy = protocol.policy(model, name, horizon, multipliers(protocol, model, name, results))
    return {
        "regret": regret,
        "half_width": 2 * se,
        "nonreplication": found["nonreplication"],
        "paper": {"regret": value, "half_width": half_width},
        "verdict": word,
        "why": why(protocol.name, model, policy, word),
        "settings": {
            "policy": policy.to_dict(),
            "problem": protocol.problem(model).to_dict(),
            "runs": settings.runs,
            "seed": settings.seed_for(entry_key(*place)),
            "searched": searched,
            "confirmed": results[key]["confirmed"] if searched else None,
        },
    }


def entry_cells(model: str, name: str, values: dict[str, Any], notes: Mapping[str, str]) -> tuple[Cell, ...]:
    """The row of one entry; see `HEADINGS`."""
    paper = values["paper"]
    difference = values["regret"] / paper["regret"] - 1
    return (
        text(title(model)),
        text(name),
        number(values["regret"], error=values["half_width"], look="strong"),
        number(paper["regret"], error=paper["half_width"]),
        Cell(f"{difference:+.1%}", difference, look="number dim"),
        cell(values["verdict"], values["why"]),
        text(notes.get(values["why"], ""), look="dim", title=values["why"]),
        limits(values["nonreplication"]),
    )


def title(model: str) -> str:
    """A model as a person writes it.

    >>> title("paper/model-1")
    'Model 1'
    """
    return model.removeprefix("paper/").replace("-", " ").capitalize()


def lettered(entries: Iterable[dict[str, Any]]) -> dict[str, str]:
    """A letter for each reason why an entry is not matched, in the order of the table."""
    reasons = dict.fromkeys(values["why"] for values in entries if values["why"])
    return dict(zip(reasons, ascii_lowercase, strict=False))


def footnotes(letters: Mapping[str, str]) -> tuple[str, ...]:
    """What the letters stand for."""
    return tuple(f"({letter}) {reason}" for reason, letter in letters.items())
