"""What one design costs and delivers on the hardest instance with a given gap: all other arms exactly there.

Two arms are computed exactly (`theory.stopping`); more arms are simulated, with a fixed seed and a stated error.
Nonreplication is measured on twins in both cases. Noise is Gaussian of the scale the design assumes.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from scipy import special

from replibandit.core.arrays import FloatArray
from replibandit.policies.elimination import Elimination
from replibandit.policies.known_gap import KnownGapETC
from replibandit.problems.gaussian import Gaussian
from replibandit.simulate.engine import Job
from replibandit.study.agreement import nonreplication_per_seed, over_seeds
from replibandit.study.intervals import clopper_pearson
from replibandit.study.outcomes import Outcomes, outcomes, phase_pulls
from replibandit.theory import fixed_sample
from replibandit.theory.stopping import Arrival, Look, arrivals, tie_commits

SURE = 0.95
MOST_RULES = 64  # for which results are computed exactly


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """One design on the plan's instance. Samples are per arm, until one arm is chosen; T / K where none is."""

    design: str
    policy: Elimination | None
    guarantee: str
    commits: float  # P(one arm is chosen before T)
    samples_mean: float
    samples_sure: float | None  # 95 % quantile; None if more than 5 % of runs never choose
    regret: float  # expected, up to T
    regret_error: float  # standard error; 0 if exact
    wrong: float  # P(a wrong arm is chosen)
    wrong_high: float  # its upper 95 % limit; `wrong` itself if exact
    differ: float  # P(two runs choose differently)
    differ_low: float
    differ_high: float
    power: float | None  # of the later test of the chosen arm against another; None if the charge leaves no level
    power_commit: float | None  # of "commit -> some arm is the unique best", at price eps_0; None if not valid
    tie_commits: float  # eps_0: a bound on P(commit) when no arm is the unique best
    smallest_gap: float  # that can be decided before T
    looks: tuple[int, ...]  # samples per arm at the end of each phase of any of its rules
    chosen_by: tuple[float, ...]  # P(one arm is chosen) by then
    method: str

    def to_dict(self) -> dict[str, Any]:
        """The forecast as plain JSON values."""
        values = {name: value for name, value in asdict(replace(self, policy=None)).items() if name != "policy"}
        values["smallest_gap"] = self.smallest_gap if math.isfinite(self.smallest_gap) else None
        return values | {"policy": None if self.policy is None else self.policy.to_dict()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked of every design."""

    gap: float
    level: float  # of the later test, the charge included
    pairs: int
    seed: int


def forecast(design: str, policy: Elimination, question: Question) -> Forecast:
    """What the design does when all other arms are ``gap`` behind."""
    job = Job(
        policy=policy,
        problem=Gaussian(means=(question.gap, *[0.0] * (policy.arms - 1)), sd=policy.sigma),
        runs=2 * question.pairs,
        seed=question.seed,
        runs_per_seed=2,
    )
    simulated = _simulated(design, policy, question, outcomes(job, policy))
    found = simulated if policy.arms > 2 else _exact(simulated, policy, question)
    return _fixed_sample(found, policy, question) if isinstance(policy, KnownGapETC) else found


def looks(policy: Elimination) -> list[Look]:
    """The phases every arm completes before the horizon, as `theory.stopping` wants them, of one known start."""
    drawn = np.cumsum(phase_pulls(policy)).tolist()
    thresholds = [policy.threshold(phase, "commit") for phase in range(1, len(drawn) + 1)]
    return [Look(pulls, t.offset, t.unit, t.width) for pulls, t in zip(drawn, thresholds, strict=True)]


def rules_of(policy: Elimination) -> tuple[Elimination, ...]:
    """The rules among which U chooses; of many, evenly spaced ones that stand for their neighbours."""
    step = -(-len(policy.openings) // MOST_RULES)
    return policy.openings[step // 2 :: step]


def pulls_of_looks(policy: Elimination) -> tuple[int, ...]:
    """When any of them looks."""
    return tuple(sorted({look.pulls for rule in rules_of(policy) for look in looks(rule)}))


def test_level(policy: Elimination, level: float) -> float:
    """What the charge rho leaves of the level; 0 if nothing, or if no rho is guaranteed."""
    rho = policy.guarantee.rho
    return 0.0 if rho is None else max(level - rho, 0.0)


def _simulated(design: str, policy: Elimination, question: Question, seen: Outcomes) -> Forecast:
    regret = question.gap * seen.runs.pulls[:, 1:].sum(axis=-1)
    wrong = clopper_pearson(int((seen.chosen > 0).sum()), seen.chosen.size)
    differ = over_seeds(nonreplication_per_seed(seen.runs.digests.reshape(-1, 2)), 2)
    commits = float((seen.chosen >= 0).mean())
    eps_0 = float(np.mean([tie_commits(looks(rule), policy.arms, policy.sigma) for rule in policy.openings]))
    alpha, pulls = test_level(policy, question.level), pulls_of_looks(policy)
    return Forecast(
        design=design,
        policy=policy,
        guarantee=str(policy.guarantee),
        commits=commits,
        samples_mean=float(seen.explored.mean()),
        samples_sure=float(np.quantile(seen.explored, SURE, method="higher")) if commits >= SURE else None,
        regret=float(regret.mean()),
        regret_error=float(regret.std(ddof=1) / regret.size**0.5),
        wrong=wrong.estimate,
        wrong_high=wrong.high,
        differ=differ.estimate,
        differ_low=differ.low,
        differ_high=differ.high,
        power=_simulated_power(policy, seen, alpha) if alpha > 0 else None,
        power_commit=commits if eps_0 <= question.level else None,
        tie_commits=eps_0,
        smallest_gap=policy.smallest_gap,
        looks=pulls,
        chosen_by=_reached(seen, pulls),
        method=f"simulated, {question.pairs:,} pairs of runs, seed {question.seed}",
    )


def _reached(seen: Outcomes, pulls: tuple[int, ...]) -> tuple[float, ...]:
    stopped = np.sort(seen.explored[seen.chosen >= 0])
    return tuple((np.searchsorted(stopped, pulls, side="right") / seen.chosen.size).tolist())


def _simulated_power(policy: Elimination, seen: Outcomes, alpha: float) -> float:
    """How often the z test tells the chosen arm (or the leader) from another one, averaged over the others."""
    lead = np.where(seen.chosen >= 0, seen.chosen, np.argmax(seen.means, axis=-1))[:, None]
    means, pulls = seen.means, seen.runs.pulls
    gap = np.take_along_axis(means, lead, axis=-1) - means
    scale = policy.sigma * np.sqrt(1 / np.take_along_axis(pulls, lead, axis=-1) + 1 / np.maximum(pulls, 1))
    rejected = np.abs(gap) >= scale * _critical(alpha)
    return float(rejected.sum() / (means.shape[0] * (policy.arms - 1)))


def _exact(simulated: Forecast, policy: Elimination, question: Question) -> Forecast:
    """The same for two arms, without simulation."""
    rules, horizon, alpha = rules_of(policy), policy.horizon, test_level(policy, question.level)
    courses = [list(arrivals(looks(rule), question.gap, policy.sigma)) for rule in rules]
    steps = sorted((step for course in courses for step in course), key=lambda step: step.look.pulls)
    pulls = np.array([step.look.pulls for step in steps])
    best, worse = (np.array([getattr(step, arm) for step in steps]) / len(rules) for arm in ("best", "worse"))
    never = max(1 - float((best + worse).sum()), 0.0)
    at = np.searchsorted(pulls, simulated.looks, side="right") - 1
    reached = np.cumsum(best + worse)[at] if steps else np.zeros(0)
    sure = simulated.looks[int(np.argmax(reached >= SURE))] if never <= 1 - SURE else None
    tied = np.mean([_commits(rule, 0.0) for rule in rules]).item()
    power = [_exact_power(course, policy, question.gap, alpha) for course in courses] if alpha > 0 else []
    some = "" if len(rules) == len(policy.openings) else f" for {len(rules)} of {len(policy.openings)} starts"
    method = f"exact{some}"
    if all(look.low == look.high for rule in rules for look in looks(rule)):
        differ = np.mean([_fixed_differ(course) for course in courses]).item()
        simulated = replace(simulated, differ=differ, differ_low=differ, differ_high=differ)
    else:
        method += f"; differing runs: {question.pairs:,} pairs, seed {question.seed}"
    return replace(
        simulated,
        commits=1 - never,
        samples_mean=float((best + worse) @ pulls + never * horizon / 2),
        samples_sure=None if sure is None else float(sure),
        regret=question.gap * float(best @ pulls + worse @ (horizon - pulls) + never * (horizon // 2)),
        regret_error=0.0,
        wrong=float(worse.sum()),
        wrong_high=float(worse.sum()),
        power=float(np.mean(power)) if power else None,
        power_commit=1 - never if tied <= question.level else None,
        tie_commits=tied,
        chosen_by=tuple(reached.tolist()),
        method=method,
    )


def _fixed_differ(course: list[Arrival]) -> float:
    """P(two runs differ) if no threshold is random: given the start, they are two independent runs."""
    ends = [end for step in course for end in (step.best, step.worse)]
    return 1 - math.fsum(end**2 for end in [*ends, 1 - math.fsum(ends)])


def _commits(rule: Elimination, gap: float) -> float:
    return sum(step.best + step.worse for step in arrivals(looks(rule), gap, rule.sigma))


def _exact_power(steps: list[Arrival], policy: Elimination, gap: float, alpha: float) -> float:
    """P(the z test on all data tells the two arms apart), by one more integral per phase.

    A run that chose after n pulls of each arm with the statistic d gives the chosen arm all N = T - n of its pulls.
    With a = n / N and M = N - n fresh rewards, the final difference given d is normal with mean
    (1 + a) d / 2 + (1 - a) (+-gap) / 2 and variance (1 - a)^2 sigma^2 (1 / (2 n) + 1 / M): the sum of the two means
    is independent of their difference. A run that never chose ends with T / 2 pulls of each arm.
    """
    total = 0.0
    for step in steps:
        n, largest = step.look.pulls, policy.horizon - step.look.pulls
        fresh = largest - n
        a = n / largest
        true = np.where(step.statistic > 0, gap, -gap)
        mean = (1 + a) / 2 * np.abs(step.statistic) + (1 - a) / 2 * true
        spread = (1 - a) * policy.sigma * math.sqrt(1 / (2 * n) + 1 / max(fresh, 1))
        scale = policy.sigma * math.sqrt(1 / n + 1 / largest)
        total += float((step.mass * step.stops) @ _rejects(mean, spread, scale * _critical(alpha)))
    each = policy.horizon / 2
    scale = policy.sigma * math.sqrt(2 / each)
    if not steps:
        return float(_rejects(np.array([gap]), scale, scale * _critical(alpha))[0])
    last = steps[-1]
    share = last.look.pulls / each
    mean = share * last.statistic + (1 - share) * gap
    spread = policy.sigma * math.sqrt(2 * (each - last.look.pulls)) / each
    return total + float(last.going @ _rejects(mean, spread, scale * _critical(alpha)))


def _rejects(mean: FloatArray, spread: float, critical: float) -> FloatArray:
    """P(|Normal(mean, spread^2)| >= critical)."""
    if spread == 0:
        return (np.abs(mean) >= critical).astype(np.float64)
    beyond: FloatArray = special.ndtr((mean - critical) / spread) + special.ndtr((-mean - critical) / spread)
    return beyond


def _critical(alpha: float) -> float:
    return float(special.ndtri(1 - alpha / 2))


def _fixed_sample(found: Forecast, policy: KnownGapETC, question: Question) -> Forecast:
    """Known-gap ETC has closed forms at any number of arms: its one decision comes after a fixed number of pulls."""
    pulls, arms, horizon = policy.pull_count(1), policy.arms, policy.horizon
    smallest = fixed_sample.known_gap_gap(max(horizon // arms, 1), arms, policy.sigma, policy.rho)
    if pulls * arms > horizon:
        return replace(found, smallest_gap=smallest)
    lead = question.gap / policy.sigma * math.sqrt(pulls)
    each = fixed_sample.other_leads(lead, 0.0, arms)
    wrong = (arms - 1) * each
    differ = 1 - (1 - wrong) ** 2 - (arms - 1) * each**2
    return replace(
        found,
        regret=question.gap * ((arms - 1) * pulls + wrong * (horizon - arms * pulls)),
        regret_error=0.0,
        wrong=wrong,
        wrong_high=wrong,
        differ=differ,
        differ_low=differ,
        differ_high=differ,
        smallest_gap=smallest,
        method="exact" if arms == 2 else f"exact; power: {question.pairs:,} pairs of runs, seed {question.seed}",
    )


def ab_forecast(policy: Elimination, question: Question, power: float) -> Forecast:
    """A fixed-sample z test planned for ``power``: leader against runner-up, once, at the full level.

    If the leader is significant it is played from then on; if not, all arms stay in equal use, as they do in every
    other design that has not chosen. It promises nothing about a repetition.
    """
    arms, horizon, sigma, gap = policy.arms, policy.horizon, policy.sigma, question.gap
    needed = fixed_sample.ab_pulls(gap, arms, sigma, question.level, power)
    pulls = min(needed, horizon // arms)
    margin, lead = fixed_sample.critical_margin(question.level), gap / sigma * math.sqrt(pulls)
    right, each = (f(lead, margin, arms) for f in (fixed_sample.best_leads, fixed_sample.other_leads))
    wrong = (arms - 1) * each
    unsettled = max(1 - right - wrong, 0.0)
    differ = 1 - right**2 - (arms - 1) * each**2 - unsettled**2
    rest = horizon - arms * pulls
    note = "" if pulls == needed else f"; {needed:,} per arm would be needed for power {power:g}"
    return Forecast(
        design="A/B test",
        policy=None,
        guarantee=f"level {question.level:g}, power {right:.3g}; nothing about a repetition{note}",
        commits=right + wrong,
        samples_mean=float(pulls),
        samples_sure=float(pulls),
        regret=gap * ((arms - 1) * pulls + rest * (wrong + unsettled * (arms - 1) / arms)),
        regret_error=0.0,
        wrong=wrong,
        wrong_high=wrong,
        differ=differ,
        differ_low=differ,
        differ_high=differ,
        power=right,
        power_commit=None,
        tie_commits=question.level,
        smallest_gap=fixed_sample.ab_gap(max(horizon // arms, 1), arms, sigma, question.level, power),
        looks=(pulls,),
        chosen_by=(right + wrong,),
        method="exact",
    )
