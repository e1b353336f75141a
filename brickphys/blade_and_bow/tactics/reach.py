"""Reach: the squares that units can strike after a move, for whole armies; found fast, and remembered.

It follows the rules of movement (BB 7), but for friends who are pushed or disrupted: those are only gone round, and no
unit ends in a friend's square. `ways` tells how a unit gets somewhere; here only the ends count.
"""

from collections.abc import Iterator
from functools import lru_cache, reduce
from operator import or_
from typing import NamedTuple

from brickphys.blade_and_bow import ground
from brickphys.blade_and_bow.setting import Setting
from brickphys.blade_and_bow.sheets import Density, charts
from brickphys.blade_and_bow.state import State
from brickphys.grid.grid import DIRECTIONS, FACINGS, Square, Squares, each

_BLOW = 3
"""Points from the end of a move to the farthest square that is struck."""


class Reach(NamedTuple):
    """Where a unit can strike after a move: for each direction of a blow, the squares that it can hit."""

    unit: int
    blows: tuple[Squares, ...]
    every: Squares
    """The squares that it can hit in any direction."""


class _Way(NamedTuple):
    """All on which the ends of a move depend, near the unit."""

    square: Square
    facing: int
    points: int
    is_light: bool
    reverses: bool
    leave: ground.Departures
    high: Squares
    friends: Squares
    through: Squares  # of friends: those whom it passes freely
    enemies: Squares
    halts: Squares
    held: bool  # it cannot move


def reaches(state: State, player: int) -> tuple[Reach, ...]:
    """Return the reach of each unit of a player in good order that is near enough to strike; worked out once."""
    known: dict[int, tuple[Reach, ...]] = vars(state).setdefault("reaches", {})
    if player not in known:
        known[player] = tuple(_reaches(state, player))
    return known[player]


def _reaches(state: State, player: int) -> Iterator[Reach]:
    grid, setting, specs = state.setting.grid, state.setting, state.setting.units
    enemies, own = ground.enemy_squares(state, player), state.occupied[player]
    zone = ground.zones(state, 1 - player)
    halts, leave = setting.stops | zone.all, ground.departures(state, player)
    light = sum(1 << one for one in each(own) if specs[state.at[one]].counter.is_light)
    for square in each(own):
        unit = state.at[square]
        now, counter = state.units[unit], specs[unit].counter
        if now.disrupted:
            continue
        points = counter.good.movement
        near = ground.within(grid, square, points + _BLOW)
        if not near & enemies:
            continue
        friends = own & near & ~(1 << square)
        way = _Way(
            square,
            now.facing,
            points,
            counter.is_light,
            counter.density is not Density.DENSE,
            leave,
            setting.high & near,
            friends,
            friends if counter.is_light else friends & light,
            enemies & near,
            halts & near,
            now.wall or bool(zone.strong >> square & 1),
        )
        blows = _blows(setting, way)
        yield Reach(unit, blows, reduce(or_, blows))


@lru_cache(maxsize=1 << 15)
def _blows(setting: Setting, way: _Way) -> tuple[Squares, ...]:
    """Return the squares that a unit can hit in each direction after a move, or where it stands."""
    grid = setting.grid
    ends = [0] * FACINGS if way.held else list(_ends(setting, way))
    ends[way.facing] |= 1 << way.square
    hit = []
    for towards, (dx, dy) in enumerate(DIRECTIONS):
        places = 0
        for off in ground.AHEAD:
            places |= ends[(towards - off) % FACINGS]
        hit.append(grid.shifted(places, dx, dy))
    return tuple(hit)


def _ends(setting: Setting, way: _Way) -> Iterator[Squares]:
    """Yield for each facing the squares in which a move can end."""
    costs, width, most = charts().points, setting.grid.width, way.points
    span = most + 1
    layers = [[0] * FACINGS for _ in range(span)]
    layers[0][way.facing] = 1 << way.square
    seen, ends = [0] * FACINGS, [0] * FACINGS
    able = ~way.enemies & ~way.friends | way.through
    steps = [
        (dy * width + dx, costs["corner" if dx and dy else "side"], way.leave[n])
        for n, (dx, dy) in enumerate(DIRECTIONS)
    ]
    aside = (0, 1, -1) if way.is_light else (0,)
    for cost in range(span):
        layer = layers[cost]
        for facing in range(FACINGS):
            squares = layer[facing] & ~seen[facing]
            if not squares:
                continue
            seen[facing] |= squares
            if (turned := cost + costs["wheel"]) <= most:
                layers[turned][(facing + 1) % FACINGS] |= squares
                layers[turned][(facing - 1) % FACINGS] |= squares
            if way.reverses and (turned := cost + costs["reverse"]) <= most:
                layers[turned][(facing + FACINGS // 2) % FACINGS] |= squares
            by, more, leave = steps[facing]
            if (spent := cost + more) > most:
                continue
            start = squares & leave
            to = (start << by if by >= 0 else start >> -by) & able
            if not to:
                continue
            high = start & way.high
            slope = to & (way.high ^ (high << by if by >= 0 else high >> -by))
            halted = to & (way.halts | slope)
            for off in aside:
                ends[(facing + off) % FACINGS] |= halted
                layers[spent][(facing + off) % FACINGS] |= to & ~halted
    for facing in range(FACINGS):
        yield (ends[facing] | seen[facing]) & ~way.friends
