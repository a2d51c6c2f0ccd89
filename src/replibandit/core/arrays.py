"""Array types, and the one layout rule of the package.

Shapes are written ``[..., K]``: leading axes are runs, the last axis is the arm. In memory the arm axis is the
*slow* one (`by_arm`), because every rule reduces over few arms and many runs: NumPy then sweeps contiguous runs.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]
HashArray: TypeAlias = NDArray[np.uint64]


def by_arm(shape: tuple[int, ...], fill: float, dtype: Any) -> NDArray[Any]:  # noqa: ANN401  a dtype
    """A filled array of ``shape = [..., K]`` whose arm axis is outermost in memory."""
    return np.moveaxis(np.full((shape[-1], *shape[:-1]), fill, dtype=dtype), 0, -1)


def rows_of(array: NDArray[Any], index: IntArray) -> NDArray[Any]:
    """The runs ``index`` of ``array [B, K]`` or ``[B]``, keeping the memory layout of `by_arm`."""
    if array.ndim == 1:
        return array[index]
    return np.take(array.T, index, axis=-1).T
