"""`replicate`: twin runs that share U and nothing else, and how often they differ."""

from __future__ import annotations

import functools
import time
from dataclasses import asdict
from typing import Any

import numpy as np

from replibandit.core.arrays import FloatArray, HashArray, IntArray
from replibandit.core.invariants import one_of, whole
from replibandit.core.policy import PhasedPolicy
from replibandit.core.problem import Problem
from replibandit.simulate.engine import Job, Progress, simulate_runs
from replibandit.simulate.streams import SHARING, Sharing
from replibandit.study.agreement import nonreplication_per_seed, over_seeds, plug_in, row_keys
from replibandit.study.config import configuration
from replibandit.study.intervals import Interval
from replibandit.study.ledger import Ledger, ledger_of
from replibandit.study.simulation import checked_job


class Twins:
    """``seeds`` values of U, ``runs`` datasets each: an unbiased measurement of nonreplication."""

    def __init__(self, job: Job, progress: Progress | None = None) -> None:
        started = time.perf_counter()
        self._job = job
        self.seeds, self.runs = job.runs // job.runs_per_seed, job.runs_per_seed
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
    def digests(self) -> HashArray:
        """A fingerprint of each run's sequence of arms: ``[seeds, runs]``."""
        return self._runs.digests.reshape(self.seeds, self.runs)

    @property
    def pulls(self) -> IntArray:
        """N_i(T) of each run: ``[seeds, runs, K]``."""
        return self._runs.pulls.reshape(self.seeds, self.runs, -1)

    @functools.cached_property
    def per_seed(self) -> FloatArray:
        """For each U, the unbiased estimate of the probability that two runs differ: ``[seeds]``."""
        return nonreplication_per_seed(self.digests)

    @functools.cached_property
    def interval(self) -> Interval:
        """Nonreplication with an interval over U; its ``method`` says which."""
        return over_seeds(self.per_seed, self.runs)

    @property
    def nonreplication(self) -> float:
        """The estimated probability that twins pull different sequences of arms."""
        return self.interval.estimate

    @property
    def low(self) -> float:
        """Lower 95 % confidence limit of `nonreplication`."""
        return self.interval.low

    @property
    def high(self) -> float:
        """Upper 95 % confidence limit of `nonreplication`."""
        return self.interval.high

    @property
    def plug_in(self) -> float:
        """The paper's rho-hat, taken per U and averaged: biased low by (n - 1) / n."""
        return plug_in(self.digests)

    @functools.cached_property
    def different_counts(self) -> Interval:
        """Relaxed notion: the probability that some arm's number of pulls differs."""
        return over_seeds(nonreplication_per_seed(row_keys(self.pulls)), self.runs)

    @functools.cached_property
    def different_best_count(self) -> Interval:
        """More relaxed: the probability that the number of pulls of the best arm differs."""
        best = self.pulls[..., self.problem.best]
        return over_seeds(nonreplication_per_seed(row_keys(best[..., None])), self.runs)

    @functools.cached_property
    def ledger(self) -> Ledger:
        """Where twins part, against the composition theorem's budget."""
        return ledger_of(self._job, self._runs, (self.seeds, self.runs))

    @property
    def regret_mean(self) -> float:
        """Mean pseudo-regret over all runs."""
        return float((self._runs.pulls @ self.problem.gaps).mean())

    @property
    def config(self) -> dict[str, Any]:
        """Everything needed to measure this again."""
        return configuration("replicate", self._job)

    def summary(self) -> dict[str, Any]:
        """The measurement as plain JSON values."""
        return {
            "nonreplication": self.nonreplication,
            "low": self.low,
            "high": self.high,
            "interval": self.interval.method,
            "plug_in": self.plug_in,
            "different_counts": asdict(self.different_counts),
            "different_best_count": asdict(self.different_best_count),
            "seeds": self.seeds,
            "runs_per_seed": self.runs,
            "ledger": self.ledger.to_dict(),
            "regret_mean": self.regret_mean,
            "horizon": self.policy.horizon,
            "guarantee": str(self.policy.guarantee),
            "seconds": self.seconds,
        } | self.config

    def table(self) -> dict[str, list[Any]]:
        """One row per value of U, as columns."""
        distinct = [np.unique(row).size for row in self.digests]
        return {
            "seed": list(range(self.seeds)),
            "nonreplication": self.per_seed.tolist(),
            "distinct_sequences": distinct,
        }

    def __repr__(self) -> str:
        return f"Twins({self.policy!r}, {self.problem!r}, seeds={self.seeds}, runs={self.runs}: {self.interval})"


def replicate(
    policy: PhasedPolicy,
    problem: Problem,
    *,
    seeds: int = 200,
    runs: int = 50,
    seed: int = 0,
    sharing: Sharing = "shared",
    progress: Progress | None = None,
) -> Twins:
    """Run ``seeds`` values of U on ``runs`` fresh datasets each and compare the sequences of arms.

    ``sharing`` shows what U is for: "shared" is replicability, "independent" gives every run its own U, "none"
    switches U off (every uniform is 1/2).

    >>> import replibandit as rb
    >>> policy = rb.REC(arms=2, horizon=10**8, rho=0.3, sigma=0.5)
    >>> twins = rb.replicate(policy, rb.Gaussian(means=[0.6, 0.5], sd=0.5), seeds=50, runs=10, seed=7)
    >>> twins.low <= twins.nonreplication <= twins.high <= 0.3
    True
    """
    one_of("sharing", sharing, SHARING)
    seeds = whole("seeds", seeds, low=1, high=10**8)
    runs = whole("runs", runs, low=2, high=10**8, remedy="Twins need at least two runs of each U.")
    job = Job(
        policy=policy,
        problem=problem,
        runs=seeds * runs,
        seed=seed,
        runs_per_seed=runs,
        sharing=sharing,
        watch=True,
    )
    return Twins(checked_job(job), progress)
