"""The policies, live, against a naive second implementation: same arms, round for round, and same decisions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import replibandit as rb
from replibandit.core.order import ORDERS
from tests import reference
from tests.contract import Dataset


def played(policy: Any, data: Dataset, u: rb.Randomness) -> tuple[list[int], rb.Trace]:
    """The arms a live session plays on a dataset matrix."""
    session, arms = rb.Session(policy, u=u), []
    seen = [0] * policy.arms
    while pulls := session.ask(64):
        for pull in pulls:
            session.tell(pull, data.reward(pull.arm, seen[pull.arm]))
            seen[pull.arm] += 1
            arms.append(pull.arm)
    assert session.done
    return arms, session.trace


def compare(policy: Any, log: reference.Log, arms: list[int], trace: rb.Trace) -> None:
    assert arms == log.played
    assert len(arms) == policy.horizon
    mine = [(d.phase, d.slot, d.taken) for d in trace.decisions]
    assert mine == [(p, slot, taken) for p, slot, _, _, taken in log.decisions]
    for decision, (_, _, statistic, threshold, _) in zip(trace.decisions, log.decisions, strict=True):
        assert decision.statistic == pytest.approx(statistic, rel=1e-9, abs=1e-12)
        assert decision.threshold == pytest.approx(threshold, rel=1e-12)


common = {
    "arms": st.integers(1, 6),
    "horizon": st.integers(1, 1500),
    "rho": st.sampled_from([0.05, 0.3, 0.5]),
    "sigma": st.sampled_from([0.015625, 0.25, 0.5, 1.0]),  # exact in binary, and so are their squares
    "growth": st.sampled_from([1.25, 1.5, 2.0, 3.0]),
    "c_mul": st.sampled_from([0.5, 9 / 4, 4.0]),
    "commit_scale": st.sampled_from([0.003, 0.01, 0.03, 0.1, 1.0]),
    "eliminate_scale": st.sampled_from([0.001, 0.003, 0.01, 0.03, 1.0]),
    "order": st.sampled_from(ORDERS),
    "draws": st.sampled_from(["cumulative", "fresh"]),
}


def settings_of(options: dict[str, Any]) -> reference.Settings:
    return reference.Settings(
        K=options["arms"],
        T=options["horizon"],
        rho=options["rho"],
        sigma=options["sigma"],
        a=options["growth"],
        C_mul=options["c_mul"],
        C=options["commit_scale"],
        C_2=options.get("eliminate_scale", 1.0),
        order=options["order"],
        fresh=options["draws"] == "fresh",
    )


def world(arms: int, seed: int) -> tuple[Dataset, rb.SharedRandomness]:
    means = tuple(0.9 - 0.15 * ((arm * 7 + seed) % arms) for arm in range(arms))
    return Dataset(seed, means), rb.SharedRandomness(f"seed {seed}")


@settings(max_examples=80)
@given(options=st.fixed_dictionaries(common), seed=st.integers(0, 10**6))
def test_rse_plays_algorithm_2(options: dict[str, Any], seed: int) -> None:
    policy = rb.RSE(**options)
    data, u = world(policy.arms, seed)
    log = reference.rse(settings_of(options), data.reward, lambda stream, p, i: u.uniform(p, i, stream=stream))
    compare(policy, log, *played(policy, data, u))


@settings(max_examples=60)
@given(options=st.fixed_dictionaries(common), seed=st.integers(0, 10**6))
def test_rec_plays_algorithm_1(options: dict[str, Any], seed: int) -> None:
    options = {name: value for name, value in options.items() if name != "eliminate_scale"}
    policy = rb.REC(**options)
    data, u = world(policy.arms, seed)
    log = reference.rec(settings_of(options), data.reward, lambda stream, p, i: u.uniform(p, i, stream=stream))
    compare(policy, log, *played(policy, data, u))


def rows_of(arms: int) -> st.SearchStrategy[list[list[float]]]:
    """Small features with zeros, equal arms and spans that shrink; sometimes one-hot."""
    number = st.integers(-4, 4).map(lambda n: n / 4)
    drawn = st.integers(1, 3).flatmap(
        lambda d: st.lists(st.lists(number, min_size=d, max_size=d), min_size=arms, max_size=arms)
    )
    round_about = [[1.0, 0.0], [0.25, 1.0], [-0.75, 0.5], [-0.75, -0.5], [0.25, -1.0], [0.75, 0.5]]  # spread designs
    return st.one_of(
        drawn, st.just(round_about[:arms]), st.just([[float(i == j) for j in range(arms)] for i in range(arms)])
    )


@settings(max_examples=80, deadline=None)
@given(
    options=st.fixed_dictionaries(common), data=st.data(), seed=st.integers(0, 10**6), bare=st.sampled_from([0, 1])
)
def test_rlse_plays_algorithm_3(options: dict[str, Any], data: st.DataObject, seed: int, bare: int) -> None:
    """Pulls and decisions by exact fractions in the features' own coordinates; only the design is the package's."""
    features = data.draw(rows_of(options["arms"]))
    one_hot = features == np.eye(options["arms"]).tolist()
    passed = () if one_hot and bare else features
    policy = rb.RLSE(**{name: value for name, value in options.items() if name != "draws"}, features=passed)
    rewards, u = world(policy.arms, seed)
    log = reference.rlse(
        settings_of(options),
        features,
        lambda rows: rb.g_optimal(rows).weights,
        rewards.reward,
        lambda stream, p, i: u.uniform(p, i, stream=stream),
    )
    compare(policy, log, *played(policy, rewards, u))


@settings(max_examples=15)
@given(arms=st.integers(1, 6), horizon=st.integers(1, 250), seed=st.integers(0, 10**6))
def test_ucb1_plays_the_largest_index(arms: int, horizon: int, seed: int) -> None:
    policy = rb.UCB1(arms=arms, horizon=horizon)
    data, u = world(arms, seed)
    arms_played, _ = played(policy, data, u)
    assert arms_played == reference.ucb1(arms, horizon, data.reward)


def test_the_reference_commits_eliminates_and_is_cut_in_these_examples() -> None:
    """Otherwise the comparison would be of uniform exploration with itself."""
    options = reference.Settings(K=5, T=1500, rho=0.3, sigma=0.5, C=0.006, C_2=0.006)
    taken = set()
    for seed in range(20):
        data, u = world(5, seed)
        log = reference.rse(options, data.reward, lambda stream, p, i, u=u: u.uniform(p, i, stream=stream))
        taken |= {"commit" if slot == 0 else "eliminate" for _, slot, _, _, yes in log.decisions if yes}
    assert taken == {"commit", "eliminate"}


def test_the_reference_of_rlse_commits_and_eliminates_in_these_examples() -> None:
    features = ((1.0, 0.0), (0.75, 0.0), (0.5, 0.5), (0.25, 0.75), (0.0, 1.0))
    options = reference.Settings(K=5, T=1500, rho=0.3, sigma=0.5, C=0.006, C_2=0.006)
    taken = set()
    for seed in range(20):
        data, u = world(5, seed)
        log = reference.rlse(
            options,
            features,
            lambda rows: rb.g_optimal(rows).weights,
            data.reward,
            lambda stream, p, i, u=u: u.uniform(p, i, stream=stream),
        )
        taken |= {"commit" if slot == 0 else "eliminate" for _, slot, _, _, yes in log.decisions if yes}
    assert taken == {"commit", "eliminate"}
