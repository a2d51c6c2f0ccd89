"""What happens to a page on its way into the site."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest

from tests.docs.pages import ROOT


def hook(name: str) -> ModuleType:
    """A module of ``docs/_hooks``."""
    spec = importlib.util.spec_from_file_location(f"hook_{name}", ROOT / "docs" / "_hooks" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_block_with_prompts_is_coloured_as_a_console() -> None:
    page = "```python\n>>> 1\n1\n```\n\n    ```python\n    >>> 2\n    2\n    ```\n"
    assert hook("doctests").on_page_markdown(page) == page.replace("python", "pycon")


def test_a_script_stays_python() -> None:
    page = "```python\nimport numpy\n```\n\n```console\n$ ls\n```\n"
    assert hook("doctests").on_page_markdown(page) == page


def test_formulas_become_mathml() -> None:
    pytest.importorskip("latex2mathml", reason="the extra `docs` builds the site")
    inline = '<p><span class="arithmatex">\\(a &lt; b\\)</span></p>'
    display = '<div class="arithmatex">\\[\n\\frac{1}{2}\n\\]</div>'
    made = hook("mathml").on_page_content(inline + display)
    assert made.count("<math") == 2
    assert "arithmatex" not in made
    assert '<div class="formula">' in made
    assert "<mfrac>" in made
