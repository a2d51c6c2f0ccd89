"""From words and options to a problem and policies."""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from replibandit.core.invariants import shown
from replibandit.core.problem import Problem
from replibandit.errors import InvalidParameter, UnknownName
from replibandit.policies import POLICIES, Policy, policy_class, policy_from_dict
from replibandit.problems.catalog import MODELS, NAMES, model_class, problem
from replibandit.problems.files import read_settings
from replibandit.problems.linear import Linear


class WholeNumber(click.ParamType[int]):
    """A whole number, also written 10_000 or 1e6."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ANN401
        """The number, or one sentence."""
        number = literal(value) if isinstance(value, str) else value
        if isinstance(number, float) and number.is_integer():
            number = int(number)
        if isinstance(number, bool) or not isinstance(number, int):
            self.fail(f"{shown(value)} is not a whole number, such as 10000, 10_000 or 1e4", param, ctx)
        return number


WHOLE = WholeNumber()


def _listed(names: Iterable[str]) -> str:
    """Names in lines that fit a help text on a terminal of 80 columns."""
    return textwrap.fill(", ".join(names), width=66, break_on_hyphens=False).replace("\n", "\n         ")


POLICY_OWNED = {"kind": "POLICY", "horizon": "--horizon", "rho": "--rho", "sigma": "--sigma"}  # not by --set

PROBLEM_HELP = f"""\b
PROBLEM  {_listed(NAMES)},
         or a file: .toml or .json describing one, .csv or .parquet with
         rewards; leave it out and give --means instead
