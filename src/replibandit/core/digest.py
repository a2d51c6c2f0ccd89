"""The digest of a sequence of arms: a polynomial hash modulo the prime 2^61 - 1.

::

    digest(a_1, ..., a_n) = sum over t of key(a_t) BASE^(n - t)   mod 2^61 - 1

One more round is ``digest * BASE + key`` (`append`, what the compiled loop does), one more phase of any length a
closed form (`extend`, geometric sums). Both give the digest of the sequence alone: how it was cut into phases, and by
which policy, leaves no mark. So runs have equal digests exactly when their sequences are equal, also where a phase
pulls only some of the active arms, or unequally. Two different sequences of n rounds share a digest with a
probability of about 2^-61: among a million runs the chance of any false match is below 3e-7.
"""

from __future__ import annotations

import functools
from typing import TypeAlias

import numpy as np

from replibandit.core.arrays import BoolArray, HashArray, IntArray

PRIME = np.uint64(2**61 - 1)
BASE = np.uint64(0x9E3779B1)  # a primitive root of 2^61 - 1 that fits 32 bits, so that `append` needs two products
TOP, HALF, LOW_HALF, LOW_REST, REST = (np.uint64(n) for n in (61, 32, 2**32 - 1, 2**29 - 1, 29))
ONE, WRAP, KEY_BITS = np.uint64(1), np.uint64(8), np.uint64(3)
DIGIT = 10  # powers of BASE are looked up by digits of ten bits

Row: TypeAlias = HashArray  # [D], one word per run


# --- words: plain arithmetic, for arrays and for the compiled loop --------------------------------------------------


