from __future__ import annotations

import json
import math

import pytest

import replibandit as rb
from replibandit.errors import InvalidParameter
from replibandit.study.planning import AB, KNOWN_GAP, SHARP, THEOREM


@pytest.mark.parametrize("arms", [2, 4])
@pytest.mark.parametrize("design", [THEOREM, SHARP])
def test_the_smallest_gap_is_enough_and_one_a_little_smaller_is_not(design: str, arms: int) -> None:
    budget = 10**8
    gap = rb.afford(arms=arms, sigma=0.5, rho=0.1, budget=budget)[design]
    assert gap is not None
    for factor, enough in ((1.05, True), (0.95, False)):
        plan = rb.plan(arms=arms, gap=gap * factor, sigma=0.5, rho=0.1, horizon=budget, pairs=2000)
        assert (plan[design].commits >= 0.95) is enough


def test_the_smallest_rho_is_enough_and_a_smaller_one_is_not() -> None:
    budget = 10**9
    rho = rb.afford(arms=2, sigma=0.5, gap=0.1, budget=budget)[THEOREM]
    assert rho is not None
    for factor, enough in ((1.02, True), (0.9, False)):
        plan = rb.plan(arms=2, gap=0.1, sigma=0.5, rho=rho * factor, horizon=budget)
        assert (plan[THEOREM].commits >= 0.95) is enough


def test_known_gap_and_ab_answers_are_their_closed_forms() -> None:
    answer = rb.afford(arms=5, sigma=0.5, rho=0.05, budget=10_000)
    assert answer[KNOWN_GAP] == pytest.approx(2 * 0.5 * math.sqrt(math.log(8 / 0.05) / 2000))
    plan = rb.plan(arms=5, gap=answer[AB] or 1, sigma=0.5, rho=0.3, horizon=10_000, pairs=200)
    assert plan[AB].power == pytest.approx(0.8, abs=1e-3)
    rhos = rb.afford(arms=5, sigma=0.5, gap=0.05, budget=10_000)
    assert rhos[KNOWN_GAP] == pytest.approx(8 * math.exp(-2000 * 0.01 / 4))
    assert rhos[AB] is None


def test_a_larger_budget_pays_for_a_smaller_gap() -> None:
    small, large = (rb.afford(arms=3, sigma=0.5, rho=0.1, budget=budget)[THEOREM] for budget in (10**6, 10**8))
    assert small is not None
    assert large is not None
    assert large < small


def test_where_no_value_is_enough_none_is_given_and_the_reason() -> None:
    answer = rb.afford(arms=2, sigma=0.5, gap=0.01, budget=1000)
    assert {found.value for found in answer.designs} == {None}
    assert "too few" in answer.designs[0].remark
    json.dumps(answer.to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"gap": 0.1}, "exactly one"),
        ({"rho": None}, "exactly one"),
        ({"rho": 0.8}, "rho"),
        ({"arms": 1}, "arms"),
        ({"sigma": 0.0}, "sigma"),
        ({"budget": 1}, "budget"),
        ({"horizon": 10}, "horizon"),
        ({"seed": -1}, "seed"),
        ({"noise": "foo"}, "`noise` must be one of gaussian"),
        ({"level": 1e-300}, "1e-12 <= level"),
        ({"rho": 1e-300}, "1e-50 <= rho"),
    ],
)
def test_what_makes_no_sense_is_refused(change: dict[str, float], named: str) -> None:
    asked = {"arms": 2, "sigma": 0.5, "rho": 0.1, "budget": 10**5}
    with pytest.raises(InvalidParameter, match=named):
        rb.afford(**(asked | change))


@pytest.mark.parametrize(
    ("change", "remark"), [({"rho": 1e-20}, "made for rho >= 0.001"), ({"budget": 5}, "5 rounds are too few")]
)
def test_where_sharp_constants_do_not_exist_the_table_says_so_in_plain_words(
    change: dict[str, float], remark: str
) -> None:
    answer = rb.afford(**({"arms": 2, "sigma": 0.5, "rho": 0.1, "budget": 10**5} | change))
    sharp = next(found for found in answer.designs if found.design == SHARP)
    assert sharp.value is None
    assert sharp.remark.endswith(remark)
