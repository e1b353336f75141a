"""Ground: distance, arcs, zones and lines of sight on the map, and where units can step and stand.

- Directional points between squares (BB 3.1.3).
- Front, flanks and rear of a unit (BB 3.1.1), its arc of fire (BB 8.4) and the squares that it controls (BB 3.1.2).
- Lines of sight, which the defender draws (BB 3.3, 8.3), and ranks that the enemy comes to see (BB 2.3.2.8).
- Steps to neighbouring squares, as walls, closed squares and special rules allow (BB 7.5, 14.2). Who is in the squares
  does not count, except in the gates of a wall.
- Where units can stand, and where displaced units go (BB 7.3.4).
"""

from functools import cache, lru_cache
from typing import NamedTuple

from brickphys.blade_and_bow.setting import Setting
from brickphys.blade_and_bow.sheets import charts
from brickphys.blade_and_bow.state import State, StatePart, part_of_pieces
from brickphys.grid.grid import DIRECTIONS, FACINGS, Grid, Square, Squares, each, squares_of
from brickphys.vehicles.sectors import Sector


def points(grid: Grid, one: Square, other: Square) -> int:
    """Return the directional points between two squares (BB 3.1.3)."""
    (x, y), (to_x, to_y) = grid.xy(one), grid.xy(other)
    corners, most = sorted((abs(to_x - x), abs(to_y - y)))
    costs = charts().points
    return corners * costs["corner"] + (most - corners) * costs["side"]


@cache
def within(grid: Grid, square: Square, most_points: int) -> Squares:
    """Return the squares at most so many directional points from a square, itself among them."""
    (x, y), far = grid.xy(square), most_points // charts().points["side"]
    box = grid.block(x - far, y - far, 2 * far + 1, 2 * far + 1)
    return squares_of(other for other in each(box) if points(grid, square, other) <= most_points)


AHEAD = (1, 0, -1)
"""The directions of the front squares off the facing: left, ahead, right."""
_SECTORS = (Sector.FRONT, Sector.FRONT, Sector.LEFT, *[Sector.REAR] * 3, Sector.RIGHT, Sector.FRONT)


@lru_cache
def neighbours(grid: Grid) -> tuple[tuple[Square | None, ...], ...]:
    """Return for each square its neighbour in each direction; None is off the map."""
    return tuple(
        tuple(
            grid.square(x + dx, y + dy) if grid.contains(x + dx, y + dy) else None
            for dx, dy in DIRECTIONS
        )
        for x, y in map(grid.xy, range(grid.width * grid.length))
    )


@lru_cache
def beside(grid: Grid) -> tuple[Squares, ...]:
    """Return for each square the set of its neighbours."""
    return tuple(
        squares_of(other for other in around if other is not None) for around in neighbours(grid)
    )


def direction(grid: Grid, square: Square, other: Square) -> int | None:
    """Return the direction of a neighbour of a square; None if it is no neighbour."""
    around = neighbours(grid)[square]
    return around.index(other) if other in around else None


def turns(facing: int, other: int) -> int:
    """Return by how many directions two facings differ, 0 to 4."""
    half = FACINGS // 2
    return abs((facing - other + half) % FACINGS - half)


def front(grid: Grid, square: Square, facing: int) -> tuple[Square, ...]:
    """Return the front squares of a unit: left, ahead, right, without those off the map (BB 3.1.1)."""
    around = neighbours(grid)[square]
    found = (around[(facing + off) % FACINGS] for off in AHEAD)
    return tuple(other for other in found if other is not None)


def sector_of(state: State, unit: int, square: Square) -> Sector:
    """Return the side of a unit on which a neighbouring square is (BB 3.1.1)."""
    towards = direction(state.setting.grid, state.square_of(unit), square)
    assert towards is not None
    return _SECTORS[(towards - state.units[unit].facing) % FACINGS]


@cache
def arc(grid: Grid, square: Square, facing: int) -> Squares:
    """Return the 90 degrees through the front squares, with their edges, without the square itself (BB 8.4)."""
    x, y = grid.xy(square)
    left, _, right = (DIRECTIONS[(facing + off) % FACINGS] for off in AHEAD)
    places = ((other, *grid.xy(other)) for other in range(grid.width * grid.length))
    return squares_of(
        other
        for other, to_x, to_y in places
        if other != square
        and right[0] * (to_y - y) >= right[1] * (to_x - x)
        and left[1] * (to_x - x) >= left[0] * (to_y - y)
    )


