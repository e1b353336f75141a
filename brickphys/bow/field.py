"""Field: the studs of a battle, the height of its ground, the decor on it, and facings (BOW 1.3, 2.4.2, 3.4)."""

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from math import inf, isfinite
from typing import NamedTuple

import numpy as np

from brickphys.errors import InvalidValueError
from brickphys.geometry.polygon import (
    TOLERANCE,
    Point,
    Polygon,
    convex_polygon,
    intersection,
    polygon_problems,
)
from brickphys.grid.grid import DIRECTIONS, Grid, Square, Squares, each, squares_of

FRONT_DEG = 180.0
"""Width of the arc in front; exactly sideways belongs to it."""


def normal_deg(angle_deg: float) -> float:
    """Return a heading as vehicles keep it: at least 0 and below 360 degrees, rounded to nine digits."""
    return round(angle_deg % 360.0, 9) % 360.0


def is_in_front(facing: int, at_studs: Point, target_studs: Point) -> bool:
    """Tell whether a target is in front of a figure with one of the eight facings.

    Facings are 0 to 7, 45 degrees each, counter-clockwise from +x; both places are the middles of figures.
    """
    ahead_x, ahead_y = DIRECTIONS[facing]
    ahead = ahead_x * (target_studs[0] - at_studs[0]) + ahead_y * (target_studs[1] - at_studs[1])
    return ahead >= -TOLERANCE


Stud = Square
"""The number of a stud: a square of the field."""
Studs = Squares
"""A set of studs."""

BRICK_PLATES = 3.0
"""Height of a brick; by default the highest step that is walked, up or down."""
FIGURE_PLATES = 12.5
"""Height of a figure, and the room that it needs to stand upright."""
DECOR_TOP_PLATES = 15.0
"""Top of decor for which a setup gives none."""

Span = tuple[float, float]
"""A bottom and a top, in plates."""


class DecorType(Enum):
    """The type of a piece of decor; only doors and windows can be opened."""

    WALL = "wall"
    DOOR = "door"
    WINDOW = "window"
    FURNITURE = "furniture"
    TREE = "tree"

    @property
    def opens(self) -> bool:
        """Whether it can be opened."""
        return self in (DecorType.DOOR, DecorType.WINDOW)


class Stance(NamedTuple):
    """The position of a figure that stands or sits, by its middle."""

    x_studs: float
    y_studs: float
    ground_plates: float
    """The height of its feet, in plates."""


@dataclass(frozen=True)
class Decor:
    """A fixed thing over a convex polygon that fills the space between two heights; an open door fills nothing."""

    id: str
    """Its name, unique on a field."""
    kind: DecorType
    """Its type."""
    corners_studs: tuple[Point, ...]
    """Its corners in plan, in order of either winding."""
    bottom_plates: float = 0.0
    """Height of its bottom over the lowest ground of the field."""
    top_plates: float = DECOR_TOP_PLATES
    """Height of its top over the lowest ground; an open door or window is a hole between both."""
    locked: bool = False
    """Whether a door or window cannot be opened by hand."""
    color: str = ""
    """Colour of its bricks, a name of `brickphys.shapes.piece`; empty for the colour of its type."""

    @cached_property
    def footprint(self) -> Polygon:
        """Its polygon, counter-clockwise."""
        return convex_polygon(self.corners_studs)

    @property
    def middle(self) -> tuple[float, float, float]:
        """Its middle: x and y in studs, height in plates."""
        x, y = self.footprint.centroid_studs.tolist()
        return x, y, (self.bottom_plates + self.top_plates) / 2

    @property
    def span_plates(self) -> Span:
        """Its bottom and its top."""
        return self.bottom_plates, self.top_plates

    def problems(self) -> list[str]:
        """Return every fault, each with its key (empty: there is none)."""
        faults = [f"polygon: {fault}" for fault in polygon_problems(self.corners_studs)]
        if not (isfinite(self.bottom_plates) and self.bottom_plates < self.top_plates < inf):
            faults.append(f"top: {self.top_plates:g} is not above bottom, {self.bottom_plates:g}")
        if self.locked and not self.kind.opens:
            faults.append(f"locked: a {self.kind.value} cannot be opened, so it has no lock")
        return faults


def block(x: int, y: int, width: int, length: int) -> tuple[Point, ...]:
    """Return the corners of a block of whole studs, given its lowest column and row and its size."""
    return ((x, y), (x + width, y), (x + width, y + length), (x, y + length))


