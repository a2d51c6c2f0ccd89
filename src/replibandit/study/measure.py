"""Regret and nonreplication of one policy on one problem, measured on the same twins."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from replibandit.core.policy import PhasedPolicy
from replibandit.core.problem import Problem
from replibandit.core.randomness import Randomness
from replibandit.simulate.engine import Job, simulate_runs
from replibandit.simulate.runs import Runs
from replibandit.simulate.streams import Sharing
from replibandit.study.agreement import nonreplication_per_seed, over_seeds
from replibandit.study.intervals import LEVEL, Interval, normal_mean
from replibandit.study.simulation import checked_job


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What twins say: both intervals are over values of U, which are independent where runs that share U are not."""

    regret: Interval
    nonreplication: Interval

    def to_dict(self) -> dict[str, Any]:
        """Both intervals as plain JSON values."""
        return {"regret": asdict(self.regret), "nonreplication": asdict(self.nonreplication)}


def measure(
    policy: PhasedPolicy,
    problem: Problem,
    *,
    seeds: int,
    runs: int,
    seed: int,
    sharing: Sharing = "shared",
    u: Randomness | None = None,
    level: float = LEVEL,
) -> Measured:
    """``seeds`` values of U, ``runs`` datasets each; ``level`` is that of the interval of nonreplication.

    Leaner than `replicate`: it keeps no ledger, so it is what searches and sweeps use.

    >>> import replibandit as rb
    >>> policy = rb.REC(arms=3, horizon=1000, rho=0.3, sigma=0.5, commit_scale=0.05)
    >>> measured = measure(policy, rb.problem("paper/model-2", sd=0.5), seeds=100, runs=5, seed=7)
    >>> measured.regret.low < measured.regret.estimate < measured.regret.high
    True
    """
    job = Job(policy=policy, problem=problem, runs=seeds * runs, seed=seed, runs_per_seed=runs, sharing=sharing, u=u)
    return summarised(job, simulate_runs(checked_job(job)), level)


def summarised(job: Job, done: Runs, level: float = LEVEL) -> Measured:
    """What the finished runs of a job say; for those who want more of the runs than this."""
    runs = job.runs_per_seed
    seeds = job.runs // runs
    regret = (done.pulls @ job.problem.gaps).reshape(seeds, runs).mean(axis=1)
    per_seed = nonreplication_per_seed(done.digests.reshape(seeds, runs))
    return Measured(
        regret=normal_mean(float(regret.mean()), float(regret.std(ddof=1) / seeds**0.5)),
        nonreplication=over_seeds(per_seed, runs, level),
    )
