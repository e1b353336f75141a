"""The loop of pairs of outlines, compiled: how far they are apart, or how deep they overlap."""

from math import inf

import numpy as np

from brickphys.geometry.clearance_kernel import from_edge
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


@kernel
def _nearest(corners: Array, edges: Array) -> float:
    """Return how far the corners of a polygon are from the edges of another."""
    least = inf
    for edge in range(len(edges)):
        after = (edge + 1) % len(edges)
        ax, ay = edges[edge, 0], edges[edge, 1]
        dx, dy = edges[after, 0] - ax, edges[after, 1] - ay
        for corner in range(len(corners)):
            least = min(least, from_edge(corners[corner, 0], corners[corner, 1], ax, ay, dx, dy))
    return least


@allocating_kernel
def _compare(one: Array, other: Array, row: Array) -> None:
    """Write distance, depth and normal of a pair."""
    row[1] = inf
    _parting(other, one, 1.0, row)
    _parting(one, other, -1.0, row)
    row[0] = 0.0
    if row[1] < 0.0:
        row[0] = min(_nearest(one, other), _nearest(other, one))


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
        are apart; and that normal, x and y.
    """
    rows = np.empty((count, 4))
    for number in range(count):
        head = heads[number if len(heads) > 1 else 0]
        other = other_heads[number if len(other_heads) > 1 else 0]
        first, other_first = int(head[6]), int(other[6])
        _compare(
            edges[first : first + int(head[5])],
            other_edges[other_first : other_first + int(other[5])],
            rows[number],
        )
    return rows
