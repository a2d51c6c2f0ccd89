"""Least squares from some arms for all arms: mean_i = x_i . theta_hat as weights on the means of the pulled arms.

With n_s pulls of arm s and V = sum_s n_s x_s x_s', theta_hat = V^-1 sum_s (total of s) x_s, so

::

    x_i . theta_hat = sum_s w_is mean_s,     w_is = n_s x_i' V^-1 x_s

The weights depend on features and pulls alone: they are fixed before the first reward of a phase, and one table
serves every run that pulls alike. With as many pulled arms as dimensions, theta_hat fits their means exactly,
whatever the counts; with one-hot features, every arm has its own mean, to the last bit.

V = L D L' is solved without square roots, step by step over single additions and products (no BLAS): the same
counts give the same bits on every machine.
"""

from __future__ import annotations

import numpy as np

from replibandit.core.arrays import FloatArray


def mean_weights(rows: FloatArray, pulled: FloatArray, counts: FloatArray) -> FloatArray:
    """The w ``[m, K]`` of arms ``rows [r, K]``; the arms ``pulled [r, m]`` were pulled ``counts [m]`` times.

    >>> rows = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5]])
    >>> mean_weights(rows, rows[:, :2], np.array([7.0, 3.0])).tolist()
    [[1.0, 0.0, 0.5], [0.0, 1.0, 0.5]]
    """
    rank = rows.shape[0]
    moments = np.zeros((rank, rank))
    for column, count in zip(pulled.T, counts, strict=True):
        moments += count * column[:, None] * column
    solved = _solved(moments, counts * pulled)
    weights = np.zeros((counts.size, rows.shape[1]))
    for k in range(rank):
        weights += solved[k][:, None] * rows[k]
    return weights


def _solved(matrix: FloatArray, right: FloatArray) -> FloatArray:
    """``matrix``^-1 ``right`` for a symmetric, positive definite matrix; both are overwritten."""
    size = matrix.shape[0]
    for k in range(size):
        below = matrix[k + 1 :, k] / matrix[k, k]
        matrix[k + 1 :, k + 1 :] -= below[:, None] * matrix[k, k + 1 :]
        right[k + 1 :] -= below[:, None] * right[k]
        matrix[k + 1 :, k] = below
    right /= np.diag(matrix)[:, None]
    for k in reversed(range(size)):
        right[:k] -= matrix[k, :k][:, None] * right[k]
    return right
