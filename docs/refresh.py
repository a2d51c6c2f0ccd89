"""Write what examples really print into the pages: ``python docs/refresh.py [PAGE ...]``.

Every example is executed as the tests execute it. Output that does not match is replaced by what was printed, and so
is the placeholder ``?``; an expected exception is left to its author. Read the difference before committing it: a
changed number is a changed result.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.docs.pages import Block, blocks, commands, pages  # noqa: E402  the tests are no installed package
from tests.docs.test_examples import CHECKER, RULES, run_command  # noqa: E402


def refreshed(page: Path) -> str:
    """The text of the page with the output of its examples as it is now."""
    text, namespace = page.read_text(encoding="utf-8"), {"__name__": "__main__"}
    for block in list(blocks(page)):
        if block.title:
            Path(block.title).write_text(block.text, encoding="utf-8")
        elif block.language == "python" and ">>>" not in block.text:
            exec(compile(block.text, str(page), "exec"), namespace)  # noqa: S102  our own docs
        elif block.language == "python":
            text = text.replace(block.text, python(block, namespace), 1)
        elif block.language == "console":
            text = text.replace(block.text, console(block), 1)
    return text


def python(block: Block, namespace: dict[str, Any]) -> str:
    """The block with what its prompts print."""
    text = block.text
    for example in doctest.DocTestParser().get_examples(block.text):
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                exec(compile(example.source, block.place, "single"), namespace)  # noqa: S102  our own docs
        except Exception as error:
            if example.exc_msg is None:
                raise
            told = traceback.format_exception_only(error)[-1]
            if not CHECKER.check_output(example.exc_msg, told, RULES):
                print(f"{block.place}: another exception than\n  {example.exc_msg}", file=sys.stderr)
            continue
        if not CHECKER.check_output(example.want, printed.getvalue(), RULES):
            prompts = [">>> ", *["... "] * example.source.count("\n")]
            lines = zip(prompts, example.source.splitlines(keepends=True), strict=False)
            source = "".join(f"{prompt}{line}".replace("... \n", "...\n") for prompt, line in lines)
            text = text.replace(source + example.want, source + printed.getvalue(), 1)
    return text


def console(block: Block) -> str:
    """The block with what its commands print, trailing blanks left out."""
    lines: list[str] = []
    source = block.text.splitlines()
    for number, command, expected in commands(block):
        first = number - block.line
        last = next(row for row in range(first, len(source)) if not source[row].endswith("\\"))
        lines += source[first : last + 1]
        told = expected.splitlines()
        if command != "echo $?":
            _, printed = run_command(command)
            if not CHECKER.check_output(expected, printed, RULES):
                told = [line.rstrip() for line in printed.rstrip().splitlines()]
        lines += told
    return "\n".join(lines) + "\n"


def main(names: list[str]) -> None:
    """Refresh the pages of these paths, all for none; each runs in an empty folder of its own."""
    for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR"):
        os.environ.pop(name, None)
    for page in [Path(name).resolve() for name in names] or pages():
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            text = refreshed(page)
        changed = text != page.read_text(encoding="utf-8")
        page.write_text(text, encoding="utf-8")
        print(f"{page.relative_to(ROOT)}: {'refreshed' if changed else 'as it was'}")


if __name__ == "__main__":
    main(sys.argv[1:])
