"""When does which win: REC, RSE and RASMAB, each with its constants tuned to the same measured nonreplication.

Three kinds of instances, 2 to 1,000 arms. On each, the search of `tune` chooses the constants of each policy for the
least regret whose upper limit of nonreplication is at most the target: C and a of REC, C, C_2 and a of RSE, the
divisor and the base of RASMAB. The horizon is 1,000 pulls for each arm, and 10,000 at least: a thousand pulls of two
arms tell a gap of 0.1 apart at this noise (3.2 standard errors), so that each policy can finish its search on each
instance but has to hurry. At K = 10 the instance with equal gaps is the paper's Model 1, at K = 3 that with a close
runner-up has the gaps of its Model 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

import numpy as np

from replibandit.core.knobs import Knob
from replibandit.paper.artefact import Artefact, Cell, Picture, Results, Section, Settings, Table, Task, number, text
from replibandit.paper.which_wins_pictures import draw_factors, draw_map
from replibandit.paper.which_wins_words import sentences
from replibandit.policies import RASMAB, REC, RSE
from replibandit.problems import Gaussian
from replibandit.problems.catalog import PAPER_SD
from replibandit.study.tuning import tune

ARMS = (2, 3, 10, 30, 100, 1000)
KINDS = ("equal gaps", "one close runner-up", "geometric gaps")
POLICIES: dict[str, type[REC | RSE | RASMAB]] = {"REC": REC, "RSE": RSE, "RASMAB": RASMAB}
TARGET = 0.3
BEST, FAR, NEAR, EQUAL, LARGEST = 0.9, 0.6, 0.1, 0.4, 0.8
PULLS_PER_ARM, SHORTEST = 1000, 10_000
BASES, SHORTER = Knob(1.5, 50.0), 10.0  # of RASMAB's batches; large gaps want shorter ones than its knob gives
MOST = 4.0  # times the usual search, however many runs are asked for
EFFORT, LEAST_EFFORT, EFFORT_TIMES_ARMS = 0.15, 0.02, 6.0  # a run costs about its number of arms
PER_KNOB, PER_KNOB_IF_MANY_ARMS = 40, 10
# From so many arms on, a search is too costly to begin everywhere: it begins where the one with fewer arms ended, and
# looks this part of each range to both sides.
MANY, NEARBY = 300, 0.15

SYMBOLS = {"commit_scale": "C", "eliminate_scale": "C₂", "growth": "a", "divisor": "β/", "base": "base"}

Values = dict[str, Any]


def gaps(kind: str, arms: int) -> list[float]:
    """The gaps of all arms but the best.

    >>> gaps("one close runner-up", 4)
    [0.1, 0.6, 0.6]
    """
    if kind == "equal gaps":
        return [EQUAL] * (arms - 1)
    if kind == "one close runner-up":
        return [NEAR] + [FAR] * (arms - 2)
    if arms == 2:
        return [float(np.sqrt(NEAR * LARGEST))]
    return [float(gap) for gap in np.geomspace(NEAR, LARGEST, arms - 1)]


def instance(kind: str, arms: int) -> Gaussian:
    """The problem: noise of variance 0.5, as in the paper."""
    return Gaussian(means=(BEST, *(BEST - gap for gap in gaps(kind, arms))), sd=PAPER_SD)


def horizon(arms: int) -> int:
    """A thousand pulls for each arm, ten thousand at least."""
    return max(PULLS_PER_ARM * arms, SHORTEST)


def subject(name: str, arms: int) -> REC | RSE | RASMAB:
    """The policy whose constants are searched."""
    return POLICIES[name](arms=arms, horizon=horizon(arms), rho=TARGET, sigma=PAPER_SD)


def space(policy: REC | RSE | RASMAB, largest_gap: float) -> dict[str, Knob]:
    """What is turned, and how far: above its end a multiplier forbids every decision on this instance."""
    if isinstance(policy, RASMAB):
        printed = policy.knobs["divisor"]
        return {"divisor": Knob(printed.low, SHORTER * printed.high), "base": BASES}
    most = largest_gap / policy.smallest_gap
    widest = (policy.horizon / policy.arms / (8 * policy.sigma**2)) ** 0.5  # N_1 = 8 a^2 sigma^2 is T / K
    return {name: Knob(most / 100, most) for name in policy.knobs} | {"growth": Knob(1.3, widest)}


def nearby(knobs: dict[str, Knob], places: Values) -> dict[str, Knob]:
    """The part of each knob's range around a place."""
    ends = {name: knobs[name].at(np.clip([place - NEARBY, place + NEARBY], 0, 1)) for name, place in places.items()}
    return {name: Knob(float(low), float(high)) for name, (low, high) in ends.items()}


def search(*, kind: str, arms: int, policy: str, share: float, seed: int, around: Values | None = None) -> Values:
    """The tuned policy on one instance, with ``share`` of the usual search, everywhere or ``around`` some places."""
    problem, start = instance(kind, arms), subject(policy, arms)
    knobs = space(start, float(problem.gaps.max()))
    per_knob = PER_KNOB if around is None else PER_KNOB_IF_MANY_ARMS
    tuning = tune(
        start,
        problem,
        target=TARGET,
        space=knobs if around is None else nearby(knobs, around),
        candidates=max(round(per_knob * len(knobs) * min(share, 1)), 10),
        effort=min(max(EFFORT_TIMES_ARMS / arms, LEAST_EFFORT), EFFORT) * share,
        seed=seed,
    )
    chosen = tuning.best or tuning.safest
    places = {name: knobs[name].place(value) for name, value in chosen.settings}
    return chosen.to_dict() | {"qualifies": tuning.best is not None, "places": places}


