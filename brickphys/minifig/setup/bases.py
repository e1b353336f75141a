"""Bases: what stands off the table, on another base, in a wall or in water at the start."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import dist

import numpy as np

from brickphys.geometry.disc_way import Ground, is_free
from brickphys.geometry.obstacles import Obstacles
from brickphys.geometry.polygon import Point, Polygon, convex_polygon, intersection
from brickphys.geometry.prism import Prism
from brickphys.minifig.state.setting import Zone, ZoneKind
from brickphys.minifig.state.wall import WallSpec

_TOLERANCE_IN = 2e-4
"""Places are rounded: bases that touch may seem to overlap by this."""


@dataclass(frozen=True)
class Base:
    """A base on the table: the key of its table, its name, its middle and its radius."""

    place: str
    name: str
    at_in: Point
    radius_in: float


def base_faults(
    bases: Sequence[Base],
    table_in: tuple[float, float],
    walls: Collection[WallSpec],
    zones: Collection[Zone],
) -> Iterator[str]:
    """Yield what stands off a table of a width and a length, on something else, in a wall or in water."""
    for base in bases:
        for key, at, size in zip("xy", base.at_in, table_in, strict=True):
            if not base.radius_in <= at <= size - base.radius_in:
                yield f"{base.place}.{key}: {base.name} at {at:g} is off the table, which ends at {size:g}"
    for one, other in combinations((base for base in bases if base.radius_in), 2):
        room = one.radius_in + other.radius_in
        if dist(one.at_in, other.at_in) < room - _TOLERANCE_IN:
            yield f"{other.place}: {other.name} overlaps {one.name}"
    for wall in walls:
        outline = wall.corners_in(0, wall.length_studs)
        yield from (f"{base.place}: {base.name} is in {wall.name}" for base in _on(outline, bases))
    for zone in zones:
        if zone.kind is ZoneKind.WATER:
            wet = _on(zone.corners_in, bases)
            yield from (f"{base.place}: {base.name} is in water" for base in wet)


def wall_faults(
    place: str, wall: WallSpec, others: Collection[WallSpec], table_in: tuple[float, float]
) -> Iterator[str]:
    """Yield that a piece of wall reaches over the edge of a table, and every other piece that it stands on."""
    footprint = _footprint(wall)
    inside = (footprint.vertices_studs >= -_TOLERANCE_IN) & (
        footprint.vertices_studs <= np.array(table_in) + _TOLERANCE_IN
    )
    if not inside.all():
        yield f"{place}: {wall.name} reaches over the edge of the table"
    for other in others:
        common = intersection(footprint, _footprint(other))
        if common is not None and common.area_studs2 > _TOLERANCE_IN:
            yield f"{place}: {wall.name} overlaps {other.name}"


def _footprint(wall: WallSpec) -> Polygon:
    return Polygon(np.array(wall.corners_in(0, wall.length_studs)))


def _on(corners_in: Sequence[Point], bases: Sequence[Base]) -> Iterator[Base]:
    """Yield the bases that overlap a convex polygon."""
    walls, none = Obstacles.of([Prism(convex_polygon(corners_in), 0.0, 1.0)]), np.empty((0, 3))
    for base in bases:
        x, y = base.at_in
        near = (x - 2 * base.radius_in - 1.0, y - 2 * base.radius_in - 1.0)
        far = (x + 2 * base.radius_in + 1.0, y + 2 * base.radius_in + 1.0)
        if not is_free(Ground(base.radius_in, near, far, none, walls), [base.at_in]).all():
            yield base
