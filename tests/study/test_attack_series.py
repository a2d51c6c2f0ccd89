"""Series of attacks: each claim is attacked once, and the record tells how."""

from __future__ import annotations

from pathlib import Path

import pytest

import replibandit as rb
from replibandit.study import attack_series
from replibandit.study.attack_series import Claim, attack_claims

POLICY = rb.SharpREC(arms=2, horizon=1000, rho=0.3, sigma=1.0, first=1, ratio=5, lo=4, width=11.7)
CLAIMS = [
    Claim(name="loose", policy=POLICY, rho=0.5, noise="gaussian", pairs=200),
    Claim(name="false", policy=POLICY, rho=0.05, noise="gaussian", pairs=500),
]


def test_every_claim_gets_its_record_in_order(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    record = attack_claims(CLAIMS, tmp_path, progress=lambda done, total: seen.append((done, total)))
    assert [(entry["name"], entry["refuted"]) for entry in record] == [("loose", False), ("false", True)]
    assert record[1]["worst"]["nonreplication"]["low"] > 0.05
    assert rb.problem_from_dict(record[1]["worst"]["problem"]).arms == 2
    assert seen == [(1, 2), (2, 2)]


def test_an_interrupted_series_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = attack_claims(CLAIMS[:1], tmp_path)
    calls = []
    made = attack_series.attack_claim
    monkeypatch.setattr(attack_series, "attack_claim", lambda **options: calls.append(options) or made(**options))
    assert attack_claims(CLAIMS, tmp_path)[:1] == first
    assert [options["rho"] for options in calls] == [0.05]
    assert not list(tmp_path.glob("*.partial"))


def test_another_claim_or_effort_has_another_file() -> None:
    others = [
        Claim(name="x", policy=POLICY, rho=rho, noise="gaussian", pairs=pairs)
        for rho in (0.5, 0.4)
        for pairs in (200, 300)
    ]
    assert len({claim.file for claim in others}) == 4
    assert others[0].file == CLAIMS[0].file
