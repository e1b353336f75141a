"""The loop of pairs of outlines, compiled: how far they are apart, or how deep they overlap."""

from math import inf

import numpy as np

from brickphys.geometry.rounded_kernel import CROSSING, corner_gap
from brickphys.jit import allocating_kernel, entry, kernel
from brickphys.units import Array


@kernel
def _parting(one: Array, other: Array, sign: float, row: Array) -> None:
    """Look for an edge of one polygon beyond which the other one lies farther than the row says, and write it there."""
    for edge in range(len(one)):
        nx, ny = one[edge, 2], one[edge, 3]
        gap = inf
        for corner in range(len(other)):
            gap = min(gap, nx * other[corner, 0] + ny * other[corner, 1])
        gap -= one[edge, 4]
        if gap > -row[1]:
            row[1], row[2], row[3] = -gap, sign * nx, sign * ny


@allocating_kernel
def _compare(one: Array, other: Array, radius: float, row: Array) -> None:
    """Write distance, depth and normal of a pair, rounded by radii of this sum."""
    row[1] = inf
    _parting(other, one, 1.0, row)
    _parting(one, other, -1.0, row)
    row[0] = 0.0
    if row[1] < CROSSING or len(one) + len(other) == 2:
        gap = min(corner_gap(one, other, 1.0, 0.0), corner_gap(other, one, 1.0, 0.0))
        row[0] = max(gap - radius, 0.0) if row[1] < 0.0 or radius > 0.0 else 0.0
        row[1] = radius - gap if radius > 0.0 else row[1]
    else:
        row[1] += radius


@entry
def compare(
    heads: Array, edges: Array, other_heads: Array, other_edges: Array, count: int
) -> Array:
    """Return how pairs of outlines lie to each other.

    Parameters
    ----------
    heads, edges, other_heads, other_edges
        The outlines, see `brickphys.geometry.sweep_kernel`; either may be a single one for all pairs.
    count
        Number of pairs.

    Returns
    -------
    ndarray, shape (count, 4)
        Distance, 0 if they overlap; depth, by which the first must move along the normal to part them, negative if they
        are apart; and that normal, x and y, unless they are rounded.
    """
    rows = np.empty((count, 4))
    for number in range(count):
        head = heads[number if len(heads) > 1 else 0]
        other = other_heads[number if len(other_heads) > 1 else 0]
        first, other_first = int(head[6]), int(other[6])
        _compare(
            edges[first : first + int(head[5])],
            other_edges[other_first : other_first + int(other[5])],
            head[7] + other[7],
            rows[number],
        )
    return rows
