"""Grid: a rectangle of unit squares, sets of its squares, directions on it, and squares reached in steps.

Squares are numbered row by row. A set of squares is the bits of one integer, so unions and differences are single
operations.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor, isqrt

from brickphys.errors import InvalidValueError

Square = int
"""The number of a square, see `brickphys.grid.grid.Grid`."""
Squares = int
"""A set of squares: bit n stands for square n."""


def squares_of(numbers: Iterable[Square]) -> Squares:
    """Return the set of some squares."""
    squares = 0
    for number in numbers:
        squares |= 1 << number
    return squares


def each(squares: Squares) -> Iterator[Square]:
    """Yield the squares of a set in ascending order."""
    while squares:
        bit = squares & -squares
        yield bit.bit_length() - 1
        squares ^= bit


DIRECTIONS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
"""Steps to the eight neighbours, counter-clockwise from +x; facing n looks along 45 n degrees."""
FACINGS = len(DIRECTIONS)
FACING_NAMES = ("e", "ne", "n", "nw", "w", "sw", "s", "se")
"""Names of the facings as compass points: east is +x, north is +y."""

FACING_ARROWS = "→↗↑↖←↙↓↘"
"""The facings as arrows on maps."""
SIDE_NAMES = (
    "east",
    "north-east",
    "north",
    "north-west",
    "west",
    "south-west",
    "south",
    "south-east",
)
"""The same in full."""


def heading_deg(facing: int) -> float:
    """Return the heading of a facing in degrees, counter-clockwise from +x, from 0 to 315."""
    return 360.0 * facing / FACINGS


def nearest_facing(heading_deg: float) -> int:
    """Return the facing, 0 to 7, that is nearest to a heading in degrees."""
    return round(heading_deg % 360.0 * FACINGS / 360.0) % FACINGS


def rings(
    start: Squares, step: Callable[[Squares], Squares], most_steps: int
) -> tuple[Squares, ...]:
    """Return the rings around a set of squares.

    Parameters
    ----------
    start
        Where the steps begin.
    step
        Returns the squares that are one step from some squares.
    most_steps
        The limit.

    Returns
    -------
    tuple of Squares
        Item n has the squares that are first reached after n steps; none of them is empty but perhaps `start`.
    """
    found, seen = [start], start
    while len(found) <= most_steps:
        ring = step(found[-1]) & ~seen
        if not ring:
            break
        found.append(ring)
        seen |= ring
    return tuple(found)


@dataclass(frozen=True)
class Grid:
    """A rectangle of squares from the origin.

    Square number ``y * width + x`` reaches from (x, y) to (x + 1, y + 1). InvalidValueError if there is no square.

    Attributes
    ----------
    width, length
        Squares along x and along y.
    """

    width: int
    length: int

    def __post_init__(self) -> None:
        if self.width < 1 or self.length < 1:
            raise InvalidValueError(f"a grid of {self.width} x {self.length} has no squares")

    def contains(self, x: int, y: int) -> bool:
        """Tell whether a column and a row are on the grid."""
        return 0 <= x < self.width and 0 <= y < self.length

    def square(self, x: int, y: int) -> Square:
        """Return the square in a column and a row; InvalidValueError if it is not on the grid."""
        if not self.contains(x, y):
            size = f"{self.width} x {self.length}"
            raise InvalidValueError(f"square ({x}, {y}) is outside the grid of {size}")
        return y * self.width + x

    def xy(self, square: Square) -> tuple[int, int]:
        """Return the column and the row of a square."""
        y, x = divmod(square, self.width)
        return x, y

    def square_at(self, x: float, y: float) -> Square:
        """Return the square that holds a point; for a point outside, the nearest square."""
        column = min(max(floor(x), 0), self.width - 1)
        return min(max(floor(y), 0), self.length - 1) * self.width + column

    @cached_property
    def all_squares(self) -> Squares:
        """Every square."""
        return (1 << self.width * self.length) - 1

    @cached_property
    def columns(self) -> tuple[Squares, ...]:
        """The squares of each x, from 0 on."""
        first = sum(1 << y * self.width for y in range(self.length))
        return tuple(first << x for x in range(self.width))

    def block(self, x: int, y: int, width: int, length: int) -> Squares:
        """Return a rectangle of squares, as far as it is on the grid, given its lowest corner and its size."""
        first, last = max(x, 0), min(x + width, self.width)
        row = ((1 << max(last - first, 0)) - 1) << first
        squares = 0
        for number in range(max(y, 0), min(y + length, self.length)):
            squares |= row << number * self.width
        return squares

    def shifted(self, squares: Squares, dx: int, dy: int) -> Squares:
        """Return the squares to which a step of -1, 0 or 1 in x and y leads; steps over the border lead nowhere."""
        if dx:
            squares &= ~self.columns[-1 if dx > 0 else 0]
        by = dy * self.width + dx
        return (squares << by if by >= 0 else squares >> -by) & self.all_squares

    def around(self, squares: Squares) -> Squares:
        """Return some squares and all their neighbours."""
        first, last = self.columns[0], self.columns[-1]
        beside = squares | (squares & ~last) << 1 | (squares & ~first) >> 1
        return (beside | beside << self.width | beside >> self.width) & self.all_squares

    def circle(self, square: Square, radius: float) -> Squares:
        """Return the squares whose middle is within a radius, in squares, around the middle of a square."""
        x, y = self.xy(square)
        far, square_of_radius = floor(radius), radius * radius
        squares = 0
        for row in range(max(y - far, 0), min(y + far + 1, self.length)):
            half = isqrt(floor(square_of_radius - (row - y) ** 2))
            first, last = max(x - half, 0), min(x + half + 1, self.width)
            squares |= ((1 << (last - first)) - 1) << (row * self.width + first)
        return squares

    def nearest(self, square: Square, among: Squares) -> Square | None:
        """Return the square of a set that is nearest to a square, the lowest of equals; None of an empty set."""
        x, y = self.xy(square)

        def distance(other: Square) -> tuple[int, Square]:
            other_y, other_x = divmod(other, self.width)
            return (other_x - x) ** 2 + (other_y - y) ** 2, other

        radius, near = 2, 0
        while among and not near:  # in growing circles: most often it is close
            radius *= 2
            near = self.circle(square, radius) & among
        return min(each(near), key=distance, default=None)

    def overlapped(self, corners: Sequence[Sequence[float]], tolerance: float) -> Squares:
        """Return the squares that a convex polygon overlaps.

        Parameters
        ----------
        corners
            x and y of each corner in squares, in order of either winding.
        tolerance
            An overlap up to this, along x or y, is none.
        """
        heights = [y for _, y in corners]
        low = max(floor(min(heights) + tolerance), 0)
        high = min(ceil(max(heights) - tolerance), self.length)
        squares = 0
        for row in range(low, high):
            left, right = _extent(corners, row)
            first = max(floor(left + tolerance), 0)
            last = min(ceil(right - tolerance), self.width)
            if first < last:
                squares |= ((1 << (last - first)) - 1) << (row * self.width + first)
        return squares


def _extent(corners: Sequence[Sequence[float]], row: int) -> tuple[float, float]:
    """Return the least and the greatest x of a polygon within a row that it has points in."""
    found = [x for x, y in corners if row <= y <= row + 1]
    for (x, y), (x_next, y_next) in zip(corners, [*corners[1:], corners[0]], strict=True):
        found += [
            x + (x_next - x) * (line - y) / (y_next - y)
            for line in (row, row + 1)
            if (y < line) != (y_next < line)
        ]
    return min(found), max(found)
