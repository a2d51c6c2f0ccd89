"""The fold, by brute force: every sequence a tiny experiment can play, and its digest."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import numpy as np
import pytest

import replibandit as rb
from replibandit.core import fold

SCALES: dict[str, float] = {"commit_scale": 0.02, "eliminate_scale": 0.01}
TINY: list[Any] = [
    rb.RSE(arms=3, horizon=8, rho=0.5, sigma=0.25, order=order, draws=draws, **SCALES)
    for order, draws in (
        ("round_robin", "cumulative"), ("blocks", "fresh"), ("reversed_blocks", "cumulative"), ("permuted", "fresh"),
    )
] + [
    rb.REC(arms=3, horizon=8, rho=0.5, sigma=0.25, commit_scale=0.03),
    rb.SharpRSE(arms=3, horizon=8, rho=0.5, sigma=0.5, first=1, ratio=2, lo=0.5, width=2, eliminate_lo=0.5,
                eliminate_width=1),
    rb.UCB1(arms=3, horizon=8),
]  # fmt: skip


@functools.cache
def outcomes(policy: Any, seed: str) -> dict[tuple[int, ...], set[int]]:
    """Each sequence of arms that some 0/1 rewards lead to, with the digests it was given."""
    found: dict[tuple[int, ...], set[int]] = {}
    for rewards in itertools.product((0.0, 1.0), repeat=policy.horizon):
        session, played = rb.Session(policy, u=rb.SharedRandomness(seed)), []
        while pulls := session.ask(100):
            for pull in pulls:
                played.append(pull.arm)
                session.tell(pull, rewards[pull.number - 1])
        found.setdefault(tuple(played), set()).add(session.trace.digest)
    return found


@pytest.fixture(scope="module")
def played() -> dict[tuple[int, ...], set[int]]:
    """All sequences of all tiny policies under two values of U."""
    everything: dict[tuple[int, ...], set[int]] = {}
    for policy, seed in itertools.product(TINY, ("one", "two")):
        for sequence, digests in outcomes(policy, seed).items():
            everything.setdefault(sequence, set()).update(digests)
    return everything


def test_digests_are_equal_exactly_when_sequences_are(played: dict[tuple[int, ...], set[int]]) -> None:
    """Across policies, orders, draws and values of U: the digest is of the sequence alone."""
    assert len(played) > 60
    assert all(len(digests) == 1 for digests in played.values())
    assert len({next(iter(digests)) for digests in played.values()}) == len(played)


@pytest.mark.parametrize("policy", TINY, ids=lambda policy: f"{policy.kind}-{policy.order}")
def test_the_engines_play_only_sequences_that_sessions_play(policy: Any) -> None:
    live = set().union(*outcomes(policy, "one").values())
    study = rb.simulate(policy, rb.Bernoulli(means=[0.5, 0.5, 0.5]), runs=2000, seed=1, u=rb.SharedRandomness("one"))
    assert set(study.digests.tolist()) <= live
    assert len(set(study.digests.tolist())) > 1


def test_states_of_a_batch_begin_alike() -> None:
    state = fold.start(TINY[0], (5,))
    assert state.phase == 1
    assert state.active.all()
    assert state.active.shape == (5, 3)
    assert state.elapsed.tolist() == [0] * 5
    assert not state.tally.counts.any()


def test_rows_of_a_state_are_the_runs_asked_for() -> None:
    state = fold.start(rb.UCB1(arms=3, horizon=9), (4,))
    moved = fold.State(3, np.arange(4), state.active, state.tally, np.arange(4, dtype=np.uint64))
    some = moved.rows(np.array([3, 1]))
    assert some.elapsed.tolist() == [3, 1]
    assert some.digest.tolist() == [3, 1]
    assert some.active.shape == (2, 3)
