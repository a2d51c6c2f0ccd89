"""The verdict on one entry, by one rule: matched, near, or not matched."""

from __future__ import annotations

from replibandit.paper.artefact import Cell
from replibandit.paper.printed import RUNS
from replibandit.study.intervals import LEVEL, normal_mean

NEAR = 0.10
VERDICTS = ("matched", "near", "not matched")


def paper_error(half_width: float | None, se: float, runs: int) -> float:
    """Standard error of a printed number: half its "+-", or, where none is printed, ours for the paper's 300 runs.

    >>> paper_error(21.0, se=2.0, runs=300), paper_error(None, se=1.0, runs=1200)
    (10.5, 2.0)
    """
    return half_width / 2 if half_width is not None else float(se * (runs / RUNS) ** 0.5)


def verdict(ours: float, se: float, printed: float, printed_se: float) -> str:
    """matched: inside the 95 % interval of the difference; near: within 10 %; not matched: otherwise.

    >>> verdict(600.0, 8.0, 597.2, 10.5), verdict(640.0, 1.0, 597.2, 10.5), verdict(700.0, 1.0, 597.2, 10.5)
    ('matched', 'near', 'not matched')
    """
    combined = normal_mean(ours - printed, float((se**2 + printed_se**2) ** 0.5), LEVEL)
    if combined.low <= 0 <= combined.high:
        return "matched"
    return "near" if abs(ours / printed - 1) <= NEAR else "not matched"


def cell(word: str, why: str = "") -> Cell:
    """A verdict in a table."""
    return Cell(word, look=word.replace(" ", "-"), title=why)
