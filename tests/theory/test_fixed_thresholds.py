"""Fixed thresholds at random starts: never below the exact law, nearly equal to it, and the same for any medians."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replibandit.theory.disagreement import Schedule, gap_cells
from replibandit.theory.fixed_thresholds import along_gaps, along_medians
from replibandit.theory.noise import Noise
from replibandit.theory.stopping import Look
from replibandit.theory.straying import Straying
from replibandit.theory.twins import twin_law

LAW, MEDIANS = Straying(Noise("gaussian")), Straying(Noise("gaussian"), medians=True)


def starts_of(ratio: float, lo: float, starts: int, phases: int = 5, first: float = 30.0) -> list[Schedule]:
    places = [np.arange(phases) + start / starts for start in range(starts)]
    return [Schedule.alike(np.ceil(first * ratio**steps), lo, 0.0) for steps in places]


def exact(starts: list[Schedule], gap: float) -> float:
    looks = [[Look(int(n), lo, 1 / math.sqrt(n), 0.0) for n, lo in zip(s.pulls, s.lo, strict=True)] for s in starts]
    return math.fsum(twin_law(each, gap, 1.0, per_panel=12).differ for each in looks) / len(starts)


@given(st.floats(1.5, 20), st.floats(3.0, 20), st.integers(1, 6), st.floats(0.01, 3.0))
def test_the_bound_is_never_below_the_exact_law(ratio: float, lo: float, starts: int, gap: float) -> None:
    """Both twins may also be misled, which the bound leaves to others: lo >= 3 makes that rare."""
    schedules = starts_of(ratio, lo, starts, phases=4)
    bound = along_gaps(schedules, LAW, np.array([gap * 0.9999, gap])).sum()
    misled = 2 * np.mean([LAW.noise.tails(s.lo + gap * s.roots).sum() for s in schedules])
    assert bound + misled >= exact(schedules, gap) - 5e-4  # the exact law's own quadrature error


@pytest.mark.parametrize(("ratio", "lo", "starts"), [(7.579, 5.657, 8), (14.86, 12.08, 16)])
def test_it_is_within_three_hundredths_of_the_exact_law(ratio: float, lo: float, starts: int) -> None:
    schedules = starts_of(ratio, lo, starts)
    gaps = gap_cells(schedules, LAW.far, 0.005)
    parted = along_gaps(schedules, LAW, gaps).sum(axis=1)
    middle = lo / schedules[0].roots[2]
    around = middle * ratio ** (np.arange(0, starts + 1) / (2 * starts))
    worst = max(exact(schedules, gap) for gap in around.tolist())
    assert worst <= parted.max() <= 1.03 * worst


def test_many_starts_have_the_closed_form_of_an_integral() -> None:
    """(2 / ln b) times the integral of E|D - D'| / t over log t, which is E|D - D'| / lo where lo is large."""
    lo, ratio = 500.0, 16.0
    schedules = starts_of(ratio, lo, 2048, phases=3, first=1e6)
    gap = lo / schedules[0].roots[1]
    bound = along_gaps(schedules, LAW, np.array([gap * (1 - 1e-6), gap])).sum()
    difference = 2 * math.sqrt(2 / math.pi)  # E|D - D'|, D and D' normal with variance 2
    assert bound == pytest.approx(2 / math.log(ratio) * difference / lo, rel=2e-3)


def test_cells_that_are_skipped_would_have_added_nothing() -> None:
    """The cells in reach of a threshold are found by their edges; all cells at once give the same."""
    schedules, gaps = starts_of(7.579, 5.657, 3), np.geomspace(1e-3, 10.0, 2000)
    whole = np.zeros((gaps.size - 1, 5))
    for schedule in schedules:
        centres = gaps[:, None] * schedule.roots
        whole += LAW.parts(schedule.lo - centres[1:], schedule.lo - centres[:-1]) / 3
    found = along_gaps(schedules, LAW, gaps)
    assert (found >= whole).all()
    assert found == pytest.approx(whole, abs=1e-12)


@pytest.mark.parametrize(("ratio", "lo", "starts"), [(6.469, 6.099, 8), (10.83, 13.68, 16), (3.0, 4.0, 1)])
def test_the_worst_medians_are_hardly_worse_than_one_gap(ratio: float, lo: float, starts: int) -> None:
    schedules = starts_of(ratio, lo, starts)
    free = along_medians(schedules, MEDIANS, 0.003).sum()
    geometric = along_gaps(schedules, LAW, gap_cells(schedules, LAW.far, 0.005)).sum(axis=1).max()
    assert geometric <= free * 1.003  # cells of either are not the same
    assert free <= 1.02 * geometric


@given(st.lists(st.floats(0.0, 1.5), min_size=9, max_size=9), st.floats(0.1, 3.0))
def test_no_sequence_of_medians_that_grows_fast_enough_is_worse(jumps: list[float], first: float) -> None:
    """Any admissible path: each median is at least the last one times the root of the growth of pulls."""
    schedules = starts_of(6.0, 5.0, 3, phases=3)
    bound = along_medians(schedules, MEDIANS, 0.003).sum()
    pulls = np.sort(np.concatenate([schedule.pulls for schedule in schedules]))
    median, total, before = first, 0.0, pulls[0]
    for jump, count in zip(jumps, pulls.tolist(), strict=True):
        median = median * math.sqrt(count / before) + jump
        before = count
        total += float(MEDIANS.parts(np.array(5.0 - median), np.array(5.0 - median))) / 3
    assert total <= bound


@given(st.lists(st.floats(2.0, 6.0), min_size=3, max_size=3))
def test_a_coarse_dynamic_programme_agrees_with_trying_every_path(heights: list[float]) -> None:
    """Three looks with thresholds of their own, every admissible path over a grid of medians."""
    pulls = np.array([4.0, 9.0, 25.0])
    schedule = Schedule(pulls, np.array(heights), np.zeros(3))
    grid, cell = np.arange(0, 18, 0.15), 0.01
    bumps = [MEDIANS.parts(height - grid, height - grid) for height in heights]
    best = 0.0
    for i, first in enumerate(grid):
        for j in np.flatnonzero(grid >= first * 1.5):
            later = bumps[2][grid >= grid[j] * 5 / 3]
            best = max(best, float(bumps[0][i] + bumps[1][j] + later.max(initial=0.0)))
    found = along_medians([schedule], MEDIANS, cell).sum()
    assert best <= found <= best + 0.15


def test_starts_without_a_phase_count_as_runs_that_never_part() -> None:
    schedules = starts_of(6.0, 5.0, 2, phases=1)
    none = Schedule.alike(np.zeros(0), 5.0, 0.0)
    gaps = gap_cells([*schedules, none, none], LAW.far, 0.005)
    half = along_gaps([*schedules, none, none], LAW, gaps).sum(axis=1).max()
    assert half == pytest.approx(along_gaps(schedules, LAW, gaps).sum(axis=1).max() / 2, rel=1e-9)
    half = along_medians([*schedules, none, none], MEDIANS, 0.003).sum()
    assert half == pytest.approx(along_medians(schedules, MEDIANS, 0.003).sum() / 2, rel=1e-9)