@dataclass(frozen=True)
class Field(Grid):
    """A grid of studs with the height of its ground and its decor; InvalidValueError with every fault of `problems`.

    It is `width` studs long along x, and `length` along y.
    """

    decor: tuple[Decor, ...] = ()
    """What is built on it."""
    ground_plates: tuple[float, ...] = ()
    """Height of each stud by its number; empty for flat ground at 0."""
    step_plates: float = BRICK_PLATES
    """The highest step that is walked, up or down."""

    def __post_init__(self) -> None:
        faults = self.problems()
        if faults:
            raise InvalidValueError("; ".join(faults))

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Kept, since every cached function of the field asks for it."""
        shape = (self.width, self.length, self.step_plates)
        return hash((shape, self.decor, self.ground_plates))

    @property
    def size(self) -> str:
        """Its size in words, for messages: ``30 x 20 studs``."""
        return f"{self.width} x {self.length} studs"

    def problems(self) -> list[str]:
        """Return every fault, each with its place (empty: there is none)."""
        if self.width < 1 or self.length < 1:
            return [f"size: a field of {self.size} is empty"]
        faults = []
        count = len(self.ground_plates)
        if count not in (0, self.width * self.length):
            faults.append(f"ground: {count} heights for {self.size}")
        if not all(map(isfinite, self.ground_plates)):
            faults.append("ground: every height must be a finite number")
        if not self.step_plates >= 0:
            faults.append(f"step: {self.step_plates:g} plates is below 0")
        return [*faults, *self._decor_problems()]

    def _decor_problems(self) -> list[str]:
        faults: list[str] = []
        places: dict[str, str] = {}
        for index, decor in enumerate(self.decor):
            place = f"decor[{index}]"
            if decor.id in places:
                faults.append(f"{place}.id: {decor.id!r} is also the id of {places[decor.id]}")
            places.setdefault(decor.id, place)
            own = decor.problems()
            faults += [f"{place}.{fault}" for fault in own]
            if not own and not self.studs_under(decor.footprint):
                faults.append(f"{place}: {decor.id!r} is outside the field of {self.size}")
        return faults

    def stud(self, x: int, y: int) -> Stud:
        """Return the number of a stud; InvalidValueError if it is not on the field."""
        if not self.contains(x, y):
            raise InvalidValueError(f"stud ({x}, {y}) is outside the field of {self.size}")
        return self.square(x, y)

    def studs_under(self, polygon: Polygon) -> Studs:
        """Return the studs that a convex polygon overlaps by more than the tolerance."""
        return self.overlapped(polygon.vertices_studs.tolist(), TOLERANCE)

    def level_studs(self, studs: Studs, height_plates: float) -> Studs:
        """Return those of some studs whose level is at most a step above or below a height."""
        levels, limit = self.levels_plates, self.step_plates + TOLERANCE
        return squares_of(
            stud for stud in each(studs) if abs(levels[stud] - height_plates) <= limit
        )

    @cached_property
    def doors(self) -> dict[str, Decor]:
        """The doors and windows, by their ids."""
        return {decor.id: decor for decor in self.decor if decor.kind.opens}

    @cached_property
    def decor_studs(self) -> dict[str, Studs]:
        """The studs that each piece of decor overlaps, by its id."""
        return {decor.id: self.studs_under(decor.footprint) for decor in self.decor}

    @cached_property
    def whole(self) -> frozenset[str]:
        """The ids of decor whose part on the field fills whole studs."""
        border = Polygon(np.array(block(0, 0, self.width, self.length), dtype=float))
        found = []
        for decor in self.decor:
            studs = self.decor_studs[decor.id].bit_count()
            inside = intersection(decor.footprint, border)
            if inside and abs(studs - inside.area_studs2) <= TOLERANCE * studs:
                found.append(decor.id)
        return frozenset(found)

    @cached_property
    def grounds_plates(self) -> tuple[float, ...]:
        """Height of the ground of each stud."""
        return self.ground_plates or (0.0,) * (self.width * self.length)

    @cached_property
    def levels_plates(self) -> tuple[float, ...]:
        """Height at which a figure stands on each stud: the lowest with room for a figure while every door is open.

        A stud has one level. Under a gate it is the ground, on a table its top. So a bridge can be crossed above or
        below, not both.
        """
        spans: list[list[Span]] = [[(-inf, ground)] for ground in self.grounds_plates]
        for decor in self.decor:
            if not decor.kind.opens:
                for stud in each(self.decor_studs[decor.id]):
                    spans[stud].append(decor.span_plates)
        return tuple(_level(merged(column)) for column in spans)

    @cached_property
    def stances(self) -> tuple[Stance, ...]:
        """The position of a figure on each stud."""
        return tuple(
            Stance(stud % self.width + 0.5, stud // self.width + 0.5, level)
            for stud, level in enumerate(self.levels_plates)
        )


def merged(spans: list[Span]) -> tuple[Span, ...]:
    """Join spans that overlap or touch, the lowest first."""
    joined: list[Span] = []
    for bottom, top in sorted(spans):
        if joined and bottom <= joined[-1][1] + TOLERANCE:
            joined[-1] = (joined[-1][0], max(top, joined[-1][1]))
        else:
            joined.append((bottom, top))
    return tuple(joined)


def _level(column: tuple[Span, ...]) -> float:
    """Return the lowest top in a column of spans that has room for a figure above it."""
    bottoms = [bottom for bottom, _ in column[1:]] + [inf]
    rooms = zip(column, bottoms, strict=True)
    return next(top for (_, top), ceiling in rooms if ceiling - top >= FIGURE_PLATES - TOLERANCE)
