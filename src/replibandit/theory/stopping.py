"""When a gap rule stops, exactly: two arms with Gaussian rewards of known scale.

Let x_p = (Dhat_p - Delta) / (sigma sqrt(2 / n_p)), Dhat_p = mean_1 - mean_2 after n_p pulls of each arm. Every x_p is
standard normal and they form a Markov chain: x_{p+1} given x_p is normal with mean r x_p and variance 1 - r^2,
r = sqrt(n_p / n_{p+1}). A run stops at p when |Dhat_p| >= (offset + width U_p) unit_p, so given x_p with probability
clip((|Dhat_p| / unit_p - offset) / width, 0, 1), for U_p is uniform and fresh; if the width is 0, surely or not at
all. The density of "x_p, and not stopped before p"
is carried from phase to phase by Gauss-Legendre quadrature; panels end where the stopping probability has a kink and
span at most three steps of the chain, so every panel holds a smooth function (doubling the nodes moves results by
less than 1e-12: see the tests).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from replibandit.core.arrays import FloatArray
from replibandit.theory.thresholds import Range

REACH = 9.0  # P(|x| > 9) < 3e-19, for any number of phases that fits a horizon
PER_PANEL = 16  # Gauss-Legendre nodes


@dataclass(frozen=True, slots=True)
class Look(Range):
    """One complete phase: n_p pulls of each arm, threshold (offset + width U) unit.

    Two looks at the same pulls must have the same threshold, as all gap policies have.
    """

    pulls: int
    offset: float
    unit: float
    width: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Arrival:
    """What one phase does: ``mass`` at each ``statistic`` Dhat_p arrives there, ``stops`` of it stop."""

    look: Look
    statistic: FloatArray  # [nodes]
    mass: FloatArray  # [nodes], sums to the probability of arriving
    stops: FloatArray  # [nodes], the probability of stopping at that node

    @property
    def best(self) -> float:
        """P(stop here for the better arm)."""
        return float((self.mass * self.stops)[self.statistic > 0].sum())

    @property
    def worse(self) -> float:
        """P(stop here for the worse arm)."""
        return float((self.mass * self.stops)[self.statistic <= 0].sum())

    @property
    def going(self) -> FloatArray:
        """The mass that goes on, node by node."""
        return self.mass * (1 - self.stops)


def arrivals(looks: Sequence[Look], gap: float, sigma: float, *, per_panel: int = PER_PANEL) -> Iterator[Arrival]:
    """Phase by phase, where a run's statistic is and how likely it stops there.

    >>> looks = [Look(100, 2.0, 0.05), Look(400, 2.0, 0.025)]
    >>> [round(a.best, 4) for a in arrivals(looks, gap=0.1, sigma=0.5)]
    [0.3645, 0.5026]
    """
    going = np.ones(1)
    for look, statistic, move in chain(looks, gap, sigma, per_panel=per_panel):
        arrival = Arrival(look, statistic, move @ going, stop_probability(look, statistic))
        going = arrival.going
        yield arrival


def chain(
    looks: Sequence[Look], gap: float, sigma: float, *, per_panel: int = PER_PANEL
) -> Iterator[tuple[Look, FloatArray, FloatArray]]:
    """Phase by phase, the nodes of Dhat_p and how mass moves to them from those before: ``move [nodes, before]``.

    The first phase moves a mass of one, whatever the gap, to its nodes.
    """
    last: Look | None = None
    x, root = np.zeros(1), 0.0
    statistic = x
    for number, look in enumerate(looks):
        if look == last:  # no new pulls, a new U
            yield look, statistic, np.eye(x.size)
            continue
        scale = sigma * math.sqrt(2 / look.pulls)
        steps = [_step(looks[i], looks[i + 1]) for i in (number - 1, number) if 0 <= i < len(looks) - 1]
        before, step = x, 1.0
        if last is not None:
            root, step = math.sqrt(last.pulls / look.pulls), _step(last, look)
        x, weight = _nodes(look, gap, scale, min(filter(None, steps), default=1.0), per_panel)
        statistic, last = gap + scale * x, look
        density = np.exp(-(((x[:, None] - root * before) / step) ** 2) / 2) / (step * math.sqrt(2 * math.pi))
        yield look, statistic, weight[:, None] * density


def stop_probability(look: Look, statistic: FloatArray) -> FloatArray:
    """P(|statistic| >= threshold); one of no width stops whatever reaches it."""
    if look.low == look.high:
        return (np.abs(statistic) >= look.low).astype(np.float64)
    return np.clip((np.abs(statistic) / look.unit - look.offset) / look.width, 0.0, 1.0)


def _step(here: Look, there: Look) -> float:
    """Standard deviation of one step of the chain."""
    return math.sqrt(1 - here.pulls / there.pulls)


def _nodes(look: Look, gap: float, scale: float, step: float, per_panel: int) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights on [-REACH, REACH], panels ending at every kink of the stopping probability and at 0."""
    kinks = np.array([0.0, look.low, look.high])
    ends = np.concatenate(([-REACH, REACH], (kinks - gap) / scale, (-kinks - gap) / scale))
    ends = np.unique(np.clip(ends, -REACH, REACH))
    widths = np.diff(ends)
    counts = np.maximum(np.ceil(widths / max(3 * step, 0.05)).astype(int), 1)
    edges = [np.linspace(a, b, n, endpoint=False) for a, b, n in zip(ends[:-1], ends[1:], counts, strict=True)]
    left = np.concatenate(edges)
    half = np.repeat(widths / counts, counts) / 2
    unit_nodes, unit_weights = np.polynomial.legendre.leggauss(per_panel)
    nodes = (left + half)[:, None] + half[:, None] * unit_nodes
    return nodes.ravel(), (half[:, None] * unit_weights).ravel()


def tie_commits(looks: Sequence[Look], arms: int, sigma: float) -> float:
    """A bound on P(the rule ever commits) when no arm is the unique best: the price eps_0 of "commit -> reject".

    Two arms i, j share the top. To commit to i, or to j, it must lead the other; to commit to any other arm, that
    arm must lead i: K events per phase, each no likelier than a tied pair's. So eps_0 <= K sum_p E_U P(Z >=
    threshold / (sigma sqrt(2 / n_p))), and the mean over U has a closed form. For two arms this is twice
    the union bound of a two-sided test.

    >>> f"{tie_commits([Look(100, 2.0, 0.2)], arms=2, sigma=0.5):.1e}"
    '9.1e-10'
    """
    total = 0.0
    for look in looks:
        noise = sigma * math.sqrt(2 / look.pulls)
        low, high = look.low / noise, look.high / noise
        fixed = low == high
        total += arms * (special.ndtr(-low) if fixed else (_tail_area(low) - _tail_area(high)) / (high - low))
    return float(min(total, 1.0))


def _tail_area(x: float) -> float:
    """The integral of P(Z >= t) over t >= x."""
    return math.exp(-(x**2) / 2) / math.sqrt(2 * math.pi) - x * float(special.ndtr(-x))
