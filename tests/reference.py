"""REC, RSE, RLSE and UCB1 once more, written naively from the paper: one loop per pull, no arrays, nothing imported.

Every formula is spelled out where it is used. The package must play the same arms.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

Reward = Callable[[int, int], float]  # (arm, n) -> its n-th reward, n from 0
Uniform = Callable[[str, int, int], float]  # (stream, phase, slot) -> U


@dataclass
class Log:
    """What a run did."""

    played: list[int] = field(default_factory=list)
    decisions: list[tuple[int, int, float, float, bool]] = field(default_factory=list)  # p, i, statistic, threshold


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The parameters of Algorithms 1 and 2 under the names of the paper."""

    K: int
    T: int
    rho: float
    sigma: float
    a: float = 2.0
    C_mul: float = 9 / 4
    C: float = 1.0
    C_2: float = 1.0
    order: str = "round_robin"
    fresh: bool = False

    def N(self, p: int) -> int:  # noqa: N802  the paper's name
        """ceil(8 a^(2p) sigma^2), in exact arithmetic."""
        return math.ceil(8 * Fraction(self.a) ** (2 * p) * Fraction(self.sigma) ** 2)

    @property
    def P(self) -> int:  # noqa: N802  the paper's name
        """The first p with N_p >= T."""
        p = 1
        while self.N(p) < self.T:
            p += 1
        return p

    def conf_max(self, p: int, r: float) -> float:
        """max(C_mul Conf^repr(r), Conf^reg)."""
        eps = self.a**-p
        conf_repr = eps * math.sqrt(math.log(18 * self.K**2 * self.P / r) / r**2)
        conf_reg = eps * math.sqrt(math.log(self.K * self.T * self.P))
        return max(self.C_mul * conf_repr, conf_reg)


class _HorizonReached(Exception):
    pass


class _Run:
    def __init__(self, s: Settings, reward: Reward, uniform: Uniform) -> None:
        self.s, self.reward, self.uniform = s, reward, uniform
        self.log = Log()
        self.rewards: list[list[float]] = [[] for _ in range(s.K)]

    def pull(self, arm: int) -> None:
        if len(self.log.played) == self.s.T:
            raise _HorizonReached
        self.rewards[arm].append(self.reward(arm, len(self.rewards[arm])))
        self.log.played.append(arm)

    def phase(self, p: int, active: list[int]) -> None:
        """Draw each active arm up to N_p times (or N_p times more), in the order asked for."""
        if len(self.log.played) == self.s.T:  # a phase without new pulls, after the last round
            raise _HorizonReached
        n = self.s.N(p) if self.s.fresh else self.s.N(p) - (self.s.N(p - 1) if p > 1 else 0)
        arms = sorted(active)
        if self.s.order == "reversed_blocks":
            arms.reverse()
        if self.s.order == "permuted":
            arms.sort(key=lambda arm: self.uniform("order", p, arm))
        if self.s.order == "round_robin":
            for _ in range(n):
                for arm in arms:
                    self.pull(arm)
        else:
            for arm in arms:
                for _ in range(n):
                    self.pull(arm)

    def mean(self, arm: int) -> float:
        return math.fsum(self.rewards[arm]) / len(self.rewards[arm])

    def decide(self, p: int, slot: int, statistic: float, width: float) -> bool:
        threshold = (2 + self.uniform("threshold", p, slot)) * width
        taken = statistic >= threshold
        self.log.decisions.append((p, slot, statistic, threshold, taken))
        return taken

    def play_on(self, arm: int) -> None:
        while True:
            self.pull(arm)


def rec(s: Settings, reward: Reward, uniform: Uniform) -> Log:
    """Algorithm 1."""
    run = _Run(s, reward, uniform)
    try:
        p = 0
        while s.K > 1:
            p += 1
            run.phase(p, list(range(s.K)))
            means = [run.mean(arm) for arm in range(s.K)]
            gap = max(means) - sorted(means)[-2]
            if run.decide(p, 0, gap, s.C * s.conf_max(p, s.rho)):
                run.play_on(means.index(max(means)))
        run.play_on(0)
    except _HorizonReached:
        pass
    return run.log


def rse(s: Settings, reward: Reward, uniform: Uniform) -> Log:
    """Algorithm 2."""
    run = _Run(s, reward, uniform)
    rho_a, rho_e = s.rho / 2, s.rho / (2 * max(s.K - 1, 1))
    active = list(range(s.K))
    p = 0
    try:
        while len(active) > 1:
            p += 1
            run.phase(p, active)
            means = {arm: run.mean(arm) for arm in active}
            top = max(means.values())
            second = sorted(means.values())[-2]
            if run.decide(p, 0, top - second, s.C * s.conf_max(p, rho_a)):
                active = [min(arm for arm in active if means[arm] == top)]
            else:
                active = [
                    arm
                    for arm in active
                    if not run.decide(p, arm + 1, top - means[arm], s.C_2 * s.conf_max(p, rho_e))
                ]
        run.play_on(active[0])
    except _HorizonReached:
        pass
    return run.log


