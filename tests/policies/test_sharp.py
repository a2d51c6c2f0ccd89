"""REC and RSE with free constants: the theorems' constants are one point of the family."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import replibandit as rb
from replibandit.errors import InvalidParameter

SHARP: dict[str, Any] = {"arms": 3, "horizon": 4000, "rho": 0.3, "sigma": 0.5, "first": 4, "ratio": 3.0}
RULES: list[tuple[Any, dict[str, float]]] = [
    (rb.SharpREC, {"lo": 2.0, "width": 3.0}),
    (rb.SharpRSE, {"lo": 2.0, "width": 3.0, "eliminate_lo": 1.0, "eliminate_width": 0.5}),
]


@pytest.mark.parametrize(("kind", "constants"), RULES, ids=["rec", "rse"])
def test_phases_grow_by_the_ratio_and_thresholds_shrink_with_the_noise(
    kind: Any, constants: dict[str, float]
) -> None:
    policy = kind(**SHARP, **constants)
    assert [policy.pull_count(p) for p in (1, 2, 3, 4)] == [4, 12, 36, 108]
    assert policy.phases == next(p for p in range(1, 99) if 4 * 3 ** (p - 1) >= 4000)
    for phase in (1, 2, 5):
        noise = 0.5 / math.sqrt(policy.pull_count(phase))
        for rule in policy.rules:
            prefix = "" if rule == "commit" else "eliminate_"
            lo, width = constants[f"{prefix}lo"], constants[f"{prefix}width"]
            edge = policy.threshold(phase, rule)
            for u in (0.0, 0.4, 1.0):
                assert edge.at(np.array(u)) == pytest.approx((lo + width * u) * noise)
            assert (edge.low, edge.high) == pytest.approx((lo * noise, (lo + width) * noise))


def test_a_ratio_that_is_not_whole_is_rounded_up_each_time() -> None:
    policy = rb.SharpREC(**SHARP | {"ratio": 1.5}, lo=1, width=1)
    assert [policy.pull_count(p) for p in (1, 2, 3, 4)] == [4, 6, 9, 14]


def test_the_theorems_constants_are_one_point_of_the_family() -> None:
    """b = a^2, N_1 = 8 a^2 sigma^2, lo = 2 c, w = c with c = Conf^max sqrt(N_p) / sigma: the same runs."""
    theorem = rb.REC(arms=3, horizon=4000, rho=0.3, sigma=0.5, commit_scale=0.03)
    c = theorem.radius(1, "commit") * math.sqrt(theorem.pull_count(1)) / 0.5
    sharp = rb.SharpREC(**SHARP | {"first": 8, "ratio": 4.0}, lo=2 * c, width=c)
    problem = rb.problem("paper/model-2", sd=0.5)
    one, other = (rb.simulate(policy, problem, runs=500, seed=3) for policy in (theorem, sharp))
    assert (one.digests == other.digests).all()
    assert len(one.stopping) > 1


@pytest.mark.parametrize(("kind", "constants"), RULES, ids=["rec", "rse"])
def test_constants_given_by_hand_are_guaranteed_what_their_certificate_says(
    kind: Any, constants: dict[str, float]
) -> None:
    narrow = kind(**SHARP, **constants).guarantee
    assert narrow.rho is None
    assert "above rho=0.3" in str(narrow)
    wide = kind(**SHARP, **{name: value * 100 for name, value in constants.items()})
    assert wide.guarantee.rho == 0.3
    assert f"certified at {rb.certify(wide).rho:.4g}" in str(wide.guarantee)


@pytest.mark.parametrize(("kind", "constants"), RULES, ids=["rec", "rse"])
def test_every_constant_can_be_tuned(kind: Any, constants: dict[str, float]) -> None:
    policy = kind(**SHARP, **constants)
    assert set(policy.knobs) == {"first", "ratio", *constants}
    fixed = {name: value for name, value in constants.items() if not name.endswith("width")}
    assert set(kind(**SHARP, **fixed, starts=4).knobs) == {"first", "ratio", *fixed}  # not turned into random ones


def test_phases_begin_at_places_evenly_spaced_on_a_logarithmic_axis() -> None:
    policy = rb.SharpREC(**SHARP | {"first": 1000, "ratio": 16.0, "horizon": 10**9}, lo=5, starts=4)
    firsts = [[rule.pull_count(phase) for rule in policy.openings] for phase in (1, 2)]
    assert firsts == [[1000, 2000, 4000, 8000], [16_000, 32_000, 64_000, 128_000]]
    assert [rule.start for rule in policy.openings] == [0, 1, 2, 3]
    assert policy.smallest_gap == min(rule.smallest_gap for rule in policy.openings)
    assert rb.SharpREC.from_dict(policy.to_dict()) == policy
    assert rb.SharpREC.from_dict(policy.openings[2].to_dict()).pull_count(1) == 4000


@pytest.mark.parametrize("ask", ["pull_count", "new_pulls", "precision"])
def test_until_the_start_is_known_nobody_can_say_when_phases_end(ask: str) -> None:
    policy = rb.SharpREC(**SHARP, lo=5, starts=4)
    with pytest.raises(InvalidParameter, match="left to U"):
        getattr(policy, ask)(1)
    with pytest.raises(InvalidParameter, match="left to U"):
        policy.threshold(1, "commit")


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        ("first", 0, "1 <= first"),
        ("ratio", 1.0, "Phases must grow"),
        ("ratio", 1 + 1e-12, "take a larger `ratio`"),
        ("lo", -0.1, "0 <= lo"),
        ("lo", 1e60, "lo <= 1e+50"),
        ("width", -1.0, "0 <= width"),
        ("width", 1e-60, "1e-50 <= width"),
        ("starts", 0, "1 <= starts"),
        ("starts", 5000, "starts <= 4096"),
        ("start", 1, "start <= 0"),
    ],
)
def test_an_impossible_constant_is_refused(option: str, value: float, says: str) -> None:
    with pytest.raises(InvalidParameter) as refusal:
        rb.SharpREC(**SHARP | {"lo": 1.0, "width": 1.0, option: value})
    assert says in str(refusal.value)
