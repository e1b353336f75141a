"""Map reader: the things that a map in characters shows, and the rectangles that they take."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic

from brickphys.errors import InvalidValueError, refuse
from brickphys.rules.scenario.scenario import Rectangle
from brickphys.rules.scenario.schema import S, Shape

MOST_SIGNS = 100_000
"""Signs of a map, ends of row included."""
GridSquare = tuple[int, int]
"""Column and row of a character, from the lower left one."""


@dataclass(frozen=True)
class DrawnThing(Generic[S]):
    """A thing on a map.

    Attributes
    ----------
    place
        Its place on the map, by column and row or as its game names squares: ``legend.k at 7,12``.
    sign
        The meaning of its sign.
    name
        Its own name.
    rectangle
        The rectangle that it takes, in the unit of the setup.
    row
        The row of the map in which it begins, from 1 at the top.
    """

    place: str
    sign: S
    name: str
    rectangle: Rectangle
    row: int


@dataclass(frozen=True)
class Drawing(Generic[S]):
    """The content of a map.

    Attributes
    ----------
    rows
        The meanings of the signs of each row, the south (y = 0) first.
    areas
        Rectangles by their names, in the unit of the setup.
    things
        All that stands on it: in the order of the legend, those of one sign from the north-west on.
    """

    rows: tuple[tuple[S, ...], ...]
    areas: Mapping[str, Rectangle]
    things: tuple[DrawnThing[S], ...]


def numbers(x: int, y: int, _rows: int) -> str:
    """Return the place of a square in messages: its column and row from the lower left one."""
    return f"{x},{y}"


def read_map(
    text: str,
    legend: Mapping[str, S],
    usual: Mapping[str, S],
    name: str,
    cell: int = 1,
    square_name: Callable[[int, int, int], str] = numbers,
) -> Drawing[S]:
    """Read a map.

    Parameters
    ----------
    text
        Rows of equal length, the north first.
    legend
        The meanings of its signs, besides and instead of the usual ones.
    usual
        Signs that need no legend.
    name
        Name of the file, with which the message of an error begins.
    cell
        Length of the side of a square, in the unit of the setup.
    square_name
        Names a square in messages, by its column, its row and how many rows there are.

    Raises
    ------
    InvalidValueError
        If it is too large, or with every fault of the drawing, or if there is none every area that is no rectangle.
    """
    if len(text) > MOST_SIGNS:
        raise InvalidValueError(f"{name}: map: more than {MOST_SIGNS:,} signs")
    rows = text.strip("\n").split("\n")[::-1]
    known, squares = {**usual, **legend}, _squares(rows)

    def named(x: int, y: int) -> str:
        return square_name(x, y, len(rows))

    refuse(name, [*_row_faults(rows), *_sign_faults(squares, legend, known, named)])
    signs = {sign: known[sign] for sign in (*legend, *usual) if sign in squares}
    areas = _areas(signs, squares)
    ragged = [area for area, part in areas.items() if _size(_around(part)) != len(part)]
    refuse(name, [f"map: the area {area!r} is not a rectangle" for area in ragged])
    return Drawing(
        tuple(tuple(signs[sign] for sign in row) for row in rows),
        {area: _scaled(_around(part), cell) for area, part in areas.items()},
        tuple(_things(signs, squares, cell, len(rows), named)),
    )


def _squares(rows: list[str]) -> dict[str, set[GridSquare]]:
    """Return the squares of each sign."""
    found: dict[str, set[GridSquare]] = {}
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            found.setdefault(sign, set()).add((x, y))
    return found


def _row_faults(rows: list[str]) -> Iterator[str]:
    wide = len(rows[-1])
    if not wide:
        yield "map: it is empty, or its first row is empty"
        return
    for line, row in enumerate(reversed(rows), start=1):
        if len(row) != wide or not row:
            yield f"map: row {line} has {len(row)} signs, but the first row has {wide}"


def _sign_faults(
    squares: Mapping[str, set[GridSquare]],
    legend: Mapping[str, S],
    known: Mapping[str, S],
    named: Callable[[int, int], str],
) -> Iterator[str]:
    for sign, found in squares.items():
        if sign not in known:
            where = named(*min(found, key=_reading_order))
            yield f"map: {sign!r} at {where} is not in the legend"
    yield from (f"legend.{sign}: not one character" for sign in legend if len(sign) != 1)
    yield from (f"legend.{sign}: not on the map" for sign in legend if sign not in squares)


def _areas(
    signs: Mapping[str, S], squares: Mapping[str, set[GridSquare]]
) -> dict[str, set[GridSquare]]:
    """Return the squares of each area: signs may share one."""
    areas: dict[str, set[GridSquare]] = {}
    for sign, meaning in signs.items():
        if meaning.area:
            areas.setdefault(meaning.area, set()).update(squares[sign])
    return areas


def _things(
    signs: Mapping[str, S],
    squares: Mapping[str, set[GridSquare]],
    cell: int,
    rows: int,
    named: Callable[[int, int], str],
) -> Iterator[DrawnThing[S]]:
    found = [
        (sign, meaning, rectangle)
        for sign, meaning in signs.items()
        if meaning.thing
        for rectangle in _rectangles(squares[sign], meaning.things[meaning.thing].shape)
    ]
    total, used = Counter(meaning.name for _, meaning, _ in found), Counter[str]()
    for sign, meaning, rectangle in found:
        used[meaning.name] += 1
        name = meaning.name if total[meaning.name] == 1 else f"{meaning.name}_{used[meaning.name]}"
        place = f"legend.{sign} at {named(rectangle.x, rectangle.y)}"
        row = rows + 1 - rectangle.y - rectangle.length
        yield DrawnThing(place, meaning, name, _scaled(rectangle, cell), row)


def _rectangles(squares: set[GridSquare], shape: Shape) -> list[Rectangle]:
    if shape is Shape.SQUARE:
        return [Rectangle(x, y, 1, 1) for x, y in sorted(squares, key=_reading_order)]
    if shape is Shape.RECTANGLE:
        return [_around(part) for part in _parts(squares)]
    return [rectangle for part in _parts(squares) for rectangle in _blocks(part)]


def _reading_order(square: GridSquare) -> tuple[int, int]:
    return -square[1], square[0]


def _parts(squares: set[GridSquare]) -> list[set[GridSquare]]:
    """Return the sets of connected squares, from the north-west on."""
    left, found = set(squares), []
    for square in sorted(squares, key=_reading_order):
        if square in left:
            part, edge = set[GridSquare](), [square]
            while edge:
                x, y = edge.pop()
                if (x, y) in left:
                    left.remove((x, y))
                    part.add((x, y))
                    edge += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
            found.append(part)
    return found


def _blocks(part: set[GridSquare]) -> list[Rectangle]:
    """Cut squares into few rectangles: the largest from each corner that is left, the long way first."""
    left, found = set(part), list[Rectangle]()
    while left:
        x, y = min(left, key=lambda square: (square[1], square[0]))
        rectangle = max(
            _grown(left, x, y, along_x=True), _grown(left, x, y, along_x=False), key=_size
        )
        left -= {
            (rectangle.x + column, rectangle.y + row)
            for column in range(rectangle.width)
            for row in range(rectangle.length)
        }
        found.append(rectangle)
    return found


def _grown(squares: set[GridSquare], x: int, y: int, *, along_x: bool) -> Rectangle:
    width = length = 1
    for grows_x in (along_x, not along_x):
        if grows_x:
            while all((x + width, y + row) in squares for row in range(length)):
                width += 1
        else:
            while all((x + column, y + length) in squares for column in range(width)):
                length += 1
    return Rectangle(x, y, width, length)


def _size(rectangle: Rectangle) -> int:
    return rectangle.width * rectangle.length


def _around(squares: set[GridSquare]) -> Rectangle:
    columns, rows = {x for x, _ in squares}, {y for _, y in squares}
    x, y = min(columns), min(rows)
    return Rectangle(x, y, max(columns) - x + 1, max(rows) - y + 1)


def _scaled(rectangle: Rectangle, cell: int) -> Rectangle:
    return Rectangle(*(cell * side for side in rectangle))
