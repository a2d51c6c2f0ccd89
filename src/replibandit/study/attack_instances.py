"""Where a rule of thresholds is weakest: shapes of means, and the gaps at which they are tried.

Nonreplication is largest where a mean of the gap statistic falls into the range of a random threshold. Thresholds of
successive phases fall by a constant factor, so on a logarithmic axis the worst gaps repeat: one period is swept
finely in the middle of the horizon, and so are both ends, where the first phase is coarse and the last is cut off.
Random starts make all gaps alike, or should: they are swept as their first start alone would be.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from replibandit.core.arrays import FloatArray
from replibandit.core.policy import IndexPolicy, PhasedPolicy
from replibandit.policies.elimination import GapPolicy
from replibandit.policies.known_gap import KnownGapETC

FINE, COARSE = 16, 3  # gaps per period, inside and outside the stretches that are swept finely
FINEST = 0.02  # log step below which neighbours are the same instance: noise blurs thresholds by more
FAR = 100.0  # a far arm's gap, in gaps of the shape
NEAR = 0.1  # a near tie's
Shape = Callable[[int, float], list[float]]  # (arms, ratio of one period) -> gaps in units of the gap


@dataclass(frozen=True, slots=True)
class Place:
    """A gap to try, and the log distance to its neighbours; ``fine`` marks the stretches that are swept finely."""

    gap: float
    step: float
    fine: bool


@dataclass(frozen=True, slots=True)
class Looks:
    """When a policy decides, as far as gaps matter: pulls of each arm, and thresholds at their middle and ends."""

    pulls: FloatArray  # [P], of each arm, at the end of the phases that all arms complete
    low: FloatArray  # [P]
    high: FloatArray  # [P]

    @property
    def middle(self) -> FloatArray:
        """The gap that matters most in each phase."""
        return (self.low + self.high) / 2

    @property
    def period(self) -> float:
        """How far the thresholds of successive phases are apart, on the log axis."""
        middle = self.middle
        return math.log(middle[0] / middle[-1]) / (middle.size - 1) if middle.size > 1 else math.log(2)


def looks(policy: PhasedPolicy, sigma: float, opening: int = 0) -> Looks:
    """The phases of a policy, or of one of those among which U chooses: the first looks first, the last longest.

    For a policy without thresholds, one per doubling of the noise's resolution.
    """
    rows = list(_thresholds(policy.openings[opening], sigma)) if isinstance(policy, GapPolicy) else []
    if not rows:
        most = max(policy.horizon // policy.arms, 1)
        pulls = [4.0**n for n in range(int(math.log(most, 4)) + 1)]
        rows = [(n, sigma / n**0.5, sigma / n**0.5) for n in pulls]
    pulls, low, high = np.array(rows).T
    return Looks(pulls, low, high)


def _thresholds(policy: GapPolicy, sigma: float) -> Iterator[tuple[float, float, float]]:
    """Pulls, lowest and highest threshold of each phase; no threshold is finer than the noise."""
    spent = 0
    for phase in range(1, policy.phases + 1):
        spent += policy.rounds_with_all(phase)
        if spent > policy.horizon:
            return
        pulls = spent / policy.arms
        noise = sigma / pulls**0.5
        found = [policy.threshold(phase, rule) for rule in policy.rules]
        low, high = min(t.low for t in found), max(t.high for t in found)
        yield pulls, max(low, noise), max(high, noise)


def places(policy: PhasedPolicy, sigma: float) -> list[Place]:
    """The gaps to try, the largest first; then the middle of every phase's thresholds, where a fixed U is weakest."""
    seen = looks(policy, sigma)
    noise, middle, period = sigma / seen.pulls**0.5, seen.middle, seen.period
    gap, bottom = float(seen.high[0] + 4 * noise[0]), float(max(seen.low[-1] / 2, noise[-1] / 10))
    last, half = middle.size - 1, middle.size // 2
    fine = [(gap, middle[min(2, last)]), (middle[half], middle[min(half + 1, last)]), (middle[max(last - 2, 0)], 0.0)]
    found = []
    while gap >= bottom:
        inside = any(upper >= gap >= lower for upper, lower in fine)
        step = max(period / (FINE if inside else COARSE), FINEST)
        found.append(Place(gap, step, fine=inside))
        gap *= math.exp(-step)
    sharp = zip(middle.tolist(), (noise / middle).tolist(), strict=True)
    found += [Place(gap, min(step, period / FINE), fine=False) for gap, step in sharp]
    if isinstance(policy, KnownGapETC):
        found.append(Place(policy.gap, period / FINE, fine=True))
    return found


