"""Table 3: every printed entry beside ours, T = 10,000 being Table 2 again."""

from __future__ import annotations

from itertools import product

from replibandit.paper import printed
from replibandit.paper.protocols import PROTOCOLS
from replibandit.paper.table_2 import TABLE_2
from replibandit.paper.table_3 import TABLE_3
from replibandit.paper.verdict import VERDICTS, paper_error, verdict
from tests.paper.conftest import Whole


def test_every_printed_number_has_its_entry(whole: Whole) -> None:
    data = whole.data(TABLE_3)
    for protocol, model, name, horizon in product(
        PROTOCOLS, printed.MODELS, printed.POLICIES, map(str, printed.HORIZONS)
    ):
        entry = data[protocol.name][model][name][horizon]
        assert set(entry) == {"regret", "half_width", "nonreplication", "paper", "verdict", "why", "settings"}
        assert set(entry["nonreplication"]) == {"estimate", "low", "high"}
        assert entry["paper"]["regret"] == printed.TABLE_3[model][int(horizon)][name]
        assert entry["settings"]["policy"]["horizon"] == int(horizon)


def test_at_10_000_it_is_table_2_from_the_same_runs(whole: Whole) -> None:
    two, three = whole.data(TABLE_2), whole.data(TABLE_3)
    for protocol, model, name in product(PROTOCOLS, printed.MODELS, printed.POLICIES):
        mine, there = three[protocol.name][model][name]["10000"], two[protocol.name][model][name]
        for same in ("regret", "half_width", "nonreplication", "settings"):
            assert mine[same] == there[same]


def test_multipliers_are_the_same_at_every_horizon(whole: Whole) -> None:
    for models in whole.data(TABLE_3).values():
        for policies in models.values():
            for by_horizon in policies.values():
                policies_without_horizon = [
                    {option: value for option, value in entry["settings"]["policy"].items() if option != "horizon"}
                    for entry in by_horizon.values()
                ]
                assert all(options == policies_without_horizon[0] for options in policies_without_horizon)


def test_every_verdict_follows_from_the_numbers_beside_it(whole: Whole) -> None:
    runs = whole.results["settings"]["runs"]
    for models in whole.data(TABLE_3).values():
        for policies in models.values():
            for by_horizon in policies.values():
                for entry in by_horizon.values():
                    se, paper = entry["half_width"] / 2, entry["paper"]
                    error = paper_error(paper["half_width"], se, runs)
                    assert entry["verdict"] == verdict(entry["regret"], se, paper["regret"], error)
                    assert entry["verdict"] in VERDICTS
