"""Figure 3: linear bandits, and regret against the number of arms."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest

import replibandit as rb
from replibandit.paper.artefact import Section, Settings
from replibandit.paper.figure_3 import ARMS, FIGURE_3
from replibandit.paper.parts import Parts
from replibandit.paper.press import make
from replibandit.paper.printed import LINEAR


@pytest.fixture(scope="module")
def section(tmp_path_factory: pytest.TempPathFactory) -> Section:
    return make([FIGURE_3], Settings(runs=30), Parts(tmp_path_factory.mktemp("parts"))).sections[FIGURE_3]


def test_it_is_complete_and_labelled(made: Callable[..., Section]) -> None:
    assert len(made(FIGURE_3, runs=3).tables) == 2


def test_features_save_most_of_the_regret(section: Section) -> None:
    """Seen: 40 to 60 with features, about 1,400 without, whatever the choice of features."""
    regret = {name: entry["regret"] for name, entry in section.data["curves"].items()}
    one_hot = regret["one-hot (the paper's RSE)"]
    for name in ("RLSE", "RLSE, best arm between"):
        assert 5 * regret[name]["high"] < one_hot["low"]


def test_every_curve_ends_at_the_regret_of_the_table_and_never_falls(section: Section) -> None:
    for entry in section.data["curves"].values():
        assert entry["curve"]["rounds"][-1] == LINEAR["horizon"]
        assert entry["curve"]["mean"][-1] == pytest.approx(entry["regret"]["estimate"])
        assert (np.diff(entry["curve"]["mean"]) >= -1e-9).all()


def test_settings_alone_are_enough_to_run_an_entry_again(section: Section) -> None:
    for entry in section.data["curves"].values():
        again = json.loads(json.dumps(entry["settings"]))
        policy, problem = rb.policy_from_dict(again["policy"]), rb.problem_from_dict(again["problem"])
        assert sorted(problem.means) == sorted(LINEAR["means"])
        assert (policy.arms, policy.horizon) == (5, LINEAR["horizon"])


def test_regret_grows_with_k_without_features_and_hardly_with_them(section: Section) -> None:
    found = {(p["policy"], p["arms"]): p["regret"] for p in section.data["many_arms"]}
    assert len(found) == 2 * len(ARMS)
    assert found["one-hot", 1000]["low"] > 50 * found["one-hot", 10]["high"]
    assert found["RLSE", 1000]["high"] < 5 * found["RLSE", 10]["low"]


def test_the_notes_say_whose_features_these_are(section: Section) -> None:
    words = " ".join(section.notes)
    assert "our choice" in words
    assert "(0.1, 1.2)" in words
    assert "(1.2, -1)" in words
