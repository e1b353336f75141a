"""Pose: where something on the field is, and which way it faces."""

from typing import NamedTuple

from brickphys.geometry.polygon import Point, unit_vector


class Pose(NamedTuple):
    """Place and heading of a mover.

    Attributes
    ----------
    x_studs, y_studs
        Its centre.
    heading_deg
        Counter-clockwise from +x.
    """

    x_studs: float
    y_studs: float
    heading_deg: float

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
