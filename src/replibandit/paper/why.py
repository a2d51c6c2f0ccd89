"""One sentence on why an entry is not matched, where that is known."""

from __future__ import annotations

from replibandit.paper.protocols import AS_WRITTEN


def why(protocol: str, model: str, policy: str, horizon: int, verdict: str) -> str:
    """The sentence; empty for an entry that is matched, or where no reason is known."""
    if verdict == "matched" or policy == "UCB1":
        return ""
    written = protocol == AS_WRITTEN.name
    if horizon == 1_000 and written and (policy != "RSE" or model == "paper/model-1"):
        return (
            "The printed number exceeds what uniform play would cost, so the paper's code must pull the best arm "
            "last in a phase that the horizon cuts short; round robin does not."
        )
    if policy == "RASMAB":
        return "The paper does not print its divisor of beta, and it is not recovered; ours is found by search."
    if written:
        return "The paper does not print its multipliers; its numbers fit noise of variance 0.25, not 0.5."
    if policy == "RSE" and model == "paper/model-2":
        return "The paper's C and C_2 on Model 2 are not printed and not recovered; ours are found by search."
    return "The multiplier is fitted to the printed tables; the authors' own value is not printed."
