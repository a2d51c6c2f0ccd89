"""The phased engine against a plain loop over runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import replibandit as rb
from replibandit.core.digest import append, arm_keys
from replibandit.core.order import rank, sequence
from replibandit.simulate.engine import Job, simulate_runs, simulate_tallies
from replibandit.simulate.phased import CELLS, chunk_size
from tests.laws import follows

PROBLEM = rb.Gaussian(means=[0.5, 0.42, 0.3], sd=0.5)
POLICIES: list[Any] = [
    rb.REC(arms=3, horizon=900, rho=0.3, sigma=0.5, commit_scale=0.01, draws="fresh"),
    rb.RSE(arms=3, horizon=900, rho=0.3, sigma=0.5, commit_scale=0.01, eliminate_scale=0.004, order="permuted"),
    rb.RASMAB(arms=3, horizon=900, rho=0.5, sigma=0.5, divisor=900),
]


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.kind)
def test_every_run_of_a_batch_is_its_own_replay(policy: Any) -> None:
    """The tallies of one run, folded alone, give that row of the batch: pulls, digest, phases of leaving."""
    job = Job(policy=policy, problem=PROBLEM, runs=40, seed=3, watch=True)
    runs = simulate_runs(job)
    for run in range(40):
        trace = rb.replay(policy, simulate_tallies(job, run), u=job.u_row(run))
        assert trace.digest == int(runs.digests[run])
        assert trace.pulls == tuple(runs.pulls[run].tolist())
        left = [0] * 3
        for before, after in zip(trace.phases, trace.phases[1:], strict=False):
            for arm in set(before.active) - set(after.active):
                left[arm] = before.phase
        reached = np.where(runs.left[run] < len(trace.phases), runs.left[run], 0)  # a last one may leave at the end
        assert reached.tolist() == left


def test_prefixes_are_the_digests_after_each_phase_pull_by_pull() -> None:
    policy, keys = POLICIES[1], arm_keys(3)
    job = Job(policy=policy, problem=PROBLEM, runs=20, seed=3, watch=True)
    runs = simulate_runs(job)
    assert runs.prefix is not None
    for run in range(20):
        u, word = job.u_row(run), np.zeros(1, dtype=np.uint64)
        for record in rb.replay(policy, simulate_tallies(job, run), u=u).phases:
            order = rank(policy.order, 3, u.uniforms(record.phase, 3, stream="order"))
            for arm in sequence(policy.order, order, np.array(record.pulls)):
                word = append(word, keys[[arm]])
            assert int(runs.prefix[run, record.phase - 1]) == int(word[0])
        assert int(runs.prefix[run, -1]) == int(runs.digests[run]) == int(word[0])


def test_a_chunk_fits_the_cache_and_never_gets_too_small() -> None:
    assert chunk_size(10) * 10 <= CELLS
    assert chunk_size(8000) >= 16


def test_results_do_not_depend_on_the_chunk_they_are_read_from() -> None:
    """Runs 13107 and later are another chunk: the same U, other noise, found again one by one."""
    policy = rb.REC(arms=10, horizon=300, rho=0.3, sigma=0.5, commit_scale=0.03)
    job = Job(policy=policy, problem=rb.problem("paper/model-1", sd=0.5), runs=13_110, seed=2)
    runs = simulate_runs(job)
    for run in (0, 13_106, 13_107, 13_109):
        trace = rb.replay(policy, simulate_tallies(job, run), u=job.u_row(run))
        assert trace.digest == int(runs.digests[run])


@pytest.mark.statistical
def test_the_rewards_a_decision_reads_have_the_law_of_the_dataset_matrix() -> None:
    """The mean of arm 0 after 8 + 24 pulls is N(mu, sd^2 / 32). False alarm 1e-6."""
    policy = rb.REC(arms=3, horizon=96, rho=0.3, sigma=0.5)
    job = Job(policy=policy, problem=PROBLEM, runs=500, seed=3)
    totals = []
    for run in range(500):
        first, second = simulate_tallies(job, run)
        totals.append(first.totals[0] + second.totals[0])
    follows(np.array(totals) / 32, stats.norm(0.5, 0.5 / 32**0.5).cdf)
