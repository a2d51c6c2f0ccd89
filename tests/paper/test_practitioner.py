"""The practitioner's rule as a table, and beside the measured cost."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from replibandit.paper.artefact import Section
from replibandit.paper.practitioner import ARMS, HORIZONS, MEASURED_RHOS, PRACTITIONER, RHOS
from replibandit.theory.practitioner import replicability_cost

Made = Callable[..., Section]


def test_the_table_is_the_rule(made: Made) -> None:
    section = made(PRACTITIONER)
    rule = section.data["rule"]
    assert len(rule) == len(ARMS) * len(RHOS)
    for row in rule:
        cost = replicability_cost(arms=row["arms"], rho=row["rho"], horizon=10)
        assert row["log10_horizon_commit"] == cost.log10_horizon_needed
        assert row["log10_horizon_eliminate"] == pytest.approx(row["arms"] ** 2 * cost.log10_horizon_needed)


def test_the_measured_cost_falls_with_the_horizon_and_grows_as_rho_shrinks(made: Made) -> None:
    section = made(PRACTITIONER)
    at = HORIZONS.index(10**10)
    for name in ("REC", "RSE"):
        costs = {row["rho"]: row["cost"] for row in section.data["measured"] if row["policy"] == name}
        assert all(costs[rho][-1] < costs[rho][at] for rho in MEASURED_RHOS)
        assert costs[0.1][-1] > costs[0.3][-1] > costs[0.5][-1]
