"""What a policy remembers is honoured in every driver, because the fold does it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import replibandit as rb
from replibandit.core.arrays import BoolArray, FloatArray
from replibandit.core.phase import Decisions
from replibandit.core.policy import Memory
from replibandit.simulate.engine import Job, simulate_runs, simulate_tallies

seen: list[list[int]] = []


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched(rb.REC):
    """REC that writes down the counts its decisions read."""

    remembers: Memory = "run"

    @property
    def memory(self) -> Memory:
        return self.remembers

    def decide(self, phase: int, tally: rb.Tally, active: BoolArray, u: FloatArray) -> Decisions:
        seen.append(np.atleast_2d(tally.counts)[0].tolist())
        return super(Watched, self).decide(phase, tally, active, u)


def watched(memory: Memory) -> Watched:
    return Watched(arms=2, horizon=400, rho=0.3, sigma=0.5, remembers=memory)


@pytest.mark.parametrize(
    ("memory", "counts"),
    [("run", [[8, 8], [32, 32], [128, 128]]), ("phase", [[8, 8], [24, 24], [96, 96]])],
)
def test_decisions_read_the_rewards_of_their_memory_in_every_driver(memory: Memory, counts: list[list[int]]) -> None:
    policy, u = watched(memory), rb.SharedRandomness("memory")
    problem = rb.Gaussian(means=[0.6, 0.5])
    job = Job(policy=policy, problem=problem, runs=3, seed=1, u=u)
    seen.clear()
    simulate_runs(job)
    assert seen == counts

    tallies = simulate_tallies(job, 0)
    seen.clear()
    replayed = rb.replay(policy, tallies, u=u)
    assert seen == counts

    seen.clear()
    session = rb.Session(policy, u=u)
    feed = [
        [list(np.full(n, total / n)) if n else [] for n, total in zip(t.counts, t.totals, strict=True)]
        for t in tallies
    ]
    while pulls := session.ask(10_000):
        for pull in pulls:
            phase = feed[pull.phase - 1][pull.arm] if pull.phase <= len(feed) else [0.0] * 400
            session.tell(pull, phase.pop())
    assert seen == counts
    assert session.trace.digest == replayed.digest
    assert session.trace.pulls == replayed.pulls
