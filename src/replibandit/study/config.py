"""The configuration every result carries, and the way back from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from replibandit.core.invariants import one_of, real, shown, whole
from replibandit.core.problem import Problem
from replibandit.core.randomness import ConstantRandomness, Randomness, SharedRandomness
from replibandit.core.spec import Spec
from replibandit.errors import InvalidParameter
from replibandit.policies import Policy, policy_from_dict
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
        "versions": versions(),
    }


def versions() -> dict[str, str]:
    """What a result was made with."""
    return {"replibandit": __version__, "numpy": np.__version__}


def carried(config: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """What a result carries under these names."""
    try:
        return {name: config[name] for name in names}
    except KeyError as error:
        raise InvalidParameter(f"a result must carry {error} to be run again, but this one does not.") from None


def subjects(config: Mapping[str, Any]) -> tuple[Policy, Problem]:
    """The policy and the problem of a result."""
    policy, problem = carried(config, "policy", "problem").values()
    if not isinstance(policy, Mapping) or not isinstance(problem, Mapping):
        raise InvalidParameter(f"only built-in policies and problems can be run again, but got {shown(policy)}.")
    return policy_from_dict(policy), problem_from_dict(problem)


def job_from_config(config: Mapping[str, Any]) -> Job:
    """The job a result was made by."""
    values = carried(config, "question", "sharing", "fixed_u", "runs", "runs_per_seed", "seed")
    policy, problem = subjects(config)
    question, sharing = values["question"], values["sharing"]
    one_of("question", question, ("simulate", "replicate"))
    one_of("sharing", sharing, SHARING)
    counts = {"runs": 1, "runs_per_seed": 1 if question == "simulate" else 2, "seed": 0}
    numbers = {name: whole(name, values[name], low=low, high=2**63 - 1) for name, low in counts.items()}
    if numbers["runs"] % numbers["runs_per_seed"]:
        raise InvalidParameter(
            "`runs` must be a multiple of `runs_per_seed`, but got "
            f"runs={numbers['runs']}, runs_per_seed={numbers['runs_per_seed']}."
        )
    return Job(
        policy=policy,
        problem=problem,
        u=_read(values["fixed_u"]),
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
        return ConstantRandomness(real("fixed_u.constant", fixed["constant"], low=0, high=1))
    raise InvalidParameter(f"`fixed_u` must be a hashed seed or a constant to be run again, but got {shown(fixed)}.")