def scramble(value: HashArray) -> HashArray:
    """The finaliser of SplitMix64, a bijection of 64-bit words."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


def mix(value: HashArray) -> HashArray:
    """`scramble`, where wrapping around is meant and no cause for a warning."""
    with np.errstate(over="ignore"):
        return scramble(value)


@functools.cache
def arm_keys(arms: int) -> HashArray:
    """A fixed random-looking residue per arm."""
    with np.errstate(over="ignore"):
        words = mix(np.arange(1, arms + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))
    keys: HashArray = words >> KEY_BITS
    return keys


def append(digest: HashArray, key: HashArray) -> HashArray:
    """The digest after one more round; no step wraps around."""
    low = (digest & LOW_HALF) * BASE
    high = (digest >> HALF) * BASE
    value = (low & PRIME) + (low >> TOP) + ((high & LOW_REST) << HALF) + (high >> REST) + key
    value = (value & PRIME) + (value >> TOP) + ONE  # one ahead, so that PRIME itself folds to 0
    appended: HashArray = (value & PRIME) + (value >> TOP) - ONE
    return appended


# --- residues: arrays ----------------------------------------------------------------------------------------------


def _reduced(value: HashArray) -> HashArray:
    value = (value & PRIME) + (value >> TOP) + ONE
    return (value & PRIME) + (value >> TOP) - ONE


def _times(a: HashArray, b: HashArray | np.uint64) -> HashArray:
    """The product of residues, by halves of 32 and 29 bits (2^64 = 8 modulo the prime)."""
    a_low, a_high, b_low, b_high = a & LOW_HALF, a >> HALF, b & LOW_HALF, b >> HALF
    low, middle = a_low * b_low, a_low * b_high + a_high * b_low
    high = a_high * b_high * WRAP
    return _reduced((low & PRIME) + (low >> TOP) + ((middle & LOW_REST) << HALF) + (middle >> REST) + high)


def _minus(a: HashArray, b: HashArray | np.uint64) -> HashArray:
    return _reduced(a + (PRIME - b))


def _sum(values: HashArray) -> Row:
    """The sum over the last axis, by halves: thousands of residues would overflow a word."""
    low, high = (values & LOW_HALF).sum(axis=-1), (values >> HALF).sum(axis=-1)
    return _reduced(low + ((high & LOW_REST) << HALF) + (high >> REST))


@functools.cache
def _digit_powers(place: int) -> HashArray:
    """BASE^(d 2^(10 place)) for every digit d."""
    step, power, table = pow(int(BASE), 1 << (DIGIT * place), int(PRIME)), 1, []
    for _ in range(1 << DIGIT):
        table.append(power)
        power = power * step % int(PRIME)
    return np.array(table, dtype=np.uint64)


def _power(exponent: IntArray) -> HashArray:
    """BASE^exponent."""
    result: HashArray = _digit_powers(0)[exponent & 1023]
    for place in range(1, -(-int(exponent.max(initial=0)).bit_length() // DIGIT)):
        result = _times(result, _digit_powers(place)[(exponent >> (DIGIT * place)) & 1023])
    return result


@functools.cache
def _inverse(size: int) -> int:
    """1 / (BASE^size - 1), the divisor of geometric sums."""
    return pow(pow(int(BASE), size, int(PRIME)) - 1, -1, int(PRIME)) if size else 0


# --- phases --------------------------------------------------------------------------------------------------------


def extend(digest: HashArray, pulls: IntArray, order: str, place: IntArray) -> HashArray:
    """The digest ``[...]`` after a phase of ``pulls [..., K]`` in this order (see `core.order`)."""
    arms = pulls.shape[-1]
    flat = pulls.reshape(-1, arms)
    if flat.shape[0] == 1 and flat.sum() == 1:  # a round of UCB1
        return append(digest, arm_keys(arms)[np.argmax(pulls, axis=-1)])
    if place.ndim > 1:
        by_place = np.argsort(place.reshape(-1, arms), axis=-1)
        moved, words = _phases(np.take_along_axis(flat, by_place, axis=-1), order, arm_keys(arms)[by_place])
    else:
        rows, inverse = _alike(flat)
        by_place = np.argsort(place)
        used: BoolArray = np.any(flat[rows] > 0, axis=0)
        by_place = by_place[used[by_place]]  # arms without pulls take no part
        moved, words = _phases(flat[rows][:, by_place], order, arm_keys(arms)[by_place])
        moved, words = (moved, words) if rows.size == 1 else (moved[inverse], words[inverse])
    following: HashArray = _reduced(_times(digest.reshape(-1), moved) + words).reshape(digest.shape)
    return following


def _alike(pulls: IntArray) -> tuple[IntArray, IntArray]:
    """One row of each kind, and which kind each row is."""
    if (pulls == pulls[0]).all():
        return np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    _, rows, inverse = np.unique(_labels(pulls), return_index=True, return_inverse=True)
    return rows, inverse


def _labels(pulls: IntArray) -> Row:
    """A cheap word that is equal for rows that pull alike and different for others (64 bits)."""
    with np.errstate(over="ignore"):
        spread = pulls.view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        labels: Row = ((spread ^ (spread >> HALF)) * arm_keys(pulls.shape[-1])).sum(axis=-1)
    return labels


def _phases(pulls: IntArray, order: str, keys: HashArray) -> tuple[Row, Row]:
    """What a phase does to a digest: it is moved up by BASE^rounds, and the phase's own digest is added.

    The arms are listed in their order: ``pulls [D, K]``, ``keys [K]`` or ``[D, K]``.
    """
    words = _circles(pulls, keys) if order == "round_robin" else _blocks(pulls, keys)
    return _power(pulls.sum(axis=-1)), words


def _blocks(pulls: IntArray, keys: HashArray) -> Row:
    """Each block of n pulls is key (BASE^n - 1) / (BASE - 1), then moved up by all that follows."""
    behind = np.cumsum(pulls[:, ::-1], axis=-1)[:, ::-1]
    block = _minus(_power(behind), _power(behind - pulls))
    return _times(_sum(_times(block, keys)), np.uint64(_inverse(1)))


def _circles(pulls: IntArray, keys: HashArray) -> Row:
    """Stretch by stretch of equal circles: an arm leaves the circle when its pulls are used up."""
    word, done = np.zeros(pulls.shape[0], dtype=np.uint64), np.zeros(pulls.shape[0], dtype=np.int64)
    while (inside := pulls > done[:, None]).any():
        until = np.where(inside, pulls, np.iinfo(np.int64).max).min(axis=-1)
        until = np.where(inside.any(axis=-1), until, done)
        size = inside.sum(axis=-1)
        moved = _power(size * (until - done))
        turns = _times(_minus(moved, ONE), _inverses(size))
        word = _reduced(_times(word, moved) + _times(_circle(inside, keys), turns))
        done = until
    return word


def _circle(inside: BoolArray, keys: HashArray) -> Row:
    """The digest of one circle."""
    behind: IntArray = np.cumsum(inside[:, ::-1], axis=-1)[:, ::-1] - inside
    return _sum(np.where(inside, _times(_power(behind), keys), np.uint64(0)))


def _inverses(sizes: IntArray) -> Row:
    known, inverse = np.unique(sizes, return_inverse=True)
    table: Row = np.array([_inverse(int(size)) for size in known], dtype=np.uint64)
    return table[inverse]
