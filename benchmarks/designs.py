"""Make the table of certified constants that comes with the package: ``make designs``.

Every entry is the result of `policies.design_search.search`, which is deterministic; entries that are there are kept,
so that an interrupted run goes on where it stopped (``--anew`` starts from nothing).
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from replibandit.policies import design_search, design_table
from replibandit.simulate.pool import Call, run_calls

TABLE = Path(design_table.__file__).with_name("designs.json")
ARMS = {"commit": (2, 3, 4, 5, 6, 8, 10, 20, 50, 100), "eliminate": (3, 5, 10), "linear": (5, 10, 20, 50)}
RHOS = {"commit": (0.3, 0.2, 0.1, 0.05, 0.02, 0.01), "eliminate": (0.3, 0.1, 0.05), "linear": (0.3, 0.1, 0.05)}


def wanted() -> list[design_table.Entry]:
    """What is searched for."""
    return [
        design_table.Entry(objective=objective, noise=noise, arms=arms, rho=rho)
        for objective in ARMS
        for rho in RHOS[objective]
        for arms in ARMS[objective]
        for noise in ("gaussian", "sub-gaussian")
    ]


def main() -> None:
    """Search for what is missing, write after each entry."""
    table = {} if "--anew" in sys.argv else json.loads(TABLE.read_text(encoding="utf-8"))["designs"]
    missing = [entry for entry in wanted() if entry.name not in table]
    calls = [Call(design_search.search, {"entry": entry, "horizon": design_table.COMMON}) for entry in missing]
    for done in run_calls(calls, os.cpu_count() or 1):
        name = missing[done.number].name
        table[name] = done.result
        kept = {entry.name: table[entry.name] for entry in wanted() if entry.name in table}
        text = json.dumps({"horizon": design_table.COMMON, "designs": kept}, indent=1) + "\n"
        TABLE.with_suffix(".draft").write_text(text, encoding="utf-8")
        TABLE.with_suffix(".draft").replace(TABLE)
        print(f"{name}: {done.seconds:.1f} s {done.result}", flush=True)


if __name__ == "__main__":
    main()
