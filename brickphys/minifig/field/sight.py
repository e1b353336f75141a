"""Sight: whether a figure sees some of a target past bricks and hills (MF Projectiles, ours).

A figure looks from one eye, in the middle of its head over the middle of its base, at points of the target: left,
middle and right at three heights. One that is seen is enough. Other figures and things are in nobody's way: missiles
fly over them or hit them.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import hypot

import numpy as np

from brickphys.arrays import Array, Mask
from brickphys.geometry.line import clear_lines
from brickphys.geometry.obstacles import Obstacles
from brickphys.geometry.polygon import TOLERANCE, Polygon
from brickphys.geometry.prism import Prism
from brickphys.minifig.field.ground import Walls, height_bricks, zones
from brickphys.minifig.sheets.charts import BASE_RADIUS_IN
from brickphys.minifig.state.setting import Setting, ZoneKind
from brickphys.minifig.state.state import State
from brickphys.projectiles.bodies.catalogue import target
from brickphys.units import BRICK_MM

_SHARES = np.array([0.1, 0.5, 0.9])
"""Points at which a target is looked at, as shares of its height; for a brick, of its length, too."""
_ASIDES_IN = 0.9 * BASE_RADIUS_IN * np.array([-1.0, 0.0, 1.0])
_SEAM_STUDS = 1e-6
"""Bricks overlap by this much, so that nobody sees through their seams."""


@lru_cache
def eye_mm(body: str) -> float:
    """Return the height of the eye of a target of `brickphys.projectiles` over its ground: the middle of its head."""
    (height,) = (part.centre_mm[2] for part in target(body).parts if part.about.startswith("head"))
    return height


@lru_cache(maxsize=256)
def _solids(setting: Setting, walls: Walls | None) -> tuple[Obstacles, dict[tuple[int, int], int]]:
    """Return hills and standing bricks, heights in mm, and the number of each brick by wall and brick.

    Without `walls` there are hills alone.
    """
    solids = [Prism(hill, 0.0, height * BRICK_MM) for hill, height in zones(setting, ZoneKind.HILL)]
    numbers: dict[tuple[int, int], int] = {}
    standing = () if walls is None else zip(setting.walls, walls, strict=True)
    for wall, (spec, out) in enumerate(standing):
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


def sees(state: State, figure: int, other: int, *, over_walls: bool = False) -> bool:
    """Tell whether a figure sees some of another; `over_walls` as in `seen`."""
    return bool(seen(state, figure, [other], over_walls=over_walls)[0])


def seen(state: State, figure: int, others: Sequence[int], *, over_walls: bool = False) -> Mask:
    """Tell of which other figures a figure sees some, shape (n,); many at once are faster than one by one.

    With `over_walls` only hills hide a figure, as from who throws over walls.
    """
    setting, walls = state.setting, None if over_walls else state.walls
    solids = _solids(setting, walls)[0]
    if not solids.prisms:
        return np.ones(len(others), dtype=bool)
    places = [state.figures[other].place_in for other in others]
    feet = BRICK_MM * np.array([height_bricks(setting, place) for place in places])
    heights = np.array([target(state.body(other)).height_mm for other in others])
    ends, start = np.array(places).reshape(-1, 2), state.figures[figure].place_in
    ahead = (ends - start) / np.hypot(*(ends - start).T)[:, None]
    aside = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)
    points = np.empty((len(others), len(_ASIDES_IN), len(_SHARES), 3))
    points[..., :2] = (ends[:, None] + aside[:, None] * _ASIDES_IN[:, None])[:, :, None]
    points[..., 2] = (feet[:, None] + heights[:, None] * _SHARES)[:, None]
    seen_points = _sees_points(state, figure, points.reshape(-1, 3), solids, None)
    return np.asarray(seen_points.reshape(points.shape[:3]).any(axis=(1, 2)))


def in_line(state: State, figure: int, other: int) -> Iterator[int]:
    """Yield the figures on the straight line between two, the nearest to the first one first."""
    (x, y), (to_x, to_y) = state.figures[figure].place_in, state.figures[other].place_in
    far = hypot(to_x - x, to_y - y)
    ahead = np.array([to_x - x, to_y - y]) / far
    steps = state.bases[: len(state.alive), :2] - (x, y)
    along, aside = steps @ ahead, np.abs(steps @ (-ahead[1], ahead[0]))
    between = np.flatnonzero(
        (aside < BASE_RADIUS_IN) & (along > TOLERANCE) & (along < far - TOLERANCE)
    )
    return (state.alive[row] for row in between[along[between].argsort()].tolist())


def sees_brick(state: State, figure: int, wall: int, brick: int) -> bool:
    """Tell whether a figure sees some of a brick that stands in a wall."""
    solids, numbers = _solids(state.setting, state.walls)
    number = numbers[wall, brick]
    spec = state.setting.walls[wall]
    first, end, course = spec.spans[brick]
    ground = height_bricks(state.setting, (spec.x_in, spec.y_in))
    points = []
    for share in _SHARES.tolist():
        stud = first + share * (end - first)
        (x, y), (to_x, to_y), *_ = spec.corners_in(stud, stud)
        middle = ((x + to_x) / 2, (y + to_y) / 2)
        points += [(*middle, (ground + course + up) * BRICK_MM) for up in _SHARES.tolist()]
    return bool(_sees_points(state, figure, np.array(points), solids, number).any())


def _sees_points(
    state: State, figure: int, points: Array, solids: Obstacles, without: int | None
) -> Mask:
    """Tell which points a figure sees past all solids but one, shape (n, 3): x and y in inches, height in mm."""
    among = np.arange(len(solids.prisms))
    if without is not None:
        among = np.delete(among, without)
    if not len(among):
        return np.ones(len(points), dtype=bool)
    x, y = place = state.figures[figure].place_in
    lines = np.empty((len(points), 6))
    lines[:, :2] = x, y
    lines[:, 2] = height_bricks(state.setting, place) * BRICK_MM + eye_mm(state.body(figure))
    lines[:, 3:] = points
    return clear_lines(lines, solids, among)
