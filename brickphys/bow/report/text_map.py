"""Text map: a field in characters, one a stud, with a legend of those that it shows."""

from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import TYPE_CHECKING

from brickphys.bow.field.board import Board, footprint_studs
from brickphys.bow.field.field import BRICK_PLATES, Decor, Kind, Stud
from brickphys.errors import InvalidValueError
from brickphys.grid.bitset import each

if TYPE_CHECKING:
    from brickphys.bow.state.state import State

GROUND, SUNK, UNIT, VEHICLE = ".", "~", "@", "%"
VEHICLES = f"{VEHICLE}$?!:;"
"""Vehicles of the first player, of the second, and so on."""
LOW_PLATES = 11.0
"""Decor up to the eyes of a figure is drawn as low."""
_SIGNS = {
    Kind.WALL: "#",
    Kind.DOOR: "+",
    Kind.WINDOW: "=",
    Kind.FURNITURE: "&",
    Kind.TREE: "T",
}
_OPEN_SIGNS = {Kind.DOOR: "'", Kind.WINDOW: '"'}
_LOW_WALL, _HIGHEST = "-", "9"
_WIDTH = 100
"""Characters in a line of the legend."""
_MEANINGS = {
    GROUND: "ground",
    SUNK: "sunk ground",
    "1": "1 brick high",
    **{str(bricks): f"{bricks} bricks high" for bricks in range(2, 9)},
    _HIGHEST: "9 bricks high or more",
    **{sign: kind.value for kind, sign in _SIGNS.items()},
    _LOW_WALL: "low wall",
    "+": "closed door",
    "=": "closed window",
    **{sign: f"open {kind.value}" for kind, sign in _OPEN_SIGNS.items()},
    VEHICLE: "vehicle",
    UNIT: "unit",
}


def text_map(
    board: Board,
    marks: Mapping[Stud, str] | None = None,
    meanings: Mapping[str, str] | None = None,
) -> str:
    """Return a board in characters: the highest y on top, x and y along the borders, and a legend.

    Parameters
    ----------
    board
        What is drawn.
    marks
        A character for some studs, drawn over everything else, such as the letters of units.
    meanings
        What the legend says of these, or instead of what it says of others.

    Raises
    ------
    InvalidValueError
        If a mark is not one character.
    """
    field = board.field
    signs = [_ground_sign(ground) for ground in field.grounds_plates]
    for decor in sorted(field.decor, key=lambda decor: decor.top_plates):
        for stud in each(field.decor_studs[decor.id]):
            signs[stud] = _decor_sign(decor, decor.id in board.terrain.open_ids, signs[stud])
    for vehicle in board.vehicles:
        for stud in each(footprint_studs(field, vehicle)):
            signs[stud] = VEHICLE
    for stud in each(board.units):
        signs[stud] = UNIT
    for stud, mark in (marks or {}).items():
        if len(mark) != 1:
            raise InvalidValueError(f"mark {mark!r} of stud {field.xy(stud)} is not one character")
        signs[stud] = mark
    return "\n".join([*_rows(field.width, signs), *_legend(board, signs, meanings or {})])


def vehicle_signs(state: "State") -> tuple[dict[Stud, str], dict[str, str]]:
    """Return the studs of vehicles with the sign of whose they are, and the meanings of these signs."""
    setting, marks, meanings = state.setting, dict[Stud, str](), dict[str, str]()
    for number in state.vehicles_left:
        player = setting.vehicles[number].player
        studs = footprint_studs(setting.field, state.vehicle_body(number))
        marks |= dict.fromkeys(each(studs), VEHICLES[player])
        meanings[VEHICLES[player]] = f"vehicle of {setting.players[player]}"
    return marks, dict(sorted(meanings.items(), key=lambda entry: VEHICLES.index(entry[0])))


def _ground_sign(ground_plates: float) -> str:
    bricks = round(ground_plates / BRICK_PLATES)
    if bricks < 0:
        return SUNK
    return GROUND if bricks < 1 else min(str(bricks), _HIGHEST, key=int)


def _decor_sign(decor: Decor, is_open: bool, below: str) -> str:
    """Return the sign of decor; what is overhead hides no door below."""
    if below in _OPEN_SIGNS.values() and decor.kind is Kind.WALL:
        return below
    if is_open:
        return _OPEN_SIGNS[decor.kind]
    is_low = decor.kind is Kind.WALL and decor.top_plates <= LOW_PLATES
    return _LOW_WALL if is_low else _SIGNS[decor.kind]


def _rows(width: int, signs: list[str]) -> list[str]:
    """Write the rows, with y at every fifth and x under every tenth stud."""
    length = len(signs) // width
    rows = [
        f"{y if y % 5 == 0 else '':>4} {''.join(signs[y * width : (y + 1) * width])}"
        for y in reversed(range(length))
    ]
    ruler = "".join(f"{x:<10}" for x in range(0, width, 10))
    return [*rows, f"     {ruler}".rstrip()]


def _legend(board: Board, signs: list[str], meanings: Mapping[str, str]) -> Iterator[str]:
    """Yield what the signs mean that are shown, and the names of doors and windows, by which they are opened."""
    names: dict[str, list[str]] = {}
    for decor in board.field.decor:
        if decor.kind.opens:
            is_open = decor.id in board.terrain.open_ids
            x, y = board.field.xy(next(each(board.field.decor_studs[decor.id])))
            sign = (_OPEN_SIGNS if is_open else _SIGNS)[decor.kind]
            names.setdefault(sign, []).append(f"{decor.id} on {x},{y}")
    shown = set(signs)
    for sign, meaning in {**_MEANINGS, **meanings}.items():
        if sign in shown:
            named = f": {', '.join(names[sign])}" if sign in names else ""
            yield from _lines(f"{sign} {meaning}{named}")


def _lines(text: str) -> list[str]:
    """Break a line of the legend."""
    head = " " * 5
    return wrap(text, _WIDTH, initial_indent=head, subsequent_indent=f"{head}  ")