POLICY   {_listed(kind.partition("/")[0] for kind in POLICIES)},
         or a .json file that describes one"""


RHO = click.option("--rho", type=float, default=0.3, show_default=True, help="Allowed nonreplication.")
SETTINGS = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Any other option of the policy, such as commit_scale=0.03 or order=blocks.",
)


def problem_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """PROBLEM POLICY and the options that describe them."""
    decorators = (
        click.argument("words", nargs=-1, metavar="[PROBLEM] POLICY"),
        click.option("--means", help="Means of the arms, such as 0.7,0.3, instead of PROBLEM."),
        click.option(
            "--noise",
            type=click.Choice(
                [kind.partition("/")[0] for kind in MODELS if not kind.startswith(("empirical", "linear"))]
            ),
            help="Reward model of --means or of a named problem.  [default: gaussian]",
        ),
        click.option("--sd", type=float, help="Standard deviation of Gaussian noise."),
        click.option(
            "--problem-set",
            multiple=True,
            metavar="NAME=VALUE",
            help="Any other option of the reward model, such as df=3.",
        ),
        click.option("--horizon", type=WHOLE, default=10_000, show_default=True, help="T, the number of rounds."),
        RHO,
        click.option("--sigma", type=float, help="Sub-Gaussian scale assumed.  [default: that of the problem]"),
        SETTINGS,
    )
    for decorator in reversed(decorators):
        command = decorator(command)
    return command


def policy_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """POLICY without a problem, and the options that describe it."""
    decorators = (
        click.argument("policy_name", metavar="POLICY"),
        click.option("--arms", type=WHOLE, default=2, show_default=True, help="K, the number of arms."),
        click.option("--horizon", type=WHOLE, default=10**12, show_default=True, help="T, the number of rounds."),
        RHO,
        click.option(
            "--sigma", type=float, default=1.0, show_default=True, help="Scale of the noise, known to the policy."
        ),
        SETTINGS,
    )
    for decorator in reversed(decorators):
        command = decorator(command)
    return command


def read_policy_word(word: str, *, settings: tuple[str, ...], **given: Any) -> Policy:  # noqa: ANN401  any option
    """The policy of this name with the options given, or the one a .json file describes: it knows its own."""
    return read_policy_file(word) if is_file(word) else read_policy_for(word, settings=settings, **given)


def is_file(word: str) -> bool:
    """Whether a POLICY is a file that describes one."""
    return word.lower().endswith(".json")


def read_policy_file(word: str) -> Policy:
    """The policy that the file describes; options beside it would be a guess about which of the two is meant."""
    context = click.get_current_context(silent=True)
    for name in ("arms", "horizon", "rho", "sigma", "settings"):
        if context is not None and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = "--set" if name == "settings" else f"--{name}"
            raise UnknownName(f"{option} cannot change the policy of {word}; write its options in that file.")
    values = read_settings(Path(word))
    if "kind" not in values:
        raise InvalidParameter(f"{word} must describe a policy, but its `kind` is missing; see `design --out`.")
    return policy_from_dict(values)


def read_words(words: tuple[str, ...], means: str | None) -> tuple[str | None, str]:
    """PROBLEM (None with --means) and POLICY."""
    expected = 1 if means is not None else 2
    if len(words) != expected:
        asked = "POLICY beside --means" if means is not None else "PROBLEM and POLICY (or --means and POLICY)"
        raise click.UsageError(f"expected {asked}, but got {' '.join(words) or 'nothing'}; see --help.")
    return (None, words[0]) if means is not None else (words[0], words[1])


def read_problem(
    name: str | None, *, means: str | None, noise: str | None, sd: float | None, problem_set: tuple[str, ...]
) -> Problem:
    """The problem the options describe."""
    options: dict[str, Any] = dict(pairs(problem_set, "--problem-set"))
    _refuse_owned(options, "--problem-set", {"means": "--means", "noise": "--noise", "kind": "--noise", "sd": "--sd"})
    if sd is not None:
        options["sd"] = sd
    if name is None:
        values = [literal(word) for word in (means or "").split(",")]
        return model_class(noise or "gaussian").from_dict(options | {"means": values})
    if noise is not None:
        options["noise"] = noise
    return problem(name, **options)


def read_policy(
    name: str, problem: Problem, *, horizon: int, rho: float, sigma: float | None, settings: tuple[str, ...]
) -> Policy:
    """The policy the options describe, for this problem; or that of a file, if it is for as many arms."""
    if is_file(name):
        policy = read_policy_file(name)
        if policy.arms != problem.arms:
            raise InvalidParameter(
                f"policy and problem must have as many arms, but {name} has {policy.arms} and the problem "
                f"{problem.arms}."
            )
        return policy
    if sigma is None and "sigma" in _options(policy_class(name)):
        sigma = _sigma(problem)
    features = problem.features if isinstance(problem, Linear) else None
    given = {"arms": problem.arms, "horizon": horizon, "rho": rho, "sigma": sigma, "features": features}
    return read_policy_for(name, settings=settings, **given)


def read_policy_for(name: str, *, settings: tuple[str, ...], **given: Any) -> Policy:  # noqa: ANN401  any option
    """The policy the options describe; of those ``given`` beside the settings it takes what it knows."""
    cls = policy_class(name)
    known = _options(cls)
    options = {key: value for key, value in given.items() if key in known and value is not None}
    chosen = dict(pairs(settings, "--set"))
    arms = "a PROBLEM with as many (or --means)" if "features" in given else "--arms"
    _refuse_owned(chosen, "--set", POLICY_OWNED | {"arms": arms})
    return cls.from_dict(options | chosen)


def _refuse_owned(chosen: Mapping[str, Any], option: str, owned: Mapping[str, str]) -> None:
    """Refuse what is given in another way: which of the two was meant would be a guess."""
    for name in chosen:
        if name in owned:
            raise UnknownName(f"{option} cannot set {name}; use {owned[name]}.")


def _options(cls: type[Policy]) -> set[str]:
    return {field.name for field in dataclasses.fields(cls)}


def read_rival(
    name: str, problem: Problem, *, horizon: int, rho: float, sigma: float | None, settings: tuple[str, ...]
) -> Policy:
    """A policy to compare with; of the settings only those it knows apply."""
    known = _options(policy_class(name))
    common = tuple(setting for setting in settings if _option_name(setting.partition("=")[0]) in known)
    return read_policy(name, problem, horizon=horizon, rho=rho, sigma=sigma, settings=common)


def _sigma(problem: Problem) -> float:
    if problem.subgaussian is None:
        raise InvalidParameter(
            f"the noise of {type(problem).__name__} has no sub-Gaussian scale (heavy tails, or no noise at all), so "
            "`sigma` has no default; give --sigma to see what happens with one."
        )
    return problem.subgaussian


def pairs(words: tuple[str, ...], option: str) -> list[tuple[str, Any]]:
    """NAME=VALUE words; a value is a number where it looks like one."""
    found: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not (name and equals and value):
            raise UnknownName(f"{option} takes NAME=VALUE, but got {shown(word)}.")
        name = _option_name(name)
        if name in found:
            raise UnknownName(f"{option} can give {shown(name)} once only, but got it twice; leave one out.")
        found[name] = literal(value.strip())
    return list(found.items())


def _option_name(word: str) -> str:
    return word.strip().replace("-", "_")


def literal(word: str) -> int | float | str:
    """A number if the word is one, else the word."""
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return word.strip()
