"""``replibandit simulate PROBLEM POLICY``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from replibandit.cli.inputs import (
    PROBLEM_HELP,
    WHOLE,
    problem_options,
    read_policy,
    read_problem,
    read_rival,
    read_words,
)
from replibandit.cli.outputs import Outputs, ProgressBar, output_options, print_json
from replibandit.cli.tables import print_studies
from replibandit.core.randomness import SharedRandomness
from replibandit.study import figures
from replibandit.study.simulation import Study, simulate


@click.command("simulate", help=f"Simulate a policy on a problem and report its regret.\n\n{PROBLEM_HELP}")
@problem_options
@click.option("--against", multiple=True, metavar="POLICY", help="Another policy to compare with; repeatable.")
@click.option("--runs", type=WHOLE, default=300, show_default=True, help="Independent runs.")
@click.option("--seed", type=WHOLE, default=0, show_default=True, help="Seed of U and of the rewards.")
@click.option("--u", metavar="TEXT", help="One hashed U for every run, from this text, instead of one U each.")
@output_options
def simulate_command(
    words: tuple[str, ...],
    means: str | None,
    noise: str | None,
    sd: float | None,
    problem_set: tuple[str, ...],
    against: tuple[str, ...],
    runs: int,
    seed: int,
    u: str | None,
    as_json: bool,
    csv_file: Path | None,
    parquet_file: Path | None,
    plot_file: Path | None,
    **policy_options: Any,  # noqa: ANN401  horizon, rho, sigma, settings
) -> None:
    """Parse, simulate, print."""
    outputs = Outputs(as_json=as_json, csv_file=csv_file, parquet_file=parquet_file, plot_file=plot_file)
    outputs.check()
    problem_name, policy_name = read_words(words, means)
    problem = read_problem(problem_name, means=means, noise=noise, sd=sd, problem_set=problem_set)
    policies = [read_policy(policy_name, problem, **policy_options)]
    policies += [read_rival(name, problem, **policy_options) for name in against]
    fixed = None if u is None else SharedRandomness(u)
    studies: list[Study] = []
    for policy in policies:
        with ProgressBar(f"simulating {type(policy).__name__}") as progress:
            studies.append(simulate(policy, problem, runs=runs, seed=seed, u=fixed, progress=progress))
    report(studies, outputs)


def report(studies: list[Study], outputs: Outputs) -> None:
    """Write the files, then print."""
    first = studies[0]
    rivals = {"against": [study.config for study in studies[1:]]} if len(studies) > 1 else {}
    outputs.write(first.table(), first.config | rivals)
    if outputs.plot_file is not None:
        figures.plot_studies(studies, outputs.plot_file)
    if outputs.as_json:
        print_json(first.summary() | {name: [study.summary() for study in studies[1:]] for name in rivals})
    else:
        print_studies(studies)
