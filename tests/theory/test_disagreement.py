"""The bound on first disagreements: never below the exact law, close to it, and right about medians."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, optimize, stats

from replibandit.theory.disagreement import Schedule, along_gaps, along_medians, gap_cells
from replibandit.theory.noise import Noise
from replibandit.theory.stopping import Look
from replibandit.theory.straying import Straying
from replibandit.theory.twins import twin_law

GAUSSIAN = Noise("gaussian")
LAW, MEDIANS = Straying(GAUSSIAN).levels(), Straying(GAUSSIAN, medians=True).levels()


def schedule_of(ratio: float, lo: float, width: float, phases: int = 6, first: float = 100.0) -> Schedule:
    pulls = np.ceil(first * ratio ** np.arange(phases))
    return Schedule.alike(pulls, lo, width)


def exact(schedule: Schedule, gap: float) -> float:
    looks = [
        Look(int(n), lo / width, width / math.sqrt(n))
        for n, lo, width in zip(schedule.pulls, schedule.lo, schedule.width, strict=True)
    ]
    return twin_law(looks, gap, 1.0, per_panel=24).differ


@given(st.floats(1.5, 12), st.floats(3.0, 25), st.floats(1.0, 40), st.floats(0.01, 3.0))
def test_the_bound_is_never_below_the_exact_law(ratio: float, lo: float, width: float, gap: float) -> None:
    """Two normal arms. Both twins may also be misled, which the bound leaves to others: lo >= 3 makes that rare."""
    schedule, at = schedule_of(ratio, lo, width), LAW
    bound = along_gaps(schedule, at, np.array([gap * 0.999, gap])).sum()
    misled = 2 * GAUSSIAN.mean_tail(schedule.lo, schedule.width, gap * schedule.roots).sum()
    assert bound + misled >= exact(schedule, gap) - 5e-4  # the exact law's own quadrature error


@pytest.mark.parametrize(
    ("ratio", "lo", "width"), [(5.334, 4.883, 6.335), (6.074, 13.91, 16.34), (7.231, 23.05, 32.62)]
)
def test_the_bound_is_within_a_tenth_of_the_exact_law_at_the_worst_gap(ratio: float, lo: float, width: float) -> None:
    schedule, at = schedule_of(ratio, lo, width), LAW
    gaps = gap_cells([schedule], at.far, 0.05)
    parted = along_gaps(schedule, at, gaps).sum(axis=1)
    worst = int(parted.argmax())
    around = np.geomspace(0.8 * gaps[worst], 1.25 * gaps[worst], 60)
    assert (
        max(exact(schedule, gap) for gap in around)
        <= parted[worst]
        <= 1.1 * max(exact(schedule, gap) for gap in around)
    )


def test_one_phase_has_the_closed_form_of_two_normal_variables() -> None:
    """A window without an end in sight: (1 / w) E|D - D'| = (2 sqrt(2) / sqrt(pi)) / w."""
    schedule, at = schedule_of(4.0, 50.0, 100.0, phases=1), Straying(GAUSSIAN).levels(fine=4)
    gap = 100.0 / schedule.roots[0]
    found = along_gaps(schedule, at, np.array([gap * (1 - 1e-9), gap])).sum()
    assert found == pytest.approx(2 * math.sqrt(2 / math.pi) / 100, rel=0.005)
    assert found >= 2 * math.sqrt(2 / math.pi) / 100


def test_cells_that_are_finer_give_bounds_that_are_lower() -> None:
    schedule, at = schedule_of(5.0, 6.0, 9.0), LAW
    bounds = [
        along_gaps(schedule, at, gap_cells([schedule], at.far, cell)).sum(axis=1).max() for cell in (1.0, 0.2, 0.05)
    ]
    assert bounds[0] >= bounds[1] >= bounds[2]
    assert along_medians(schedule, MEDIANS, 4000).sum() <= (along_medians(schedule, MEDIANS, 1000).sum())


@pytest.mark.parametrize("rule", [(5.0, 6.0, 9.0), (3.15, 5.181, 11.91), (7.231, 23.05, 32.38)])
def test_every_geometric_sequence_is_among_the_sequences_of_medians(rule: tuple[float, float, float]) -> None:
    schedule, at = schedule_of(*rule), MEDIANS
    free = along_medians(schedule, at, 6000).sum()
    geometric = along_gaps(schedule, at, gap_cells([schedule], at.far, 0.02)).sum(axis=1).max()
    assert geometric <= free * 1.01  # 1 %: cells of either are not the same


def lead_below(t: float, leads: np.ndarray) -> float:
    """P(X_1 - max_i X_i < t) for independent X with X_1 ahead by ``leads``: one integral over X_1."""

    def given_first(z: float) -> float:
        return float(stats.norm.pdf(z) * (1 - stats.norm.cdf(z + leads - t).prod()))

    return float(integrate.quad(given_first, -9, 9, epsabs=1e-12, limit=200)[0])


@pytest.mark.parametrize("leads", [[0.5], [0.0, 0.0], [1.0, 1.0, 1.0, 1.0], [0.2, 3.0, 5.0], [2.0] * 9])
def test_the_lead_of_the_best_arm_is_no_more_spread_than_two_arms(leads: list[float]) -> None:
    """Its quantile transform has slope 1 / sqrt(2) at least; so beyond the median it is below a normal tail."""
    gaps = np.array(leads)
    median = optimize.brentq(lambda t: lead_below(t, gaps) - 0.5, -8, 8)
    ts = median + np.linspace(-3, 3, 13)
    normal = stats.norm.ppf([lead_below(t, gaps) for t in ts])
    assert (np.diff(normal) / np.diff(ts) >= 1 / math.sqrt(2) - 1e-6).all()


@pytest.mark.parametrize("leads", [[0.5], [0.1, 0.1], [1.0, 1.0, 1.0, 1.0], [0.2, 3.0, 5.0], [2.0] * 9])
@pytest.mark.parametrize("grown", [1.3, 2.0, 3.0])
def test_medians_grow_at_least_as_fast_as_the_root_of_the_pulls(leads: list[float], grown: float) -> None:
    gaps = np.array(leads)
    now, later = (
        optimize.brentq(lambda t, scale=scale: lead_below(t, scale * gaps) - 0.5, -9, 30) for scale in (1.0, grown)
    )
    assert later >= grown * now - 1e-9 if now > 0 else later >= now - 1e-9
