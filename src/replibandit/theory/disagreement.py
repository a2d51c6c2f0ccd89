"""How likely twins are to part: a bound for every instance at once, free of simulation.

Fix all values of U. Let Y_p be the statistic of one run at the end of phase p, in units of s_p = sigma / sqrt(n_p),
and t_p = lo_p + width_p U_p its threshold. A run is alive until some Y_p >= t_p. With alpha = P(alive before p, Y_p
>= t_p) and beta = P(alive before p, Y_p < t_p) twins, being independent, part first at p with probability exactly
2 alpha beta, and

    2 alpha beta <= min(2 F_p (1 - F_p),  F_j^2 / 2 for every j < p),        F_p = P(Y_p < t_p),

for alpha <= 1 - F_p, beta <= F_p, alpha + beta <= F_j. The thresholds are independent, so with x a level,

    E min(...) = integral over x of  P(2 F_p (1 - F_p) >= x)  prod over j < p of  P(F_j^2 >= 2 x).

Both probabilities are lengths inside the window [lo, lo + width]: if Y strays from its centre m by more than ``up``
or ``down`` with probability below u(x) = (1 - sqrt(1 - 2 x)) / 2, then 2 F (1 - F) >= x only for t in [m - down,
m + up]; and F >= sqrt(2 x) only for t >= m - ``stay``. The integrand falls with x, so a sum over left ends bounds
the integral from above. What remains is a supremum over the centres m_p:

* `along_gaps`: m_p = u sqrt(n_p), one unknown u = gap / sigma;
* `along_medians`: any sequence with m_{p+1} >= sqrt(n_{p+1} / n_p) m_p (medians for K > 2, see the docs), by dynamic
  programming.

Cells of m are closed intervals and every factor takes its largest value on its cell: both are upper bounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from replibandit.core.arrays import FloatArray, IntArray
from replibandit.theory.straying import Levels

BLOCK = 1 << 21  # cells x levels held at once
LEAST_START = 0.1  # a start below it is no nearer to a tie than this
ROUNDING = 1e-9  # of a cell: a median on an edge may belong to the cell below


@dataclass(frozen=True, slots=True, eq=False)
class Schedule:
    """Phases: ``pulls`` of each arm at their end, thresholds (lo + width U) s_p: ``[P]`` each."""

    pulls: FloatArray
    lo: FloatArray
    width: FloatArray

    @classmethod
    def alike(cls, pulls: FloatArray, lo: float, width: float) -> Schedule:
        """The same thresholds in every phase."""
        return cls(pulls, np.full(pulls.size, lo), np.full(pulls.size, width))

    @property
    def roots(self) -> FloatArray:
        """sqrt(n_p)."""
        return np.sqrt(self.pulls)

    @property
    def high(self) -> FloatArray:
        """Where the window ends."""
        return self.lo + self.width

    @property
    def fixed(self) -> bool:
        """Whether no threshold is random."""
        return not self.width.any()

    def window(self, low: FloatArray, high: FloatArray, phase: int) -> FloatArray:
        """P(threshold of the phase in [low, high])."""
        lo, end = self.lo[phase], self.high[phase]
        inside: FloatArray = np.clip((np.minimum(high, end) - np.maximum(low, lo)) / self.width[phase], 0.0, 1.0)
        return inside


# --- one unknown gap -----------------------------------------------------------------------------------------------


def along_gaps(schedule: Schedule, at: Levels, gaps: FloatArray, *, surviving: bool = True) -> FloatArray:
    """A bound on P(twins first part at the end of p) for every gap in each cell of ``gaps [C + 1]``: ``[C, P]``.

    Without ``surviving``, on P(they part there), whether or not they parted or stopped before.
    """
    cells = gaps.size - 1
    parted = np.zeros((cells, schedule.pulls.size))
    rows = max(1, BLOCK // at.weight.size)
    for first in range(0, cells, rows):
        block = slice(first, min(first + rows, cells))
        parted[block] = _block(schedule, at, gaps[block.start : block.stop + 1], surviving=surviving)
    return parted + at.rest


def _block(schedule: Schedule, at: Levels, gaps: FloatArray, *, surviving: bool) -> FloatArray:
    alive = np.ones((gaps.size - 1, at.weight.size))
    parted = np.zeros((gaps.size - 1, schedule.pulls.size))
    for phase, root in enumerate(schedule.roots.tolist()):
        centre = gaps * root
        near = (centre[1:] + at.far > schedule.lo[phase]) & (centre[:-1] - at.far < schedule.high[phase])
        rows = np.flatnonzero(near & (alive[:, 0] > 0))
        if rows.size:
            left, right = centre[rows, None], centre[rows + 1, None]
            parts = schedule.window(left - at.down, right + at.up, phase)
            parted[rows, phase] = (parts * alive[rows]) @ at.weight
            if surviving:
                alive[rows] *= schedule.window(left - at.stay, np.array(np.inf), phase)
        if surviving:
            alive[centre[:-1] - at.far >= schedule.high[phase]] = 0.0  # F_j is below every level: nobody is left
    return parted


# --- any sequence of medians ----------------------------------------------------------------------------------------


def along_medians(schedule: Schedule, at: Levels, cells: int) -> FloatArray:
    """The same for the worst admissible sequence of medians, level by level: ``[P]``, its sum is the bound."""
    if not schedule.pulls.size:
        return np.zeros(0)
    some = max(1, BLOCK // cells // max(1, schedule.pulls.size // 16))
    blocks = [slice(first, first + some) for first in range(0, at.weight.size, some)]
    parted: FloatArray = sum(
        (MedianPaths(schedule, at, block, cells).parted() for block in blocks), start=np.zeros(1)
    )
    return parted + at.rest


class MedianPaths:
    """Sequences of medians over cells of equal length, for a block of levels.

    Cell c holds the medians from ``left[c]`` to ``left[c + 1]``; the first one all below as well, the last one all
    above, where no threshold is in reach.
    """

    def __init__(self, schedule: Schedule, at: Levels, block: slice, cells: int) -> None:
        self.schedule, self.weight = schedule, at.weight[block]
        self.up, self.down, self.stay = at.up[block], at.down[block], at.stay[block]
        self.left = np.linspace(0.0, float(schedule.high.max()) + at.far, cells)
        self.grown = np.sqrt(schedule.pulls[1:] / schedule.pulls[:-1])

    @property
    def last(self) -> int:
        """The cell beyond every window."""
        return self.left.size - 1

    def parts(self, phase: int, cell: IntArray) -> FloatArray:
        """P(2 F (1 - F) >= x), at most, for a median in the cell."""
        low, high = self.left[cell] - self.down, self.left[cell] + self.left[1] + self.up
        return np.where(cell == self.last, 0.0, self.schedule.window(low, high, phase))

    def stays(self, phase: int, cell: IntArray) -> FloatArray:
        """P(F^2 >= 2 x), at most."""
        chance = self.schedule.window(self.left[cell] - self.stay, np.array(np.inf), phase)
        return np.where(cell == 0, 1.0, chance)

    def following(self, phase: int, cell: IntArray) -> IntArray:
        """The least cell of the next median."""
        place = self.left[cell] * self.grown[phase] / self.left[1] - ROUNDING
        following: IntArray = np.minimum(place.astype(np.int64), self.last)
        return following

    def parted(self) -> FloatArray:
        """What each phase contributes along the worst path of each level, weighted: ``[P]``."""
        level = np.arange(self.weight.size)
        parted = np.zeros(self.schedule.pulls.size)
        cell, alive = np.zeros(level.size, dtype=np.int64), np.ones(level.size)
        for phase, choice in enumerate(self._choices()):
            if phase:
                cell = self.following(phase - 1, cell)
            cell = choice[cell, level]
            parted[phase] = (self.parts(phase, cell) * alive) @ self.weight
            alive = alive * self.stays(phase, cell)
        return parted

    def _choices(self) -> list[IntArray]:
        """Backwards: from each cell of each phase, the cell at or after it with the largest value to the end."""
        cells = np.arange(self.left.size)[:, None]
        chosen: list[IntArray] = []
        onward = np.zeros((cells.size, self.weight.size))
        for phase in reversed(range(self.schedule.pulls.size)):
            value = self.parts(phase, cells) + self.stays(phase, cells) * onward
            best = np.maximum.accumulate(value[::-1], axis=0)[::-1]
            here = np.where(value == best, cells, cells.size)
            chosen.append(np.minimum.accumulate(here[::-1], axis=0)[::-1].astype(np.int32))
            if phase:
                onward = best[self.following(phase - 1, cells[:, 0])]
        return chosen[::-1]


def gap_cells(schedules: Sequence[Schedule], far: float, cell: float, least: float = 0.0) -> FloatArray:
    """Edges of cells that hold every gap / sigma >= ``least`` that can matter; no centre moves by more than ``cell``.

    The first cell of all holds the gaps too small to be told from a tie; beyond the last edge no threshold is within
    ``far``.
    """
    some = [schedule for schedule in schedules if schedule.pulls.size]
    first, last = min(s.roots[0] for s in some), max(s.roots[-1] for s in some)
    edge, lo = max(float(s.high.max()) for s in some) + far, min(float(s.lo.min()) for s in some)
    high = max(edge / first, least * (1 + cell))
    low = least or 0.05 * max(lo, LEAST_START) / last
    gaps = np.geomspace(low, high, 2 + math.ceil(math.log(high / low) * edge / cell))
    return gaps if least else np.concatenate(([0.0], gaps))
