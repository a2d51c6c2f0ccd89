"""Where results go: files that carry their configuration, a bar for whoever waits, refusals before the work."""

from __future__ import annotations

import csv
import io
import json
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import replibandit as rb
from replibandit.cli import outputs, run
from replibandit.cli.outputs import ProgressBar, read_configuration
from replibandit.errors import UnreadableFile

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
ARGS = ["simulate", "paper/model-2", "rec", "--sd", "0.5", "--horizon", "1000", "--runs", "20", "--seed", "7"]
ARGS += ["--set", "commit_scale=0.03"]


def study() -> rb.Study:
    policy = rb.REC(arms=3, horizon=1000, rho=0.3, sigma=0.5, commit_scale=0.03)
    return rb.simulate(policy, rb.problem("paper/model-2", sd=0.5), runs=20, seed=7)


def test_csv_and_parquet_hold_one_row_per_run_and_what_made_them(tmp_path: Path) -> None:
    table, columns = tmp_path / "runs.csv", tmp_path / "runs.parquet"
    assert run([*ARGS, "--csv", str(table), "--parquet", str(columns)]) == 0
    expected = study().table()
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["regret"]) for row in rows] == expected["regret"]
    assert [row["digest"] for row in rows] == expected["digest"]
    assert parquet.read_table(columns).to_pydict() == expected
    assert read_configuration(table) == read_configuration(columns) == json.loads(json.dumps(study().config))


def test_a_file_without_a_configuration_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    with pytest.raises(UnreadableFile, match=r"a\.csv-metadata\.json does not exist"):
        read_configuration(tmp_path / "a.csv")
    (tmp_path / "a.parquet").write_text("nonsense")
    with pytest.raises(UnreadableFile, match="carries no configuration"):
        read_configuration(tmp_path / "a.parquet")


@pytest.mark.parametrize("text", ["[1]", '"x"', "null", "[" * 100_000, "\xff"], ids=lambda text: text[:5])
def test_a_configuration_that_is_no_object_is_refused(text: str, tmp_path: Path) -> None:
    table = pyarrow.table({"a": [1]}).replace_schema_metadata({"replibandit": text.encode("latin-1")})
    parquet.write_table(table, tmp_path / "a.parquet")
    with pytest.raises(UnreadableFile, match="carries no configuration"):
        read_configuration(tmp_path / "a.parquet")


@pytest.mark.parametrize("option", ["--csv", "--parquet", "--plot"])
def test_a_place_that_cannot_be_written_is_refused_before_the_work(
    option: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(rb.study.simulation, "simulate_runs", lambda *_: pytest.fail("the work was begun"))
    assert run([*ARGS, option, str(tmp_path / "none" / "a.svg")]) == 2
    assert "must exist, but" in capsys.readouterr().err
    assert run([*ARGS, option, str(tmp_path)]) == 2
    assert "is a directory" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("files", "says"),
    [
        (["--csv", "a.svg", "--plot", "a.svg"], "every output needs a file of its own, but 'a.svg'"),
        (["--csv", "a.svg", "--plot", "./a.svg"], "every output needs a file of its own"),
        (["--csv", "taken.csv"], "must be the name of a file, but got 'taken.csv-metadata.json'"),
        (["--csv", ""], "must be the name of a file"),
        (["--parquet", ""], "must be the name of a file"),
    ],
)
def test_outputs_in_each_others_way_are_refused_before_the_work(
    files: list[str],
    says: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken.csv-metadata.json").mkdir()
    monkeypatch.setattr(rb.study.simulation, "simulate_runs", lambda *_: pytest.fail("the work was begun"))
    assert run([*ARGS, *files]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(("option", "suffix"), [("--csv", ".csv"), ("--parquet", ".parquet"), ("--plot", ".pdf")])
def test_what_cannot_be_written_is_named_in_one_line_and_what_was_there_stays(
    option: str, suffix: str, tmp_path: Path
) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_text("old")
    command = [sys.executable, "-c", "from replibandit.cli import main; main()", *ARGS, option, str(path)]
    script = f"ulimit -f 1; {shlex.join(command)}"  # no file may grow beyond a kilobyte
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stderr == f"error: {path} cannot be written: File too large.\n"
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_picture_of_no_known_format_is_refused_before_the_work(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run([*ARGS, "--plot", str(tmp_path / "a.gif")]) == 2
    assert "must end in .svg, .png, .pdf" in capsys.readouterr().err


def test_a_disk_that_fills_up_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device", "a.csv")

    monkeypatch.setattr(outputs.Outputs, "write", full)
    assert run([*ARGS, "--csv", str(tmp_path / "a.csv")]) == 2
    assert capsys.readouterr().err == "error: a.csv cannot be written: No space left on device.\n"


@pytest.mark.parametrize(("module", "option"), [("pyarrow", "--parquet"), ("matplotlib", "--plot")])
def test_a_missing_extra_is_named(
    module: str, option: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert run([*ARGS, option, str(tmp_path / "a.svg")]) == 2
    extra = {"pyarrow": "tables", "matplotlib": "plot"}[module]
    assert f"pip install 'replibandit[{extra}]'" in capsys.readouterr().err


# --- the bar ------------------------------------------------------------------------------------------------------


def shown(monkeypatch: pytest.MonkeyPatch, *, terminal: bool, patience: float, work: float) -> str:
    """What appears on stderr while some work is done."""
    written = io.StringIO()
    monkeypatch.setattr(outputs, "PATIENCE", patience)
    monkeypatch.setattr(outputs, "Console", lambda **_: Console(file=written, force_terminal=terminal, width=80))
    with ProgressBar("working") as progress:
        progress(1, 4, "the first part")
        time.sleep(work)
        progress(3, 4)
    return written.getvalue()


def test_a_bar_appears_on_a_terminal_when_work_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while the work itself says nothing: the first part is under way when the bar appears."""
    written = shown(monkeypatch, terminal=True, patience=0.0, work=0.3)
    assert "working: the first part" in written
    assert "25 %" in written
    assert "75 %" in written


def test_no_bar_for_quick_work_and_none_where_nobody_sees_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, terminal=True, patience=60.0, work=0.0) == ""
    assert shown(monkeypatch, terminal=False, patience=0.0, work=0.1) == ""


def test_the_bar_goes_away_when_the_work_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outputs, "PATIENCE", 0.0)
    with pytest.raises(ZeroDivisionError), ProgressBar("working") as bar:
        raise ZeroDivisionError
    assert not bar._bar.live.is_started
    assert not bar._timer.is_alive()
