"""What a rule version means, held fixed. To change a golden file knowingly see `tests/golden/regenerate.py`."""

from __future__ import annotations

import json
import shutil
from typing import Any

import numpy as np
import pytest

import replibandit as rb
from replibandit.policies import POLICIES
from tests.golden.regenerate import HERE, path_of, philox, plain, vectors

REMEDY = "run `python -m tests.golden.regenerate`, and read its first lines before you commit"


def load(name: str) -> Any:
    return json.loads((HERE / name).read_text(encoding="utf-8"))


# --- traces -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", POLICIES)
def test_every_rule_version_has_a_golden_file(kind: str) -> None:
    assert path_of(kind).exists(), REMEDY
    assert load(f"traces/{path_of(kind).name}")["cases"]


CASES = [case for path in sorted((HERE / "traces").glob("*.json")) for case in json.loads(path.read_text())["cases"]]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_golden_trace_is_replayed_from_its_file_alone(case: dict[str, Any]) -> None:
    policy = rb.policy_from_dict(case["policy"])
    golden = case["trace"]
    tallies = [
        rb.Tally(np.array(phase["pulls"]), np.array(phase["totals"]))
        for phase in golden["phases"]
        if phase["complete"]
    ]
    trace = plain(rb.replay(policy, tallies, u=rb.SharedRandomness(case["seed_of_u"])))
    assert trace["digest"] == golden["digest"]
    assert len(trace["phases"]) == len(golden["phases"])
    for mine, stored in zip(trace["phases"], golden["phases"], strict=True):
        for name in ("active", "pulls", "complete", "totals"):
            assert mine[name] == stored[name]
        _same_decisions(mine["decisions"], stored["decisions"])


def _same_decisions(mine: list[Any], stored: list[Any]) -> None:
    """Slots, U and outcomes exactly; log and sqrt may differ in the last bit between C libraries."""
    assert [(slot, u, taken) for slot, _, _, u, taken in mine] == [
        (slot, u, taken) for slot, _, _, u, taken in stored
    ]
    for (_, statistic, threshold, _, _), (_, golden, bar, _, _) in zip(mine, stored, strict=True):
        assert float(statistic) == pytest.approx(float(golden), rel=1e-12)
        assert float(threshold) == pytest.approx(float(bar), rel=1e-12)


def test_a_changed_rule_would_be_noticed() -> None:
    """The comparison above is able to fail: a threshold larger by one part in a million is another rule."""
    (case,) = [case for case in CASES if case["name"] == "rec"]
    other = rb.policy_from_dict(case["policy"] | {"commit_scale": case["policy"]["commit_scale"] * (1 + 1e-6)})
    tallies = [
        rb.Tally(np.array(p["pulls"]), np.array(p["totals"])) for p in case["trace"]["phases"] if p["complete"]
    ]
    trace = plain(rb.replay(other, tallies, u=rb.SharedRandomness(case["seed_of_u"])))
    with pytest.raises(AssertionError):
        _same_decisions(trace["phases"][0]["decisions"], case["trace"]["phases"][0]["decisions"])


# --- U ----------------------------------------------------------------------------------------------------------


def test_u_agrees_with_vectors_made_by_openssl() -> None:
    for vector in load("u.json")["u"]:
        u = rb.SharedRandomness(vector["seed"])
        assert u.uniform(vector["phase"], vector["slot"], stream=vector["stream"]) == vector["u"]


def test_u_is_the_first_53_bits_of_the_hmac() -> None:
    for vector in load("u.json")["u"]:
        assert vector["u"] == int(bin(int(vector["hmac"], 16) | 1 << 256)[3:56], 2) / 2**53


def test_commitments_agree_with_vectors_made_by_openssl() -> None:
    for seed, commitment in load("u.json")["commitments"].items():
        assert rb.SharedRandomness(seed).commitment() == commitment
        assert rb.SharedRandomness(seed).opens(commitment)


def test_openssl_still_makes_the_stored_vectors() -> None:
    """Where openssl is not installed the stored vectors stand for it: they are compared in the tests above."""
    stored = load("u.json")
    made = vectors() if shutil.which("openssl") else stored
    assert made == stored


def test_the_bulk_table_is_the_stored_one() -> None:
    assert philox() == load("philox.json")
