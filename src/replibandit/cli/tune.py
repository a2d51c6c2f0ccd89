"""``replibandit tune PROBLEM POLICY``."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from replibandit.cli.inputs import (
    PROBLEM_HELP,
    WHOLE,
    is_file,
    pairs,
    problem_options,
    read_policy,
    read_problem,
    read_words,
)
from replibandit.cli.outputs import Outputs, ProgressBar, output_options, print_json
from replibandit.cli.tables import SLIM, console, show
from replibandit.errors import InvalidParameter
from replibandit.policies import policy_class
from replibandit.study.figures import problem_name
from replibandit.study.frontier import plot_tuning
from replibandit.study.search import Candidate
from replibandit.study.tuning import SEARCHES, Search, Tuning, tune

LISTED = 20  # rows of the frontier
ROOMY = 100  # columns from which tables have lines


@click.command(
    "tune", help=f"Search a policy's constants for the least regret at a given nonreplication.\n\n{PROBLEM_HELP}"
)
@problem_options
@click.option("--target", type=float, help="Nonreplication that may be measured.  [default: --rho]")
@click.option("--search", type=click.Choice(SEARCHES), default="refine", show_default=True, help="How to look.")
@click.option(
    "--knob", "knobs", multiple=True, metavar="NAME=LOW:HIGH", help="What to turn.  [default: all the policy has]"
)
@click.option("--candidates", type=WHOLE, help="Settings to try with --search refine.  [default: 100 per knob]")
@click.option("--effort", type=float, default=1.0, show_default=True, help="Multiplies the values of U everywhere.")
@click.option("--seed", type=WHOLE, default=0, show_default=True, help="Seed of U, the rewards and the search.")
@output_options
def tune_command(
    words: tuple[str, ...],
    means: str | None,
    noise: str | None,
    sd: float | None,
    problem_set: tuple[str, ...],
    settings: tuple[str, ...],
    target: float | None,
    search: Search,
    knobs: tuple[str, ...],
    candidates: int | None,
    effort: float,
    seed: int,
    as_json: bool,
    csv_file: Path | None,
    parquet_file: Path | None,
    plot_file: Path | None,
    **policy_options: Any,  # noqa: ANN401  horizon, rho, sigma
) -> None:
    """Parse, tune, print."""
    outputs = Outputs(as_json=as_json, csv_file=csv_file, parquet_file=parquet_file, plot_file=plot_file)
    outputs.check()
    space = read_knobs(knobs)
    named, policy_name = read_words(words, means)
    problem = read_problem(named, means=means, noise=noise, sd=sd, problem_set=problem_set)
    settings = (*_placeholders(policy_name, {name for name, _ in pairs(settings, "--set")}), *settings)
    policy = read_policy(policy_name, problem, settings=settings, **policy_options)
    with ProgressBar(f"tuning {type(policy).__name__}") as progress:
        tuning = tune(
            policy,
            problem,
            target=target,
            search=search,
            space=space,
            candidates=candidates,
            effort=effort,
            seed=seed,
            progress=progress,
        )
    report(tuning, outputs)


def read_knobs(words: tuple[str, ...]) -> dict[str, tuple[float, float]] | None:
    """NAME=LOW:HIGH words; None for none."""
    found = {}
    for name, value in pairs(words, "--knob"):
        low, colon, high = str(value).partition(":")
        try:
            found[name] = (float(low), float(high))
        except ValueError:
            colon = ""
        if not colon:
            raise InvalidParameter(f"--knob takes NAME=LOW:HIGH with two numbers, but got {name}={value}.")
    return found or None


def _placeholders(name: str, chosen: set[str]) -> tuple[str, ...]:
    """Constants without a default are knobs, so a search needs no value to start from; 2 is one that all accept."""
    if is_file(name):
        return ()
    given = {"arms", "horizon", "rho", "sigma"} | chosen
    fields = dataclasses.fields(policy_class(name))
    required = [field.name for field in fields if field.default is dataclasses.MISSING and field.name not in given]
    return tuple(f"{field}=2" for field in required)


def report(tuning: Tuning, outputs: Outputs) -> None:
    """Write the files, then print."""
    outputs.write(tuning.table(), tuning.config)
    if outputs.plot_file is not None:
        plot_tuning(tuning, outputs.plot_file)
    if outputs.as_json:
        print_json(tuning.to_dict())
    else:
        print_tuning(tuning)


def print_tuning(tuning: Tuning) -> None:
    """The chosen settings, the frontier, and what a tuned number is worth."""
    out = console()
    policy, count = type(tuning.policy).__name__, len(tuning.candidates)
    title = f"{policy} on {problem_name(tuning.problem)}, T = {tuning.policy.horizon:,}: {count:,} settings tried"
    table = _table(tuning, out)
    if tuning.best is not None:
        table.add_row(*_row(tuning.best), style="bold")
    else:
        table.add_row(*_row(tuning.safest), style="dim")
    show(out, title, table)
    frontier = _table(tuning, out)
    step = max(1, -(-len(tuning.frontier) // LISTED))
    for candidate in tuning.frontier[::step]:
        frontier.add_row(*_row(candidate))
    show(out, "Frontier of the screening (fewer runs each)", frontier)
    out.print('"at most" is the upper limit of a 95 % interval over values of U', style="dim")
    for note in notes(tuning):
        out.print(note, style="yellow")


def notes(tuning: Tuning) -> list[str]:
    """What a person must know before using the chosen settings."""
    said = []
    if tuning.best is None:
        said.append(f"no setting was measured to be {tuning.target:g}-replicable; above is the safest.")
    if tuning.at_the_edge:
        names = ", ".join(tuning.at_the_edge)
        said.append(
            f"at an end of its range: {names}. A wider --knob might do better, or the knob does nothing here."
        )
    return [*said, tuning.warning]


def _table(tuning: Tuning, out: Console) -> Table:
    looks: dict[str, Any] = SLIM if out.width >= ROOMY else {"box": None, "pad_edge": False}
    table = Table(**looks)
    for heading in ("regret", "nonrepli-\ncation", "at\nmost", *(name for name, _ in tuning.candidates[0].settings)):
        table.add_column(heading.replace("_", "\n_"), justify="right")
    return table


def _row(candidate: Candidate) -> tuple[str, ...]:
    regret, nonreplication = candidate.regret, candidate.nonreplication
    values = (f"{value:.4g}" if value >= 1 else f"{value:.3g}" for _, value in candidate.settings)
    return (f"{regret.estimate:,.1f}", f"{nonreplication.estimate:.4f}", f"{nonreplication.high:.4f}", *values)
