"""`simulate`: many independent runs, and what they say about regret."""

from __future__ import annotations

import functools
import time
from typing import Any

import numpy as np

from replibandit.core.arrays import FloatArray, HashArray, IntArray
from replibandit.core.invariants import whole
from replibandit.core.phase import Trace
from replibandit.core.policy import PhasedPolicy
from replibandit.core.problem import Problem
from replibandit.core.randomness import Randomness
from replibandit.core.replay import replay
from replibandit.core.subjects import check_policy, check_problem, check_randomness
from replibandit.errors import InvalidParameter
from replibandit.simulate.engine import Job, Progress, simulate_runs, simulate_tallies
from replibandit.simulate.runs import PhasedRuns
from replibandit.study.config import configuration
from replibandit.study.curve import Curve, mean_curve
from replibandit.study.intervals import Interval, normal_mean

MAX_RUNS = 10**8


class Study:
    """Runs of one policy on one problem: arrays with one row per run, summaries beside them.

    Regret is pseudo-regret, sum_i Delta_i N_i(T).
    """

    def __init__(self, job: Job, progress: Progress | None = None) -> None:
        started = time.perf_counter()
        self._job = job
        self._runs = simulate_runs(job, progress)
        self.seconds = time.perf_counter() - started

    @property
    def policy(self) -> PhasedPolicy:
        """The policy."""
        return self._job.policy

    @property
    def problem(self) -> Problem:
        """The problem."""
        return self._job.problem

    @property
    def pulls(self) -> IntArray:
        """N_i(T) of each run: ``[runs, K]``."""
        return self._runs.pulls

    @property
    def digests(self) -> HashArray:
        """A fingerprint of each run's sequence of arms: ``[runs]``."""
        return self._runs.digests

    @functools.cached_property
    def regret(self) -> FloatArray:
        """Pseudo-regret of each run: ``[runs]``."""
        return self.pulls @ self.problem.gaps

    @property
    def regret_mean(self) -> float:
        """Mean regret over the runs."""
        return float(self.regret.mean())

    @property
    def regret_se(self) -> float:
        """Standard error of `regret_mean`; nan for a single run."""
        return float(self.regret.std(ddof=1) / self.regret.size**0.5) if self.regret.size > 1 else float("nan")

    @property
    def regret_interval(self) -> Interval:
        """Large-sample interval of the expected regret."""
        return normal_mean(self.regret_mean, self.regret_se)

    @functools.cached_property
    def curve(self) -> Curve:
        """Mean regret after each round of a log grid."""
        return mean_curve(self._job, self._runs)

    @property
    def stopping_phases(self) -> IntArray:
        """The phase at whose end one arm was left, 0 = explored to the end: ``[runs]``."""
        if not isinstance(self._runs, PhasedRuns):
            raise InvalidParameter(f"a stopping phase needs a policy that stops exploring, but got {self.policy}.")
        return self._runs.stopping_phase

    @property
    def stopping(self) -> dict[int, float]:
        """Share of runs by stopping phase, 0 = explored to the end; empty for a policy that never stops."""
        if not isinstance(self._runs, PhasedRuns):
            return {}
        phases, counts = np.unique(self._runs.stopping_phase, return_counts=True)
        return {int(phase): float(count / self._job.runs) for phase, count in zip(phases, counts, strict=True)}

    def trace(self, run: int) -> Trace:
        """The full record of one run: its chunk is simulated again, its tallies are replayed."""
        run = whole("run", run, low=0, high=self._job.runs - 1)
        return replay(self.policy, simulate_tallies(self._job, run), u=self.randomness(run))

    def randomness(self, run: int) -> Randomness:
        """U of one run, for `replay`."""
        return self._job.u_row(whole("run", run, low=0, high=self._job.runs - 1))

    @property
    def config(self) -> dict[str, Any]:
        """Everything needed to run this study again."""
        return configuration("simulate", self._job)

    def summary(self) -> dict[str, Any]:
        """The study as plain JSON values."""
        interval = self.regret_interval
        return {
            "regret_mean": self.regret_mean,
            "regret_se": _number(self.regret_se),
            "regret_low": _number(interval.low),
            "regret_high": _number(interval.high),
            "runs": self._job.runs,
            "horizon": self.policy.horizon,
            "pulls_mean": self.pulls.mean(axis=0).tolist(),
            "stopping": {str(phase): share for phase, share in self.stopping.items()},
            "curve": {
                "rounds": self.curve.rounds.tolist(),
                "mean": self.curve.mean.tolist(),
                "se": [_number(value) for value in self.curve.se.tolist()],
            },
            "guarantee": str(self.policy.guarantee),
            "seconds": self.seconds,
            **self.config,
        }

    def table(self) -> dict[str, list[Any]]:
        """One row per run, as columns."""
        columns: dict[str, list[Any]] = {
            "run": list(range(self._job.runs)),
            "regret": self.regret.tolist(),
        }
        if isinstance(self._runs, PhasedRuns):
            columns["stopping_phase"] = self.stopping_phases.tolist()
        for arm in range(self.policy.arms):
            columns[f"pulls_{arm}"] = self.pulls[:, arm].tolist()
        columns["digest"] = [f"{digest:016x}" for digest in self.digests.tolist()]
        return columns

    def __repr__(self) -> str:
        return (
            f"Study({self.policy!r}, {self.problem!r}, runs={self._job.runs}, seed={self._job.seed}, "
            f"regret_mean={self.regret_mean:.4g})"
        )


def _number(value: float) -> float | None:
    """JSON has no nan: an undefined number is null."""
    return value if np.isfinite(value) else None


def checked_job(job: Job) -> Job:
    """The job, if policy and problem fit and its counts make sense."""
    check_policy(job.policy)
    check_problem(job.problem)
    if job.u is not None:
        check_randomness(job.u)
    if job.policy.arms != job.problem.arms:
        raise InvalidParameter(
            f"`policy.arms == problem.arms` must hold, but the policy has {job.policy.arms} arms and the problem "
            f"{job.problem.arms}."
        )
    whole("runs", job.runs, low=1, high=MAX_RUNS)
    whole("seed", job.seed, low=0, high=2**63 - 1)
    return job


def simulate(
    policy: PhasedPolicy,
    problem: Problem,
    *,
    runs: int = 300,
    seed: int = 0,
    u: Randomness | None = None,
    progress: Progress | None = None,
) -> Study:
    """Independent runs, each with its own U and its own rewards (or all with the one ``u`` given).

    >>> import replibandit as rb
    >>> policy = rb.REC(arms=10, horizon=10_000, rho=0.3, sigma=0.5, commit_scale=0.03)
    >>> study = rb.simulate(policy, rb.problem("paper/model-1", sd=0.5), runs=300, seed=7)
    >>> study.pulls.shape, int(study.pulls[0].sum())
    ((300, 10), 10000)
    """
    return Study(checked_job(Job(policy=policy, problem=problem, runs=runs, seed=seed, u=u)), progress)
