"""The round engine: the compiled loop, the plain loop and a batch of arrays play the same arms."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np
import pytest

import replibandit as rb
from replibandit.core.digest import append, arm_keys
from replibandit.simulate import rounds as module
from replibandit.simulate.engine import Job, simulate_runs, simulate_tallies
from replibandit.simulate.rounds import CHUNK_RUNS, block_length, compiled_loop, warn_if_slow

PROBLEM = rb.problem("paper/model-2", sd=0.5)
POLICY = rb.UCB1(arms=3, horizon=700)


def test_every_run_is_its_own_replay_round_by_round() -> None:
    runs = CHUNK_RUNS + 3  # a second chunk
    job = Job(policy=POLICY, problem=PROBLEM, runs=runs, seed=3)
    done = simulate_runs(job)
    for run in (0, 5, CHUNK_RUNS - 1, CHUNK_RUNS, runs - 1):
        trace = rb.replay(POLICY, simulate_tallies(job, run), u=job.u_row(run))
        assert trace.digest == int(done.digests[run])
        assert trace.pulls == tuple(done.pulls[run].tolist())


def test_prefixes_are_digests_after_each_round_of_the_grid() -> None:
    job = Job(policy=POLICY, problem=PROBLEM, runs=4, seed=3, watch=True)
    done = simulate_runs(job)
    assert done.prefix is not None
    keys = arm_keys(3)
    for run in range(4):
        word, marks = np.zeros(1, dtype=np.uint64), {}
        for t, tally in enumerate(simulate_tallies(job, run), 1):
            word = append(word, keys[[int(np.argmax(tally.counts))]])
            marks[t] = int(word[0])
        assert done.prefix[run].tolist() == [marks[int(t)] for t in job.grid]


def test_plain_python_gives_the_same_bits_as_the_compiled_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    fast = rb.simulate(POLICY, PROBLEM, runs=6, seed=9)
    compiled_loop.cache_clear()
    monkeypatch.setitem(sys.modules, "numba", None)
    try:
        slow = rb.simulate(POLICY, PROBLEM, runs=6, seed=9)
    finally:
        compiled_loop.cache_clear()
    assert (slow.digests == fast.digests).all()
    assert (slow.pulls == fast.pulls).all()
    assert (slow.curve.mean == fast.curve.mean).all()


def test_a_missing_extra_is_named_once_it_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_if_slow(10**6)
    with pytest.warns(UserWarning, match=r"pip install 'replibandit\[fast\]'"):
        warn_if_slow(10**8)


@pytest.mark.parametrize("length", [1, 2, 17])
def test_refilling_the_rewards_in_small_blocks_loses_none(length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often the blocks run out: each run is still its own replay, over exactly T rounds."""
    monkeypatch.setattr(module, "block_length", lambda *_: length)
    job = Job(policy=POLICY, problem=PROBLEM, runs=3, seed=3)
    done = simulate_runs(job)
    assert (done.pulls.sum(axis=-1) == 700).all()
    for run in range(3):
        trace = rb.replay(POLICY, simulate_tallies(job, run), u=job.u_row(run))
        assert trace.digest == int(done.digests[run])


def test_blocks_are_neither_tiny_nor_huge() -> None:
    assert [block_length(10, horizon) for horizon in (1, 100, 10**9)] == [16, 20, 256]


@pytest.mark.parametrize("horizon", [1, 2, 3, 4])
def test_horizons_around_the_number_of_arms(horizon: int) -> None:
    study = rb.simulate(rb.UCB1(arms=3, horizon=horizon), PROBLEM, runs=5, seed=1)
    assert (study.pulls.sum(axis=-1) == horizon).all()
    assert study.pulls[:, 0].min() >= 1


@pytest.mark.parametrize("noise", ["bernoulli", "student-t", "bounded"])
def test_every_kind_of_reward_serves(noise: str) -> None:
    problem: Any = rb.problem("paper/model-2", noise=noise)
    study = rb.simulate(rb.UCB1(arms=3, horizon=400), problem, runs=10, seed=1)
    assert rb.replay(study.policy, study.trace(2).tallies, u=study.randomness(2)) == study.trace(2)
