"""The committed pictures are those that ``make figures`` draws."""

from __future__ import annotations

import importlib.util
import re
from types import ModuleType

import numpy as np
import pytest

from tests.docs.pages import ROOT

ASSETS = ROOT / "docs" / "assets"
HASHED = re.compile(r"base64,[^\"]*|\b(?:image|[a-z])[0-9a-f]{10}\b")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")


def script() -> ModuleType:
    """The module ``docs/figures.py``."""
    spec = importlib.util.spec_from_file_location("figures_of_the_docs", ROOT / "docs" / "figures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCRIPT = script()


def made_with(svg: str) -> list[str]:
    """The versions of Matplotlib and NumPy behind a picture."""
    return re.findall(r"Matplotlib v[\w.]+|NumPy [\w.]+", svg)


def skeleton(svg: str) -> str:
    """The picture without numbers, bitmaps, and the identifiers that hash them."""
    return NUMBER.sub("0", HASHED.sub("", svg))


def numbers(svg: str) -> np.ndarray:
    """Every number of the picture, in order."""
    return np.array([float(number) for number in NUMBER.findall(HASHED.sub("", svg))])


@pytest.mark.parametrize("name", SCRIPT.FIGURES)
def test_the_picture_is_up_to_date(name: str) -> None:
    """Line by line, to a twentieth of a point; other versions of Matplotlib or NumPy may draw otherwise."""
    light = (ASSETS / f"{name}-light.svg").read_text(encoding="utf-8")
    assert SCRIPT.darkened(light) == (ASSETS / f"{name}-dark.svg").read_text(encoding="utf-8")
    now = SCRIPT.svg_of(name)
    if made_with(now) == made_with(light):
        assert skeleton(now) == skeleton(light)
        assert np.abs(numbers(now) - numbers(light)).max() <= 0.05


def test_no_picture_is_left_over() -> None:
    names = {path.name for path in ASSETS.glob("*.svg")}
    assert names == {f"{name}-{ink}.svg" for name in SCRIPT.FIGURES for ink in ("light", "dark")}


def test_a_dark_picture_has_no_dark_ink() -> None:
    for name in SCRIPT.FIGURES:
        dark = (ASSETS / f"{name}-dark.svg").read_text(encoding="utf-8").lower()
        assert "#000000" not in dark
        assert f"text{{fill:{SCRIPT.DARK['#000000']}}}" in dark


def test_another_picture_would_be_noticed() -> None:
    light = (ASSETS / "necessity-light.svg").read_text(encoding="utf-8")
    moved = light.replace("L 504 0", "L 504 1", 1)
    assert skeleton(moved) == skeleton(light)
    assert np.abs(numbers(moved) - numbers(light)).max() > 0.05
    assert skeleton(light.replace("held at", "held to")) != skeleton(light)
