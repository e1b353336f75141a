"""Bearing: the direction of a point, whether it lies within an arc, and turns between headings."""

from math import atan2, degrees

from brickphys.geometry.polygon import TOLERANCE, Point


def bearing_deg(at_studs: Point, heading_deg: float, other_studs: Point) -> float:
    """Return the direction of another point off a heading, counter-clockwise, above -180 and up to 180.

    A point upon the first one counts as ahead.
    """
    dx, dy = other_studs[0] - at_studs[0], other_studs[1] - at_studs[1]
    absolute = degrees(atan2(dy, dx)) if dx or dy else heading_deg
    return turn_deg(heading_deg, absolute)


def turn_deg(heading_deg: float, other_deg: float) -> float:
    """Return the turn from a heading to another one, counter-clockwise, above -180 and up to 180."""
    return -((heading_deg - other_deg + 180.0) % 360.0 - 180.0)


def is_in_arc(heading_deg: float, arc_deg: float, at_studs: Point, other_studs: Point) -> bool:
    """Tell whether a point lies within an arc; the limits of the arc belong to it.

    Parameters
    ----------
    heading_deg
        The middle of the arc.
    arc_deg
        Its whole width, up to 360.
    at_studs, other_studs
        The apex of the arc, and the point.
    """
    return abs(bearing_deg(at_studs, heading_deg, other_studs)) <= arc_deg / 2 + TOLERANCE
