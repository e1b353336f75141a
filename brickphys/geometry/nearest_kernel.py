"""The compiled loop that finds the nearest point of another side for each point."""

from math import inf, sqrt

import numpy as np

from brickphys.arrays import Array, Indices
from brickphys.jit import entry


@entry
def nearest_others(places: Array, sides: Indices, within: float) -> tuple[Array, Indices]:
    """Return how far each point is from the nearest one of another side, and who are near each other.

    Parameters
    ----------
    places : ndarray, shape (n, 2)
        The points.
    sides : ndarray of int, shape (n,)
        The side of each.
    within
        Points of two sides are near if they are no farther apart.

    Returns
    -------
    nearest : ndarray, shape (n,)
        Distances; infinite where no other side has a point.
    pairs : ndarray of int, shape (k, 2)
        The numbers of points that are near each other, in both orders, sorted.
    """
    count = len(places)
    squares, pairs = np.full(count, inf), np.empty((count * count, 2), np.intp)
    found = 0
    for one in range(count):
        for other in range(count):
            if sides[one] == sides[other]:
                continue
            dx, dy = places[one, 0] - places[other, 0], places[one, 1] - places[other, 1]
            square = dx * dx + dy * dy
            squares[one] = min(squares[one], square)
            if square <= within * within:
                pairs[found, 0], pairs[found, 1] = one, other
                found += 1
    for one in range(count):
        squares[one] = sqrt(squares[one])
    return squares, pairs[:found].copy()
