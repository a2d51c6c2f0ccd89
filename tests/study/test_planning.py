from __future__ import annotations

import json
import math

import pytest

import replibandit as rb
from replibandit.errors import InvalidParameter
from replibandit.study.planning import AB, KNOWN_GAP, LEAST_LEVEL, THEOREM


@pytest.mark.parametrize("arms", [2, 5])
def test_a_plan_answers_for_every_design_and_is_json(arms: int) -> None:
    plan = rb.plan(arms=arms, gap=0.1, sigma=0.5, rho=0.02, horizon=10**6, pairs=500)
    assert plan.designs[0].design == THEOREM
    assert {KNOWN_GAP, AB} <= {design.design for design in plan.designs}
    written = json.loads(json.dumps(plan.to_dict(), allow_nan=False))
    assert written["designs"][0]["policy"]["kind"] == "rec/1"
    for design in plan.designs:
        assert 0 <= design.commits <= 1
        assert design.differ_low <= design.differ <= design.differ_high
        assert design.regret <= 0.1 * 10**6


def test_a_horizon_at_which_nothing_commits_is_said_in_plain_words() -> None:
    plan = rb.plan(arms=2, gap=0.05, sigma=0.5, rho=0.1, horizon=100_000)
    theorem = plan[THEOREM]
    assert theorem.commits == 0
    assert theorem.smallest_gap == rb.REC(arms=2, horizon=100_000, rho=0.1, sigma=0.5).smallest_gap
    assert plan.notes[0].startswith(
        f"At T = 100,000 the theorem's constants never commit below gap {theorem.smallest_gap:.3g}"
    )


def test_without_a_horizon_every_design_decides() -> None:
    plan = rb.plan(arms=5, gap=0.05, sigma=0.5, rho=0.05, pairs=500)
    assert math.log10(plan.horizon).is_integer()
    assert plan[THEOREM].commits == plan[KNOWN_GAP].commits == 1
    assert not any("never commit" in note for note in plan.notes)


def test_the_same_seed_gives_the_same_plan() -> None:
    first, again = (rb.plan(arms=3, gap=0.1, sigma=0.5, rho=0.1, pairs=300, seed=4).to_dict() for _ in range(2))
    assert first == again


def test_scaling_gap_and_sigma_together_changes_regret_only() -> None:
    """Rewards in other units: the theorem's phases depend on sigma alone, so known-gap ETC is the clean case."""
    one, two = (
        rb.plan(arms=4, gap=0.1 * unit, sigma=0.5 * unit, rho=0.1, horizon=10**5, pairs=300)[KNOWN_GAP]
        for unit in (1, 2)
    )
    assert (one.samples_mean, one.wrong, one.differ) == (two.samples_mean, two.wrong, two.differ)
    assert two.regret == pytest.approx(2 * one.regret)


def test_rho_at_the_level_is_said_to_leave_no_test() -> None:
    plan = rb.plan(arms=2, gap=0.1, sigma=0.5, rho=0.3, horizon=10**5)
    assert any("leaves nothing of a test at level 0.05" in note for note in plan.notes)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"arms": 1}, "arms"),
        ({"gap": 0.0}, "gap"),
        ({"gap": math.nan}, "gap"),
        ({"sigma": 0.0}, "sigma"),
        ({"sigma": -1.0}, "sigma"),
        ({"rho": 0.0}, "rho"),
        ({"rho": 0.7}, "rho"),
        ({"level": 0.0}, "level"),
        ({"level": 1e-300}, "1e-12 <= level"),
        ({"noise": "foo"}, "`noise` must be one of gaussian"),
        ({"power": 0.01}, "power"),
        ({"horizon": 0}, "horizon"),
        ({"pairs": 1}, "pairs"),
        ({"rho": 1e-6, "horizon": 100}, "rho=1e-06 is too small for T = 100"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(change: dict[str, float], named: str) -> None:
    asked = {"arms": 2, "gap": 0.1, "sigma": 0.5, "rho": 0.1, "horizon": 10**5}
    with pytest.raises(InvalidParameter, match=named) as caught:
        rb.plan(**(asked | change))
    assert "\n" not in str(caught.value)


def test_the_least_level_can_be_planned_for() -> None:
    plan = rb.plan(arms=2, gap=0.1, sigma=0.5, rho=0.1, horizon=10**5, level=LEAST_LEVEL)
    assert plan[AB].samples_mean > 2000


def test_an_unknown_design_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        rb.plan(arms=2, gap=0.1, sigma=0.5, rho=0.1, horizon=10**5)["magic"]
