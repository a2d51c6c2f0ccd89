"""``replibandit replicate PROBLEM POLICY``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from replibandit.cli.inputs import PROBLEM_HELP, WHOLE, problem_options, read_policy, read_problem, read_words
from replibandit.cli.outputs import Outputs, ProgressBar, output_options, print_json
from replibandit.cli.tables import print_twins
from replibandit.simulate.streams import SHARING, Sharing
from replibandit.study import figures
from replibandit.study.replicability import Twins, replicate


@click.command("replicate", help=f"Measure how often twin runs pull different sequences of arms.\n\n{PROBLEM_HELP}")
@problem_options
@click.option("--seeds", type=WHOLE, default=200, show_default=True, help="Values of U.")
@click.option("--runs", type=WHOLE, default=50, show_default=True, help="Datasets per value of U.")
@click.option("--seed", type=WHOLE, default=0, show_default=True, help="Seed of U and of the rewards.")
@click.option(
    "--sharing",
    type=click.Choice(SHARING),
    default="shared",
    show_default=True,
    help="Whether twins share U; the others show what is lost.",
)
@output_options
def replicate_command(
    words: tuple[str, ...],
    means: str | None,
    noise: str | None,
    sd: float | None,
    problem_set: tuple[str, ...],
    seeds: int,
    runs: int,
    seed: int,
    sharing: Sharing,
    as_json: bool,
    csv_file: Path | None,
    parquet_file: Path | None,
    plot_file: Path | None,
    **policy_options: Any,  # noqa: ANN401  horizon, rho, sigma, settings
) -> None:
    """Parse, replicate, print."""
    outputs = Outputs(as_json=as_json, csv_file=csv_file, parquet_file=parquet_file, plot_file=plot_file)
    outputs.check()
    problem_name, policy_name = read_words(words, means)
    problem = read_problem(problem_name, means=means, noise=noise, sd=sd, problem_set=problem_set)
    policy = read_policy(policy_name, problem, **policy_options)
    with ProgressBar(f"replicating {type(policy).__name__}") as progress:
        twins = replicate(policy, problem, seeds=seeds, runs=runs, seed=seed, sharing=sharing, progress=progress)
    report(twins, outputs)


def report(twins: Twins, outputs: Outputs) -> None:
    """Write the files, then print."""
    outputs.write(twins.table(), twins.config)
    if outputs.plot_file is not None:
        figures.plot_twins(twins, outputs.plot_file)
    if outputs.as_json:
        print_json(twins.summary())
    else:
        print_twins(twins)
