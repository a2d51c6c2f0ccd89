"""The contract of every policy: one list of examples, one battery of checks.

To hold a new policy to the contract, append an `Example` to `EXAMPLES`; `test_contract.py` runs every check on it.
A check raises AssertionError. Options of `Example` say where a policy differs for a good reason.
"""

from __future__ import annotations

import dataclasses
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import replibandit as rb
from replibandit.core import fold
from replibandit.core.arrays import BoolArray, FloatArray
from replibandit.core.openings import opened
from replibandit.core.phase import Decisions
from replibandit.core.randomness import Randomness, Stream
from replibandit.policies import policy_from_json

HORIZONS = (1, 2, 3, 7, 50, 333)


def resized(policy: Any, arms: int) -> Any:
    """The same policy with another number of arms; enough for every policy whose ``arms`` is a plain field."""
    return dataclasses.replace(policy, arms=arms)


def fewer_features(policy: Any, arms: int) -> Any:
    """The same policy with its first arms only."""
    return dataclasses.replace(policy, arms=arms, features=policy.features[:arms])


@dataclass(frozen=True, kw_only=True)
class Example:
    """A policy to be held to the contract, and a problem on which it decides something before its horizon.

    ``symmetric``   relabelling the arms relabels the trace exactly (False where features or an opening break it)
    ``opening``     first phases that go by label and are left out of the relabelling check (UCB1: one per arm)
    ``resize``      the policy with another number of arms
    """

    name: str
    policy: Any
    problem: rb.Problem
    symmetric: bool = True
    opening: int = 0
    resize: Callable[[Any, int], Any] = resized

    def at(self, horizon: int) -> Any:
        """The policy with another horizon."""
        return dataclasses.replace(self.policy, horizon=horizon)


MODEL_1 = rb.problem("paper/model-1", sd=0.5)
MODEL_2 = rb.problem("paper/model-2", sd=0.5)
QUICK: dict[str, Any] = {"rho": 0.3, "sigma": 0.5, "commit_scale": 0.03}
LINEAR = rb.problem("paper/linear", sd=0.5)
SHRINKING = rb.Linear(
    features=[[1, 0, 0, 0], [0.9, 0.1, 0, 0], [0.5, 0, 0.5, 0], [0.1, 0, 0, 0.9], [0, 0, 0, 0], [0.9, 0.1, 0, 0]],
    theta=[1, 0.5, 0.2, 0.1],
    sd=0.25,
)
SHARP: dict[str, Any] = {"rho": 0.3, "sigma": 0.5, "first": 4, "ratio": 3.0, "lo": 2.0, "width": 2.0}
STARTS: dict[str, Any] = {"rho": 0.3, "sigma": 0.5, "first": 4, "ratio": 3.0, "lo": 3.0, "starts": 6}
SHARP_RSE: dict[str, Any] = SHARP | {"eliminate_lo": 1.5, "eliminate_width": 1.0}

