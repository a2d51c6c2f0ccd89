"""The table of certified constants that comes with the package, and what its entries are about."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import cast

from replibandit.policies.elimination import MAX_HORIZON
from replibandit.policies.linear_commit import SharpRLSE
from replibandit.policies.sharp import FreeConstants, SharpREC, SharpRSE
from replibandit.theory import radii
from replibandit.theory.costs import Brief, Constants, cost_of_random
from replibandit.theory.noise import Noise
from replibandit.theory.straying import Straying

COMMON = 10**9  # constants made for this horizon serve every shorter one: fewer phases, fewer chances to part
RULES: dict[str, type[FreeConstants]] = {"commit": SharpREC, "eliminate": SharpRSE, "linear": SharpRLSE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What an entry of the table is about: one design at the common horizon.

    >>> Entry(objective="commit", noise="gaussian", arms=2, rho=0.3).name
    'commit gaussian K=2 rho=0.3'
    """

    objective: str
    noise: str
    arms: int
    rho: float

    @property
    def name(self) -> str:
        """Its key in the table."""
        return f"{self.objective} {self.noise} K={self.arms} rho={self.rho:g}"

    @classmethod
    def named(cls, name: str) -> Entry:
        """The entry of this name."""
        objective, noise, arms, rho = name.split()
        return cls(
            objective=objective,
            noise=noise,
            arms=int(arms.removeprefix("K=")),
            rho=float(rho.removeprefix("rho=")),
        )

    def brief(self, horizon: float = COMMON) -> Brief:
        """What `theory.designing` is asked for."""
        if self.objective == "linear":
            straying, horizon = Straying.commit(Noise(self.noise, 2.0), self.arms), horizon * self.arms
        elif self.noise == "gaussian" and self.arms > 2:
            straying = Straying(Noise(self.noise), medians=True)
        else:
            straying = Straying.commit(Noise(self.noise), self.arms)
        return Brief(arms=self.arms, rho=self.rho, straying=straying, horizon=horizon)

    def policy(self, values: Mapping[str, float], horizon: int) -> FreeConstants:
        """The policy with these numbers; linear arms as one-hot ones with K times the time."""
        longer = horizon * self.arms if self.objective == "linear" else horizon
        asked = {"arms": self.arms, "horizon": min(longer, MAX_HORIZON), "rho": self.rho, "sigma": 1.0}
        options = {name: value for name, value in values.items() if name != "cost"}
        return RULES[self.objective].from_dict(asked | options | {"noise": self.noise})


@functools.cache
def shipped() -> dict[str, dict[str, float]]:
    """The table that comes with the package; `make designs` makes it again."""
    text = resources.files("replibandit.policies").joinpath("designs.json").read_text(encoding="utf-8")
    return cast("dict[str, dict[str, float]]", json.loads(text)["designs"])


def entry_for(entry: Entry) -> dict[str, float] | None:
    """The shipped numbers for exactly this entry, if there are any."""
    return shipped().get(entry.name) if Entry.named(entry.name) == entry else None


def theorem_cost(arms: int, rho: float) -> float:
    """The worst-case cost of REC with the theorem's constants at the table's horizon, by the same bound."""
    phases = radii.last_phase(2.0, 1.0, COMMON)
    c = radii.C_MUL * math.sqrt(8) * radii.good_radius(1.0, arms, phases, rho) / rho
    entry = Entry(objective="commit", noise="gaussian", arms=arms, rho=rho)
    return cost_of_random(entry.brief(), Constants(ratio=4.0, lo=2 * c, width=c))
