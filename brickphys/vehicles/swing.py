"""Swing: at which angle a footprint that turns about a pivot first meets each of many convex obstacles.

While one polygon turns, whether it overlaps another can only change where a corner of one crosses the line of an edge
of the other. These angles are known in closed form, and between two neighbours of them one look tells the answer. As in
a sweep it is a meeting if some overlap exceeds the tolerance, which is asked of lines drawn in by it; then the angle is
that of the first touch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import copysign, degrees, radians, tau

import numpy as np
import numpy.typing as npt

from brickphys.vehicles.polygon import TOLERANCE, Array, Point, Polygon
from brickphys.vehicles.sweep import Obstacles, Prism

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Swing:
    """The first meeting with one obstacle while turning.

    Attributes
    ----------
    index
        Which obstacle.
    angle_deg
        Turned when the open interiors first meet, with the sign of the turn; 0 for an overlap at the start.
    """

    index: int
    angle_deg: float


def swing(mover: Prism, pivot_studs: Point, angle_deg: float, obstacles: Obstacles) -> list[Swing]:
    """Return the first meetings of a prism that turns about a pivot, in the order of their angles.

    Parameters
    ----------
    mover
        Where it starts.
    pivot_studs
        What it turns about: its centre, or a ship's rudder.
    angle_deg
        The whole turn, counter-clockwise, up to a full circle either way; of no size, only overlaps at the start are
        found.
    obstacles
        What may be in the way.

    Returns
    -------
    list of Swing
        One for each obstacle whose overlap in plan, somewhere in the turn, and in height exceeds the tolerance.
    """
    sign = copysign(1.0, angle_deg)
    turn = min(radians(abs(angle_deg)), tau)
    pivot = np.array(pivot_studs)
    shape = _seen_from(mover.footprint, pivot, sign)
    reach = float(np.hypot(*shape.vertices_studs.T).max())
    found = []
    for index in _within(mover, pivot_studs, reach, obstacles):
        other = _seen_from(obstacles.prisms[index].footprint, pivot, sign)
        angle = first_overlap_rad(shape, other, turn)
        if angle is not None:
            found.append(Swing(index, sign * degrees(angle) + 0.0))  # no -0.0
    return sorted(found, key=lambda swing: (abs(swing.angle_deg), swing.index))


def first_overlap_rad(shape: Polygon, other: Polygon, turn_rad: float) -> float | None:
    """Return how far a polygon turns counter-clockwise about the origin until it overlaps another; None if it does not.

    Parameters
    ----------
    shape, other
        The one that turns, and the other.
    turn_rad
        The whole turn, up to a full circle.
    """
    if depths_studs(shape, other, np.zeros(1))[0] > TOLERANCE:
        return 0.0
    starts, inside = _looks(shape, other, turn_rad, TOLERANCE)
    if not inside.any():
        return None
    deep = float(starts[inside.argmax()])
    starts, touching = _looks(shape, other, deep, 0.0)
    apart = np.flatnonzero(~touching)
    return float([*starts, deep][apart[-1] + 1]) if len(apart) else 0.0


def _looks(
    shape: Polygon, other: Polygon, turn_rad: float, depth_studs: float
) -> tuple[Array, Flags]:
    """Return the angles where parts of a turn begin, and whether the overlap is deeper than this in each part."""
    crossings = [
        _crossings(shape, other, depth_studs),
        _crossings(other, shape, depth_studs, turns=-1.0),
    ]
    events = np.concatenate([[0.0], *crossings])
    ends = np.append(np.unique(events[events < turn_rad]), turn_rad)
    starts = ends[:-1]
    return starts, depths_studs(shape, other, (starts + ends[1:]) / 2) > depth_studs


def depths_studs(shape: Polygon, other: Polygon, angles_rad: Array) -> Array:
    """Return how deep a polygon that has turned about the origin reaches into another; negative where they are apart.

    Parameters
    ----------
    shape, other
        The one that turns, and the other.
    angles_rad : ndarray, shape (m,)
        How far it has turned.
    """
    corners, normals = (_turned(v, angles_rad) for v in (shape.vertices_studs, shape.normals))
    theirs = np.einsum("ki,mji->mkj", other.normals, corners).min(axis=2) - other.offsets_studs
    ours = np.einsum("mji,ki->mjk", normals, other.vertices_studs).min(axis=2)
    gaps = np.concatenate([theirs, ours - shape.offsets_studs], axis=1)
    depths: Array = -gaps.max(axis=1)
    return depths


def _seen_from(polygon: Polygon, pivot: Array, sign: float) -> Polygon:
    """Shift a polygon so that the pivot is the origin, mirrored for a clockwise turn."""
    corners = polygon.vertices_studs - pivot
    return Polygon(corners if sign > 0 else (corners * [1.0, -1.0])[::-1])


def _within(mover: Prism, pivot: Point, reach: float, obstacles: Obstacles) -> Sequence[int]:
    """Return the obstacles that a turning prism may meet."""
    x, y = pivot
    some = obstacles.between(x - reach - TOLERANCE, x + reach + TOLERANCE)
    rows = obstacles.table[some]
    near = np.hypot(rows[:, 0] - x, rows[:, 1] - y) <= reach + rows[:, 2] + TOLERANCE
    level = np.minimum(rows[:, 4], mover.top_plates) - np.maximum(rows[:, 3], mover.bottom_plates)
    found: list[int] = some[near & (level > TOLERANCE)].tolist()
    return sorted(found)


def _crossings(turning: Polygon, still: Polygon, depth_studs: float, turns: float = 1.0) -> Array:
    """Return the angles, 0 to a full circle, at which corners of one polygon are so far inside an edge of the other.

    With `turns` of -1 it is the other one that turns.
    """
    corners, offsets = turning.vertices_studs, still.offsets_studs - depth_studs
    radii, bearings = np.hypot(*corners.T)[:, None], np.arctan2(corners[:, 1], corners[:, 0])
    lines = np.arctan2(still.normals[:, 1], still.normals[:, 0])
    # the others pass the line by, or are the pivot
    reached = (np.abs(offsets) <= radii) & (radii > 0)
    middle = (lines - bearings[:, None])[reached]
    half = np.arccos((offsets / np.where(radii > 0, radii, 1.0))[reached].clip(-1, 1))
    angles = np.concatenate([middle - half, middle + half])
    crossings: Array = turns * angles % tau
    return crossings


def _turned(vectors: Array, angles_rad: Array) -> npt.NDArray[np.float64]:
    """Turn vectors of shape (n, 2) by each of m angles; shape (m, n, 2)."""
    c, s = np.cos(angles_rad)[:, None], np.sin(angles_rad)[:, None]
    x, y = vectors.T
    return np.stack([c * x - s * y, s * x + c * y], axis=-1)
