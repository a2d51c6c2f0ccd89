"""The theorem's constants are replicable at their worst, and the check that says so catches rules that are not."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy import special, stats

import replibandit as rb
from replibandit.simulate.streams import Sharing
from replibandit.study.intervals import Interval
from replibandit.study.measure import measure

PAIRS = 100_000
SIGMA, HORIZON = 0.5, 10**6
CLOSE = 3  # the phase in which the close arms part: an earlier one is cheaper, and no other law
ARMS, RHOS = (2, 3, 10), (0.05, 0.3)
NEVER = 1 - 2e-6  # two-sided: a lower limit above the truth happens once in a million seeds


def nonreplication(
    policy: Any, means: list[float], *, pairs: int = PAIRS, sharing: Sharing = "shared", u: Any = None
) -> Interval:
    """Of that many pairs of twins, with its exact (Clopper-Pearson) limits."""
    problem = rb.Gaussian(means=means, sd=SIGMA)
    found = measure(policy, problem, seeds=pairs, runs=2, seed=31, sharing=sharing, u=u, level=NEVER)
    return found.nonreplication


def is_refuted(found: Interval, rho: float) -> bool:
    """Whether the data rule out that the nonreplication is at most rho."""
    return found.low > rho


# --- where it is worst --------------------------------------------------------------------------------------------


def disagreement(policy: Any, rule: str, gap: float, rivals: int) -> float:
    """Sum over phases of P(twins decide differently): one arm ``gap`` above ``rivals`` equal ones; U shared.

    By quadrature over U and over the leader's noise, from the definitions: an upper bound of the nonreplication.
    """
    nodes, weight = np.polynomial.legendre.leggauss(40)
    u, weight = (nodes + 1) / 2, weight / 2
    z, density = np.polynomial.hermite_e.hermegauss(40)
    density = density / density.sum()
    total = 0.0
    for phase in range(1, policy.phases):
        edge = policy.threshold(phase, rule)
        if edge.low > 3 * gap:
            continue
        noise = SIGMA / math.sqrt(policy.pull_count(phase))
        lead = z[:, None] + (gap - (edge.offset + u) * edge.unit) / noise
        passes = density @ special.ndtr(lead) ** rivals
        total += float(weight @ (2 * passes * (1 - passes)))
        if edge.high < gap / 2:
            break
    return total


def worst_gap(policy: Any, rule: str, rivals: int) -> float:
    """A fine search over one period: growing the gap by the growth of the phases changes nothing but the phase."""
    gaps = policy.threshold(CLOSE, "commit").low * policy.growth ** np.linspace(0, 1, 120)
    return float(max(gaps, key=lambda gap: disagreement(policy, rule, float(gap), rivals)))


def instances(policy: Any) -> Iterator[tuple[str, list[float]]]:
    """Ties, near-ties at the worst gap, one against many, geometric gaps."""
    arms = policy.arms
    lone, many = worst_gap(policy, "commit", 1), worst_gap(policy, "commit", arms - 1)
    yield "all tied", [0.0] * arms
    yield "one above the rest", [many] + [0.0] * (arms - 1)
    if arms > 2:
        yield "a runner-up, the rest far", [lone, 0.0] + [-20 * lone] * (arms - 2)
        yield "geometric", [lone * (1 - 2.0**arm) for arm in range(arms)]
        rest = worst_gap(policy, "eliminate", 1) if "eliminate" in policy.rules else lone
        yield "two tied, the rest at the worst gap", [0.0, 0.0] + [-rest] * (arms - 2)


@pytest.mark.statistical
@pytest.mark.parametrize("kind", [rb.REC, rb.RSE])
@pytest.mark.parametrize("arms", ARMS)
@pytest.mark.parametrize("rho", RHOS)
def test_the_theorems_constants_are_never_refuted(kind: Any, arms: int, rho: float) -> None:
    """100,000 pairs of twins on each instance; a rule that is rho-replicable is refuted once in a million seeds."""
    policy = kind(arms=arms, horizon=HORIZON, rho=rho, sigma=SIGMA)
    assert policy.guarantee.rho == rho
    largest = 0.0
    for name, means in instances(policy):
        found = nonreplication(policy, means)
        assert not is_refuted(found, rho), (name, str(found))
        largest = max(largest, found.estimate)
    assert largest > rho / 50, "somewhere twins do differ: the instances are not trivial"


@pytest.mark.parametrize("kind", [rb.REC, rb.RSE])
def test_on_those_instances_runs_stop_and_find_the_best_arm(kind: Any) -> None:
    policy = kind(arms=3, horizon=HORIZON, rho=0.05, sigma=SIGMA)
    for name, means in instances(policy):
        study = rb.simulate(policy, rb.Gaussian(means=means, sd=SIGMA), runs=500, seed=1)
        stops = 1 - study.stopping.get(0, 0.0)
        assert stops == (0.0 if means.count(max(means)) > 1 else 1.0), name
        if stops:
            assert (study.pulls[:, 0] > 0.9 * HORIZON).all(), name


# --- broken rules -------------------------------------------------------------------------------------------------


def critical(policy: Any) -> list[float]:
    """Two close arms, their gap in the middle of the random threshold of a phase; the rest far away."""
    edge = policy.threshold(CLOSE, "commit")
    gap = (edge.low + edge.high) / 2
    return [gap, 0.0] + [-20 * gap] * (policy.arms - 2)


@pytest.mark.statistical
@pytest.mark.parametrize("broken", ["independent", "none"])
@pytest.mark.parametrize("kind", [rb.REC, rb.RSE])
@pytest.mark.parametrize("arms", ARMS)
@pytest.mark.parametrize("rho", RHOS)
def test_a_rule_without_shared_u_is_refuted_by_the_same_check(
    kind: Any, arms: int, rho: float, broken: Sharing
) -> None:
    """Twins with a U each, or a threshold without U, at the critical gap: one of two twins passes, or nearly so.

    RSE with two arms has two chances to stop: with a U of its own each, it passes in 3 of 4 cases.
    """
    policy = kind(arms=arms, horizon=HORIZON, rho=rho, sigma=SIGMA)
    found = nonreplication(policy, critical(policy), pairs=20_000, sharing=broken)
    assert is_refuted(found, rho)
    assert found.estimate > 0.35


@pytest.mark.statistical
@pytest.mark.parametrize("rho", RHOS)
def test_thresholds_far_too_small_are_refuted_by_the_same_check(rho: float) -> None:
    policy = rb.REC(arms=2, horizon=HORIZON, rho=rho, sigma=SIGMA, commit_scale=rho / 10)
    assert policy.guarantee.rho is None
    assert is_refuted(nonreplication(policy, critical(policy)), rho)


# --- closed forms -------------------------------------------------------------------------------------------------


@pytest.mark.statistical
@pytest.mark.parametrize("rho", RHOS)
def test_without_u_twins_differ_half_the_time_at_the_critical_gap(rho: float) -> None:
    """Two arms whose gap is the threshold: the estimate passes with probability exactly 1/2 in that phase, never
    before, always after. So twins differ with probability 2 (1/2) (1/2). An exact test; false alarm 1e-6."""
    policy = rb.REC(arms=2, horizon=HORIZON, rho=rho, sigma=SIGMA)
    means = critical(policy)
    found = nonreplication(policy, means, u=rb.ConstantRandomness(0.5))
    differing = round(found.estimate * PAIRS)
    assert stats.binomtest(differing, PAIRS, 0.5).pvalue > 1e-6


@pytest.mark.statistical
@pytest.mark.parametrize("rho", RHOS)
def test_with_u_twins_differ_as_often_as_the_closed_form_says(rho: float) -> None:
    """The same gap with U: E over U of 2 F (1 - F) is the integral of 2 Phi (1 - Phi), which is 2 / sqrt(pi), times
    the noise of the gap (sigma sqrt(2 / N_p) = eps_p / 2) over the width of U (Conf^max). Exact; false alarm 1e-6."""
    policy = rb.REC(arms=2, horizon=HORIZON, rho=rho, sigma=SIGMA)
    width = 2.25 * math.sqrt(math.log(18 * 4 * policy.phases / rho)) / rho  # in units of eps_p
    truth = 2 / math.sqrt(math.pi) / 2 / width
    found = nonreplication(policy, critical(policy))
    assert stats.binomtest(round(found.estimate * PAIRS), PAIRS, truth).pvalue > 1e-6
    assert truth < rho
