"""Noise an attack tries: at one scale sigma, laws as spread out and as skewed as the claim allows, and a few beyond.

All laws are exactly sigma-sub-Gaussian where they say so (the scale of a coin is known in closed form), so an
instance made of them is within the assumptions, not nearly within them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from replibandit.core.problem import Problem
from replibandit.problems.bounded import Bounded
from replibandit.problems.gaussian import Gaussian
from replibandit.problems.student import StudentT
from replibandit.problems.two_point import TwoPoint, coin_scale
from replibandit.theory.noise import Assumption

Means = Sequence[float]

RARE = 0.1  # the probability of the rare value of a skewed coin
QUIET = 0.01  # noise of a quiet arm, as a share of sigma
DF = 3.0  # of Student's t: finite variance, infinite third moment
UNDERSTATED = 1.5  # how much larger than stated the noise is
MARGIN = 0.02  # rewards of a common range keep this share of it between a mean and an end


@dataclass(frozen=True, slots=True)
class Law:
    """A reward law: ``made(means, sigma)`` is the instance, None where its range has no room for these means."""

    name: str
    covered_by: tuple[Assumption, ...]  # the assumptions it satisfies; none = outside all of them
    summed: bool  # whether a phase's sum is one draw; if not, cost grows with the length of exploration
    made: Callable[[Means, float], Problem | None]


def gaussian(means: Means, sigma: float) -> Problem:
    """Normal noise."""
    return Gaussian(means=tuple(means), sd=sigma)


def understated(means: Means, sigma: float) -> Problem:
    """Normal noise that is larger than was said."""
    return Gaussian(means=tuple(means), sd=UNDERSTATED * sigma)


def student(means: Means, sigma: float) -> Problem:
    """Student's t of variance sigma^2."""
    return StudentT(means=tuple(means), df=DF, scale=sigma * ((DF - 2) / DF) ** 0.5)


def coins(chance: float) -> Callable[[Means, float], Problem]:
    """Coins of one chance around every mean, as wide as sigma allows."""

    def made(means: Means, sigma: float) -> Problem:
        return _coins(means, [sigma] * len(means), chance)

    return made


def quiet(*, best: bool) -> Callable[[Means, float], Problem]:
    """Fair coins of unequal width: the best arm is quiet and its rivals are not, or the other way round."""

    def made(means: Means, sigma: float) -> Problem:
        first = int(np.argmax(means))
        return _coins(means, [sigma * (QUIET if (arm == first) is best else 1) for arm in range(len(means))], 0.5)

    return made


def _coins(means: Means, scales: Sequence[float], chance: float) -> Problem:
    spans = [scale / coin_scale(chance) for scale in scales]
    low = tuple(mean - chance * span for mean, span in zip(means, spans, strict=True))
    high = tuple(mean + (1 - chance) * span for mean, span in zip(means, spans, strict=True))
    return TwoPoint(means=tuple(means), low=low, high=high)


def bernoulli(chance: float) -> Callable[[Means, float], Problem | None]:
    """Coins of one range 2 sigma for all arms; the middle of the means pays the upper value with this chance."""

    def made(means: Means, sigma: float) -> Problem | None:
        ends = _common_range(means, sigma, chance)
        return None if ends is None else TwoPoint(means=tuple(means), low=ends[0], high=ends[1])

    return made


def beta(means: Means, sigma: float) -> Problem | None:
    """Beta laws (uniform at the centre) in one range 2 sigma."""
    ends = _common_range(means, sigma, 0.5)
    return None if ends is None else Bounded(means=tuple(means), low=ends[0], high=ends[1])


def _common_range(means: Means, sigma: float, chance: float) -> tuple[float, float] | None:
    """A range of length 2 sigma whose point ``chance`` is the middle of the means, moved so that all fit."""
    lowest, highest, room = min(means), max(means), 2 * sigma * (1 - MARGIN)
    low = (lowest + highest) / 2 - 2 * sigma * chance
    low = min(max(low, highest - room), lowest - 2 * sigma * MARGIN)
    return (low, low + 2 * sigma) if highest - low <= room else None


COVERED: tuple[Assumption, ...] = ("sub-gaussian",)
LAWS = (
    Law("gaussian", ("gaussian", "sub-gaussian"), summed=True, made=gaussian),
    Law("fair coins", COVERED, summed=True, made=coins(0.5)),
    Law("rare gains", COVERED, summed=True, made=coins(RARE)),
    Law("rare losses", COVERED, summed=True, made=coins(1 - RARE)),
    Law("quiet leader", COVERED, summed=True, made=quiet(best=True)),
    Law("quiet rivals", COVERED, summed=True, made=quiet(best=False)),
    Law("bernoulli", ("sub-gaussian", "bounded"), summed=True, made=bernoulli(0.5)),
    Law("rare bernoulli", ("sub-gaussian", "bounded"), summed=True, made=bernoulli(RARE)),
    Law("beta", ("sub-gaussian", "bounded"), summed=False, made=beta),
    Law("understated sigma", (), summed=True, made=understated),
    Law("student", (), summed=False, made=student),
)


def laws(noise: Assumption, *, outside: bool) -> tuple[Law, ...]:
    """The laws to try for a claim about this noise, the covered ones first."""
    covered = [law for law in LAWS if noise in law.covered_by]
    beyond = [law for law in LAWS if not law.covered_by] if outside else []
    return (*covered, *beyond)
