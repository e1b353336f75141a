"""Scenario files: TOML in the format of a game, written by hand; faults have their places.

A file has a title, a text, a map in characters with the meanings of its signs, and the tables of a setup. The map
reader finds the things that a map shows, and the rectangles that they take. A file without a map has tables alone.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple

from brickphys.errors import InvalidValueError, ScenarioFileError, raised_as, refuse, unknown
from brickphys.reading import parse_toml
from brickphys.rules.scenario import Rectangle, Scenario
from brickphys.rules.schema import S, ScenarioDocument, Shape, TitledDocument
from brickphys.schema import validated

MOST_SIGNS = 100_000
"""Signs of a map, ends of row included."""
GridSquare = tuple[int, int]
"""Column and row of a character, from the lower left one."""


@dataclass(frozen=True)
class DrawnThing(Generic[S]):
    """A thing on a map."""

    place: str
    """Its place on the map, by column and row or as its game names squares: ``legend.k at 7,12``."""
    sign: S
    """The meaning of its sign."""
    name: str
    rectangle: Rectangle
    """The rectangle that it takes, in the unit of the setup."""
    row: int
    """The row of the map in which it begins, from 1 at the top."""


@dataclass(frozen=True)
class Drawing(Generic[S]):
    """The content of a map."""

    rows: tuple[tuple[S, ...], ...]
    """The meanings of the signs of each row, the south (y = 0) first."""
    areas: Mapping[str, Rectangle]
    """Rectangles by their names, in the unit of the setup."""
    things: tuple[DrawnThing[S], ...]
    """All that stands on it: in the order of the legend, those of one sign from the north-west on."""


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

    InvalidValueError if it is too large, or with every fault of the drawing, or if there is none every area that is no
    rectangle.

    The rows have equal length, the north first. The legend has meanings of signs besides and instead of the usual
    ones. `cell` is the side of a square in the unit of the setup; `square_name` names a square in messages, by its
    column, its row and how many rows there are.
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


_HEAD = ("title", "text", "map", "legend")
_AREA = "area"


class ListEntry(NamedTuple):
    """An entry of a list of a setup, its place in the file, and the rectangle that it takes if it is drawn."""

    place: str
    entry: Any
    rectangle: Rectangle | None = None


Lists = Mapping[str, list[ListEntry]]
"""The lists of a setup by their key paths: drawn entries, then written ones."""


class ScenarioFormat(ABC, Generic[S]):
    """The scenario files of a game: the meanings of its signs, and how its setup is put together."""

    document: type[ScenarioDocument[S]]
    """The form of a file: title, text, map and legend, then the keys of a setup in their order."""
    usual: Mapping[str, S] = {}
    """Signs that need no legend."""
    cell: ClassVar[int] = 1
    """Length of the side of a square of the map, in the unit of the setup."""
    drawn_keys: ClassVar[tuple[str, ...]] = ()
    """Keys that the map gives, so that the file must not: ``field.width``."""
    inner_lists: ClassVar[tuple[str, ...]] = ()
    """Lists of a setup that are in one of its tables: ``field.decor``."""

    def square_name(self, x: int, y: int, rows: int) -> str:
        """Return the name of a square of a map of so many rows in messages."""
        return numbers(x, y, rows)

    def tables(self, drawing: Drawing[S]) -> Mapping[str, Mapping[str, Any]]:
        """Return the keys that the whole map gives, by table; by default the size of the field."""
        size = {"width": len(drawing.rows[0]), "length": len(drawing.rows)}
        return {"field": {key: squares * self.cell for key, squares in size.items()}}

    @abstractmethod
    def entries(self, thing: DrawnThing[S]) -> Iterator[tuple[str, Any]]:
        """Yield the entries of a thing on the map, each after the key path of its list: ``field.decor``."""

    def complete(self, lists: Lists) -> Lists:
        """Return the lists as a setup has them, if a file writes them otherwise."""
        return lists


def parse_scenario(text: str, name: str, form: ScenarioFormat[S]) -> Scenario:
    """Return the scenario in a text; `name` begins the message of an error.

    ScenarioFileError if the text is no TOML, or has a fault: one line lists every fault of form, or if there is none
    every fault of the drawing, as ``key.path: what``. The meaning of the setup is checked by its game.
    """
    with raised_as(ScenarioFileError):
        raw = parse_toml(text, name)
        document = validated(form.document, raw, name)
        drawing = Drawing[S]((), {}, ())
        if document.map is not None:
            signs = document.legend, form.usual
            drawing = read_map(document.map, *signs, name, form.cell, form.square_name)
        lists = _lists(raw, drawing, form)
        refuse(name, [*_faults(document, raw, form), *_area_faults(lists, drawing.areas)])
    drawn = form.tables(drawing) if document.map is not None else {}
    lists = form.complete(_with_areas(lists, drawing.areas))
    numbered = {
        f"{path}[{index}]": listed
        for path, entries in lists.items()
        for index, listed in enumerate(entries)
    }
    return Scenario(
        document.title,
        document.text,
        _setup([key for key in form.document.model_fields if key not in _HEAD], raw, drawn, lists),
        drawing.areas,
        {path: listed.place for path, listed in numbered.items() if path != listed.place},
        {path: listed.rectangle for path, listed in numbered.items() if listed.rectangle},
    )


def _lists(raw: Mapping[str, Any], drawing: Drawing[S], form: ScenarioFormat[S]) -> Lists:
    """Return every list of a setup: drawn entries, then written ones."""
    top = (key for key, value in raw.items() if isinstance(value, list))
    lists: dict[str, list[ListEntry]] = {path: [] for path in (*top, *form.inner_lists)}
    for thing in drawing.things:
        for path, entry in form.entries(thing):
            lists.setdefault(path, []).append(ListEntry(thing.place, entry, thing.rectangle))
    for path, entries in lists.items():
        table, key = _end(raw, path)
        written = enumerate(table.get(key, []))
        entries += [ListEntry(f"{path}[{index}]", entry) for index, entry in written]
    return lists


def _end(raw: Mapping[str, Any], path: str) -> tuple[Mapping[str, Any], str]:
    """Return the table in which a key path ends, an empty one if it is not there, and its last key."""
    *tables, key = path.split(".")
    for table in tables:
        raw = raw.get(table, {})
    return raw, key


def _faults(
    document: ScenarioDocument[S], raw: Mapping[str, Any], form: ScenarioFormat[S]
) -> Iterator[str]:
    """Yield signs without a map, and keys that are both written and drawn."""
    if document.map is None:
        yield from (f"legend.{sign}: there is a legend, but no map" for sign in document.legend)
        return
    for path in form.drawn_keys:
        table, key = _end(raw, path)
        if key in table:
            yield f"{path}: leave it out, since the map gives it"


def _area_faults(lists: Lists, areas: Mapping[str, Rectangle]) -> Iterator[str]:
    for listed in (listed for entries in lists.values() for listed in entries):
        name = _area_name(listed.entry)
        if name is not None and name not in areas:
            yield f"{listed.place}.{_AREA}: {unknown('area', name, areas)}"


def _area_name(entry: Any) -> str | None:
    """Return the name of the area that an entry of a list has; None if it has none, or one in numbers."""
    area = entry.get(_AREA) if isinstance(entry, dict) else None
    return area if isinstance(area, str) else None


def _with_areas(lists: Lists, areas: Mapping[str, Rectangle]) -> Lists:
    def measured(listed: ListEntry) -> ListEntry:
        name = _area_name(listed.entry)
        if name is None:
            return listed
        rest = {key: value for key, value in listed.entry.items() if key != _AREA}
        return listed._replace(entry={**rest, _AREA: list(areas[name])})

    return {path: [measured(listed) for listed in entries] for path, entries in lists.items()}


def _setup(
    keys: Iterable[str],
    raw: Mapping[str, Any],
    drawn: Mapping[str, Mapping[str, Any]],
    lists: Lists,
) -> dict[str, Any]:
    """Return a setup, its keys in their order; empty parts are left out."""
    values = {path: [listed.entry for listed in entries] for path, entries in lists.items()}
    setup: dict[str, Any] = {}
    for key in keys:
        inner = {
            path.removeprefix(f"{key}."): value
            for path, value in values.items()
            if path.startswith(f"{key}.")
        }
        table = {**drawn.get(key, {}), **inner}
        written = {**raw.get(key, {}), **table} if table else raw.get(key)
        setup[key] = values.get(key, written)
    return {key: part for key, part in setup.items() if part not in (None, [], {})}


_TABLE_HEAD = ("title", "text")


def table_scenario(text: str, name: str, document: type[TitledDocument]) -> Scenario:
    """Return the scenario in a text of this form; ScenarioFileError, which begins with the name, tells every fault."""
    with raised_as(ScenarioFileError):
        raw = parse_toml(text, name)
        head = validated(document, raw, name)
    setup = {key: value for key, value in raw.items() if key not in _TABLE_HEAD}
    return Scenario(head.title, head.text, setup, {}, {}, {})
