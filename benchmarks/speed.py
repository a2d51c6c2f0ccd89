"""How fast? ``make bench`` prints one table; ratios within one run are what counts, machines differ.

Every row runs alone on one core, is warmed up first, and is the best of five, in seconds of the processor: what a
core can do, not what else the machine was doing. The UCB1 rows below the first are the usual ways to write the same
loop, measured here so that the ratio is one machine's. Below the table stand the claims of the documentation with
what was measured; one that does not hold ends the command with exit code 1.
"""

from __future__ import annotations

import functools
import math
import sys
import time
from collections.abc import Callable

import numpy as np
from rich.console import Console
from rich.table import Table

import replibandit as rb

MODEL = rb.problem("paper/model-1", sd=0.5)
MEANS = np.array(MODEL.means)
T = 10_000
RUNS = 300_000
Row = tuple[str, str, float, str]  # what, unit, how many per second, note


def best_time(work: Callable[[], object]) -> float:
    work()
    seconds = []
    for _ in range(5):
        started = time.process_time()
        work()
        seconds.append(time.process_time() - started)
    return min(seconds)


def rec(horizon: int, **options: float) -> rb.REC:
    return rb.REC(arms=10, horizon=horizon, rho=0.3, sigma=0.5, **options)  # type: ignore[arg-type]


def python_ucb1(runs: int) -> None:
    """One reward at a time, as a textbook writes it."""
    rng = np.random.default_rng(0)
    for _ in range(runs):
        counts, totals = [0] * 10, [0.0] * 10
        noise = rng.standard_normal(T).tolist()
        for t in range(T):
            if t < 10:
                arm = t
            else:
                root = math.sqrt(2 * math.log(t + 1))
                scores = [s / n + root / math.sqrt(n) for s, n in zip(totals, counts, strict=True)]
                arm = scores.index(max(scores))
            counts[arm] += 1
            totals[arm] += MODEL.means[arm] + 0.5 * noise[t]


def numpy_ucb1(runs: int) -> None:
    """All runs in step, one array operation per round."""
    rng = np.random.default_rng(0)
    counts, totals, rows = np.ones((runs, 10)), MEANS + 0.5 * rng.standard_normal((runs, 10)), np.arange(runs)
    for t in range(10, T):
        arm = np.argmax(totals / counts + np.sqrt(2 * math.log(t + 1) / counts), axis=1)
        counts[rows, arm] += 1
        totals[rows, arm] += MEANS[arm] + 0.5 * rng.standard_normal(runs)


def phased_rows() -> list[Row]:
    """REC and RSE: complete runs per second."""
    rows = []
    cases = (
        ("REC, T = 10^4", rec(T)),
        ("REC, T = 10^12", rec(10**12)),
        ("REC, T = 10^4, C = 0.03", rec(T, commit_scale=0.03)),
        ("RSE, T = 10^12", rb.RSE(arms=10, horizon=10**12, rho=0.3, sigma=0.5)),
    )
    for name, policy in cases:
        seconds = best_time(functools.partial(rb.simulate, policy, MODEL, runs=RUNS, seed=1))
        rows.append((name, "runs", RUNS / seconds, f"{RUNS * policy.horizon / seconds:.1e} rounds/s in effect"))
    return rows


def round_rows() -> list[Row]:
    """UCB1 three ways: rounds per second."""
    cases: tuple[tuple[str, int, Callable[[int], object]], ...] = (
        ("UCB1, ours", 1000, lambda runs: rb.simulate(rb.UCB1(arms=10, horizon=T), MODEL, runs=runs, seed=1)),
        ("UCB1, NumPy over runs", 500, numpy_ucb1),
        ("UCB1, plain Python", 5, python_ucb1),
    )
    speeds = [(name, runs * T / best_time(functools.partial(work, runs))) for name, runs, work in cases]
    return [(name, "rounds", speed, f"{speeds[0][1] / speed:.1f} times slower than ours") for name, speed in speeds]


def exact_counts() -> bool:
    """At 10^15 rounds every arm's pulls are whole and add up to the last one."""
    study = rb.simulate(rec(10**15), MODEL, runs=10_000, seed=1)
    return bool((study.pulls.sum(axis=-1) == 10**15).all()) and study.pulls.dtype == np.int64


def claims(phased: list[Row], rounds: list[Row]) -> list[tuple[bool, str]]:
    """What the documentation says about speed, and whether it held in this run."""
    short, long, played = phased[0][2], phased[1][2], rounds[0][2]
    return [
        (short >= 500_000, f"at least 500,000 REC runs/s at T = 10^4: {short:,.0f}"),
        (short <= 3 * long, f"a REC run at T = 10^12 costs at most 3 times one at T = 10^4: {short / long:.2f}"),
        (exact_counts(), "counts at T = 10^15 are exact"),
        (played >= 15_000_000, f"at least 15 million UCB1 rounds/s: {played / 1e6:.1f} million"),
    ]


def main() -> None:
    table = Table(title="Speed on one core, K = 10", title_justify="left")
    for heading in ("what", "unit", "per second", "note"):
        table.add_column(heading, justify="right" if heading == "per second" else "left")
    phased, rounds = phased_rows(), round_rows()
    for name, unit, speed, note in [*phased, *rounds]:
        table.add_row(name, unit, f"{speed:,.0f}", "" if name == "UCB1, ours" else note)
    Console(width=100).print(table)
    found = claims(phased, rounds)
    for holds, claim in found:
        print("holds " if holds else "FAILS ", claim)
    sys.exit(not all(holds for holds, _ in found))


if __name__ == "__main__":
    main()
