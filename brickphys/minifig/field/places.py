"""Places: those worth going to, of the many within reach: lists of moves stand for all (ours).

They are: to stay; as far as it goes straight in 16 directions; to touch the front, either side and the rear of each
enemy; to touch the nearest item that lies there and the nearest thing; and the cover of the nearest wall.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from math import atan2, degrees, dist
from typing import NamedTuple

import numpy as np

from brickphys.geometry.disc_way import is_free
from brickphys.geometry.polygon import Point, gap_studs, unit_vector
from brickphys.minifig.field.ground import pieces
from brickphys.minifig.field.reach import Reach
from brickphys.minifig.sheets.charts import BASE_RADIUS_IN, TOUCH_IN
from brickphys.minifig.state.pieces import rounded
from brickphys.minifig.state.state import State
from brickphys.minifig.state.wall import STUD_IN, THICK_IN

_GAP_IN = TOUCH_IN / 2
"""Between bases that go to touch each other."""
_TOUCHING_IN = 2 * BASE_RADIUS_IN + _GAP_IN
_RING_RAD = np.radians(np.add.outer((0, 90, 180, 270), (0, 15, -15, 30, -30, 45, -45)))
"""Bearings at which a base is touched: for its front, left, rear and right, the best first."""


class Spot(NamedTuple):
    """Where a move ends: a place, and a facing in whole degrees."""

    place_in: Point
    facing_deg: float


def spots(state: State, figure: int, most_in: float) -> tuple[Spot, ...]:
    """Return the places worth going to for a figure that moves so far; all of them are legal.

    It stays as it is, or faces the nearest enemy, there and at the other places.
    """
    reach = Reach.of(state, figure, most_in)
    enemies = [state.figures[other].place_in for other in state.enemies(figure)]
    now = state.figures[figure]
    found = {Spot(now.place_in, now.facing_deg): None}
    for place in [now.place_in, *_places(state, figure, reach)]:
        nearest = min(enemies, key=lambda enemy: dist(place, enemy), default=place)
        towards = degrees(atan2(nearest[1] - place[1], nearest[0] - place[0]))
        found[Spot(place, round(towards) % 360.0 if enemies else now.facing_deg)] = None
    return tuple(found)


def _places(state: State, figure: int, reach: Reach) -> Iterator[Point]:
    """Yield the places within reach, besides that where it is."""
    for place in (*reach.straight_in, *_at_enemies(state, figure, reach)):
        if reach.allows(place):
            yield place
    if state.setting.figures[figure].kind.hands:
        items = [(*item.at_in, 0.0) for item in state.items if item.at_in is not None]
        things = state.bases[len(state.alive) :].tolist()
        for bases in (items, things):
            nearest = min(bases, key=lambda base: dist(reach.start_in, base[:2]), default=None)
            if nearest is not None:
                yield from _first(reach, _around(reach, *nearest))
    yield from _first(reach, _cover(state, figure, reach))


def _first(reach: Reach, places: Iterable[Point]) -> Iterator[Point]:
    """Yield the first of some places to which a figure may go, if any."""
    yield from islice(filter(reach.allows, places), 1)


def _at_enemies(state: State, figure: int, reach: Reach) -> Iterator[Point]:
    """Yield free places that touch the front, each side and the rear of the enemies within reach."""
    furthest = reach.most_in + _TOUCHING_IN
    near = [
        state.figures[other]
        for other in state.enemies(figure)
        if dist(reach.start_in, state.figures[other].place_in) <= furthest
    ]
    if not near:
        return
    facing = np.radians([enemy.facing_deg for enemy in near])[:, None, None] + _RING_RAD
    ring = np.stack([np.cos(facing), np.sin(facing)], axis=-1) * _TOUCHING_IN
    places = ring + np.array([enemy.place_in for enemy in near])[:, None, None]
    free = is_free(reach.movers[0].through, places).reshape(facing.shape)
    best = free.argmax(axis=2)
    for enemy, sector in np.argwhere(free.any(axis=2)).tolist():
        x, y = places[enemy, sector, best[enemy, sector]].tolist()
        yield rounded((x, y))


def _around(reach: Reach, x_in: float, y_in: float, radius_in: float) -> Iterator[Point]:
    """Yield the free places that touch a base, those first that are nearest to the start."""
    apart = radius_in + BASE_RADIUS_IN + _GAP_IN
    if not _GAP_IN < dist(reach.start_in, (x_in, y_in)) - apart <= reach.most_in:
        return  # it touches it now, or cannot reach it
    ring = np.stack([np.cos(_RING_RAD), np.sin(_RING_RAD)], axis=-1).reshape(-1, 2) * apart
    places = ring + np.array([x_in, y_in])
    free = places[is_free(reach.movers[0].through, places)].tolist()
    for x, y in sorted(free, key=lambda place: dist(reach.start_in, place)):
        yield rounded((x, y))


def _cover(state: State, figure: int, reach: Reach) -> Iterator[Point]:
    """Yield the place at the nearest piece of wall, on the side that is turned away from the nearest enemy."""
    walls, start = pieces(state.setting, state.walls), reach.start_in
    enemies = [state.figures[other].place_in for other in state.enemies(figure)]
    if not walls or not enemies:
        return
    nearest = min(walls, key=lambda piece: gap_studs(piece.footprint, start))
    wall, run = state.setting.walls[nearest.wall], nearest.run
    ahead, along = unit_vector(wall.facing_deg), unit_vector(wall.facing_deg + 90.0)
    middle = (wall.x_in, wall.y_in)

    def part(place: Point, axis: Point) -> float:
        return (place[0] - middle[0]) * axis[0] + (place[1] - middle[1]) * axis[1]

    ends = [(stud - wall.length_studs / 2) * STUD_IN for stud in (run.first_stud, run.end_stud)]
    place = min(max(part(start, along), ends[0]), ends[1])
    enemy = min(enemies, key=lambda other: dist(start, other))
    deep = (THICK_IN / 2 + BASE_RADIUS_IN + _GAP_IN) * (-1.0 if part(enemy, ahead) > 0.0 else 1.0)
    yield rounded(
        (
            middle[0] + place * along[0] + deep * ahead[0],
            middle[1] + place * along[1] + deep * ahead[1],
        )
    )
