"""The pages of the documentation as lists of fenced blocks.

=====================  ==========================================================================
```python              executed: as a doctest if it holds ``>>>``, as a script otherwise
```console             executed: lines after ``$`` are commands, the rest is their output
```toml title="f"      written to file ``f`` (any language), so that later blocks can use it
```sh                  set-up commands for a person; not executed
=====================  ==========================================================================

The blocks of a page run in order, in one empty folder and one namespace: a page is one story.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^(?P<indent> *)```(?P<language>[\w-]*)(?P<options>[^`]*)$")
TITLE = re.compile(r'title="([^"]+)"')


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block; ``line`` is that of its first line of text."""

    page: Path
    line: int
    language: str
    title: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}, line {self.line}"


def pages() -> list[Path]:
    """README and every page of the documentation."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, from top to bottom."""
    lines = iter(enumerate(page.read_text(encoding="utf-8").splitlines(), 1))
    for number, line in lines:
        fence = FENCE.match(line)
        if not fence:
            continue
        indent = len(fence["indent"])
        text = []
        for _, inner in lines:
            if inner.strip() == "```":
                break
            text.append(inner[indent:])
        else:
            raise ValueError(f"{page}, line {number}: this fenced block never ends")
        title = TITLE.search(fence["options"])
        yield Block(page, number + 1, fence["language"], title[1] if title else "", "\n".join(text) + "\n")


def commands(block: Block) -> Iterator[tuple[int, str, str]]:
    """Line, command and expected output of a console block; a command goes on after a backslash."""
    command, output, started = "", [], block.line
    for number, line in enumerate(block.text.splitlines(), block.line):
        if line.startswith("$ "):
            if command:
                yield started, command, "\n".join(output)
            command, output, started = line[2:], [], number
        elif command.endswith("\\"):
            command = command[:-1] + line
        else:
            output.append(line)
    if command:
        yield started, command, "\n".join(output)
