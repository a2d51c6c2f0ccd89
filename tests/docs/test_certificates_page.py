"""The costs on the page of certificates are those of the shipped table and of the bound itself."""

from __future__ import annotations

import re

import pytest

from replibandit.policies import design_table
from tests.docs.pages import ROOT

ROW = re.compile(r"\| (\d+), (\S+) \| (\S+) \| ([\d,]+) \| ([\d,]+) \| (\d+) \|")
ROWS = ROW.findall((ROOT / "docs" / "certificates.md").read_text(encoding="utf-8"))


def test_the_page_has_every_row() -> None:
    assert len(ROWS) == 12


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " ".join(row[:3]))
def test_a_row_of_the_page_is_what_is_computed(row: tuple[str, ...]) -> None:
    arms, noise, rho, theorem, certified, times = row
    found = design_table.theorem_cost(int(arms), float(rho))
    entry = design_table.Entry(objective="commit", arms=int(arms), rho=float(rho), noise=noise)
    cost = design_table.shipped()[entry.name]["cost"]
    assert (theorem, certified, times) == (f"{found:,.0f}", f"{cost:,.0f}", f"{found / cost:.0f}")
