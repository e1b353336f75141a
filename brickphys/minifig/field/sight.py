"""Sight: whether a figure sees some of a target past bricks and hills (MF Projectiles, ours).

A figure looks from one eye, in the middle of its head over the middle of its base, at points of the target: left,
middle and right at three heights. One that is seen is enough. Other figures and things are in nobody's way: missiles
fly over them or hit them.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import dist

import numpy as np

from brickphys.geometry.line import clear_lines
from brickphys.geometry.obstacles import Obstacles
from brickphys.geometry.polygon import Point, Polygon
from brickphys.geometry.prism import Prism
from brickphys.minifig.field.ground import Walls, height_bricks, zones
from brickphys.minifig.sheets.charts import BASE_RADIUS_IN
from brickphys.minifig.state.setting import Setting, ZoneKind
from brickphys.minifig.state.state import State
from brickphys.projectiles.bodies.catalogue import target
from brickphys.units import BRICK_MM

_SHARES = (0.1, 0.5, 0.9)
"""Where a target is looked at, along its height; a brick, along its length too."""
_ASIDES_IN = (-0.9 * BASE_RADIUS_IN, 0.0, 0.9 * BASE_RADIUS_IN)
_SEAM_STUDS = 1e-6
"""Bricks overlap by so much: nobody sees through their seams."""


def eye_mm(body: str) -> float:
    """Return the height of the eye of a target of `brickphys.projectiles` over its ground: the middle of its head."""
    (height,) = (part.centre_mm[2] for part in target(body).parts if part.about.startswith("head"))
    return height


@lru_cache(maxsize=256)
def _solids(setting: Setting, walls: Walls) -> tuple[Obstacles, dict[tuple[int, int], int]]:
    """Return hills and standing bricks, heights in mm, and the number of each brick by wall and brick."""
    solids = [Prism(hill, 0.0, height * BRICK_MM) for hill, height in zones(setting, ZoneKind.HILL)]
    numbers: dict[tuple[int, int], int] = {}
    for wall, (spec, out) in enumerate(zip(setting.walls, walls, strict=True)):
        ground = height_bricks(setting, (spec.x_in, spec.y_in))
        for brick, (first, end, course) in enumerate(spec.spans):
            if brick not in out:
                numbers[wall, brick] = len(solids)
                low = (ground + course) * BRICK_MM
                footprint = Polygon(
                    np.array(spec.corners_in(first - _SEAM_STUDS, end + _SEAM_STUDS))
                )
                solids.append(Prism(footprint, low, low + BRICK_MM))
    return Obstacles.of(solids), numbers


def sees(state: State, figure: int, other: int) -> bool:
    """Tell whether a figure sees some of another."""
    height = target(state.body(other)).height_mm
    return sees_body(state, figure, state.figures[other].place_in, height)


def sees_body(state: State, figure: int, place_in: Point, height_mm: float) -> bool:
    """Tell whether a figure sees some of what stands at a place, as high over its ground, and as wide as a base."""
    (x, y), (to_x, to_y) = state.figures[figure].place_in, place_in
    apart = dist((x, y), place_in)
    if apart == 0.0:
        return True
    ground = height_bricks(state.setting, place_in) * BRICK_MM
    points = [
        (
            to_x + aside * (y - to_y) / apart,
            to_y + aside * (to_x - x) / apart,
            ground + share * height_mm,
        )
        for aside in _ASIDES_IN
        for share in _SHARES
    ]
    return _sees_any(state, figure, points, None)


def sees_brick(state: State, figure: int, wall: int, brick: int) -> bool:
    """Tell whether a figure sees some of a brick that stands in a wall."""
    number = _solids(state.setting, state.walls)[1][wall, brick]
    spec = state.setting.walls[wall]
    first, end, course = spec.spans[brick]
    ground = height_bricks(state.setting, (spec.x_in, spec.y_in))
    points = []
    for share in _SHARES:
        stud = first + share * (end - first)
        (x, y), (to_x, to_y), *_ = spec.corners_in(stud, stud)
        middle = ((x + to_x) / 2, (y + to_y) / 2)
        points += [(*middle, (ground + course + up) * BRICK_MM) for up in _SHARES]
    return _sees_any(state, figure, points, number)


def _sees_any(
    state: State, figure: int, points: Sequence[tuple[float, float, float]], without: int | None
) -> bool:
    """Tell whether a figure sees any of some points, x and y in inches and height in mm, without one of the solids."""
    solids, _ = _solids(state.setting, state.walls)
    among = np.array([n for n in range(len(solids.prisms)) if n != without], dtype=np.intp)
    if not len(among):
        return True
    x, y = place = state.figures[figure].place_in
    eye = height_bricks(state.setting, place) * BRICK_MM + eye_mm(state.body(figure))
    lines = np.array([(x, y, eye, *point) for point in points])
    return bool(clear_lines(lines, solids, among).any())
