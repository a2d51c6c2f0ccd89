"""Results as tables for people."""

from __future__ import annotations

import math
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from replibandit.core.policy import Guarantee
from replibandit.policies.elimination import Elimination
from replibandit.study.figures import label, problem_name
from replibandit.study.intervals import Interval
from replibandit.study.replicability import Twins
from replibandit.study.simulation import Study

LONGEST = 12  # rows of a table before the rest is summed up
SLIM: dict[str, Any] = {"box": box.HORIZONTALS, "padding": (0, 1, 0, 0), "pad_edge": False}  # results fit 80 columns


def console() -> Console:
    """Standard output; 100 columns where it is no terminal."""
    plain: dict[str, Any] = {"highlight": False, "markup": False, "emoji": False}  # a name may hold [brackets]
    made = Console(**plain, soft_wrap=False)
    return made if made.is_terminal else Console(**plain, width=100)


def show(out: Console, title: str, table: Table) -> None:
    """A table under its title, on a line of its own: a title may be longer than its table is wide."""
    out.print(title, style="italic")
    out.print(table)


def print_studies(studies: list[Study]) -> None:
    """Regret beside regret, then the arms of the first study, then what is guaranteed."""
    out, first = console(), studies[0]
    runs, horizon = first.digests.size, first.policy.horizon
    table = Table(**SLIM)
    table.add_column("policy")
    for heading in ("regret", "95 % interval", "best arm", "stopping phase"):
        table.add_column(heading, justify="right", no_wrap=True)
    for study in studies:
        interval = study.regret_interval
        best = float(study.pulls[:, study.problem.best].mean()) / horizon
        table.add_row(label(study), f"{study.regret_mean:,.1f}", limits(interval), f"{best:.1%}", _stopping(study))
    show(out, f"{problem_name(first.problem)}: {runs:,} runs, T = {horizon:,}", table)
    show(out, f"{label(first)}: pulls per arm", _arms(first))
    for study in studies:
        out.print(f"{label(study)}: {guarantee_text(study.policy.guarantee)}", style="dim")
        for note in notes(study):
            out.print(f"{label(study)}: {note}", style="yellow")


def print_twins(twins: Twins) -> None:
    """Nonreplication and its relatives, then the ledger."""
    out = console()
    title = (
        f"{label_of(twins)} on {problem_name(twins.problem)}: {twins.seeds:,} values of U, {twins.runs:,} runs each"
    )
    table = Table(**SLIM)
    table.add_column("twins differ in")
    table.add_column("probability", justify="right")
    table.add_column("95 % interval", justify="right")
    table.add_row("the sequence of arms", f"{twins.nonreplication:.4f}", limits(twins.interval, 4), style="bold")
    table.add_row("  the paper's plug-in", f"{twins.plug_in:.4f}", "", style="dim")
    for name, relaxed in (
        ("some arm's count", twins.different_counts),
        ("the best arm's count", twins.different_best_count),
    ):
        table.add_row(name, f"{relaxed.estimate:.4f}", limits(relaxed, 4))
    show(out, title, table)
    out.print(f"interval: {twins.interval.method}, over values of U", style="dim")
    show(out, "Where twins first part", _ledger(twins))
    out.print(f"{label_of(twins)}: {guarantee_text(twins.policy.guarantee)}", style="dim")


def notes(study: Study) -> list[str]:
    """What a person must know before believing the numbers."""
    policy = study.policy
    if not isinstance(policy, Elimination) or policy.arms == 1:
        return []
    needed, largest = policy.smallest_gap, float(study.problem.gaps.max())
    if math.isinf(needed):
        return ["the horizon ends inside the first phase: no decision is ever made."]
    if needed > largest:
        sentence = (
            f"no gap below {needed:.3g} can end exploration before T = {policy.horizon:,}, and the largest gap here "
            f"is {largest:.3g}: expect uniform allocation. Use a longer horizon, or --set commit_scale=C below 1 "
            "(then nothing is guaranteed)."
        )
        return [sentence]
    return []


def guarantee_text(guarantee: Guarantee) -> str:
    """The guarantee with its assumptions."""
    if guarantee.rho is None:
        return str(guarantee)
    return f"{guarantee}, if {'; '.join(guarantee.assumptions)}"


def label_of(twins: Twins) -> str:
    """The policy's name."""
    return type(twins.policy).__name__


def limits(interval: Interval, digits: int = 1) -> str:
    """Both ends of an interval; "-" if it has none."""
    if not math.isfinite(interval.low):
        return "-"
    return f"{interval.low:,.{digits}f} to {interval.high:,.{digits}f}"


def _stopping(study: Study) -> str:
    if not study.stopping:
        return "-"
    common = sorted(study.stopping.items(), key=lambda item: -item[1])[:3]
    return ", ".join(f"{phase or 'never'}: {share:.0%}" for phase, share in common)


def _arms(study: Study) -> Table:
    table = Table(**SLIM)
    for heading in ("arm", "mean", "gap", "pulls", "share"):
        table.add_column(heading, justify="right")
    means, gaps, pulls = study.problem.means, study.problem.gaps, study.pulls.mean(axis=0)
    labels = getattr(study.problem, "labels", ()) or range(study.problem.arms)
    rows = list(zip(labels, means, gaps, pulls, strict=True))
    for name, mean, gap, count in rows[:LONGEST]:
        table.add_row(str(name), f"{mean:.4g}", f"{gap:.4g}", f"{count:,.1f}", f"{count / study.policy.horizon:.1%}")
    if len(rows) > LONGEST:
        rest = sum(row[3] for row in rows[LONGEST:])
        table.add_row(f"{len(rows) - LONGEST} more", "", "", f"{rest:,.1f}", f"{rest / study.policy.horizon:.1%}")
    return table


def _ledger(twins: Twins) -> Table:
    ledger = twins.ledger
    table = Table(**SLIM, show_footer=True)
    budget = "-" if ledger.budget is None else f"{ledger.budget:.4f}"
    table.add_column("where", footer="all, with twice the bad event" if ledger.budget is not None else "all")
    table.add_column("decision")
    table.add_column("share of twins", justify="right", footer=f"{ledger.total:.4f}")
    table.add_column("budget", justify="right", footer=budget)
    for entry in ledger.entries:
        allowed = "-" if entry.budget is None else f"{entry.budget:.4f}"
        table.add_row(entry.where, entry.decision, f"{entry.share:.4f}", allowed)
    if ledger.bad_event is not None:
        allowed = "-" if ledger.bad_event_budget is None else f"{ledger.bad_event_budget:.4f}"
        table.add_section()
        table.add_row("a run's good event", "fails", f"{ledger.bad_event.estimate:.4f}", allowed)
    return table
