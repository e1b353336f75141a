"""Ground of Minifig battles: hills, woods and water, and walls brick by brick."""

from collections.abc import Collection, Iterator
from functools import lru_cache
from math import cos, radians, sin

import numpy as np

from brickphys.minifig.sheets.charts import INCH_MM
from brickphys.minifig.state.setting import Setting, Zone, ZoneKind
from brickphys.minifig.state.wall import WallSpec
from brickphys.plots.minifig.trees import tree_places
from brickphys.shapes.brick import regular_polygon
from brickphys.units import BRICK_MM, STUD_MM
from brickphys.view.builder import Placed
from brickphys.view.recording import Shape, Surface
from brickphys.view.shapes.built import pieces
from brickphys.view.shapes.solids import board, courses, grid, merged, prism, sheet
from brickphys.view.shapes.tree import tree

_GRASS, _LINES, _EDGE, _WOODS, _WATER = "#a8bd78", "#93a866", "#8c6b47", "#7f9c5c", "#5f9fd0"
_THICK_MM, _FLAT_MM = 10.0, 0.3
_TREE_MM, _TREE_RADIUS_MM = 52.0, 11.0
_WALL_COLOURS = ("grey", "pale_grey", "dark_grey")
_HILL = "tan"


@lru_cache(maxsize=16)
def ground(setting: Setting) -> tuple[Placed, ...]:
    """Return the table with all that never changes on it."""
    size = (setting.width_in * INCH_MM, setting.length_in * INCH_MM)
    surfaces = [
        *board((0.0, 0.0), size, _GRASS, _EDGE, _THICK_MM),
        grid((0.0, 0.0), size, INCH_MM, 0.05, _LINES),
    ]
    zones = sorted(setting.zones, key=lambda zone: zone.height_bricks)
    for zone in zones:
        surfaces += _zone(zone)
    return (Placed("table", Shape("table", merged(surfaces))), *_woods(zones))


def _zone(zone: Zone) -> Iterator[Surface]:
    corners = np.array(zone.corners_in) * INCH_MM
    if zone.kind is ZoneKind.HILL:
        high = zone.height_bricks * BRICK_MM
        yield prism(corners, 0.0, high, _HILL)
        if (joints := courses(corners, 0.0, high, "brown")) is not None:
            yield joints
        return
    yield sheet(corners, _FLAT_MM, _WOODS if zone.kind is ZoneKind.WOODS else _WATER)


def _woods(zones: Collection[Zone]) -> Iterator[Placed]:
    woods = [zone for zone in zones if zone.kind is ZoneKind.WOODS]
    places = [place for zone in woods for place in tree_places(np.array(zone.corners_in)).tolist()]
    if places:
        fir = Shape("fir", merged(tree(regular_polygon(_TREE_RADIUS_MM, 8), 0.0, _TREE_MM)))
        at = tuple((x * INCH_MM, y * INCH_MM, 0.0) for x, y in places)
        yield Placed("trees", fir, label="tree", copies_mm=at)


@lru_cache(maxsize=1024)
def wall(spec: WallSpec, out: tuple[int, ...]) -> tuple[Placed, ...]:
    """Return the bricks of a wall but those that are out of it."""
    c, s = cos(radians(spec.facing_deg)), sin(radians(spec.facing_deg))
    found = []
    for number, part in enumerate(spec.target.parts):
        if number in out:
            continue
        x, y = part.centre_mm[0], part.centre_mm[1]
        at = (spec.x_in * INCH_MM + c * x - s * y, spec.y_in * INCH_MM + s * x + c * y, part.low_mm)
        shape = brick(round(part.size_mm[1] / STUD_MM), _WALL_COLOURS[number % len(_WALL_COLOURS)])
        found.append(Placed(f"wall {spec.name} {number}", shape, at, spec.facing_deg))
    return tuple(found)


@lru_cache
def brick(studs: int, colour: str) -> Shape:
    """Return a brick of two studs along x and so many along y."""
    text = f'pieces = [{{ form = "brick", at = [0, 0, 0], size = [2, {studs}, 3], colour = "{colour}" }}]'
    return pieces(f"brick 2x{studs} {colour}", text)
