"""One way into both engines: which run reads which U."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import replibandit as rb
from replibandit.simulate.engine import Job, simulate_runs
from replibandit.simulate.streams import SHARING, study_randomness

PROBLEM = rb.problem("paper/model-2", sd=0.5)
POLICY = rb.RSE(arms=3, horizon=500, rho=0.3, sigma=0.5, commit_scale=0.02, eliminate_scale=0.005)


def job(**options: Any) -> Job:
    return Job(**{"policy": POLICY, "problem": PROBLEM, "runs": 24, "seed": 5} | options)


def test_twins_read_the_same_row_of_u_and_others_another() -> None:
    assert job(runs_per_seed=4).u_rows(np.arange(24)).tolist() == [run // 4 for run in range(24)]
    assert job(runs_per_seed=4, sharing="independent").u_rows(np.arange(24)).tolist() == list(range(24))


@pytest.mark.parametrize("sharing", SHARING)
@pytest.mark.parametrize("runs_per_seed", [1, 4])
def test_a_block_of_runs_reads_what_each_run_reads_alone(sharing: Any, runs_per_seed: int) -> None:
    asked = job(sharing=sharing, runs_per_seed=runs_per_seed)
    some = np.array([23, 4, 5, 11])
    table = asked.u_of(some).uniforms(3, POLICY.slots)
    assert table.shape == (4, POLICY.slots)
    for row, run in enumerate(some.tolist()):
        assert (table[row] == asked.u_row(run).uniforms(3, POLICY.slots)).all()


def test_u_is_that_of_the_study_unless_one_is_given() -> None:
    assert job().source == study_randomness(5)
    given = rb.SharedRandomness("given")
    assert job(u=given).source == given
    assert (job(u=given).u_of(np.arange(3)).uniforms(1, 2) == given.uniforms(1, 2)).all()


def test_index_policies_go_to_the_round_engine_and_others_to_the_phased_one() -> None:
    rounds = simulate_runs(job(policy=rb.UCB1(arms=3, horizon=50)))
    phases = simulate_runs(job())
    assert hasattr(rounds, "curve_sum")
    assert hasattr(phases, "committed")


@pytest.mark.parametrize("policy", [POLICY, rb.UCB1(arms=3, horizon=200)], ids=["phases", "rounds"])
def test_watching_changes_no_result(policy: Any) -> None:
    plain, watched = simulate_runs(job(policy=policy)), simulate_runs(job(policy=policy, watch=True))
    assert (plain.digests == watched.digests).all()
    assert plain.prefix is None
    assert watched.prefix is not None
    assert (watched.prefix[:, -1] == watched.digests).all()


@pytest.mark.parametrize("policy", [POLICY, rb.UCB1(arms=3, horizon=50)], ids=["phases", "rounds"])
def test_progress_never_falls_and_ends_at_all_the_work(policy: Any) -> None:
    told: list[tuple[int, int]] = []
    simulate_runs(job(policy=policy, runs=150), lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1]


def test_a_bulk_u_given_by_hand_is_read_row_by_row() -> None:
    given = rb.BulkRandomness(99)
    study = rb.simulate(POLICY, PROBLEM, runs=5, seed=1, u=given)
    assert study.randomness(3) == given.row(3)
    assert rb.replay(POLICY, study.trace(3).tallies, u=given.row(3)).digest == int(study.digests[3])
