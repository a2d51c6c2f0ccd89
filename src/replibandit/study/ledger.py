"""The ledger: at which decision do twins first part, against what the composition theorem allows.

Every pair of twins with different sequences has exactly one entry, so the shares add up to the nonreplication.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from replibandit.core.arrays import FloatArray, HashArray, IntArray
from replibandit.core.policy import CertifiedPolicy
from replibandit.simulate.engine import Job
from replibandit.simulate.runs import PhasedRuns, RoundRuns
from replibandit.study.agreement import combine, equal_pairs, nonreplication_per_seed
from replibandit.study.intervals import Interval, bounded_mean

Shape = tuple[int, int]  # values of U, runs of each


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One decision variable, or one stretch of rounds for a policy without phases."""

    where: str  # "phase 3", "rounds 65 to 128"
    decision: str  # "commit", "which arm", "arm 2", "next arms", "pull"
    share: float  # of all pairs of twins: they first part here
    se: float  # standard error over values of U
    budget: float | None  # rho^(p, i) of the proof; None if nothing is proved


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """Where twins part, and how often the good event fails, against 2 rho^G + sum rho^(p, i)."""

    entries: tuple[Entry, ...]
    bad_event: Interval | None  # share of runs in which the good event failed in some phase
    bad_event_by_phase: dict[int, float]  # share of runs in which it failed there first
    bad_event_budget: float | None  # rho^G
    note: str

    @property
    def total(self) -> float:
        """The nonreplication, entry by entry."""
        return float(sum(entry.share for entry in self.entries))

    @property
    def budget(self) -> float | None:
        """2 rho^G + sum rho^(p, i) for this instance; None if nothing is proved."""
        if self.bad_event_budget is None:
            return None
        return 2 * self.bad_event_budget + sum(entry.budget or 0.0 for entry in self.entries)

    def to_dict(self) -> dict[str, Any]:
        """The ledger as plain JSON values."""
        return {
            "entries": [asdict(entry) for entry in self.entries],
            "total": self.total,
            "budget": self.budget,
            "bad_event": None if self.bad_event is None else asdict(self.bad_event),
            "bad_event_by_phase": {str(phase): share for phase, share in self.bad_event_by_phase.items()},
            "bad_event_budget": self.bad_event_budget,
            "note": self.note,
        }


def ledger_of(job: Job, runs: PhasedRuns | RoundRuns, shape: Shape) -> Ledger:
    """The ledger of a batch of twins."""
    if isinstance(runs, RoundRuns):
        entries = tuple(_round_entries(job.grid, _checkpoints(runs), shape))
        return Ledger(
            entries=entries,
            bad_event=None,
            bad_event_by_phase={},
            bad_event_budget=None,
            note=str(job.policy.guarantee),
        )
    policy = job.policy
    proved = isinstance(policy, CertifiedPolicy) and policy.guarantee.rho is not None
    budget = policy.budget(job.problem.gaps) if isinstance(policy, CertifiedPolicy) and proved else None
    phases, counts = np.unique(runs.bad, return_counts=True)
    return Ledger(
        entries=tuple(_phase_entries(runs, shape, budget)),
        bad_event=bounded_mean((runs.bad > 0).reshape(shape).mean(axis=1)),
        bad_event_by_phase={int(p): float(c / runs.bad.size) for p, c in zip(phases, counts, strict=True) if p},
        bad_event_budget=policy.bad_event_budget if isinstance(policy, CertifiedPolicy) and proved else None,
        note=str(policy.guarantee),
    )


def _checkpoints(runs: PhasedRuns | RoundRuns) -> HashArray:
    if runs.prefix is None:
        raise ValueError("the ledger needs runs that were watched: Job(watch=True)")
    return runs.prefix


