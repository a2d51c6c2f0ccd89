"""`Session`: the driver that folds a policy over rewards told one by one, in memory."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np

from replibandit.core import fold
from replibandit.core.invariants import whole
from replibandit.core.openings import opened
from replibandit.core.order import sequence
from replibandit.core.phase import Tally, Trace
from replibandit.core.policy import PhasedPolicy
from replibandit.core.randomness import Randomness
from replibandit.core.replay import Recorder
from replibandit.core.subjects import check_policy, check_randomness
from replibandit.errors import ConflictingReward, InvalidReward, UnknownPull

LARGEST = 1e290  # the sum of 10^15 such rewards is still a finite float


@dataclass(frozen=True, slots=True)
class Pull:
    """One pull to be made: the ``number``-th of the run (from 1), in ``phase``, of ``arm``."""

    number: int
    phase: int
    arm: int


class Session:
    """A live run of a policy: `ask` for pulls, make them, `tell` their rewards in any order.

    A phase's pulls are fixed before its first reward, so all of them may be asked for at once; the next phase opens
    when every reward of this one has been told.

    >>> import replibandit as rb
    >>> policy = rb.REC(arms=2, horizon=40, rho=0.3, sigma=0.5, commit_scale=0.01)
    >>> session = rb.Session(policy, u=rb.SharedRandomness("published after the experiment"))
    >>> while pulls := session.ask(8):
    ...     for pull in reversed(pulls):
    ...         session.tell(pull, 1.0 if pull.arm == 0 else 0.0)
    >>> session.done, session.pulls, session.active
    (True, (32, 8), (0,))
    """

    def __init__(self, policy: PhasedPolicy, *, u: Randomness) -> None:
        check_policy(policy)
        check_randomness(u)
        self.policy = policy
        self._rule = opened(policy, u)
        self._u = u
        self._recorder = Recorder()
        self._told: dict[int, float] = {}
        self._handed: dict[int, Pull] = {}
        self._closed = 0  # pulls of finished phases
        self._open(fold.start(self._rule))

    # --- the two verbs --------------------------------------------------------------------------------------

    def ask(self, count: int = 1) -> list[Pull]:
        """Up to ``count`` new pulls: fewer, or none, where the phase waits for rewards or the run is over."""
        count = whole("count", count, low=0, high=10**9)
        handed = []
        for arm in itertools.islice(self._queue, count):
            pull = Pull(len(self._handed) + 1, self._state.phase, arm)
            self._handed[pull.number] = pull
            handed.append(pull)
        return handed

    def tell(self, pull: Pull | int, reward: float) -> None:
        """The reward of a pull (or of its number). Telling it again is harmless; telling another is refused."""
        number = self._known(pull)
        value = _finite(number, reward)
        before = self._told.get(number)
        if before is not None and before != value:
            raise ConflictingReward(
                f"pull {number} already has the reward {before!r}, but got {value!r}; the first one stays."
            )
        if before is None:
            self._told[number] = value
            if len(self._told) == self._closed + self._size:
                self._open(self._close())

    # --- where it stands ------------------------------------------------------------------------------------

    @property
    def phase(self) -> int:
        """The phase now open, from 1."""
        return self._state.phase

    @property
    def active(self) -> tuple[int, ...]:
        """The arms of the open phase."""
        return tuple(np.flatnonzero(self._state.active).tolist())

    @property
    def waiting(self) -> list[Pull]:
        """Pulls handed out whose rewards are still missing, oldest first."""
        open_numbers = range(self._closed + 1, len(self._handed) + 1)
        return [self._handed[number] for number in open_numbers if number not in self._told]

    @property
    def pulls(self) -> tuple[int, ...]:
        """Pulls per arm whose rewards have been told."""
        counts = [0] * self.policy.arms
        for number in self._told:
            counts[self._handed[number].arm] += 1
        return tuple(counts)

    @property
    def done(self) -> bool:
        """Whether the horizon is reached and every reward has been told."""
        return self._size == 0

    @property
    def trace(self) -> Trace:
        """The record of all finished phases; of the whole run once `done`."""
        return self._recorder.trace(self._state.digest)

    # --- phases ---------------------------------------------------------------------------------------------

    def _open(self, state: fold.State) -> None:
        """Open the next phase that has pulls; a phase without any (N_p = N_{p-1}) decides at once."""
        self._plan_from(state)
        while self._size == 0 and self._state.elapsed < self.policy.horizon:
            self._plan_from(self._close())

    def _plan_from(self, state: fold.State) -> None:
        self._state = state
        self._size = 0
        self._queue: Iterator[int] = iter(())
        if state.elapsed < self.policy.horizon:
            place = fold.places(self._rule, state.phase, self._u)
            self._plan = fold.plan(self._rule, state, place)
            self._size = int(self._plan.rounds)
            self._queue = sequence(self.policy.order, place, self._plan.pulls)

    def _close(self) -> fold.State:
        """Every reward of the phase is there: count and decide; the state before the next phase."""
        played = fold.play(self._rule, self._state, self._plan)
        if self._plan.complete:
            rewards: list[list[float]] = [[] for _ in range(self.policy.arms)]
            for number in range(self._closed + 1, self._closed + self._size + 1):
                rewards[self._handed[number].arm].append(self._told[number])
            uniforms = self._u.uniforms(played.phase, self._rule.slots)
            tally = Tally.of(rewards)
            following, decisions = fold.decide(self._rule, played, tally, uniforms)
            self._recorder.add(played, self._plan, tally, decisions)
        else:
            self._recorder.add(self._state, self._plan, None, None)
            following = played
        self._closed += self._size
        return following

    def _known(self, pull: Pull | int) -> int:
        number: object = pull.number if isinstance(pull, Pull) else pull
        integral = isinstance(number, Integral) and not isinstance(number, bool)
        handed = self._handed.get(int(number)) if integral else None  # type: ignore[call-overload]  # Integral
        if handed is None or (isinstance(pull, Pull) and pull != handed):
            raise UnknownPull(
                f"{pull!r} was never handed out by this session; tell rewards only for pulls from `ask`, "
                f"numbered 1 to {len(self._handed)}."
            )
        return handed.number

    def __repr__(self) -> str:
        return (
            f"Session({self.policy!r}, phase={self.phase}, told={len(self._told)} of {self.policy.horizon}, "
            f"waiting={len(self._handed) - len(self._told)}, done={self.done})"
        )


def _finite(number: int, reward: object) -> float:
    """The reward as a float; success told as True or False counts as 1 or 0."""
    try:
        value = float(reward) if isinstance(reward, Real | np.bool_) else math.nan
    except OverflowError:  # an int of hundreds of digits
        value = math.inf
    if abs(value) <= LARGEST:
        return value
    raise InvalidReward(
        f"the reward of pull {number} must be a finite number of at most {LARGEST:g} in size, but got {reward!r}; "
        "nothing was recorded."
    )
