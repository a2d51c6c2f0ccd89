"""``replibandit attack POLICY``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from replibandit.cli.inputs import WHOLE, policy_options, read_policy_word
from replibandit.cli.outputs import PATH, Outputs, ProgressBar, output_options, print_json
from replibandit.cli.tables import SLIM, console, limits, show
from replibandit.core.files import whole_file
from replibandit.policies import POLICIES
from replibandit.simulate.streams import SHARING, Sharing
from replibandit.study.attack import Attack, attack
from replibandit.study.attack_figures import plot_attack
from replibandit.study.attack_search import Finding
from replibandit.theory.noise import NOISES, Assumption

REFUTED = 1  # exit code
HELP = f"""Search for the instance on which twin runs differ most often, and hold it against the claim.

Shapes of means, gaps at every point of a policy's thresholds, and laws of noise are screened; the worst are measured
on fresh randomness.  Exit code {REFUTED} if even the lower confidence limit of the worst exceeds the claim.

\b
POLICY   {", ".join(kind.partition("/")[0] for kind in POLICIES)},
         or a .json file that describes one"""


@click.command("attack", help=HELP)
@policy_options
@click.option("--claim", type=float, help="The rho to attack.  [default: what the policy guarantees]")
@click.option(
    "--noise", type=click.Choice(NOISES), help="Noise the claim covers.  [default: what the policy assumes]"
)
@click.option("--outside/--no-outside", help="Also try noise that no claim covers; it is told, not judged.")
@click.option("--pairs", type=WHOLE, default=100_000, show_default=True, help="Pairs of twins per finalist.")
@click.option("--seed", type=WHOLE, default=0, show_default=True, help="Seed of the search, U and the rewards.")
@click.option(
    "--sharing", type=click.Choice(SHARING), default="shared", show_default=True, help="Whether twins share U."
)
@click.option("--worst", "worst_file", type=PATH, help="Write the worst instance as a problem file for `replicate`.")
@output_options
def attack_command(
    policy_name: str,
    *,
    claim: float | None,
    noise: Assumption | None,
    outside: bool,
    pairs: int,
    seed: int,
    sharing: Sharing,
    worst_file: Path | None,
    as_json: bool,
    csv_file: Path | None,
    parquet_file: Path | None,
    plot_file: Path | None,
    sigma: float,
    **options: Any,  # noqa: ANN401  of the policy
) -> int:
    """Parse, attack, print; the exit code."""
    outputs = Outputs(as_json=as_json, csv_file=csv_file, parquet_file=parquet_file, plot_file=plot_file)
    outputs.check(worst_file)
    policy = read_policy_word(policy_name, sigma=sigma, **options)
    assumed = None if hasattr(policy, "sigma") else sigma
    with ProgressBar(f"attacking {type(policy).__name__}") as progress:
        found = attack(
            policy,
            rho=claim,
            noise=noise,
            sigma=assumed,
            pairs=pairs,
            outside=outside,
            sharing=sharing,
            seed=seed,
            progress=progress,
        )
    if worst_file is not None:
        with whole_file(worst_file) as draft:
            draft.write_text(json.dumps(found.problem.to_dict(), ensure_ascii=False) + "\n", encoding="utf-8")
    return report(found, outputs)


def report(found: Attack, outputs: Outputs) -> int:
    """Write the files, then print; the exit code."""
    outputs.write(found.table(), found.config)
    if outputs.plot_file is not None:
        plot_attack(found, outputs.plot_file)
    if outputs.as_json:
        print_json(found.to_dict())
    else:
        print_attack(found)
    return REFUTED if found.refuted else 0


def print_attack(found: Attack) -> None:
    """The finalists, the worst first, and the verdict."""
    out, policy = console(), found.policy
    spent = sum(finding.pairs for finding in found.findings)
    title = (
        f"{type(policy).__name__}, K = {policy.arms}, T = {policy.horizon:.3g}, claimed rho {found.rho:g}: "
        f"{found.instances:,} instances, {spent:,} pairs"
    )
    table = Table(**SLIM)
    table.add_column("means")
    table.add_column("rewards")
    for heading in ("gap", "nonreplication", f"{100 * found.level:.4g} % interval"):
        table.add_column(heading, justify="right", no_wrap=True)
    worst = found.worst
    judged = [finding for finding in found.finalists if finding.instance.judged]
    for finding in sorted(judged, key=lambda f: (f is not worst, -f.nonreplication.estimate)):
        table.add_row(*_row(finding), style="bold" if finding is worst else "")
    if found.outside:
        table.add_section()
        for finding in found.outside:
            table.add_row(*_row(finding), style="dim")
    show(out, title, table)
    if found.outside:
        out.print("below the line: outside the claim's assumptions, not judged", style="dim")
    if found.skipped:
        out.print(f"{found.skipped} instances left out: too many single rewards would have to be drawn", style="dim")
    out.print(found.verdict, style="red" if found.refuted else "green")


def _row(finding: Finding) -> tuple[str, ...]:
    instance, measured = finding.instance, finding.nonreplication
    gap = f"{instance.place.gap:.4g}" if instance.place.gap else "-"
    return instance.shape, instance.law.name, gap, f"{measured.estimate:.4f}", limits(measured, 4)
