"""Pose: the position and heading of something on the field."""

from typing import NamedTuple

import numpy as np

from brickphys.geometry.polygon import Point, Polygon, unit_vector


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

    def in_frame(self, point_studs: Point) -> Point:
        """Return where a point of the field is in the mover's own frame: (ahead, left)."""
        x, y = point_studs[0] - self.x_studs, point_studs[1] - self.y_studs
        c, s = self.heading
        return x * c + y * s, y * c - x * s

    def placed(self, shape: Polygon) -> Polygon:
        """Return a polygon of the mover's own frame, where it is on the field."""
        c, s = self.heading
        turn = np.array((c, s, -s, c)).reshape(2, 2)
        return Polygon(shape.vertices_studs @ turn + np.array((self.x_studs, self.y_studs)))
