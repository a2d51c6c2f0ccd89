"""Pull counts and confidence radii of REC, RSE and RLSE (Sec. 4, 5 and 7 of the paper).

=============  =========================================  ======================
identifier     formula                                    in the paper
=============  =========================================  ======================
pull_count     N_p = ceil(8 a^(2p) sigma^2)               Sec. 4
linear_count   Nlin(p) = 16 a^(2p) sigma^2 d              `sec_linear`
last_phase     P = min{p >= 1 : N_p >= T}                 Sec. 4
conf_repr      eps_p sqrt(ln(18 K^2 P / rho)) / rho       Conf^repr, Sec. 4
conf_reg       eps_p sqrt(ln(K T P))                      Conf^reg, Sec. 4
conf_max       max(C_mul Conf^repr, Conf^reg)             Conf^max, Sec. 4
good_radius    rho Conf^repr                              the good event G_p
=============  =========================================  ======================
"""

from __future__ import annotations

import bisect
import functools
import math
from collections.abc import Callable

C_MUL = 9 / 4  # the smallest C_mul of Theorems 4 and 5: then 2 rho Conf^repr / Conf^max <= 8 rho / 9


def grown(first: float, ratio: float, steps: float, horizon: int) -> int:
    """ceil(first * ratio^steps), at least 1 and capped at the horizon (a longer phase never completes).

    Departure: a value within a few ulps of a whole number *is* that number. ``sigma = sqrt(0.5)`` squares to
    0.5000000000000001, and N_1 would be 17 instead of the paper's 16. The guarantee is that of a sigma smaller by
    less than one part in 10^15.
    """
    if steps * math.log(ratio) + math.log(first) > math.log(horizon) + 1:
        return horizon  # also keeps the power below from overflowing
    value: float = first * ratio**steps
    nearest = round(value)
    count = nearest if abs(value - nearest) <= 4 * math.ulp(value) else math.ceil(value)
    return min(max(count, 1), horizon)


def pull_count(phase: int, growth: float, sigma: float, horizon: int) -> int:
    """N_p, per-arm pulls at the end of the phase, capped at the horizon."""
    return grown(8 * sigma**2, growth, 2 * phase, horizon)


def linear_count(phase: int, growth: float, sigma: float, dimension: int) -> float:
    """Nlin(p), the pulls that RLSE shares out in a phase before rounding; inf where it exceeds every horizon.

    >>> linear_count(1, 2.0, 1.0, 2)
    128.0
    """
    first = 16 * sigma**2 * dimension
    too_long = 2 * phase * math.log(growth) + math.log(first) > math.log(1e30)
    return math.inf if too_long else first * growth ** (2 * phase)


def first_reaching(count: Callable[[int], int], horizon: int, most: float) -> int:
    """min{p >= 1 : N_p >= T} for an N_p = ``count(p)`` that never falls; p is at most about ``most``."""
    return 1 + bisect.bisect_left(range(1, max(math.ceil(most), 1) + 2), horizon, key=count)


@functools.lru_cache(maxsize=1024)
def last_phase(growth: float, sigma: float, horizon: int) -> int:
    """P, a constant inside the logarithms; for two or more arms phase P itself never completes.

    >>> last_phase(2.0, 0.5, 10_000)
    7
    """
    most = (math.log(horizon) - math.log(8) - 2 * math.log(sigma)) / (2 * math.log(growth))
    return first_reaching(lambda phase: pull_count(phase, growth, sigma, horizon), horizon, most)


def good_radius(eps: float, arms: int, phases: int, rho: float) -> float:
    """Radius of the good event G_p: every estimated gap is this close to the true gap w.p. 1 - rho/18."""
    return eps * math.sqrt(math.log(18 * arms**2 * phases / rho))


def conf_repr(eps: float, arms: int, phases: int, rho: float) -> float:
    """Conf^repr: the width a threshold needs so that U hides the noise."""
    return good_radius(eps, arms, phases, rho) / rho


def conf_reg(eps: float, arms: int, phases: int, horizon: int) -> float:
    """Conf^reg: the width the log T regret needs."""
    return eps * math.sqrt(math.log(arms * horizon * phases))


def conf_max(repr_: float, reg: float, c_mul: float) -> float:
    """Conf^max; C_mul does not multiply Conf^reg."""
    return max(c_mul * repr_, reg)
