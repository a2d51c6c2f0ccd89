"""Reasons are given where they are known, and only where the facts behind them hold."""

from __future__ import annotations

from replibandit.paper.protocols import AS_RECONSTRUCTED, AS_WRITTEN, Protocol
from replibandit.paper.why import BEST_ARM_LAST, DIVISOR, FITTED, NOT_RECOVERED, UNSEEN, VARIANCE, why


def told(
    protocol: Protocol, model: int, name: str, horizon: int, verdict: str = "not matched", **given: float
) -> str:
    policy = protocol.policy(f"paper/model-{model}", name, horizon, given)
    return why(protocol.name, f"paper/model-{model}", policy, verdict)


def test_what_is_matched_needs_no_reason() -> None:
    assert told(AS_WRITTEN, 1, "REC", 10_000, "matched") == ""
    assert told(AS_WRITTEN, 1, "UCB1", 10_000) == ""


def test_a_printed_number_above_uniform_play_is_told_from_the_others() -> None:
    """Uniform play costs 360 and 233 of 1,000 rounds; RSE on Model 2 is printed below that."""
    assert told(AS_WRITTEN, 1, "REC", 1_000) == BEST_ARM_LAST
    assert told(AS_WRITTEN, 2, "REC", 1_000) == BEST_ARM_LAST
    assert told(AS_WRITTEN, 2, "RSE", 1_000) == VARIANCE
    assert told(AS_WRITTEN, 1, "REC", 10_000) == VARIANCE


def test_a_policy_that_never_explored_earns_nothing() -> None:
    assert told(AS_WRITTEN, 1, "RASMAB", 1_000, divisor=18.0) == UNSEEN
    assert told(AS_WRITTEN, 1, "RASMAB", 1_000, divisor=2000.0) == BEST_ARM_LAST
    assert told(AS_RECONSTRUCTED, 1, "RASMAB", 10_000, divisor=18.0) == DIVISOR
    assert told(AS_RECONSTRUCTED, 2, "RASMAB", 10_000, divisor=18.0).startswith(DIVISOR)


def test_the_reconstruction_says_what_it_recovered() -> None:
    assert told(AS_RECONSTRUCTED, 1, "REC", 10_000) == FITTED
    assert told(AS_RECONSTRUCTED, 2, "RSE", 10_000) == NOT_RECOVERED
