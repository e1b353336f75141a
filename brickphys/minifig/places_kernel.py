"""The loops over places to which a figure may go, compiled; see `brickphys.minifig.reach`."""

from math import atan2, cos, degrees, floor, hypot, inf, pi, radians, sin

import numpy as np

from brickphys.geometry.disc_way_kernel import gather_one, is_free, way
from brickphys.jit import allocating_kernel, entry, kernel
from brickphys.units import Array

Sizes = tuple[float, float, float]
_SIDES, _BEARINGS = 4, 7
"""A base is touched in front, at the left, behind and at the right, and there at several bearings."""
_STEP_RAD = pi / 12
_DECIMALS = 1e4


@kernel
def _rounded(value: float) -> float:
    return floor(value * _DECIMALS + 0.5) / _DECIMALS


@kernel
def _add_touching(
    enemy: Array,
    apart: float,
    room: float,
    box: Array,
    discs: Array,
    heads: Array,
    edges: Array,
    goals: Array,
) -> int:
    """Write for each side of an enemy the free place that touches it, of several the first; return their number."""
    count = 0
    for side in range(_SIDES):
        for bearing in range(_BEARINGS):
            swerve = (bearing + 1) // 2 * (1 if bearing % 2 else -1)
            angle = radians(enemy[2]) + side * pi / 2 + swerve * _STEP_RAD
            x, y = enemy[0] + apart * cos(angle), enemy[1] + apart * sin(angle)
            if is_free(x, y, room, box, discs, heads, edges):
                goals[count, 0], goals[count, 1] = x, y
                count += 1
                break
    return count


@allocating_kernel
def _is_reached(
    ends: Array,
    most: float,
    sizes: Sizes,
    box: Array,
    discs: Array,
    heads: Array,
    edges: Array,
    circles: Array,
    barriers: Array,
) -> bool:
    """Tell whether there is a way of a permitted length between two ends."""
    most += sizes[2]
    count, walls = gather_one(ends, most, sizes, box, discs, heads, edges, circles, barriers)
    return count > 0 and way(circles[:count], barriers[:walls], most, sizes[2])[0] <= most


@kernel
def _towards_nearest(x: float, y: float, enemies: Array, facing: float) -> float:
    """Return the bearing of the nearest enemy in whole degrees; without enemies the facing that is given."""
    nearest = inf
    for number in range(len(enemies)):
        dx, dy = enemies[number, 0] - x, enemies[number, 1] - y
        if dx * dx + dy * dy < nearest:
            nearest, facing = dx * dx + dy * dy, float(round(degrees(atan2(dy, dx))) % 360)
    return facing


@entry
def reached(
    figure: Array,
    most: tuple[float, float],
    places: Array,
    enemies: Array,
    apart: float,
    sizes: Sizes,
    box: Array,
    discs: Array,
    heads: Array,
    edges: Array,
    woods_heads: Array,
    woods_edges: Array,
) -> Array:
    """Return the places that a figure reaches, each with a facing towards the nearest enemy, shape (n, 3).

    Parameters
    ----------
    figure : ndarray, shape (3,)
        Where it is, and its facing in degrees.
    most
        How far it goes round woods, and through woods; the second is 0 where there are none.
    places : ndarray, shape (m, 2)
        Those to look at, besides those that touch enemies.
    enemies : ndarray, shape (k, 3)
        Their places and facings.
    apart
        Distance from an enemy that is touched.
    sizes, box, discs, heads, edges
        Those of `brickphys.geometry.disc_way_kernel.gather`.
    woods_heads, woods_edges
        With the woods among the polygons.
    """
    goals = np.empty((len(places) + _SIDES * len(enemies), 2))
    goals[: len(places)] = places
    count, room = len(places), sizes[0] - sizes[1]
    for enemy in enemies:
        if hypot(enemy[0] - figure[0], enemy[1] - figure[1]) <= most[0] + apart:
            count += _add_touching(enemy, apart, room, box, discs, heads, edges, goals[count:])
    circles = np.empty((len(discs) + len(woods_edges) + 2, 7))
    barriers = np.empty((4 + len(woods_edges), 5))
    ends, found, kept = np.empty((2, 2)), np.empty((count, 3)), 0
    ends[0] = figure[:2]
    for number in range(count):
        x, y = _rounded(goals[number, 0]), _rounded(goals[number, 1])
        ends[1, 0], ends[1, 1] = x, y
        if _is_reached(
            ends, most[0], sizes, box, discs, woods_heads, woods_edges, circles, barriers
        ) or (
            most[1] > 0.0
            and _is_reached(ends, most[1], sizes, box, discs, heads, edges, circles, barriers)
        ):
            found[kept, 0], found[kept, 1] = x, y
            found[kept, 2] = _towards_nearest(x, y, enemies, figure[2])
            kept += 1
    return found[:kept].copy()
