"""Table 1 of the paper: regret bounds as functions, every hidden constant set to 1.

=========================  ===========================================================  =========================
identifier                 formula                                                      in the paper
=========================  ===========================================================  =========================
exploration                log T + D^2 log(K log(T) / rho) / rho^2                      in every bound of ours
commitment_bound           sum_i Delta_i / Delta^2 (exploration, D = 1)                 `ineq_reg_retc`
elimination_bound          sum_i 1 / Delta_i (exploration, D = K)                       `ineq:asympopt`
gap_free_bound             sqrt(K T (exploration, D = K))                               Thm. 5, third bound
esfandiari_bound           sum_i 1 / Delta_i K^2 log(T) / rho^2                         `ineq_esfandiari`
linear_bound               d / Delta^2 (exploration, D = 1)                             `thm_rlse`, first bound
linear_gap_free_bound      d sqrt(T log T log log d (exploration, D = K))               `thm_rlse`, second bound
esfandiari_linear_bound    K^2 sqrt(d T) / rho^2                                        Table 1, linear
two_arm_lower_bound        min(1 / (rho^2 Delta log(1 / (rho Delta))), T Delta)         `ineq_lower_twoarmed`
=========================  ===========================================================  =========================

They are orders of growth, not limits that a run must keep: compare their shapes, or give all of them one constant.
Departure: the paper's log log d is not positive for d <= 2 and below 1 until d = 16; here it is at least 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from replibandit.core.invariants import real, whole
from replibandit.errors import InvalidParameter

LONGEST = 10**100_000  # horizons may be astronomical: the limits T -> infinity are there to be looked at
FINITE = 10**300  # beyond it T itself is no float any more, and bounds that grow like T or sqrt(T) are inf


@dataclass(frozen=True, slots=True)
class Setting:
    """What the bounds depend on; ``gaps`` are those of the K - 1 suboptimal arms.

    >>> setting = Setting.of([0.0, 0.4, 0.4], horizon=10**6, rho=0.3)
    >>> setting.arms, setting.gap
    (3, 0.4)
    """

    gaps: tuple[float, ...]
    horizon: int
    rho: float
    dimension: int | None = None

    @classmethod
    def of(cls, gaps: Iterable[float], *, horizon: int, rho: float, dimension: int | None = None) -> Setting:
        """From the gaps of all arms, `Problem.gaps`: the best arm's 0 among them."""
        ordered = sorted(float(gap) for gap in gaps)
        if len(ordered) < 2 or ordered[0] < 0 or ordered[1] <= 0:
            raise InvalidParameter(
                "`0 = Delta_1 < Delta_2` must hold: the bounds are infinite for tied best arms, "
                f"but got gaps={ordered[:3]!r}."
            )
        return cls(
            gaps=tuple(ordered[1:]),
            horizon=whole("horizon", horizon, low=3, high=LONGEST),
            rho=real("rho", rho, above=0, high=1),
            dimension=None if dimension is None else whole("dimension", dimension, low=1, high=len(ordered)),
        )

    @property
    def arms(self) -> int:
        """K."""
        return len(self.gaps) + 1

    @property
    def gap(self) -> float:
        """Delta, the smallest gap."""
        return min(self.gaps)

    @property
    def rounds(self) -> float:
        """T as a float, inf where it is too large for one."""
        return float(self.horizon) if self.horizon < FINITE else math.inf

    @property
    def features(self) -> int:
        """D, the dimension of a linear problem; K where arms have no features."""
        return self.arms if self.dimension is None else self.dimension


def exploration(setting: Setting, decisions: int) -> float:
    """Where T and rho meet, and are added: log T + D^2 log(K log(T) / rho) / rho^2.

    D is the number of decision variables that share rho: 1 for a commitment, K for eliminations one by one.
    """
    log_horizon = math.log(setting.horizon)
    doubt = math.log(setting.arms * log_horizon / setting.rho)
    return log_horizon + decisions**2 * doubt / setting.rho**2


