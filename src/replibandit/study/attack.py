"""`attack`: look for an instance on which twins differ more often than a policy claims.

How instances are made is told in `attack_instances` and `attack_laws`, how they are searched in `attack_search`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from replibandit.core.invariants import flag, one_of, real, shown, whole
from replibandit.core.policy import PhasedPolicy
from replibandit.core.problem import Problem
from replibandit.core.spec import Spec
from replibandit.core.subjects import check_policy
from replibandit.errors import InvalidParameter
from replibandit.policies import policy_from_dict
from replibandit.simulate.engine import Progress
from replibandit.simulate.streams import SHARING, Sharing
from replibandit.study.attack_search import FEWEST, Finding, Target, search
from replibandit.study.config import carried, versions
from replibandit.theory.noise import NOISES, Assumption

CERTAIN = 0.999  # an alarm in a thousand sound policies would already be one too many: the tail is half of that


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """Everything an attack has seen; ``rho`` is the claim, ``refuted`` the verdict."""

    policy: PhasedPolicy
    rho: float
    level: float
    findings: tuple[Finding, ...]
    skipped: int  # instances whose single rewards were too many to draw
    config: dict[str, Any]

    @property
    def finalists(self) -> tuple[Finding, ...]:
        """The last measurements, on fresh values of U; only they count."""
        return tuple(finding for finding in self.findings if finding.stage == "finals")

    @property
    def worst(self) -> Finding:
        """The finalist within the claim's assumptions with the highest lower limit."""
        judged = [finding for finding in self.finalists if finding.instance.judged]
        return max(judged, key=lambda finding: (finding.nonreplication.low, finding.nonreplication.estimate))

    @property
    def problem(self) -> Problem:
        """The worst instance, to look at with `replicate`."""
        return self.worst.problem

    @property
    def outside(self) -> tuple[Finding, ...]:
        """Finalists outside the claim's assumptions: told, but not held against it."""
        return tuple(finding for finding in self.finalists if not finding.instance.judged)

    @property
    def refuted(self) -> bool:
        """Whether the worst instance's lower limit exceeds the claim."""
        return self.worst.nonreplication.low > self.rho

    @property
    def instances(self) -> int:
        """How many different instances were tried."""
        return len({(finding.instance.family, finding.instance.place.gap) for finding in self.findings})

    @property
    def false_alarms(self) -> float:
        """A bound on the probability of refuting a claim that is true."""
        return (1 - self.level) / 2

    @property
    def verdict(self) -> str:
        """What was found, and what that is worth."""
        if self.refuted:
            return (
                f"refuted: rho = {self.rho:g} is claimed, but twins differ with a probability of at least "
                f"{self.worst.nonreplication.low:.4g} on this instance (a true claim is refuted with probability "
                f"{self.false_alarms:.2g} at most)."
            )
        return (
            f"not refuted: no instance was found on which twins surely differ more often than rho = {self.rho:g}. "
            "A search proves nothing about the instances it has not tried."
        )

    def to_dict(self) -> dict[str, Any]:
        """The attack as plain JSON values."""
        return {
            "refuted": self.refuted,
            "worst": self.worst.to_dict(),
            "finalists": [finding.to_dict() for finding in self.finalists],
            "instances": self.instances,
            "skipped": self.skipped,
            "pairs_in_all": sum(finding.pairs for finding in self.findings),
            "verdict": self.verdict,
        } | self.config

    def table(self) -> dict[str, list[Any]]:
        """One row per measurement, as columns."""
        worst, rows = self.worst, self.findings
        return {
            "stage": [finding.stage for finding in rows],
            "shape": [finding.instance.shape for finding in rows],
            "law": [finding.instance.law.name for finding in rows],
            "gap": [finding.instance.place.gap for finding in rows],
            "judged": [finding.instance.judged for finding in rows],
            "pairs": [finding.pairs for finding in rows],
            "nonreplication": [finding.nonreplication.estimate for finding in rows],
            "low": [finding.nonreplication.low for finding in rows],
            "high": [finding.nonreplication.high for finding in rows],
            "worst": [finding is worst for finding in rows],
        }

    def __repr__(self) -> str:
        return f"Attack({self.policy!r}, rho={self.rho:g}, refuted={self.refuted}, worst={self.worst})"


