"""The ledger against a comparison of traces, decision by decision, pair by pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import replace
from itertools import chain, permutations

import numpy as np
import pytest

import replibandit as rb
from replibandit.core.arrays import BoolArray, FloatArray, IntArray
from replibandit.core.order import rank, sequence
from replibandit.core.phase import Decisions, Trace
from replibandit.policies.gap import leader
from replibandit.simulate.engine import Job, simulate_runs, simulate_tallies
from replibandit.study.ledger import ledger_of

SEEDS, RUNS = 6, 8

CASES = {
    "REC": rb.REC(arms=3, horizon=400, rho=0.3, sigma=0.5, commit_scale=0.02),
    "REC, order drawn from U": rb.REC(
        arms=3, horizon=400, rho=0.3, sigma=0.5, commit_scale=0.02, order="permuted", draws="fresh"
    ),
    "REC, most phases empty": rb.REC(arms=3, horizon=400, rho=0.3, sigma=0.05, growth=1.15, commit_scale=0.01),
    "RSE": rb.RSE(arms=4, horizon=900, rho=0.3, sigma=0.5, commit_scale=0.01, eliminate_scale=0.003),
    "RSE, blocks": rb.RSE(
        arms=4, horizon=900, rho=0.3, sigma=0.5, commit_scale=0.01, eliminate_scale=0.003, order="reversed_blocks"
    ),
    "RSE, most phases empty": rb.RSE(
        arms=4, horizon=300, rho=0.3, sigma=0.05, growth=1.15, commit_scale=0.01, eliminate_scale=0.005
    ),
    "RSE, two arms": rb.RSE(arms=2, horizon=300, rho=0.3, sigma=0.5, commit_scale=0.01, eliminate_scale=0.01),
    "RSE, cut short": rb.RSE(arms=4, horizon=75, rho=0.3, sigma=0.5, commit_scale=0.005, eliminate_scale=0.003),
}
MEANS = (0.5, 0.42, 0.3, 0.3)


def _job(policy: rb.PhasedPolicy, seed: int) -> Job:
    problem = rb.Gaussian(means=MEANS[: policy.arms], sd=0.5)
    return Job(policy=policy, problem=problem, runs=SEEDS * RUNS, seed=seed, runs_per_seed=RUNS, watch=True)


def _sequence(policy: rb.PhasedPolicy, trace: Trace, u: rb.Randomness) -> tuple[int, ...]:
    """Every arm pulled, one by one."""
    phases = []
    for record in trace.phases:
        drawn = u.uniforms(record.phase, policy.arms, stream="order")
        phases.append(sequence(policy.order, rank(policy.order, policy.arms, drawn), np.array(record.pulls)))
    return tuple(chain.from_iterable(phases))


def _partition(names: Iterable[Hashable]) -> list[int]:
    """For each run the first run of the same U that is called the same."""
    found: dict[tuple[int, Hashable], int] = {}
    return [found.setdefault((run // RUNS, name), run) for run, name in enumerate(names)]


def _first_difference(one: Trace, other: Trace, last: int) -> tuple[str, str] | None:
    """Where the decisions of two traces first differ; a run that has stopped decides nothing more."""
    for phase in range(1, last + 1):
        mine, theirs = _decided(one, phase), _decided(other, phase)
        names = ("commit", "which arm", *(f"arm {arm}" for arm in range(len(one.pulls))))
        for name in names:
            if mine.get(name) != theirs.get(name):
                return f"phase {phase}", name
    return None


def _decided(trace: Trace, phase: int) -> dict[str, object]:
    """The decisions of one phase that came out true, the commitment and its arm first."""
    records = [record for record in trace.phases if record.phase == phase]
    taken = {d.slot for record in records for d in record.decisions if d.taken}
    if 0 in taken:
        after = [record for record in trace.phases if record.phase == phase + 1]
        return {"commit": True, "which arm": after[0].active if after else None}
    return {f"arm {slot - 1}": True for slot in sorted(taken)}


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", CASES)
def test_shares_are_those_of_comparing_the_traces_of_every_pair(name: str, seed: int) -> None:
    policy = CASES[name]
    job = _job(policy, seed)
    ledger = ledger_of(job, simulate_runs(job), (SEEDS, RUNS))
    traces = [rb.replay(policy, simulate_tallies(job, run), u=job.u_row(run)) for run in range(job.runs)]
    sequences = [_sequence(policy, trace, job.u_row(run)) for run, trace in enumerate(traces)]
    assert _partition(sequences) == _partition(trace.digest for trace in traces), "digests tell sequences apart"
    expected: Counter[tuple[str, str]] = Counter()
    for u in range(SEEDS):
        for a, b in permutations(range(u * RUNS, (u + 1) * RUNS), 2):
            if sequences[a] != sequences[b]:
                where = _first_difference(traces[a], traces[b], policy.phases)
                assert where is not None
                expected[where] += 1
    pairs = SEEDS * RUNS * (RUNS - 1)
    measured = {(entry.where, entry.decision): entry.share for entry in ledger.entries if entry.share}
    assert measured == pytest.approx({where: count / pairs for where, count in expected.items()})
    assert len(expected) > 1, "a case in which nothing happens shows nothing"


@pytest.mark.parametrize("name", CASES)
def test_shares_add_up_to_the_nonreplication_exactly(name: str) -> None:
    twins = rb.replicate(CASES[name], _job(CASES[name], 0).problem, seeds=300, runs=6, seed=5)
    assert twins.ledger.total == pytest.approx(twins.nonreplication, abs=1e-12)
    assert all(entry.share >= 0 for entry in twins.ledger.entries)


def test_stretches_of_rounds_add_up_for_a_policy_without_phases() -> None:
    policy = rb.UCB1(arms=3, horizon=1000)
    twins = rb.replicate(policy, rb.problem("paper/model-2", sd=0.5), seeds=10, runs=20, seed=5)
    assert twins.ledger.total == pytest.approx(twins.nonreplication, abs=1e-12)
    assert [entry.decision for entry in twins.ledger.entries] == ["pull"] * len(twins.ledger.entries)
    assert twins.ledger.budget is None


class Wavering(rb.REC):
    """Plays the leader of the moment: arms that were dropped come back, without any commitment."""

    @property
    def phases(self) -> int:
        return self.horizon

    def pulls(self, phase: int, active: BoolArray) -> IntArray:
        del phase
        return active.astype(np.int64)

    def decide(self, phase: int, tally: rb.Tally, active: BoolArray, u: FloatArray) -> Decisions:
        decisions = super().decide(phase, tally, active, u)
        everyone = np.ones_like(active)
        return replace(decisions, taken=np.zeros_like(decisions.taken), active=leader(tally.means, everyone))


def test_a_policy_whose_arms_come_back_is_still_placed_entry_by_entry() -> None:
    twins = rb.replicate(
        Wavering(arms=3, horizon=30, rho=0.3, sigma=0.5), _job(CASES["REC"], 0).problem, seeds=10, runs=20
    )
    assert twins.nonreplication > 0.5
    assert twins.ledger.total == pytest.approx(twins.nonreplication, abs=1e-12)
    assert "next arms" in {entry.decision for entry in twins.ledger.entries}


def test_the_budget_of_rec_is_the_theorems_8_rho_over_9_plus_2_rho_over_18_when_conf_repr_rules() -> None:
    policy = rb.REC(arms=2, horizon=10**12, rho=0.05, sigma=0.5)
    twins = rb.replicate(policy, rb.Gaussian(means=[0.5, 0.4], sd=0.5), seeds=2, runs=2)
    assert policy.radius(1, "commit") == pytest.approx(9 / 4 * policy.good_radius(1) / 0.05)
    assert twins.ledger.budget == pytest.approx(8 / 9 * 0.05 + 2 / 18 * 0.05)
    assert [e.budget for e in twins.ledger.entries if e.budget] == pytest.approx([8 / 9 * 0.05])


def test_the_budget_of_rse_is_the_theorems_share_for_every_decision_of_a_proof() -> None:
    rho, arms = 0.05, 3
    policy = rb.RSE(arms=arms, horizon=10**12, rho=rho, sigma=0.5)
    twins = rb.replicate(policy, rb.Gaussian(means=[0.5, 0.4, 0.1], sd=0.5), seeds=2, runs=2)
    spent = {entry.decision: entry.budget for entry in twins.ledger.entries if entry.budget}
    assert spent == pytest.approx(
        {"commit": 8 / 9 * rho / 2, "arm 1": 8 / 9 * rho / (2 * (arms - 1)), "arm 2": 8 / 9 * rho / (2 * (arms - 1))}
    )
    assert twins.ledger.budget == pytest.approx(rho)


def test_tied_best_arms_cost_nothing_beyond_the_bad_event() -> None:
    """Nothing parts tied arms under the good event, so Theorem 3 leaves 2 rho^G and the third arm's elimination."""
    tie = rb.Gaussian(means=[0.5, 0.5, 0.1], sd=0.5)
    rec = rb.replicate(rb.REC(arms=3, horizon=10**12, rho=0.05, sigma=0.5), tie, seeds=2, runs=2)
    rse = rb.replicate(rb.RSE(arms=3, horizon=10**12, rho=0.05, sigma=0.5), tie, seeds=2, runs=2)
    assert rec.ledger.budget == pytest.approx(2 * 0.05 / 18)
    assert rse.ledger.budget == pytest.approx(2 * 0.05 / 18 + 8 / 9 * 0.05 / 4)


