"""Where randomness comes from: addressed by seed and chunk, U and rewards never mixed."""

from __future__ import annotations

import numpy as np

import replibandit as rb
from replibandit.simulate.streams import reward_noise, source_for, study_randomness


def test_the_same_address_gives_the_same_noise_and_another_address_another() -> None:
    addresses = [(0, 0), (0, 1), (1, 0), (2**62, 5)]
    firsts = [reward_noise(*address).standard_normal() for address in addresses]
    assert [reward_noise(*address).standard_normal() for address in addresses] == firsts
    assert len(set(firsts)) == len(addresses)


def test_studies_of_different_seeds_have_different_u() -> None:
    tables = [study_randomness(seed).block(0, 50).uniforms(1, 3) for seed in (0, 1, 2**62)]
    assert (tables[0] == study_randomness(0).block(0, 50).uniforms(1, 3)).all()
    assert not np.intersect1d(tables[0], tables[1]).size
    assert not np.intersect1d(tables[1], tables[2]).size


def test_u_does_not_come_from_the_stream_of_the_rewards() -> None:
    u = study_randomness(3).block(0, 200).uniforms(1, 1)
    assert abs(np.corrcoef(u[:, 0], reward_noise(3, 0).random(200))[0, 1]) < 4.9 / 200**0.5  # once in a million
    assert not np.intersect1d(u, reward_noise(3, 0).random(10_000)).size


def test_u_is_switched_off_by_name() -> None:
    assert source_for("none", 3) == rb.ConstantRandomness(0.5)
    assert source_for("shared", 3) == source_for("independent", 3) == study_randomness(3)
