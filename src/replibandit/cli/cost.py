"""``replibandit cost``: the practitioner's rule of the paper."""

from __future__ import annotations

import click
from rich.table import Table

from replibandit.cli.inputs import WHOLE
from replibandit.cli.outputs import print_json
from replibandit.cli.tables import SLIM, console, show
from replibandit.theory.practitioner import DECISIONS, Cost, replicability_cost

FAMILIES = {"commit": "commitment, D = 1: REC", "eliminate": "eliminations, D = K: RSE"}


@click.command("cost", help="Is the cost of replicability negligible? The rule log T >= D^2 log(K/rho)/rho^2.")
@click.option("--arms", type=WHOLE, required=True, help="K, the number of arms.")
@click.option("--rho", type=float, default=0.3, show_default=True, help="Allowed nonreplication.")
@click.option("--horizon", type=WHOLE, default=10_000, show_default=True, help="T, the number of rounds.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
def cost_command(arms: int, rho: float, horizon: int, as_json: bool) -> None:
    """Both families of policies."""
    costs = [replicability_cost(arms=arms, rho=rho, horizon=horizon, decisions=each) for each in DECISIONS]
    if as_json:
        print_json({"arms": arms, "rho": rho, "horizon": horizon} | {cost.decisions: _plain(cost) for cost in costs})
        return
    screen = console()
    table = Table(**SLIM)
    table.add_column("a policy decides by")
    for heading in ("log T", "cost of rho", "ratio", "negligible", "from T on"):
        table.add_column(heading, justify="right")
    for cost in costs:
        verdict = "yes" if cost.negligible else "no"
        numbers = (f"{cost.learning:.1f}", f"{cost.replicability:,.1f}", f"{cost.ratio:,.1f}")
        table.add_row(FAMILIES[cost.decisions], *numbers, verdict, f"10^{cost.log10_horizon_needed:,.1f}")
    show(screen, f"K = {arms:,}, rho = {rho:g}, T = {horizon:,}", table)
    screen.print("A rule of thumb about orders of growth: all constants are 1.", style="dim")


def _plain(cost: Cost) -> dict[str, object]:
    return {
        "learning": cost.learning,
        "replicability": cost.replicability,
        "ratio": cost.ratio,
        "negligible": cost.negligible,
        "log10_horizon_needed": cost.log10_horizon_needed,
    }
