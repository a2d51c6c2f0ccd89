"""Reward files and problem files: every bad cell is named by its file and line."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

import replibandit as rb
from replibandit.errors import MissingExtra, UnreadableFile
from replibandit.problems.files import read_rewards, read_settings

pa = pytest.importorskip("pyarrow")
from pyarrow import parquet  # noqa: E402  after the check that it is there


def written(folder: Path, text: str | bytes, name: str = "rewards.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


# --- CSV --------------------------------------------------------------------------------------------------------


def test_one_column_per_arm(tmp_path: Path) -> None:
    read = read_rewards(written(tmp_path, "old, new\n1,0.5\n\n0,\n,-2e3\n"))
    assert read == {"samples": ((1.0, 0.0), (0.5, -2000.0)), "labels": ("old", "new")}


def test_two_columns_called_arm_and_reward_in_any_order_among_others(tmp_path: Path) -> None:
    read = read_rewards(written(tmp_path, "day,reward,arm\nmon,1,b\ntue,0, a \nwed,0.5,b\n"))
    assert read == {"samples": ((0.0,), (1.0, 0.5)), "labels": ("a", "b")}


def test_wide_and_tall_files_of_the_same_rewards_are_the_same_problem(tmp_path: Path) -> None:
    wide = rb.problem(written(tmp_path, "a,b\n1,0\n2,3\n", "wide.csv"))
    tall = rb.problem(written(tmp_path, "arm,reward\nb,0\na,1\nb,3\na,2\n", "tall.csv"))
    assert wide == tall
    assert wide.means == (1.5, 1.5)


def test_quotes_commas_windows_line_ends_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    read = read_rewards(written(tmp_path, '\ufeff"arm, old",new\r\n"1",2\r\n'))
    assert read == {"samples": ((1.0,), (2.0,)), "labels": ("arm, old", "new")}


def test_arms_may_be_numbered_from_zero_or_one(tmp_path: Path) -> None:
    assert read_rewards(written(tmp_path, "0,1,2\n5,6,7\n"))["labels"] == ("0", "1", "2")
    assert read_rewards(written(tmp_path, "1,2\n5,6\n"))["labels"] == ("1", "2")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty; its first line must name the columns"),
        ("\n\n", "is empty; its first line must name the columns"),
        ("a,b\n", "every arm needs at least one reward, but 'a' has none"),
        ("a,b\n1,\n2,\n", "every arm needs at least one reward, but 'b' has none"),
        ("a,b\n1,2\n3,x\n", "line 3, column 'b': a reward must be a finite number"),
        ("a,b\n1,2\n\n\n3,nan\n", "line 5, column 'b': a reward must be a finite number"),
        ("a,b\n1,2\n3,inf\n", "line 3, column 'b'"),
        ("a,b\n1,1e60\n", "line 2, column 'b': a reward must be a finite number of at most 1e+50 in size"),
        ("a,b\n1,2\n1\n", "line 3: expected 2 cells, but found 1"),
        ("a,b\n1,2,3\n", "line 2: expected 2 cells, but found 3"),
        ("a;b\n1;2\n", "line 2, column 'a;b'"),
        ("a,a\n1,2\n", "every column needs its own name"),
        ("a,\n1,2\n", "every column needs its own name"),
        ("0.5,0.25\n1,2\n", "line 1: expected column names"),
        ("1,0\n0,1\n1,1\n", "line 1: expected column names"),
        ("arm,reward\na,1\n,2\n", "line 3: the arm is blank"),
        ("arm,reward\na,1\nb,\n", "line 3, column 'reward': a reward must be a finite number"),
        ("arm,reward\na,1\nb\n", "line 3: expected 2 cells, but found 1"),
        ("arm,reward\n", "holds no rewards"),
        (b"a,b\n\xff\xfe,2\n", "is not UTF-8 text: invalid start byte at byte 4"),
        ("a,b\n" + "1" * 200_000 + ",2\n", "line 2: field larger than field limit"),
    ],
    ids=lambda value: ascii(value)[:40],
)
def test_a_bad_file_is_refused_by_name_and_line(text: str, says: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    with pytest.raises(UnreadableFile) as refusal:
        read_rewards(path)
    assert str(path) in str(refusal.value)
    assert says in str(refusal.value)
    assert len(str(refusal.value)) < 400, "a long cell is not repeated at length"


def test_a_line_number_counts_lines_inside_quotes(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="line 4, column 'b'"):
        read_rewards(written(tmp_path, 'a,b\n"1\n",2\n3,x\n'))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    for name in ("none.csv", "none.parquet", "none.toml"):
        with pytest.raises(UnreadableFile, match=r"^\S+none\.\w+ does not exist\.$"):
            rb.problem(tmp_path / name)
    with pytest.raises(UnreadableFile, match="cannot be read"):
        read_rewards(tmp_path)
    with pytest.raises(UnreadableFile, match="null"):
        read_rewards("a\0b.csv")


# --- Parquet ----------------------------------------------------------------------------------------------------


def in_parquet(folder: Path, columns: dict[str, list[Any]]) -> Path:
    path = folder / "rewards.parquet"
    parquet.write_table(pa.table(columns), path)
    return path


def test_parquet_says_what_csv_says(tmp_path: Path) -> None:
    wide = read_rewards(in_parquet(tmp_path, {"old": [1, 0, None], "new": [0.5, None, -2.0]}))
    assert wide == {"samples": ((1.0, 0.0), (0.5, -2.0)), "labels": ("old", "new")}
    tall = read_rewards(in_parquet(tmp_path, {"reward": [1.0, 0.0, 2.0], "arm": ["b", "a", "b"]}))
    assert tall == {"samples": ((0.0,), (1.0, 2.0)), "labels": ("a", "b")}
    numbered = read_rewards(in_parquet(tmp_path, {"reward": [1, 0], "arm": [1, 0]}))
    assert numbered == {"samples": ((0.0,), (1.0,)), "labels": ("0", "1")}


def test_success_as_true_or_false_is_one_or_zero(tmp_path: Path) -> None:
    assert read_rewards(in_parquet(tmp_path, {"a": [True, False], "b": [True, True]}))["samples"] == ((1, 0), (1, 1))


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"a": [1.0, 2.0], "b": ["1", "x"]}, "row 2, column 'b': a reward must be a finite number"),
        ({"a": [1.0, float("nan")], "b": [1.0, 1.0]}, "row 2, column 'a'"),
        ({"arm": ["a", None], "reward": [1.0, 1.0]}, "row 2: the arm is blank"),
        ({"arm": ["a", "b"], "reward": [1.0, None]}, "row 2, column 'reward'"),
        ({"a": [None, None], "b": [1, 2]}, "every arm needs at least one reward, but 'a' has none"),
    ],
)
def test_a_bad_row_is_named_by_its_number(columns: dict[str, list[Any]], says: str, tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile) as refusal:
        read_rewards(in_parquet(tmp_path, columns))
    assert says in str(refusal.value)


def test_what_is_no_parquet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="is not a readable Parquet file"):
        read_rewards(written(tmp_path, "nonsense", "rewards.parquet"))


def test_a_time_finer_than_pythons_is_refused_as_a_reward_and_passed_over_elsewhere(tmp_path: Path) -> None:
    times = pa.array([1, 2], pa.timestamp("ns"))
    with pytest.raises(UnreadableFile, match=r"column 'a': a reward must be a number, but got .* timestamp\[ns\]"):
        read_rewards(in_parquet(tmp_path, {"a": times, "b": [1, 2]}))
    log = {"when": times, "arm": ["a", "b"], "reward": [1, 2]}
    assert read_rewards(in_parquet(tmp_path, log))["samples"] == ((1.0,), (2.0,))


def test_a_folder_of_that_name_is_no_file(tmp_path: Path) -> None:
    for name in ("rewards.parquet", "rewards.csv", "p.toml"):
        (tmp_path / name).mkdir()
        with pytest.raises(UnreadableFile, match="it is a folder or a device, not a file"):
            rb.problem(tmp_path / name)


def test_without_pyarrow_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'replibandit\[tables\]'"):
        read_rewards(written(tmp_path, "", "rewards.parquet"))


# --- TOML and JSON ----------------------------------------------------------------------------------------------


def test_a_small_file_describes_a_problem(tmp_path: Path) -> None:
    toml = written(tmp_path, 'noise = "bernoulli"\nmeans = [0.9, 0.8]\nname = "mine"\n', "p.toml")
    assert rb.problem(toml) == rb.Bernoulli(means=[0.9, 0.8], name="mine")
    json = written(tmp_path, '{"means": [0.9, 0.8], "sd": 2}', "p.json")
    assert rb.problem(json) == rb.Gaussian(means=[0.9, 0.8], sd=2)


def test_options_go_before_what_the_file_says(tmp_path: Path) -> None:
    path = written(tmp_path, 'kind = "gaussian"\nmeans = [0.9, 0.8]\n', "p.toml")
    assert rb.problem(path, sd=3) == rb.Gaussian(means=[0.9, 0.8], sd=3)
    assert rb.problem(path, noise="bernoulli") == rb.Bernoulli(means=[0.9, 0.8])


def test_a_file_may_point_to_rewards_beside_it(tmp_path: Path) -> None:
    written(tmp_path, "a,b\n1,2\n", "data.csv")
    assert rb.problem(written(tmp_path, 'rewards = "data.csv"\nname = "trial"', "p.toml")) == rb.Empirical(
        samples=[[1], [2]], labels=["a", "b"], name="trial"
    )


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("p.toml", "means = [", "is not valid TOML"),
        ("p.json", "{", "is not valid JSON"),
        ("p.json", "[1, 2]", "must hold one JSON object, but holds a list"),
        ("p.json", "[" * 100_000, "is not valid JSON"),
        ("p.json", '{"means": [' + "1" * 5000 + "]}", "is not valid JSON"),
        ("p.yaml", "means: [1]", "must end in .toml, .json, .csv or .parquet"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_is_no_settings_file_is_refused(name: str, text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile) as refusal:
        read_settings(written(tmp_path, text, name))
    assert says in str(refusal.value)


def test_a_device_without_an_end_is_never_read() -> None:
    with pytest.raises(UnreadableFile, match="must end in"):
        read_settings(Path("/dev/zero"))


def test_a_pipe_is_never_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.json")
    with pytest.raises(UnreadableFile, match=r"p\.json cannot be read: it is a folder or a device"):
        read_settings(tmp_path / "p.json")
