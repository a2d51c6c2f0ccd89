"""The search: pairs are counted rightly, luck is smoothed, families are kept apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import replibandit as rb
from replibandit.study import attack_search
from replibandit.study.attack_instances import Place
from replibandit.study.attack_laws import LAWS
from replibandit.study.attack_search import (
    Finding,
    Instance,
    Range,
    Target,
    count_differing,
    ranked,
    smoothed,
    unit_means,
)
from replibandit.study.intervals import clopper_pearson

POLICY = rb.SharpREC(arms=2, horizon=1000, rho=0.3, sigma=1.0, first=1, ratio=3, lo=4, width=11.7)


def target(**options: Any) -> Target:
    given = {"policy": POLICY, "sigma": 1.0, "noise": "gaussian", "outside": False, "sharing": "shared"}
    return Target(**(given | {"pairs": 1000, "seed": 3, "level": 0.99} | options))


def finding(gap: float, differing: int, law: int = 0, *, stage: str = "screening", judged: bool = True) -> Finding:
    problem = LAWS[law].made([0.0, -gap], 1.0)
    assert problem is not None
    place = Place(gap, 0.1, fine=True)
    instance = Instance(shape="one best", law=LAWS[law], place=place, problem=problem, judged=judged, draws=0.0)
    return Finding(instance=instance, stage=stage, pairs=100, nonreplication=clopper_pearson(differing, 100))


@pytest.mark.statistical
def test_pairs_that_differ_are_counted_as_an_independent_program_counts_them() -> None:
    """The other program: sums of differences, thresholds, and nothing of this package. Four standard errors of 0.007
    between two counts of 10^4 pairs: false alarm 6e-5."""
    rng, pairs, gap = np.random.default_rng(5), 10_000, 1.56
    sums, alive, differ, drawn = np.zeros((pairs, 2)), np.ones(pairs, bool), np.zeros(pairs, bool), 0
    for pulls in (3**p for p in range(6)):  # 2 * 3^6 > 1000
        fresh, drawn = pulls - drawn, pulls
        sums += gap * fresh + np.sqrt(2 * fresh) * rng.standard_normal((pairs, 2))
        stops = np.abs(sums) / pulls**0.5 >= (4 + 11.7 * rng.random(pairs))[:, None]
        apart = (stops[:, 0] != stops[:, 1]) | (stops.all(axis=1) & ((sums[:, 0] > 0) != (sums[:, 1] > 0)))
        differ |= alive & apart
        alive &= ~stops.any(axis=1)
    counted = count_differing(target(), rb.Gaussian(means=[gap, 0.0], sd=1.0), pairs, seed=1)
    assert abs(counted - differ.sum()) < 4 * np.sqrt(2 * pairs * 0.3 * 0.7)


def test_large_counts_are_simulated_in_parts_with_seeds_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, int]] = []
    monkeypatch.setattr(attack_search, "BATCH", 400)

    def counted(_target: Target, _problem: rb.Problem, pairs: int, seed: int) -> int:
        seen.append((pairs, seed))
        return 1

    monkeypatch.setattr(attack_search, "count_differing", counted)
    bench = Range(target())
    measured = list(bench.measure([finding(1.0, 0).instance] * 2, target().stages[2]))
    assert [pairs for pairs, _ in seen] == [400, 400, 200] * 2
    assert len({seed for _, seed in seen}) == 6
    assert measured[0].nonreplication.estimate == 3 / 1000


def test_a_lucky_gap_yields_to_one_with_equally_bad_neighbours() -> None:
    seen = [finding(gap, differing) for gap, differing in zip(range(1, 8), [0, 30, 0, 20, 22, 20, 0], strict=True)]
    assert np.argmax(smoothed(seen)) == 4
    assert smoothed([finding(1.0, 5, stage="heats")]) == [0.05]


def test_neighbours_are_those_of_the_same_law() -> None:
    seen = [finding(1.0, 10), finding(2.0, 10), finding(1.0, 50, law=1), finding(2.0, 50, law=1)]
    assert smoothed(seen) == pytest.approx([0.1, 0.1, 0.5, 0.5])


def test_few_of_a_family_go_on_while_there_are_others_and_covered_ones_come_first() -> None:
    seen = [finding(gap, 50 - int(gap), stage="heats") for gap in (1.0, 2.0, 3.0, 4.0)]
    seen += [finding(1.0, 5, law=1, stage="heats"), finding(9.0, 90, law=2, stage="heats", judged=False)]
    order = [(instance.law.name, instance.place.gap) for instance in ranked(seen, 4, 2)]
    assert order == [("gaussian", 1.0), ("gaussian", 2.0), ("fair coins", 1.0), ("rare gains", 9.0)]
    assert [instance.place.gap for instance in ranked(seen[:4], 3, 2)] == [1.0, 2.0, 3.0]


def test_with_features_means_are_linear_in_them() -> None:
    features = [[1.0, 0.0], [0.7, 0.0], [0.5, 0.4], [0.1, 1.2]]
    policy = rb.RLSE(arms=4, horizon=1000, rho=0.3, sigma=1.0, features=features)
    means = np.array(unit_means(policy, [0.0, 1.0, 2.0, 3.0]))
    theta, *_ = np.linalg.lstsq(np.array(features), means, rcond=None)
    assert np.allclose(np.array(features) @ theta, means)
    assert unit_means(POLICY, [0.0, 1.0]) == [0.0, -1.0]


def test_the_same_instance_is_not_measured_twice_in_a_stage() -> None:
    assert len(ranked([finding(1.0, 5), finding(1.0, 5)], 5, 5)) == 1


def test_rewards_that_must_be_drawn_one_by_one_get_fewer_pairs_or_none() -> None:
    bench = Range(target(noise="bounded"))
    beta = next(law for law in bench.laws if not law.summed)
    short, long = (bench.instance("one best", beta, Place(gap, 0.1, fine=True)) for gap in (1.9, 0.01))
    assert short is not None
    assert long is not None
    assert target(pairs=10**6).stages[2].pairs_for(long) < 10**6
    assert (
        Range(target(policy=rb.REC(arms=2, horizon=10**9, rho=0.3, sigma=1.0), noise="bounded")).instance(
            "one best", beta, Place(0.01, 0.1, fine=True)
        )
        is None
    )
