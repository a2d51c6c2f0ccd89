"""``replibandit paper``: the paper's regret table beside ours."""

from __future__ import annotations

import click
from rich.table import Table

from replibandit.cli.inputs import WHOLE
from replibandit.cli.outputs import ProgressBar, print_json
from replibandit.cli.tables import console
from replibandit.paper.printed import REGRET
from replibandit.paper.two_models import Row, rows


@click.command("paper", help="Run both models of the paper and print our regret beside its own.")
@click.option("--runs", type=WHOLE, default=300, show_default=True, help="Runs per entry, as in the paper.")
@click.option("--seed", type=WHOLE, default=7, show_default=True, help="Seed of U and of the rewards.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
def paper_command(runs: int, seed: int, as_json: bool) -> None:
    """Run and print."""
    done: list[Row] = []
    with ProgressBar("running the paper") as progress:
        for row in rows(runs, seed):
            done.append(row)
            progress(len(done), len(REGRET))
    if as_json:
        print_json({"runs": runs, "seed": seed, "entries": [_plain(row) for row in done]})
        return
    title = f"Regret in the paper's two models, as reconstructed: {runs:,} runs"
    table = Table(title=title, title_justify="left")
    for heading in ("model", "policy", "T", "ours (two sigma)", "paper", "difference"):
        table.add_column(heading, justify="left" if heading in ("model", "policy") else "right")
    for before, row in zip([None, *done], done, strict=False):
        if before is not None and before.policy != row.policy:
            table.add_section()
        ours = f"{row.study.regret_mean:,.1f} ± {2 * row.study.regret_se:,.1f}"
        printed, difference = f"{row.printed:,.1f}", f"{row.difference:+.1%}"
        table.add_row(row.model, row.policy, f"{row.horizon:,}", ours, printed, difference)
    console().print(table)
    console().print("RSE on Model 2 and RASMAB are not recovered and left out.", style="dim")


def _plain(row: Row) -> dict[str, object]:
    return {
        "model": row.model,
        "policy": row.policy,
        "horizon": row.horizon,
        "regret_mean": row.study.regret_mean,
        "regret_se": row.study.regret_se,
        "paper": row.printed,
        "settings": row.study.config["policy"],
    }
