"""Bodies in PyBullet: joined boxes and cylinders, and prisms with the distances between them.

Prisms are convex footprints between two heights. Nothing is stepped: Bullet computes closest points (GJK, EPA) in
double precision. But it rounds the corners of a convex hull to a grid of 10216 steps over each extent
(`btConvexHullComputer`), and grows every body by its margin.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, hypot, sin
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from brickphys.engines.client import Client
from brickphys.errors import InvalidValueError
from brickphys.shapes.body import Part
from brickphys.throws.flight import rotate
from brickphys.units import MM_PER_UNIT, Array

MAX_PARTS = 16
"""Largest number of shapes in a compound of PyBullet."""
_IDENTITY = np.array([0.0, 0.0, 0.0, 1.0])
_CUBE = "".join(
    [f"v {x} {y} {z}\n" for x, y, z in itertools.product((-0.5, 0.5), repeat=3)]
    + [f"f {corner} {corner} {corner}\n" for corner in range(1, 9)]
)
"""A Wavefront file of a cube of size 1; PyBullet takes the corners of its faces."""


def compound(
    client: Client,
    parts: Sequence[Part],
    edge_radius_mm: float = 0.0,
    turned: Array = _IDENTITY,
) -> int:
    """Return the collision shape of at most `MAX_PARTS` parts.

    The margin of a cylinder reaches inwards. That of a box does too, but not where it touches a plane, so a box with
    rounded edges is the hull of its core. Raises InvalidValueError if there are more parts.

    Parameters
    ----------
    parts
        Boxes and cylinders about the centre of mass.
    edge_radius_mm
        Radius of the edges; the margin of the body must be as large.
    turned : ndarray, shape (4,)
        Rotation from the frame of the parts to that of the body.
    """
    if len(parts) > MAX_PARTS:
        raise InvalidValueError(
            f"a body of {len(parts)} parts: the bullet engine takes at most {MAX_PARTS}"
        )
    size_mm = np.array([part.size_mm for part in parts])
    centres = rotate(turned, np.array([part.centre_mm for part in parts])) / MM_PER_UNIT
    box = client.GEOM_MESH if edge_radius_mm else client.GEOM_BOX
    with TemporaryDirectory() as folder:
        cube = Path(folder, "cube.obj")  # PyBullet reads the hulls of a compound from files only
        cube.write_text(_CUBE)
        form: int = client.createCollisionShapeArray(
            shapeTypes=[client.GEOM_CYLINDER if part.is_round else box for part in parts],
            halfExtents=(size_mm / 2 / MM_PER_UNIT).tolist(),
            fileNames=[str(cube)] * len(parts),
            meshScales=((size_mm - 2 * edge_radius_mm) / MM_PER_UNIT).tolist(),
            radii=(size_mm[:, 0] / 2 / MM_PER_UNIT).tolist(),
            lengths=(size_mm[:, 2] / MM_PER_UNIT).tolist(),
            collisionFramePositions=centres.tolist(),
            collisionFrameOrientations=[turned.tolist()] * len(parts),
        )
    return form


MARGIN_MM = 0.001
"""Growth of bodies; without a margin Bullet's overlaps are wrong."""
_GRID = 10_216
"""Steps of the grid to which Bullet rounds the corners of a hull."""


class Closest(NamedTuple):
    """The closest points of two bodies."""

    distance_mm: float
    """Distance between them; negative for an overlap."""
    normal: tuple[float, float, float]
    """Unit vector of shape (3,), from the second body to the first."""


@dataclass(frozen=True)
class BulletPrism:
    """A body in PyBullet."""

    number: int
    """PyBullet's number of the body."""
    origin_mm: tuple[float, float]
    """Middle of its footprint as given."""
    rounding_mm: float
    """Largest deviation of a corner from its given position."""


class BulletPrisms:
    """Prisms in one PyBullet client."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._numbers: list[int] = []

    def add(self, corners_mm: Array, bottom_mm: float, top_mm: float) -> BulletPrism:
        """Add the prism over a convex footprint, corners of shape (n, 2), between two heights."""
        middle = (corners_mm.min(axis=0) + corners_mm.max(axis=0)) / 2
        flat = ((corners_mm - middle) / MM_PER_UNIT).tolist()
        levels = (bottom_mm / MM_PER_UNIT, top_mm / MM_PER_UNIT)
        form = self._client.createCollisionShape(
            self._client.GEOM_MESH, vertices=[[x, y, z] for z in levels for x, y in flat]
        )
        number = self._client.createMultiBody(0, form)
        self._client.changeDynamics(number, -1, collisionMargin=MARGIN_MM / MM_PER_UNIT)
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
        self._client.resetBasePositionAndOrientation(
            prism.number,
            [x / MM_PER_UNIT, y / MM_PER_UNIT, 0.0],
            [0.0, 0.0, sin(turn_rad / 2), cos(turn_rad / 2)],
        )

    def closest(self, first: BulletPrism, second: BulletPrism, within_mm: float) -> Closest | None:
        """Return the closest points of two bodies; None if they are farther apart than `within_mm`."""
        points = self._client.getClosestPoints(first.number, second.number, within_mm / MM_PER_UNIT)
        if not points:
            return None
        nearest = min(points, key=lambda point: float(point[8]))
        return Closest(nearest[8] * MM_PER_UNIT, nearest[7])

    def clear(self) -> None:
        """Remove all bodies."""
        for number in self._numbers:
            self._client.removeBody(number)
        self._numbers.clear()
