"""``replibandit design`` and ``replibandit certify``: constants with a certificate, and certificates of constants."""

from __future__ import annotations

import math
from collections import defaultdict
from pathlib import Path
from typing import Any, cast

import click
from rich.table import Table

from replibandit.cli.inputs import WHOLE, is_file, policy_options, read_policy_word
from replibandit.cli.outputs import PATH, check_place, print_json
from replibandit.cli.tables import SLIM, console, show
from replibandit.core.files import whole_file
from replibandit.policies import policy_class
from replibandit.policies.certified import certify, check_shape
from replibandit.policies.designed import OBJECTIVES, Objective, design
from replibandit.policies.elimination import Elimination
from replibandit.theory.certificates import Certificate
from replibandit.theory.noise import NOISES

ASKED = ("arms", "horizon", "rho", "sigma")
JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")


@click.command("design", help="Certified constants of least worst-case cost for this many arms and this rho.")
@click.option("--arms", type=WHOLE, required=True, help="K, the number of arms.")
@click.option("--rho", type=float, required=True, help="Allowed nonreplication, over all means.")
@click.option("--sigma", type=float, default=1.0, show_default=True, help="Scale of the noise.")
@click.option(
    "--noise", type=click.Choice(NOISES), default="sub-gaussian", show_default=True, help="What is assumed."
)
@click.option("--horizon", type=WHOLE, default=10_000, show_default=True, help="T, the number of rounds.")
@click.option(
    "--objective",
    type=click.Choice(OBJECTIVES),
    default="commit",
    show_default=True,
    help="REC or RSE: see the docs.",
)
@click.option("--out", "out_file", type=PATH, help="Write the policy as a .json file, a POLICY of other commands.")
@JSON
def design_command(
    *,
    out_file: Path | None,
    as_json: bool,
    objective: Objective,
    **asked: Any,  # noqa: ANN401  numbers of the options
) -> None:
    """Design, write, print."""
    if out_file is not None:
        check_place(out_file)
    policy = design(objective=objective, **asked)
    if out_file is not None:
        with whole_file(out_file) as draft:
            draft.write_text(policy.to_json() + "\n", encoding="utf-8")
    report(policy, certify(policy), as_json=as_json)


@click.command(
    "certify",
    help="An upper bound on nonreplication over all means, for rules of the shape of REC and RSE.\n\nPOLICY is the "
    "name of one, or a .json file that describes one.",
)
@policy_options
@click.option("--noise", type=click.Choice(NOISES), help="What is assumed.  [default: what the policy assumes]")
@click.option("--gap", type=float, default=0.0, help="Only means whose best arm leads by this much.")
@click.option("--endless", is_flag=True, help="For a run without an end.")
@JSON
def certify_command(
    policy_name: str,
    *,
    noise: str | None,
    gap: float,
    endless: bool,
    as_json: bool,
    **options: Any,  # noqa: ANN401  of the policy
) -> None:
    """Certify, print."""
    if not is_file(policy_name):
        check_shape(policy_class(policy_name))  # before its options are judged
    policy = cast("Elimination", read_policy_word(policy_name, **options))  # `certify` refuses any other
    report(policy, certify(policy, noise, horizon=math.inf if endless else None, gap=gap), as_json=as_json)


def report(policy: Elimination, found: Certificate, *, as_json: bool) -> None:
    """The policy and its certificate."""
    if as_json:
        print_json({"policy": policy.to_dict(), "certificate": found.to_dict(), "guarantee": str(policy.guarantee)})
        return
    out = console()
    table = Table(**SLIM)
    table.add_column("constants, and what they add to rho")
    table.add_column("value", justify="right")
    for name, value in policy.to_dict().items():
        if isinstance(value, int | float) and name not in ASKED and (value or not name.endswith("width")):
            table.add_row(name, f"{value:,}" if isinstance(value, int) else f"{value:g}")
    table.add_section()
    for decision, share in _by_decision(found).items():
        table.add_row(f"twins part: {decision}", _share(share, ".4g"))
    table.add_row("a twin is misled", _share(found.misled, ".2g"))
    table.add_row("certified rho", "none" if found.rho >= 1 else f"{found.rho:.4g}", style="bold")
    gaps = [opening.smallest_gap for opening in policy.openings]
    table.add_row("smallest gap it can decide before T", f"{min(gaps):.4g}")
    if len(gaps) > 1:
        table.add_row("the same from its last start", f"{max(gaps):.4g}")
    title = f"{type(policy).__name__}, K = {policy.arms}, T = {policy.horizon:,}, {found.noise} noise"
    show(out, title, table)
    out.print(found.method if found.method.startswith("no bound") else f"by {found.method}", style="dim")
    for assumption in found.assumptions:
        out.print(f"assumed: {assumption}", style="dim")


def _share(value: float, form: str) -> str:
    """A bound on a probability."""
    return "1 or more" if value >= 1 else format(value, form)


def _by_decision(found: Certificate) -> dict[str, float]:
    shares: defaultdict[str, float] = defaultdict(float)
    for share in found.shares:
        shares[share.decision] += share.share
    return dict(shares)
