"""Laws: within the assumptions exactly, and outside them surely."""

from __future__ import annotations

import numpy as np
import pytest

from replibandit.problems import TwoPoint
from replibandit.study.attack_laws import LAWS, Law, laws
from replibandit.theory.noise import NOISES

MEANS = (0.0, -0.1, -0.3)
SIGMA = 0.7


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_a_law_keeps_the_means_it_is_given(law: Law) -> None:
    made = law.made(MEANS, SIGMA)
    assert made is not None
    assert made.means == MEANS


@pytest.mark.parametrize("law", [law for law in LAWS if law.covered_by], ids=lambda law: law.name)
def test_a_covered_law_is_sub_gaussian_with_the_scale_of_the_claim(law: Law) -> None:
    made = law.made(MEANS, SIGMA)
    assert made is not None
    assert made.subgaussian is not None
    assert made.subgaussian <= SIGMA * (1 + 1e-12)


@pytest.mark.parametrize("law", [law for law in LAWS if not law.covered_by], ids=lambda law: law.name)
def test_a_law_beyond_is_not(law: Law) -> None:
    made = law.made(MEANS, SIGMA)
    assert made is not None
    assert made.subgaussian is None or made.subgaussian > 1.2 * SIGMA


@pytest.mark.parametrize("law", [law for law in LAWS if "bounded" in law.covered_by], ids=lambda law: law.name)
def test_bounded_rewards_share_one_range_of_two_sigma(law: Law) -> None:
    for means in (MEANS, (0.0, -1.3 * SIGMA), (0.0, 0.0)):
        made = law.made(means, SIGMA)
        assert made is not None
        drawn = np.concatenate([made.rewards(arm, (2000,), np.random.default_rng(1)) for arm in range(len(means))])
        assert np.ptp(drawn) <= 2 * SIGMA * (1 + 1e-12)
    assert law.made((0.0, -2 * SIGMA), SIGMA) is None


def test_coins_are_as_wide_as_sigma_allows() -> None:
    for law in LAWS[1:4]:
        made = law.made(MEANS, SIGMA)
        assert isinstance(made, TwoPoint)
        assert made.subgaussian == pytest.approx(SIGMA, rel=1e-12)


def test_the_moment_generating_function_of_every_coin_stays_below_the_gaussian_one() -> None:
    rates = np.linspace(-40, 40, 2001)
    for law in LAWS[1:6]:
        made = law.made(MEANS, SIGMA)
        assert isinstance(made, TwoPoint)
        for arm, mean in enumerate(MEANS):
            chance, low, high = made.chances[arm], np.array(made.low)[arm] - mean, np.array(made.high)[arm] - mean
            log = np.logaddexp(np.log1p(-chance) + rates * low, np.log(chance) + rates * high)
            assert (log <= SIGMA**2 * rates**2 / 2 + 1e-9).all(), law.name


@pytest.mark.parametrize("noise", NOISES)
def test_laws_beyond_come_last_and_only_if_asked_for(noise: str) -> None:
    inside, all_of_them = laws(noise, outside=False), laws(noise, outside=True)  # type: ignore[arg-type]  # of NOISES
    assert all(noise in law.covered_by for law in inside)
    assert all_of_them[: len(inside)] == inside
    assert not any(law.covered_by for law in all_of_them[len(inside) :])
