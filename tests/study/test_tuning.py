"""Tuning: the chosen setting holds on fresh seeds, and everything seen is reported."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import replibandit as rb
from replibandit.errors import InvalidParameter
from replibandit.study.measure import measure
from replibandit.study.search import FINALS, HEATS, PER_KNOB, Bench, usual_candidates
from replibandit.study.tuning import Tuning

MODEL = rb.problem("paper/model-2", sd=0.5)


def rec(**options: Any) -> rb.REC:
    return rb.REC(arms=3, horizon=2000, rho=0.3, sigma=0.5, **options)


def quick(**options: Any) -> Tuning:
    return rb.tune(rec(), MODEL, **({"candidates": 60, "effort": 0.1} | options))


@pytest.fixture(scope="module")
def tuning() -> Tuning:
    return quick()


@pytest.mark.parametrize("search", ["grid", "refine"])
def test_the_chosen_setting_is_confirmed_within_the_target(search: Any) -> None:
    tuning = quick(search=search)
    assert tuning.best is not None
    assert tuning.best.nonreplication.high <= tuning.target
    assert tuning.best in tuning.finalists
    assert all(
        tuning.best.regret.estimate <= finalist.regret.estimate
        for finalist in tuning.finalists
        if finalist.nonreplication.high <= tuning.target
    )


@pytest.mark.statistical
def test_the_chosen_setting_holds_on_seeds_the_search_has_not_seen() -> None:
    """The finals' limits hold with 95 %, this interval's lower limit with 97.5 %: below 8 % to fail by chance."""
    tuning = quick(seed=3)
    fresh = measure(tuning.tuned, MODEL, seeds=2000, runs=10, seed=10**6)
    assert fresh.nonreplication.low <= tuning.target


def test_refining_beats_the_grid_or_comes_close() -> None:
    grid, refined = quick(search="grid"), quick(search="refine")
    assert grid.best is not None
    assert refined.best is not None
    assert refined.best.regret.estimate <= 1.05 * grid.best.regret.estimate


def test_the_frontier_falls_in_regret_as_nonreplication_grows(tuning: Tuning) -> None:
    frontier = tuning.frontier
    assert len(frontier) >= 3
    assert np.all(np.diff([c.nonreplication.estimate for c in frontier]) > 0)
    assert np.all(np.diff([c.regret.estimate for c in frontier]) < 0)


def test_no_candidate_beats_the_frontier(tuning: Tuning) -> None:
    for candidate in tuning.candidates:
        assert any(
            best.nonreplication.estimate <= candidate.nonreplication.estimate
            and best.regret.estimate <= candidate.regret.estimate
            for best in tuning.frontier
        )


def test_a_target_out_of_reach_has_no_best_setting_and_says_so() -> None:
    tuning = quick(space={"commit_scale": (0.005, 0.006)}, target=0.01)
    assert tuning.best is None
    assert tuning.to_dict()["best"] is None
    with pytest.raises(rb.errors.InvalidParameter, match=r"0\.01-replicable"):
        _ = tuning.tuned


def test_the_warning_says_that_nothing_is_guaranteed(tuning: Tuning) -> None:
    assert "not guaranteed" in tuning.warning


def test_equal_seeds_give_equal_tunings_and_others_do_not() -> None:
    first, again, other = quick(seed=1), quick(seed=1), quick(seed=2)
    assert first.to_dict() == again.to_dict()
    assert first.candidates != other.candidates


@pytest.mark.parametrize("search", ["grid", "refine"])
def test_a_tuning_runs_again_from_its_own_json(search: Any) -> None:
    tuning = quick(search=search, space={"commit_scale": (0.01, 0.5)})
    told = json.loads(json.dumps(tuning.to_dict()))
    again = rb.rerun(told)
    assert isinstance(again, Tuning)
    assert again.to_dict() == tuning.to_dict()


def test_a_whole_number_stays_whole_in_a_space_given_by_its_ends() -> None:
    policy = rb.SharpREC(arms=3, horizon=2000, rho=0.3, sigma=0.5, first=1, ratio=2, lo=1, width=1)
    tuning = rb.tune(policy, MODEL, space={"first": (2, 90), "lo": (0.1, 3)}, candidates=30, effort=0.2)
    assert all(dict(candidate.settings)["first"].is_integer() for candidate in tuning.candidates)


def test_the_table_tells_screened_candidates_from_finalists(tuning: Tuning) -> None:
    table = tuning.table()
    assert table["stage"].count("screening") == len(tuning.candidates) == 60
    assert table["stage"].count("finals") == len(tuning.finalists)
    assert table["best"].count(True) == 1
    assert len({len(column) for column in table.values()}) == 1


# Regret to reach at an upper limit of 0.3 with noise of variance 0.5 and T = 10^4 (the paper prints 597 and 683). A
# third of the usual search is asked for a quarter less than that.
REACHED = {"paper/model-1": 430, "paper/model-2": 300}
MARGIN = 0.75


@pytest.mark.statistical
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("model", REACHED)
def test_a_cold_start_goes_far_below_the_regret_of_the_paper(model: str, seed: int) -> None:
    """The chosen settings are measured again by `replicate` and `simulate`, on seeds the search has not seen.

    All limits of the finals hold with 95 %, so a true nonreplication above the target is chosen in at most 5 % of
    searches; ``high`` asks for more than that: that it is clearly below.
    """
    problem = rb.problem(model)
    free = {"first": 1, "ratio": 2, "lo": 1, "width": 1, "eliminate_lo": 1, "eliminate_width": 1}
    policy = rb.SharpRSE(arms=problem.arms, horizon=10_000, rho=0.3, sigma=0.5**0.5, **free)
    tuning = rb.tune(policy, problem, target=0.3, seed=seed, candidates=200, effort=1 / 3)
    assert rb.replicate(tuning.tuned, problem, seeds=3000, runs=10, seed=10**6 + seed).interval.high <= 0.3
    regret = rb.simulate(tuning.tuned, problem, runs=20_000, seed=10**7 + seed).regret_interval
    assert regret.high <= MARGIN * REACHED[model]


@pytest.mark.parametrize("space", [None, {"divisor": (1, 10_000)}, {"divisor": (1, 10_000), "base": (1.5, 50)}])
def test_arm_0_played_unseen_is_no_policy_to_tune(space: Any) -> None:
    """Its regret would be 0 here, as the best arm comes first; it is that of the worst arm."""
    policy = rb.RASMAB(arms=3, horizon=2000, rho=0.3, sigma=0.5)
    tuning = rb.tune(policy, MODEL, space=space, candidates=40, effort=0.1)
    assert min(candidate.regret.estimate for candidate in tuning.candidates) > 10
    if space is not None:
        assert max(candidate.regret.estimate for candidate in tuning.candidates) == pytest.approx(2000 * 0.6)


def test_a_knob_turned_to_its_end_is_told() -> None:
    assert quick(space={"commit_scale": (0.06, 0.12)}, effort=0.2).at_the_edge == ("commit_scale",)
    assert quick(space={"commit_scale": (0.01, 1.0)}).at_the_edge == ()
    assert quick(space={"commit_scale": (0.5, 0.5)}).at_the_edge == ()


def test_every_finalist_has_seeds_of_its_own_and_the_heats_share_theirs() -> None:
    bench = Bench(lambda _: rec(commit_scale=0.05), MODEL, {}, seed=1, effort=0.1)
    assert bench.measure((), HEATS) == bench.measure((), HEATS)
    first, second = (bench.measure((), FINALS, own=number) for number in range(2))
    assert first.regret != second.regret


def test_more_knobs_get_more_candidates_up_to_a_limit() -> None:
    assert [usual_candidates(knobs) for knobs in (1, 2, 7)] == [PER_KNOB, 2 * PER_KNOB, 600]


def test_little_effort_has_fewer_heats_and_finals_too() -> None:
    bench = Bench(lambda _: rec(), MODEL, rec().knobs, seed=1, effort=1)
    assert (bench.heats, bench.finals) == (20, 6)
    bench.effort = 0.01
    assert (bench.heats, bench.finals) == (8, 3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": 0.0}, "target"),
        ({"target": 1.5}, "target"),
        ({"search": "luck"}, "search"),
        ({"candidates": 3}, "candidates"),
        ({"effort": 0.0}, "effort"),
        ({"seed": -1}, "0 <= seed"),
        ({"seed": 0.5}, "`seed` must be a whole number"),
        ({"seed": {}}, "`seed` must be a whole number"),
        ({"space": {"colour": (1, 2)}}, "'colour'"),
        ({"space": {}}, "space"),
        ({"space": {"commit_scale": (1, 2, 3)}}, "two ends"),
        ({"space": {"commit_scale": (2, 1)}}, "low <= high"),
        ({"space": {"commit_scale": (0, 1)}}, "0 < low"),
    ],
)
def test_a_search_that_makes_no_sense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(rb.errors.InvalidParameter, match=message):
        quick(**options)


def test_a_policy_without_knobs_is_refused() -> None:
    with pytest.raises(rb.errors.InvalidParameter, match="UCB1 has none"):
        rb.tune(rb.UCB1(arms=3, horizon=100), MODEL)


def test_a_space_that_is_no_dict_is_refused() -> None:
    space: Any = 5
    policy = rb.REC(arms=3, horizon=1000, rho=0.3, sigma=0.5)
    with pytest.raises(InvalidParameter, match="`space` must be a dict"):
        rb.tune(policy, rb.problem("paper/model-2"), space=space)
