"""The free-constants family under the paper's rules."""

from __future__ import annotations

from itertools import product

from replibandit.paper import printed
from replibandit.paper.artefact import Settings
from replibandit.paper.better import FREE, OWN, SYMBOLS, TUNED, best_printed, prepare, runs_for, sentences, start
from replibandit.paper.protocols import AS_WRITTEN
from replibandit.study.tuning import space_of
from tests.paper.conftest import Whole


def test_the_number_to_beat_is_the_least_of_a_replicable_policy() -> None:
    assert best_printed("paper/model-1") == ("REC", 597.2, 21.1)
    assert best_printed("paper/model-2") == ("RSE", 683.1, 13.9)


def test_every_constant_is_searched_so_the_start_is_no_hint() -> None:
    for model, name in product(printed.MODELS, FREE):
        policy = start(model, name)
        given = set(policy.to_dict()) & set(SYMBOLS)
        assert set(space_of(policy, None)) == given


def test_the_rules_are_the_papers(whole: Whole) -> None:
    for task in prepare(Settings(runs=20)):
        assert task.arguments["target"] == printed.RHO
        assert task.arguments["problem"] == AS_WRITTEN.problem(task.arguments["problem"]["name"]).to_dict()
    for found in whole.data(TUNED)["best"].values():
        for entry in found.values():
            assert entry["settings"]["policy"]["horizon"] == printed.HORIZON
            assert abs(entry["settings"]["policy"]["sigma"] ** 2 - 0.5) < 1e-12
            assert entry["settings"]["seed"] != entry["settings"]["search_seed"]


def test_a_frontier_buys_regret_with_nonreplication(whole: Whole) -> None:
    for frontiers in whole.data(TUNED)["frontiers"].values():
        assert list(frontiers) == [*OWN, *FREE]
        for frontier in frontiers.values():
            regrets = [point["regret"] for point in frontier]
            places = [point["nonreplication"] for point in frontier]
            assert regrets == sorted(regrets, reverse=True)
            assert places == sorted(places)


def test_what_was_not_confirmed_is_said(whole: Whole) -> None:
    best = whole.data(TUNED)["best"]
    entry = best["paper/model-1"]["SharpREC"]
    entry["settings"]["confirmed"] = False
    assert any("not confirmed" in told or "no setting was confirmed" in told for told in sentences(best))


def test_rare_and_costly_mistakes_are_in_the_number() -> None:
    assert runs_for(Settings(runs=300)) == 10_000
    assert runs_for(Settings(runs=30_000)) == 30_000
    assert 20 < runs_for(Settings(runs=20)) < 10_000