EXAMPLES = [
    Example(name="rec", policy=rb.REC(arms=10, horizon=3000, **QUICK), problem=MODEL_1),
    Example(name="rec-theorem", policy=rb.REC(arms=3, horizon=500, rho=0.3, sigma=0.5), problem=MODEL_2),
    Example(
        name="rec-fresh-permuted",
        policy=rb.REC(arms=3, horizon=2000, draws="fresh", order="permuted", growth=1.7, **QUICK),
        problem=MODEL_2,
    ),
    Example(name="rse", policy=rb.RSE(arms=3, horizon=2000, eliminate_scale=0.01, **QUICK), problem=MODEL_2),
    Example(
        name="rse-reversed-blocks",
        policy=rb.RSE(arms=10, horizon=4000, eliminate_scale=0.002, order="reversed_blocks", **QUICK),
        problem=MODEL_1,
    ),
    Example(
        name="rse-permuted",
        policy=rb.RSE(arms=3, horizon=1500, eliminate_scale=0.01, order="permuted", draws="fresh", **QUICK),
        problem=MODEL_2,
    ),
    Example(
        # sigma so small that N_p = 1 for several phases: phases without a single new pull
        name="rse-empty-phases",
        policy=rb.RSE(arms=3, horizon=200, rho=0.3, sigma=0.02, commit_scale=0.05, eliminate_scale=0.02),
        problem=rb.Gaussian(means=[0.9, 0.7, 0.3], sd=0.1),
    ),
    Example(
        name="rlse-sharp",
        policy=rb.SharpRLSE(arms=5, horizon=4000, features=LINEAR.features, **SHARP),
        problem=LINEAR,
        symmetric=False,  # of equally good designs the one of lower labels is taken
        resize=fewer_features,
    ),
    Example(
        name="rlse",
        policy=rb.RLSE(
            arms=5,
            horizon=4000,
            rho=0.3,
            sigma=0.5,
            commit_scale=0.02,
            eliminate_scale=0.005,
            features=LINEAR.features,
        ),
        problem=LINEAR,
        symmetric=False,  # of equally good designs the one of lower labels is taken
        resize=fewer_features,
    ),
    Example(
        # more features than arms remain: the span shrinks with the active set, and one arm has none at all
        name="rlse-shrinking-span",
        policy=rb.RLSE(
            arms=6,
            horizon=3000,
            rho=0.3,
            sigma=0.25,
            commit_scale=0.05,
            eliminate_scale=0.002,
            order="permuted",
            features=SHRINKING.features,
        ),
        problem=SHRINKING,
        symmetric=False,
        resize=fewer_features,
    ),
    Example(
        name="rlse-one-hot",
        policy=rb.RLSE(arms=10, horizon=4000, eliminate_scale=0.002, **QUICK),
        problem=MODEL_1,
    ),
    Example(name="rec-sharp", policy=rb.SharpREC(arms=3, horizon=2000, **SHARP), problem=MODEL_2),
    Example(name="rec-sharp-starts", policy=rb.SharpREC(arms=3, horizon=2000, **STARTS), problem=MODEL_2),
    Example(
        name="rse-sharp-starts",
        policy=rb.SharpRSE(arms=10, horizon=3000, eliminate_lo=4.0, order="permuted", **STARTS),
        problem=MODEL_1,
    ),
    Example(
        name="rlse-sharp-starts",
        policy=rb.SharpRLSE(arms=6, horizon=3000, features=SHRINKING.features, **STARTS | {"lo": 1.0}),
        problem=SHRINKING,
        symmetric=False,
        resize=fewer_features,
    ),
    Example(name="rse-sharp", policy=rb.SharpRSE(arms=3, horizon=2000, **SHARP_RSE), problem=MODEL_2),
    Example(
        name="known-gap-etc",
        policy=rb.KnownGapETC(arms=10, horizon=3000, rho=0.3, sigma=0.5, gap=0.2),
        problem=MODEL_1,
    ),
    Example(
        name="rasmab",
        policy=rb.RASMAB(arms=10, horizon=4000, rho=0.3, sigma=0.5, divisor=300),
        problem=MODEL_1,
    ),
    Example(
        name="rasmab-base-2",
        policy=rb.RASMAB(arms=3, horizon=1500, rho=0.5, sigma=0.5, divisor=800, base=2, order="permuted"),
        problem=MODEL_2,
    ),
    Example(name="ucb1", policy=rb.UCB1(arms=3, horizon=300), problem=MODEL_2, opening=3),
]


# --- data -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Dataset:
    """The dataset matrix (Def. 1 of the paper): ``reward(arm, n)``, asked for in any order."""

    seed: int
    means: tuple[float, ...]

    def reward(self, arm: int, n: int) -> float:
        """The n-th reward of an arm, continuous so that ties do not happen."""
        return random.Random(f"{self.seed}|{arm}|{n}").gauss(self.means[arm], 0.5)

    def relabelled(self, new_label: list[int]) -> Relabelled:
        """The same rewards with arm i called ``new_label[i]``."""
        return Relabelled(self, new_label)


@dataclass(frozen=True)
class Relabelled:
    """A dataset under other labels."""

    dataset: Dataset
    new_label: list[int]

    def reward(self, arm: int, n: int) -> float:
        """The n-th reward of the arm now called ``arm``."""
        return self.dataset.reward(self.new_label.index(arm), n)


