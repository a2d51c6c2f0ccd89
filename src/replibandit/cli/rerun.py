"""``replibandit rerun FILE``: a result again, from what it carries."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from replibandit.cli import attack, replicate, simulate, tune
from replibandit.cli.outputs import Outputs, ProgressBar, output_options, read_configuration
from replibandit.errors import InvalidParameter
from replibandit.study.attack import Attack
from replibandit.study.rerun import rerun
from replibandit.study.simulation import Study
from replibandit.study.tuning import Tuning


@click.command("rerun", help="Run a result again: FILE is the output of --json, --csv or --parquet.")
@click.argument("file", type=click.Path(path_type=Path))
@output_options
def rerun_command(
    file: Path, as_json: bool, csv_file: Path | None, parquet_file: Path | None, plot_file: Path | None
) -> int:
    """Read the configuration, run, print; the exit code."""
    outputs = Outputs(as_json=as_json, csv_file=csv_file, parquet_file=parquet_file, plot_file=plot_file)
    outputs.check()
    result = read_configuration(file)
    with ProgressBar(f"running {result.get('question', 'again')}") as progress:
        again = rerun(result, progress=progress)
        rivals = [rerun(rival, progress=progress) for rival in rivals_of(result)]
    if isinstance(again, Attack):
        return attack.report(again, outputs)
    if isinstance(again, Study):
        simulate.report([again, *(rival for rival in rivals if isinstance(rival, Study))], outputs)
    elif isinstance(again, Tuning):
        tune.report(again, outputs)
    else:
        replicate.report(again, outputs)
    return 0


def rivals_of(result: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The other policies that were simulated with the first."""
    rivals = result.get("against", [])
    if not isinstance(rivals, list) or not all(isinstance(rival, Mapping) for rival in rivals):
        raise InvalidParameter(f"`against` must be a list of results to be run again, but got {rivals!r}.")
    return rivals
