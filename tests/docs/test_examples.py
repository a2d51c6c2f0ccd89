"""Every example of the README and the documentation runs and prints what the page says it prints."""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from replibandit import cli
from tests.docs.pages import Block, blocks, commands, name_of, pages

RULES = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
CHECKER = doctest.OutputChecker()


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_every_example_of_the_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(page):
        if block.title:
            Path(block.title).write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            run_python(block, namespace)
        elif block.language == "console":
            run_console(block)


def run_python(block: Block, namespace: dict[str, Any]) -> None:
    """A doctest where the block holds a prompt, a script where it holds none."""
    if ">>>" not in block.text:
        # the line numbers of a traceback are those of the page
        exec(compile("\n" * (block.line - 1) + block.text, str(block.page), "exec"), namespace)  # noqa: S102  our own docs
        return
    examples = doctest.DocTestParser().get_doctest(
        block.text, namespace, block.place, str(block.page), block.line - 1
    )
    report = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=RULES)
    failed, _ = runner.run(examples, out=report.write, clear_globs=False)
    namespace.update(examples.globs)
    assert not failed, report.getvalue()


def run_console(block: Block) -> None:
    """Each command prints its output; one that fails must be followed by ``$ echo $?`` and its code."""
    code = 0
    for line, command, expected in commands(block):
        where = f"{name_of(block.page)}, line {line}: {command}"
        if command == "echo $?":
            assert expected.strip() == str(code), where
            code = 0
            continue
        assert code == 0, f"before {where}: exit code {code}"
        code, printed = run_command(command)
        if not CHECKER.check_output(expected, printed, RULES):
            difference = CHECKER.output_difference(doctest.Example("", expected), printed, RULES)
            pytest.fail(f"{where}\n{difference}")
    assert code == 0, f"{block.place}: the last command ended with code {code}"


def run_command(command: str) -> tuple[int, str]:
    """Our own command in this process (ten times faster), anything else by the shell."""
    words = shlex.split(command)
    if words[0] == "replibandit" and not {"|", ">", "<", "&&"} & set(words):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            code = cli.run(words[1:])
        return code, printed.getvalue()
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(  # noqa: S602  a command of our own docs
        command,
        shell=True,
        check=False,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=os.environ | {"PATH": path},
    )
    return done.returncode, done.stdout


def test_the_checks_can_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = pages()[0]
    wrong_output = Block(page, 1, "python", "", ">>> 1 + 1\n3\n")
    with pytest.raises(AssertionError, match="Expected"):
        run_python(wrong_output, {})
    wrong_table = Block(page, 1, "console", "", "$ replibandit --version\nreplibandit, version 9\n")
    with pytest.raises(pytest.fail.Exception, match="version 9"):
        run_console(wrong_table)
    hidden_failure = Block(page, 1, "console", "", "$ replibandit nonsense\nerror: ...\n")
    with pytest.raises(AssertionError, match="ended with code 2"):
        run_console(hidden_failure)
