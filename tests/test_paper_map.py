"""The paper's word is the code's word: every place of the paper that the code names exists."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import replibandit
from tests.golden import paper

PACKAGE = Path(replibandit.__file__).parent
FILES = sorted(path for room in ("theory", "policies") for path in (PACKAGE / room).glob("*.py"))
STORED = json.loads(paper.STORED.read_text(encoding="utf-8"))
LABEL = re.compile(
    r"`{1,2}((?:lem|thm|def|alg|ineq|sec|subsec|line|tbl|tab|fig|rem|expl|mainevent)[_:][A-Za-z_:]+)`{1,2}"
)
THEOREMS = {3: "thm_repr_compose", 4: "thm_retc", 5: "thm_rse", 6: "thm_lower_twoarmed"}  # as this package counts
TABLES = {1}


def numbers(word: str, text: str) -> set[int]:
    """The numbers n of ``word n``, ``words n and m`` or ``words n-m``, where the paper itself is meant."""
    found = set()
    for match in re.finditer(rf"\b(?:{word}) (\d+)(?:(?:-| and | or )(\d+))?(?! of Esfandiari)", text):
        found |= {int(number) for number in match.groups() if number}
    return found


def test_the_stored_labels_are_those_of_the_paper() -> None:
    """The source of the paper is not part of this repository; where it lies beside it, the stored list is checked."""
    if paper.SOURCE.exists():
        tex = paper.SOURCE.read_text(encoding="utf-8")
        assert paper.labels_of(tex) == STORED["labels"]
        assert paper.sections_of(tex) == STORED["sections"]
        assert paper.definitions_of(tex) == STORED["definitions"]
        assert paper.algorithms_of(tex) == STORED["algorithms"]
    assert len(STORED["labels"]) > 50


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_label_in_the_code_is_a_label_of_the_paper(path: Path) -> None:
    unknown = set(LABEL.findall(path.read_text(encoding="utf-8"))) - set(STORED["labels"])
    assert not unknown


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_number_in_the_code_is_a_number_of_the_paper(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert numbers("Theorems?|Thms?[.]", text) <= set(THEOREMS)
    assert numbers("Secs?[.]|Sections?", text) <= set(range(1, len(STORED["sections"]) + 1))
    assert numbers("Defs?[.]|Definitions?", text) <= set(range(1, len(STORED["definitions"]) + 1))
    assert numbers("Algorithms?", text) <= set(range(1, len(STORED["algorithms"]) + 1))
    assert numbers("Tables?", text) <= TABLES


def test_the_theorems_and_algorithms_named_by_number_have_their_labels() -> None:
    assert set(THEOREMS.values()) <= set(STORED["labels"])
    assert STORED["algorithms"] == ["alg_retc", "alg_rse", "alg_rlsr"]
    assert STORED["definitions"][0] == "def_dataset"  # Def. 1 of `core.order` and `simulate.rounds`


def test_the_sections_of_the_formulas_are_the_sections_of_the_algorithms() -> None:
    assert "O(K)" in STORED["sections"][4 - 1]
    assert "Generalized Algorithm" in STORED["sections"][5 - 1]


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_departure_is_a_paragraph_with_a_reason(path: Path) -> None:
    """``Departure:`` opens a sentence that says what differs and why: more than a dozen words."""
    for paragraph in re.findall(
        r"Departure:(.*?)(?:\n\s*\n|\"\"\")", path.read_text(encoding="utf-8"), flags=re.DOTALL
    ):
        assert len(paragraph.split()) > 12


def test_the_departures_from_the_paper_are_written_down_where_they_happen() -> None:
    """A short growth, >= for >, and counts within an ulp of a whole number."""
    marked = {path.stem for path in FILES if "Departure:" in path.read_text(encoding="utf-8")}
    assert {"theorem", "rse", "radii"} <= marked


def test_a_misspelt_label_would_be_noticed() -> None:
    assert set(LABEL.findall("see `lem_decision_etx` and `thm_retc`")) - set(STORED["labels"]) == {"lem_decision_etx"}
    assert numbers("Theorems?|Thms?[.]", "Theorems 4 and 51, Thm. 2") - set(THEOREMS) == {51, 2}
