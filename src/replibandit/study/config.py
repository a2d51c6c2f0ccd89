"""The configuration every result carries, and the way back from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from replibandit.core.invariants import one_of, whole
from replibandit.core.randomness import ConstantRandomness, Randomness, SharedRandomness
from replibandit.core.spec import Spec
from replibandit.errors import InvalidParameter
from replibandit.policies import policy_from_dict
from replibandit.problems import problem_from_dict
from replibandit.simulate.engine import Job
from replibandit.simulate.streams import SHARING
from replibandit.version import __version__


def configuration(question: str, job: Job) -> dict[str, Any]:
    """All that determines a result: the question, policy, problem, counts, seed, versions."""
    policy, problem = job.policy, job.problem
    return {
        "question": question,
        "policy": policy.to_dict() if isinstance(policy, Spec) else repr(policy),
        "problem": problem.to_dict(),
        "runs": job.runs,
        "runs_per_seed": job.runs_per_seed,
        "seed": job.seed,
        "sharing": job.sharing,
        "fixed_u": _written(job.u),
        "versions": {"replibandit": __version__, "numpy": np.__version__},
    }


def job_from_config(config: Mapping[str, Any]) -> Job:
    """The job a result was made by."""
    try:
        policy, problem = config["policy"], config["problem"]
        counts = {name: config[name] for name in ("runs", "runs_per_seed", "seed")}
        question, sharing, fixed = config["question"], config["sharing"], config["fixed_u"]
    except KeyError as error:
        raise InvalidParameter(f"a result must carry {error} to be run again, but this one does not.") from None
    if not isinstance(policy, Mapping) or not isinstance(problem, Mapping):
        raise InvalidParameter(f"only built-in policies and problems can be run again, but got {policy!r}.")
    one_of("question", question, ("simulate", "replicate"))
    one_of("sharing", sharing, SHARING)
    numbers = {name: whole(name, value, low=0, high=2**63 - 1) for name, value in counts.items()}
    return Job(
        policy=policy_from_dict(policy),
        problem=problem_from_dict(problem),
        u=_read(fixed),
        watch=question == "replicate",
        sharing=sharing,
        **numbers,
    )


def _written(u: Randomness | None) -> dict[str, Any] | str | None:
    if isinstance(u, SharedRandomness):
        return {"hashed": u.seed}
    if isinstance(u, ConstantRandomness):
        return {"constant": u.value}
    return None if u is None else repr(u)


def _read(fixed: object) -> Randomness | None:
    if fixed is None:
        return None
    if isinstance(fixed, Mapping) and "hashed" in fixed:
        return SharedRandomness(fixed["hashed"])
    if isinstance(fixed, Mapping) and "constant" in fixed:
        return ConstantRandomness(float(fixed["constant"]))
    raise InvalidParameter(f"`fixed_u` must be a hashed seed or a constant to be run again, but got {fixed!r}.")
