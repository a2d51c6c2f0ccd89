"""Both models of Sec. 7 with the settings that the paper's code appears to have used ("as reconstructed").

The paper prints its results but not its multipliers. Fitting them shows noise of standard deviation 0.5, fresh draws
in contiguous blocks, highest arm first, and the multipliers below. RSE on Model 2 and RASMAB are not recovered and
left out. Nothing here is tuned towards an entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from replibandit.core.policy import PhasedPolicy
from replibandit.core.problem import Problem
from replibandit.paper.printed import REGRET
from replibandit.policies import REC, RSE, UCB1
from replibandit.problems import problem
from replibandit.study.simulation import Study, simulate

SD, RHO = 0.5, 0.3
SCALES = {
    ("paper/model-1", "REC"): {"commit_scale": 0.03},
    # the same C = 0.03 as REC's, over rho and not over rho_a = rho / 2: 0.015 of RSE's own Conf^max
    ("paper/model-1", "RSE"): {"commit_scale": 0.015, "eliminate_scale": 0.03},
    ("paper/model-2", "REC"): {"commit_scale": 0.046},
}


@dataclass(frozen=True, slots=True)
class Row:
    """One printed number and our measurement of it."""

    model: str
    policy: str
    horizon: int
    study: Study
    printed: float

    @property
    def difference(self) -> float:
        """Ours relative to the printed number."""
        return self.study.regret_mean / self.printed - 1


def reconstructed(model: str, name: str, horizon: int) -> tuple[PhasedPolicy, Problem]:
    """The policy and the instance of one entry."""
    instance = problem(model, sd=SD)
    if name == "UCB1":
        return UCB1(arms=instance.arms, horizon=horizon), instance
    cls = {"REC": REC, "RSE": RSE}[name]
    policy = cls(
        arms=instance.arms,
        horizon=horizon,
        rho=RHO,
        sigma=SD,
        order="reversed_blocks",
        draws="fresh",
        **SCALES[model, name],
    )
    return policy, instance


def rows(runs: int, seed: int) -> Iterator[Row]:
    """Every entry, one by one."""
    for (model, name, horizon), printed in REGRET.items():
        policy, instance = reconstructed(model, name, horizon)
        yield Row(model, name, horizon, simulate(policy, instance, runs=runs, seed=seed), printed)
