"""Floors: the geometry of the ground; its material is a surface.

Heights count from the plane, or from the tops of the studs.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from brickphys.arrays import Array, Mask
from brickphys.errors import unknown
from brickphys.shapes.dimensions import BRICK_DIMENSIONS
from brickphys.units import STUD_MM

FLAT_DEG = 3.0
"""A brick at rest on a plane within this angle of a stable face lies on it; else it leans on another body."""
STUDDED_DEG = 30.0
"""On studs a brick may rest tilted, with an edge between studs; players name it by the nearest stable face."""


@dataclass(frozen=True)
class Floor:
    """The geometry of a floor.

    Attributes
    ----------
    name
        As on the command line.
    surface
        Name of its default surface.
    tilt_deg
        A brick at rest within this angle of a stable face counts as lying on it; else it is ``leaning``.
    studs
        Whether it is covered with studs, one every 8 mm along x and y.
    inside_mm
        Inner width of the square that walls enclose; None without walls. Walls have no upper end.
    """

    name: str
    surface: str
    tilt_deg: float = FLAT_DEG
    studs: bool = False
    inside_mm: float | None = None

    @property
    def is_plane(self) -> bool:
        """Whether it is a plane without studs and walls."""
        return not self.studs and self.inside_mm is None

    @property
    def period_mm(self) -> float | None:
        """Period of the floor along x and y; None if it is a plane or not periodic."""
        return STUD_MM if self.studs else None

    def wall_time(self, position_mm: Array, velocity_m_s: Array, radius_mm: float) -> Array:
        """Return the earliest time in seconds at which free bodies can touch a wall.

        Parameters
        ----------
        position_mm, velocity_m_s : ndarray, shape (..., 3)
            Positions and velocities of the centres of mass.
        radius_mm
            Largest distance of a corner from the centre of mass.

        Returns
        -------
        ndarray, shape (...)
            0 for a body within `radius_mm` of a wall, infinite without walls.
        """
        if self.inside_mm is None:
            return np.full(position_mm.shape[:-1], np.inf)
        room = self.inside_mm / 2 - radius_mm - np.sign(velocity_m_s) * position_mm
        speed = 1000.0 * np.abs(velocity_m_s)
        time = np.divide(room, speed, out=np.full_like(room, np.inf), where=speed > 0)[..., :2]
        near = self.near_wall(position_mm, radius_mm)
        return np.asarray(np.where(near, 0.0, time.min(axis=-1)))

    def near_wall(self, position_mm: Array, radius_mm: float) -> Mask:
        """Return which bodies are within `radius_mm` of a wall, shape (...)."""
        if self.inside_mm is None:
            return np.zeros(position_mm.shape[:-1], dtype=bool)
        reach = np.abs(position_mm[..., :2]).max(axis=-1) + radius_mm
        return np.asarray(reach >= self.inside_mm / 2)


STUD_RADIUS_MM = BRICK_DIMENSIONS.stud_diameter_mm / 2
STUD_HEIGHT_MM = BRICK_DIMENSIONS.stud_height_mm

PLANE = Floor("plane", surface="wood")
BASEPLATE = Floor("baseplate", surface="plastic", tilt_deg=STUDDED_DEG, studs=True)
TRAY = Floor("tray", surface="wood", inside_mm=250.0)

FLOORS: Mapping[str, Floor] = {floor.name: floor for floor in (PLANE, BASEPLATE, TRAY)}


def floor(name: str) -> Floor:
    """Return the floor of a name, else raise InvalidValueError with the nearest name."""
    if name not in FLOORS:
        raise unknown("floor", name, FLOORS)
    return FLOORS[name]
