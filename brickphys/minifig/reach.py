"""Reach: where a move may end, and the shortest way there (MF Movement).

A move counts its shortest way. One that touches woods may be half as long; one that leads round them counts in full
(ours). A wagon is hauled straight: it and who hauls it keep their places to each other (ours).

The places that are listed are (ours): to stay; as far as it goes straight in 16 directions; to touch the front, either
side and the rear of each enemy; to touch the nearest item that lies there and the nearest thing; and the cover of the
nearest wall.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, cos, dist, inf, pi, sin
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from brickphys.geometry import disc_way
from brickphys.geometry.polygon import Point, gap_studs, unit_vector
from brickphys.minifig import ground
from brickphys.minifig.setting import STUD_IN, THICK_IN, ZoneKind
from brickphys.minifig.sheets import BASE_RADIUS_IN, TOUCH_IN
from brickphys.minifig.state import State
from brickphys.units import Array, Mask

_WOODS_SHARE = 0.5
"""Share of the distance of its row that a way may have if it touches woods."""
_AROUND = np.array([(cos(number * pi / 8), sin(number * pi / 8)) for number in range(16)])
_ANY_LENGTH_IN = 1e4
_WAY_TOLERANCE_IN = 1e-9
"""Tolerance of the length of a way."""


class _Mover(NamedTuple):
    """A base that moves: where it starts, the ground with woods that it enters, and with woods that it does not."""

    start_in: Point
    through: disc_way.Ground
    around: disc_way.Ground  # the same if there are no woods within reach


@dataclass(frozen=True, eq=False)
class MoveReach:
    """Where a figure may go within a distance, alone or with a wagon."""

    most_in: float
    """The distance of its row of the chart of movement."""
    movers: tuple[_Mover, ...]
    """The figure, and the wagon that it hauls."""

    @classmethod
    def of(cls, state: State, figure: int, most_in: float, wagon: int | None = None) -> Self:
        """Return the reach of a figure; `wagon` is the number of a thing."""
        bases = [(state.figures[figure].place_in, BASE_RADIUS_IN)]
        rows, movers = [ground.figure_row(state, figure)], []
        if wagon is not None:
            radius = state.setting.things[wagon].kind.radius_in
            bases.append((state.things[wagon].place_in, radius))
            rows.append(ground.thing_row(state, wagon))
        for start, radius in bases:
            through = ground.ground(state, radius, rows)
            movers.append(
                _Mover(start, through, ground.round_woods(state, through, start, most_in))
            )
        return cls(most_in, tuple(movers))

    @property
    def start_in(self) -> Point:
        """Where the figure is."""
        return self.movers[0].start_in

    def allows(self, goal_in: Point) -> bool:
        """Tell whether the figure may go to a place."""
        return bool(self.allowed([goal_in])[0])

    def allowed(self, goals_in: npt.ArrayLike) -> Mask:
        """Tell to which of some places, shape (n, 2), the figure may go."""
        goals = np.asarray(goals_in, dtype=float).reshape(-1, 2)
        allowed = self._reaches(goals, self.most_in, is_round_woods=True)
        if self._has_woods and not allowed.all():
            rest = goals[~allowed]
            allowed[~allowed] = self._reaches(
                rest, self.most_in * _WOODS_SHARE, is_round_woods=False
            )
        return allowed

    def way(self, goal_in: Point) -> disc_way.Way | None:
        """Return the way that a figure goes alone, round woods if it may; None if it may not go there."""
        mover = self.movers[0]
        way = disc_way.shortest_way(mover.around, mover.start_in, goal_in, self.most_in)
        if way is None and self._has_woods:
            way = disc_way.shortest_way(
                mover.through, mover.start_in, goal_in, self.most_in * _WOODS_SHARE
            )
        return way

    @cached_property
    def straight_in(self) -> Array:
        """The places to which the figure goes straight in 16 directions, as far as it can, shape (n, 2)."""
        lengths = self._straight_lengths(self.most_in, is_round_woods=True)
        if self._has_woods:
            through = self._straight_lengths(self.most_in * _WOODS_SHARE, is_round_woods=False)
            lengths = np.maximum(lengths, through)
        steps = (lengths - ground.SLACK_IN)[:, None] * _AROUND  # for rounding
        places = np.array(self.start_in) + steps
        ends: Array = places[lengths > 10 * ground.SLACK_IN]
        return ends

    @property
    def through_in(self) -> float:
        """How far it goes on a way that touches woods; 0 if there are none within reach."""
        return self.most_in * _WOODS_SHARE if self._has_woods else 0.0

    @property
    def _has_woods(self) -> bool:
        return any(mover.around is not mover.through for mover in self.movers)

    def _reaches(self, goals_in: Array, most_in: float, *, is_round_woods: bool) -> Mask:
        """Tell to which places all movers come, those with a wagon straight."""
        steps = goals_in - self.start_in
        reached = np.ones(len(goals_in), dtype=bool)
        longest = np.full(len(goals_in), most_in + _WAY_TOLERANCE_IN)
        if len(self.movers) > 1:
            longest = np.minimum(longest, np.hypot(*steps.T) + _WAY_TOLERANCE_IN)
        for start, through, around in self.movers:
            among = around if is_round_woods else through
            reached &= disc_way.way_lengths(among, start, start + steps, most_in) <= longest
        return reached

    def _straight_lengths(self, most_in: float, *, is_round_woods: bool) -> Array:
        """Return how far all movers go straight in 16 directions."""
        lengths = [
            disc_way.straight_reach(around if is_round_woods else through, start, _AROUND, most_in)
            for start, through, around in self.movers
        ]
        return lengths[0] if len(lengths) == 1 else np.minimum(*lengths)


def base_problems(
    state: State, place_in: Point, radius_in: float, rows: Collection[int] = ()
) -> Iterator[str]:
    """Yield why a base cannot stand at a place.

    The `rows` of `State.bases` do not count. Of what the base overlaps, the first base and the first wall are named.
    """
    setting, (x, y), room = state.setting, place_in, radius_in - 2 * ground.SLACK_IN
    where = f"at {round(x, 2):g} {round(y, 2):g} the base"
    width, length = setting.width_in, setting.length_in
    if min(x, y, width - x, length - y) < room:
        yield f"{where} goes beyond the edge of the table of {width:g} x {length:g} in (MF Movement)"
    names = [setting.figures[number].name for number in state.alive]
    names += [setting.things[number].name for number in state.standing_things()]
    for row, (other_x, other_y, radius) in enumerate(state.bases.tolist()):
        if row not in rows and dist(place_in, (other_x, other_y)) < room + radius:
            yield f"{where} overlaps {names[row]} (MF Movement)"
            break
    for piece in ground.pieces(setting, state.walls):
        if not piece.is_breach and gap_studs(piece.footprint, place_in) < room:
            yield f"{where} overlaps {setting.walls[piece.wall].name} (MF Movement)"
            break
    if any(gap_studs(pond, place_in) < room for pond, _ in ground.zones(setting, ZoneKind.WATER)):
        yield f"{where} reaches into water (MF Movement)"


def way_problems(state: State, figure: int, goal_in: Point, most_in: float) -> Iterator[str]:
    """Yield why a figure cannot move to a place within a distance, in inches (MF Movement)."""
    faults = list(base_problems(state, goal_in, BASE_RADIUS_IN, [ground.figure_row(state, figure)]))
    yield from faults
    reach = MoveReach.of(state, figure, most_in)
    if faults or reach.allows(goal_in):
        return
    name, mover = state.setting.figures[figure].name, reach.movers[0]
    length = disc_way.way_length(mover.through, mover.start_in, goal_in, _ANY_LENGTH_IN)
    if length == inf:
        yield f"{name} has no way there: bases, walls and water block it (MF Movement)"
    else:
        yield _too_far(length, f"{name} can move", most_in)


def haul_problems(
    state: State, figure: int, wagon: int, goal_in: Point, most_in: float
) -> Iterator[str]:
    """Yield why a figure cannot haul a wagon, a thing that it touches, straight to its own new place (MF Movement)."""
    reach = MoveReach.of(state, figure, most_in, wagon)
    if reach.allows(goal_in):
        return
    name, thing = state.setting.figures[figure].name, state.setting.things[wagon].name
    length = dist(reach.start_in, goal_in)
    if length > most_in or reach._reaches(np.array([goal_in]), most_in, is_round_woods=False)[0]:
        yield _too_far(length, f"{name} can move {thing}", most_in)
    else:
        yield f"{name} cannot take {thing} straight there: something is in the way (MF Movement)"


def _too_far(length_in: float, moves: str, most_in: float) -> str:
    """Return that a way is too long, on flat ground or else in woods; it is rounded up to what a ruler tells."""
    if length_in <= most_in:
        moves, most_in = f"in woods {moves}", most_in * _WOODS_SHARE
    far = ceil(10 * (length_in - _WAY_TOLERANCE_IN)) / 10
    return f"the way there is {far:g} in, but {moves} {most_in:g} in (MF Movement)"


_GAP_IN = TOUCH_IN / 2
"""Between bases that go to touch each other."""
_TOUCHING_IN = 2 * BASE_RADIUS_IN + _GAP_IN
_RING = np.exp(1j * np.radians(np.add.outer((0, 90, 180, 270), (0, 15, -15, 30, -30, 45, -45))))
"""Directions in which a base is touched: for its front, left, rear and right, the best first."""
Places = npt.NDArray[np.complexfloating[Any, Any]]
"""x and y of places in inches, as real and imaginary part."""


class MoveEnd(NamedTuple):
    """Where a move ends: a place, and a facing in whole degrees."""

    place_in: Point
    facing_deg: float


def spots(
    state: State, figure: int, most_in: float, also_in: Sequence[Point] = ()
) -> tuple[MoveEnd, ...]:
    """Return the places worth going to for a figure that moves so far, and others if it may; all of them are legal.

    It stays as it is, or faces the nearest enemy, there and at the other places.
    """
    from brickphys.minifig.places_kernel import reached  # Numba

    reach, now = MoveReach.of(state, figure, most_in), state.figures[figure]
    enemies = np.array(
        [
            (other.x_in, other.y_in, other.facing_deg)
            for other in map(state.figures.__getitem__, state.enemies(figure))
        ]
    ).reshape(-1, 3)
    places = [np.array([now.place_in, *also_in]), reach.straight_in]
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
    stay = MoveEnd(now.place_in, now.facing_deg)
    return tuple(
        dict.fromkeys([stay, *(MoveEnd((x, y), facing) for x, y, facing in found.tolist())])
    )


def _pairs(places: Places) -> Array:
    """Return places as pairs, shape (n, 2)."""
    return places.view(float).reshape(-1, 2)


def _to_touch(state: State, figure: int, reach: MoveReach) -> Iterator[Places]:
    """Yield the place that touches the nearest item that lies there, and the nearest thing."""
    if not state.setting.figures[figure].kind.hands:
        return
    items = [(*item.at_in, BASE_RADIUS_IN) for item in state.items if item.at_in is not None]
    things = state.bases[len(state.alive) :].tolist()
    for bases in (items, things):
        nearest = min(bases, key=lambda base: dist(reach.start_in, base[:2]), default=None)
        if nearest is not None:
            yield _nearest_touch(reach, *nearest)


def _nearest_touch(reach: MoveReach, x_in: float, y_in: float, radius_in: float) -> Places:
    """Return the free place nearest to the start that touches a base, if it is within reach and not touched now."""
    start, base = complex(*reach.start_in), complex(x_in, y_in)
    apart = radius_in + BASE_RADIUS_IN + _GAP_IN
    if not _GAP_IN < abs(base - start) - apart <= reach.most_in:
        return np.empty(0, dtype=complex)
    places = base + apart * _RING.ravel()
    places = places[disc_way.is_free(reach.movers[0].through, _pairs(places))]
    nearest: Places = places[np.abs(places - start).argsort()[:1]]
    return nearest


def _cover(state: State, reach: MoveReach, enemies: Array) -> Iterator[Places]:
    """Yield the place at the nearest piece of wall, on the side that is turned away from the nearest enemy."""
    walls, start = ground.pieces(state.setting, state.walls), complex(*reach.start_in)
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
