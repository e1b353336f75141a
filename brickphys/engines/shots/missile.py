"""Missile: a homogeneous sphere or short cylinder."""

from dataclasses import dataclass

import numpy as np

from brickphys.arrays import Array, Triple
from brickphys.errors import InvalidValueError
from brickphys.shapes.solids import compose, cylinder
from brickphys.throws.rotations import down


@dataclass(frozen=True)
class Missile:
    """A sphere, or a cylinder with its axis along z of its own frame.

    Attributes
    ----------
    radius_mm, mass_g
        Radius and mass.
    length_mm
        Length of the cylinder; 0 for a sphere.

    Raises
    ------
    InvalidValueError
        If radius or mass is not above 0, or the length is below 0.
    """

    radius_mm: float
    mass_g: float
    length_mm: float = 0.0

    def __post_init__(self) -> None:
        if not (self.radius_mm > 0 and self.mass_g > 0 and self.length_mm >= 0):
            raise InvalidValueError(
                f"a missile of radius {self.radius_mm:g} mm, length {self.length_mm:g} mm, mass {self.mass_g:g} g"
            )

    @property
    def moments_g_mm2(self) -> Triple:
        """Principal moments of inertia."""
        if not self.length_mm:
            moment = 0.4 * self.mass_g * self.radius_mm**2
            return moment, moment, moment
        solid = cylinder((0.0, 0.0, 0.0), 2 * self.radius_mm, self.length_mm)
        inertia = compose([solid], 1000.0 * self.mass_g / solid.volume_mm3).inertia_g_mm2
        x, y, z = np.diag(inertia).tolist()
        return x, y, z

    @property
    def reach_mm(self) -> float:
        """Distance of its farthest point from its centre."""
        return float(np.hypot(self.radius_mm, self.length_mm / 2))

    @property
    def least_height_mm(self) -> float:
        """Height of its centre where it lies on the table as low as it can."""
        return min(self.radius_mm, self.length_mm / 2) if self.length_mm else self.radius_mm

    def depth_mm(self, quaternion: Array) -> Array:
        """Return how far it reaches below its centre, shape (...,), for orientations (..., 4)."""
        if not self.length_mm:
            return np.full(quaternion.shape[:-1], self.radius_mm)
        axis = np.abs(down(quaternion)[..., 2])
        rim = self.radius_mm * np.sqrt(np.maximum(0.0, 1.0 - axis**2))
        return np.asarray(rim + self.length_mm / 2 * axis)
