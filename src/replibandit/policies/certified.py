"""`certify`: the certificate of a policy, by `theory.certificates`, from its phases and thresholds alone."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np

from replibandit.core.invariants import one_of, real
from replibandit.errors import InvalidParameter
from replibandit.policies.elimination import MAX_HORIZON, Elimination
from replibandit.policies.known_gap import KnownGapETC
from replibandit.theory.certificates import (
    Certificate,
    RhoBound,
    certificate,
    commit_bound,
    elimination_bound,
    rho_bound,
)
from replibandit.theory.disagreement import Schedule
from replibandit.theory.fixed_thresholds import HIGHEST
from replibandit.theory.noise import NOISES, Noise

BEYOND = 9.0  # standard deviations beyond every threshold at which nothing is in doubt any more
NARROWEST = 1e-6  # width of a threshold's range, relative to its start: below, rounding would spoil the bound
MOST_PHASES = 200  # beyond which a bound would take minutes, and be worth nothing
MOST_RANDOM = 64  # starts of random thresholds, which take a tenth of a second each
SHARED_U = "U uniform, shared by the twins and independent of the rewards"


def certify(
    policy: Elimination, noise: str | None = None, *, horizon: float | None = None, gap: float = 0.0
) -> Certificate:
    """An upper bound on nonreplication over all means, or over those whose best arm leads by at least ``gap``.

    ``noise`` is what is assumed of the rewards: "gaussian" (standard deviation sigma), "sub-gaussian" or "bounded"
    (a range of 2 sigma); by default what the policy assumes. ``horizon=math.inf`` asks for an endless run.

    >>> import replibandit as rb
    >>> rb.certify(rb.REC(arms=2, horizon=10**9, rho=0.3, sigma=0.5)).rho < 0.3
    True
    >>> policy = rb.SharpREC(arms=2, horizon=10**6, rho=0.3, sigma=1, first=9, ratio=3, lo=4, width=13.5)
    >>> print(rb.certify(policy, "gaussian"))  # doctest: +ELLIPSIS
    0.2...-replicable for gaussian noise: law of the difference of two arms
    """
    assumed = one_of("noise", getattr(policy, "noise", "sub-gaussian") if noise is None else noise, NOISES)
    _refuse(policy)
    gap = real("gap", gap, low=0, remedy="It is the least lead of the best arm over all others; 0 covers all means.")
    if horizon == math.inf:
        policy = _without_end(policy, gap)
    if horizon not in (None, math.inf) and horizon != policy.horizon:
        raise InvalidParameter(
            f"`horizon` must be that of the policy ({policy.horizon:,}) or infinite, but got horizon={horizon!r}; "
            "give the policy another horizon."
        )
    return _certified(policy, assumed, horizon == math.inf, float(gap))


@functools.lru_cache(maxsize=256)
def _certified(policy: Elimination, assumed: str, endless: bool, gap: float) -> Certificate:  # noqa: FBT001  private
    noise = Noise(assumed, policy.spread)
    return certificate(
        _bound(policy, noise, endless=endless, gap=gap), noise, policy.sigma, _assumed(policy, endless, gap)
    )


def _bound(policy: Elimination, noise: Noise, *, endless: bool, gap: float) -> RhoBound:
    if endless and not gap:
        return _one("without an end even a tie is decided, by noise alone, so that twins part with probability 1")
    by_rule = [
        [schedule(opening, rule, endless=endless, gap=gap) for opening in policy.openings] for rule in policy.rules
    ]
    schedules = [found for starts in by_rule for found in starts]
    if not any(found.pulls.size for found in schedules):
        return rho_bound({}, 0.0, None, "no phase is complete before the horizon, so nothing is ever decided")
    if (limit := _beyond_limits(schedules, len(by_rule[0]))) is not None:
        return _one(f"no bound: {limit}")
    least = gap / policy.sigma
    if len(by_rule) == 1:
        return commit_bound(by_rule[0], noise, policy.arms, least=least)
    return elimination_bound(by_rule[0], by_rule[1], noise, policy.arms, least=least)


def _one(told: str) -> RhoBound:
    """Nothing is certified."""
    return rho_bound({"commit": np.ones(1)}, 0.0, None, told)


def _beyond_limits(schedules: Sequence[Schedule], starts: int) -> str | None:
    """What keeps these phases and thresholds from being bounded in floating point and in time."""
    if any((found.width < NARROWEST * np.maximum(found.lo, 1.0)).any() and not found.fixed for found in schedules):
        return "the thresholds are hardly random"
    if any(found.fixed and (found.lo > HIGHEST).any() for found in schedules):
        return f"fixed thresholds above {HIGHEST:g} sigma / sqrt(n)"
    if any(found.pulls.size > MOST_PHASES for found in schedules):
        return f"more than {MOST_PHASES} phases"
    if starts > MOST_RANDOM and not all(found.fixed for found in schedules):
        return f"random thresholds with more than {MOST_RANDOM} starts"
    return None


def schedule(policy: Elimination, rule: str, *, endless: bool = False, gap: float = 0.0) -> Schedule:
    """The phases that can be complete before the horizon, thresholds in units of sigma / sqrt(n_p)."""
    lo, width, pulls = [], [], []
    for phase in itertools.islice(_phases(policy, endless=endless, gap=gap), MOST_PHASES + 1):
        count = policy.precision(phase)
        threshold, scale = policy.threshold(phase, rule), math.sqrt(count) / policy.sigma
        lo.append(threshold.low * scale)
        width.append(threshold.width * threshold.unit * scale)
        pulls.append(float(count))
    return Schedule(np.array(pulls), np.array(lo), np.array(width))


def _phases(policy: Elimination, *, endless: bool, gap: float) -> Iterator[int]:
    """Where arms are eliminated, two of them may be left and phases be short."""
    sharing = policy.arms if policy.rules == ("commit",) else 2
    spent = 0.0
    for phase in itertools.count(1):
        spent += policy.rounds_with_all(phase) * sharing / policy.arms
        if _decided(policy, phase - 1, gap) if endless else spent > policy.horizon:
            return
        yield phase


def _without_end(policy: Elimination, gap: float) -> Elimination:
    """The policy with the longest horizon there is, if its constants do not depend on it."""
    if not policy.endless:
        raise InvalidParameter(
            f"the constants of {type(policy).__name__} depend on the horizon, so it cannot be infinite."
        )
    longest = dataclasses.replace(policy, horizon=MAX_HORIZON)
    if gap and not _decided(longest.openings[0], longest.phases, gap):
        raise InvalidParameter(
            f"gap={gap:g} is too small to be decided within {MAX_HORIZON:.0e} pulls; give a larger one."
        )
    return longest


def _decided(policy: Elimination, phase: int, gap: float) -> bool:
    """Whether a gap of this size is past every threshold, for good."""
    if phase < 1:
        return False
    highest = max(policy.threshold(phase, rule).high for rule in policy.rules)
    far = BEYOND * policy.spread + math.sqrt(2 * math.log(policy.arms))
    return gap > highest + far * policy.sigma / math.sqrt(policy.precision(phase))


def _assumed(policy: Elimination, endless: bool, gap: float) -> tuple[str, ...]:  # noqa: FBT001  private
    told = [SHARED_U, "no end of the run" if endless else f"the horizon fixed in advance, at most {policy.horizon:,}"]
    if getattr(policy, "features", ()):
        told.append("the mean of every arm is the product of its features with one unknown vector")
    if gap:
        told.append(f"the best arm leads every other by at least {gap:g}")
    return tuple(told)


def check_shape(kind: type) -> None:
    """Refuse a kind of policy that has no certificate, whatever its options are."""
    if not issubclass(kind, Elimination):
        raise InvalidParameter(f"only rules of the shape of REC and RSE can be certified, but got {kind.__name__}.")


def _refuse(policy: Elimination) -> None:
    """What has no certificate, in one sentence."""
    name = type(policy).__name__
    check_shape(type(policy))
    if policy.arms < 2:
        raise InvalidParameter(
            "`arms >= 2` must hold for a certificate, but got arms=1: with one arm nothing is decided."
        )
    if policy.memory == "phase" and "eliminate" in policy.rules:
        raise InvalidParameter(
            f"{name} draws by another design after every elimination, which no certificate here covers; "
            "certify its commitment alone: `RLSE.sharp`."
        )
    if isinstance(policy, KnownGapETC):
        raise InvalidParameter(
            f"{name} decides without randomness, so nothing holds over all means; its own guarantee does."
        )
