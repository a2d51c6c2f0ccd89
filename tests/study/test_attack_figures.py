from __future__ import annotations

from pathlib import Path

import pytest

import replibandit as rb
from replibandit.study import figures
from replibandit.study.attack_figures import draw_attack, plot_attack


@pytest.fixture(scope="module")
def found() -> rb.Attack:
    policy = rb.SharpREC(arms=3, horizon=1000, rho=0.3, sigma=1.0, first=1, ratio=5, lo=4, width=11.7)
    return rb.attack(policy, rho=0.1, noise="gaussian", pairs=200, seed=7)


def test_each_shape_is_a_line_and_the_claim_is_one(found: rb.Attack) -> None:
    pytest.importorskip("matplotlib")
    with figures.styled():
        _, (axes,) = figures.panels(1)
        draw_attack(axes, found)
    labels = [str(line.get_label()) for line in axes.get_lines()]
    shapes = {finding.instance.shape for finding in found.findings} - {"all tied"}
    assert {f"{shape}, gaussian" for shape in shapes} <= set(labels)
    assert "claimed 0.1" in labels
    assert axes.get_ylim()[1] >= max(f.nonreplication.estimate for f in found.findings)


def test_the_picture_is_written(found: rb.Attack, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    plot_attack(found, tmp_path / "attack.png")
    assert (tmp_path / "attack.png").stat().st_size > 10_000