def _task(settings: Settings, kind: str, arms: int, policy: str, **options: Any) -> Task:  # noqa: ANN401  plain values
    key, share = _key(kind, arms, policy), min(settings.runs / 300, MOST)
    arguments = {"kind": kind, "arms": arms, "policy": policy, "share": share, "seed": settings.seed_for(key)}
    return Task(key, search, arguments | options)


def prepare(settings: Settings) -> Iterator[Task]:
    """A search for each policy on each instance that is not large, the longest first: a pool ends sooner that way."""
    few = [arms for arms in sorted(ARMS, reverse=True) if arms < MANY]
    for arms, kind, policy in product(few, KINDS, POLICIES):
        yield _task(settings, kind, arms, policy)


def sweep(settings: Settings, prepared: Results) -> Iterable[Task]:
    """The searches on large instances, near what was found on the largest of the others; and those again."""
    yield from prepare(settings)
    last = max(arms for arms in ARMS if arms < MANY)
    for arms, kind, policy in product(ARMS, KINDS, POLICIES):
        if arms >= MANY:
            yield _task(settings, kind, arms, policy, around=prepared[_key(kind, last, policy)]["places"])


def _key(kind: str, arms: int, policy: str) -> str:
    return f"which-wins/{kind}, {arms}, {policy}"


def analyse(settings: Settings, results: Results) -> Section:
    """Who wins where, by how much, and what that says."""
    cells = [
        cell(kind, arms, {name: results[_key(kind, arms, name)] for name in POLICIES})
        for kind, arms in product(KINDS, ARMS)
    ]
    caption = (
        f"Regret of the tuned policies, K = {ARMS[0]} to {ARMS[-1]:,}, T = {PULLS_PER_ARM:,} K and at least "
        f"{SHORTEST:,}, noise of variance 0.5, upper limit of nonreplication at most {TARGET:g} on the instance "
        f"itself; seed {settings.seed}. Equal gaps: {EQUAL:g}. One close runner-up: {NEAR:g}, all others {FAR:g}. "
        f"Geometric gaps: from {NEAR:g} to {LARGEST:g} in equal ratios."
    )
    return Section(
        data={"target": TARGET, "cells": cells, "answer": list(sentences(cells, TARGET))},
        tables=(_table(cells, caption),),
        pictures=(
            Picture("which-wins-map", f"The policy with the least regret. {caption}", lambda: draw_map(cells)),
            Picture("which-wins-factors", f"How much more the others pay. {caption}", lambda: draw_factors(cells)),
        ),
        notes=sentences(cells, TARGET),
        settings=tuple(_searched()),
    )


def cell(kind: str, arms: int, found: dict[str, Values]) -> Values:
    """One instance: the winner, whether its interval is apart from all others, and every policy's share."""
    uniform = horizon(arms) * float(instance(kind, arms).gaps.mean())
    order = sorted((n for n in found if found[n]["qualifies"]), key=lambda n: float(found[n]["regret"]["estimate"]))
    least = found[order[0]]["regret"] if order else None
    policies = {
        name: values
        | {
            "of_uniform": values["regret"]["estimate"] / uniform,
            "factor": values["regret"]["estimate"] / least["estimate"] if least and values["qualifies"] else None,
        }
        for name, values in found.items()
    }
    return {
        "kind": kind,
        "arms": arms,
        "horizon": horizon(arms),
        "uniform": uniform,
        "order": order,
        "winner": order[0] if order else None,
        "clear": least is not None and all(found[name]["regret"]["low"] > least["high"] for name in order[1:]),
        "policies": policies,
    }


def _searched() -> Iterator[tuple[str, Any]]:
    """The ranges of the search, for the page."""
    for name, arms in product(POLICIES, (ARMS[0], ARMS[-1])):
        knobs = space(subject(name, arms), LARGEST)
        yield f"{name}, K = {arms:,}", {knob: [ends.low, ends.high] for knob, ends in knobs.items()}


def _table(cells: list[Values], caption: str) -> Table:
    headings = (
        "instance",
        "K",
        "policy",
        "regret",
        "times the least",
        "of uniform play",
        "nonreplication",
        "constants",
    )
    rows = tuple(
        (
            text(found["kind"]),
            number(found["arms"], 0),
            text(name, "strong" if name == found["winner"] else ""),
            _regret(values),
            number(values["factor"], 2),
            Cell(f"{values['of_uniform']:.0%}", values["of_uniform"], look="number"),
            _limits(values["nonreplication"], qualifies=values["qualifies"]),
            text(", ".join(f"{SYMBOLS[knob]} {value:.3g}" for knob, value in values["settings"].items())),
        )
        for found in cells
        for name, values in found["policies"].items()
    )
    return Table("which-wins-cells", caption, headings, rows)


def _regret(values: Values) -> Cell:
    regret = values["regret"]
    return number(regret["estimate"], error=regret["high"] - regret["estimate"])


def _limits(interval: Values, *, qualifies: bool) -> Cell:
    words = f"{interval['estimate']:.3f} ({interval['low']:.3f} to {interval['high']:.3f})"
    title = "" if qualifies else f"not shown to be at most {TARGET:g}: left out of the comparison"
    return Cell(words if qualifies else f"{words} ✗", interval["estimate"], look="number", title=title)


WHICH_WINS = Artefact(
    "which-wins",
    "When does which win",
    "REC, RSE and RASMAB with constants tuned on each instance for the least regret at the same measured "
    "nonreplication: over equal gaps, one close runner-up and geometric gaps, from 2 to 1,000 arms. "
    "What is tuned on an instance is measured there and promised nowhere else; of the three, only REC and RSE have "
    "constants for which a ρ is proved.",
    sweep,
    analyse,
    prepare,
)
