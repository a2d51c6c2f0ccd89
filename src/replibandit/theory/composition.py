"""The composition theorem (Thm. 3): rho <= 2 rho^G + sum over (p, i) of rho^(p, i)."""

from __future__ import annotations

from collections.abc import Callable


def stopping_phase(gap: float, radius: Callable[[int], float], phases: int) -> int | None:
    """p_s = min{p : Conf^max(p) <= 10 gap / 17}, the only phase whose decision is in doubt (`lem_decision_etc`)."""
    if gap <= 0:
        return None
    return next((p for p in range(1, phases + 1) if radius(p) <= 10 * gap / 17), None)


def decision_budget(good_radius: float, radius: float) -> float:
    """rho^(p, i) at p = p_s: twins differ by 2 rho Conf^repr, U spreads over Conf^max (`lem_decision_etc_prob`)."""
    return min(1.0, 2 * good_radius / radius)


def separates_phases(growth: float, rho: float) -> bool:
    """Whether phase p_s + 1 always decides: 1.7 a - 4 rho / 9 >= 3, so a >= 2 suffices for rho <= 1/2."""
    return 1.7 * growth - 4 * rho / 9 >= 3