@dataclass(frozen=True)
class RelabelledRandomness:
    """U whose slot of an arm follows the arm; slot 0 of the thresholds stays."""

    u: Randomness
    new_label: list[int]

    def uniforms(self, phase: int, slots: int, *, stream: Stream = "threshold") -> FloatArray:
        """U with the slots of the arms permuted."""
        values = self.u.uniforms(phase, slots, stream=stream)
        first = slots - len(self.new_label)
        if first not in (0, 1):
            return values  # one uniform for the whole phase, or none
        moved = values.copy()
        moved[first + np.array(self.new_label)] = values[first:]
        return moved


def run_on(policy: Any, data: Dataset | Relabelled, u: Randomness) -> rb.Trace:
    """A live session fed from a dataset matrix, one pull after the other."""
    session = rb.Session(policy, u=u)
    seen = [0] * policy.arms
    while pulls := session.ask(10**6):
        for pull in pulls:
            session.tell(pull, data.reward(pull.arm, seen[pull.arm]))
            seen[pull.arm] += 1
    assert session.done
    return session.trace


def single_rewards(count: int, total: float, noise: random.Random) -> list[float]:
    """``count`` rewards whose exact sum is ``total``: the total itself among pairs that cancel, shuffled."""
    if count == 0:
        return []
    pairs = [noise.gauss(0, 1) for _ in range((count - 1) // 2)]
    rewards = [total, *pairs, *(-x for x in pairs)]
    rewards += [0.0] * (count - len(rewards))
    noise.shuffle(rewards)
    return rewards


def live(policy: Any, tallies: tuple[rb.Tally, ...], u: Randomness, noise: random.Random) -> rb.Trace:
    """A clumsy live session: odd batch sizes, rewards in shuffled order, some of them told twice."""
    session = rb.Session(policy, u=u)
    left = (tally for tally in tallies if tally.counts.any())  # phases without pulls decide by themselves
    while not session.done:
        pulls = _ask_all(session, noise)
        tally = next(left, None)
        supply = (
            [single_rewards(n, total, noise) for n, total in zip(tally.counts, tally.totals, strict=True)]
            if tally is not None
            else [[noise.random() for _ in pulls] for _ in range(policy.arms)]  # a cut phase reads none of them
        )
        rewards = [(pull, supply[pull.arm].pop()) for pull in pulls]
        noise.shuffle(rewards)
        for place, (pull, reward) in enumerate(rewards):
            session.tell(pull, reward)
            if place % 7 == 0:
                session.tell(pull.number, reward)
    assert next(left, None) is None
    return session.trace


def _ask_all(session: rb.Session, noise: random.Random) -> list[rb.Pull]:
    pulls: list[rb.Pull] = []
    while got := session.ask(noise.choice((1, 2, 3, 5, 17, 1000))):
        pulls += got
    return pulls


U_OF_STATES = rb.BulkRandomness(5)
ROWS = 64


def followed(example: Example) -> Any:
    """The policy as the batch of `states` follows it: the same, unless it leaves something to U."""
    return opened(example.policy, U_OF_STATES.block(0, ROWS))


def states(example: Example, rows: int = ROWS) -> Iterator[tuple[int, rb.Tally, BoolArray, FloatArray]]:
    """Phases of a batch of runs as `decide` sees them: phase, new rewards, active sets, U; complete phases only."""
    rng = np.random.default_rng(20240229)
    u = U_OF_STATES.block(0, rows)
    policy = opened(example.policy, u)
    state = fold.start(policy, (rows,))
    for _ in range(min(policy.phases, 12)):
        plan = fold.plan(policy, state, fold.places(policy, state.phase, u))
        going = np.flatnonzero(plan.complete)
        if going.size < rows or (state.elapsed >= policy.horizon).any():
            return
        played = fold.play(policy, state, plan)
        rewards = rb.Tally(plan.pulls, example.problem.totals(plan.pulls, rng))
        uniforms = u.uniforms(state.phase, policy.slots)
        yield state.phase, fold.remembered(policy, state, rewards), state.active, uniforms
        state, _ = fold.decide(policy, played, rewards, uniforms)


# --- the battery ------------------------------------------------------------------------------------------------


def check_spec_is_frozen(example: Example) -> None:
    policy = example.policy
    for field in dataclasses.fields(policy):
        with pytest.raises(AttributeError):
            setattr(policy, field.name, getattr(policy, field.name))
    assert not hasattr(policy, "__dict__"), "a spec has slots: nothing can be hung on it"
    assert hash(policy) == hash(dataclasses.replace(policy))


def check_json_round_trip(example: Example) -> None:
    policy = example.policy
    again = policy_from_json(policy.to_json())
    assert again == policy
    assert type(again) is type(policy)
    assert json.loads(policy.to_json())["kind"] == policy.kind
    assert json.loads(again.to_json()) == json.loads(policy.to_json())


def check_numpy_parameters_mean_the_same(example: Example) -> None:
    policy = example.policy
    assert dataclasses.replace(policy, horizon=np.int64(policy.horizon)).to_json() == policy.to_json()


def check_pulls_are_pure(example: Example) -> None:
    policy = followed(example)
    for phase, _, active, _ in states(example):
        given = active.copy()
        first, second = policy.pulls(phase, active), policy.pulls(phase, active)
        assert first.dtype == np.int64
        assert (first == second).all()
        assert (active == given).all()
        assert (first[~active] == 0).all(), "only active arms are pulled"


def check_decisions_are_pure(example: Example) -> None:
    policy = followed(example)
    for phase, tally, active, u in states(example):
        given = (tally.counts.copy(), tally.totals.copy(), active.copy(), u.copy())
        _equal(policy.decide(phase, tally, active, u), policy.decide(phase, tally, active, u))
        for now, before in zip((tally.counts, tally.totals, active, u), given, strict=True):
            assert (now == before).all(), "decide writes to its arguments"


def check_a_batch_row_is_the_single_run(example: Example) -> None:
    policy = followed(example)
    alone = [opened(example.policy, U_OF_STATES.row(row)) for row in range(ROWS)]
    for phase, tally, active, u in states(example):
        batch = policy.decide(phase, tally, active, u)
        pulls = policy.pulls(phase, active)
        for row in range(active.shape[0]):
            one = rb.Tally(tally.counts[row].copy(), tally.totals[row].copy())
            single = alone[row].decide(phase, one, active[row].copy(), u[row].copy())
            _equal(single, _row(batch, row))
            assert (alone[row].pulls(phase, active[row].copy()) == pulls[row]).all()


def check_an_arm_is_always_left(example: Example) -> None:
    for phase, tally, active, u in states(example):
        for value in (u, np.zeros_like(u), np.full_like(u, 1 - 2.0**-53)):
            assert followed(example).decide(phase, tally, active, value).active.any(axis=-1).all()


def check_u_of_untested_slots_is_unused(example: Example) -> None:
    """Streams never shift: U of eliminated arms is drawn and read by nobody."""
    policy = followed(example)
    if policy.slots != policy.arms + 1:
        return
    for phase, tally, active, u in states(example):
        before = policy.decide(phase, tally, active, u)
        eliminated = np.concatenate([np.zeros_like(active[:, :1]), ~active], axis=-1)
        after = policy.decide(phase, tally, active, np.where(eliminated, 0.123, u))
        assert (before.active == after.active).all()
        assert (before.taken == after.taken).all()
        assert (before.evaluated == after.evaluated).all()
        assert not (before.evaluated & eliminated).any()


def check_the_three_drivers_agree(example: Example, horizon: int | None = None) -> None:
    policy = example.policy if horizon is None else example.at(horizon)
    runs = 3
    study = rb.simulate(policy, example.problem, runs=runs, seed=11)
    for run in range(runs):
        u = study.randomness(run)
        trace = study.trace(run)
        assert trace.digest == int(study.digests[run])
        assert trace.pulls == tuple(study.pulls[run].tolist())
        assert rb.replay(policy, trace.tallies, u=u) == trace
        assert live(policy, trace.tallies, u, random.Random(run)) == trace


def check_a_hashed_u_drives_all_three_as_well(example: Example) -> None:
    u = rb.SharedRandomness("any seed")
    study = rb.simulate(example.policy, example.problem, runs=2, seed=3, u=u)
    for run in range(2):
        trace = study.trace(run)
        assert trace.digest == int(study.digests[run])
        assert live(example.policy, trace.tallies, u, random.Random(run)) == trace


def check_the_horizon_is_met_exactly(example: Example) -> None:
    for horizon in HORIZONS:
        study = rb.simulate(example.at(horizon), example.problem, runs=20, seed=5)
        assert (study.pulls >= 0).all()
        assert (study.pulls.sum(axis=-1) == horizon).all()


def check_an_incomplete_phase_makes_no_decision(example: Example) -> None:
    for horizon in (*HORIZONS, example.policy.horizon):
        trace = rb.simulate(example.at(horizon), example.problem, runs=1, seed=5).trace(0)
        assert sum(trace.pulls) == horizon
        for record in trace.phases:
            assert record.complete or not (record.decisions or record.totals)
            assert record.complete or record is trace.phases[-1], "only the last phase can be cut"


def check_one_arm_is_played_throughout(example: Example) -> None:
    policy = example.resize(example.policy, 1)
    study = rb.simulate(policy, rb.Gaussian(means=[0.5], sd=0.5), runs=3, seed=5)
    assert study.pulls.tolist() == [[policy.horizon]] * 3
    trace = study.trace(0)
    assert [decision for decision in trace.decisions if decision.slot == 0] == []
    assert live(policy, trace.tallies, study.randomness(0), random.Random(1)) == trace


def check_relabelling_arms_relabels_the_trace(example: Example) -> None:
    if not example.symmetric:
        return
    policy, means = example.policy, example.problem.means
    u = rb.SharedRandomness("relabelled")
    for seed in range(3):
        new_label = random.Random(seed).sample(range(policy.arms), policy.arms)
        data = Dataset(seed, means)
        one = run_on(policy, data, u)
        other = run_on(policy, data.relabelled(new_label), RelabelledRandomness(u, new_label))
        assert len(one.phases) == len(other.phases)
        for before, after in zip(one.phases[example.opening :], other.phases[example.opening :], strict=True):
            assert sorted(new_label[arm] for arm in before.active) == list(after.active)
            if before.complete:
                assert _moved(before.pulls, new_label) == list(after.pulls)
                assert _moved(before.totals, new_label) == list(after.totals)
            relabelled = {_slot(d.slot, new_label): (d.statistic, d.u, d.taken) for d in before.decisions}
            assert relabelled == {d.slot: (d.statistic, d.u, d.taken) for d in after.decisions}


def check_the_guarantee_says_something(example: Example) -> None:
    guarantee = example.policy.guarantee
    assert guarantee.reasons
    assert all(reason.strip() for reason in guarantee.reasons)
    if guarantee.rho is None:
        assert str(guarantee).startswith("not guaranteed")
    else:
        assert 0 < guarantee.rho <= 0.5
        assert guarantee.assumptions, "a guarantee names what it assumes"
        assert f"{guarantee.rho:g}-replicable" in str(guarantee)


def check_the_example_decides_something(example: Example) -> None:
    """Otherwise the battery would hold for the wrong reason; the theorem's constants need a longer horizon."""
    study = rb.simulate(example.policy, example.problem, runs=20, seed=2)
    taken = [decision.taken for run in range(20) for decision in study.trace(run).decisions]
    assert any(taken) or example.policy.guarantee.rho is not None


CHECKS: list[Callable[[Example], None]] = [
    value for name, value in list(globals().items()) if name.startswith("check_")
]


# --- small parts ------------------------------------------------------------------------------------------------


def _moved(values: tuple[Any, ...], new_label: list[int]) -> list[Any]:
    moved = list(values)
    for arm, value in enumerate(values):
        moved[new_label[arm]] = value
    return moved


def _slot(slot: int, new_label: list[int]) -> int:
    return slot if slot == 0 else new_label[slot - 1] + 1


def _row(batch: Decisions, row: int) -> Decisions:
    names = ("statistic", "threshold", "u", "evaluated", "taken", "active")
    return dataclasses.replace(batch, **{name: getattr(batch, name)[row] for name in names})


def _equal(one: Decisions, other: Decisions) -> None:
    assert one.slots == other.slots
    for name in ("evaluated", "taken", "active", "statistic", "threshold", "u"):
        mine, theirs = getattr(one, name), getattr(other, name)
        assert mine.shape == theirs.shape, name
        assert np.array_equal(mine, theirs), name


__all__ = ["CHECKS", "EXAMPLES", "Dataset", "Example", "live", "run_on", "single_rewards", "states"]
