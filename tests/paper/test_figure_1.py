"""Figure 1: curves from 1 to T that end in Table 2."""

from __future__ import annotations

from replibandit.paper import printed
from replibandit.paper.figure_1 import FIGURE_1
from replibandit.paper.table_2 import TABLE_2
from tests.paper.conftest import Whole


def test_each_curve_ends_in_the_entry_of_table_2(whole: Whole) -> None:
    entries = whole.data(TABLE_2)
    for protocol, models in whole.data(FIGURE_1).items():
        for model, curves in models.items():
            assert list(curves) == list(printed.POLICIES)
            for name, curve in curves.items():
                assert curve["rounds"][0] == 1
                assert curve["rounds"][-1] == printed.HORIZON
                entry = entries[protocol][model][name]
                assert abs(curve["mean"][-1] - entry["regret"]) < 1e-6
                assert abs(2 * curve["se"][-1] - entry["half_width"]) < 1e-6


def test_regret_never_falls(whole: Whole) -> None:
    for models in whole.data(FIGURE_1).values():
        for curves in models.values():
            for curve in curves.values():
                pairs = zip(curve["mean"], curve["mean"][1:], strict=False)
                assert all(later >= earlier - 1e-9 for earlier, later in pairs)
