"""How often twins differ, exactly: two arms with Gaussian rewards of known scale.

Two runs share every U_p and nothing else, so their statistics are two independent copies of the chain of
`theory.stopping`, and the law of "both statistics, and neither run has stopped" is carried from phase to phase as a
matrix. Given both statistics, with stopping probabilities s and s' over the shared U_p, both stop with probability
min(s, s'), neither with 1 - max(s, s'). Twins agree if both stop in one phase for one arm, or never stop.

The stopping probabilities are exact; the quadrature is not: min(s, s') has a kink where s = s', so the error falls
with the square of the distance of the nodes. It is measured by doubling them (see the tests).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from replibandit.theory.stopping import PER_PANEL, Look, chain, stop_probability


@dataclass(frozen=True, slots=True)
class TwinLaw:
    """What twins do on one instance."""

    differ: float  # P(their sequences differ)
    parted: tuple[float, ...]  # by the phase in which they part
    wrong: float  # P(one given twin commits to the worse arm)


def twin_law(looks: Sequence[Look], gap: float, sigma: float, *, per_panel: int = PER_PANEL) -> TwinLaw:
    """The law of twins whose arms differ by ``gap``.

    >>> looks = [Look(100, 2.0, 0.05), Look(400, 2.0, 0.025)]
    >>> round(twin_law(looks, gap=0.1, sigma=0.5).differ, 3)
    0.583
    """
    both, one = np.ones((1, 1)), np.ones(1)
    parted: list[float] = []
    wrong = 0.0
    for look, statistic, move in chain(looks, gap, sigma, per_panel=per_panel):
        both, one = move @ both @ move.T, move @ one
        stops = stop_probability(look, statistic)
        better = statistic > 0
        wrong += float(one[~better] @ stops[~better])
        least = np.minimum(stops[:, None], stops)
        same_arm = better[:, None] == better
        parts = stops[:, None] + stops - least * (1.0 + same_arm)
        parted.append(float((both * parts).sum()))
        both = both * (1 - np.maximum(stops[:, None], stops))
        one = one * (1 - stops)
    return TwinLaw(differ=sum(parted), parted=tuple(parted), wrong=wrong)
