"""The one fold behind every driver: plan a phase, count its rewards, decide, repeat.

``simulate`` folds batches over sampled tallies, ``replay`` one run over recorded tallies, ``Session`` one run over
rewards told one by one. None of them has a rule of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from replibandit.core.arrays import BoolArray, FloatArray, HashArray, IntArray, by_arm, rows_of
from replibandit.core.digest import extend
from replibandit.core.order import first_pulls, rank
from replibandit.core.phase import Decisions, Tally
from replibandit.core.policy import PhasedPolicy
from replibandit.core.randomness import Randomness


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """Where runs stand before ``phase``; leading axes are runs."""

    phase: int
    elapsed: IntArray  # [...], rounds played
    active: BoolArray  # [..., K]
    tally: Tally  # [..., K], rewards of all complete phases
    digest: HashArray  # [...], of the arms played so far

    def rows(self, index: IntArray) -> State:
        """The runs ``index`` of a batch."""
        tally = Tally(rows_of(self.tally.counts, index), rows_of(self.tally.totals, index))
        return State(self.phase, self.elapsed[index], rows_of(self.active, index), tally, self.digest[index])


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The pulls of the coming phase, cut at the horizon: ``complete`` is False where the cut bites."""

    pulls: IntArray  # [..., K]
    rounds: IntArray  # [...]
    rank: IntArray  # [K] or [..., K]
    complete: BoolArray  # [...]


def start(policy: PhasedPolicy, runs: tuple[int, ...] = ()) -> State:
    """The state of ``runs`` before phase 1."""
    shape = (*runs, policy.arms)
    active = by_arm(shape, fill=0, dtype=np.bool_)
    active[...] = policy.first_active()
    tally = Tally(by_arm(shape, 0, np.int64), by_arm(shape, 0.0, np.float64))
    return State(1, np.zeros(runs, dtype=np.int64), active, tally, np.zeros(runs, dtype=np.uint64))


def places(policy: PhasedPolicy, phase: int, u: Randomness) -> IntArray:
    """The place of each arm in the phase's order."""
    drawn = u.uniforms(phase, policy.arms, stream="order") if policy.order == "permuted" else None
    return rank(policy.order, policy.arms, drawn)


def plan(policy: PhasedPolicy, state: State, place: IntArray) -> Plan:
    """The pulls of the next phase of every run; an incomplete phase will make no decision."""
    planned = policy.pulls(state.phase, state.active)
    rounds, left = planned.sum(axis=-1), policy.horizon - state.elapsed
    complete = rounds <= left
    if complete.all():
        return Plan(planned, rounds, place, complete)
    rounds = np.minimum(rounds, left)
    return Plan(first_pulls(policy.order, place, planned, rounds), rounds, place, complete)


def play(policy: PhasedPolicy, state: State, plan: Plan) -> State:
    """The state once the pulls of the phase are made, before any reward is read."""
    digest = extend(state.digest, plan.pulls, policy.order, plan.rank)
    return State(state.phase, state.elapsed + plan.rounds, state.active, state.tally, digest)


def remembered(policy: PhasedPolicy, state: State, rewards: Tally) -> Tally:
    """What the decisions at the end of a phase with these new ``rewards`` may read."""
    return rewards if policy.memory == "phase" else state.tally + rewards


def decide(policy: PhasedPolicy, state: State, rewards: Tally, u: FloatArray) -> tuple[State, Decisions]:
    """The decisions at the end of a complete phase with these new ``rewards``, and the next state."""
    decisions = policy.decide(state.phase, remembered(policy, state, rewards), state.active, u)
    tally = state.tally + rewards
    return State(state.phase + 1, state.elapsed, decisions.active, tally, state.digest), decisions
