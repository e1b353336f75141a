"""Terrain: a field while certain doors and windows are open, who stands on it, and where a figure can walk (BOW 2.3.1).

A board is a terrain with the units and vehicles on it, which are in the way of walks, sight and weapons.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING

from brickphys.bow.field import FIGURE_PLATES, Decor, Field, Span, Stud, Studs, merged
from brickphys.errors import InvalidValueError, unknown
from brickphys.geometry.polygon import TOLERANCE
from brickphys.grid.grid import DIRECTIONS, each, rings, squares_of

if TYPE_CHECKING:
    from brickphys.vehicles.scene import Vehicle


@dataclass(frozen=True, eq=False, repr=False)
class Terrain:
    """A field while certain doors and windows are open; made by `terrain`."""

    field: Field
    open_ids: frozenset[str]
    """Which doors and windows are open."""
    standable: Studs
    """Studs on which a figure can stand."""
    enterable: tuple[Studs, ...]
    """For each of `brickphys.grid.grid.DIRECTIONS`, the studs that a step in that direction can enter: the stud and the
    one behind are standable, and the step is not too high."""
    solids_plates: tuple[tuple[Span, ...], ...]
    """For each stud, the spans of heights that are solid: first the ground, then decor that fills the whole stud."""
    at_an_angle: tuple[Decor, ...]
    """Decor that fills some studs only in part."""


@lru_cache(maxsize=512)
def terrain(field: Field, open_ids: frozenset[str] = frozenset()) -> Terrain:
    """Return a field while certain doors and windows are open, and all others closed.

    InvalidValueError if an id is not that of a door or window of the field.
    """
    for strange in sorted(open_ids.difference(field.doors)):
        raise unknown("door or window", strange, field.doors)
    shut = [decor for decor in field.decor if decor.id not in open_ids]
    standable = field.all_squares & ~_filled_studs(field, shut)
    return Terrain(
        field=field,
        open_ids=open_ids,
        standable=standable,
        enterable=tuple(
            gentle & standable & field.shifted(standable, *direction)
            for gentle, direction in zip(_gentle(field), DIRECTIONS, strict=True)
        ),
        solids_plates=_solids(field, shut),
        at_an_angle=tuple(decor for decor in shut if decor.id not in field.whole),
    )


def _filled_studs(field: Field, shut: list[Decor]) -> Studs:
    studs = 0
    for decor in shut:
        if decor.kind.opens:
            for stud in each(field.decor_studs[decor.id]):
                if overlaps_figure(decor.span_plates, field.levels_plates[stud]):
                    studs |= 1 << stud
    return studs


def overlaps_figure(span_plates: Span, level_plates: float) -> bool:
    """Tell whether a span of heights leaves no room for a figure that stands at a level."""
    bottom, top = span_plates
    low, high = max(bottom, level_plates), min(top, level_plates + FIGURE_PLATES)
    return high - low > TOLERANCE


def _solids(field: Field, shut: list[Decor]) -> tuple[tuple[Span, ...], ...]:
    columns: list[list[Span]] = [[(-float("inf"), ground)] for ground in field.grounds_plates]
    for decor in shut:
        if decor.id in field.whole:
            for stud in each(field.decor_studs[decor.id]):
                columns[stud].append(decor.span_plates)
    return tuple(merged(column) if len(column) > 1 else tuple(column) for column in columns)


@lru_cache(maxsize=64)
def _gentle(field: Field) -> tuple[Studs, ...]:
    """Return for each direction the studs that a step enters without going up or down by more than is walked."""
    levels, limit = field.levels_plates, field.step_plates + TOLERANCE
    found = []
    for dx, dy in DIRECTIONS:
        studs, back = each(field.shifted(field.all_squares, dx, dy)), dy * field.width + dx
        found.append(squares_of(n for n in studs if abs(levels[n] - levels[n - back]) <= limit))
    return tuple(found)


@dataclass(frozen=True, eq=False)
class Board:
    """A terrain with the units and vehicles on it."""

    terrain: Terrain
    """The field, with its doors and windows open or closed."""
    units: Studs = 0
    """The studs on which figures stand; occupants of vehicles stand on none."""
    vehicles: tuple["Vehicle", ...] = ()

    @property
    def field(self) -> Field:
        """The field."""
        return self.terrain.field

    @cached_property
    def taken(self) -> Studs:
        """The studs on which a unit or a vehicle leaves no room for a figure."""
        studs = self.units
        for vehicle in self.vehicles:
            studs |= vehicle_studs(self.field, vehicle)
        return studs

    @property
    def free(self) -> Studs:
        """The studs that have room for a figure."""
        return self.terrain.standable & ~self.taken


@lru_cache(maxsize=4096)
def footprint_studs(field: Field, vehicle: "Vehicle") -> Studs:
    """Return the studs that a vehicle overlaps in plan."""
    return field.studs_under(vehicle.prism.footprint)


@lru_cache(maxsize=4096)
def vehicle_studs(field: Field, vehicle: "Vehicle") -> Studs:
    """Return the studs on which a vehicle leaves no room for a figure; there may be room under a flyer."""
    span = (vehicle.bottom_plates, vehicle.top_plates)
    levels = field.levels_plates
    studs = each(footprint_studs(field, vehicle))
    return squares_of(stud for stud in studs if overlaps_figure(span, levels[stud]))


@dataclass(frozen=True)
class Reachable:
    """The studs that a figure can reach in a number of steps."""

    terrain: Terrain
    """What it walks on."""
    free: Studs
    """The studs on which nothing is in its way, its own included."""
    rings: tuple[Studs, ...]
    """The studs that are first reached after 0, 1, 2, ... steps; the last ring is not empty."""

    @cached_property
    def studs(self) -> Studs:
        """Every stud that it can reach, its own included."""
        studs = 0
        for ring in self.rings:
            studs |= ring
        return studs

    @cached_property
    def steps(self) -> dict[Stud, int]:
        """The number of steps to each stud, its own included."""
        return {stud: count for count, ring in enumerate(self.rings) for stud in each(ring)}

    def path(self, stud: Stud) -> list[Stud]:
        """Return the shortest path to a stud, both ends included; of several, one that is near the straight line.

        InvalidValueError if it is out of reach.
        """
        if stud not in self.steps:
            x, y = self.terrain.field.xy(stud)
            raise InvalidValueError(f"stud ({x}, {y}) is out of reach")
        path = [stud]
        for ring in reversed(self.rings[: self.steps[stud]]):
            before = each(one_step(self.terrain, self.free, 1 << path[-1]) & ring)
            path.append(min(before, key=lambda other: self._offset(other, stud)))
        return path[::-1]

    def _offset(self, stud: Stud, end: Stud) -> int:
        """Return the distance of a stud from the straight line to an end, times the length of that line."""
        xy = self.terrain.field.xy
        (x, y), (start_x, start_y), (end_x, end_y) = map(xy, (stud, next(each(self.rings[0])), end))
        return abs((end_x - start_x) * (y - start_y) - (end_y - start_y) * (x - start_x))


def reachable(board: Board, start: Stud, most_steps: int) -> Reachable:
    """Return the studs that a figure can reach.

    A step leads to one of the eight neighbours that is free and at most one step higher or lower. A diagonal step
    needs one of the two ways round its corner to be free as well: there is no way between two obstacles that touch
    corner to corner. The figure's own stud counts as free.
    """
    own = 1 << start
    free = board.terrain.standable & ~board.taken | own
    found = rings(own, partial(one_step, board.terrain, free), most_steps)
    return Reachable(board.terrain, free, found)


def one_step(terrain: Terrain, free: Studs, studs: Studs) -> Studs:
    """Return the free studs that a figure enters with one step from some studs, see `reachable`."""
    width = terrain.field.width
    e, ne, n, nw, w, sw, s, se = terrain.enterable
    east, west = studs << 1 & e & free, studs >> 1 & w & free
    north, south = studs << width & n & free, studs >> width & s & free
    north_east = (north << 1 & e | east << width & n) & ne
    north_west = (north >> 1 & w | west << width & n) & nw
    south_west = (south >> 1 & w | west >> width & s) & sw
    south_east = (south << 1 & e | east >> width & s) & se
    return east | west | north | south | (north_east | north_west | south_west | south_east) & free
