"""Attack every shipped claim at full strength: ``make attack``. The record goes into the documentation.

Every finalist gets a million pairs of twins. Finished claims are kept in build/attack: an interrupted series goes on
from there. Controls at the end are claims that are false, so that a search that finds nothing would be noticed.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import replibandit as rb
from replibandit.policies.design_table import COMMON
from replibandit.study.attack_series import Claim, attack_claims

ROOT = Path(__file__).parents[1]
RECORD = ROOT / "docs" / "attack-results.json"
PAGE = ROOT / "docs" / "attack.md"
PARTS = ROOT / "build" / "attack"
START, END = "<!-- record: written by make attack -->\n", "<!-- end of record -->\n"
T = 10**12
NOISE = "sub-gaussian"  # what the theorems assume


def theorem() -> list[Claim]:
    """The paper's own constants."""
    return [
        Claim(name=f"{cls.__name__}, K = {arms}", policy=cls(arms=arms, horizon=T, rho=rho, sigma=1.0), noise=NOISE)
        for arms, cls in ((2, rb.REC), (3, rb.REC), (3, rb.RSE))
        for rho in (0.3, 0.05)
    ]


def certified() -> list[Claim]:
    """Shipped constants: the same guarantee for hundreds of times fewer samples, with little to spare."""
    chosen: list[tuple[Any, int, float, str]] = [(rb.REC, 2, rho, "gaussian") for rho in (0.3, 0.1, 0.05)]
    chosen += [(rb.REC, 2, 0.3, "sub-gaussian")]
    chosen += [(rb.REC, arms, rho, "gaussian") for arms in (3, 10) for rho in (0.3, 0.05)]
    chosen += [(rb.RSE, 3, 0.3, "gaussian"), (rb.RLSE, 5, 0.3, "gaussian")]
    return [
        Claim(
            name=f"certified {cls.__name__}, K = {arms}, {noise}",
            policy=cls.sharp(arms=arms, horizon=COMMON, rho=rho, sigma=1.0, noise=noise),
        )
        for cls, arms, rho, noise in chosen
    ]


def controls() -> list[Claim]:
    """Claims that are false."""
    scaled = rb.REC(arms=2, horizon=T, rho=0.05, sigma=1.0, commit_scale=0.03)
    coarse = rb.SharpREC(arms=2, horizon=T, rho=0.05, sigma=1.0, first=1, ratio=4, lo=22, width=70)
    shipped = rb.REC.sharp(arms=2, horizon=COMMON, rho=0.05, sigma=1.0, noise="gaussian")
    few = replace(shipped, starts=shipped.starts // 4)
    return [
        Claim(name="control: REC with C = 0.03", policy=scaled, rho=0.05, noise=NOISE),
        Claim(name="control: a rule judged on a coarse grid of gaps", policy=coarse, rho=0.047, noise="gaussian"),
        Claim(name="control: certified REC with a quarter of its starts", policy=few, rho=0.05, noise="gaussian"),
    ]


def table(record: Sequence[Mapping[str, Any]]) -> str:
    """The record as a table of the page."""
    rows = [
        "| claim | claimed rho | worst found | 99.9 % interval | where | instances | pairs of twins | refuted |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for entry in record:
        worst, measured = entry["worst"], entry["worst"]["nonreplication"]
        gap = f"{worst['shape']}, gap {worst['gap']:.3g}" if worst["gap"] else worst["shape"]
        cells = (
            entry["name"],
            f"{entry['rho']:g}",
            f"{measured['estimate']:.4f}",
            f"{measured['low']:.4f} to {measured['high']:.4f}",
            f"{gap}, {worst['law']}",
            f"{entry['instances']:,}",
            f"{entry['pairs_in_all'] / 1e6:.1f} million",
            "**yes**" if entry["refuted"] else "no",
        )
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def with_table(page: str, record: Sequence[Mapping[str, Any]]) -> str:
    """The page with the table in its place."""
    head, _, rest = page.partition(START)
    _, _, tail = rest.partition(END)
    return f"{head}{START}\n{table(record)}\n{END}{tail}"


def main() -> int:
    """Attack, write, and fail if a claim that is meant is refuted or a control is not."""
    started, shipped, false = time.monotonic(), [*theorem(), *certified()], controls()
    print(f"attacking {len(shipped) + len(false)} claims; finished ones are kept in {PARTS}")
    record = attack_claims(
        [*false, *shipped],
        PARTS,
        processes=min(os.cpu_count() or 1, 8),
        progress=lambda done, total: print(f"{done} of {total} after {time.monotonic() - started:.0f} s", flush=True),
    )
    record = [*record[len(false) :], *record[: len(false)]]
    RECORD.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), record), encoding="utf-8")
    print(table(record))
    wrong = [entry["name"] for entry in record if entry["refuted"] is not entry["name"].startswith("control")]
    print(f"not as it should be: {', '.join(wrong)}" if wrong else "every claim stands, every control is refuted")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
