"""``replibandit plan``: what an experiment will cost, before its first reward."""

from __future__ import annotations

from pathlib import Path

import click

from replibandit.cli.inputs import WHOLE
from replibandit.cli.outputs import Outputs, output_options, print_json
from replibandit.cli.plan_tables import print_afford, print_plan
from replibandit.study import plan_figures
from replibandit.study.affording import afford
from replibandit.study.planning import plan
from replibandit.theory.noise import NOISES

HELP = """What an experiment will cost and deliver, for several designs side by side.

The best arm leads all others by --gap; the designs are REC with the theorem's and with sharp constants, known-gap
ETC, and a plain A/B test.  With --budget the question is turned round: --solve gap (or rho) gives the smallest gap
(or rho) that so many rounds of exploration pay for."""


@click.command("plan", help=HELP)
@click.option("--arms", type=WHOLE, required=True, help="K, the number of arms.")
@click.option("--gap", type=float, help="Lead of the best arm over all others.")
@click.option("--sigma", type=float, required=True, help="Standard deviation of a reward, or an upper bound.")
@click.option("--rho", type=float, help="Allowed probability that a repetition differs.")
@click.option("--horizon", type=WHOLE, help="T, the number of rounds.  [default: long enough for every design]")
@click.option("--level", type=float, default=0.05, show_default=True, help="Level of the test made afterwards.")
@click.option("--power", type=float, default=0.8, show_default=True, help="Power the A/B test is planned for.")
@click.option("--budget", type=WHOLE, help="Rounds of exploration, over all arms: asks the inverse question.")
@click.option("--solve", type=click.Choice(("gap", "rho")), help="What to find for the budget.")
@click.option(
    "--noise", type=click.Choice(NOISES), default="gaussian", show_default=True, help="What sharp constants assume."
)
@click.option("--seed", type=WHOLE, default=0, show_default=True, help="Seed of what is simulated (K > 2).")
@output_options
def plan_command(
    arms: int,
    gap: float | None,
    sigma: float,
    rho: float | None,
    horizon: int | None,
    level: float,
    power: float,
    budget: int | None,
    solve: str | None,
    noise: str,
    seed: int,
    as_json: bool,
    csv_file: Path | None,
    parquet_file: Path | None,
    plot_file: Path | None,
) -> None:
    """Parse, plan, print."""
    outputs = Outputs(as_json=as_json, csv_file=csv_file, parquet_file=parquet_file, plot_file=plot_file)
    outputs.check()
    _consistent(gap=gap, rho=rho, budget=budget, solve=solve, plotted=plot_file is not None)
    common = {"arms": arms, "sigma": sigma, "horizon": horizon, "level": level, "power": power} | {
        "noise": noise,
        "seed": seed,
    }
    if budget is not None:
        answer = afford(gap=gap, rho=rho, budget=budget, **common)  # type: ignore[arg-type]  # a dict of options
        outputs.write(answer.table(), answer.to_dict())
        print_json(answer.to_dict()) if as_json else print_afford(answer)
        return
    found = plan(gap=gap, rho=rho, **common)  # type: ignore[arg-type]  # both are given: `_consistent`
    outputs.write(found.table(), found.to_dict())
    if plot_file is not None:
        plan_figures.plot_plan(found, plot_file)
    print_json(found.to_dict()) if as_json else print_plan(found)


def _consistent(
    *, gap: float | None, rho: float | None, budget: int | None, solve: str | None, plotted: bool
) -> None:
    """Which question is asked, or one sentence about why that is not clear."""
    if budget is None:
        if solve is not None:
            raise click.UsageError(f"--solve {solve} needs --budget, the rounds of exploration that can be paid.")
        missing = [name for name, value in (("--gap", gap), ("--rho", rho)) if value is None]
        if missing:
            raise click.UsageError(f"{missing[0]} is missing; or give --budget to ask for it.")
        return
    if plotted:
        raise click.UsageError("--plot draws a plan, but --budget asks the inverse question; leave one out.")
    given = {"gap": gap, "rho": rho}
    unknown = solve or next((name for name, value in given.items() if value is None), None)
    if unknown is None or given[unknown] is not None:
        name = unknown or "gap or rho"
        raise click.UsageError(f"--budget solves for {name}, so leave out --{unknown or 'gap'}.")
    other = "rho" if unknown == "gap" else "gap"
    if given[other] is None:
        raise click.UsageError(f"--solve {unknown} needs --{other}.")
