"""U: uniform, addressed, the same from every side."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import replibandit as rb
from replibandit.core.randomness import STREAMS, Randomness, RowsOf, Stream
from replibandit.errors import InvalidParameter

FALSE_ALARM = 1e-6  # of each statistical test below: seeds are fixed, so a pass is a pass for good
PHASES, SLOTS = 200, 50


@pytest.fixture(scope="module")
def hashed() -> np.ndarray:
    """U of 200 phases, 50 slots, both streams: ``[phases, streams, slots]``."""
    u = rb.SharedRandomness("uniformity")
    return np.array([[u.uniforms(p, SLOTS, stream=stream) for stream in STREAMS] for p in range(1, PHASES + 1)])


@pytest.fixture(scope="module")
def bulk() -> np.ndarray:
    """U of ten runs of a study in the same layout, the runs standing beside one another."""
    source = rb.BulkRandomness(20240601).block(0, 10)
    tables = [[source.uniforms(p, SLOTS, stream=stream) for stream in STREAMS] for p in range(1, PHASES // 10 + 1)]
    return np.moveaxis(np.array(tables), 2, 1).reshape(-1, len(STREAMS), SLOTS)


@pytest.mark.statistical
@pytest.mark.parametrize("source", ["hashed", "bulk"])
def test_u_is_uniform(source: str, request: pytest.FixtureRequest) -> None:
    values = request.getfixturevalue(source).ravel()
    assert stats.kstest(values, "uniform").pvalue > FALSE_ALARM
    cells = np.bincount((values * 64).astype(int), minlength=64)
    assert stats.chisquare(cells).pvalue > FALSE_ALARM
    last_bits = (values * 2**53).astype(np.uint64) & np.uint64(15)
    assert stats.chisquare(np.bincount(last_bits.astype(int), minlength=16)).pvalue > FALSE_ALARM


@pytest.mark.statistical
@pytest.mark.parametrize("source", ["hashed", "bulk"])
def test_neighbouring_addresses_are_independent(source: str, request: pytest.FixtureRequest) -> None:
    """Pairs of neighbouring phases, slots and streams fill the unit square evenly."""
    table = request.getfixturevalue(source)
    pairs = {
        "phases": (table[:-1], table[1:]),
        "slots": (table[:, :, :-1], table[:, :, 1:]),
        "streams": (table[:, 0], table[:, 1]),
    }
    for one, other in pairs.values():
        squares = (one.ravel() * 8).astype(int) * 8 + (other.ravel() * 8).astype(int)
        assert stats.chisquare(np.bincount(squares, minlength=64)).pvalue > FALSE_ALARM


def test_the_uniformity_tests_can_fail(hashed: np.ndarray) -> None:
    values = hashed.ravel() ** 1.1
    assert stats.kstest(values, "uniform").pvalue < FALSE_ALARM


@pytest.mark.parametrize("source", ["hashed", "bulk"])
def test_addresses_never_collide(source: str, request: pytest.FixtureRequest) -> None:
    """2 x 10^4 values of 53 bits: a chance collision has probability 2e-8."""
    values = request.getfixturevalue(source).ravel()
    assert np.unique(values).size == values.size


def test_the_address_is_written_so_that_no_two_look_alike() -> None:
    """Phase 1, slot 23 is not phase 12, slot 3."""
    u = rb.SharedRandomness("separators")
    addresses = list(itertools.product((1, 11, 111, 12, 121), (0, 1, 3, 11, 23, 111, 123)))
    assert len({u.uniform(p, i) for p, i in addresses}) == len(addresses)


@given(
    phase=st.integers(1, 10**9), slots=st.integers(1, 40), stream=st.sampled_from(STREAMS), seed=st.text(min_size=1)
)
def test_a_phase_at_once_is_its_slots_one_by_one(phase: int, slots: int, stream: Stream, seed: str) -> None:
    u = rb.SharedRandomness(seed)
    expected = [u.uniform(phase, slot, stream=stream) for slot in range(slots)]
    assert u.uniforms(phase, slots, stream=stream).tolist() == expected
    assert all(0 <= value < 1 for value in expected)


@given(phase=st.integers(1, 10**6), few=st.integers(1, 9), more=st.integers(0, 9), key=st.integers(0, 2**128 - 1))
def test_asking_for_more_slots_changes_none(phase: int, few: int, more: int, key: int) -> None:
    for u in (rb.SharedRandomness(str(key)), rb.BulkRandomness(key)):
        assert u.uniforms(phase, few + more)[:few].tolist() == u.uniforms(phase, few).tolist()


@given(
    key=st.integers(0, 2**128 - 1),
    block=st.tuples(st.integers(0, 10**9), st.integers(1, 9)),
    slots=st.integers(1, 13),
    phase=st.integers(1, 60),
    stream=st.sampled_from(STREAMS),
)
def test_a_row_of_a_block_is_the_run_asked_for_alone(
    key: int, block: tuple[int, int], slots: int, phase: int, stream: Stream
) -> None:
    study, (first, rows) = rb.BulkRandomness(key), block
    table = study.block(first, rows).uniforms(phase, slots, stream=stream)
    assert table.shape == (rows, slots)
    for row in range(rows):
        assert table[row].tolist() == study.row(first + row).uniforms(phase, slots, stream=stream).tolist()


def test_the_bulk_source_is_philox_4x64_10() -> None:
    """Ten rounds in whole numbers; the generator steps its counter once before the first word."""
    study = rb.BulkRandomness((0xDEADBEEF << 64) | 0xCAFE)
    for run, phase, slot in ((0, 1, 0), (5, 3, 2), (123_456_789, 40, 9)):
        words = _philox([run + 1, slot // 4, phase, 1], [0xCAFE, 0xDEADBEEF])
        assert study.row(run).uniforms(phase, slot + 1, stream="order")[slot] == (words[slot % 4] >> 11) / 2**53


def _philox(counter: list[int], key: list[int]) -> list[int]:
    word = 2**64 - 1
    (c0, c1, c2, c3), (k0, k1) = counter, key
    for _ in range(10):
        one, two = 0xD2E7470EE14C6C93 * c0, 0xCA5A826395121157 * c2
        c0, c1, c2, c3 = (two >> 64) ^ c1 ^ k0, two & word, (one >> 64) ^ c3 ^ k1, one & word
        k0, k1 = (k0 + 0x9E3779B97F4A7C15) & word, (k1 + 0xBB67AE8584CAA73B) & word
    return [c0, c1, c2, c3]


# --- a policy cannot tell the two sources apart -----------------------------------------------------------------


@dataclass(frozen=True)
class ManyHashed:
    """One hashed seed per run, as a table."""

    runs: int

    def uniforms(self, phase: int, slots: int, *, stream: Stream = "threshold") -> np.ndarray:
        seeds = (rb.SharedRandomness(f"run {run}") for run in range(self.runs))
        return np.array([u.uniforms(phase, slots, stream=stream) for u in seeds])


@pytest.mark.statistical
def test_a_policy_decides_alike_on_hashed_and_on_bulk_u() -> None:
    policy = rb.RSE(arms=3, horizon=2000, rho=0.3, sigma=0.5, commit_scale=0.03, eliminate_scale=0.01)
    problem = rb.problem("paper/model-2", sd=0.5)
    runs = 1500
    studies = [
        rb.simulate(policy, problem, runs=runs, seed=8),
        rb.simulate(policy, problem, runs=runs, seed=9, u=ManyHashed(runs)),
    ]
    table = np.array([np.bincount(study.stopping_phases, minlength=8) for study in studies])
    assert stats.chi2_contingency(table[:, table.sum(axis=0) > 0]).pvalue > FALSE_ALARM


@pytest.mark.parametrize(
    "u", [rb.SharedRandomness("x"), rb.BulkRandomness(7), rb.BulkRandomness(7).row(3), rb.ConstantRandomness(0.25)]
)
def test_every_source_of_one_run_has_the_same_shape(u: Randomness) -> None:
    for slots in (0, 1, 4, 5, 9):
        values = u.uniforms(2, slots)
        assert values.shape == (slots,)
        assert values.dtype == np.float64
        assert ((values >= 0) & (values < 1)).all()


def test_rows_of_a_batch_read_the_rows_they_were_given() -> None:
    block = rb.BulkRandomness(3).block(10, 4)
    table = block.uniforms(2, 5)
    assert (RowsOf(block, np.array([2, 2, 0])).uniforms(2, 5) == table[[2, 2, 0]]).all()
    shared = rb.SharedRandomness("one for all")
    assert (RowsOf(shared, np.array([0, 7])).uniforms(2, 5) == shared.uniforms(2, 5)).all()


# --- seeds and commitments --------------------------------------------------------------------------------------


def test_a_commitment_is_opened_by_its_seed_only() -> None:
    u = rb.SharedRandomness("the seed")
    published = u.commitment()
    assert u.opens(published)
    assert not rb.SharedRandomness("another seed").opens(published)
    assert len(published) == 64


def test_fresh_seeds_differ_and_hold_256_bits() -> None:
    seeds = {rb.SharedRandomness.fresh().seed for _ in range(50)}
    assert len(seeds) == 50
    assert all(len(seed) == 64 and int(seed, 16) >= 0 for seed in seeds)


def test_the_seed_is_not_shown_by_accident() -> None:
    assert "secret" not in repr(rb.SharedRandomness("secret"))


@pytest.mark.parametrize("seed", ["", 7, None, b"bytes", "a byte of another encoding: \udcff"])
def test_a_seed_must_be_a_text(seed: Any) -> None:
    with pytest.raises(InvalidParameter, match="the seed of U must be a non-empty text"):
        rb.SharedRandomness(seed)


def test_a_seed_that_is_refused_is_not_repeated_in_the_message_when_it_is_no_text() -> None:
    with pytest.raises(InvalidParameter, match=r"SharedRandomness\.fresh\(\)"):
        rb.SharedRandomness(12)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [float("nan"), 7.0, -0.1, "x", None])
def test_a_constant_that_is_no_uniform_is_refused(value: Any) -> None:
    with pytest.raises(InvalidParameter, match="value"):
        rb.ConstantRandomness(value)


@pytest.mark.parametrize("key", [-1, "x", 0.5, 2**128])
def test_a_key_that_is_no_whole_number_of_128_bits_is_refused(key: Any) -> None:
    with pytest.raises(InvalidParameter, match="key"):
        rb.BulkRandomness(key)


@pytest.mark.parametrize("commitment", [None, "é", b"x"])
def test_a_commitment_that_is_no_digest_is_refused(commitment: Any) -> None:
    with pytest.raises(InvalidParameter, match="a commitment must be"):
        rb.SharedRandomness("x").opens(commitment)
