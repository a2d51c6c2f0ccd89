"""Certificates of policies: the paper's own constants, what they cover, what they refuse, and that they hold."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

import replibandit as rb
from replibandit.errors import InvalidParameter
from replibandit.policies.certified import schedule
from replibandit.study.forecast import looks
from replibandit.study.intervals import clopper_pearson
from replibandit.theory.twins import twin_law

LINE = [[1.0, 0.0], [0.7, 0.0], [0.5, 0.4], [0.3, 0.8], [0.1, 1.2]]


@pytest.mark.parametrize(("arms", "rho"), [(2, 0.05), (3, 0.3), (10, 0.3)])
@pytest.mark.parametrize("noise", ["gaussian", "sub-gaussian"])
def test_the_papers_constants_are_certified_at_or_below_rho(arms: int, rho: float, noise: str) -> None:
    common: dict[str, Any] = {"arms": arms, "horizon": 10**6, "rho": rho, "sigma": 0.5}
    assert 0 < rb.certify(rb.REC(**common), noise).rho <= rho
    assert 0 < rb.certify(rb.RSE(**common), noise).rho <= rho


def test_shares_and_misled_add_up_to_rho() -> None:
    policy = rb.SharpRSE(
        arms=4,
        horizon=10**6,
        rho=0.3,
        sigma=1,
        first=20,
        ratio=5,
        lo=9,
        width=20,
        eliminate_lo=30,
        eliminate_width=90,
    )
    found = rb.certify(policy, "gaussian")
    assert sum(share.share for share in found.shares) + found.misled == pytest.approx(found.rho, abs=1e-6)
    assert {share.decision for share in found.shares} <= {"commit", "next rival", "eliminate"}
    assert any("Gaussian" in assumption for assumption in found.assumptions)


def test_weaker_assumptions_and_wider_instances_never_certify_less() -> None:
    policy = rb.SharpREC(arms=3, horizon=10**6, rho=0.3, sigma=1, first=9, ratio=4, lo=6, width=14)
    normal, wide = rb.certify(policy, "gaussian").rho, rb.certify(policy, "sub-gaussian").rho
    assert normal < wide
    assert rb.certify(policy, "bounded").rho == wide
    assert rb.certify(policy, "sub-gaussian", gap=0.05).rho <= wide


def test_an_endless_run_is_certified_for_gaps_but_not_for_ties() -> None:
    policy = rb.SharpREC(arms=2, horizon=10**5, rho=0.3, sigma=1, first=6, ratio=5.334, lo=4.883, width=6.335)
    assert rb.certify(policy, "gaussian", horizon=math.inf).rho == 1.0
    endless = rb.certify(policy, "gaussian", horizon=math.inf, gap=1e-3).rho
    assert rb.certify(policy, "gaussian", gap=1e-3).rho <= endless < 0.3
    with pytest.raises(InvalidParameter, match="depend on the horizon"):
        rb.certify(rb.REC(arms=2, horizon=100, rho=0.3, sigma=1), horizon=math.inf)
    with pytest.raises(InvalidParameter, match="too small to be decided"):
        rb.certify(policy, horizon=math.inf, gap=1e-12)


def test_where_no_phase_is_complete_twins_cannot_differ() -> None:
    policy = rb.SharpREC(arms=2, horizon=9, rho=0.3, sigma=1, first=6, ratio=5, lo=1, width=1)
    assert rb.certify(policy).rho < 1e-6


ODD: dict[str, Any] = {"horizon": 10**4, "rho": 0.3, "sigma": 1.0, "noise": "gaussian", "first": 9}


@pytest.mark.parametrize(
    "constants",
    [
        {"ratio": 3, "lo": 4, "width": 1e-17},  # lo + width = lo: in floats there is no window
        {"ratio": 3, "lo": 1e17, "width": 1},
        {"ratio": 9, "lo": 4, "width": 1e-14},
        {"ratio": 3, "lo": 0, "width": 2},
        {"ratio": 3, "lo": 1e-300, "width": 2},
        {"ratio": 1.01, "lo": 1, "width": 2},
    ],
)
@pytest.mark.parametrize("arms", [2, 3])
def test_odd_constants_are_never_certified_below_what_they_do(constants: dict[str, float], arms: int) -> None:
    """A threshold that is hardly random parts twins half of the time at its critical gap, a tiny start always."""
    assert rb.certify(rb.SharpREC(arms=arms, **ODD, **constants)).rho > 0.5


def test_eliminations_that_begin_at_once_are_certified_too() -> None:
    policy = rb.SharpRSE(arms=3, ratio=5, lo=25, width=60, eliminate_lo=0, eliminate_width=5, **ODD)
    assert rb.certify(policy).rho == 1.0


def test_many_phases_are_refused_and_wide_windows_are_quick() -> None:
    many = rb.SharpREC(arms=3, ratio=1.001, lo=5, width=20, **ODD | {"horizon": 10**9})
    assert "more than 200 phases" in rb.certify(many).method
    assert rb.certify(rb.SharpREC(arms=2, ratio=3, lo=4, width=1e6, **ODD)).rho < 0.01


def test_linear_means_are_among_the_assumptions_of_a_linear_rule() -> None:
    options = {"ratio": 5, "lo": 9, "width": 40}
    linear = rb.SharpRLSE(arms=5, features=LINE, **ODD | {"horizon": 10**6}, **options)
    assert any("features" in told for told in rb.certify(linear).assumptions)


@pytest.mark.parametrize("gap", ["a", -1, math.nan])
def test_a_gap_that_is_none_is_refused_before_it_is_used(gap: Any) -> None:
    policy = rb.SharpREC(arms=2, ratio=3, lo=4, width=9, **ODD)
    with pytest.raises(InvalidParameter, match="gap"):
        rb.certify(policy, horizon=math.inf, gap=gap)


@pytest.mark.parametrize(
    ("policy", "told"),
    [
        (rb.UCB1(arms=2, horizon=10), "shape of REC and RSE"),
        (rb.REC(arms=1, horizon=10, rho=0.3, sigma=1), "arms >= 2"),
        (rb.KnownGapETC(arms=2, horizon=10, rho=0.3, sigma=1, gap=1), "without randomness"),
        (rb.RLSE(arms=5, horizon=10, rho=0.3, sigma=1, features=LINE), "RLSE.sharp"),
    ],
)
def test_what_cannot_be_certified_is_refused_in_one_sentence(policy: Any, told: str) -> None:
    with pytest.raises(InvalidParameter, match=told):
        rb.certify(policy)


def test_the_schedule_of_the_papers_rule_is_its_formula() -> None:
    policy = rb.REC(arms=2, horizon=10**6, rho=0.3, sigma=0.5)
    found = schedule(policy, "commit")
    c = policy.radius(3, "commit") * math.sqrt(policy.pull_count(3)) / 0.5
    assert found.lo[2] == pytest.approx(2 * c)
    assert found.width[2] == pytest.approx(c)
    assert (found.pulls * 2 <= 10**6).all()
    assert found.pulls.size < policy.phases


def test_normal_rewards_may_be_less_spread_than_assumed_where_starts_are_random() -> None:
    """Random thresholds for two arms use the law itself, fixed ones only how far it strays at most."""
    shipped = rb.REC.sharp(arms=2, horizon=10**6, rho=0.3, sigma=1.0, noise="gaussian")
    assert any("standard deviation at most 1" in told for told in rb.certify(shipped).assumptions)
    old = policy_of(rb.SharpREC, 2)
    assert any("standard deviation 1" in told for told in rb.certify(old).assumptions)
    certified = rb.certify(shipped).rho
    for sd in (0.05, 0.3, 0.7, 0.95):
        for gap in 0.05 * shipped.ratio ** (np.arange(16) / 32):
            laws = [twin_law(looks(rule), float(gap), sd).differ for rule in shipped.openings]
            assert np.mean(laws) <= certified


def test_one_start_and_fixed_thresholds_part_twins_half_of_the_time() -> None:
    assert rb.certify(rb.SharpREC(arms=2, ratio=8, lo=12, **ODD)).rho >= 0.5
    assert rb.certify(rb.SharpREC(arms=2, ratio=8, lo=12, starts=16, **ODD | {"horizon": 10**6})).rho < 0.15


def test_each_start_alone_promises_nothing() -> None:
    """Its certificate is that of a rule without randomness."""
    for opening in rb.REC.sharp(arms=2, horizon=10**6, rho=0.3, sigma=1.0, noise="gaussian").openings:
        assert opening.guarantee.rho is None


@pytest.mark.parametrize("arms", [2, 5])
@pytest.mark.parametrize("kind", ["thresholds", "starts"])
def test_what_misleads_is_the_tail_of_a_tie_in_every_phase_for_every_rival_and_both_twins(
    arms: int, kind: str
) -> None:
    device: dict[str, Any] = {"width": 3.0} if kind == "thresholds" else {"starts": 4}
    policy = rb.SharpREC(arms=arms, ratio=9, lo=2.5, **ODD | {"horizon": 10**5}, **device)
    counts = [sum(rule.pull_count(p) * arms <= 10**5 for p in range(1, 99)) for rule in policy.openings]
    window = np.linspace(2.5, 5.5, 20_001) if kind == "thresholds" else np.array([2.5])
    tail = stats.norm.sf(window / math.sqrt(2)).mean()
    found = rb.certify(policy, "gaussian")
    assert found.misled == pytest.approx(2 * (arms - 1) * np.mean(counts) * tail, rel=1e-4)
    assert found.rho == pytest.approx(min(1, found.misled + sum(s.share for s in found.shares)), abs=1e-7)


def test_odd_mixtures_of_starts_and_thresholds_are_answered() -> None:
    """Random thresholds at several starts, one of which completes no phase; too many of them; far too high ones."""
    late = rb.SharpREC(arms=3, ratio=9, lo=3, width=5, starts=4, **ODD | {"horizon": 40})
    assert 0 < rb.certify(late).rho <= 1
    many = rb.SharpREC(arms=2, ratio=9, lo=3, width=5, starts=200, **ODD)
    assert "more than 64 starts" in rb.certify(many).method
    high = rb.SharpREC(arms=2, ratio=9, lo=1e10, starts=4, **ODD)
    assert "fixed thresholds above" in rb.certify(high).method
    assert rb.SharpREC(arms=2, ratio=9, lo=0, **ODD).guarantee.rho is None
    mixed = {"ratio": 4, "lo": 40, "eliminate_lo": 5, "eliminate_width": 8}
    told = rb.certify(rb.SharpRSE(arms=2, **ODD, **mixed)).assumptions
    assert any("standard deviation 1" in each for each in told)


@pytest.mark.parametrize("lo", [30.0, 1000.0])
def test_fresh_draws_whose_thresholds_differ_in_height_are_certified_as_two_arms_are(lo: float) -> None:
    """In units of the precision of pooled means thresholds vary; four starts are too few for such high ones."""
    options: dict[str, Any] = {"ratio": 3, "lo": lo, "starts": 4, "draws": "fresh"} | ODD
    options |= {"first": round((lo / 2) ** 2), "horizon": 10**9}
    two, three = (rb.certify(rb.SharpREC(arms=arms, **options)).rho for arms in (2, 3))
    assert three == pytest.approx(two, rel=0.05)
    assert three >= 0.1


def test_so_many_looks_that_medians_are_left_out_are_bounded_by_tails(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = rb.SharpREC(arms=3, ratio=8, lo=12, starts=16, **ODD | {"horizon": 10**6})
    medians = rb.certify(policy).rho
    monkeypatch.setattr("replibandit.theory.fixed_thresholds.MOST_LOOKS", 10)
    tails = rb.certify(replace(policy, horizon=10**6 + 1)).rho  # another horizon: results are kept
    assert medians < tails < 1.3 * medians


@pytest.mark.parametrize("arms", [2, 3, 10])
def test_an_endless_run_with_random_starts_is_certified_for_gaps(arms: int) -> None:
    policy = rb.REC.sharp(arms=arms, horizon=10**6, rho=0.3, sigma=1.0, noise="sub-gaussian")
    assert rb.certify(policy, horizon=math.inf).rho == 1.0
    assert rb.certify(policy, gap=1e-3).rho <= rb.certify(policy, horizon=math.inf, gap=1e-3).rho < 0.31


TRIALS = 20_000
HARD: list[tuple[str, Any, list[float]]] = [
    ("ten arms, one best", rb.SharpREC, [1.0] + [0.0] * 9),
    ("ten arms, a close runner-up", rb.SharpREC, [1.0, 0.0] + [-3.0] * 8),
    ("three arms, eliminations", rb.SharpRSE, [1.0, 0.0, -1.0]),
    ("five linear arms", rb.SharpRLSE, [1.0, 0.0, -0.5, -1.5, -2.0]),
]


def policy_of(cls: Any, arms: int) -> Any:
    common: dict[str, Any] = {"arms": arms, "horizon": 10**6, "rho": 0.3, "sigma": 1.0, "noise": "gaussian"}
    if cls is rb.SharpRSE:
        sharp = {
            "first": 36,
            "ratio": 6.5,
            "lo": 11.93,
            "width": 14.46,
            "eliminate_lo": 45.48,
            "eliminate_width": 57.33,
        }
    else:
        sharp = {"first": 7, "ratio": 3.15, "lo": 5.181, "width": 11.91}
    return cls(**common, **sharp)


def designed_of(cls: Any, arms: int) -> Any:
    """What is shipped, where U chooses the start."""
    paper: Any = {rb.SharpREC: rb.REC, rb.SharpRSE: rb.RSE, rb.SharpRLSE: rb.RLSE}[cls]
    return paper.sharp(arms=arms, horizon=10**6, rho=0.3, sigma=1.0, noise="gaussian")


@pytest.mark.statistical
@pytest.mark.parametrize("make", [policy_of, designed_of], ids=["random thresholds", "random starts"])
@pytest.mark.parametrize(("cls", "shape"), [case[1:] for case in HARD], ids=[name for name, _, _ in HARD])
def test_no_instance_of_a_sweep_parts_twins_more_often_than_certified(
    make: Any, cls: Any, shape: list[float]
) -> None:
    """8 gaps over one period; lower limits at level 1 - 1e-5 each, so false alarms in 8e-5 of all seeds.

    The certificates are within a factor of two of what is measured: a bound that were twice too low would be caught.
    """
    policy = make(cls, len(shape))
    certified = rb.certify(policy).rho
    found = []
    for seed, gap in enumerate(np.geomspace(0.05, 0.05 * policy.ratio**0.5, 8)):
        problem = rb.Gaussian(means=(gap * np.array(shape)).tolist(), sd=1.0)
        twins = rb.replicate(policy, problem, seeds=TRIALS, runs=2, seed=seed)
        found.append(clopper_pearson(round(float(twins.per_seed.sum())), TRIALS, 1 - 2e-5))
    assert max(interval.low for interval in found) <= certified
    if cls is not rb.SharpRLSE:  # sqrt(2) of its spread is given away to correlated estimates
        used = 2.5 if cls is rb.SharpRSE else 2.0  # half of rho is for eliminations, of which there are few here
        assert max(interval.high for interval in found) >= certified / used


COINS = rb.SharpREC(arms=2, horizon=10**6, rho=0.3, sigma=0.5, first=12, ratio=3.75, lo=6.912, width=21.85)
SHIPPED_FOR_COINS = rb.REC.sharp(arms=2, horizon=10**6, rho=0.3, sigma=0.5, noise="bounded")


@pytest.mark.statistical
@pytest.mark.parametrize("policy", [COINS, SHIPPED_FOR_COINS], ids=["random thresholds", "random starts"])
def test_the_bound_for_other_noise_holds_for_fair_and_skewed_coins(policy: Any) -> None:
    """The same levels; 2 x 8 instances."""
    certified = rb.certify(policy, "bounded").rho
    assert certified <= 0.3
    for centre in (0.5, 0.1):
        for seed, gap in enumerate(np.geomspace(0.02, 0.02 * policy.ratio**0.5, 8)):
            problem = rb.Bernoulli(means=[centre + gap / 2, centre - gap / 2])
            twins = rb.replicate(policy, problem, seeds=TRIALS, runs=2, seed=seed)
            assert stats.binomtest(round(float(twins.per_seed.sum())), TRIALS, certified, "greater").pvalue > 1e-5
