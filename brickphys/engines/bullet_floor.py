"""Floor of a Bullet world: an exact plane, with studs or walls where the floor has them."""

import itertools
from types import ModuleType

import numpy as np

from brickphys.errors import InvalidValueError
from brickphys.throws.floors import STUD_HEIGHT_MM, STUD_RADIUS_MM, Floor
from brickphys.units import MM_PER_UNIT, STUD_MM

_TILE = 4
"""Studs along a side of a tile: PyBullet's compounds hold 16 shapes, and few bodies step faster than many."""
_TILES_SINGLE, _TILES_HAND = 8, 94
"""Tiles along a side: a single brick is brought back to the middle in time, a hand needs room to spread."""
_REACH_MM, _LOOK_MM = 30.0, 50.0
"""How far from the middle a hand may get before it is brought back, and how far, hardly, between two looks (6 m/s)."""


class BulletFloor:
    """The bodies of a floor.

    Attributes
    ----------
    bodies
        Their numbers in the world.
    reach_mm
        A hand whose middle is farther than this from the origin is to be brought back by whole periods.
    edge_mm
        How far from the origin the studs reach.

    Raises
    ------
    InvalidValueError
        If the body could reach beyond the studs.
    """

    def __init__(
        self, module: ModuleType, client: int, floor: Floor, bricks: int, radius_mm: float
    ) -> None:
        self._bullet, self._client = module, client
        base_mm = -STUD_HEIGHT_MM if floor.studs else 0.0
        self.bodies = [self._plane((0.0, 0.0, 1.0), (0.0, 0.0, base_mm))]
        tiles = _TILES_SINGLE if bricks == 1 else _TILES_HAND
        self.edge_mm = tiles * _TILE * STUD_MM / 2 if floor.studs else np.inf
        self.reach_mm = _REACH_MM if floor.studs else np.inf
        if floor.studs and self.reach_mm + _LOOK_MM + radius_mm > self.edge_mm:
            raise InvalidValueError(
                f"a body that reaches {radius_mm:.0f} mm from its centre of mass is too large for studs "
                f"(at most {self.edge_mm - self.reach_mm - _LOOK_MM:.0f} mm)"
            )
        if floor.studs:
            self._add_studs(tiles)
        if floor.inside_mm is not None:
            half = floor.inside_mm / 2
            for x, y in ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)):
                self.bodies.append(self._plane((x, y, 0.0), (-x * half, -y * half, 0.0)))

    def _plane(
        self, normal: tuple[float, float, float], point_mm: tuple[float, float, float]
    ) -> int:
        shape = self._bullet.createCollisionShape(
            self._bullet.GEOM_PLANE, planeNormal=normal, physicsClientId=self._client
        )
        return self._body(shape, point_mm)

    def _body(self, shape: int, point_mm: tuple[float, float, float], visual: int = -1) -> int:
        number: int = self._bullet.createMultiBody(
            0,
            shape,
            visual,
            basePosition=[length / MM_PER_UNIT for length in point_mm],
            useMaximalCoordinates=visual >= 0,  # a fixed body among thousands: nine times cheaper
            physicsClientId=self._client,
        )
        return number

    def _add_studs(self, tiles: int) -> None:
        """Cover a square about the origin with studs, one of them in the middle of four."""
        offsets = STUD_MM * (np.arange(_TILE) - (_TILE - 1) / 2)
        count = _TILE * _TILE
        tile = self._bullet.createCollisionShapeArray(
            shapeTypes=[self._bullet.GEOM_CYLINDER] * count,
            radii=[STUD_RADIUS_MM / MM_PER_UNIT] * count,
            lengths=[STUD_HEIGHT_MM / MM_PER_UNIT] * count,
            collisionFramePositions=[
                [x / MM_PER_UNIT, y / MM_PER_UNIT, 0.0]
                for x, y in itertools.product(offsets, offsets)
            ],
            physicsClientId=self._client,
        )
        # nobody looks, and to draw a cylinder takes longer than all the rest
        unseen = self._bullet.createVisualShape(
            self._bullet.GEOM_BOX, halfExtents=[0.1, 0.1, 0.1], physicsClientId=self._client
        )
        middles = _TILE * STUD_MM * (np.arange(tiles) - (tiles - 1) / 2)
        for x, y in itertools.product(middles.tolist(), middles.tolist()):
            self.bodies.append(self._body(tile, (x, y, -STUD_HEIGHT_MM / 2), unseen))
