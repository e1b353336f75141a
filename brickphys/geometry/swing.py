"""Swing: at which angle a footprint that turns about a pivot first meets each of many convex obstacles.

While one polygon turns, an overlap with another can only begin or end where a corner of one crosses the line of an edge
of the other. These angles are known in closed form; between two neighbouring ones a single test decides. As in a sweep
they meet if some overlap exceeds the tolerance: this is tested with lines moved inward by it. The angle returned is
that of the first touch.
"""

from math import copysign, degrees, hypot, radians, tau
from typing import NamedTuple

from brickphys.geometry.obstacles import Obstacles
from brickphys.geometry.polygon import TOLERANCE, Point
from brickphys.geometry.prism import Prism
from brickphys.geometry.swing_kernel import first_overlaps


class SwingTouch(NamedTuple):
    """The first meeting with one obstacle while turning.

    Attributes
    ----------
    number
        Which obstacle.
    angle_deg
        Turned when the open interiors first meet, with the sign of the turn; 0 for an overlap at the start.
    overlaps_at_start
        Whether they overlap before the turn begins.
    """

    number: int
    angle_deg: float
    overlaps_at_start: bool


def swing(
    mover: Prism, pivot_studs: Point, angle_deg: float, obstacles: Obstacles
) -> list[SwingTouch]:
    """Return the first meetings of a prism that turns about a pivot, in the order of their angles.

    Parameters
    ----------
    mover
        Where it starts.
    pivot_studs
        What it turns about: its centre, or a ship's rudder.
    angle_deg
        The whole turn, counter-clockwise, up to a full circle either way; with 0 only overlaps at the start are found.
    obstacles
        What it may meet.

    Returns
    -------
    list of SwingTouch
        One for each obstacle whose overlap in plan, somewhere in the turn, and in height exceeds the tolerance.
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
