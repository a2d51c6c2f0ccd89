"""What an engine returns: one row per run, nothing averaged yet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from replibandit.core.arrays import FloatArray, HashArray, IntArray, by_arm


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Runs:
    """Finished runs. ``prefix[:, m]`` is the digest after checkpoint m (a phase, or a round of the grid)."""

    pulls: IntArray  # [R, K]
    digests: HashArray  # [R]
    prefix: HashArray | None = None  # [R, M], only if asked for


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PhasedRuns(Runs):
    """Runs of the phased engine. Active sets only shrink, so ``left`` tells every A_p of every run."""

    left: IntArray  # [R, K] the phase at whose end the arm was dropped, 0 = never
    committed: IntArray  # [R] the phase at whose end the run committed, 0 = never
    bad: IntArray  # [R] the first phase in which the good event failed, 0 = never (or not watched)

    @classmethod
    def empty(cls, runs: int, arms: int, *, checkpoints: int = 0) -> PhasedRuns:
        """Room for ``runs`` results."""
        return cls(
            pulls=by_arm((runs, arms), 0, np.int64),
            digests=np.zeros(runs, dtype=np.uint64),
            prefix=np.zeros((runs, checkpoints), dtype=np.uint64) if checkpoints else None,
            left=by_arm((runs, arms), 0, np.int32),
            committed=np.zeros(runs, dtype=np.int32),
            bad=np.zeros(runs, dtype=np.int32),
        )

    def rows(self, rows: slice) -> PhasedRuns:
        """A view of some runs: writing to it writes here."""
        return PhasedRuns(
            pulls=self.pulls[rows],
            digests=self.digests[rows],
            prefix=None if self.prefix is None else self.prefix[rows],
            left=self.left[rows],
            committed=self.committed[rows],
            bad=self.bad[rows],
        )

    @property
    def stopping_phase(self) -> IntArray:
        """The phase at whose end one arm was left, 0 = never: ``[R]``."""
        alone = (self.left == 0).sum(axis=-1) == 1
        return np.where(alone, self.left.max(axis=-1), 0).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RoundRuns(Runs):
    """Runs of the round engine, with the sums behind the mean regret curve on the grid of rounds."""

    curve_sum: FloatArray  # [G]
    curve_squares: FloatArray  # [G], about the first run of the study
    curve_origin: FloatArray  # [G]
