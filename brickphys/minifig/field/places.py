"""Places: those worth going to, of the many within reach: lists of moves stand for all (ours).

They are: to stay; as far as it goes straight in 16 directions; to touch the front, either side and the rear of each
enemy; to touch the nearest item that lies there and the nearest thing; and the cover of the nearest wall.
"""

from collections.abc import Iterator, Sequence
from math import dist
from typing import NamedTuple

import numpy as np

from brickphys.arrays import Array
from brickphys.geometry.disc_way import is_free
from brickphys.geometry.polygon import Point, gap_studs, unit_vector
from brickphys.minifig.field.ground import pieces
from brickphys.minifig.field.reach import Reach
from brickphys.minifig.sheets.charts import BASE_RADIUS_IN, TOUCH_IN
from brickphys.minifig.state.pieces import PLACE_DECIMALS, FigureState
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
    reach, now = Reach.of(state, figure, most_in), state.figures[figure]
    enemies = [state.figures[other] for other in state.enemies(figure)]
    places = [reach.straight_in, *_to_touch(state, figure, reach), _cover(state, reach, enemies)]
    places.append(_at_enemies(reach, enemies))
    goals = np.round(np.concatenate(places), PLACE_DECIMALS) + 0.0
    goals = np.concatenate([[now.place_in], goals[reach.allowed(goals)]])
    facings = np.full(len(goals), now.facing_deg)
    if enemies:
        to_all = np.array([enemy.place_in for enemy in enemies]) - goals[:, None]
        nearest = (to_all**2).sum(axis=2).argmin(axis=1)
        dx, dy = to_all[np.arange(len(goals)), nearest].T
        facings = np.round(np.degrees(np.arctan2(dy, dx))) % 360.0
    found = zip(goals.tolist(), facings.tolist(), strict=True)
    stay = Spot(now.place_in, now.facing_deg)
    return tuple(dict.fromkeys([stay, *(Spot((x, y), facing) for (x, y), facing in found)]))


def _at_enemies(reach: Reach, enemies: Sequence[FigureState]) -> Array:
    """Return free places that touch the front, each side and the rear of the enemies within reach."""
    bases = np.array([(*enemy.place_in, enemy.facing_deg) for enemy in enemies]).reshape(-1, 3)
    far = np.hypot(*(bases[:, :2] - reach.start_in).T)
    near = bases[far <= reach.most_in + _TOUCHING_IN]
    bearings = np.radians(near[:, 2])[:, None, None] + _RING_RAD
    ring = np.stack([np.cos(bearings), np.sin(bearings)], axis=-1) * _TOUCHING_IN
    places = near[:, None, None, :2] + ring
    free = is_free(reach.movers[0].through, places).reshape(bearings.shape)
    enemy, sector = np.nonzero(free.any(axis=2))
    found: Array = places[enemy, sector, free.argmax(axis=2)[enemy, sector]]
    return found


def _to_touch(state: State, figure: int, reach: Reach) -> Iterator[Array]:
    """Yield the place that touches the nearest item that lies there, and the nearest thing."""
    if not state.setting.figures[figure].kind.hands:
        return
    items = [(*item.at_in, BASE_RADIUS_IN) for item in state.items if item.at_in is not None]
    things = state.bases[len(state.alive) :].tolist()
    for bases in (items, things):
        nearest = min(bases, key=lambda base: dist(reach.start_in, base[:2]), default=None)
        if nearest is not None:
            yield _nearest_touch(reach, *nearest)


def _nearest_touch(reach: Reach, x_in: float, y_in: float, radius_in: float) -> Array:
    """Return the free place nearest to the start that touches a base, if it is within reach and not touched now."""
    apart = radius_in + BASE_RADIUS_IN + _GAP_IN
    if not _GAP_IN < dist(reach.start_in, (x_in, y_in)) - apart <= reach.most_in:
        return np.empty((0, 2))
    bearings = _RING_RAD.ravel()
    ring = np.stack([np.cos(bearings), np.sin(bearings)], axis=-1) * apart
    places = ring + np.array([x_in, y_in])
    places = places[is_free(reach.movers[0].through, places)]
    far = np.hypot(*(places - reach.start_in).T)
    nearest: Array = places[np.argsort(far)[:1]]
    return nearest


def _cover(state: State, reach: Reach, enemies: Sequence[FigureState]) -> Array:
    """Return the place at the nearest piece of wall, on the side that is turned away from the nearest enemy."""
    walls, start = pieces(state.setting, state.walls), reach.start_in
    if not walls or not enemies:
        return np.empty((0, 2))
    nearest = min(walls, key=lambda piece: gap_studs(piece.footprint, start))
    wall, run = state.setting.walls[nearest.wall], nearest.run
    middle = np.array([wall.x_in, wall.y_in])
    ahead, along = map(np.array, (unit_vector(wall.facing_deg), unit_vector(wall.facing_deg + 90)))
    ends = [(stud - wall.length_studs / 2) * STUD_IN for stud in (run.first_stud, run.end_stud)]
    place = min(max(float((start - middle) @ along), ends[0]), ends[1])
    enemy = min((enemy.place_in for enemy in enemies), key=lambda other: dist(start, other))
    side = -1.0 if (enemy - middle) @ ahead > 0.0 else 1.0
    deep = side * (THICK_IN / 2 + BASE_RADIUS_IN + _GAP_IN)
    return np.array([middle + place * along + deep * ahead])
