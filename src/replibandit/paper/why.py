"""One sentence on why an entry is not matched, where that is known."""

from __future__ import annotations

from replibandit.paper import printed
from replibandit.paper.protocols import AS_WRITTEN
from replibandit.policies import RASMAB, RSE, UCB1, Policy
from replibandit.problems import problem

UNSEEN = (
    "At this horizon the first batch of the divisor tuned at T = 10,000 does not fit, so arm 0 is played unseen; "
    "that it is the best arm is luck and no merit."
)
BEST_ARM_LAST = (
    "The printed number exceeds what uniform play would cost, so the paper's code must pull the best arm last in a "
    "phase that the horizon cuts short; round robin does not."
)
DIVISOR = (
    "The paper does not print its divisor of β, and it is not recovered; ours is found by search at T = 10,000 and "
    "need not suit another horizon."
)
RUNNER_UP = "The printed regret grows by 0.09 a round, as if the runner-up were played to the end."
VARIANCE = "The paper does not print its multipliers; its numbers fit noise of variance 0.25, not 0.5."
NOT_RECOVERED = "The paper's C and C₂ on Model 2 are not printed and not recovered; ours are found by search."
FITTED = "The multiplier is fitted to the printed tables; the authors' own value is not printed."


def why(protocol: str, model: str, policy: Policy, verdict: str) -> str:
    """The sentence; empty for an entry that is matched, or where no reason is known."""
    if verdict == "matched" or isinstance(policy, UCB1):
        return ""
    if isinstance(policy, RASMAB):
        return _rasmab(protocol, model, policy)
    if protocol == AS_WRITTEN.name:
        return BEST_ARM_LAST if _exceeds_uniform_play(model, policy) else VARIANCE
    return NOT_RECOVERED if (model, type(policy)) == ("paper/model-2", RSE) else FITTED


def _rasmab(protocol: str, model: str, policy: RASMAB) -> str:
    if not policy.explores:
        return UNSEEN
    if protocol == AS_WRITTEN.name and _exceeds_uniform_play(model, policy):
        return BEST_ARM_LAST
    return f"{DIVISOR} {RUNNER_UP}" if model == "paper/model-2" else DIVISOR


def _exceeds_uniform_play(model: str, policy: Policy) -> bool:
    uniform = float(problem(model).gaps.mean()) * policy.horizon
    return printed.regret(model, type(policy).__name__, policy.horizon)[0] > uniform