Rows = Sequence[Sequence[float]]


def rlse(
    s: Settings, features: Rows, design: Callable[[Rows], Sequence[float]], reward: Reward, uniform: Uniform
) -> Log:
    """Algorithm 3 in exact arithmetic; ``design`` gives the weights of an active set, lowest arm first."""
    run = _Run(s, reward, uniform)
    rho_a, rho_e = s.rho / 2, s.rho / (2 * max(s.K - 1, 1))
    x = [[Fraction(value) for value in row] for row in features]
    d = max(len(x[0]) - len(_kernel_columns(x)), 1)
    active = list(range(s.K))
    p = 0
    try:
        while len(active) > 1:
            p += 1
            n_lin = 16 * Fraction(s.a) ** (2 * p) * Fraction(s.sigma) ** 2 * d
            weights = dict(zip(active, design([features[arm] for arm in active]), strict=True))
            counts = {arm: _ceil(n_lin * Fraction(weight)) for arm, weight in weights.items() if weight > 0}
            totals = _linear_phase(run, p, counts)
            theta = _least_squares(x, counts, totals)
            means = {arm: float(sum(a * b for a, b in zip(x[arm], theta, strict=True))) for arm in active}
            top = max(means.values())
            second = sorted(means.values())[-2]
            if run.decide(p, 0, top - second, s.C * s.conf_max(p, rho_a)):
                active = [min(arm for arm in active if means[arm] == top)]
            else:
                active = [
                    arm
                    for arm in active
                    if not run.decide(p, arm + 1, top - means[arm], s.C_2 * s.conf_max(p, rho_e))
                ]
        run.play_on(active[0])
    except _HorizonReached:
        pass
    return run.log


def _ceil(value: Fraction) -> int:
    """The ceiling; a weight such as 1/3 is a float, so a product within rounding of a whole number is that number."""
    return round(value) if abs(value - round(value)) < value / 10**14 else math.ceil(value)


def _linear_phase(run: _Run, p: int, counts: dict[int, int]) -> dict[int, float]:
    """Draw each arm its number of times, in the order asked for; the sums of these rewards alone."""
    before = {arm: len(run.rewards[arm]) for arm in counts}
    arms = sorted(counts)
    if run.s.order == "reversed_blocks":
        arms.reverse()
    if run.s.order == "permuted":
        arms.sort(key=lambda arm: run.uniform("order", p, arm))
    if run.s.order == "round_robin":
        for turn in range(max(counts.values())):
            for arm in arms:
                if turn < counts[arm]:
                    run.pull(arm)
    else:
        for arm in arms:
            for _ in range(counts[arm]):
                run.pull(arm)
    return {arm: math.fsum(run.rewards[arm][before[arm] :]) for arm in counts}


def _least_squares(x: list[list[Fraction]], counts: dict[int, int], totals: dict[int, float]) -> list[Fraction]:
    """One theta with (sum n x x') theta = sum total x; where several solve it, every x in the span agrees."""
    d = len(x[0])
    rows = [
        [sum((n * x[arm][i] * x[arm][j] for arm, n in counts.items()), Fraction(0)) for j in range(d)]
        + [sum((Fraction(totals[arm]) * x[arm][i] for arm in counts), Fraction(0))]
        for i in range(d)
    ]
    pivots = _reduce(rows, d)
    theta = [Fraction(0)] * d
    for row, column in enumerate(pivots):
        theta[column] = rows[row][d]
    return theta


def _kernel_columns(x: list[list[Fraction]]) -> list[int]:
    """The columns without a pivot: as many as the rank falls short of their number."""
    pivots = _reduce([row[:] for row in x], len(x[0]))
    return [column for column in range(len(x[0])) if column not in pivots]


def _reduce(rows: list[list[Fraction]], columns: int) -> list[int]:
    """Gauss and Jordan, in place; the pivot columns in order."""
    pivots: list[int] = []
    for column in range(columns):
        at = len(pivots)
        found = next((row for row in range(at, len(rows)) if rows[row][column] != 0), None)
        if found is None:
            continue
        rows[at], rows[found] = rows[found], rows[at]
        rows[at] = [value / rows[at][column] for value in rows[at]]
        for row in range(len(rows)):
            if row != at and rows[row][column] != 0:
                factor = rows[row][column]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[at], strict=True)]
        pivots.append(column)
    return pivots


def ucb1(arms: int, horizon: int, reward: Reward) -> list[int]:
    """UCB1: each arm once, then the largest mean + sqrt(2 ln t / n)."""
    rewards: list[list[float]] = [[] for _ in range(arms)]
    played = []
    for t in range(1, horizon + 1):
        if t <= arms:
            arm = t - 1
        else:
            index = [sum(own) / len(own) + math.sqrt(2 * math.log(t) / len(own)) for own in rewards]
            arm = index.index(max(index))
        rewards[arm].append(reward(arm, len(rewards[arm])))
        played.append(arm)
    return played
