"""Models by name, named instances, and one way in: `problem`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from replibandit.core.invariants import file_path, mapping, shown, text
from replibandit.core.problem import Problem
from replibandit.errors import InvalidParameter, UnknownName
from replibandit.problems.bernoulli import Bernoulli
from replibandit.problems.bounded import Bounded
from replibandit.problems.empirical import Empirical
from replibandit.problems.files import read_rewards, read_settings
from replibandit.problems.gaussian import Gaussian
from replibandit.problems.linear import Linear
from replibandit.problems.names import INSTANCES, LINEAR
from replibandit.problems.student import StudentT
from replibandit.problems.two_point import TwoPoint

MODELS: dict[str, type[Problem]] = {
    cls.kind: cls for cls in (Gaussian, Bernoulli, TwoPoint, Bounded, StudentT, Empirical, Linear)
}

NAMES = (*INSTANCES, *LINEAR)
PAPER_SD = 0.5**0.5  # "we standardized the variance of the arms at 0.5"


def model_class(noise: str) -> type[Problem]:
    """The model of this name: ``"gaussian"``, ``"bernoulli"``, ``"two-point"``, ... (newest version)."""
    text("noise", noise)
    found = [kind for kind in MODELS if noise.lower() in (kind, kind.partition("/")[0])]
    if not found:
        known = ", ".join(kind.partition("/")[0] for kind in MODELS)
        raise UnknownName(f"no reward model is called {shown(noise)}; known models: {known}.")
    return MODELS[found[-1]]


def problem(name: str | Path, /, *, noise: str | None = None, **options: Any) -> Problem:  # noqa: ANN401  per model
    """A named instance (Gaussian unless ``noise`` says otherwise) or a problem file.

    Of an instance everything but its name and means may be set, of a file everything.

    >>> problem("paper/model-2", sd=0.5)
    Gaussian(means=(0.9, 0.8, 0.3), sd=0.5, name='paper/model-2')
    >>> problem("paper/model-2", noise="bernoulli").kind
    'bernoulli/1'
    >>> problem("paper/linear").means
    (1.0, 0.7, 0.7, 0.7, 0.7)
    """
    path = file_path("name", name)
    if str(name) in LINEAR:
        return _linear(str(name), noise, options)
    if str(name) in INSTANCES:
        if {"means", "name"} & set(options):
            raise InvalidParameter(f"the means of {str(name)!r} are fixed by its name; use the model class instead.")
        cls = model_class(noise or "gaussian")
        if cls is Gaussian:
            options.setdefault("sd", PAPER_SD)
        return cls.from_dict(options | {"means": INSTANCES[str(name)], "name": str(name)})
    if not path.suffix:
        raise UnknownName(f"no problem is called {shown(str(name))}; named problems: {', '.join(NAMES)}.")
    return problem_file(path, **options if noise is None else options | {"noise": noise})


def _linear(name: str, noise: str | None, options: dict[str, Any]) -> Problem:
    fixed = LINEAR[name]
    given = [option for option in ("name", "means", *fixed) if option in options]
    if given:
        raise InvalidParameter(f"the {given[0]} of {name!r} are fixed by its name; use `Linear` instead.")
    _check_linear_noise(name, noise or "gaussian")
    return Linear.from_dict(options | fixed | {"name": name})


def _check_linear_noise(name: str, noise: str) -> None:
    if model_class(noise) not in (Gaussian, Linear):
        raise InvalidParameter(f"the noise of {name!r} is gaussian, but got noise={noise!r}; its `sd` may be set.")


def problem_file(path: Path, **options: Any) -> Problem:  # noqa: ANN401  per model
    """The problem described by a TOML or JSON file, or held as rewards in a CSV or Parquet file."""
    if path.suffix.lower() in (".csv", ".parquet"):
        return Empirical.from_dict(options | read_rewards(path))
    settings = read_settings(path)
    if "noise" in options:  # another model of the same arms
        settings.pop("kind", None)
    settings |= options
    if "rewards" in settings:
        data = path.parent / str(settings.pop("rewards"))
        settings = ({} if "noise" in settings else {"kind": "empirical"}) | settings | read_rewards(data)
    return problem_from_dict(settings)


def problem_from_dict(values: Mapping[str, Any]) -> Problem:
    """The problem written by ``problem.to_dict()``; ``noise`` may stand for ``kind``.

    >>> problem_from_dict({"features": [[1, 0], [0.5, 0.4]], "theta": [1, 0.5]}).kind
    'linear/1'
    """
    values = dict(mapping("values", values))
    if "noise" in values and "kind" in values:
        both = f"{shown(values['noise'])} and {shown(values['kind'])}"
        raise InvalidParameter(f"`noise` and `kind` name the same thing, but got both: {both}.")
    name = text("name", values.get("name", ""))
    usual = "linear" if "features" in values or name in LINEAR else "gaussian"
    kind = str(values.pop("kind", None) or values.pop("noise", usual))
    if name in LINEAR:
        _check_linear_noise(name, kind)
        return Linear.from_dict(LINEAR[name] | values)
    if name in INSTANCES and not {"means", "samples", "features"} & set(values):
        return problem(values.pop("name"), noise=kind, **values)
    return model_class(kind).from_dict(values)
