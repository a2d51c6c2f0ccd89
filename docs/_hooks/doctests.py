"""MkDocs hook: a Python block with prompts is coloured as a console, so that output is not taken for code."""

from __future__ import annotations

import re

PROMPTED = re.compile(r"^( *)```python\n(?=\1>>> )", re.MULTILINE)


def on_page_markdown(markdown: str, **_: object) -> str:
    """Name the language of such blocks for the site alone; code hosts colour ``python``."""
    return PROMPTED.sub(r"\1```pycon\n", markdown)
