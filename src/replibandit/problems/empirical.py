"""Rewards resampled from recorded ones."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from replibandit.core.arrays import FloatArray, IntArray
from replibandit.core.invariants import reals, shown, text
from replibandit.core.problem import Problem
from replibandit.errors import InvalidParameter
from replibandit.problems.names import check_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Empirical(Problem):
    """Arm i pays one of its recorded rewards, drawn with replacement: the bootstrap world of an experiment.

    >>> Empirical(samples=[[1, 0, 1, 1], [0, 0, 1, 0]]).means
    (0.75, 0.25)

    `replibandit.problems.read_rewards` makes one from a CSV or Parquet file.
    """

    kind: ClassVar[str] = "empirical/1"

    samples: tuple[tuple[float, ...], ...]
    labels: tuple[str, ...] = ()
    name: str = ""

    def __post_init__(self) -> None:
        samples = tuple(reals(f"samples[{arm}]", rewards) for arm, rewards in enumerate(_listed(self, "samples")))
        if not samples:
            raise InvalidParameter("`samples` must hold the rewards of at least one arm, but got none.")
        given = (text(f"labels[{arm}]", str(label)) for arm, label in enumerate(_listed(self, "labels")))
        labels = tuple(given) or tuple(map(str, range(len(samples))))
        if len(labels) != len(samples) or len(set(labels)) != len(labels):
            raise InvalidParameter(
                f"`labels` must name each of the {len(samples)} arms once, but got {shown(list(labels))}."
            )
        object.__setattr__(self, "samples", samples)
        object.__setattr__(self, "labels", labels)
        check_name(self, self.name)

    @property
    def means(self) -> tuple[float, ...]:
        """The mean of each arm's recorded rewards."""
        return tuple(math.fsum(rewards) / len(rewards) for rewards in self.samples)

    @property
    def subgaussian(self) -> float | None:
        """Half the widest range of an arm, by Hoeffding's lemma; None if no arm ever varies."""
        return max(max(rewards) - min(rewards) for rewards in self.samples) / 2 or None

    def rewards(self, arm: int, size: tuple[int, ...], rng: np.random.Generator) -> FloatArray:
        """Recorded rewards, drawn with replacement."""
        pool = np.array(self.samples[arm])
        return pool[rng.integers(pool.size, size=size)]

    def _summed(self, arm: int, counts: IntArray, rng: np.random.Generator) -> FloatArray:
        """Multinomial counts of the distinct values where that is cheaper than single draws: exact either way."""
        values, weights = np.unique(np.array(self.samples[arm]), return_counts=True)
        if counts.size == 0 or counts.mean() <= values.size:
            return super(Empirical, self)._summed(arm, counts, rng)
        flat = counts.ravel()
        rows = max(1, (1 << 22) // values.size)  # bounds the memory of one multinomial table
        drawn = [
            rng.multinomial(flat[i : i + rows], weights / weights.sum()) @ values for i in range(0, flat.size, rows)
        ]
        return np.concatenate(drawn).reshape(counts.shape)


def _listed(problem: Empirical, name: str) -> list[Any]:
    value = getattr(problem, name)
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InvalidParameter(f"`{name}` must be a list with one entry per arm, but got {name}={shown(value)}.")
    return list(value)
