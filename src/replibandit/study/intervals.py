"""Confidence intervals, each named in the results that use it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special, stats

from replibandit.core.arrays import FloatArray

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate between its confidence limits, and the method behind them."""

    estimate: float
    low: float
    high: float
    method: str

    def __str__(self) -> str:
        return f"{self.estimate:.4g} [{self.low:.4g}, {self.high:.4g}]"


def clopper_pearson(successes: int, trials: int, level: float = LEVEL) -> Interval:
    """Exact interval of a proportion.

    >>> print(clopper_pearson(0, 100))
    0 [0, 0.03622]
    """
    tail = (1 - level) / 2
    low = float(special.betaincinv(successes, trials - successes + 1, tail)) if successes else 0.0
    high = 1.0
    if successes < trials:
        high = float(special.betaincinv(successes + 1, trials - successes, 1 - tail))
    return Interval(successes / trials, low, high, f"Clopper-Pearson, {_percent(level)}")


def bounded_mean(values: FloatArray, level: float = LEVEL) -> Interval:
    """Interval of the mean of independent values in [0, 1], valid at every sample size and for every law.

    A bet against each candidate mean m grows as prod(1 + bet (x - m)) and is a martingale under m, so by Markov's
    inequality m is excluded once a gambler is 2/alpha rich (Waudby-Smith and Ramdas 2024, "hedged" bets placed for
    a fixed sample size). It adapts to the variance: where most values agree it is far narrower than Hoeffding's,
    and unlike the t interval it does not collapse when all values are equal.
    """
    mean = float(values.mean())
    log_bar = math.log(2 / (1 - level))
    bets = _bets(values, log_bar)
    high = _limit(values, bets, log_bar, mean)
    low = 1 - _limit(1 - values, bets, log_bar, 1 - mean)
    return Interval(mean, low, high, f"betting (Waudby-Smith and Ramdas), {_percent(level)}")


def _bets(values: FloatArray, log_bar: float) -> FloatArray:
    """Each bet uses the past only: sqrt(2 log_bar / (n var)), var being a regularised running variance."""
    n = values.size
    count = np.arange(1, n + 1)
    running = (0.5 + np.cumsum(values)) / (count + 1)
    spread = (0.25 + np.cumsum((values - running) ** 2)) / (count + 1)
    past = np.concatenate(([0.25], spread[:-1]))
    return np.sqrt(2 * log_bar / (n * past))


def _limit(values: FloatArray, bets: FloatArray, log_bar: float, mean: float) -> float:
    """The largest m that bets on "smaller than m" do not refute; wealth grows with m, so bisection finds it."""

    def refuted(m: float) -> bool:
        stakes = np.minimum(bets, 0.5 / (1 - m)) if m < 1 else bets
        return float(np.log1p(stakes * (m - values)).sum()) >= log_bar

    low, high = mean, 1.0
    if not refuted(1.0 - 1e-12):
        return 1.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (low, middle) if refuted(middle) else (middle, high)
    return high


def normal_mean(mean: float, standard_error: float, level: float = LEVEL) -> Interval:
    """Large-sample interval of a mean."""
    width = float(stats.norm.ppf((1 + level) / 2)) * standard_error
    return Interval(mean, mean - width, mean + width, f"normal, {_percent(level)}")


def _percent(level: float) -> str:
    """The level as tables print it: 0.95 is "95 %", and 0.999833 is not rounded to certainty."""
    return f"{100 * level:.6g} %"
