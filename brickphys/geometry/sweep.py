"""Sweep: when and where a convex footprint that moves straight ahead first meets each of many convex obstacles.

A footprint A moved by v overlaps an obstacle B if and only if v lies inside the Minkowski sum of B and -A. That sum is
convex; the normals of its edges are those of B and the reversed ones of A, and its support function is the sum of
theirs. So the path, a segment of v, is clipped by the edges of that sum in closed form (Cyrus and Beck, 1978), and it
enters the sum at the time of impact.
"""

from dataclasses import dataclass

from brickphys.geometry.obstacles import Obstacles
from brickphys.geometry.polygon import TOLERANCE, Point, Polygon, intersection
from brickphys.geometry.prism import Prism
from brickphys.geometry.sweep_kernel import faces_that_meet, first_touches


@dataclass(frozen=True)
class SweepTouch:
    """The first meeting with one obstacle.

    Attributes
    ----------
    index
        Which obstacle.
    distance_studs
        Travelled when the open interiors first meet; 0 for an overlap at the start.
    axis
        The edge of the Minkowski sum that is entered: one of the obstacle's edges, or, counted on after its last
        one, one of the mover's.
    overlaps_at_start
        Whether they overlap before the move begins.
    """

    index: int
    distance_studs: float
    axis: int
    overlaps_at_start: bool


@dataclass(frozen=True)
class ContactPoint:
    """Where a mover and an obstacle meet.

    Attributes
    ----------
    point_studs
        The middle of what they share on the obstacle; for an overlap at the start, the centre of the common area.
    normal
        Unit vector, outward from the obstacle.
    edge
        Which edge of the obstacle is touched; None at a corner, and for an overlap at the start.
    """

    point_studs: Point
    normal: Point
    edge: int | None


def sweep(
    mover: Prism, heading: Point, distance_studs: float, obstacles: Obstacles
) -> list[SweepTouch]:
    """Return the first meetings of a prism that moves straight ahead, in the order of their distances.

    Parameters
    ----------
    mover
        Where it starts.
    heading
        Unit vector of its direction.
    distance_studs
        Length of its path; with 0 only overlaps at the start are found.
    obstacles
        What it may meet. None of them stops the mover here.

    Returns
    -------
    list of SweepTouch
        One for each obstacle whose overlap in plan, somewhere on the path, and in height exceeds the tolerance.
    """
    found = first_touches(
        mover.footprint.vertices_studs,
        (mover.bottom_plates, mover.top_plates),
        (*heading, distance_studs),
        obstacles.heads,
        obstacles.edges,
        obstacles.by_x,
        obstacles.sorted_x_studs,
        obstacles.largest_studs,
        TOLERANCE,
    )
    touches = [
        SweepTouch(int(index), distance, int(axis), bool(inside))
        for index, distance, axis, inside in found.tolist()
    ]
    return sorted(touches, key=lambda touch: (touch.distance_studs, touch.index))


def overlap(first: Prism, second: Prism) -> bool:
    """Tell whether two prisms overlap by more than the tolerance."""
    return bool(sweep(first, (1.0, 0.0), 0.0, Obstacles.of([second])))


def contact_point(
    mover: Polygon, heading: Point, touch: SweepTouch, obstacles: Obstacles
) -> ContactPoint:
    """Return where a sweep touches an obstacle.

    Parameters
    ----------
    mover
        The footprint at the start of the move.
    heading
        Unit vector of its direction, as in `sweep`.
    touch
        One of the results of `sweep`.
    obstacles
        Those of the sweep.
    """
    hit = obstacles.prisms[touch.index].footprint
    normal = _axis_normal(mover, hit, touch.axis)
    # far from the origin a sliver rounds away: it is cut out near one, and if it still vanishes, faces meet there
    origin = mover.vertices_studs[0]
    common = touch.overlaps_at_start and intersection(mover.moved(-origin), hit.moved(-origin))
    if common:
        x, y = (common.centroid_studs + origin).tolist()
        return ContactPoint((x, y), normal, None)
    shift = (touch.distance_studs * heading[0], touch.distance_studs * heading[1])
    offset, low, high, from_low, from_high = faces_that_meet(
        hit.vertices_studs, mover.vertices_studs, shift, normal, TOLERANCE
    )
    middle = (max(low, from_low) + min(high, from_high)) / 2
    nx, ny = normal
    point = (offset * nx - middle * ny, offset * ny + middle * nx)
    is_inside = low + TOLERANCE < middle < high - TOLERANCE and not touch.overlaps_at_start
    return ContactPoint(point, normal, int((hit.normals @ normal).argmax()) if is_inside else None)


def _axis_normal(mover: Polygon, hit: Polygon, axis: int) -> Point:
    """Return the unit normal of the touch, outward from the obstacle."""
    count = len(hit.edges)
    if axis < count:
        x, y = hit.normals[axis].tolist()
        return x, y
    x, y = mover.normals[axis - count].tolist()
    return -x, -y
