"""Attack every entry of the shipped table of certified constants, each briefly: part of ``make attack``.

The record says, entry by entry, what was certified and the worst that was found. Finished entries are kept in
build/attack-table.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import replibandit as rb
from replibandit.policies import design_table
from replibandit.study.attack_series import Claim, attack_claims

ROOT = Path(__file__).parents[1]
RECORD = ROOT / "docs" / "attack-table.json"
PARTS = ROOT / "build" / "attack-table"
PAIRS = 20_000
SHARP: dict[str, Any] = {"commit": rb.REC.sharp, "eliminate": rb.RSE.sharp, "linear": rb.RLSE.sharp}


def claims() -> list[Claim]:
    """One claim for each entry, fewest arms first: what its policy guarantees, under the noise it assumes."""
    entries = sorted(map(design_table.Entry.named, design_table.shipped()), key=lambda entry: entry.arms)
    return [Claim(name=entry.name, policy=policy_of(entry), pairs=PAIRS) for entry in entries]


def policy_of(entry: design_table.Entry) -> Any:  # noqa: ANN401  one of three kinds
    """The policy that ships for this entry."""
    return SHARP[entry.objective](
        arms=entry.arms, horizon=design_table.COMMON, rho=entry.rho, sigma=1.0, noise=entry.noise
    )


def brief(entry: dict[str, Any]) -> dict[str, Any]:
    """What is kept of an attack."""
    worst = entry["worst"]
    constants = design_table.shipped()[entry["name"]]
    return {
        "name": entry["name"],
        "rho": entry["rho"],
        "constants": {name: entry["policy"][name] for name in constants if name != "cost"},
        "worst": {name: worst["nonreplication"][name] for name in ("estimate", "low", "high")},
        "where": f"{worst['shape']}, gap {worst['gap']:.4g}, {worst['law']}",
        "instances": entry["instances"],
        "pairs": entry["pairs_in_all"],
        "refuted": entry["refuted"],
    }


def main() -> int:
    """Attack, write, and fail if any entry is refuted."""
    all_claims = claims()
    if "--finished" in sys.argv:  # record what an interrupted series has found
        all_claims = [claim for claim in all_claims if (PARTS / claim.file).exists()]
    record = attack_claims(
        all_claims,
        PARTS,
        processes=min(os.cpu_count() or 1, 8),
        progress=lambda done, total: print(f"{done} of {total} entries", flush=True),
    )
    kept = [brief(entry) for entry in record]
    RECORD.write_text(json.dumps(kept, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    refuted = [entry["name"] for entry in kept if entry["refuted"]]
    print(f"refuted: {', '.join(refuted)}" if refuted else f"none of {len(kept)} entries is refuted")
    return 1 if refuted else 0


if __name__ == "__main__":
    sys.exit(main())
