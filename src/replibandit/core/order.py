"""In which order the pulls of one phase are made.

The paper leaves it open: any order fixed by U and the active set keeps the guarantee, because a phase's statistics
read the dataset matrix (Def. 1). It matters for regret only where the horizon cuts a phase short, and for curves
inside a phase. ``rank [..., K]`` gives each arm its place; only arms with pulls take part.

================  =====================================================================
round_robin       one pull each in turn, lowest arm first (a cut phase stays fair)
blocks            all pulls of the lowest arm, then of the next
reversed_blocks   blocks, highest arm first (the paper's own code, as reconstructed)
permuted          blocks in an order drawn from U, anew in each phase
================  =====================================================================
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from replibandit.core.arrays import FloatArray, IntArray

ORDERS = ("round_robin", "blocks", "reversed_blocks", "permuted")


def rank(order: str, arms: int, u: FloatArray | None) -> IntArray:
    """The place of each arm, ``[K]`` or, when drawn from ``u [..., K]``, ``[..., K]``."""
    if order == "permuted":
        if u is None:
            raise TypeError("order='permuted' needs the phase's U of stream 'order'")
        return np.argsort(np.argsort(u, axis=-1, kind="stable"), axis=-1)
    places = np.arange(arms)
    return places[::-1].copy() if order == "reversed_blocks" else places


def first_pulls(order: str, rank: IntArray, planned: IntArray, rounds: IntArray) -> IntArray:
    """Pulls per arm among the first ``rounds [...]`` of a phase that plans ``planned [..., K]``."""
    by_place = np.argsort(np.broadcast_to(rank, planned.shape), axis=-1)
    placed = np.take_along_axis(planned, by_place, axis=-1)
    counts = _cycles(placed, rounds) if order == "round_robin" else _blocks(placed, rounds)
    result = np.empty_like(planned)
    np.put_along_axis(result, by_place, counts, axis=-1)
    return result


def _blocks(placed: IntArray, rounds: IntArray) -> IntArray:
    before = np.cumsum(placed, axis=-1) - placed
    return np.clip(rounds[..., None] - before, 0, placed)


def _cycles(placed: IntArray, rounds: IntArray) -> IntArray:
    """Round robin over possibly unequal plans: an arm leaves the circle when its plan is used up."""
    arms = placed.shape[-1]
    levels = np.sort(placed, axis=-1)
    circle = np.arange(arms, 0, -1)
    before = np.cumsum(levels, axis=-1) - levels
    full = before + levels * circle  # rounds spent when every arm has had min(plan, level) pulls
    reached = np.minimum((full < rounds[..., None]).sum(axis=-1), arms - 1)[..., None]
    spent = np.take_along_axis(before, reached, axis=-1)
    width = circle[reached]
    turns = (rounds[..., None] - spent) // width
    extra = (rounds[..., None] - spent) % width
    waiting = placed > turns
    lucky = waiting & (np.cumsum(waiting, axis=-1) <= extra)
    pulls: IntArray = np.minimum(placed, turns) + lucky
    return pulls


def sequence(order: str, rank: IntArray, pulls: IntArray) -> Iterator[int]:
    """The arms of one phase, one by one, for ``pulls [K]`` (never materialised: a phase may hold 10^15)."""
    circle = [int(arm) for arm in np.argsort(rank) if pulls[arm] > 0]
    if order != "round_robin":
        for arm in circle:
            for _ in range(int(pulls[arm])):
                yield arm
        return
    turn = 0
    while circle:
        yield from circle
        turn += 1
        circle = [arm for arm in circle if pulls[arm] > turn]
