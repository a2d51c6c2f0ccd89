"""Write the golden files anew: ``python -m tests.golden.regenerate``. Do it knowingly.

A golden file is what a rule version *means*. If one changes, results published with that version no longer verify:
the rule needs a new version ("rec/2"), a new file, and a line under "Results change" in the changelog. Only files of
rule versions that were never released may be rewritten.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

import replibandit as rb
from replibandit.policies import POLICIES
from tests.contract import EXAMPLES, Example
from tests.golden import paper

HERE = Path(__file__).parent
SEED_OF_U = "golden"
VECTORS = [
    {"seed": seed, "stream": stream, "phase": phase, "slot": slot}
    for seed in ("golden", "correct horse battery staple", "Grüße, 世界", "0" * 64, "x" * 100)
    for stream, phase, slot in (
        ("threshold", 1, 0),
        ("threshold", 3, 2),
        ("order", 3, 2),
        ("start", 0, 0),
        ("threshold", 10**6, 8000),
    )
]


def openssl(*arguments: str, message: str) -> str:
    """The last word that ``openssl dgst`` prints for a message."""
    run = subprocess.run(
        ["openssl", "dgst", "-sha256", *arguments], input=message.encode(), capture_output=True, check=True
    )
    return run.stdout.decode().split()[-1]


def vector(address: dict[str, Any]) -> dict[str, Any]:
    """U at one address, by openssl and whole numbers alone."""
    message = f"replibandit/u/1|{address['stream']}|{address['phase']}|{address['slot']}"
    key = address["seed"].encode().hex()
    digest = openssl("-mac", "HMAC", "-macopt", f"hexkey:{key}", message=message)
    return address | {"hmac": digest, "u": (int(digest, 16) >> (256 - 53)) / 2**53}


def vectors() -> dict[str, Any]:
    """The golden file of the shared randomness."""
    seeds = sorted({address["seed"] for address in VECTORS})
    return {
        "made by": "openssl dgst -sha256 -mac HMAC",
        "u": [vector(address) for address in VECTORS],
        "commitments": {seed: openssl(message=f"replibandit/u/1|commitment|{seed}") for seed in seeds},
    }


def number(value: float) -> float | str:
    """A float as JSON knows it."""
    return value if math.isfinite(value) else str(value)


def plain(trace: rb.Trace) -> dict[str, Any]:
    """A trace as JSON values."""
    return {
        "digest": f"{trace.digest:016x}",
        "phases": [
            {
                "active": list(record.active),
                "pulls": list(record.pulls),
                "complete": record.complete,
                "totals": list(record.totals),
                "decisions": [
                    [d.slot, number(d.statistic), number(d.threshold), d.u, d.taken] for d in record.decisions
                ],
            }
            for record in trace.phases
        ],
    }


def golden_case(example: Example) -> dict[str, Any]:
    """One run of an example with everything needed to replay it."""
    policy = example.policy if "ucb1" not in example.policy.kind else example.at(60)
    study = rb.simulate(policy, example.problem, runs=1, seed=17, u=rb.SharedRandomness(SEED_OF_U))
    return {"name": example.name, "policy": policy.to_dict(), "seed_of_u": SEED_OF_U, "trace": plain(study.trace(0))}


def traces(kind: str) -> dict[str, Any]:
    """The golden file of one rule version."""
    return {"kind": kind, "cases": [golden_case(e) for e in EXAMPLES if e.policy.kind == kind]}


def philox() -> dict[str, Any]:
    """The golden file of the bulk randomness: a small table of one study."""
    source = rb.BulkRandomness(2**64 * 7 + 5)
    return {"key": source.key, "first": 3, "uniforms": source.block(3, 4).uniforms(2, 6).tolist()}


def paper_labels() -> dict[str, Any]:
    """Labels and numbers of the paper's parts; needs its LaTeX source."""
    tex = paper.SOURCE.read_text(encoding="utf-8")
    return {
        "labels": paper.labels_of(tex),
        "sections": paper.sections_of(tex),
        "definitions": paper.definitions_of(tex),
        "algorithms": paper.algorithms_of(tex),
    }


def path_of(kind: str) -> Path:
    """Where the golden traces of a rule version stand."""
    return HERE / "traces" / f"{kind.replace('/', '-')}.json"


def write(path: Path, values: dict[str, Any]) -> None:
    """Write one file and say whether it changed."""
    text = json.dumps(values, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    before = path.read_text(encoding="utf-8") if path.exists() else None
    path.write_text(text, encoding="utf-8")
    state = "new" if before is None else "unchanged" if before == text else "CHANGED"
    sys.stdout.write(f"{state:9} {path.relative_to(HERE)}\n")


def main() -> None:
    """Write every golden file."""
    write(HERE / "u.json", vectors())
    write(HERE / "philox.json", philox())
    for kind in POLICIES:
        write(path_of(kind), traces(kind))
    if paper.SOURCE.exists():
        write(paper.STORED, paper_labels())


if __name__ == "__main__":
    np.seterr(all="raise", under="ignore")
    main()
