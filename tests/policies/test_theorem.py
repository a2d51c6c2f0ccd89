"""What the theorems' constants guarantee, for exactly the parameters given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import replibandit as rb

REC: dict[str, Any] = {"arms": 10, "horizon": 10_000, "rho": 0.3, "sigma": 0.5}


def reasons(policy: Any) -> str:
    assert policy.guarantee.rho is None
    assert str(policy.guarantee).startswith("not guaranteed to be replicable: ")
    return "; ".join(policy.guarantee.reasons)


@pytest.mark.parametrize("kind", [rb.REC, rb.RSE])
@pytest.mark.parametrize("rho", [0.01, 0.3, 0.5])
def test_the_defaults_are_guaranteed_with_their_assumptions(kind: Any, rho: float) -> None:
    guarantee = kind(**REC | {"rho": rho}).guarantee
    assert guarantee.rho == rho
    assert any("sub-Gaussian" in assumption for assumption in guarantee.assumptions)
    assert any("horizon" in assumption for assumption in guarantee.assumptions)


def test_each_theorem_is_named() -> None:
    assert rb.REC(**REC).guarantee.reasons == ("Theorem 4 of the paper",)
    assert rb.RSE(**REC).guarantee.reasons == ("Theorem 5 of the paper",)


@pytest.mark.parametrize("rho", [0.05, 0.3, 0.5])
def test_growth_is_enough_when_phases_separate(rho: float) -> None:
    """1.7 a - 4 rho / 9 >= 3, not only a >= 2."""
    smallest = (3 + 4 * rho / 9) / 1.7
    assert smallest < 2
    assert rb.REC(**REC | {"rho": rho, "growth": smallest + 1e-9}).guarantee.rho == rho
    assert "growth=" in reasons(rb.REC(**REC | {"rho": rho, "growth": smallest - 1e-6}))


def test_a_growth_of_two_always_suffices() -> None:
    for rho in np.linspace(0.001, 0.5, 50):
        assert rb.REC(**REC | {"rho": float(rho)}).guarantee.rho is not None


def test_a_small_growth_is_accepted_but_not_guaranteed() -> None:
    assert "1.7 a - 4 rho / 9 >= 3 must hold" in reasons(rb.REC(**REC, growth=1.1))


def test_a_smaller_threshold_is_accepted_but_not_guaranteed() -> None:
    text = reasons(rb.REC(**REC, commit_scale=0.03))
    assert "the commit threshold is 0.0675 Conf^repr, but the proof needs 9/4" in text
    assert "scale=0.03" in text


def test_both_rules_of_rse_are_judged_on_their_own() -> None:
    assert "commit" not in reasons(rb.RSE(**REC, eliminate_scale=0.5)).split(" threshold")[0]
    assert "eliminate" not in reasons(rb.RSE(**REC, commit_scale=0.5)).split(" threshold")[0]
    assert len(rb.RSE(**REC, commit_scale=0.5, eliminate_scale=0.5).guarantee.reasons) == 2


def test_a_small_c_mul_is_made_good_by_a_large_scale() -> None:
    assert reasons(rb.REC(**REC, c_mul=9 / 8))
    assert rb.REC(**REC, c_mul=9 / 8, commit_scale=2.0).guarantee.rho == 0.3


def test_larger_thresholds_than_the_theorems_are_guaranteed() -> None:
    assert rb.RSE(**REC, c_mul=4, commit_scale=1.5, eliminate_scale=3).guarantee.rho == 0.3


def test_fresh_draws_and_every_order_are_covered() -> None:
    for order in ("round_robin", "blocks", "reversed_blocks", "permuted"):
        assert rb.RSE(**REC, draws="fresh", order=order).guarantee.rho == 0.3


def test_the_budget_of_the_proof_adds_up_to_at_most_rho() -> None:
    """2 rho^G + sum rho^(p, i) <= rho (Thm. 3), wherever the gaps lie."""
    rng = np.random.default_rng(3)
    for kind in (rb.REC, rb.RSE):
        policy = kind(**REC | {"horizon": 10**12})
        for _ in range(50):
            gaps = np.sort(rng.uniform(0, 1, 10) ** 3)
            gaps[0] = 0.0
            spent = 2 * policy.bad_event_budget + sum(policy.budget(gaps).values())
            assert 0 < spent <= policy.rho * (1 + 1e-12)


def test_a_tie_at_the_top_spends_nothing_on_the_commitment() -> None:
    policy = rb.RSE(**REC | {"arms": 3, "horizon": 10**12})
    assert {slot for _, slot in policy.budget(np.array([0.0, 0.0, 0.5]))} == {3}


def test_the_stopping_phase_takes_one_of_two_values_under_the_good_event() -> None:
    """p_s or p_s + 1 for every arm, whatever U: the means are pushed to the edge of the good event."""
    rng = np.random.default_rng(11)
    for arms, rho in ((2, 0.3), (3, 0.5), (10, 0.1)):
        policy = rb.REC(arms=arms, horizon=10**14, rho=rho, sigma=0.5)
        for gap in rng.uniform(0.02, 0.9, 40):
            means = np.where(np.arange(arms) == 0, gap, 0.0)
            phase = next(p for p in range(1, policy.phases) if policy.radius(p, "commit") <= 10 * gap / 17)
            for _ in range(4):
                assert _stops(policy, means, rng) in (phase, phase + 1)


def _stops(policy: Any, means: np.ndarray, rng: np.random.Generator) -> int:
    """The phase in which it commits when every estimated gap is wrong by up to the radius of the good event."""
    for phase in range(1, policy.phases):
        error = policy.good_radius(phase) * rng.choice([-0.5, 0.5], means.size)
        count = policy.pull_count(phase)
        tally = rb.Tally(np.full(means.size, count), (means + error) * count)
        u = np.array([rng.choice([0.0, rng.random(), 1 - 2.0**-53])])
        made = policy.decide(phase, tally, np.ones(means.size, dtype=np.bool_), u)
        if made.taken.any():
            assert made.active[0], "under the good event it commits to the best arm"
            return phase
    raise AssertionError("it never stopped")
