"""Sweep: when a convex footprint that moves straight ahead first meets each of many convex obstacles.

A footprint A moved by v overlaps an obstacle B if and only if v lies inside the Minkowski sum of B and -A. That sum is
convex; the normals of its edges are those of B and the reversed ones of A, and its support function is the sum of
theirs. So the path, a segment of v, is clipped by the edges of that sum in closed form (Cyrus and Beck, 1978), and it
enters the sum at the time of impact.
"""

from typing import NamedTuple

from brickphys.geometry.obstacles import Obstacles
from brickphys.geometry.polygon import TOLERANCE, Point
from brickphys.geometry.prism import Prism
from brickphys.geometry.sweep_kernel import first_touches


class SweepTouch(NamedTuple):
    """The first meeting with one obstacle.

    Attributes
    ----------
    number
        Which obstacle.
    distance_studs
        Travelled when the open interiors first meet; 0 for an overlap at the start.
    axis
        The edge of the Minkowski sum that is entered: one of the obstacle's edges, or, counted on after its last
        one, one of the mover's.
    overlaps_at_start
        Whether they overlap before the move begins.
    """

    number: int
    distance_studs: float
    axis: int
    overlaps_at_start: bool


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
    return sorted(touches, key=lambda touch: (touch.distance_studs, touch.number))


def overlaps(prism: Prism, obstacles: Obstacles) -> list[SweepTouch]:
    """Return which obstacles a prism overlaps by more than the tolerance, in their order."""
    return sweep(prism, (1.0, 0.0), 0.0, obstacles)


def overlap(first: Prism, second: Prism) -> bool:
    """Tell whether two prisms overlap by more than the tolerance."""
    return bool(overlaps(first, Obstacles.of([second])))
