"""Facing: what is in front of a figure, and the headings of vehicles (BOW 2.4.2, 3.4)."""

from brickphys.geometry.polygon import TOLERANCE, Point
from brickphys.grid.directions import DIRECTIONS

FRONT_DEG = 180.0
"""Width of the arc in front; exactly sideways belongs to it."""


def normal_deg(angle_deg: float) -> float:
    """Return a heading as vehicles keep it: at least 0 and below 360 degrees, rounded to nine digits."""
    return round(angle_deg % 360.0, 9) % 360.0


def is_in_front(facing: int, at_studs: Point, target_studs: Point) -> bool:
    """Tell whether a target is in front of a figure with one of the eight facings.

    Parameters
    ----------
    facing
        0 to 7; 45 degrees each, counter-clockwise from +x.
    at_studs, target_studs
        The middles of the figure and of the target.
    """
    ahead_x, ahead_y = DIRECTIONS[facing]
    ahead = ahead_x * (target_studs[0] - at_studs[0]) + ahead_y * (target_studs[1] - at_studs[1])
    return ahead >= -TOLERANCE
