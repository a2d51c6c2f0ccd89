"""`afford`: the plan turned round. Given a budget of rounds, the smallest gap, or the smallest rho, it pays for."""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from replibandit.core.invariants import shown, whole
from replibandit.errors import InvalidParameter
from replibandit.policies import designed
from replibandit.policies.elimination import MAX_HORIZON, Elimination
from replibandit.policies.rec import REC
from replibandit.problems.gaussian import Gaussian
from replibandit.simulate.engine import Job
from replibandit.study.forecast import SURE, looks, rules_of
from replibandit.study.outcomes import outcomes
from replibandit.study.planning import AB, KNOWN_GAP, SHARP, THEOREM, checked_common, checked_gap, checked_rho
from replibandit.theory import fixed_sample
from replibandit.theory.stopping import arrivals

Unknown = Literal["gap", "rho"]
LEAST_RHO, MOST_RHO = 1e-9, 0.5  # nobody asks for less than the one or may ask for more than the other
RUNS = 4000  # simulated runs per trial of a gap: P(chosen in time) within 0.35 % at 95 %
FINE = 1e-3  # relative resolution of the answer
COARSE = 0.03  # the same where every trial is a search for constants
SEARCHED = "found within 3 %"


@dataclass(frozen=True, slots=True, kw_only=True)
class Affordable:
    """The smallest value one design can work with; None where no value will do, and why."""

    design: str
    value: float | None
    remark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Afford:
    """The answers for one budget."""

    unknown: Unknown
    arms: int
    sigma: float
    budget: int
    horizon: int
    gap: float | None
    rho: float | None
    designs: tuple[Affordable, ...]

    def __getitem__(self, design: str) -> float | None:
        """The smallest value for one design, by its name."""
        return next(found.value for found in self.designs if found.design == design)

    def to_dict(self) -> dict[str, Any]:
        """The answers as plain JSON values."""
        return asdict(self)

    def table(self) -> dict[str, list[Any]]:
        """One row per design, as columns."""
        return {
            "design": [found.design for found in self.designs],
            self.unknown: [found.value for found in self.designs],
            "remark": [found.remark for found in self.designs],
        }


