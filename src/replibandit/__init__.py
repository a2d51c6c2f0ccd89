"""Replicable multi-armed bandits."""

from replibandit.core.phase import Decision, PhaseRecord, Tally, Trace
from replibandit.core.randomness import BulkRandomness, ConstantRandomness, SharedRandomness
from replibandit.core.replay import replay
from replibandit.policies import REC, RSE, UCB1
from replibandit.problems import Bernoulli, Bounded, Empirical, Gaussian, StudentT, problem
from replibandit.study.simulation import Study, simulate
from replibandit.study.replicability import Twins, replicate
