"""What the paper prints (Sec. 8 and "Additional Simulations"): mean regret of tuned policies over 300 runs."""

from __future__ import annotations

MODELS = ("paper/model-1", "paper/model-2")
POLICIES = ("RASMAB", "REC", "RSE", "UCB1")
HORIZONS = (1_000, 10_000, 100_000)
HORIZON = 10_000  # of Table 2 and Figures 1 and 2
RUNS = 300
RHO = 0.3  # the target of its tuning

TABLE_2: dict[str, dict[str, tuple[float, float]]] = {  # regret, two-sigma half-width
    "paper/model-1": {"RASMAB": (1071.3, 11.0), "REC": (597.2, 21.1), "RSE": (625.8, 28.4), "UCB1": (337.7, 6.4)},
    "paper/model-2": {"RASMAB": (883.7, 6.2), "REC": (1956.9, 54.2), "RSE": (683.1, 13.9), "UCB1": (114.4, 6.1)},
}

TABLE_3: dict[str, dict[int, dict[str, float]]] = {
    "paper/model-1": {
        1_000: {"RASMAB": 361.11, "REC": 371.51, "RSE": 377.11, "UCB1": 167.25},
        10_000: {"RASMAB": 1071.26, "REC": 597.17, "RSE": 625.84, "UCB1": 337.75},
        100_000: {"RASMAB": 1132.05, "REC": 611.68, "RSE": 626.87, "UCB1": 482.73},
    },
    "paper/model-2": {
        1_000: {"RASMAB": 119.47, "REC": 399.15, "RSE": 160.17, "UCB1": 40.62},
        10_000: {"RASMAB": 883.67, "REC": 1956.87, "RSE": 683.10, "UCB1": 114.39},
        100_000: {"RASMAB": 8858.16, "REC": 2541.12, "RSE": 709.35, "UCB1": 207.15},
    },
}


def regret(model: str, policy: str, horizon: int) -> tuple[float, float | None]:
    """An entry of Table 3, with the half-width that Table 2 prints of it, where there is one.

    >>> regret("paper/model-1", "REC", 10_000), regret("paper/model-1", "REC", 1_000)
    ((597.17, 21.1), (371.51, None))
    """
    half_width = TABLE_2[model][policy][1] if horizon == HORIZON else None
    return TABLE_3[model][horizon][policy], half_width


LINEAR = {  # the instance of Figure 3; the paper prints no number of it
    "arms": 5,
    "dimension": 2,
    "theta": (1.0, 0.5),
    "means": (1.0, 0.7, 0.7, 0.7, 0.7),
    "noise_sd": 1.0,
    "rho": 0.3,
    "horizon": 10_000,
}
