"""Odd input on the command line: one line, exit code 2, never a traceback; and how it ends when it is cut off."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import replibandit as rb
from replibandit.cli import COMMANDS, cli, run

COMMAND = [sys.executable, "-c", "from replibandit.cli import main; main()"]
MEANS = ["--means", "0.7,0.3"]

ODD: list[tuple[list[str], str]] = [
    (["nonsense"], "No such command"),
    (["simulate"], "expected PROBLEM and POLICY"),
    (["simulate", "rec"], "expected PROBLEM and POLICY"),
    (["simulate", "paper/model-9", "rec"], "named problems: paper/model-1"),
    (["simulate", "paper/model-1", "exp3"], "known policies: rec"),
    (
        ["simulate", *MEANS, "rec", "--rho", "0.8"],
        "`0 < rho <= 0.5` must hold, but got rho=0.8. For a policy without",
    ),
    (["simulate", *MEANS, "rec", "--rho", "nan"], "got rho=nan"),
    (["simulate", *MEANS, "rec", "--rho", "much"], "is not a valid float"),
    (["simulate", *MEANS, "rec", "--horizon", "0"], "must hold, but got horizon=0"),
    (["simulate", *MEANS, "rec", "--horizon", "1e16"], "horizon"),
    (["simulate", *MEANS, "rec", "--horizon", "1.5"], "is not a whole number"),
    (["simulate", *MEANS, "rec", "--runs", "0"], "1 <= runs"),
    (["simulate", *MEANS, "rec", "--seed", "-1"], "0 <= seed"),
    (["simulate", *MEANS, "rec", "--sd", "nan"], "got sd=nan"),
    (["simulate", *MEANS, "rec", "--sd", "1e200"], "1e-50 <= sd <= 1e+50"),
    (["simulate", *MEANS, "rec", "--sigma", "1e-300"], "1e-50 <= sigma <= 1e+50"),
    (["simulate", *MEANS, "rec", "--set", "growth=1.0000000001"], "take a larger `growth`"),
    (["simulate", *MEANS, "rec", "--set", "commit_scale=1e300"], "1e-50 <= commit_scale <= 1e+50"),
    (["simulate", *MEANS, "rec", "--set", "foo=1"], "has no option 'foo'"),
    (["simulate", *MEANS, "rec", "--set", "foo"], "--set takes NAME=VALUE"),
    (["simulate", *MEANS, "known-gap-etc", "--set", "gap=1e-300"], "1e-50 <= gap"),
    (["simulate", *MEANS, "rasmab", "--set", "divisor=1e-300"], "1e-50 <= divisor"),
    (["simulate", *MEANS, "rec-sharp"], "needs `first`"),
    (["simulate", *MEANS, "ucb1", "--horizon", "1e12"], "cost grows with the horizon"),
    (["simulate", "--means", "", "rec"], "means[0]"),
    (["simulate", "--means", "0.7,,0.3", "rec"], "means[1]"),
    (["simulate", "--means", "1e308,-1e308", "rec"], "means[0]"),
    (["simulate", "--means", "2,3", "--noise", "bernoulli", "rec"], "A Bernoulli mean is a probability"),
    (["simulate", *MEANS, "--noise", "student-t", "rec"], "give --sigma"),
    (["simulate", *MEANS, "rec", "--problem-set", "means=1"], "use --means"),
    (["simulate", "paper/model-1", "rec", "--problem-set", "name=mine"], "fixed by its name"),
    (["simulate", *MEANS, "rec", "--u", ""], "the seed of U must be a non-empty text"),
    (["simulate", *MEANS, "rec", "--u", "\udcff"], "the seed of U must be a non-empty text"),
    (["simulate", "none.toml", "rec"], "none.toml does not exist"),
    (["simulate", "empty.csv", "rec"], "is empty"),
    (["simulate", "bad.csv", "rec"], "bad.csv, line 3, column 'b'"),
    (["simulate", "odd.toml", "rec"], "`samples` must be a list"),
    (["simulate", "deep.json", "rec"], "is not valid JSON"),
    (["replicate", *MEANS, "rec", "--runs", "1"], "Twins need at least two runs"),
    (["replicate", *MEANS, "rec", "--seeds", "0"], "1 <= seeds"),
    (["replicate", *MEANS, "rec", "--sharing", "some"], "is not one of"),
    (["plan", "--arms", "2", "--gap", "1e-300", "--sigma", "1", "--rho", "0.1"], "1e-50 <= gap <= 1e+50"),
    (["plan", "--arms", "2", "--gap", "0.1", "--sigma", "1e200", "--rho", "0.1"], "1e-50 <= sigma <= 1e+50"),
    (["cost", "--arms", "10", "--rho", "1e-320"], "1e-50 <= rho <= 1"),
    (["rerun", "none.json"], "none.json does not exist"),
    (["rerun", "odd.toml"], "a result must carry"),
    (["attack", "policy.json", "--set", "commit_scale=1"], "--set cannot change the policy of policy.json"),
    (["attack", "rec", "--csv", "a", "--worst", "a"], "every output needs a file of its own"),
    (["design", "--arms", "2", "--rho", "0.3", "--out", ""], "must be the name of a file"),
    (["rerun", "seed.json"], "0 <= seed"),
    (["rerun", "outside.json"], "`outside` must be true or false"),
    (["simulate", "torn-name.json", "rec"], "`name` must be a text without lone surrogates"),
    (["simulate", *MEANS, "x" * 5000], "known policies: rec"),
    (["plan", "--arms", "2", "--budget", "1e5", "--sigma", "1", "--rho", "0.1", "--seed", "-1"], "0 <= seed"),
    (["rerun", "torn.json"], "`runs` must be a multiple of `runs_per_seed`"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "bad.csv").write_text("a,b\n1,2\n3,x\n")
    (tmp_path / "odd.toml").write_text('kind = "empirical"\nsamples = 5\n')
    (tmp_path / "deep.json").write_text("[" * 100_000)
    twins = rb.replicate(rb.REC(arms=2, horizon=50, rho=0.3, sigma=1), rb.Gaussian(means=[1, 0]), seeds=2, runs=5)
    rec = rb.REC(arms=2, horizon=50, rho=0.3, sigma=1).to_dict()
    searched = {"target": 0.3, "search": "grid", "space": {"commit_scale": [0.1, 1]}, "candidates": 10, "effort": 1}
    tuned = {"question": "tune", "policy": rec, "problem": {"means": [1, 0]}, "seed": -1} | searched
    (tmp_path / "seed.json").write_text(json.dumps(tuned))
    judged = {"rho": 0.3, "noise": "gaussian", "sigma": 1, "pairs": 1000, "sharing": "shared", "level": 0.99}
    attacked = {"question": "attack", "policy": rec, "seed": 0, "outside": "no"} | judged
    (tmp_path / "outside.json").write_text(json.dumps(attacked))
    (tmp_path / "torn-name.json").write_text(r'{"means": [1, 0], "name": "\ud800"}')
    (tmp_path / "torn.json").write_text(json.dumps(twins.config | {"runs_per_seed": 3}))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("arguments", "says"), ODD, ids=lambda value: ascii(value)[:60])
def test_odd_input_is_one_line_and_exit_code_2(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert says in err
    assert len(err) < 300


def test_nothing_at_all_shows_the_help_and_is_a_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2
    assert "Usage: replibandit" in capsys.readouterr().err


def test_every_command_has_help_that_is_no_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    for command in COMMANDS:
        assert run([str(command.name), "--help"]) == 0
        assert capsys.readouterr().out.startswith(f"Usage: replibandit {command.name}")
    assert run(["--version"]) == 0
    assert rb.__version__ in capsys.readouterr().out
    assert set(cli.commands) == {command.name for command in COMMANDS}


# --- cut off ------------------------------------------------------------------------------------------------------


def test_an_interruption_is_one_line_and_exit_code_130(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(rb.study.simulation, "simulate_runs", interrupted)
    assert run(["simulate", *MEANS, "rec"]) == 130
    assert capsys.readouterr().err.strip() == "interrupted"


def test_too_little_memory_is_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def too_much(*_: Any, **__: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(rb.study.simulation, "simulate_runs", too_much)
    assert run(["simulate", *MEANS, "rec"]) == 2
    assert "ask for fewer runs" in capsys.readouterr().err


def test_ctrl_c_ends_a_process_at_once_without_a_traceback() -> None:
    arguments = ["simulate", "paper/model-1", "ucb1", "--horizon", "1e7", "--runs", "100"]
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "  # ignored in the background
        "from replibandit.cli import main; print('imported', flush=True); main(sys.argv[1:])"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "imported\n"
    time.sleep(2)  # into the work, however slow the machine was to import
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out, err.strip()) == ("", "interrupted")


def test_a_reader_who_leaves_early_is_no_error() -> None:
    simulate = subprocess.Popen(
        [*COMMAND, "simulate", *MEANS, "rec", "--runs", "5", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert simulate.stdout is not None
    simulate.stdout.close()
    _, err = simulate.communicate(timeout=60)
    assert (simulate.returncode, err) == (0, "")


@pytest.mark.parametrize(
    ("shell", "code"),
    [
        ("simulate --means 1,0 rec --runs 2 >&-", 0),
        ("simulate --means 1,0 rec --runs 2 --json 2>&-", 0),
        ("nonsense 2>&-", 2),
        ("nonsense >&- 2>&-", 2),
        ("nonsense 2>&1 | true", 2),
    ],
)
def test_a_stream_that_nobody_reads_changes_no_exit_code(shell: str, code: int) -> None:
    script = f"set -o pipefail; {shlex.join(COMMAND)} {shell}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == code
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
def test_a_full_disk_behind_stdout_is_one_line() -> None:
    script = f"{shlex.join(COMMAND)} simulate --means 1,0 rec --runs 2 --json > /dev/full"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stderr == "error: the output cannot be written: No space left on device.\n"


def test_a_terminal_without_the_letters_of_a_name_is_no_mistake(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text('{"means": [1, 0], "name": "Züge"}', encoding="utf-8")
    arguments = [*COMMAND, "simulate", str(tmp_path / "p.json"), "rec", "--runs", "2"]
    ascii_only = os.environ | {"PYTHONIOENCODING": "ascii"}
    told = subprocess.run(arguments, capture_output=True, text=True, check=True, env=ascii_only).stdout
    assert "Z?ge" in told
    told = subprocess.run([*arguments, "--json"], capture_output=True, text=True, check=True, env=ascii_only).stdout
    assert json.loads(told)["problem"]["name"] == "Züge"


def test_without_a_terminal_there_is_neither_colour_nor_a_bar() -> None:
    done = subprocess.run(
        [*COMMAND, "simulate", *MEANS, "rec", "--runs", "5"],
        capture_output=True,
        check=True,
        stdin=subprocess.DEVNULL,
        env={name: value for name, value in os.environ.items() if name not in {"FORCE_COLOR", "COLUMNS", "TERM"}},
    )
    assert b"\x1b" not in done.stdout
    assert done.stderr == b""
    assert max(map(len, done.stdout.decode().splitlines())) <= 100
