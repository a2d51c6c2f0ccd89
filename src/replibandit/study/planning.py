"""`plan`: what an experiment will cost, asked before its first reward. Four designs side by side."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from replibandit.core.invariants import TINY, one_of, real, scale, whole
from replibandit.errors import InvalidParameter
from replibandit.policies.elimination import MAX_ARMS, MAX_HORIZON, Elimination
from replibandit.policies.known_gap import KnownGapETC
from replibandit.policies.rec import REC
from replibandit.study.forecast import Forecast, Question, ab_forecast, forecast
from replibandit.study.outcomes import phase_pulls
from replibandit.theory import fixed_sample
from replibandit.theory.noise import NOISES

THEOREM, SHARP, KNOWN_GAP, AB = "theorem's constants", "sharp constants", "known-gap ETC", "A/B test"
CELLS = 4_000_000  # simulated rewards sums per phase and design: a second or two
PAIRS = 20_000
LEAST_LEVEL = 1e-12  # below, 1 - level/2 is no longer a float of its own


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The answer for each design, and what a person must know before believing it."""

    arms: int
    gap: float
    sigma: float
    rho: float
    horizon: int
    level: float
    designs: tuple[Forecast, ...]
    notes: tuple[str, ...]
    assumptions: tuple[str, ...]
    seed: int

    def __getitem__(self, design: str) -> Forecast:
        """The forecast of one design, by its name."""
        found = [f for f in self.designs if f.design == design]
        if not found:
            raise KeyError(design)
        return found[0]

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain JSON values."""
        asked = ("arms", "gap", "sigma", "rho", "horizon", "level", "seed")
        return {name: getattr(self, name) for name in asked} | {
            "designs": [design.to_dict() for design in self.designs],
            "notes": list(self.notes),
            "assumptions": list(self.assumptions),
        }

    def table(self) -> dict[str, list[Any]]:
        """One row per design, as columns."""
        rows = [design.to_dict() for design in self.designs]
        return {name: [row[name] for row in rows] for name in rows[0] if name not in ("policy", "looks", "chosen_by")}


def plan(
    *,
    arms: int,
    gap: float,
    sigma: float,
    rho: float,
    horizon: int | None = None,
    level: float = 0.05,
    power: float = 0.8,
    noise: str = "gaussian",
    pairs: int | None = None,
    seed: int = 0,
) -> Plan:
    """Samples, regret, risk and power of four designs when the best arm leads all others by ``gap``.

    Without a ``horizon`` it is the smallest power of ten at which every design is sure to decide. ``level`` is that
    of the test made afterwards, ``power`` what the A/B test is planned for, ``noise`` what the sharp constants assume
    ("sub-gaussian" or "bounded" cost more). What is forecast is always Gaussian.

    >>> import replibandit as rb
    >>> plan = rb.plan(arms=2, gap=0.05, sigma=0.5, rho=0.1, horizon=100_000)
    >>> for design in plan.designs:
    ...     print(f"{design.design:20} {design.samples_mean:8.0f} per arm, {design.commits:4.0%} decide")
    theorem's constants     50000 per arm,   0% decide
    sharp constants         39754 per arm,  48% decide
    known-gap ETC            1199 per arm, 100% decide
    A/B test                 1570 per arm,  80% decide
    >>> print(plan.notes[0])  # doctest: +ELLIPSIS
    At T = 100,000 the theorem's constants never commit below gap ...
    """
    arms, sigma = checked_common(arms=arms, sigma=sigma, level=level, power=power, noise=noise)
    checked: dict[str, Any] = {"arms": arms, "sigma": sigma, "gap": checked_gap(gap), "rho": checked_rho(rho)}
    horizon = _long_horizon(**checked) if horizon is None else whole("horizon", horizon, low=1, high=MAX_HORIZON)
    _refuse_hopeless(horizon=horizon, **checked)
    most = max(CELLS // (2 * arms), 100)
    pairs = min(PAIRS, most) if pairs is None else whole("pairs", pairs, low=100, high=10**7)
    seed = whole("seed", seed, low=0, high=2**63 - 1)
    question = Question(gap=gap, level=level, pairs=pairs, seed=seed)
    policies, refusals = replicable_designs(horizon=horizon, noise=noise, **checked)
    designs = [forecast(name, policy, question) for name, policy in policies.items()]
    theorem = designs[0].policy
    assert theorem is not None  # noqa: S101  replicable designs have a policy; the A/B test has none
    designs.append(ab_forecast(theorem, question, power))
    return Plan(
        arms=arms,
        gap=gap,
        sigma=sigma,
        rho=rho,
        horizon=horizon,
        level=level,
        designs=tuple(designs),
        notes=(*_notes(designs, question, horizon, rho), *refusals),
        assumptions=_assumptions(arms, gap, sigma),
        seed=seed,
    )


def replicable_designs(
    *, arms: int, horizon: int, rho: float, sigma: float, gap: float, noise: str
) -> tuple[dict[str, Elimination], tuple[str, ...]]:
    """The designs that guarantee rho, by name, and why one may be missing."""
    asked: dict[str, Any] = {"arms": arms, "horizon": horizon, "rho": rho, "sigma": sigma}
    found: dict[str, Elimination] = {THEOREM: REC(**asked)}
    refusals: tuple[str, ...] = ()
    try:
        found[SHARP] = REC.sharp(**asked, noise=noise)
    except InvalidParameter as error:
        refusals = (f"No {SHARP}: {error}",)
    return found | {KNOWN_GAP: KnownGapETC(**asked, gap=gap)}, refusals


def checked_common(*, arms: int, sigma: float, level: float, power: float, noise: str) -> tuple[int, float]:
    """What `plan` and `afford` are both told, if it makes sense: the number of arms and sigma."""
    arms = whole(
        "arms",
        arms,
        low=2,
        high=MAX_ARMS,
        remedy="One arm leaves nothing to decide, more than that cannot be counted exactly.",
    )
    sigma = scale("sigma", sigma, remedy="Give the standard deviation of a single reward, or an upper bound.")
    real("level", level, low=LEAST_LEVEL, high=0.5)
    real("power", power, above=level, high=0.9999)
    one_of("noise", noise, NOISES)
    return arms, sigma


def checked_gap(gap: object) -> float:
    """The gap, if it can be planned for."""
    return scale("gap", gap, remedy="Give the smallest lead of the best arm that matters to you.")


def checked_rho(rho: object) -> float:
    """The rho, if it can be asked for; each design has limits of its own."""
    return real("rho", rho, low=TINY, high=0.5, remedy="It is the allowed probability that a repetition differs.")


def _refuse_hopeless(*, arms: int, gap: float, sigma: float, rho: float, horizon: int) -> None:
    """Even a design that knows the gap must be able to decide."""
    needed = arms * fixed_sample.known_gap_pulls(gap, arms, sigma, rho, most=MAX_HORIZON)
    if needed > horizon:
        ways = ["allow a larger rho", "plan for a larger gap", *(["run longer"] if horizon < MAX_HORIZON else [])]
        raise InvalidParameter(
            f"rho={rho:g} is too small for T = {horizon:,} at gap={gap:g}: even a design that knows the gap explores "
            f"for {needed:,} rounds; {' or '.join(ways)}."
        )


def _long_horizon(*, arms: int, gap: float, sigma: float, rho: float) -> int:
    """The smallest power of ten at which the theorem's constants, the slowest design, are sure to commit.

    "Sure" is a lead of six standard deviations over the top of the threshold's range.
    """
    for power in range(2, round(math.log10(MAX_HORIZON)) + 1):
        policy = REC(arms=arms, horizon=10**power, rho=rho, sigma=sigma)
        drawn = 0
        for phase, pulls in enumerate(phase_pulls(policy), 1):
            drawn += pulls
            if policy.threshold(phase, "commit").high + 6 * sigma * math.sqrt(2 / drawn) <= gap:
                return int(10**power)
    return MAX_HORIZON


def _notes(designs: list[Forecast], question: Question, horizon: int, rho: float) -> list[str]:
    notes = []
    for found in designs:
        if found.smallest_gap > question.gap and found.policy is not None:
            limit = "whatever the gap is" if math.isinf(found.smallest_gap) else f"below gap {found.smallest_gap:.3g}"
            notes.append(f"At T = {horizon:,} the {found.design} never commit {limit}: they explore to the end.")
    if rho >= question.level:
        notes.append(
            f"rho = {rho:g} leaves nothing of a test at level {question.level:g}: the charge for testing on the same "
            f"data is rho. Plan with rho below {question.level:g}, or test on fresh data."
        )
    known = next(found for found in designs if found.design == KNOWN_GAP)
    if known.wrong * horizon * question.gap > known.regret / 2:
        notes.append(
            f"Most of the regret of known-gap ETC comes from committing to a wrong arm for good (probability "
            f"{known.wrong:.2g}); its rho bounds this probability, not the regret."
        )
    return notes


def _assumptions(arms: int, gap: float, sigma: float) -> tuple[str, ...]:
    others = "the other arm is" if arms == 2 else f"all {arms - 1} other arms are"
    return (
        f"worst case for this gap: {others} exactly {gap:g} behind the best",
        f"what is forecast: rewards independent and Gaussian with standard deviation {sigma:g}",
        "known-gap ETC is told the gap; its promise ends where the true gap is smaller",
        "the A/B test looks once, at the end, and promises nothing about a repetition",
    )
