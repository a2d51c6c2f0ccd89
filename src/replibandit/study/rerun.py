"""`rerun`: any result again, from the configuration it carries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from replibandit.core.invariants import mapping
from replibandit.simulate.engine import Progress
from replibandit.study.attack import Attack, attack_from_config
from replibandit.study.config import job_from_config
from replibandit.study.replicability import Twins
from replibandit.study.simulation import Study, checked_job
from replibandit.study.tuning import Tuning, tuning_from_config


def rerun(result: Mapping[str, Any], *, progress: Progress | None = None) -> Study | Twins | Tuning | Attack:
    """The study, twins, tuning or attack that ``result`` (a summary, or its ``config``) describes, made again.

    >>> import replibandit as rb
    >>> policy = rb.RSE(arms=3, horizon=1000, rho=0.3, sigma=0.5, commit_scale=0.03, eliminate_scale=0.01)
    >>> study = rb.simulate(policy, rb.problem("paper/model-2"), runs=20, seed=1)
    >>> bool((rerun(study.summary()).digests == study.digests).all())
    True
    """
    mapping("result", result)
    if result.get("question") == "tune":
        return tuning_from_config(result, progress)
    if result.get("question") == "attack":
        return attack_from_config(result, progress)
    job = checked_job(job_from_config(result))
    return Twins(job, progress) if result["question"] == "replicate" else Study(job, progress)