def attack(
    policy: PhasedPolicy,
    *,
    rho: float | None = None,
    noise: Assumption | None = None,
    sigma: float | None = None,
    pairs: int = 100_000,
    outside: bool = False,
    sharing: Sharing = "shared",
    level: float = CERTAIN,
    seed: int = 0,
    progress: Progress | None = None,
) -> Attack:
    """Search for the instance on which twins differ most often, and hold it against the claim ``rho``.

    ``rho`` is by default what the policy guarantees, ``noise`` the assumption under which ("sub-gaussian" for a
    policy that names none): "gaussian" tries normal rewards alone, "bounded" rewards of one range 2 sigma,
    "sub-gaussian" both and more. ``outside=True`` adds rewards beyond any of these, which are told but not judged.
    Each finalist is measured on ``pairs`` pairs of twins; the intervals of all judged finalists hold at once with
    probability ``level``. ``sharing`` is that of `replicate`: without a shared U every policy breaks.

    >>> import replibandit as rb
    >>> policy = rb.SharpREC(arms=2, horizon=10**6, rho=0.3, sigma=0.5, first=1, ratio=3, lo=4, width=4)
    >>> found = rb.attack(policy, rho=0.3, noise="gaussian", pairs=2000, seed=7)
    >>> found.refuted, found.worst.nonreplication.low > 0.3
    (True, True)
    >>> rb.replicate(policy, found.problem, seeds=1000, runs=2).low > 0.3
    True
    """
    check_policy(policy)
    assumed = cast("Assumption", one_of("noise", noise or getattr(policy, "noise", "sub-gaussian"), NOISES))
    target = Target(
        policy=policy,
        sigma=scale(policy, sigma),
        noise=assumed,
        outside=flag("outside", outside),
        sharing=sharing,
        pairs=whole("pairs", pairs, low=FEWEST, high=10**9),
        seed=whole("seed", seed, low=0, high=2**63 - 1),
        level=real("level", level, above=0.5, high=1 - 1e-12),
    )
    claim = claimed(policy, rho)
    one_of("sharing", sharing, SHARING)
    whole("policy.arms", policy.arms, low=2, high=10**6, remedy="With one arm there is nothing to decide.")
    findings, skipped = search(target, progress)
    if not any(finding.stage == "finals" and finding.instance.judged for finding in findings):
        raise InvalidParameter(
            f"no instance within the assumptions could be simulated ({skipped} would draw too many single rewards); "
            "use a shorter horizon or more pairs."
        )
    config = {
        "question": "attack",
        "policy": policy.to_dict() if isinstance(policy, Spec) else repr(policy),
        "rho": claim,
        "noise": assumed,
        "sigma": target.sigma,
        "pairs": target.pairs,
        "outside": target.outside,
        "sharing": sharing,
        "level": target.level,
        "seed": target.seed,
        "versions": versions(),
    }
    return Attack(
        policy=policy, rho=claim, level=target.level, findings=tuple(findings), skipped=skipped, config=config
    )


def claimed(policy: PhasedPolicy, rho: float | None) -> float:
    """The claim to attack."""
    if rho is not None:
        return real("rho", rho, low=0, high=1)
    if policy.guarantee.rho is None:
        raise InvalidParameter(
            f"{type(policy).__name__} claims nothing ({policy.guarantee}); give the claim to attack: `rho`, or "
            "--claim on the command line."
        )
    return policy.guarantee.rho


def scale(policy: PhasedPolicy, sigma: float | None) -> float:
    """The scale of the noise: what the policy assumes, if nothing is said."""
    assumed = getattr(policy, "sigma", None) if sigma is None else sigma
    if assumed is None:
        raise InvalidParameter(f"{type(policy).__name__} assumes no scale of the noise; give `sigma`.")
    return real("sigma", assumed, above=0)


def attack_from_config(config: Mapping[str, Any], progress: Progress | None = None) -> Attack:
    """The attack that a result tells of, made again."""
    options = carried(config, "policy", "rho", "noise", "sigma", "pairs", "outside", "sharing", "level", "seed")
    policy = options.pop("policy")
    if not isinstance(policy, Mapping):
        raise InvalidParameter(f"only built-in policies can be attacked again, but got {shown(policy)}.")
    return attack(policy_from_dict(policy), progress=progress, **options)
