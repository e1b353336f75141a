"""The loop of contacts of outlines that are not convex polygons, compiled; see `brickphys.geometry.border_kernel`."""

from math import degrees

import numpy as np

from brickphys.geometry.border_kernel import BEST, best_contact, place_border, way_impact_deg
from brickphys.geometry.many.moves_kernel import motion_of, transform_of
from brickphys.jit import entry
from brickphys.units import Array, Indices


@entry
def contacts(
    found: Indices,
    places: Array,
    pieces: Array,
    courses: Indices,
    border: Array,
    firsts: Indices,
    others: Array,
    other_firsts: Indices,
) -> tuple[Array, Indices]:
    """Return where outlines touch.

    Parameters
    ----------
    found : ndarray of int, shape (k, 3)
        Mover, obstacle and piece of each touch.
    places : ndarray, shape (k,)
        How far the piece has come: studs, or degrees of the turn.
    pieces, courses : ndarray, shape (p, 3) and (n + 1,)
        Displacement and nan, or pivot and a turn in degrees; the first piece of each mover.
    border, firsts : ndarray, shape (b, 8) and (n + 1,)
        Edges of the movers, and the first one of each.
    others, other_firsts
        The same of the obstacles.

    Returns
    -------
    spots : ndarray, shape (k, 5)
        Point, normal and impact angle.
    parts : ndarray of int, shape (k, 2)
        Parts of the mover and of the obstacle that touch.
    """
    spots, parts = np.empty((len(found), 5)), np.empty((len(found), 2), np.intp)
    best = np.empty(BEST)
    for number in range(len(found)):
        mover, obstacle, last = found[number]
        there = border[firsts[mover] : firsts[mover + 1]].copy()
        for step in range(last):
            piece = pieces[courses[mover] + step]
            motion = motion_of(piece)
            extent = motion[2] if motion[3] == 0.0 else degrees(motion[2])
            place_border(there, transform_of(motion, extent), there)
        motion = motion_of(pieces[courses[mover] + last])
        place_border(there, transform_of(motion, places[number]), there)
        hit = others[other_firsts[obstacle] : other_firsts[obstacle + 1]]
        best_contact(hit, there, motion, best)
        spots[number, :4] = best[8:12] + 0.0  # no -0.0
        spots[number, 4] = way_impact_deg(best, motion)
        parts[number, 0] = there[int(best[7]), 7] if best[7] >= 0.0 else -1.0
        parts[number, 1] = hit[int(best[6]), 7] if best[6] >= 0.0 else -1.0
    return spots, parts