def _phase_entries(runs: PhasedRuns, shape: Shape, budget: dict[tuple[int, int], float] | None) -> Iterator[Entry]:
    prefix = _checkpoints(runs)
    pasts = _Pasts(runs.digests.reshape(shape))
    for phase in range(1, prefix.shape[1]):
        parted = _parted_in_phase(runs, phase, pasts)
        slots = {slot for p, slot in (budget or {}) if p == phase}
        names = [*parted, *(name for name in map(_slot_name, sorted(slots)) if name not in parted)]
        for name in names:
            share = parted.get(name, np.zeros(shape[0]))
            allowed = None if budget is None else budget.get((phase, _slot(name)), 0.0)
            yield _entry(f"phase {phase}", name, share, allowed)


def _slot_name(slot: int) -> str:
    return "commit" if slot == 0 else f"arm {slot - 1}"


def _slot(name: str) -> int:
    """The slot of a decision variable; -1 for the committed arm, which is none (and has no budget of its own)."""
    if name == "commit":
        return 0
    return int(name.removeprefix("arm ")) + 1 if name.startswith("arm ") else -1


class _Pasts:
    """What each run has decided so far, refined decision by decision.

    A pair of twins parts at the first decision in which it differs, provided that it plays different sequences in
    the end. The condition matters: a commitment and an elimination can leave the same arm, and the horizon can come
    before a difference shows.
    """

    def __init__(self, sequences: HashArray) -> None:
        self.shape: Shape = (sequences.shape[0], sequences.shape[1])
        self._past, self._past_and_sequence = np.zeros_like(sequences), sequences
        self._open = self._unplaced(self._past, self._past_and_sequence)

    def refine(self, flag: NDArray[Any]) -> FloatArray:
        """The share of pairs (per U) that first part at a decision that came out as ``flag [m, n]``."""
        if (flag == flag[:, :1]).all():
            return np.zeros(flag.shape[0])
        self._past = combine(self._past, flag)
        self._past_and_sequence = combine(self._past_and_sequence, flag)
        before, self._open = self._open, self._unplaced(self._past, self._past_and_sequence)
        runs = flag.shape[1]
        share: FloatArray = (before - self._open) / (runs * (runs - 1))
        return share

    @staticmethod
    def _unplaced(past: HashArray, past_and_sequence: HashArray) -> FloatArray:
        """Pairs (per U) with one past but different sequences: those still to be placed."""
        return equal_pairs(past) - equal_pairs(past_and_sequence)


def _parted_in_phase(runs: PhasedRuns, phase: int, pasts: _Pasts) -> dict[str, FloatArray]:
    """For each decision of the phase, the share of pairs (per U) that first part there."""
    shape = pasts.shape
    committed = (runs.committed == phase).reshape(shape)
    survivor = np.where(runs.committed == phase, np.argmax(runs.left == 0, axis=-1), 0).reshape(shape)
    flags = {"commit": committed, "which arm": survivor}
    for arm in np.flatnonzero((runs.left == phase).any(axis=0)):
        flags[f"arm {arm}"] = (runs.left[:, arm] == phase).reshape(shape) & ~committed
    flags["next arms"] = _checkpoints(runs)[:, phase].reshape(shape)
    parted = {name: pasts.refine(flag) for name, flag in flags.items()}
    return {name: share for name, share in parted.items() if share.any()}


def _round_entries(grid: IntArray, prefix: HashArray, shape: Shape) -> Iterator[Entry]:
    """Stretches of rounds, each about twice as long as all before it."""
    since, known = 0, np.zeros(shape[0])
    for mark in range(grid.size):
        if grid[mark] >= 2 * since or mark == grid.size - 1:
            apart = nonreplication_per_seed(prefix[:, mark].reshape(shape))
            if (apart > known).any():
                yield _entry(f"rounds {since + 1} to {grid[mark]}", "pull", apart - known, None)
            since, known = int(grid[mark]), apart


def _entry(where: str, decision: str, per_seed: FloatArray, budget: float | None) -> Entry:
    se = float(per_seed.std(ddof=1) / per_seed.size**0.5) if per_seed.size > 1 else 0.0
    return Entry(where=where, decision=decision, share=float(per_seed.mean()), se=se, budget=budget)
