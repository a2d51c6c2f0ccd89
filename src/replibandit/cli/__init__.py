"""The command line: parse, call, print. `main` turns every mistake into one line and exit code 2."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TextIO

import click

from replibandit.cli.attack import attack_command
from replibandit.cli.cost import cost_command
from replibandit.cli.design import certify_command, design_command
from replibandit.cli.paper import paper_command
from replibandit.cli.plan import plan_command
from replibandit.cli.replicate import replicate_command
from replibandit.cli.rerun import rerun_command
from replibandit.cli.simulate import simulate_command
from replibandit.cli.tune import tune_command
from replibandit.errors import ReplibanditError
from replibandit.version import __version__


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, "-V", "--version", prog_name="replibandit")
def cli() -> None:
    """Replicable multi-armed bandits: simulate, and measure how often twin runs differ."""


COMMANDS = (
    simulate_command,
    replicate_command,
    tune_command,
    attack_command,
    plan_command,
    design_command,
    certify_command,
    cost_command,
    rerun_command,
    paper_command,
)
for command in COMMANDS:
    cli.add_command(command)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit."""
    _open_streams()
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit code. 0 done, 1 a claim refuted, 2 a mistake in the input, 130 interrupted."""
    code: object = 0
    try:
        code = cli.main(args=arguments, prog_name="replibandit", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        code = _say(error.format_message(), 2)
    except click.ClickException as error:
        code = _refuse(error.format_message())
    except ReplibanditError as error:
        code = _refuse(str(error))
    except (click.Abort, KeyboardInterrupt):
        code = _say("interrupted", 130)
    except SystemExit:
        code = 0  # click ends like this where the reader has left in the middle of a text
    except BrokenPipeError:
        _silence(sys.stdout)  # the reader left, as `head` does
    except OSError as error:  # a full disk, a folder that has vanished
        code = _refuse(f"{error.filename or 'the output'} cannot be written: {error.strerror or error}.")
    except MemoryError:
        code = _refuse("not enough memory for this many runs and arms; ask for fewer runs (--runs).")
    return code if isinstance(code, int) else 0


def _refuse(message: str) -> int:
    return _say(f"error: {' '.join(message.split())}", 2)


def _say(line: str, code: int) -> int:
    """A line on stderr, if anybody reads it; the exit code, in any case."""
    try:
        click.echo(line, err=True)
    except OSError:
        _silence(sys.stderr)
    return code


def _silence(stream: TextIO) -> None:
    """Let what is still to be written go nowhere: Python writes it out at its end, and would fail there again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _open_streams() -> None:
    """Nowhere for a stream that was closed; "?" for a letter that the terminal's encoding does not have."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115  open until the end
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
