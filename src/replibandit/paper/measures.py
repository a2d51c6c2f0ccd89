"""What the tasks of the report do: plain arguments in, plain JSON values out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from replibandit.core.policy import IndexPolicy, PhasedPolicy
from replibandit.core.problem import Problem
from replibandit.policies import policy_from_dict
from replibandit.problems import problem_from_dict
from replibandit.study.agreement import nonreplication_per_seed, over_seeds
from replibandit.study.intervals import Interval
from replibandit.study.measure import measure
from replibandit.study.simulation import Study, simulate
from replibandit.study.tuning import tune

TWINS = 20  # datasets per value of U
QUICK = 40  # candidates of a search in a quick look at the report
MOST_SEEDS = 3000  # values of U beyond which nonreplication is known well enough

Values = dict[str, Any]


def measured(*, policy: Values, problem: Values, runs: int, seed: int) -> Values:
    """Regret over independent runs, and nonreplication over as many values of U."""
    subject, instance = policy_from_dict(policy), problem_from_dict(problem)
    study = simulate(subject, instance, runs=runs, seed=seed)
    curve = study.curve
    return {
        "regret": study.regret_mean,
        "se": study.regret_se,
        "nonreplication": limits(_nonreplication(study, subject, instance, runs, seed)),
        "stopping": {str(phase): share for phase, share in study.stopping.items()},
        "curve": {"rounds": curve.rounds.tolist(), "mean": curve.mean.tolist(), "se": curve.se.tolist()},
    }


def _nonreplication(study: Study, policy: PhasedPolicy, problem: Problem, runs: int, seed: int) -> Interval:
    if isinstance(policy, IndexPolicy):  # no U to share: any two runs are twins, so take the runs two by two
        pairs = study.digests[: runs // 2 * 2].reshape(-1, 2)
        return over_seeds(nonreplication_per_seed(pairs), 2)
    return measure(policy, problem, seeds=min(runs, MOST_SEEDS), runs=TWINS, seed=seed + 1).nonreplication


def tuned(*, policy: Values, problem: Values, target: float, seed: int, effort: float) -> Values:
    """The multipliers that our search chooses, and whether they were confirmed on fresh seeds."""
    tuning = tune(
        policy_from_dict(policy),
        problem_from_dict(problem),
        target=target,
        seed=seed,
        effort=effort,
        candidates=None if effort == 1 else QUICK,
    )
    confirmed = tuning.best is not None
    chosen = tuning.best or tuning.safest
    frontier = [
        {
            "settings": dict(candidate.settings),
            "regret": candidate.regret.estimate,
            "nonreplication": candidate.nonreplication.estimate,
        }
        for candidate in tuning.frontier
    ]
    return {"confirmed": confirmed, "candidates": len(tuning.candidates), "frontier": frontier} | chosen.to_dict()


def limits(interval: Interval) -> Values:
    """An interval as results.json writes it."""
    values: Mapping[str, Any] = asdict(interval)
    return {name: values[name] for name in ("estimate", "low", "high")}
