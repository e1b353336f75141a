"""Sweep: when a convex footprint that moves straight ahead or turns first meets each of many convex obstacles.

Straight ahead: a footprint A moved by v overlaps an obstacle B if and only if v lies inside the Minkowski sum of B and
-A. That sum is convex; the normals of its edges are those of B and the reversed ones of A, and its support function is
the sum of theirs. So the path, a segment of v, is clipped by the edges of that sum in closed form (Cyrus and Beck,
1978), and it enters the sum at the time of impact.

In a turn about a pivot, an overlap with another polygon can only begin or end where a corner of one crosses the line of
an edge of the other. These angles are known in closed form; between two neighbouring ones a single test decides. As in
a sweep they meet if some overlap exceeds the tolerance: this is tested with lines moved inward by it. The angle
returned is that of the first touch.

Besides: between which positions a moving prism overlaps obstacles, where it first overlaps none, and whether prisms
block straight lines in space.
"""

from dataclasses import dataclass
from math import copysign, degrees, hypot, inf, radians, tau
from typing import NamedTuple

from brickphys.geometry.obstacles import Obstacles, Prism
from brickphys.geometry.polygon import TOLERANCE, Point
from brickphys.geometry.sweep_kernel import are_clear, first_touches
from brickphys.geometry.swing_kernel import first_overlaps
from brickphys.units import Array, Indices, Mask


class SweepTouch(NamedTuple):
    """The first meeting with one obstacle."""

    number: int
    distance_studs: float
    """Travelled when the open interiors first meet; 0 for an overlap at the start."""
    axis: int
    """The edge of the Minkowski sum that is entered: one of the obstacle's edges, or, counted on after its last one,
    one of the mover's."""
    overlaps_at_start: bool
    """Whether they overlap before the move begins."""


def sweep(
    mover: Prism, heading: Point, distance_studs: float, obstacles: Obstacles
) -> list[SweepTouch]:
    """Return the first meetings of a prism that moves straight ahead, in the order of their distances.

    There is one for each obstacle whose overlap in plan, somewhere on the path, and in height exceeds the tolerance.

    Parameters
    ----------
    heading
        Unit vector of its direction.
    distance_studs
        Length of its path; with 0 only overlaps at the start are found.
    obstacles
        What it may meet. None of them stops the mover here.
    """
    found = first_touches(
        mover.footprint.vertices_studs,
        (mover.bottom_plates, mover.top_plates),
        mover.radius_studs,
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


class SwingTouch(NamedTuple):
    """The first meeting with one obstacle while turning."""

    number: int
    angle_deg: float
    """Turned when the open interiors first meet, with the sign of the turn; 0 for an overlap at the start."""
    overlaps_at_start: bool
    """Whether they overlap before the turn begins."""


def swing(
    mover: Prism, pivot_studs: Point, angle_deg: float, obstacles: Obstacles
) -> list[SwingTouch]:
    """Return the first meetings of a prism that turns about a pivot, in the order of their angles; see `sweep`.

    Parameters
    ----------
    pivot_studs
        What it turns about: its centre, or a ship's rudder.
    angle_deg
        The whole turn, counter-clockwise, up to a full circle either way; with 0 only overlaps at the start are found.
    """
    sign = copysign(1.0, angle_deg)
    turn = min(radians(abs(angle_deg)), tau)
    x, y = pivot_studs
    at_x, at_y, radius = mover.circle_studs
    reach = hypot(at_x - x, at_y - y) + radius + TOLERANCE
    found = first_overlaps(
        mover.footprint.edges,
        (mover.bottom_plates, mover.top_plates),
        (x, y),
        sign,
        turn,
        mover.radius_studs,
        obstacles.heads,
        obstacles.edges,
        obstacles.between(x - reach, x + reach),
        TOLERANCE,
    )
    met = [
        SwingTouch(int(index), sign * degrees(angle) + 0.0, bool(inside))  # no -0.0
        for index, angle, inside in found.tolist()
    ]
    return sorted(met, key=lambda touch: (abs(touch.angle_deg), touch.number))


@dataclass(frozen=True)
class Passage:
    """The part of a way on which a mover overlaps one obstacle."""

    number: int
    begins_studs: float
    """Travelled at first touch; minus infinity for an overlap at the start."""
    ends_studs: float
    """Travelled at last touch; infinity for an overlap at the end."""


def passages(
    mover: Prism, heading: Point, distance_studs: float, obstacles: Obstacles
) -> list[Passage]:
    """Return where a prism overlaps obstacles on its way, in the order in which that begins.

    The ends are found by a sweep back from the far end, so they are as exact as the beginnings. The heading is a unit
    vector. No obstacle stops the prism.
    """
    ahead = sweep(mover, heading, distance_studs, obstacles)
    if not ahead:
        return []
    x, y = heading
    there = mover.footprint.moved((x * distance_studs, y * distance_studs))
    far = mover.on(there)
    ends = {
        touch.number: inf if touch.overlaps_at_start else distance_studs - touch.distance_studs
        for touch in sweep(far, (-x, -y), distance_studs, obstacles)
    }
    found = []
    for touch in ahead:
        begins = -inf if touch.overlaps_at_start else touch.distance_studs
        found.append(Passage(touch.number, begins, ends.get(touch.number, touch.distance_studs)))
    return sorted(found, key=lambda passage: passage.begins_studs)


def first_free_studs(
    mover: Prism, heading: Point, distance_studs: float, obstacles: Obstacles
) -> float | None:
    """Return how far a prism moves until it first overlaps no obstacle; None if it always overlaps some.

    The parameters are those of `passages`.
    """
    free = 0.0
    for passage in passages(mover, heading, distance_studs, obstacles):
        if passage.begins_studs >= free:
            break
        free = max(free, passage.ends_studs)
    return free if free <= distance_studs else None


Line = tuple[float, float, float, float, float, float]
"""From (x, y, height) to (x, y, height), in studs and plates."""


def clear_lines(lines: Array, obstacles: Obstacles, among: Indices) -> Mask:
    """Tell which of several lines are clear of obstacles, shape (n,).

    A line is clear of a prism if no part of it is inside by more than the tolerance; it may graze a face. A line of no
    length is a point. Only the obstacles `among` count; each of the lines, shape (n, 6), is a `Line`.
    """
    return are_clear(lines, obstacles.heads, obstacles.edges, among, TOLERANCE)
