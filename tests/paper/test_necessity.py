"""Without U a critical gap makes twins part half of the time; with U no gap does."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from replibandit.paper.artefact import Section
from replibandit.paper.necessity import CONSTANTS, NECESSITY, PHASE, POLICIES, RHO, critical_gap, scan, sentences

Made = Callable[..., Section]


def test_the_scan_holds_every_critical_gap() -> None:
    for policy in POLICIES.values():
        gaps = np.array(scan(policy))
        for u in CONSTANTS:
            assert np.abs(gaps - critical_gap(policy, u)).min() < 1e-8


def test_the_critical_gap_is_the_threshold_of_its_phase() -> None:
    policy = POLICIES["REC"]
    threshold = policy.threshold(PHASE, "commit")
    assert critical_gap(policy, 0.0) == threshold.low
    assert critical_gap(policy, 1.0) == threshold.high


@pytest.mark.statistical
def test_a_constant_in_place_of_u_parts_half_of_the_twins_and_u_does_not(made: Made) -> None:
    """480 pairs where the law says 1/2: outside 0.4 .. 0.6 with probability 1.4e-5 each, for six (exact binomial)."""
    section = made(NECESSITY, runs=120)
    for name, policy in POLICIES.items():
        gaps = section.data["gaps"][name]
        for u in CONSTANTS:
            at = int(np.argmin(np.abs(np.array(gaps) - critical_gap(policy, u))))
            found = section.data["curves"][name][f"U held at {u:g}"][at]["nonreplication"]["estimate"]
            assert 0.4 < found < 0.6
        for found in section.data["curves"][name]["with U"]:
            assert found["nonreplication"]["estimate"] < RHO


def test_the_sentence_does_not_claim_what_was_not_shown() -> None:
    held = {"policy": "REC", "u": 0.5, "gap": 0.4, "critical_gap": 0.4}
    free = {"policy": "REC", "u": None, "gap": 0.4, "critical_gap": None}
    half = {"estimate": 0.5, "low": 0.4, "high": 0.6}
    low, high = {"estimate": 0.05, "low": 0.0, "high": 0.1}, {"estimate": 0.25, "low": 0.2, "high": 0.31}
    told = sentences([held | {"nonreplication": half}, free | {"nonreplication": low}])
    assert "below ρ" in told[1]
    assert "NOT" not in told[1]
    told = sentences([held | {"nonreplication": half}, free | {"nonreplication": high}])
    assert "NOT shown" in told[1]
