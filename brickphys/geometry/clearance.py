"""Clearance: how near a moving body comes to things that it misses, and where on its way."""

from math import degrees, dist
from typing import NamedTuple

import numpy as np

from brickphys.geometry.clearance_kernel import nearest_approaches
from brickphys.geometry.motion import Motion, Rotation
from brickphys.geometry.obstacles import Body, Obstacles
from brickphys.geometry.polygon import TOLERANCE, Point, Polygon
from brickphys.units import Array


class Approach(NamedTuple):
    """The nearest approach to one obstacle."""

    number: int
    distance_studs: float
    """In plan."""
    at: float
    """How far the motion has come when it is first so near, to the tolerance: studs, or degrees of a turn."""


def approaches(
    body: Body, motion: Motion, until: float, within_studs: float, obstacles: Obstacles
) -> list[Approach]:
    """Return how near a body comes to obstacles whose heights overlap its own and which it does not touch.

    Of an obstacle that is touched the answer has no meaning.
    """
    nearest: dict[int, Approach] = {}
    for prism in body:
        found = nearest_approaches(
            prism.footprint.edges,
            np.array(prism.circle_studs),
            (prism.bottom_plates, prism.top_plates),
            motion.numbers(until),
            prism.radius_studs,
            within_studs + TOLERANCE,
            obstacles.heads,
            obstacles.edges,
            TOLERANCE,
        )
        for number, distance, at in found.tolist():
            place = degrees(at) if isinstance(motion, Rotation) else at
            one = Approach(int(number), distance, place)
            nearest[one.number] = _nearer(nearest.get(one.number, one), one)
    return list(nearest.values())


def nearest_points(one: Polygon, other: Polygon) -> tuple[Point, Point]:
    """Return the points of two polygons that do not overlap where they are nearest to each other."""
    ends = [_corner_to_edge(one, other), _corner_to_edge(other, one)[::-1]]
    first, second = min(ends, key=lambda pair: float(np.hypot(*(pair[0] - pair[1]))))
    return (float(first[0]), float(first[1])), (float(second[0]), float(second[1]))


def gap_between_studs(one: Body, other: Body) -> float:
    """Return how far two bodies that do not overlap are apart in plan."""
    return min(
        dist(*nearest_points(a.footprint, b.footprint)) - a.radius_studs - b.radius_studs
        for a in one
        for b in other
    )


def nearest_point(polygon: Polygon, point: Point) -> Point:
    """Return the point of a polygon's edges that is nearest to a point."""
    foot = _corner_to_edge(Polygon(np.array([point])), polygon)[1]
    return float(foot[0]), float(foot[1])


def _corner_to_edge(one: Polygon, other: Polygon) -> tuple[Array, Array]:
    """Return the corner of a polygon that is nearest to the edges of another, and its foot on them."""
    corners, starts = one.vertices_studs[:, None], other.vertices_studs
    along = np.roll(starts, -1, axis=0) - starts
    # a point has an edge of none
    squares = np.maximum((along**2).sum(axis=1), np.finfo(float).tiny)
    shares = ((corners - starts) * along).sum(axis=2) / squares
    feet = starts + shares.clip(0.0, 1.0)[..., None] * along
    gaps = np.hypot(*np.moveaxis(corners - feet, 2, 0))
    corner, edge = np.unravel_index(gaps.argmin(), gaps.shape)
    return one.vertices_studs[corner], feet[corner, edge]


def _nearer(one: Approach, other: Approach) -> Approach:
    """Return the nearer of two approaches; of two that are equally near, the first."""
    first, then = sorted((one, other), key=lambda each: each.at)
    return then if then.distance_studs < first.distance_studs - TOLERANCE else first
