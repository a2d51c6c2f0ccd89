"""U, the shared internal randomness: addressed by (phase, slot), never consumed.

Slot 0 decides the commitment of a phase, slot i >= 1 belongs to arm i of the paper (index i - 1 in arrays).
Asking twice gives the same number, asking in another order changes nothing, and no decision can shift another.

Two sources share one small protocol. `SharedRandomness` hashes a seed: slow, and the same on every machine and in
every language; sessions, replays and audits use it. `BulkRandomness` is raw Philox: fast enough for studies.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np

from replibandit.core.arrays import FloatArray, IntArray, by_arm, rows_of
from replibandit.core.invariants import is_unicode, real, shown, whole
from replibandit.errors import InvalidParameter

Stream = Literal["threshold", "order", "start"]
STREAMS: tuple[Stream, ...] = ("threshold", "order", "start")
DOMAIN = "replibandit/u/1"


class Randomness(Protocol):
    """A source of U. ``uniforms`` gives a whole phase at once: ``[..., slots]``, one row per run."""

    def uniforms(self, phase: int, slots: int, *, stream: Stream = "threshold") -> FloatArray:
        """U_{phase, 0 .. slots-1}, each uniform on [0, 1)."""
        ...


@dataclass(frozen=True, slots=True)
class SharedRandomness:
    """U from a seed by HMAC-SHA256: ``first 53 bits of HMAC(seed, "replibandit/u/1|stream|phase|slot") / 2**53``.

    >>> u = SharedRandomness("correct horse battery staple")
    >>> u.uniform(3, 2) == u.uniform(3, 2)
    True

    Publish `commitment` before the first pull and reveal the seed afterwards: nobody can have chosen it later.
    """

    seed: str = field(repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.seed, str) or not self.seed or not is_unicode(self.seed):
            raise InvalidParameter(
                f"the seed of U must be a non-empty text, but got {type(self.seed).__name__} {shown(self.seed)}. "
                "Draw one with `SharedRandomness.fresh()`."
            )

    @classmethod
    def fresh(cls) -> SharedRandomness:
        """U from a new unpredictable seed (256 bits of the operating system's randomness)."""
        return cls(secrets.token_hex(32))

    def uniform(self, phase: int, slot: int, *, stream: Stream = "threshold") -> float:
        """U_{phase, slot} in [0, 1)."""
        message = f"{DOMAIN}|{stream}|{phase}|{slot}".encode()
        digest = hmac.digest(self.seed.encode(), message, hashlib.sha256)
        return (int.from_bytes(digest[:8], "big") >> 11) / 2**53

    def uniforms(self, phase: int, slots: int, *, stream: Stream = "threshold") -> FloatArray:
        """U_{phase, 0 .. slots-1}: ``[slots]``."""
        return np.array([self.uniform(phase, slot, stream=stream) for slot in range(slots)])

    def commitment(self) -> str:
        """SHA-256 of the seed under its own label: publish it before the first pull, reveal the seed after."""
        return hashlib.sha256(f"{DOMAIN}|commitment|{self.seed}".encode()).hexdigest()

    def opens(self, commitment: str) -> bool:
        """Whether this seed is the one that was committed to."""
        if not isinstance(commitment, str) or not commitment.isascii():
            raise InvalidParameter(f"a commitment must be the text of `commitment()`, but got {shown(commitment)}.")
        return hmac.compare_digest(self.commitment(), commitment)


@dataclass(frozen=True, slots=True)
class BulkRandomness:
    """U of many simulated runs at once: Philox4x64 keyed by the study, its counter being the address.

    Counter words are (seed index, slot // 4, phase, stream), so a block of consecutive runs is one call, and any
    single run can be asked for alone: ``BulkRandomness(7).row(12)`` is row 12 of every table of study 7.
    """

    key: int
    first: int = 0
    rows: int | None = None

    def __post_init__(self) -> None:
        remedy = "The key is the seed of a study."
        object.__setattr__(self, "key", whole("key", self.key, low=0, high=2**128 - 1, remedy=remedy))
        object.__setattr__(self, "first", whole("first", self.first, low=0, high=2**64 - 1))
        if self.rows is not None:
            object.__setattr__(self, "rows", whole("rows", self.rows, low=0, high=2**63 - 1))

    def row(self, index: int) -> BulkRandomness:
        """U of one run alone: its ``uniforms`` have no leading axis."""
        return BulkRandomness(self.key, index)

    def block(self, first: int, rows: int) -> BulkRandomness:
        """U of the runs ``first .. first + rows - 1``."""
        return BulkRandomness(self.key, first, rows)

    def uniforms(self, phase: int, slots: int, *, stream: Stream = "threshold") -> FloatArray:
        """U_{phase, 0 .. slots-1} of each run: ``[rows, slots]``, or ``[slots]`` for one run."""
        rows = 1 if self.rows is None else self.rows
        table = by_arm((rows, slots), 0.0, np.float64)
        for block in range(-(-slots // 4)):
            counter = [self.first, block, phase, STREAMS.index(stream)]
            words = np.random.Philox(key=self.key, counter=counter).random_raw(4 * rows).reshape(rows, 4)
            wanted = min(4, slots - 4 * block)
            table[:, 4 * block : 4 * block + wanted] = (words[:, :wanted] >> np.uint64(11)) * 2.0**-53
        return table[0] if self.rows is None else table


@dataclass(frozen=True, slots=True)
class ConstantRandomness:
    """U switched off: every uniform is the same number. Only to show what is lost without U (docs: necessity)."""

    value: float = 0.5

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", real("value", self.value, low=0, high=1))  # 1: where U only ends

    def uniforms(self, phase: int, slots: int, *, stream: Stream = "threshold") -> FloatArray:
        """The constant, everywhere: ``[slots]``."""
        del phase, stream
        return np.full(slots, self.value)


@dataclass(frozen=True, slots=True, eq=False)
class RowsOf:
    """U of a batch in which run b reads row ``index[b]`` of a block; a source without rows is shared by all."""

    source: Randomness
    index: IntArray

    def uniforms(self, phase: int, slots: int, *, stream: Stream = "threshold") -> FloatArray:
        """U_{phase, 0 .. slots-1} of each run: ``[len(index), slots]``."""
        table = self.source.uniforms(phase, slots, stream=stream)
        if table.ndim == 1:
            return np.broadcast_to(table, (self.index.size, slots))
        return rows_of(table, self.index)
