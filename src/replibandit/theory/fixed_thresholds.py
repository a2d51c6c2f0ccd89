"""How likely twins are to part where thresholds are fixed and U chooses when to look: a bound for every instance.

U starts the phases at one of G places, so that the looks of all starts together lie G times as dense as those of one
run. Given the start, twins part first at a look with probability at most 2 F (1 - F), F = P(Y < lo) being that of
`theory.disagreement`: no window is needed, and no survival, for the looks of one run are far apart. So

    P(twins part) <= mean over starts, sum over looks, of 2 F (1 - F),

a sum of bumps around lo, each of weight 1 / G. What remains is again a supremum over the centres m: along m = u
sqrt(n) (`along_gaps`), or along any medians that grow at least as sqrt(n) does (`along_medians`). Cells are closed,
and each bump takes its largest value on its cell.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from replibandit.core.arrays import FloatArray, IntArray
from replibandit.theory.disagreement import Schedule
from replibandit.theory.straying import NEVER, Straying

ROUNDING = 1e-3  # of a cell: a median on an edge may belong to the cell below
HIGHEST = 1e9  # threshold beyond which rounding would move a median by more than that
MOST_LOOKS = 40_000  # whose worst medians are found in seconds
MOST_CELLS = 150_000_000  # of all looks together: half a gigabyte


def along_gaps(starts: Sequence[Schedule], straying: Straying, gaps: FloatArray) -> FloatArray:
    """A bound on P(twins part at the end of p) for every gap in each cell of ``gaps [C + 1]``: ``[C, P]``."""
    parted = np.zeros((gaps.size - 1, max(schedule.pulls.size for schedule in starts)))
    for schedule in starts:
        near = (schedule.lo - straying.far) / schedule.roots, (schedule.lo + straying.far) / schedule.roots
        first, last = np.maximum(np.searchsorted(gaps, near[0]) - 1, 0), np.searchsorted(gaps, near[1])
        for phase, (lo, root) in enumerate(zip(schedule.lo.tolist(), schedule.roots.tolist(), strict=True)):
            centres = gaps[first[phase] : last[phase] + 1] * root
            cells = slice(first[phase], first[phase] + max(centres.size - 1, 0))
            parted[cells, phase] += straying.parts(lo - centres[1:], lo - centres[:-1])
    return parted / len(starts) + 2 * NEVER


def along_medians(starts: Sequence[Schedule], straying: Straying, cell: float) -> FloatArray:
    """The same for the worst admissible medians: ``[P]``, its sum is the bound."""
    looks = LooksOfAll(starts)
    lowest = max(float(looks.lo.min()) - straying.far, 0.0)
    height = float(looks.lo.max()) + straying.far - lowest
    cell = max(cell, height / (MOST_CELLS // looks.lo.size))
    left = np.arange(2 + int(height / cell), dtype=np.float64) * cell + lowest
    right = np.append(left[1:], np.inf)
    choices: list[IntArray] = []
    onward = np.zeros(left.size)
    for look in reversed(range(looks.lo.size)):
        value = looks.weight * straying.parts(looks.lo[look] - right, looks.lo[look] - left) + onward
        best = np.maximum.accumulate(value[::-1])[::-1]  # a median may be larger than it must be
        here = np.where(value == best, np.arange(left.size), left.size)
        choices.append(np.minimum.accumulate(here[::-1])[::-1].astype(np.int32))
        if look:
            onward = best[_following(left, looks.grown[look - 1], cell)]
    worst = float(best[0])
    parted = np.zeros(int(looks.phase.max()) + 1)
    place = 0
    for look, choice in enumerate(reversed(choices)):
        if look:
            place = int(_following(left, looks.grown[look - 1], cell)[place])
        place = int(choice[place])
        bump = straying.parts(looks.lo[look] - right[place], looks.lo[look] - left[place])
        parted[looks.phase[look]] += looks.weight * float(bump)
    assert parted.sum() >= worst * (1 - 1e-9), "the path must reach the value that it was chosen for"  # noqa: S101
    return parted + 2 * NEVER


class LooksOfAll:
    """The looks of all starts, in the order of their pulls."""

    def __init__(self, starts: Sequence[Schedule]) -> None:
        pulls = np.concatenate([schedule.pulls for schedule in starts])
        order = np.argsort(pulls, kind="stable")
        self.lo = np.concatenate([schedule.lo for schedule in starts])[order]
        self.phase = np.concatenate([np.arange(schedule.pulls.size) for schedule in starts])[order]
        self.grown = np.sqrt(pulls[order][1:] / pulls[order][:-1])
        self.weight = 1 / len(starts)


def _following(left: FloatArray, grown: float, cell: float) -> IntArray:
    """The least cell of the next look's median, for each cell of this one's; the first holds all below it as well."""
    place = ((left * grown - left[0]) / cell - ROUNDING).astype(np.int64)
    place[0] = 0
    following: IntArray = np.minimum(place, left.size - 1)
    return following
