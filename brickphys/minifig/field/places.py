"""Places: the places within reach that are worth listing as moves (ours).

They are: to stay; as far as it goes straight in 16 directions; to touch the front, either side and the rear of each
enemy; to touch the nearest item that lies there and the nearest thing; and the cover of the nearest wall.
"""

from collections.abc import Iterator
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
    from brickphys.minifig.field.places_kernel import reached  # Numba

    reach, now = Reach.of(state, figure, most_in), state.figures[figure]
    enemies = np.array(
        [
            (other.x_in, other.y_in, other.facing_deg)
            for other in map(state.figures.__getitem__, state.enemies(figure))
        ]
    ).reshape(-1, 3)
    places = [np.array([now.place_in]), reach.straight_in]
    places += map(_pairs, (*_to_touch(state, figure, reach), *_cover(state, reach, enemies)))
    mover = reach.movers[0]
    found = reached(
        np.array([now.x_in, now.y_in, now.facing_deg]),
        (most_in, reach.through_in),
        np.concatenate(places),
        enemies,
        _TOUCHING_IN,
        *mover.through.rows,
        *mover.around.rows[3:],
    )
    stay = Spot(now.place_in, now.facing_deg)
    return tuple(dict.fromkeys([stay, *(Spot((x, y), facing) for x, y, facing in found.tolist())]))


def _pairs(places: Places) -> Array:
    """Return places as pairs, shape (n, 2)."""
    return places.view(float).reshape(-1, 2)


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


def _cover(state: State, reach: Reach, enemies: Array) -> Iterator[Places]:
    """Yield the place at the nearest piece of wall, on the side that is turned away from the nearest enemy."""
    walls, start = pieces(state.setting, state.walls), complex(*reach.start_in)
    if not walls or not len(enemies):
        return
    nearest = min(walls, key=lambda piece: gap_studs(piece.footprint, reach.start_in))
    wall, run = state.setting.walls[nearest.wall], nearest.run
    middle, ahead = complex(wall.x_in, wall.y_in), complex(*unit_vector(wall.facing_deg))
    ends = [(stud - wall.length_studs / 2) * STUD_IN for stud in (run.first_stud, run.end_stud)]
    along = min(max(((start - middle) / ahead).imag, ends[0]), ends[1])
    there = enemies[:, 0] + 1j * enemies[:, 1]
    enemy = there[np.abs(there - start).argmin()]
    side = -1.0 if ((enemy - middle) / ahead).real > 0.0 else 1.0
    deep = side * (THICK_IN / 2 + BASE_RADIUS_IN + _GAP_IN)
    yield np.array([middle + ahead * complex(deep, along)])
