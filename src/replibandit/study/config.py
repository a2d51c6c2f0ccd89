"""The configuration every result carries, and the way back from it."""

from __future__ import annotations

from typing import Any

import numpy as np

from replibandit.core.spec import Spec
from replibandit.simulate.engine import Job
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
        "fixed_u": None if job.u is None else repr(job.u),
        "versions": {"replibandit": __version__, "numpy": np.__version__},
    }