def test_without_a_guarantee_there_is_no_budget_but_the_good_event_is_still_watched() -> None:
    policy = rb.REC(arms=2, horizon=1000, rho=0.3, sigma=0.1, commit_scale=0.01)
    twins = rb.replicate(policy, rb.Gaussian(means=[0.5, 0.4], sd=0.5), seeds=20, runs=10)
    assert (twins.ledger.budget, twins.ledger.bad_event_budget) == (None, None)
    assert twins.ledger.bad_event is not None
    assert twins.ledger.bad_event.estimate > 0.05  # sigma is five times too small
    assert sum(twins.ledger.bad_event_by_phase.values()) == pytest.approx(twins.ledger.bad_event.estimate)


def test_the_good_event_fails_where_a_trace_shows_a_gap_off_by_more_than_its_radius() -> None:
    policy = rb.REC(arms=3, horizon=400, rho=0.3, sigma=0.1, commit_scale=0.02)
    job = _job(policy, 3)
    bad = simulate_runs(job).bad
    means = np.array(job.problem.means)
    for run in range(job.runs):
        tally, first = rb.Tally.zero((3,)), 0
        for number, new in enumerate(simulate_tallies(job, run), 1):
            tally = tally + new
            error = (tally.means - means)[(new.counts > 0)]
            if not first and np.ptp(error) > policy.good_radius(number):
                first = number
        assert bad[run] == first
    assert 0 < np.count_nonzero(bad) < job.runs


def test_a_ledger_as_json_holds_what_the_object_holds() -> None:
    twins = rb.replicate(CASES["RSE"], _job(CASES["RSE"], 0).problem, seeds=20, runs=5)
    plain = twins.ledger.to_dict()
    assert plain["total"] == twins.ledger.total
    assert [entry["share"] for entry in plain["entries"]] == [entry.share for entry in twins.ledger.entries]
    assert {"where", "decision", "share", "se", "budget"} == set(plain["entries"][0])


def test_runs_that_were_not_watched_have_no_ledger() -> None:
    policy = CASES["REC"]
    job = Job(policy=policy, problem=_job(policy, 0).problem, runs=8, seed=0, runs_per_seed=4)
    with pytest.raises(ValueError, match="watch=True"):
        ledger_of(job, simulate_runs(job), (2, 4))
