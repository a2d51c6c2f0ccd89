"""Reward models, one per file, and named instances."""

from replibandit.problems.bernoulli import Bernoulli
from replibandit.problems.bounded import Bounded
from replibandit.problems.catalog import MODELS, problem, problem_from_dict
from replibandit.problems.empirical import Empirical
from replibandit.problems.files import read_rewards
from replibandit.problems.gaussian import Gaussian
from replibandit.problems.linear import Linear
from replibandit.problems.names import INSTANCES
from replibandit.problems.student import StudentT
from replibandit.problems.two_point import TwoPoint

__all__ = [
    "INSTANCES",
    "MODELS",
    "Bernoulli",
    "Bounded",
    "Empirical",
    "Gaussian",
    "Linear",
    "StudentT",
    "TwoPoint",
    "problem",
    "problem_from_dict",
    "read_rewards",
]
