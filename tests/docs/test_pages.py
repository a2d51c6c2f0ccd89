"""The documentation cannot drift: names, options, links, pictures and help texts are those of the package."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import re
from pathlib import Path

import click
import pytest

import replibandit as rb
from replibandit import errors
from replibandit.cli import cli
from replibandit.paper.artefacts import ARTEFACTS
from replibandit.policies import POLICIES
from replibandit.problems import INSTANCES, MODELS
from tests.docs.pages import ROOT, Block, blocks, commands, name_of, pages
from tests.test_paper_map import STORED, THEOREMS, numbers

DOCS = ROOT / "docs"
NAME = re.compile(r"`(?P<package>rb|replibandit)\.(?P<path>[A-Za-z_][\w.]*)")
OPTION = re.compile(r"`(--[a-z][a-z-]*)")
LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)|(?:src|srcset|href)=\"(?P<source>[^\"]+)\"")
WIDTH = 80  # of a terminal


def prose(page: Path) -> str:
    """The page without its fenced blocks."""
    text = page.read_text(encoding="utf-8")
    return re.sub(r"^ *```.*?^ *```$", "", text, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_every_identifier_exists(page: Path) -> None:
    for found in NAME.finditer(prose(page)):
        root = rb if found["package"] == "rb" else replibandit_module(found["path"])
        path = found["path"].rstrip(".")
        path = path if found["package"] == "rb" else path.rpartition(".")[2]
        assert exists(root, path), f"`{found['package']}.{found['path']}` of {name_of(page)} does not exist"


def replibandit_module(path: str) -> object:
    """The module that holds the last part of ``path``."""
    return importlib.import_module(f"replibandit.{path}".rpartition(".")[0])


def exists(root: object, path: str) -> bool:
    """Whether ``path`` leads somewhere: attributes, or fields of a frozen description (slots have no default)."""
    names = path.split(".")
    for name in names:
        fields: dict[str, object] = getattr(root, "__dataclass_fields__", {})
        annotated = any(name in vars(cls).get("__annotations__", {}) for cls in getattr(root, "__mro__", ()))
        if not hasattr(root, name) and (name in fields or annotated):
            return name == names[-1]
        if not hasattr(root, name):
            return False
        root = getattr(root, name)
    return True


@functools.cache
def options() -> frozenset[str]:
    """Every option of every command."""
    found = {"--version", "--help"}
    for command in cli.commands.values():
        found |= {option for parameter in command.params for option in parameter.opts}
    return frozenset(found)


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_every_option_exists(page: Path) -> None:
    unknown = set(OPTION.findall(prose(page))) - options()
    assert not unknown


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_every_link_to_a_file_leads_to_one(page: Path) -> None:
    """What MkDocs checks for the site, checked for the README as well, where links go to the sources."""
    for found in LINK.finditer(prose(page)):
        target = (found["target"] or found["source"]).partition("#")[0]
        if target and "://" not in target:
            assert (page.parent / target).exists(), f"{name_of(page)} links to {target}"


def test_every_page_has_its_place_in_the_navigation() -> None:
    listed = re.findall(r": ([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), flags=re.MULTILINE)
    written = [page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")]
    assert sorted(listed) == sorted(written)


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_every_picture_has_a_text_and_a_dark_twin(page: Path) -> None:
    shown = re.findall(r"!\[([^\]]*)\]\(assets/([\w-]+)-(light|dark)\.svg#only-(light|dark)\)", prose(page))
    assert all(text and ink == scheme for text, _, ink, scheme in shown)
    by_ink = {ink: [name for _, name, found, _ in shown if found == ink] for ink in ("light", "dark")}
    assert by_ink["light"] == by_ink["dark"]
    assert len(shown) == len(re.findall(r"!\[", prose(page)))


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_every_number_of_a_section_or_definition_is_one_of_the_paper(page: Path) -> None:
    text = prose(page)
    assert numbers("Secs?[.]", text) <= set(range(1, len(STORED["sections"]) + 1))
    assert numbers("Defs?[.]", text) <= set(range(1, len(STORED["definitions"]) + 1))
    assert numbers("Theorems?", text) <= set(THEOREMS)


# --- the command line -----------------------------------------------------------------------------------------------


def help_blocks() -> dict[str, str]:
    """What the page on the command line says that ``replibandit COMMAND --help`` prints."""
    page = DOCS / "cli.md"
    told = [entry for block in blocks(page) if block.language == "console" for entry in commands(block)]
    return {command.split()[1]: output for _, command, output in told if command.endswith(" --help")}


def test_every_command_has_its_help_in_the_reference() -> None:
    assert sorted(help_blocks()) == sorted(cli.commands)


@pytest.mark.parametrize("name", cli.commands)
def test_the_reference_is_what_help_prints(name: str) -> None:
    """To the letter; ``python docs/refresh.py docs/cli.md`` brings it up to date."""
    parent = click.Context(cli, info_name="replibandit", **cli.context_settings)
    context = click.Context(cli.commands[name], info_name=name, parent=parent, terminal_width=WIDTH - 2)
    printed = cli.commands[name].get_help(context)
    assert help_blocks()[name].strip().splitlines() == [line.rstrip() for line in printed.strip().splitlines()]


@pytest.mark.parametrize("name", cli.commands)
def test_the_readme_or_a_page_names_every_command(name: str) -> None:
    assert any(f"replibandit {name}" in page.read_text(encoding="utf-8") for page in pages())


# --- lists that must be complete ------------------------------------------------------------------------------------


def test_every_reward_model_and_named_instance_is_described() -> None:
    text = (DOCS / "problems.md").read_text(encoding="utf-8")
    assert [cls.__name__ for cls in MODELS.values() if f"`{cls.__name__}`" not in text] == []
    assert [name for name in INSTANCES if f"`{name}`" not in text] == []


def test_every_policy_is_named_by_a_page_of_its_own_or_of_its_family() -> None:
    titles = [page.read_text(encoding="utf-8") for page in DOCS.glob("*.md")]
    missing = [cls.__name__ for cls in POLICIES.values() if not any(f"rb.{cls.__name__}(" in text for text in titles)]
    assert missing == []


def test_every_option_of_rec_and_rse_is_described() -> None:
    told = "".join((DOCS / page).read_text(encoding="utf-8") for page in ("rec.md", "rse.md"))
    assert [field.name for field in dataclasses.fields(rb.RSE) if f"`{field.name}`" not in told] == []


def test_the_tree_of_errors_is_that_of_the_module() -> None:
    drawn = re.findall(r"([├└]── \w+) .*", errors.__doc__ or "")
    text = (DOCS / "errors.md").read_text(encoding="utf-8")
    assert drawn
    assert [line for line in drawn if line not in text] == []


def test_every_artefact_of_the_report_is_in_the_reference() -> None:
    assert all(artefact.name in help_blocks()["paper"] for artefact in ARTEFACTS)


def test_the_rooms_of_the_architecture_are_the_folders_of_the_package() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    rooms = sorted(path.parent.name for path in (ROOT / "src" / "replibandit").glob("*/__init__.py"))
    assert [room for room in rooms if f"| `{room}/` |" not in text] == []


# --- citing ---------------------------------------------------------------------------------------------------------


def test_the_citation_is_of_this_version() -> None:
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    assert f"version: {rb.__version__}" in cited
    assert "license: Apache-2.0" in cited


# --- these checks can fail ------------------------------------------------------------------------------------------


def test_a_wrong_name_or_option_would_be_noticed() -> None:
    assert not exists(rb, "REC.commit_skale")
    assert not exists(rb, "Twin")
    assert exists(rb, "Decision.statistic")
    assert exists(rb, "REC.commit_scale")
    assert "--sharing" in options()
    assert "--sharings" not in options()


def test_a_help_text_out_of_date_would_be_noticed() -> None:
    stale = Block(DOCS / "cli.md", 1, "console", "", "$ replibandit cost --help\nUsage: replibandit cost\n")
    ((_, _, output),) = commands(stale)
    assert output != help_blocks()["cost"]
