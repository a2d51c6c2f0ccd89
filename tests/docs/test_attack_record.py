"""The record of attacks in the documentation: complete, at full strength, and as the page shows it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from benchmarks.attack import PAGE, RECORD, certified, controls, table, theorem, with_table

from replibandit.policies import design_table, policy_from_dict
from replibandit.problems import problem_from_dict
from tests.docs.pages import ROOT


@pytest.fixture(scope="module")
def record() -> list[dict[str, Any]]:
    return list(json.loads(RECORD.read_text(encoding="utf-8")))


def test_the_page_shows_the_record(record: list[dict[str, Any]]) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert table(record) in page
    assert with_table(page, record) == page
    assert with_table(page, record[1:]) != page


def test_every_shipped_claim_and_every_control_is_in_it_with_a_million_pairs(record: list[dict[str, Any]]) -> None:
    expected = {(claim.name, claim.policy.to_json()) for claim in (*theorem(), *certified(), *controls())}
    assert {(entry["name"], policy_from_dict(entry["policy"]).to_json()) for entry in record} == expected
    assert min(entry["pairs"] for entry in record) >= 10**6
    assert min(entry["worst"]["pairs"] for entry in record) >= 10**6


def test_claims_stand_and_controls_are_refuted(record: list[dict[str, Any]]) -> None:
    for entry in record:
        assert entry["refuted"] is entry["name"].startswith("control"), entry["name"]
        assert entry["refuted"] is (entry["worst"]["nonreplication"]["low"] > entry["rho"])


def test_the_worst_instances_can_be_looked_at(record: list[dict[str, Any]]) -> None:
    for entry in record:
        assert policy_from_dict(entry["policy"]).arms == problem_from_dict(entry["worst"]["problem"]).arms


def test_every_entry_of_the_shipped_table_was_attacked_as_it_is_and_none_is_refuted() -> None:
    swept = json.loads((ROOT / "docs" / "attack-table.json").read_text(encoding="utf-8"))
    assert {entry["name"] for entry in swept} == set(design_table.shipped())
    page = PAGE.read_text(encoding="utf-8")
    assert f"all {len(swept)} entries" in page
    assert f"{round(sum(entry['pairs'] for entry in swept) / 1e6)} million pairs" in page
    for entry in swept:
        shipped = design_table.shipped()[entry["name"]]
        assert entry["constants"] == {name: value for name, value in shipped.items() if name != "cost"}
        assert not entry["refuted"], entry["name"]
        assert entry["worst"]["low"] <= entry["rho"]
