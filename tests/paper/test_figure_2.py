"""Figure 2: the multiplier, and the mixture of stopping phases that explains rho-hat."""

from __future__ import annotations

import pytest

import replibandit as rb
from replibandit.paper import printed
from replibandit.paper.figure_2 import FIGURE_2, SCALES, sentences, valley
from replibandit.paper.points import point, stopped_points
from replibandit.study.measure import measure
from tests.paper.conftest import Whole


def flat(*estimates: float, error: float = 0.01) -> list[dict[str, dict[str, float]]]:
    return [{"nonreplication": {"estimate": e, "low": e - error, "high": e + error}} for e in estimates]


def test_a_valley_needs_higher_ground_on_both_sides_beyond_the_intervals() -> None:
    assert valley(flat(0.5, 0.1, 0.4)) == (0, 1, 2)
    assert valley(flat(0.1, 0.5, 0.1)) is None
    assert valley(flat(0.5, 0.4, 0.3, 0.2)) is None
    assert valley(flat(0.2, 0.19, 0.2)) is None
    assert valley(flat(0.5, 0.3, 0.45, 0.1, 0.4)) == (0, 3, 4)


def test_shares_of_stopping_phases_add_up_and_twins_of_different_phases_differ(whole: Whole) -> None:
    for models in whole.data(FIGURE_2).values():
        for policies in models.values():
            for curve in policies.values():
                assert curve["scales"] == list(SCALES)
                for found in curve["points"]:
                    assert sum(found["stopping"].values()) == pytest.approx(1)
                    assert found["phases_differ"]["estimate"] <= found["nonreplication"]["estimate"] + 1e-12


def test_the_largest_multiplier_never_stops_and_twins_agree(whole: Whole) -> None:
    for models in whole.data(FIGURE_2).values():
        for policies in models.values():
            for curve in policies.values():
                assert curve["points"][-1]["stopping"] == {"0": 1.0}
                assert curve["points"][-1]["nonreplication"]["estimate"] == 0


def test_there_is_a_sentence_for_each_panel(whole: Whole) -> None:
    assert len(list(sentences(whole.data(FIGURE_2)))) == 2 * len(printed.MODELS) * 2


def test_a_point_is_what_measure_says_with_its_phases_beside_it() -> None:
    policy = rb.REC(arms=3, horizon=3000, rho=0.3, sigma=0.5, commit_scale=0.05)
    problem = rb.problem("paper/model-2", sd=0.5)
    (found,) = stopped_points([point(policy, problem)], seeds=50, runs=4, seed=3)
    plain = measure(policy, problem, seeds=50, runs=4, seed=3).to_dict()
    assert {name: found[name] for name in plain} == plain
    phases = rb.simulate(policy, problem, runs=4000, seed=1).stopping
    assert set(found["stopping"]) <= set(map(str, phases))
