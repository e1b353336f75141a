"""Chart: the squares of the land that the party knows, counted to the east and north from its start."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from brickphys.errors import InvalidValueError
from brickphys.minifig.campaign.tables import Bend

Place = tuple[int, int]
"""Column and row of a square; the party starts at 0, 0, in the middle of the first grid (ours)."""
START: Place = (0, 0)
GRID = 9
"""Squares along a side of a grid (MF Campaign)."""


class Direction(Enum):
    """A side of a square, clockwise from the north."""

    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"

    def turned(self, bend: Bend) -> "Direction":
        """Return the direction after a turn."""
        return _DIRECTIONS[(_DIRECTIONS.index(self) + _TURNS[bend]) % len(_DIRECTIONS)]

    def from_place(self, place: Place) -> Place:
        """Return the next square in this direction."""
        east, north = _STEPS[self]
        return place[0] + east, place[1] + north

    @property
    def is_north_south(self) -> bool:
        """Whether it leads along the length of squares, not along their width."""
        return self in (Direction.NORTH, Direction.SOUTH)


_DIRECTIONS = tuple(Direction)
_STEPS = dict(zip(_DIRECTIONS, ((0, 1), (1, 0), (0, -1), (-1, 0)), strict=True))
_TURNS = {Bend.LEFT: -1, Bend.STRAIGHT: 0, Bend.RIGHT: 1}


class Ground(Enum):
    """What a square is (MF Campaign, Terrain)."""

    OPEN = "open"
    WOODS = "woods"
    VILLAGE = "village"
    POND = "pond"
    SHORE = "shore"
    """The square in which the party came upon a lake: it stands at the edge of the water."""
    LAKE = "lake"
    """Another square of a lake: nobody enters it (ours)."""
    RIVER = "river"


@dataclass(frozen=True, slots=True)
class River:
    """The course of a river through a square, as the party that came upon it sees it."""

    along: Direction
    """Where the party went."""
    side: Bend
    """The hand of the party on which it lies."""
    bend: Bend = Bend.STRAIGHT
    """Where it bends in this square."""

    @property
    def flow(self) -> Direction:
        """The side of the square through which it leaves."""
        return self.along.turned(self.bend)

    def is_crossed(self, heading: Direction) -> bool:
        """Whether who goes on that way must cross it (ours): to its side, or straight on where it bends across."""
        if heading is self.flow:
            return False
        across = self.bend not in (Bend.STRAIGHT, self.side)
        return heading is self.along.turned(self.side) or (across and heading is self.along)


@dataclass(frozen=True, slots=True)
class Square:
    """A square that is known."""

    ground: Ground
    """What it is."""
    river: River | None = None
    """The course of its river; None without one."""

    @property
    def text(self) -> str:
        """Its first letters: ``o``; of a river ``rnls``: it goes north, lies to the left, and goes straight on."""
        course = (self.river.along, self.river.side, self.river.bend) if self.river else ()
        return "".join(part.value[0] for part in (self.ground, *course))


_SQUARES = {square.text: square for square in map(Square, Ground)} | {
    square.text: square
    for along in Direction
    for side in (Bend.LEFT, Bend.RIGHT)
    for bend in Bend
    for square in [Square(Ground.RIVER, River(along, side, bend))]
}
del _SQUARES[Square(Ground.RIVER).text]
_ENTRY = re.compile(r"(-?\d{1,6}),(-?\d{1,6})([a-z]+)", re.ASCII)


@dataclass(frozen=True, eq=False)
class Chart:
    """All squares that are known; nobody changes the mapping."""

    squares: Mapping[Place, Square]
    """The known squares by column and row."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chart) and self.squares == other.squares

    def __hash__(self) -> int:
        return hash(
            len(self.squares)
        )  # cheap: charts of one game differ in it wherever they differ

    def with_square(self, place: Place, square: Square) -> "Chart":
        """Return the chart with one more square."""
        return Chart({**self.squares, place: square})

    def is_open(self, place: Place) -> bool:
        """Whether the party may enter a square: all but those of a known lake."""
        square = self.squares.get(place)
        return square is None or square.ground is not Ground.LAKE

    @property
    def grids(self) -> tuple[Place, Place]:
        """The lower left and the upper right square of the whole grids of 9 x 9 that hold all known squares."""
        half = GRID // 2
        lows, highs = zip(
            *((min(row) + half, max(row) + half) for row in zip(*self.squares, strict=True)),
            strict=True,
        )
        low, high = (tuple(end // GRID * GRID - half for end in ends) for ends in (lows, highs))
        return (low[0], low[1]), (high[0] + GRID - 1, high[1] + GRID - 1)

    @cached_property
    def text(self) -> str:
        """All squares, from west to east and south to north: ``0,0o 0,1rnls``."""
        return " ".join(f"{x},{y}{square.text}" for (x, y), square in sorted(self.squares.items()))


def parse_chart(text: str) -> Chart:
    """Read a chart; InvalidValueError if the text is none."""
    squares = {}
    for word in text.split(" "):
        found = _ENTRY.fullmatch(word)
        if found is None or found[3] not in _SQUARES:
            raise InvalidValueError(f"chart: {word!r} is not a square such as 0,1w")
        squares[int(found[1]), int(found[2])] = _SQUARES[found[3]]
    return Chart(squares)
