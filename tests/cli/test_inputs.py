"""From words and options to a problem and policies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import replibandit as rb
from replibandit.cli import cli
from replibandit.cli import run as command_line
from replibandit.cli.inputs import WHOLE, literal, pairs, read_policy, read_problem, read_rival, read_words
from replibandit.errors import InvalidParameter, UnknownName

NONE: dict[str, Any] = {"means": None, "noise": None, "sd": None, "problem_set": ()}
USUAL: dict[str, Any] = {"horizon": 1000, "rho": 0.3, "sigma": None, "settings": ()}
MODEL = rb.problem("paper/model-2", sd=0.5)


@pytest.mark.parametrize(
    ("text", "number"), [("10000", 10_000), ("10_000", 10_000), ("1e4", 10_000), ("2.5e1", 25), ("-3", -3)]
)
def test_whole_numbers_may_be_written_as_people_write_them(text: str, number: int) -> None:
    assert WHOLE.convert(text, None, None) == number


@pytest.mark.parametrize("text", ["1.5", "ten", "", "1e400", "nan", "1e-3", "0x10"])
def test_what_is_no_whole_number_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(click.BadParameter, match="is not a whole number, such as 10000, 10_000 or 1e4"):
        WHOLE.convert(text, None, None)


def test_words_are_problem_and_policy_or_policy_alone() -> None:
    assert read_words(("paper/model-1", "rec"), None) == ("paper/model-1", "rec")
    assert read_words(("rec",), "0.7,0.3") == (None, "rec")
    for words, means in ((("rec",), None), ((), None), (("a", "b", "c"), None), (("paper/model-1", "rec"), "0.1")):
        with pytest.raises(click.UsageError, match="expected"):
            read_words(words, means)


def test_a_problem_by_name_by_means_and_by_file(tmp_path: Path) -> None:
    assert read_problem("paper/model-2", **NONE | {"sd": 0.5}) == MODEL
    assert read_problem(None, **NONE | {"means": "0.7, 0.3", "noise": "gaussian", "sd": 0.5}) == rb.Gaussian(
        means=[0.7, 0.3], sd=0.5
    )
    assert read_problem(None, **NONE | {"means": "0.7,0.3", "noise": "bernoulli"}) == rb.Bernoulli(means=[0.7, 0.3])
    (tmp_path / "p.toml").write_text('noise = "student-t"\nmeans = [1, 2]\n')
    options = NONE | {"problem_set": ("df=4",)}
    assert read_problem(str(tmp_path / "p.toml"), **options) == rb.StudentT(means=[1, 2], df=4)


@pytest.mark.parametrize("option", ["means=1", "noise=bernoulli", "kind=bernoulli", "sd=2"])
def test_what_has_an_option_of_its_own_is_not_taken_from_problem_set(option: str) -> None:
    with pytest.raises(UnknownName, match=r"--problem-set cannot set \w+; use --"):
        read_problem(None, **NONE | {"means": "0.7,0.3", "problem_set": (option,)})


def test_sigma_is_that_of_the_problem_unless_given() -> None:
    policy: Any = read_policy("rec", MODEL, **USUAL)
    assert policy == rb.REC(arms=3, horizon=1000, rho=0.3, sigma=0.5)
    assert read_policy("rec", MODEL, **USUAL | {"sigma": 2.0}).to_dict()["sigma"] == 2.0
    with pytest.raises(InvalidParameter, match=r"has no sub-Gaussian scale .* give --sigma"):
        read_policy("rec", rb.StudentT(means=[1, 2]), **USUAL)


def test_settings_are_options_of_the_policy() -> None:
    settings = ("commit-scale=0.03", "order=blocks", "growth=3")
    policy = read_policy("rec", MODEL, **USUAL | {"settings": settings})
    assert policy == rb.REC(arms=3, horizon=1000, rho=0.3, sigma=0.5, commit_scale=0.03, order="blocks", growth=3)
    with pytest.raises(UnknownName, match="has no option 'foo'"):
        read_policy("rec", MODEL, **USUAL | {"settings": ("foo=1",)})


def test_a_policy_without_rho_and_sigma_is_not_given_any() -> None:
    assert read_policy("ucb1", MODEL, **USUAL) == rb.UCB1(arms=3, horizon=1000)


def test_a_rival_takes_the_settings_it_knows() -> None:
    settings = ("commit-scale=0.03", "eliminate_scale=0.01")
    assert read_rival("ucb1", MODEL, **USUAL | {"settings": settings}) == rb.UCB1(arms=3, horizon=1000)
    assert read_rival("rec", MODEL, **USUAL | {"settings": settings}).to_dict()["commit_scale"] == 0.03


@pytest.mark.parametrize("word", ["kind=rse/1", "horizon=5", "rho=0.1", "sigma=2", "arms=3"])
def test_what_has_an_option_of_its_own_is_not_taken_from_set(word: str) -> None:
    with pytest.raises(UnknownName, match=f"--set cannot set {word.partition('=')[0]}; use "):
        read_policy("rec", MODEL, **USUAL | {"settings": (word,)})


def test_a_name_given_twice_is_refused_however_it_is_written() -> None:
    with pytest.raises(UnknownName, match="--set can give 'commit_scale' once only"):
        pairs(("commit_scale=1", "commit-scale=2"), "--set")


def test_pairs_hold_numbers_where_they_look_like_numbers() -> None:
    assert pairs(("a=1", "b=2.5", "c-d=word", "e=x=y"), "--set") == [
        ("a", 1),
        ("b", 2.5),
        ("c_d", "word"),
        ("e", "x=y"),
    ]
    for word in ("a", "a=", "=1", ""):
        with pytest.raises(UnknownName, match="--set takes NAME=VALUE"):
            pairs((word,), "--set")
    assert [literal(word) for word in ("3", "3.0", " x ")] == [3, 3.0, "x"]


# --- features come from the problem -----------------------------------------------------------------------------


def run(*words: str) -> dict[str, Any]:
    done = CliRunner().invoke(cli, [*words, "--json"])
    assert done.exit_code == 0, done.output
    values: dict[str, Any] = json.loads(done.stdout)
    return values


@pytest.mark.parametrize("command", ["simulate", "replicate"])
def test_rlse_takes_the_features_of_the_problem(command: str) -> None:
    small = ("--runs", "20") if command == "simulate" else ("--seeds", "10", "--runs", "2")
    found = run(command, "paper/linear", "rlse", "--horizon", "500", *small)
    assert found["policy"]["features"] == [list(row) for row in rb.problem("paper/linear").to_dict()["features"]]


def test_rlse_has_one_hot_features_where_the_problem_has_none() -> None:
    found = run("simulate", "paper/model-2", "rlse", "--horizon", "500", "--runs", "20")
    assert found["policy"]["features"] == []


def test_a_rival_gets_them_as_well() -> None:
    found = run("simulate", "paper/linear", "rse", "--against", "rlse", "--horizon", "500", "--runs", "20")
    assert "features" not in found["policy"]
    assert len(found["against"][0]["policy"]["features"]) == 5


DESIGNED: dict[str, Any] = {"kind": "rec-sharp/1", "arms": 10, "horizon": 2000, "rho": 0.3, "sigma": 0.5} | {
    "first": 9,
    "ratio": 7,
    "lo": 4,
    "starts": 4,
}


def test_a_policy_in_a_file_is_a_policy_for_every_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("d.json").write_text(json.dumps(DESIGNED))
    for command in (
        ["simulate", "paper/model-1", "d.json", "--runs", "20"],
        ["replicate", "paper/model-1", "d.json", "--seeds", "5", "--runs", "2"],
        ["certify", "d.json"],
        ["tune", "paper/model-1", "d.json", "--candidates", "10", "--effort", "0.02"],
    ):
        assert command_line(command) == 0, command
        assert "SharpREC" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["certify", "d.json", "--arms", "3"], "--arms cannot change the policy of d.json"),
        (["attack", "d.json", "--sigma", "3"], "--sigma cannot change the policy of d.json"),
        (["simulate", "paper/model-1", "d.json", "--set", "lo=3"], "--set cannot change the policy of d.json"),
        (["simulate", "paper/model-1", "d.json", "--horizon", "9"], "--horizon cannot change the policy of d.json"),
        (["simulate", "paper/model-2", "d.json"], "d.json has 10 and the problem 3"),
        (["certify", "e.json"], "its `kind` is missing"),
        (["certify", "none.json"], "none.json"),
        (["certify", "ucb1"], "shape of REC and RSE"),
    ],
)
def test_what_contradicts_a_policy_in_a_file_is_refused(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("d.json").write_text(json.dumps(DESIGNED))
    Path("e.json").write_text("{}")
    assert command_line(words) == 2
    error = capsys.readouterr().err
    assert told in error
    assert len(error.strip().splitlines()) == 1
