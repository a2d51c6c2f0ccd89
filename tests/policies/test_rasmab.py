"""RASMAB against its pseudo-code written down once more, naively, and against what the paper saw of it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import replibandit as rb
from replibandit.theory import batches
from tests.contract import Dataset, run_on

MEANS = (0.9, 0.8, 0.3)


def algorithm_2(policy: rb.RASMAB, data: Dataset, u: rb.SharedRandomness) -> list[int]:
    """Pulls per arm, reward by reward, as printed (with pooled means, beta divided, widths times sigma)."""
    arms, horizon = policy.arms, policy.horizon
    count = max(math.ceil(math.log(horizon)), 1)
    q = horizon ** (1 / count)
    beta = math.floor(max(arms**2 / policy.rho**2, 2304)) / policy.divisor
    c, active, r = 0, list(range(arms)), horizon
    rewards: list[list[float]] = [[] for _ in range(arms)]
    means = [0.0] * arms
    for i in range(1, count):
        draws = max(math.floor(beta * math.floor(q**i)), 1)
        if draws * len(active) > r:
            break
        for arm in active:
            rewards[arm] += [data.reward(arm, len(rewards[arm]) + n) for n in range(draws)]
            means[arm] = math.fsum(rewards[arm]) / len(rewards[arm])
        r -= draws * len(active)
        c += math.floor(q**i)
        log = 2 * math.log(2 * arms * horizon * count)
        narrow, wide = policy.sigma * math.sqrt(log / (beta * c)), policy.sigma * math.sqrt(log / c)
        bar = wide / 2 + u.uniform(i, 0) * wide / 2
        best = max(means[arm] for arm in active)
        active = [arm for arm in active if not means[arm] + narrow < best - bar]
        if len(active) == 1:
            break
    pulls = [len(drawn) for drawn in rewards]
    pulls[max(active, key=lambda arm: means[arm])] += r
    return pulls


@given(
    arms=st.integers(1, 3),
    horizon=st.integers(1, 3000),
    divisor=st.sampled_from([1.0, 77.5, 400.0, 2304.0, 9000.0]),
    seed=st.integers(0, 10**6),
)
def test_it_is_algorithm_2(arms: int, horizon: int, divisor: float, seed: int) -> None:
    policy = rb.RASMAB(arms=arms, horizon=horizon, rho=0.4, sigma=0.5, divisor=divisor)
    data, u = Dataset(seed, MEANS[:arms]), rb.SharedRandomness(f"rasmab {seed}")
    assert list(run_on(policy, data, u).pulls) == algorithm_2(policy, data, u)


def test_the_printed_constants_break_at_once_and_say_so() -> None:
    policy = rb.RASMAB(arms=10, horizon=10_000, rho=0.3, sigma=1.0)
    assert policy.beta == 2304
    assert policy.new_pulls(1) * 10 == 46_080
    assert policy.first_active().tolist() == [True] + [False] * 9
    assert "46,080 pulls" in str(policy.guarantee)
    assert "arm 0" in str(policy.guarantee)
    assert rb.simulate(policy, rb.problem("paper/model-1"), runs=5, seed=1).pulls.tolist() == [[10_000] + [0] * 9] * 5


def test_no_rho_is_ever_certified() -> None:
    for divisor in (1, 1e-3, 500):
        guarantee = rb.RASMAB(arms=2, horizon=10**9, rho=0.3, sigma=1.0, divisor=divisor).guarantee
        assert guarantee.rho is None
        assert "O(rho)" in str(guarantee)


def test_beta_follows_both_branches() -> None:
    assert rb.RASMAB(arms=10, horizon=100, rho=0.3, sigma=1).beta == 2304
    assert rb.RASMAB(arms=100, horizon=100, rho=0.3, sigma=1).beta == 111_111
    assert rb.RASMAB(arms=100, horizon=100, rho=0.3, sigma=1, divisor=2).beta == 55_555.5


@given(horizon=st.integers(1, 10**15), base=st.floats(1.1, 50))
def test_batch_lengths_are_exact_floors(horizon: int, base: float) -> None:
    count = batches.batch_count(horizon, base)
    for batch in {1, count // 2, count - 1, count} - {0, -1}:
        length = batches.batch_length(batch, count, horizon)
        assert length**count <= horizon**batch < (length + 1) ** count
    assert batches.batch_length(count, count, horizon) == horizon


def test_whole_roots_are_not_lost_to_rounding() -> None:
    assert batches.batch_count(1000, 10) == 3
    assert [batches.batch_length(i, 3, 1000) for i in (1, 2, 3)] == [10, 100, 1000]
    assert batches.batch_count(2**20, 2) == 20
    assert batches.batch_length(13, 20, 2**20) == 2**13


def test_all_arms_share_one_uniform_per_batch() -> None:
    policy = rb.RASMAB(arms=3, horizon=10_000, rho=0.3, sigma=0.5, divisor=500)
    trace = rb.simulate(policy, rb.problem("paper/model-2", sd=0.5), runs=1, seed=4).trace(0)
    for record in trace.phases:
        assert len({decision.u for decision in record.decisions}) <= 1
        thresholds = {d.threshold for d in record.decisions if d.slot > 0}
        assert len(thresholds) <= 1


@given(u=st.floats(0, 1, exclude_max=True), phase=st.integers(1, 9))
def test_the_threshold_is_the_narrow_width_plus_a_uniform_of_half_to_one_wide_width(u: float, phase: int) -> None:
    policy = rb.RASMAB(arms=4, horizon=10_000, rho=0.3, sigma=0.7, divisor=100)
    total = sum(math.floor(10_000 ** (i / 10)) for i in range(1, phase + 1))
    wide = 0.7 * math.sqrt(2 * math.log(2 * 4 * 10_000 * 10) / total)
    narrow = wide / math.sqrt(23.04)
    found = policy.threshold(phase, "eliminate").at(np.array(u))
    assert float(found) == pytest.approx(narrow + wide / 2 + u * wide / 2, rel=1e-12)


def test_samples_are_pooled() -> None:
    policy = rb.RASMAB(arms=2, horizon=5000, rho=0.3, sigma=0.5, divisor=500)
    assert policy.memory == "run"


@pytest.mark.statistical
def test_the_last_batch_plays_the_runner_up_in_some_runs_of_model_2() -> None:
    """With a large divisor the horizon ends before the gap of 0.1 is decided, and the leader is often the wrong arm.

    Seen: 12 % of 4,000 runs. If the true share is above 10.5 %, fewer than 8 % are counted once in 10^6 studies.
    """
    policy = rb.RASMAB(arms=3, horizon=1000, rho=0.3, sigma=0.5, divisor=20_000)
    study = rb.simulate(policy, rb.problem("paper/model-2", sd=0.5), runs=4000, seed=6)
    assert stats.binom.cdf(0.08 * 4000, 4000, 0.105) < 1e-6
    assert (np.asarray(study.pulls)[:, 1] > 500).mean() > 0.08


def test_a_batch_that_does_not_fit_gives_the_rest_to_the_leader() -> None:
    policy = rb.RASMAB(arms=3, horizon=500, rho=0.5, sigma=5.0, divisor=50)
    trace = rb.simulate(policy, rb.problem("paper/model-2", sd=0.5), runs=1, seed=4).trace(0)
    last = trace.phases[-2]
    assert len(trace.phases[-1].active) == 1
    commitment = last.decisions[0]
    assert (commitment.slot, commitment.taken) == (0, True)
    left = 500 - sum(sum(record.pulls) for record in trace.phases[:-1])
    assert commitment.threshold == left + 1
    assert commitment.statistic == 3 * policy.new_pulls(last.phase + 1) > left


@pytest.mark.parametrize(("option", "value"), [("divisor", 0), ("base", 1.0), ("rho", 0.8), ("divisor", math.inf)])
def test_bad_options_are_refused_in_one_sentence(option: str, value: float) -> None:
    options = {"arms": 2, "horizon": 100, "rho": 0.3, "sigma": 1.0} | {option: value}
    with pytest.raises(rb.errors.InvalidParameter, match=option):
        rb.RASMAB(**options)


def test_the_divisor_can_be_tuned() -> None:
    policy = rb.RASMAB(arms=3, horizon=1000, rho=0.3, sigma=0.5)
    tuning = rb.tune(policy, rb.problem("paper/model-2", sd=0.5), target=0.3, search="grid", seed=1)
    assert set(tuning.config["space"]) == {"divisor"}
    assert len(tuning.candidates) > 5


@pytest.mark.parametrize("arms", [2, 10, 1000])
@pytest.mark.parametrize("horizon", [2000, 10_000, 10**6])
def test_every_place_of_the_knob_explores(arms: int, horizon: int) -> None:
    for place in (0.0, 0.01, 0.5, 1.0):
        policy = rb.RASMAB(arms=arms, horizon=horizon, rho=0.3, sigma=0.5)
        divisor = float(policy.knobs["divisor"].at(np.array(place)))
        assert rb.RASMAB(arms=arms, horizon=horizon, rho=0.3, sigma=0.5, divisor=divisor).explores
