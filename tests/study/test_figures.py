"""Pictures: written in every format, the same bytes each time, and refused before the work where they cannot be."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

import replibandit as rb
from replibandit.errors import InvalidParameter, MissingExtra
from replibandit.study import figures

mpl = pytest.importorskip("matplotlib")
MODEL = rb.problem("paper/model-2", sd=0.5)
REC = rb.REC(arms=3, horizon=2000, rho=0.3, sigma=0.5, commit_scale=0.03)
MAGIC = {".png": b"\x89PNG\r\n", ".pdf": b"%PDF-", ".svg": b"<?xml"}


@pytest.fixture(scope="module")
def study() -> rb.Study:
    return rb.simulate(REC, MODEL, runs=30, seed=1)


@pytest.mark.parametrize("suffix", MAGIC)
def test_every_format_is_written_and_twice_the_same(suffix: str, study: rb.Study, tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}{suffix}" for name in ("one", "two")]
    for path in paths:
        figures.plot_studies([study], path)
    one, two = (path.read_bytes() for path in paths)
    assert one.startswith(MAGIC[suffix])
    assert one == two


def words_of(path: Path) -> str:
    """All text of an SVG."""
    return " ".join(ET.fromstring(path.read_text()).itertext())  # noqa: S314  our own file


def test_a_picture_of_studies_names_policies_regret_and_thresholds(study: rb.Study, tmp_path: Path) -> None:
    rival = rb.simulate(rb.UCB1(arms=3, horizon=2000), MODEL, runs=5, seed=1)
    figures.plot_studies([study, rival], tmp_path / "a.svg")
    words = words_of(tmp_path / "a.svg")
    for text in ("Regret on paper/model-2", "REC (C = 0.03)", "UCB1", "round t", "Gap against random threshold",
                 "random threshold", "true gap 0.1", "phase p"):  # fmt: skip
        assert text in words


def test_a_policy_without_thresholds_has_its_regret_alone(tmp_path: Path) -> None:
    for policy in (rb.UCB1(arms=3, horizon=100), rb.KnownGapETC(arms=3, horizon=500, rho=0.3, sigma=0.5, gap=0.2)):
        figures.plot_studies([rb.simulate(policy, MODEL, runs=3)], tmp_path / "a.svg")
        words = words_of(tmp_path / "a.svg")
        assert "Regret on" in words
        assert "threshold" not in words


@pytest.mark.parametrize(
    "policy",
    [
        REC,
        rb.REC(arms=3, horizon=10, rho=0.3, sigma=0.5),  # no decision at all
        rb.REC(arms=3, horizon=10**15, rho=0.3, sigma=0.5),
        rb.RSE(arms=3, horizon=2000, rho=0.3, sigma=0.5, commit_scale=0.03, eliminate_scale=0.01),
        rb.RASMAB(arms=3, horizon=2000, rho=0.3, sigma=0.5, divisor=500),
    ],
    ids=lambda policy: f"{policy.kind} {policy.horizon}",
)
@pytest.mark.parametrize("runs", [1, 3])
def test_odd_studies_can_be_drawn(policy: Any, runs: int, tmp_path: Path) -> None:
    figures.plot_studies([rb.simulate(policy, MODEL, runs=runs)], tmp_path / "a.png")
    figures.plot_studies([rb.simulate(policy, rb.Gaussian(means=[0.5] * 3), runs=runs)], tmp_path / "a.png")


def test_one_arm_can_be_drawn(tmp_path: Path) -> None:
    policy = rb.REC(arms=1, horizon=100, rho=0.3, sigma=0.5)
    figures.plot_studies([rb.simulate(policy, rb.Gaussian(means=[0.5]), runs=2)], tmp_path / "a.png")


def test_a_picture_of_twins_names_decisions_and_the_guarantee(tmp_path: Path) -> None:
    policy = rb.REC(arms=2, horizon=10**8, rho=0.3, sigma=0.5)
    twins = rb.replicate(policy, rb.Gaussian(means=[0.6, 0.5], sd=0.5), seeds=20, runs=5)
    figures.plot_twins(twins, tmp_path / "a.svg")
    words = words_of(tmp_path / "a.svg")
    for text in ("Where twins part, REC", "budget of the proof", "guaranteed 0.3", "Nonreplication by U"):
        assert text in words


def test_twins_that_never_part_can_be_drawn(tmp_path: Path) -> None:
    twins = rb.replicate(rb.REC(arms=3, horizon=100, rho=0.3, sigma=0.5, commit_scale=3.0), MODEL, seeds=3, runs=2)
    assert twins.nonreplication == 0
    figures.plot_twins(twins, tmp_path / "a.svg")


def test_a_file_that_cannot_be_a_picture_is_refused() -> None:
    with pytest.raises(InvalidParameter, match=r"a plot file must end in \.svg, \.png, \.pdf, but got 'a\.gif'"):
        figures.check_target(Path("a.gif"))


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"pip install 'replibandit\[plot\]'"):
        figures.check_target(Path("a.svg"))