def commitment_bound(setting: Setting) -> float:
    """REC (Thm. 4) and RSE (Thm. 5), `ineq_reg_retc`: linear in K, but every arm waits for the smallest gap."""
    return sum(setting.gaps) / setting.gap**2 * exploration(setting, 1)


def elimination_bound(setting: Setting) -> float:
    """RSE (Thm. 5), `ineq:asympopt`: each arm pays for its own gap, and rho is shared by K decisions."""
    return sum(1 / gap for gap in setting.gaps) * exploration(setting, setting.arms)


def gap_free_bound(setting: Setting) -> float:
    """RSE (Thm. 5, third bound): whatever the gaps."""
    return math.sqrt(setting.arms * setting.rounds * exploration(setting, setting.arms))


def esfandiari_bound(setting: Setting) -> float:
    """RASMAB of Esfandiari et al. (2023), `ineq_esfandiari`: replicability multiplies log T."""
    cost = setting.arms**2 / setting.rho**2
    return sum(1 / gap for gap in setting.gaps) * cost * math.log(setting.horizon)


def linear_bound(setting: Setting) -> float:
    """RLSE (`thm_rlse`, first bound): d takes the place of K."""
    return setting.features / setting.gap**2 * exploration(setting, 1)


def linear_gap_free_bound(setting: Setting) -> float:
    """RLSE (`thm_rlse`, second bound), printed as dK/rho sqrt(T) up to logarithms in Table 1."""
    support = max(1.0, math.log(math.log(setting.features))) if setting.features > 1 else 1.0
    inside = setting.rounds * math.log(setting.horizon) * support * exploration(setting, setting.arms)
    return setting.features * math.sqrt(inside)


def esfandiari_linear_bound(setting: Setting) -> float:
    """Esfandiari et al. (2023) for linear bandits, Table 1, without its polylogarithmic factor."""
    return setting.arms**2 * math.sqrt(setting.features * setting.rounds) / setting.rho**2


def two_arm_lower_bound(setting: Setting) -> float:
    """No rho-replicable policy for two arms does better (Thm. 6, `ineq_lower_twoarmed`), up to a constant.

    Table 1 prints the first term of the minimum only; the theorem has both.
    """
    if setting.arms != 2:
        raise InvalidParameter(f"`K == 2` must hold for the lower bound of Theorem 6, but got K={setting.arms}.")
    product = setting.rho * setting.gap
    if product >= 1:
        raise InvalidParameter(f"`rho * Delta < 1` must hold for Theorem 6, but got {product:g}; use smaller gaps.")
    return min(1 / (setting.rho * product * math.log(1 / product)), setting.rounds * setting.gap)


@dataclass(frozen=True, slots=True)
class Row:
    """One entry of Table 1: whose it is, for which problem, which policies it holds for, where it stands."""

    name: str
    problem: Literal["K-armed", "linear"]
    work: Literal["this work", "Esfandiari et al."]
    kind: Literal["upper", "lower"]
    policies: tuple[str, ...]
    source: str
    bound: Callable[[Setting], float]


TABLE_1: tuple[Row, ...] = (
    Row("per arm, multiplied", "K-armed", "Esfandiari et al.", "upper", ("RASMAB",), "eq. 1", esfandiari_bound),
    Row("commitment", "K-armed", "this work", "upper", ("REC", "RSE"), "Theorems 4 and 5", commitment_bound),
    Row("per arm, added", "K-armed", "this work", "upper", ("RSE",), "Theorem 5", elimination_bound),
    Row("gap-free", "K-armed", "this work", "upper", ("RSE",), "Theorem 5", gap_free_bound),
    Row("two arms", "K-armed", "this work", "lower", ("any",), "Theorem 6", two_arm_lower_bound),
    Row("gap-free", "linear", "Esfandiari et al.", "upper", ("Algorithm 3",), "Table 1", esfandiari_linear_bound),
    Row("commitment", "linear", "this work", "upper", ("RLSE",), "the theorem on RLSE", linear_bound),
    Row("gap-free", "linear", "this work", "upper", ("RLSE",), "the theorem on RLSE", linear_gap_free_bound),
)
