"""The loop that turns figures to their nearest enemies, compiled."""

from math import atan2, degrees, inf

import numpy as np

from brickphys.arrays import Array
from brickphys.jit import entry


@entry
def towards_nearest(places: Array, enemies: Array) -> Array:
    """Return the bearing of the nearest enemy from each place, in whole degrees.

    Parameters
    ----------
    places, enemies : ndarray, shape (n, 2) and (m, 2), m > 0
        In inches.

    Returns
    -------
    ndarray, shape (n, 3)
        The places with their bearings, 0 to 359.
    """
    found = np.empty((len(places), 3))
    for number in range(len(places)):
        x, y, nearest, ahead = places[number, 0], places[number, 1], inf, 0.0
        for enemy in range(len(enemies)):
            dx, dy = enemies[enemy, 0] - x, enemies[enemy, 1] - y
            if dx * dx + dy * dy < nearest:
                nearest, ahead = dx * dx + dy * dy, atan2(dy, dx)
        found[number, 0], found[number, 1] = x, y
        found[number, 2] = round(degrees(ahead)) % 360
    return found
