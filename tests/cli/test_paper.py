"""`replibandit paper`: interrupted as a person does it, resumed, on one process and on two."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from replibandit.cli import run

CHOSEN = ["--only", "lower-bound", "--seed", "3"]
MAIN = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "  # it is ignored in the background
    "from replibandit.cli import main; main()"
)


def command(out: Path, *more: str) -> list[str]:
    return [sys.executable, "-c", MAIN, "paper", *CHOSEN, *more, "--out", str(out)]


def parts(out: Path) -> list[Path]:
    return sorted((out / ".parts").glob("*.json"))


def gone(group: int) -> bool:
    """Whether every process of the group ends soon; the last to notice is Python's tracker of shared resources."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="Ctrl-C reaches a process group")
def test_ctrl_c_keeps_what_is_finished_and_the_next_call_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    """A real SIGINT to the whole group, as a terminal sends it, after the first part; resumed on one process."""
    broken, straight = tmp_path / "broken", tmp_path / "straight"
    size = ["--runs", "1200"]
    begun = subprocess.Popen(
        command(broken, *size, "--processes", "2"), stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    deadline = time.monotonic() + 60
    while not parts(broken) and begun.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    os.killpg(begun.pid, signal.SIGINT)
    told = begun.communicate(timeout=30)[1]
    assert begun.returncode == 130
    assert "the finished parts are kept" in told
    assert "Traceback" not in told
    kept = {part: part.stat().st_mtime_ns for part in parts(broken)}
    assert 1 <= len(kept) < 8, "interrupted in the middle"
    assert not (broken / "results.json").exists()
    assert gone(begun.pid), "no worker is left"

    assert run(command(broken, *size, "--processes", "1")[3:]) == 0
    assert {part: part.stat().st_mtime_ns for part in parts(broken) if part in kept} == kept, "nothing was made twice"
    assert run(command(straight, *size, "--processes", "2")[3:]) == 0
    assert (broken / "results.json").read_bytes() == (straight / "results.json").read_bytes()
    for table in (straight / "tables").iterdir():
        assert table.read_bytes() == (broken / "tables" / table.name).read_bytes()
    for figure in (straight / "figures").iterdir():
        assert figure.read_bytes() == (broken / "figures" / figure.name).read_bytes()


def test_one_artefact_is_printed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "report"
    assert run(["paper", "--only", "practitioner", "--runs", "5", "--processes", "1", "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "The practitioner's rule" in printed
    assert "index.html written after" in printed
    assert (out / "index.html").exists()


def test_json_prints_what_results_json_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "report"
    arguments = ["--only", "practitioner", "--runs", "5", "--processes", "1", "--json", "--out", str(out)]
    assert run(["paper", *arguments]) == 0
    told = capsys.readouterr().out
    assert "".join(told.split()) == "".join((out / "results.json").read_text(encoding="utf-8").split())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--only", "table-9"], "no artefact is called 'table-9'"),
        (["--runs", "1"], "runs"),
        (["--processes", "0.5"], "processes"),
    ],
)
def test_mistakes_are_told_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    assert run(["paper", *arguments, "--out", str(tmp_path / "report")]) == 2
    assert told in capsys.readouterr().err


def test_a_file_in_place_of_the_folder_is_refused_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "report").write_text("", encoding="utf-8")
    assert run(["paper", "--out", str(tmp_path / "report")]) == 2
    assert "is a file" in capsys.readouterr().err
