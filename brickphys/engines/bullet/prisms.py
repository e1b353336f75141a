"""Prisms in PyBullet: convex footprints between two heights, and the distances between them.

Nothing is stepped. Bullet computes closest points (GJK, EPA) in double precision. But it rounds the corners of a convex
hull to a grid of 10216 steps over each extent (`btConvexHullComputer`), and grows every body by its margin.
"""

from dataclasses import dataclass
from math import cos, hypot, sin
from types import ModuleType
from typing import NamedTuple

import numpy as np

from brickphys.arrays import Array
from brickphys.units import MM_PER_UNIT

MARGIN_MM = 0.001
"""Growth of bodies; without a margin Bullet's overlaps are wrong."""
_GRID = 10_216
"""Steps of the grid to which Bullet rounds the corners of a hull."""


class Closest(NamedTuple):
    """The closest points of two bodies.

    Attributes
    ----------
    distance_mm
        Distance between them; negative for an overlap.
    normal
        Unit vector of shape (3,), from the second body to the first.
    """

    distance_mm: float
    normal: tuple[float, float, float]


@dataclass(frozen=True)
class BulletPrism:
    """A body in PyBullet.

    Attributes
    ----------
    number
        PyBullet's number of the body.
    origin_mm
        Middle of its footprint as given.
    rounding_mm
        Largest deviation of a corner from its given position.
    """

    number: int
    origin_mm: tuple[float, float]
    rounding_mm: float


class BulletPrisms:
    """Prisms in one PyBullet client.

    Parameters
    ----------
    module, client
        From `brickphys.engines.client.connection`.
    """

    def __init__(self, module: ModuleType, client: int) -> None:
        self._bullet, self._client = module, client
        self._numbers: list[int] = []

    def add(self, corners_mm: Array, bottom_mm: float, top_mm: float) -> BulletPrism:
        """Add the prism over a convex footprint, corners of shape (n, 2), between two heights."""
        middle = (corners_mm.min(axis=0) + corners_mm.max(axis=0)) / 2
        flat = ((corners_mm - middle) / MM_PER_UNIT).tolist()
        levels = (bottom_mm / MM_PER_UNIT, top_mm / MM_PER_UNIT)
        form = self._bullet.createCollisionShape(
            self._bullet.GEOM_MESH,
            vertices=[[x, y, z] for z in levels for x, y in flat],
            physicsClientId=self._client,
        )
        number = self._bullet.createMultiBody(0, form, physicsClientId=self._client)
        self._bullet.changeDynamics(
            number, -1, collisionMargin=MARGIN_MM / MM_PER_UNIT, physicsClientId=self._client
        )
        self._numbers.append(number)
        rounding = hypot(*np.ptp(corners_mm, axis=0).tolist()) / _GRID
        prism = BulletPrism(number, (float(middle[0]), float(middle[1])), rounding)
        self.place(prism)
        return prism

    def place(
        self,
        prism: BulletPrism,
        shift_mm: tuple[float, float] = (0.0, 0.0),
        turn_rad: float = 0.0,
    ) -> None:
        """Put a body where a turn about the origin, and then a shift, take it from its given position."""
        c, s = cos(turn_rad), sin(turn_rad)
        (x, y), (dx, dy) = prism.origin_mm, shift_mm
        x, y = c * x - s * y + dx, s * x + c * y + dy
        self._bullet.resetBasePositionAndOrientation(
            prism.number,
            [x / MM_PER_UNIT, y / MM_PER_UNIT, 0.0],
            [0.0, 0.0, sin(turn_rad / 2), cos(turn_rad / 2)],
            physicsClientId=self._client,
        )

    def closest(self, first: BulletPrism, second: BulletPrism, within_mm: float) -> Closest | None:
        """Return the closest points of two bodies; None if they are farther apart than `within_mm`."""
        points = self._bullet.getClosestPoints(
            first.number, second.number, within_mm / MM_PER_UNIT, physicsClientId=self._client
        )
        if not points:
            return None
        nearest = min(points, key=lambda point: float(point[8]))
        return Closest(nearest[8] * MM_PER_UNIT, nearest[7])

    def clear(self) -> None:
        """Remove all bodies."""
        for number in self._numbers:
            self._bullet.removeBody(number, physicsClientId=self._client)
        self._numbers.clear()
