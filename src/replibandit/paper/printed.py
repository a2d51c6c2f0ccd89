"""What the paper prints: mean regret of tuned policies over 300 runs (Sec. 7 and "Additional Simulations")."""

from __future__ import annotations

REGRET: dict[tuple[str, str, int], float] = {
    ("paper/model-1", "REC", 1_000): 371.51,
    ("paper/model-1", "REC", 10_000): 597.17,
    ("paper/model-1", "REC", 100_000): 611.68,
    ("paper/model-1", "RSE", 1_000): 377.11,
    ("paper/model-1", "RSE", 10_000): 625.84,
    ("paper/model-1", "RSE", 100_000): 626.87,
    ("paper/model-1", "UCB1", 1_000): 167.25,
    ("paper/model-1", "UCB1", 10_000): 337.75,
    ("paper/model-1", "UCB1", 100_000): 482.73,
    ("paper/model-2", "REC", 1_000): 399.15,
    ("paper/model-2", "REC", 10_000): 1956.87,
    ("paper/model-2", "REC", 100_000): 2541.12,
    ("paper/model-2", "UCB1", 1_000): 40.62,
    ("paper/model-2", "UCB1", 10_000): 114.39,
    ("paper/model-2", "UCB1", 100_000): 207.15,
}
