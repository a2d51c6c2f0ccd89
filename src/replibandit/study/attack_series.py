"""Many claims attacked, one file each: an interrupted series goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from replibandit.core.files import whole_file
from replibandit.policies import Policy, policy_from_dict
from replibandit.simulate.engine import Progress
from replibandit.simulate.pool import Call, run_calls
from replibandit.study.attack import attack
from replibandit.study.config import versions
from replibandit.theory.noise import Assumption


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A policy, what is claimed of it, and how large an attack it has to stand."""

    name: str
    policy: Policy
    rho: float | None = None  # None: what the policy guarantees
    noise: Assumption | None = None  # None: what the policy assumes
    pairs: int = 10**6
    seed: int = 0

    @property
    def options(self) -> dict[str, Any]:
        """All that determines the attack, as plain values."""
        return {
            "policy": self.policy.to_dict(),
            "rho": self.rho,
            "noise": self.noise,
            "pairs": self.pairs,
            "seed": self.seed,
        }

    @property
    def file(self) -> str:
        """The name of its result: another claim, or another version of the package, has another."""
        text = json.dumps([self.options, versions()], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16] + ".json"


def attack_claims(
    claims: Sequence[Claim], folder: Path, *, processes: int = 1, progress: Progress | None = None
) -> list[dict[str, Any]]:
    """The record of every claim, in order; those that are in ``folder`` already are not attacked again.

    >>> import tempfile
    >>> import replibandit as rb
    >>> policy = rb.KnownGapETC(arms=2, horizon=1000, rho=0.3, sigma=0.5, gap=0.5)
    >>> claims = [Claim(name="known gap", policy=policy, noise="gaussian", pairs=200)]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     first = attack_claims(claims, Path(folder))
    ...     first == attack_claims(claims, Path(folder))
    True
    >>> first[0]["refuted"]
    False
    """
    folder.mkdir(parents=True, exist_ok=True)
    missing = [claim for claim in claims if not (folder / claim.file).exists()]
    calls = [Call(attack_claim, claim.options) for claim in missing]
    for count, done in enumerate(run_calls(calls, processes), 1):
        _write(folder / missing[done.number].file, done.result | {"seconds": round(done.seconds, 1)})
        if progress:
            progress(count, len(missing))
    return [{"name": claim.name} | json.loads((folder / claim.file).read_text(encoding="utf-8")) for claim in claims]


def attack_claim(*, policy: Mapping[str, Any], **options: Any) -> dict[str, Any]:  # noqa: ANN401  those of `attack`
    """One attack, as plain values: what it found, without its thousands of measurements."""
    found = attack(policy_from_dict(policy), **options)
    told = found.to_dict()
    told["finalists"] = [asdict(finding.nonreplication) for finding in found.finalists]
    return told


def _write(path: Path, values: Mapping[str, Any]) -> None:
    """At once or not at all."""
    with whole_file(path) as draft:
        draft.write_text(json.dumps(values, ensure_ascii=False) + "\n", encoding="utf-8")
