"""Replay: the driver that folds a policy over recorded tallies. An auditor needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from replibandit.core import fold
from replibandit.core.arrays import HashArray
from replibandit.core.invariants import shown
from replibandit.core.openings import opened
from replibandit.core.phase import Decisions, PhaseRecord, Tally, Trace
from replibandit.core.policy import PhasedPolicy
from replibandit.core.randomness import Randomness
from replibandit.core.subjects import check_policy, check_randomness
from replibandit.errors import InvalidParameter, ReplayMismatch


class Recorder:
    """Builds the `Trace` of one run, phase by phase."""

    def __init__(self) -> None:
        self._phases: list[PhaseRecord] = []

    def add(self, state: fold.State, plan: fold.Plan, rewards: Tally | None, decisions: Decisions | None) -> None:
        """One phase of a single run: ``state`` before its decisions."""
        self._phases.append(
            PhaseRecord(
                phase=state.phase,
                active=tuple(np.flatnonzero(state.active).tolist()),
                pulls=tuple(plan.pulls.tolist()),
                complete=bool(plan.complete),
                totals=() if rewards is None else tuple(rewards.totals.tolist()),
                decisions=() if decisions is None else decisions.listed(state.phase),
            )
        )

    def trace(self, digest: HashArray) -> Trace:
        """What was recorded so far."""
        return Trace(phases=tuple(self._phases), digest=int(digest))


def replay(policy: PhasedPolicy, tallies: Iterable[Tally], *, u: Randomness) -> Trace:
    """The trace of ``policy`` given U and the tally of each complete phase (new pulls and their total reward).

    >>> from replibandit import REC, SharedRandomness, Tally
    >>> policy = REC(arms=2, horizon=100, rho=0.3, sigma=0.5, commit_scale=0.01)
    >>> trace = replay(policy, [Tally.of([[1.0] * 8, [0.0] * 8])], u=SharedRandomness("example"))
    >>> [decision.taken for decision in trace.decisions], trace.pulls
    ([True], (92, 8))

    Stops with `ReplayMismatch` at the first tally that the policy's plan does not allow.
    """
    check_policy(policy)
    check_randomness(u)
    if not isinstance(tallies, Iterable):
        raise InvalidParameter(f"`tallies` must list one rb.Tally per complete phase, but got {shown(tallies)}.")
    policy = opened(policy, u)
    recorder = Recorder()
    supply = iter(tallies)
    state = fold.start(policy)
    while state.elapsed < policy.horizon:
        plan = fold.plan(policy, state, fold.places(policy, state.phase, u))
        played = fold.play(policy, state, plan)
        if not plan.complete:
            recorder.add(state, plan, None, None)
            state = played
            break
        rewards = _next(supply, policy, played, plan)
        state, decisions = fold.decide(policy, played, rewards, u.uniforms(played.phase, policy.slots))
        recorder.add(played, plan, rewards, decisions)
    extra = sum(1 for _ in supply)
    if extra:
        raise ReplayMismatch(
            f"the run ends after {state.phase - 1} complete phases, but {extra} more tallies were given; "
            "check that policy and U are those of the record."
        )
    return recorder.trace(state.digest)


def _next(supply: Iterable[Tally], policy: PhasedPolicy, state: fold.State, plan: fold.Plan) -> Tally:
    tally = next(iter(supply), None)
    if tally is None:
        raise ReplayMismatch(
            f"phase {state.phase} is complete by the policy's plan, but its tally is missing; "
            f"give one tally per complete phase."
        )
    if not isinstance(tally, Tally):
        raise InvalidParameter(f"`tallies` must list one rb.Tally per complete phase, but one is {shown(tally)}.")
    tally = tally.checked(policy.arms)
    if tally.counts.tolist() != plan.pulls.tolist():
        raise ReplayMismatch(
            f"in phase {state.phase} the policy pulls {plan.pulls.tolist()}, but the tally records "
            f"{tally.counts.tolist()}; check that policy and U are those of the record."
        )
    return tally
