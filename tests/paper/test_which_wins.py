"""Which policy wins where: small, labelled, repeatable, and told as it was found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import replibandit as rb
from replibandit.paper import which_wins
from replibandit.paper.artefact import Section, Settings
from replibandit.paper.parts import Parts
from replibandit.paper.press import make
from replibandit.paper.which_wins import KINDS, POLICIES, WHICH_WINS, cell, gaps, horizon, instance, space, subject
from replibandit.paper.which_wins_words import sentences
from tests.paper.conftest import check

SMALL = (2, 3, 300)  # the last is searched near what was found on the one before
RUNS = 60


def make_small(folder: Path, runs: int = RUNS) -> Section:
    section = make([WHICH_WINS], Settings(runs=runs), Parts(folder)).sections[WHICH_WINS]
    check(WHICH_WINS, section)
    return section


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Section:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(which_wins, "ARMS", SMALL)
        return make_small(tmp_path_factory.mktemp("which"))


def test_every_instance_has_a_cell_and_every_policy_a_row(small: Section) -> None:
    cells = small.data["cells"]
    assert [(found["kind"], found["arms"]) for found in cells] == [(kind, arms) for kind in KINDS for arms in SMALL]
    assert len(small.tables[0].rows) == len(cells) * len(POLICIES)


def test_the_winner_is_the_one_with_the_least_regret_of_those_that_qualify(small: Section) -> None:
    won = 0
    for found in small.data["cells"]:
        regrets = {
            name: values["regret"]["estimate"]
            for name, values in found["policies"].items()
            if values["nonreplication"]["high"] <= which_wins.TARGET
        }
        assert found["winner"] == (min(regrets, key=lambda name: regrets[name]) if regrets else None)
        won += found["winner"] is not None
    assert won >= 6


def test_the_answer_names_the_winner_of_every_cell(small: Section) -> None:
    told = small.data["answer"]
    assert list(small.notes) == told
    for kind in KINDS:
        sentence = next(line for line in told if line.startswith(kind.capitalize()))
        named = {}
        for part in sentence.partition(": ")[2].partition(" (*")[0].split("; "):
            name, _, arms = part.partition(" at K = ")
            named |= {int(count.strip("*").replace(",", "")): name for count in arms.split(", ")}
        assert named == {
            found["arms"]: found["winner"]
            for found in small.data["cells"]
            if found["kind"] == kind and found["winner"]
        }


def test_equal_seeds_give_the_same_answer(small: Section, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(which_wins, "ARMS", SMALL)
    assert make_small(tmp_path).data == small.data


def test_too_few_runs_for_an_answer_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(which_wins, "ARMS", (2, 3))
    section = make_small(tmp_path, runs=2)
    assert "too few runs for an answer" in section.notes[0]


def test_two_instances_are_the_papers() -> None:
    assert np.allclose(instance("equal gaps", 10).gaps, rb.problem("paper/model-1").gaps)
    assert np.allclose(instance("one close runner-up", 3).gaps, rb.problem("paper/model-2").gaps)
    assert horizon(10) == horizon(3) == 10_000


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("arms", which_wins.ARMS)
def test_the_gaps_are_as_named(kind: str, arms: int) -> None:
    found = gaps(kind, arms)
    assert len(found) == arms - 1
    assert min(found) > 0.09
    assert max(found) < 0.81
    ratios = np.array(found[1:]) / np.array(found[:-1])
    if kind != "one close runner-up":
        assert np.allclose(ratios, ratios[:1])


@pytest.mark.parametrize("name", ["REC", "RSE"])
def test_a_multiplier_at_its_end_forbids_every_decision(name: str) -> None:
    policy = subject(name, 10)
    knobs = space(policy, 0.6)
    at_end = type(policy).from_dict(policy.to_dict() | {k: knobs[k].high for k in knobs if k.endswith("scale")})
    assert at_end.smallest_gap == pytest.approx(0.6)


def values(regret: float, *, half: float = 1.0, qualifies: bool = True) -> dict[str, Any]:
    interval = {"estimate": regret, "low": regret - half, "high": regret + half}
    return {"regret": interval, "nonreplication": {"estimate": 0.2}, "qualifies": qualifies, "settings": {}}


def test_a_winner_is_clear_only_if_its_interval_is_apart_from_all_others() -> None:
    near = cell("equal gaps", 2, {"REC": values(100), "RSE": values(101), "RASMAB": values(300)})
    assert (near["winner"], near["clear"]) == ("REC", False)
    apart = cell("equal gaps", 2, {"REC": values(100), "RSE": values(103), "RASMAB": values(300)})
    assert (apart["winner"], apart["clear"]) == ("REC", True)
    assert apart["policies"]["RASMAB"]["factor"] == 3


def test_a_policy_that_does_not_qualify_cannot_win_and_is_named() -> None:
    found = cell("equal gaps", 2, {"REC": values(1, qualifies=False), "RSE": values(103), "RASMAB": values(300)})
    assert found["winner"] == "RSE"
    told = sentences([found], 0.3)
    assert told[-2] == "Not shown to be 0.3-replicable with any constants tried: REC on equal gaps, K = 2."
    assert "RSE risks least: RSE at most 1.00" in told[-3]


def test_rse_worse_than_rec_is_told_as_a_miss_of_the_search() -> None:
    missed = cell("equal gaps", 2, {"REC": values(100), "RSE": values(120), "RASMAB": values(300)})
    assert "up to 1.20 times as much (equal gaps, K = 2)" in sentences([missed], 0.3)[-1]
    fine = cell("equal gaps", 2, {"REC": values(100), "RSE": values(90), "RASMAB": values(300)})
    assert sentences([fine], 0.3)[-1].endswith("how good the search was.")
