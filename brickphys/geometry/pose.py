"""Pose: position and heading on the field; the direction of a point, and whether it lies within an arc."""

from math import atan2, degrees
from typing import NamedTuple

from brickphys.geometry.polygon import TOLERANCE, Point, Polygon, turned_points, unit_vector


class Pose(NamedTuple):
    """Place and heading of a mover."""

    x_studs: float
    y_studs: float
    heading_deg: float
    """Counter-clockwise from +x."""

    @property
    def centre_studs(self) -> Point:
        """Its centre."""
        return self.x_studs, self.y_studs

    @property
    def heading(self) -> Point:
        """Unit vector of its heading."""
        return unit_vector(self.heading_deg)

    def on_field(self, point_studs: Point) -> Point:
        """Return where a point of the mover's own frame (ahead, left) is on the field."""
        ahead, left = point_studs
        c, s = self.heading
        return self.x_studs + ahead * c - left * s, self.y_studs + ahead * s + left * c

    def in_frame(self, point_studs: Point) -> Point:
        """Return where a point of the field is in the mover's own frame: (ahead, left)."""
        x, y = point_studs[0] - self.x_studs, point_studs[1] - self.y_studs
        c, s = self.heading
        return x * c + y * s, y * c - x * s

    def placed(self, shape: Polygon) -> Polygon:
        """Return a polygon of the mover's own frame, where it is on the field."""
        return Polygon(turned_points(shape.vertices_studs, *self.heading) + self.centre_studs)


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

    The arc is given by its whole width, up to 360, and its apex.
    """
    return abs(bearing_deg(at_studs, heading_deg, other_studs)) <= arc_deg / 2 + TOLERANCE
