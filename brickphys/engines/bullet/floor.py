"""Floor of a Bullet world: an exact plane, with the studs or walls of the floor."""

import itertools
from collections.abc import Iterator
from types import ModuleType

import numpy as np

from brickphys.arrays import Array
from brickphys.engines.solver import floor_coefficients, set_groups
from brickphys.errors import InvalidValueError
from brickphys.throws.floors import STUD_HEIGHT_MM, STUD_RADIUS_MM, Floor
from brickphys.throws.surfaces import BRICK_ON_BRICK, ContactCoefficients
from brickphys.units import MM_PER_UNIT, STUD_MM

FLOOR_GROUP = 1
"""Bit of the floor in Bullet's collision filter."""
_TILE = 4
"""Studs along a side of a tile. A compound of PyBullet has at most 16 shapes, and few bodies are faster than many."""
_TILE_MM = _TILE * STUD_MM
_TILES_SINGLE = 8
"""Tiles along a side under single bricks, which are moved back to the middle by whole periods."""
_REACH_MM, _CHECK_MM = 30.0, 50.0
"""Distance from the middle at which a single brick is moved back, and largest distance that it is assumed to travel
between two checks (6 m/s)."""


class BulletFloor:
    """The bodies of a floor.

    Single bricks have a fixed square of studs and are kept near its middle. Bricks of a hand spread too far for that:
    tiles of studs are laid where they may touch the floor next, see `lay`.

    Attributes
    ----------
    reach_mm
        A hand whose middle is farther than this from the origin must be moved back by whole periods.
    edge_mm
        Distance of the edge of the studs from the origin.

    Raises
    ------
    InvalidValueError
        If a single body could reach beyond the studs.
    """

    def __init__(
        self,
        module: ModuleType,
        client: int,
        floor: Floor,
        contact: ContactCoefficients,
        bricks: int,
        radius_mm: float,
    ) -> None:
        self._bullet, self._client, self._contact = module, client, contact
        self._moves = floor.studs and bricks > 1
        self._tiles: dict[tuple[int, int], int] = {}
        self._plane((0.0, 0.0, 1.0), (0.0, 0.0, -STUD_HEIGHT_MM if floor.studs else 0.0))
        fixed = floor.studs and bricks == 1
        self.edge_mm = _TILES_SINGLE * _TILE_MM / 2 if fixed else np.inf
        self.reach_mm = _REACH_MM if fixed else np.inf
        if fixed and self.reach_mm + _CHECK_MM + radius_mm > self.edge_mm:
            raise InvalidValueError(
                f"a body that reaches {radius_mm:.0f} mm from its centre of mass is too large for studs "
                f"(at most {self.edge_mm - self.reach_mm - _CHECK_MM:.0f} mm)"
            )
        if floor.studs:
            self._forms = self._tile_forms()
        if fixed:
            side = range(-_TILES_SINGLE // 2, _TILES_SINGLE // 2)
            for tile in itertools.product(side, side):
                self._tiles[tile] = self._tile(tile)
        if floor.inside_mm is not None:
            half = floor.inside_mm / 2
            for x, y in ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)):
                self._plane((x, y, 0.0), (-x * half, -y * half, 0.0))

    def lay(self, places_mm: Array, reach_mm: Array) -> None:
        """Lay tiles under bricks of hands; tiles that are no longer needed are moved there first.

        Parameters
        ----------
        places_mm : ndarray, shape (m, 3)
            Centres of mass.
        reach_mm : ndarray, shape (m,)
            Largest distance from there that any point of the brick may reach until tiles are laid again.
        """
        if not self._moves:
            return
        needed = set(_tiles_under(places_mm, reach_mm))
        idle = [tile for tile in self._tiles if tile not in needed]
        for tile in sorted(needed - self._tiles.keys()):
            if idle:
                body = self._tiles.pop(idle.pop())
                self._bullet.resetBasePositionAndOrientation(
                    body, _position(_middle_mm(tile)), (0, 0, 0, 1), physicsClientId=self._client
                )
                self._tiles[tile] = body
            else:
                self._tiles[tile] = self._tile(tile)

    def _plane(
        self, normal: tuple[float, float, float], point_mm: tuple[float, float, float]
    ) -> None:
        shape = self._bullet.createCollisionShape(
            self._bullet.GEOM_PLANE, planeNormal=normal, physicsClientId=self._client
        )
        self._body(shape, point_mm)

    def _tile(self, tile: tuple[int, int]) -> int:
        return self._body(self._forms[0], _middle_mm(tile), self._forms[1])

    def _body(self, shape: int, point_mm: tuple[float, float, float], visual: int = -1) -> int:
        number: int = self._bullet.createMultiBody(
            0,
            shape,
            visual,
            basePosition=_position(point_mm),
            useMaximalCoordinates=visual >= 0,  # nine times faster for many fixed bodies
            physicsClientId=self._client,
        )
        friction, restitution = floor_coefficients(self._contact, BRICK_ON_BRICK)
        self._bullet.changeDynamics(
            number,
            -1,
            lateralFriction=friction,
            restitution=restitution,
            physicsClientId=self._client,
        )
        set_groups(self._bullet, self._client, number, FLOOR_GROUP, ~FLOOR_GROUP)
        return number

    def _tile_forms(self) -> tuple[int, int]:
        """Return the collision shape and the visual shape of a tile."""
        offsets = STUD_MM * (np.arange(_TILE) - (_TILE - 1) / 2)
        count = _TILE * _TILE
        tile: int = self._bullet.createCollisionShapeArray(
            shapeTypes=[self._bullet.GEOM_CYLINDER] * count,
            radii=[STUD_RADIUS_MM / MM_PER_UNIT] * count,
            lengths=[STUD_HEIGHT_MM / MM_PER_UNIT] * count,
            collisionFramePositions=[
                [x / MM_PER_UNIT, y / MM_PER_UNIT, 0.0]
                for x, y in itertools.product(offsets, offsets)
            ],
            physicsClientId=self._client,
        )
        # the visual shape is not rendered; to make one of cylinders takes longer than everything else
        unseen: int = self._bullet.createVisualShape(
            self._bullet.GEOM_BOX, halfExtents=[0.1, 0.1, 0.1], physicsClientId=self._client
        )
        return tile, unseen


def _tiles_under(places_mm: Array, reach_mm: Array) -> Iterator[tuple[int, int]]:
    """Yield column and row of every tile that a brick may touch; tile (0, 0) begins at the origin."""
    low = places_mm[:, 2] <= reach_mm
    ends = np.stack(
        [places_mm[low, :2] - reach_mm[low, None], places_mm[low, :2] + reach_mm[low, None]]
    )
    for (x0, y0), (x1, y1) in zip(*np.floor(ends / _TILE_MM).astype(int).tolist(), strict=True):
        yield from itertools.product(range(x0, x1 + 1), range(y0, y1 + 1))


def _middle_mm(tile: tuple[int, int]) -> tuple[float, float, float]:
    """Return the middle of a tile, whose studs end at height 0."""
    column, row = tile
    return (column + 0.5) * _TILE_MM, (row + 0.5) * _TILE_MM, -STUD_HEIGHT_MM / 2


def _position(point_mm: tuple[float, float, float]) -> list[float]:
    return [length / MM_PER_UNIT for length in point_mm]
