"""Make the table of certified constants that comes with the package: ``make designs``.

Every entry is the result of `replibandit.policies.designed.search`, which is deterministic; entries that are there
are kept, so that an interrupted run goes on where it stopped (``--anew`` starts from nothing).
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from replibandit.policies import designed
from replibandit.simulate.pool import Call, run_calls

TABLE = Path(designed.__file__).with_name("designs.json")
ARMS = {"commit": (2, 3, 4, 5, 6, 8, 10, 20, 50, 100), "eliminate": (3, 5, 10)}
RHOS = {"commit": (0.3, 0.2, 0.1, 0.05, 0.01), "eliminate": (0.3, 0.1)}
FEW = 10  # arms beyond which rho = 0.01 is left to the search


def wanted() -> list[dict[str, object]]:
    """What is searched for."""
    return [
        {"objective": objective, "arms": arms, "rho": rho, "noise": noise, "horizon": designed.COMMON}
        for objective in ARMS
        for rho in RHOS[objective]
        for arms in ARMS[objective]
        for noise in ("gaussian", "sub-gaussian")
        if rho > min(RHOS[objective]) or objective != "commit" or arms <= FEW
    ]


def name(asked: dict[str, object]) -> str:
    return designed.key(asked["objective"], asked["arms"], asked["rho"], asked["noise"])


def main() -> None:
    """Search for what is missing, write after each entry."""
    table = {} if "--anew" in sys.argv else json.loads(TABLE.read_text(encoding="utf-8"))["designs"]
    missing = [asked for asked in wanted() if name(asked) not in table]
    calls = [Call(designed.search, asked) for asked in missing]
    for done in run_calls(calls, os.cpu_count() or 1):
        table[name(missing[done.number])] = done.result
        kept = {name(asked): table[name(asked)] for asked in wanted() if name(asked) in table}
        text = json.dumps({"horizon": designed.COMMON, "designs": kept}, indent=1) + "\n"
        TABLE.with_suffix(".draft").write_text(text, encoding="utf-8")
        TABLE.with_suffix(".draft").replace(TABLE)
        print(f"{name(missing[done.number])}: {done.seconds:.1f} s {done.result}", flush=True)


if __name__ == "__main__":
    main()