def facings_to_aim(state: State, unit: int, square: Square) -> list[int]:
    """Return the facings with a square in the arc of fire, the nearest to a unit's own first (BB 8.4)."""
    facing, start, grid = state.units[unit].facing, state.square_of(unit), state.setting.grid
    found = (each for each in range(FACINGS) if arc(grid, start, each) >> square & 1)
    return sorted(found, key=lambda each: (turns(facing, each), each))


def turns_to_aim(state: State, unit: int, square: Square) -> int:
    """Return by how many directions a unit turns at least to have a square in its arc of fire (BB 8.4)."""
    return turns(state.units[unit].facing, facings_to_aim(state, unit, square)[0])


class Zones(NamedTuple):
    """The zones of control of a player's units."""

    weak: Squares
    """Squares of weak zones only."""
    strong: Squares
    """Squares straight ahead of a unit, and weak ones that adjacent units share."""

    @property
    def all(self) -> Squares:
        """Every square of them."""
        return self.weak | self.strong


def zones(state: State, player: int) -> Zones:
    """Return the zones of a player's units: front squares and flanks; disrupted ones have none (BB 3.1.2, 10.1)."""
    known: dict[int, Zones] = vars(state).setdefault("zones", {})
    if player not in known:
        known[player] = _zones(state, player)
    return known[player]


def _zones(state: State, player: int) -> Zones:
    grid = state.setting.grid
    table, near = _sides(grid), beside(grid)
    sides: list[tuple[Square, Squares]] = []
    strong = weak = 0
    for square, number in state.at.items():
        unit = state.units[number]
        if state.setting.units[number].player == player and not unit.disrupted:
            ahead, aside = table[square][unit.facing]
            strong |= ahead
            if weak & aside:
                for other, there in sides:
                    if near[square] >> other & 1:
                        strong |= aside & there
            weak |= aside
            sides.append((square, aside))
    return Zones(weak & ~strong, strong)


@lru_cache
def _sides(grid: Grid) -> tuple[tuple[tuple[Squares, Squares], ...], ...]:
    """Return for each square and facing the square ahead, and the other front squares with the flanks."""
    facings = range(FACINGS)
    return tuple(tuple(_zone(around, facing) for facing in facings) for around in neighbours(grid))


def _zone(around: tuple[Square | None, ...], facing: int) -> tuple[Squares, Squares]:
    found = (around[(facing + off) % FACINGS] for off in (0, 1, -1, 2, -2))
    ahead, *aside = (0 if square is None else 1 << square for square in found)
    return ahead, sum(aside)


def sees(state: State, square: Square, target_square: Square) -> bool:
    """Whether there is a line of sight between two squares (BB 3.3).

    The defender draws the line through any of the shortest routes, so one square on one of them blocks it. Units block
    if both ends are as high: both on hills or both not (ours: all ground besides hills counts as clear).
    """
    setting = state.setting
    inside = between(setting.grid, square, target_square)
    if not inside:
        return True
    level = not (setting.high >> square ^ setting.high >> target_square) & 1
    units = state.occupied[0] | state.occupied[1] if level else 0
    return not inside & (setting.blocks | units)


@cache
def between(grid: Grid, square: Square, other: Square) -> Squares:
    """Return the squares inside all routes between two squares that cost the fewest directional points."""
    total = points(grid, square, other)
    xs, ys = zip(grid.xy(square), grid.xy(other), strict=True)
    box = grid.block(min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1)
    return squares_of(
        place
        for place in each(box)
        if place not in (square, other)
        and points(grid, square, place) + points(grid, place, other) == total
    )


Departures = tuple[Squares, ...]
"""For each direction, the squares from which a unit can step in it."""


def passable(state: State, player: int) -> Squares:
    """Return the squares that units of a player may enter, whoever is in them."""
    setting = state.setting
    shut = setting.closed
    if player == 0:
        shut |= setting.special.path
    elif not state.discovered:
        shut |= setting.special.limit
    return setting.grid.all_squares & ~shut


def step_allowed(state: State, player: int, square: Square, other: Square) -> bool:
    """Whether units of a player may go from a square to a neighbour, whoever is in it."""
    towards = direction(state.setting.grid, square, other)
    return towards is not None and bool(departures(state, player)[towards] >> square & 1)


