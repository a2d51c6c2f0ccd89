"""The names by which the paper's LaTeX source calls its parts, and how to read them from it."""

from __future__ import annotations

import re
from pathlib import Path

SOURCE = Path(__file__).parents[3] / "shared" / "paper" / "replicability-is-asymptotically-free.tex"
STORED = Path(__file__).parent / "paper_labels.json"


def labels_of(tex: str) -> list[str]:
    """Every label, sorted."""
    return sorted(set(re.findall(r"\\label\{([^}]+)\}", tex)))


def sections_of(tex: str) -> list[str]:
    """The titles of the numbered sections in the body, in order: section n is entry n - 1."""
    body = tex.partition(r"\appendix")[0]
    return re.findall(r"\\section\{((?:[^{}]|\{[^{}]*\})*)\}", body)


def definitions_of(tex: str) -> list[str]:
    """The labels of the definitions, in order: Def. n is entry n - 1 ("" where it has none)."""
    starts = re.findall(r"\\begin\{definition\}([^\n]*)", tex)
    return [(re.findall(r"\\label\{([^}]+)\}", line) or [""])[0] for line in starts]


def algorithms_of(tex: str) -> list[str]:
    """The labels of the algorithms, in order: Algorithm n is entry n - 1."""
    boxes = re.findall(r"\\begin\{algorithm\}(.*?)\\end\{algorithm\}", tex, flags=re.DOTALL)
    return [re.findall(r"\\label\{(alg_[^}]+)\}", box)[-1] for box in boxes]
