"""Two readings of the paper's experiments, as it prints its results but not all of its settings.

**As written**: noise of variance 0.5, N_p = ceil(8 a^(2p) sigma^2) pulls in total, round robin; the multipliers are
those that our own search finds under rho-hat <= 0.3 (upper confidence limit, shared U).

**As reconstructed**: what the authors' code appears to have done, fitted to the printed tables: noise of standard
deviation 0.5, also in N_p, N_p fresh draws per phase in blocks of one arm each, highest arm first, and the
multipliers below. Those of RSE on Model 2 and of RASMAB are not recovered: our own search stands in, and the report
says so. (RASMAB's batches are its own: they follow the order of pulls, but know no cumulative N_p.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, cast

from replibandit.core.problem import Problem
from replibandit.paper.printed import RHO
from replibandit.policies import Policy, policy_class
from replibandit.problems import problem
from replibandit.problems.catalog import PAPER_SD

Multipliers = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Protocol:
    """One reading."""

    name: str
    title: str
    about: str
    sd: float
    options: Mapping[str, str]  # of the policies that explore in phases
    known: Mapping[tuple[str, str], Multipliers] = field(default_factory=dict)  # by model and policy

    def problem(self, model: str) -> Problem:
        """The instance."""
        return problem(model, sd=self.sd)

    def policy(self, model: str, name: str, horizon: int, multipliers: Multipliers) -> Policy:
        """The policy with these multipliers."""
        arms = self.problem(model).arms
        cls = policy_class(name)
        own = {field.name for field in fields(cast("Any", cls))}
        common = {"arms": arms, "horizon": horizon, "rho": RHO, "sigma": self.sd, **self.options}
        options: dict[str, Any] = {option: value for option, value in common.items() if option in own}
        return cls.from_dict(options | dict(multipliers))

    def is_known(self, model: str, name: str) -> bool:
        """Whether there is nothing to search for."""
        return name == "UCB1" or (model, name) in self.known


AS_WRITTEN = Protocol(
    name="as-written",
    title="as written",
    about="noise variance 0.5, cumulative phases, round robin, multipliers found by our own search",
    sd=PAPER_SD,
    options={"order": "round_robin", "draws": "cumulative"},
)
AS_RECONSTRUCTED = Protocol(
    name="as-reconstructed",
    title="as reconstructed",
    about="noise of standard deviation 0.5, fresh draws in blocks, highest arm first, multipliers fitted",
    sd=0.5,
    options={"order": "reversed_blocks", "draws": "fresh"},
    known={
        ("paper/model-1", "REC"): {"commit_scale": 0.03},
        # the same C = 0.03 as REC's, over rho and not over rho_a = rho / 2: 0.015 of RSE's own Conf^max
        ("paper/model-1", "RSE"): {"commit_scale": 0.015, "eliminate_scale": 0.03},
        ("paper/model-2", "REC"): {"commit_scale": 0.046},
    },
)
PROTOCOLS = (AS_WRITTEN, AS_RECONSTRUCTED)