def departures(state: State, player: int) -> Departures:
    """Return the squares that units of a player may leave, by direction."""
    gates = state.setting.special.gates
    held = gates if gates & (state.occupied[0] | state.occupied[1]) else 0
    return departures_over(state.setting, passable(state, player), held)


@lru_cache
def departures_over(setting: Setting, able: Squares, gates: Squares = 0) -> Departures:
    """Return them, given the squares that can be entered, and gates that nobody reaches diagonally from the wall."""
    grid, walled, path = setting.grid, _walled(setting), setting.special.path
    beside = squares_of(square for pair in setting.walls for square in pair)
    found = []
    for towards, (dx, dy) in enumerate(DIRECTIONS):
        from_squares = grid.shifted(able, -dx, -dy) & ~walled[towards]
        if dx and dy:
            from_squares &= ~(path | grid.shifted(path, -dx, -dy))
            from_squares &= ~(beside & grid.shifted(gates, -dx, -dy))
            from_squares &= ~(gates & grid.shifted(beside, -dx, -dy))
        found.append(from_squares)
    return tuple(found)


def _walled(setting: Setting) -> Departures:
    """Return the squares with a wall in each direction; at a corner, one on both ways round it (ours)."""
    around = neighbours(setting.grid)

    def wall(square: Square, towards: int) -> bool:
        other = around[square][towards % FACINGS]
        return other is not None and (min(square, other), max(square, other)) in setting.walls

    def corner(square: Square, towards: int) -> bool:
        ways = []
        for first, second in ((towards - 1, towards + 1), (towards + 1, towards - 1)):
            middle = around[square][first % FACINGS]
            ways.append(middle is not None and (wall(square, first) or wall(middle, second)))
        return all(ways)

    squares = list(each(setting.grid.all_squares)) if setting.walls else []
    return tuple(
        sum(1 << n for n in squares if (corner if dx and dy else wall)(n, towards))
        for towards, (dx, dy) in enumerate(DIRECTIONS)
    )


def enemy_squares(state: State, player: int) -> Squares:
    """Return the squares that units of a player do not enter: of enemy units (BB 7.3), and of their camp (ours)."""
    return state.occupied[1 - player] | state.camp_set(1 - player)


def displacement_squares(state: State, unit: int, vacated: Squares = 0) -> tuple[Square, ...]:
    """Return the squares into which a unit can be displaced: free neighbours outside enemy zones (BB 7.3.4).

    `vacated` is the square that the unit which displaces it has left.
    """
    square, player = state.square_of(unit), state.player_of(unit)
    taken = state.occupied[player] & ~vacated | enemy_squares(state, player)
    shut = taken | zones(state, 1 - player).all
    around, leaving = neighbours(state.setting.grid)[square], departures(state, player)
    return tuple(
        other
        for towards, other in enumerate(around)
        if other is not None and leaving[towards] >> square & 1 and not shut >> other & 1
    )


def displaceable(state: State, unit: int) -> Squares:
    """Return the squares of friendly units in which a unit may end: of smaller ones with room (BB 7.3.4)."""
    specs, vacated = state.setting.units, 1 << state.square_of(unit)
    own = specs[unit]
    return squares_of(
        square
        for square, other in state.at.items()
        if specs[other].player == own.player
        and specs[other].counter.size.rank < own.counter.size.rank
        and displacement_squares(state, other, vacated)
    )


def noticed(state: State) -> State:
    """Return the state in which all ranks are seen that an enemy unit sees now; what was seen stays known.

    An enemy unit sees the ranks of a unit in its zone, and of one that it sees from outside its front arc.
    """
    for number in _newly_seen(part_of_pieces(state)):
        state = state.change_unit(number, seen=True)
    return state


@lru_cache(maxsize=4096)
def _newly_seen(part: StatePart) -> tuple[int, ...]:
    """Return the units whose ranks an enemy sees for the first time."""
    state, found = part.state, list[int]()
    for number, unit in enumerate(state.units):
        if unit.seen or unit.square is None or not state.setting.units[number].counter.has_ranks:
            continue
        enemy = 1 - state.player_of(number)
        behind = state.occupied[enemy] & ~arc(state.setting.grid, unit.square, unit.facing)
        if zones(state, enemy).all >> unit.square & 1 or any(
            sees(state, square, unit.square) for square in each(behind)
        ):
            found.append(number)
    return tuple(found)
