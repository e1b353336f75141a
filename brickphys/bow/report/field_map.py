"""Field map: a field in characters, one a stud, with a legend of the signs on it."""

from collections.abc import Mapping

from brickphys.bow.actions.words import CELL
from brickphys.bow.field.board import Board, footprint_studs
from brickphys.bow.field.field import BRICK_PLATES, Decor, DecorType, Field, Stud
from brickphys.bow.state.state import State
from brickphys.errors import InvalidValueError
from brickphys.grid.bitset import each
from brickphys.rules.aims.aims import RoundLimit
from brickphys.rules.report.char_map import CharMap
from brickphys.rules.report.ink import Ink, Tone
from brickphys.rules.scenario import map_writer
from brickphys.text import spoken

GROUND, SUNK, UNIT, VEHICLE = ".", "~", "@", "%"
VEHICLES = f"{VEHICLE}$?;/|"
"""Vehicles of the first player, of the second, and so on."""
LOW_PLATES = 11.0
"""Decor up to the eyes of a figure is drawn as low."""
_AIM, _OBJECT = ":", "!"
_SIGNS = {
    DecorType.WALL: "#",
    DecorType.DOOR: "+",
    DecorType.WINDOW: "=",
    DecorType.FURNITURE: "&",
    DecorType.TREE: "T",
}
_OPEN_SIGNS = {DecorType.DOOR: "'", DecorType.WINDOW: '"'}
_LOW_WALL, _HIGHEST = "-", "9"
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
_INKS: Mapping[str, Tone] = {
    GROUND: Ink.QUIET,
    _AIM: Ink.QUIET,
    SUNK: Ink.WATER,
    _SIGNS[DecorType.TREE]: Ink.PLANTS,
    **dict.fromkeys((*"123456789", _LOW_WALL, _SIGNS[DecorType.WALL]), Ink.STONE),
}


def field_map(
    board: Board,
    marks: Mapping[Stud, str] | None = None,
    meanings: Mapping[str, str] | None = None,
    inks: Mapping[str, Tone] | None = None,
    arrows: Mapping[Stud, str] | None = None,
) -> CharMap:
    """Return a board in characters: the highest y on top, x and y along the borders, and a legend.

    Parameters
    ----------
    board
        What is drawn.
    marks
        A character for some studs, drawn over everything else, such as the letters of units.
    meanings
        What the legend says of these, or instead of what it says of others.
    inks
        The tones of marks.
    arrows
        Where those on some studs look.

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
    named = {sign: f": {', '.join(names)}" for sign, names in _names(board).items()}
    legend = {**_MEANINGS, **(meanings or {})}
    full = {sign: f"{meaning}{named.get(sign, '')}" for sign, meaning in legend.items()}
    tones = {**_INKS, **(inks or {})}
    return map_writer.text_map(field.width, signs, full, inks=tones, arrows=arrows)


def aim_signs(state: State) -> tuple[dict[Stud, str], dict[str, str]]:
    """Return the studs in the areas of aims with their sign, on raised ground every other one; and its meaning."""
    setting, field, marks, teams = state.setting, state.setting.field, dict[Stud, str](), set[int]()
    for aim in setting.aims:
        if not isinstance(aim, RoundLimit):
            teams.add(aim.team)
            studs = (
                stud for stud in each(aim.area) if _is_flat(field, stud) or sum(field.xy(stud)) % 2
            )
            marks |= dict.fromkeys(studs, _AIM)
    pairs = zip(setting.players, setting.teams, strict=True)
    owners = " and ".join(spoken(name) for name, team in pairs if team in teams)
    return marks, {_AIM: f"area of an aim of {owners}"}


def _is_flat(field: Field, stud: Stud) -> bool:
    return _ground_sign(field.grounds_plates[stud]) == GROUND


def object_signs(state: State) -> tuple[dict[Stud, str], dict[str, str]]:
    """Return the studs on which objects lie with their sign, and its meaning: which objects lie where."""
    field, lying = state.setting.field, state.objects
    names = ", ".join(f"{spoken(name)} on {CELL.write(field.xy(stud))}" for stud, name in lying)
    return {stud: _OBJECT for stud, _ in lying}, {_OBJECT: f"on the ground: {names}"}


def vehicle_signs(state: State) -> tuple[dict[Stud, str], dict[str, str]]:
    """Return the studs of vehicles with the signs of those who drive them, and the meanings of these signs."""
    setting, marks, meanings = state.setting, dict[Stud, str](), dict[str, str]()
    for number in state.vehicles_left:
        player = state.vehicles[number].driver
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
    if below in _OPEN_SIGNS.values() and decor.kind is DecorType.WALL:
        return below
    if is_open:
        return _OPEN_SIGNS[decor.kind]
    is_low = decor.kind is DecorType.WALL and decor.top_plates <= LOW_PLATES
    return _LOW_WALL if is_low else _SIGNS[decor.kind]


def _names(board: Board) -> dict[str, list[str]]:
    """Return the names of doors and windows, by which they are opened, with a stud of each; by their signs."""
    names: dict[str, list[str]] = {}
    for decor in board.field.decor:
        if decor.kind.opens:
            is_open = decor.id in board.terrain.open_ids
            x, y = board.field.xy(next(each(board.field.decor_studs[decor.id])))
            sign = (_OPEN_SIGNS if is_open else _SIGNS)[decor.kind]
            names.setdefault(sign, []).append(f"{decor.id} on {x},{y}")
    return names
