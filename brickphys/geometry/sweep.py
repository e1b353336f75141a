"""Sweep: when and where a convex footprint that moves straight ahead first meets each of many convex obstacles.

A footprint A moved by v overlaps an obstacle B just if v lies inside the Minkowski sum of B and -A. That sum is convex;
the normals of its edges are those of B and the reversed ones of A, and its support function is the sum of theirs. So
the way, a segment of v, is clipped by the edges of that sum in closed form (Cyrus and Beck, 1978), and it enters at the
time of impact.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from brickphys.arrays import Array, Indices
from brickphys.geometry.polygon import TOLERANCE, Point, Polygon, intersection
from brickphys.geometry.sweep_kernel import (
    HEAD,
    circle_around,
    faces_that_meet,
    first_touches,
)


@dataclass(frozen=True, eq=False)
class Prism:
    """A footprint between two heights.

    Attributes
    ----------
    footprint
        In plan.
    bottom_plates, top_plates
        The open interval of heights that it fills.
    """

    footprint: Polygon
    bottom_plates: float
    top_plates: float

    @cached_property
    def circle_studs(self) -> tuple[float, float, float]:
        """Centre and radius of a circle around it."""
        return circle_around(self.footprint.vertices_studs)

    @cached_property
    def row(self) -> list[float]:
        """The prism as a row of `brickphys.geometry.sweep_kernel`."""
        heights, corners = (self.bottom_plates, self.top_plates), self.footprint.rows
        return [*self.circle_studs, *heights, len(corners), *corners.ravel().tolist()]


@dataclass(frozen=True)
class Touch:
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
class Contact:
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


@dataclass(frozen=True, eq=False)
class Obstacles:
    """Many prisms, prepared for sweeps among them; answers count them in this order.

    Attributes
    ----------
    prisms
        The m obstacles.
    table : ndarray, shape (m, 6 + 5 k)
        Them as `brickphys.geometry.sweep_kernel` wants them; k is the largest number of corners.
    by_x : ndarray of int, shape (m,)
        Obstacles in the order of the x of their centres.
    sorted_x_studs : ndarray, shape (m,)
        Those x.
    largest_studs
        The largest of their radii.
    """

    prisms: tuple[Prism, ...]
    table: Array
    by_x: Indices
    sorted_x_studs: Array
    largest_studs: float

    @staticmethod
    def of(prisms: Sequence[Prism]) -> "Obstacles":
        """Prepare obstacles."""
        rows = [prism.row for prism in prisms]
        width = max(map(len, rows), default=HEAD)
        padded = [row + [0.0] * (width - len(row)) for row in rows]
        table = np.array(padded).reshape(len(rows), width)
        by_x = np.argsort(table[:, 0], kind="stable")
        largest = float(table[:, 2].max(initial=0.0))
        return Obstacles(tuple(prisms), table, by_x, table[by_x, 0], largest)

    def between(self, low_studs: float, high_studs: float) -> Indices:
        """Return the obstacles that may have a point of such an x: the index that keeps large fields cheap."""
        first = self.sorted_x_studs.searchsorted(low_studs - self.largest_studs, side="left")
        last = self.sorted_x_studs.searchsorted(high_studs + self.largest_studs, side="right")
        return self.by_x[first:last]


def sweep(mover: Prism, heading: Point, distance_studs: float, obstacles: Obstacles) -> list[Touch]:
    """Return the first meetings of a prism that moves straight ahead, in the order of their distances.

    Parameters
    ----------
    mover
        Where it starts.
    heading
        Unit vector of its way.
    distance_studs
        Length of its way; of no length, only overlaps at the start are found.
    obstacles
        What may be in the way. None of them stops the mover here.

    Returns
    -------
    list of Touch
        One for each obstacle whose overlap in plan, somewhere on the way, and in height exceeds the tolerance.
    """
    found = first_touches(
        mover.footprint.vertices_studs,
        (mover.bottom_plates, mover.top_plates),
        (*heading, distance_studs),
        obstacles.table,
        obstacles.by_x,
        obstacles.sorted_x_studs,
        obstacles.largest_studs,
        TOLERANCE,
    )
    touches = [
        Touch(int(index), distance, int(axis), bool(inside))
        for index, distance, axis, inside in found.tolist()
    ]
    return sorted(touches, key=lambda touch: (touch.distance_studs, touch.index))


def overlap(first: Prism, second: Prism) -> bool:
    """Tell whether two prisms overlap by more than the tolerance."""
    return bool(sweep(first, (1.0, 0.0), 0.0, Obstacles.of([second])))


def contact(mover: Polygon, heading: Point, touch: Touch, obstacles: Obstacles) -> Contact:
    """Return where a sweep touches an obstacle.

    Parameters
    ----------
    mover
        The footprint at the start of the move.
    heading
        Unit vector of the way, as in `sweep`.
    touch
        One of the answers of `sweep`.
    obstacles
        What the sweep met.
    """
    hit = obstacles.prisms[touch.index].footprint
    normal = _axis_normal(mover, hit, touch.axis)
    # far from the origin a sliver rounds away: it is cut out near one, and if it still vanishes, faces meet there
    origin = mover.vertices_studs[0]
    common = touch.overlaps_at_start and intersection(mover.moved(-origin), hit.moved(-origin))
    if common:
        x, y = (common.centroid_studs + origin).tolist()
        return Contact((x, y), normal, None)
    shift = (touch.distance_studs * heading[0], touch.distance_studs * heading[1])
    offset, low, high, from_low, from_high = faces_that_meet(
        hit.vertices_studs, mover.vertices_studs, shift, normal, TOLERANCE
    )
    middle = (max(low, from_low) + min(high, from_high)) / 2
    nx, ny = normal
    point = (offset * nx - middle * ny, offset * ny + middle * nx)
    is_inside = low + TOLERANCE < middle < high - TOLERANCE and not touch.overlaps_at_start
    return Contact(point, normal, int((hit.normals @ normal).argmax()) if is_inside else None)


def _axis_normal(mover: Polygon, hit: Polygon, axis: int) -> Point:
    """Return the unit normal of the touch, outward from the obstacle."""
    count = len(hit.rows)
    if axis < count:
        x, y = hit.normals[axis].tolist()
        return x, y
    x, y = mover.normals[axis - count].tolist()
    return -x, -y