# --- shapes ---------------------------------------------------------------------------------------------------------


def one_best(arms: int, ratio: float) -> list[float]:
    """One arm leads all others."""
    del ratio
    return [0.0] + [1.0] * (arms - 1)


def two_tied(arms: int, ratio: float) -> list[float]:
    """Two share the top."""
    del ratio
    return [0.0, 0.0] + [1.0] * (arms - 2)


def near_tie(arms: int, ratio: float) -> list[float]:
    """Two nearly share the top."""
    del ratio
    return [0.0, NEAR] + [1.0] * (arms - 2)


def runner_up(arms: int, ratio: float) -> list[float]:
    """One close runner-up, all others far."""
    del ratio
    return [0.0, 1.0] + [FAR] * (arms - 2)


def clusters(arms: int, ratio: float) -> list[float]:
    """Half of the arms share the top, the others the bottom."""
    del ratio
    best = (arms + 1) // 2
    return [0.0] * best + [1.0] * (arms - best)


def one_worst(arms: int, ratio: float) -> list[float]:
    """All but one share the top."""
    del ratio
    return [0.0] * (arms - 1) + [1.0]


def ladder(arms: int, ratio: float) -> list[float]:
    """Equal steps from each arm to the next."""
    del ratio
    return [float(arm) for arm in range(arms)]


def geometric(arms: int, ratio: float) -> list[float]:
    """Each rival one period further than the last: every arm at the same point of a phase of its own."""
    return [0.0] + [ratio**arm for arm in range(arms - 1)]


SHAPES: dict[str, Shape] = {
    "one best": one_best,
    "two tied on top": two_tied,
    "near tie on top": near_tie,
    "close runner-up": runner_up,
    "two clusters": clusters,
    "one worst": one_worst,
    "ladder": ladder,
    "geometric": geometric,
}
TIED = "all tied"
LARGEST_GAP = 1e12  # in units of the gap; beyond it rewards lose digits


def shapes(arms: int, ratio: float) -> dict[str, list[float]]:
    """The gaps of every shape that is no multiple of one before it; the best arm is the first."""
    found: dict[str, list[float]] = {TIED: [0.0] * arms}
    seen: list[list[float]] = []
    for name, shape in SHAPES.items():
        gaps = [min(gap, LARGEST_GAP) for gap in shape(arms, ratio)[:arms]]
        if not any(gaps):
            continue
        smallest = min(filter(None, gaps))
        if (alike := [gap / smallest for gap in gaps]) not in seen:
            seen.append(alike)
            found[name] = gaps
    return found


def draws_per_run(policy: PhasedPolicy, lead: float, sigma: float) -> float:
    """Single rewards a run may need if every one is drawn: until the best arm's lead has passed every threshold."""
    if isinstance(policy, IndexPolicy) or not isinstance(policy, GapPolicy):
        return float(policy.horizon)
    if not any(_thresholds(policy.openings[-1], sigma)):
        return float(policy.horizon)
    seen = looks(policy, sigma, -1)
    passed = np.flatnonzero(lead >= seen.high + 4 * sigma / seen.pulls**0.5)
    return float(seen.pulls[passed[0] if passed.size else -1]) * policy.arms
