"""Replicable multi-armed bandits: one policy object, simulated, replayed and run live.

>>> import replibandit as rb
>>> policy = rb.REC(arms=3, horizon=10_000, rho=0.3, sigma=0.5)
>>> twins = rb.replicate(policy, rb.problem("paper/model-2", sd=0.5), seeds=20, runs=10, seed=7)
>>> twins.nonreplication
0.0
"""

from replibandit import errors
from replibandit.core.knobs import Knob
from replibandit.core.phase import Decision, PhaseRecord, Tally, Trace
from replibandit.core.policy import Guarantee, IndexPolicy, PhasedPolicy
from replibandit.core.problem import Problem
from replibandit.core.randomness import BulkRandomness, ConstantRandomness, Randomness, SharedRandomness
from replibandit.core.replay import replay
from replibandit.live.session import Pull, Session
from replibandit.policies import (
    RASMAB,
    REC,
    RLSE,
    RSE,
    UCB1,
    KnownGapETC,
    SharpREC,
    SharpRLSE,
    SharpRSE,
    policy_from_dict,
    policy_from_json,
)
from replibandit.policies.certified import certify
from replibandit.policies.designed import design
from replibandit.problems import (
    Bernoulli,
    Bounded,
    Empirical,
    Gaussian,
    Linear,
    StudentT,
    TwoPoint,
    problem,
    problem_from_dict,
    read_rewards,
)
from replibandit.study.affording import Afford, afford
from replibandit.study.attack import Attack, attack
from replibandit.study.planning import Plan, plan
from replibandit.study.replicability import Twins, replicate
from replibandit.study.rerun import rerun
from replibandit.study.search import Candidate
from replibandit.study.simulation import Study, simulate
from replibandit.study.tuning import Tuning, tune
from replibandit.theory.certificates import Certificate
from replibandit.theory.design import GOptimal, g_optimal
from replibandit.theory.practitioner import replicability_cost
from replibandit.version import __version__

__all__ = [
    "RASMAB",
    "REC",
    "RLSE",
    "RSE",
    "UCB1",
    "Afford",
    "Attack",
    "Bernoulli",
    "Bounded",
    "BulkRandomness",
    "Candidate",
    "Certificate",
    "ConstantRandomness",
    "Decision",
    "Empirical",
    "GOptimal",
    "Gaussian",
    "Guarantee",
    "IndexPolicy",
    "Knob",
    "KnownGapETC",
    "Linear",
    "PhaseRecord",
    "PhasedPolicy",
    "Plan",
    "Problem",
    "Pull",
    "Randomness",
    "Session",
    "SharedRandomness",
    "SharpREC",
    "SharpRLSE",
    "SharpRSE",
    "StudentT",
    "Study",
    "Tally",
    "Trace",
    "Tuning",
    "Twins",
    "TwoPoint",
    "__version__",
    "afford",
    "attack",
    "certify",
    "design",
    "errors",
    "g_optimal",
    "plan",
    "policy_from_dict",
    "policy_from_json",
    "problem",
    "problem_from_dict",
    "read_rewards",
    "replay",
    "replicability_cost",
    "replicate",
    "rerun",
    "simulate",
    "tune",
]
