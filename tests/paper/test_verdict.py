"""One rule for every entry."""

from __future__ import annotations

import pytest

from replibandit.paper.verdict import NEAR, VERDICTS, cell, paper_error, verdict

SE, PRINTED_SE = 3.0, 4.0
COMBINED = 1.959963984540054 * 5.0  # 95 %, sqrt(3^2 + 4^2)


@pytest.mark.parametrize("side", [-1, 1])
def test_matched_ends_at_the_combined_interval(side: int) -> None:
    assert verdict(1000 + side * COMBINED * 0.999, SE, 1000.0, PRINTED_SE) == "matched"
    assert verdict(1000 + side * COMBINED * 1.001, SE, 1000.0, PRINTED_SE) == "near"


@pytest.mark.parametrize("side", [-1, 1])
def test_near_ends_at_ten_percent_of_the_printed_number(side: int) -> None:
    assert verdict(1000 * (1 + side * NEAR * 0.999), SE, 1000.0, PRINTED_SE) == "near"
    assert verdict(1000 * (1 + side * NEAR * 1.001), SE, 1000.0, PRINTED_SE) == "not matched"


def test_many_runs_of_ours_do_not_narrow_the_printed_error() -> None:
    """Ours over 30,000 runs has a tenth of the error; the paper's 300 keep theirs."""
    assert paper_error(None, se=1.0, runs=30_000) == pytest.approx(10.0)


def test_a_verdict_does_not_hang_on_colour_alone() -> None:
    assert [cell(word).text for word in VERDICTS] == list(VERDICTS)
    assert len({cell(word).look for word in VERDICTS}) == len(VERDICTS)
