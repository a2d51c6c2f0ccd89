"""Batches and widths of RASMAB (Algorithm 2 of Esfandiari et al., ICLR 2023).

=============  =========================================  ==========================
identifier     formula                                    in that paper
=============  =========================================  ==========================
batch_count    B = ceil(ln T / ln base)                   B, with base = e
batch_length   floor(q^i), q = T^(1/B)                    floor(q^i)
sample_factor  beta = floor(max(K^2 / rho^2, 2304))       beta
narrow_width   sqrt(2 ln(2 K T B) / (beta c_i))           U-tilde, sigma = 1
wide_width     sqrt(2 ln(2 K T B) / c_i)                  U, sigma = 1
=============  =========================================  ==========================
"""

from __future__ import annotations

import functools
import math


def batch_count(horizon: int, base: float) -> int:
    """B, at least 1. A logarithm within a few ulps of a whole number *is* that number: log_10(1000) = 3."""
    value = math.log(horizon) / math.log(base)
    nearest = round(value)
    return max(nearest if math.isclose(value, nearest, rel_tol=1e-14) else math.ceil(value), 1)


@functools.cache
def batch_length(batch: int, batches: int, horizon: int) -> int:
    """floor(T^(i / B)), in whole numbers: rounding must not turn 10 into 9."""
    target = int(horizon**batch)
    root: int = math.floor(horizon ** (batch / batches))
    while root**batches > target:
        root -= 1
    while (root + 1) ** batches <= target:
        root += 1
    return int(root)


def sample_factor(arms: int, rho: float) -> int:
    """beta, as printed."""
    return math.floor(max(arms**2 / rho**2, 2304))


def wide_width(total: int, arms: int, horizon: int, batches: int) -> float:
    """The width from which the threshold is drawn, for c_i = ``total``."""
    return math.sqrt(2 * math.log(2 * arms * horizon * batches) / total)


def narrow_width(total: int, arms: int, horizon: int, batches: int, beta: float) -> float:
    """The width of the confidence bound of each mean, for c_i = ``total``."""
    return wide_width(total, arms, horizon, batches) / math.sqrt(beta)
