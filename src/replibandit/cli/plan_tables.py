"""Plans as tables that fit 80 columns: one column per design."""

from __future__ import annotations

from rich.table import Table

from replibandit.cli.tables import SLIM, console, show
from replibandit.study.affording import Afford
from replibandit.study.plan_figures import percent, wrong
from replibandit.study.planning import Plan

WIDTH = 80


def print_plan(plan: Plan) -> None:
    """The designs side by side, then the notes and what is assumed."""
    out = console()
    out.width = min(out.width, WIDTH)
    table = Table(**SLIM)
    table.add_column("")
    for design in plan.designs:
        table.add_column(design.design.replace(" ", "\n"), justify="right", vertical="bottom")
    for name, cells in _rows(plan):
        table.add_row(name, *cells)
    show(out, _title(plan), table)
    out.print('"one arm is best": to choose is to reject a tie at the top, at a price far below rho', style="dim")
    for note in plan.notes:
        out.print(note, style="yellow")
    for design in plan.designs:
        out.print(f"{design.design}: {design.guarantee} ({design.method})", style="dim")
    for assumption in plan.assumptions:
        out.print(f"assumed: {assumption}", style="dim")


def _title(plan: Plan) -> str:
    asked = f"{plan.arms} arms, gap {plan.gap:g}, sigma {plan.sigma:g}, rho {plan.rho:g}"
    return f"{asked}, T = {plan.horizon:,}"


def _rows(plan: Plan) -> list[tuple[str, list[str]]]:
    designs = plan.designs
    return [
        ("chooses an arm before T", [percent(d.commits) for d in designs]),
        ("samples per arm, mean", [count(d.samples_mean) for d in designs]),
        ("samples per arm, 95 %", [count(d.samples_sure) for d in designs]),
        ("expected regret up to T", [count(d.regret) for d in designs]),
        ("chooses a wrong arm", [wrong(d) for d in designs]),
        ("two runs differ", [percent(d.differ) for d in designs]),
        (f"power of a test, level {plan.level:g}", [percent(d.power) for d in designs]),
        ('power of "one arm is best"', [percent(d.power_commit) for d in designs]),
        ("smallest gap it can decide", [number(d.smallest_gap) for d in designs]),
    ]


def print_afford(answer: Afford) -> None:
    """The smallest gap or rho for each design."""
    out = console()
    out.width = min(out.width, WIDTH)
    given = f"rho {answer.rho:g}" if answer.rho is not None else f"gap {answer.gap:g}"
    title = f"{answer.arms} arms, sigma {answer.sigma:g}, {given}, {answer.budget:,} rounds of exploration"
    table = Table(**SLIM)
    table.add_column("design")
    table.add_column(f"smallest {answer.unknown}", justify="right")
    table.add_column("")
    for found in answer.designs:
        table.add_row(found.design, number(found.value), found.remark)
    show(out, title, table)
    out.print("enough: exploration is over within the budget with probability 95 %", style="dim")


def count(value: float | None) -> str:
    """Samples, or regret."""
    if value is None:
        return "never"
    return f"{value:,.0f}" if value < 10**7 else f"{value:.3g}"


def number(value: float | None) -> str:
    """A gap or a rho."""
    return "none" if value is None or value == float("inf") else f"{value:.3g}"