def afford(
    *,
    arms: int,
    sigma: float,
    budget: int,
    gap: float | None = None,
    rho: float | None = None,
    horizon: int | None = None,
    level: float = 0.05,
    power: float = 0.8,
    noise: str = "gaussian",
    seed: int = 0,
) -> Afford:
    """The smallest gap (give ``rho``) or the smallest rho (give ``gap``) with which a budget is enough.

    Enough means that exploration, ``budget`` rounds over all arms, is over with probability 95 %; all other arms are
    exactly the gap behind the best. Without a ``horizon`` the budget is the whole horizon.

    >>> import replibandit as rb
    >>> answer = rb.afford(arms=2, sigma=0.5, rho=0.1, budget=100_000)
    >>> for found in answer.designs:
    ...     print(f"{found.design:20} gap {found.value:.3g}")
    theorem's constants  gap 1.53
    sharp constants      gap 0.0984
    known-gap ETC        gap 0.00774
    A/B test             gap 0.00886
    """
    arms, sigma = checked_common(arms=arms, sigma=sigma, level=level, power=power, noise=noise)
    whole("budget", budget, low=arms, high=MAX_HORIZON, remedy="Every arm needs a pull at least.")
    horizon = budget if horizon is None else whole("horizon", horizon, low=budget, high=MAX_HORIZON)
    if (gap is None) == (rho is None):
        raise InvalidParameter(
            f"exactly one of `gap` and `rho` must be given, but got gap={shown(gap)}, rho={shown(rho)}."
        )
    seed = whole("seed", seed, low=0, high=2**63 - 1)
    asked = _Asked(
        arms=arms, sigma=sigma, budget=budget, horizon=horizon, seed=seed, level=level, power=power, noise=noise
    )
    if gap is None:
        unknown: Unknown = "gap"
        found = asked.gaps(checked_rho(rho))
    else:
        unknown = "rho"
        found = asked.rhos(checked_gap(gap))
    return Afford(
        unknown=unknown,
        arms=arms,
        sigma=sigma,
        budget=budget,
        horizon=horizon,
        gap=gap,
        rho=rho,
        designs=tuple(found),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    arms: int
    sigma: float
    budget: int
    horizon: int
    seed: int
    level: float
    power: float
    noise: str

    @property
    def each(self) -> int:
        """Pulls of every arm the budget pays for."""
        return self.budget // self.arms

    def gaps(self, rho: float) -> list[Affordable]:
        """The smallest gap for each design."""
        found = []
        for name, make in self._constants.items():
            if name == SHARP and rho < designed.LEAST_RHO:
                found.append(Affordable(design=name, value=None, remark=f"made for rho >= {designed.LEAST_RHO:g}"))
                continue
            gap = None
            with contextlib.suppress(InvalidParameter):  # nothing could be decided in so few rounds
                noise = self.sigma / math.sqrt(self.each)
                gap = _smallest(functools.partial(self._in_time, make(rho)), noise / 10, noise * 1e9)
            found.append(Affordable(design=name, value=gap, remark=self._remark(gap)))
        known = fixed_sample.known_gap_gap(self.each, self.arms, self.sigma, rho)
        found.append(Affordable(design=KNOWN_GAP, value=known, remark="the gap must be known in advance"))
        test = fixed_sample.ab_gap(self.each, self.arms, self.sigma, self.level, self.power)
        remark = f"found with power {self.power:g} at level {self.level:g}; a repetition may differ"
        return [*found, Affordable(design=AB, value=test, remark=remark)]

    def rhos(self, gap: float) -> list[Affordable]:
        """The smallest rho for each design; for sharp constants, of those that are made."""
        theorem = self._constants[THEOREM]
        rho = _smallest(lambda rho: self._in_time(theorem(rho), gap), LEAST_RHO, MOST_RHO)
        found = [Affordable(design=THEOREM, value=rho, remark=self._remark(rho))]
        certified = _smallest(lambda rho: self._sharp_in_time(rho, gap), designed.LEAST_RHO, MOST_RHO, COARSE)
        found.append(Affordable(design=SHARP, value=certified, remark=self._remark(certified) or SEARCHED))
        paid = max(fixed_sample.known_gap_rho(self.each, gap, self.arms, self.sigma), LEAST_RHO)
        known = None if paid > MOST_RHO else paid
        less = "or less; " if known == LEAST_RHO else ""
        remark = self._remark(known) or f"{less}the gap must be known in advance"
        return [
            *found,
            Affordable(design=KNOWN_GAP, value=known, remark=remark),
            Affordable(design=AB, value=None, remark="it promises nothing about a repetition"),
        ]

    @property
    def _constants(self) -> dict[str, Callable[[float], Elimination]]:
        """The designs that guarantee rho at every gap, by name."""
        asked: dict[str, Any] = {"arms": self.arms, "horizon": self.horizon, "sigma": self.sigma}
        return {
            THEOREM: lambda rho: REC(rho=rho, **asked),
            SHARP: lambda rho: REC.sharp(rho=rho, noise=self.noise, **asked),
        }

    def _sharp_in_time(self, rho: float, gap: float) -> bool:
        try:
            return self._in_time(self._constants[SHARP](rho), gap)
        except InvalidParameter:  # nothing could be decided in so few rounds
            return False

    def _in_time(self, policy: Elimination, gap: float) -> bool:
        """Whether exploration is over within the budget with probability 95 %."""
        if policy.arms == 2:
            chosen = [self._chosen(rule, gap) for rule in rules_of(policy)]
            return math.fsum(chosen) / len(chosen) >= SURE
        problem = Gaussian(means=(gap, *[0.0] * (policy.arms - 1)), sd=policy.sigma)
        seen = outcomes(Job(policy=policy, problem=problem, runs=RUNS, seed=self.seed), policy)
        return float(np.mean((seen.chosen >= 0) & (seen.explored <= self.each))) >= SURE

    def _chosen(self, rule: Elimination, gap: float) -> float:
        """How likely one of two arms is chosen within the budget."""
        phases = [look for look in looks(rule) if look.pulls <= self.each]
        return sum(a.best + a.worse for a in arrivals(phases, gap, rule.sigma))

    def _remark(self, value: float | None) -> str:
        return "" if value is not None else f"no value is enough: {self.budget:,} rounds are too few"


def _smallest(enough: Callable[[float], bool], low: float, high: float, fine: float = FINE) -> float | None:
    """The smallest value between ``low`` and ``high`` that is enough, by bisection of its logarithm."""
    if not enough(high):
        return None
    if enough(low):
        return low
    while high > low * (1 + fine):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
