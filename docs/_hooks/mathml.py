"""MkDocs hook: formulas become MathML when the site is built, so that pages need no script and no network.

``$...$`` and ``$$...$$`` are also what code hosts render, so a page reads well in both places.
"""

from __future__ import annotations

import html
import re

from latex2mathml.converter import convert

INLINE = re.compile(r'<span class="arithmatex">\\\((.*?)\\\)</span>', re.DOTALL)
DISPLAY = re.compile(r'<div class="arithmatex">\\\[(.*?)\\\]</div>', re.DOTALL)


def on_page_content(content: str, **_: object) -> str:
    """Replace what the Markdown extension has marked as a formula."""
    content = DISPLAY.sub(lambda found: f'<div class="formula">{_mathml(found[1], "block")}</div>', content)
    return INLINE.sub(lambda found: _mathml(found[1], "inline"), content)


def _mathml(latex: str, display: str) -> str:
    return convert(html.unescape(latex).strip(), display=display)
