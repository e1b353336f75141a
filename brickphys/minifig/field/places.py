"""Places: those worth going to, of the many within reach: lists of moves stand for all (ours).

They are: to stay; as far as it goes straight in 16 directions; to touch the front, either side and the rear of each
enemy; to touch the nearest item that lies there and the nearest thing; and the cover of the nearest wall.
"""

from collections.abc import Iterator, Sequence
from math import dist
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

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
_RING = np.exp(1j * np.radians(np.add.outer((0, 90, 180, 270), (0, 15, -15, 30, -30, 45, -45))))
"""Directions in which a base is touched: for its front, left, rear and right, the best first."""
Places = npt.NDArray[np.complexfloating[Any, Any]]
"""x and y of places in inches, as real and imaginary part."""


class Spot(NamedTuple):
    """Where a move ends: a place, and a facing in whole degrees."""

    place_in: Point
    facing_deg: float


def spots(state: State, figure: int, most_in: float) -> tuple[Spot, ...]:
    """Return the places worth going to for a figure that moves so far; all of them are legal.

    It stays as it is, or faces the nearest enemy, there and at the other places.
    """
    from brickphys.minifig.field.facing_kernel import towards_nearest  # Numba

    reach, now = Reach.of(state, figure, most_in), state.figures[figure]
    enemies = [state.figures[other] for other in state.enemies(figure)]
    there = np.array([complex(*enemy.place_in) for enemy in enemies])
    places: list[Places] = [np.array([complex(*now.place_in)]), _complex(reach.straight_in)]
    places += [*_to_touch(state, figure, reach), _cover(state, reach, there)]
    places.append(_at_enemies(reach, enemies, there))
    goals = _pairs(np.concatenate(places)).round(PLACE_DECIMALS) + 0.0
    goals = goals[reach.allowed(goals)]
    stay = Spot(now.place_in, now.facing_deg)
    if not enemies:
        return tuple(
            dict.fromkeys([stay, *(Spot((x, y), now.facing_deg) for x, y in goals.tolist())])
        )
    faced = towards_nearest(goals, _pairs(there)).tolist()
    return tuple(dict.fromkeys([stay, *(Spot((x, y), facing) for x, y, facing in faced)]))


def _complex(pairs: Array) -> Places:
    """Return places of shape (n, 2) as complex numbers."""
    return pairs.view(complex)[:, 0]


def _pairs(places: Places) -> Array:
    """Return places as pairs, shape (n, 2)."""
    return places.view(float).reshape(-1, 2)


def _at_enemies(reach: Reach, enemies: Sequence[FigureState], there: Places) -> Places:
    """Return free places that touch the front, each side and the rear of the enemies within reach."""
    near = np.abs(there - complex(*reach.start_in)) <= reach.most_in + _TOUCHING_IN
    facing = np.exp(1j * np.radians([enemy.facing_deg for enemy in enemies]))[near]
    places = there[near][:, None, None] + _TOUCHING_IN * facing[:, None, None] * _RING
    free = is_free(reach.movers[0].through, _pairs(places.ravel())).reshape(places.shape)
    enemy, sector = np.nonzero(free.any(axis=2))
    best: Places = places[enemy, sector, free.argmax(axis=2)[enemy, sector]]
    return best


def _to_touch(state: State, figure: int, reach: Reach) -> Iterator[Places]:
    """Yield the place that touches the nearest item that lies there, and the nearest thing."""
    if not state.setting.figures[figure].kind.hands:
        return
    items = [(*item.at_in, BASE_RADIUS_IN) for item in state.items if item.at_in is not None]
    things = state.bases[len(state.alive) :].tolist()
    for bases in (items, things):
        nearest = min(bases, key=lambda base: dist(reach.start_in, base[:2]), default=None)
        if nearest is not None:
            yield _nearest_touch(reach, *nearest)


def _nearest_touch(reach: Reach, x_in: float, y_in: float, radius_in: float) -> Places:
    """Return the free place nearest to the start that touches a base, if it is within reach and not touched now."""
    start, base = complex(*reach.start_in), complex(x_in, y_in)
    apart = radius_in + BASE_RADIUS_IN + _GAP_IN
    if not _GAP_IN < abs(base - start) - apart <= reach.most_in:
        return np.empty(0, dtype=complex)
    places = base + apart * _RING.ravel()
    places = places[is_free(reach.movers[0].through, _pairs(places))]
    nearest: Places = places[np.abs(places - start).argsort()[:1]]
    return nearest


def _cover(state: State, reach: Reach, enemies: Places) -> Places:
    """Return the place at the nearest piece of wall, on the side that is turned away from the nearest enemy."""
    walls, start = pieces(state.setting, state.walls), complex(*reach.start_in)
    if not walls or not len(enemies):
        return np.empty(0, dtype=complex)
    nearest = min(walls, key=lambda piece: gap_studs(piece.footprint, reach.start_in))
    wall, run = state.setting.walls[nearest.wall], nearest.run
    middle, ahead = complex(wall.x_in, wall.y_in), complex(*unit_vector(wall.facing_deg))
    ends = [(stud - wall.length_studs / 2) * STUD_IN for stud in (run.first_stud, run.end_stud)]
    along = min(max(((start - middle) / ahead).imag, ends[0]), ends[1])
    enemy = enemies[np.abs(enemies - start).argmin()]
    side = -1.0 if ((enemy - middle) / ahead).real > 0.0 else 1.0
    deep = side * (THICK_IN / 2 + BASE_RADIUS_IN + _GAP_IN)
    return np.array([middle + ahead * complex(deep, along)])
