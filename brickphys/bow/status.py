"""Status: a battle at one moment: the map with the letters of units, and tables of units and vehicles.

The map has one character a stud, and a legend of its signs. Names in play have places on it.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from brickphys.bow.actions.movement import CELL, Cell
from brickphys.bow.actions.targets import weapons_in_use
from brickphys.bow.field import BRICK_PLATES, Decor, DecorType, Field, Stud
from brickphys.bow.setting import Setting
from brickphys.bow.sheets.gear import Place
from brickphys.bow.state import NOBODY, State
from brickphys.bow.terrain import Board, footprint_studs
from brickphys.bow.turns import turn_types
from brickphys.errors import InvalidValueError
from brickphys.geometry.polygon import Point
from brickphys.grid.grid import FACING_ARROWS, FACING_NAMES, each
from brickphys.rules.aims import RoundLimit, ends_by_points
from brickphys.rules.names import Names, Naming, player_names
from brickphys.rules.report import char_map as map_writer
from brickphys.rules.report.char_map import CharMap, Ink, Tone
from brickphys.rules.report.story import letters, status_text
from brickphys.rules.scenario import NamedArea
from brickphys.rules.words import Action, last_place
from brickphys.text import counted, spoken

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
    signs = list(_ground_signs(field))
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


@lru_cache(maxsize=8)
def _ground_signs(field: Field) -> tuple[str, ...]:
    return tuple(map(_ground_sign, field.grounds_plates))


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


def aim_areas(
    setup: Mapping[str, Any], named: Mapping[str, Sequence[int]] | None = None
) -> tuple[NamedArea, ...]:
    """Return all areas that have a name, and those of a setup's aims with the players whose aims they are.

    Parameters
    ----------
    setup
        Of a battle.
    named
        ``[x, y, width, length]`` in studs by name.
    """
    words = {tuple(studs): [spoken(name)] for name, studs in (named or {}).items()}
    owners: dict[tuple[int, ...], list[str]] = {}
    for aim in setup.get("aims", ()):
        if aim.get("area"):
            owners.setdefault(tuple(aim["area"]), []).append(spoken(str(aim["player"])))
    for studs, players in owners.items():
        words.setdefault(studs, []).append(f"aim of {' and '.join(dict.fromkeys(players))}")
    return tuple(NamedArea(", ".join(lines), *studs) for studs, lines in words.items())


REACHED = "*"
"""The mark of studs that can be chosen now."""
TREE = "T"
"""The sign of a tree, which is the letter of no unit."""


def battle_status(state: State) -> str:
    """Return the map of a battle, with what can be chosen on it, and all units and vehicles in play."""
    tables = [[_UNIT_COLUMNS, *_unit_rows(state)]]
    if state.vehicles_left:
        tables.append([_VEHICLE_COLUMNS, *_vehicle_rows(state)])
    notes = [*_own_gear(state), *_points(state)]
    return status_text(_headline(state), _map(state), tables, notes)


def unit_letters(setting: Setting) -> tuple[str, ...]:
    """Return the letter of each unit on maps."""
    return letters((unit.player for unit in setting.units), TREE, UNIT)


def _headline(state: State) -> str:
    """Return the round, its Round Marker in words, and whose turn it is (BOW 2.2)."""
    if not state.round:
        return "Before the first round"
    marker = "gets a mark" if state.adds_marks else "loses the mark"
    head = f"Round {state.round}, who has played {marker}"
    if state.active == NOBODY:
        return head
    return f"{head}; {state.my_name} has {counted(state.actions_left, 'action')} left"


def _map(state: State) -> CharMap:
    """Return the map with the letters of units over objects, all that can be chosen, vehicles and areas of aims."""
    known, chosen = unit_letters(state.setting), dict.fromkeys(_choices(state), REACHED)
    layers = [
        aim_signs(state),
        vehicle_signs(state),
        (chosen, {REACHED: "what you can choose now"}),
        object_signs(state),
    ]
    marks, meanings = dict[Stud, str](), dict[str, str]()
    for studs, meaning in layers:
        marks, meanings = marks | studs, meanings | meaning
    standing = {
        unit_state.stud: unit for unit, unit_state in state.in_play() if unit_state.stud is not None
    }
    marks |= {stud: known[unit] for stud, unit in standing.items()}
    arrows = {stud: FACING_ARROWS[state.units[unit].facing] for stud, unit in standing.items()}
    units = zip(known, state.setting.units, strict=True)
    inks: dict[str, Tone] = {sign: player for player, sign in enumerate(VEHICLES)}
    inks |= {letter: unit.player for letter, unit in units if letter != UNIT}
    return field_map(state.board, marks, meanings, inks, arrows)


def _choices(state: State) -> Iterator[Stud]:
    """Yield the studs among which the player is to choose."""
    field = state.setting.field
    for kind in state.answers if state.pending else turn_types(state):
        if kind.arguments == (CELL,):
            yield from (field.stud(*action.values()[0]) for action in kind.legal(state))


_UNIT_COLUMNS = (
    "", "unit", "player", "at", "faces", "damage", "dodge (bricks)", "actions", "walk (studs)", "attacks (bricks)", "",
)  # fmt: skip


def _unit_rows(state: State) -> Iterator[Sequence[str]]:
    setting, known = state.setting, unit_letters(state.setting)
    for unit, unit_state in state.in_play():
        sheet = unit_state.sheet
        guard = f"+{unit_state.guard}" if unit_state.guard else ""
        yield (
            known[unit],
            setting.units[unit].name,
            setting.players[setting.units[unit].player],
            _place(state, unit),
            FACING_NAMES[unit_state.facing] if unit_state.on_foot else "",
            f"{unit_state.damage} of {sheet.health}",
            f"{sheet.dodge_armor}{guard}",
            f"{sheet.action_budget}",
            f"{sheet.move}",
            ", ".join(f"{way.name} {way.bricks}" for way in weapons_in_use(state, unit)),
            "played" if _is_played(state, unit) else "",
        )


def _is_played(state: State, unit: int) -> bool:
    """Whether a unit has had its turn in this round."""
    return bool(state.round) and not state.is_unplayed(unit) and unit != state.active


def _place(state: State, unit: int) -> str:
    unit_state = state.units[unit]
    at = [] if unit_state.stud is None else [CELL.write(state.setting.field.xy(unit_state.stud))]
    if unit_state.seat is not None:
        vehicle, seat = state.seat_of(unit)
        at += [state.setting.vehicles[vehicle].name, seat.name]
    return ", ".join(at)


_VEHICLE_COLUMNS = ("vehicle", "driven by", "centre", "heading", "speed", "damage", "armor")


def _vehicle_rows(state: State) -> Iterator[Sequence[str]]:
    for number in state.vehicles_left:
        spec, vehicle_state = state.setting.vehicles[number], state.vehicles[number]
        yield (
            spec.name,
            state.setting.players[vehicle_state.driver],
            f"{vehicle_state.x_studs:.1f},{vehicle_state.y_studs:.1f}",
            f"{vehicle_state.heading_deg:g}",
            f"{vehicle_state.speed} of {spec.sheet.speed}",
            f"{vehicle_state.damage} of {spec.sheet.health}",
            f"{spec.sheet.armor}",
        )


_WHERE = {
    Place.HELD: "held",
    Place.WORN: "worn",
    Place.BACK: "on the back",
    Place.BAG: "in the bag",
}


def _own_gear(state: State) -> Iterator[str]:
    """Yield what the unit whose turn it is has, and where: what it can put, drop, throw and give (BOW 2.3.2)."""
    if state.active != NOBODY:
        own = [f"{item.name} {_WHERE[place]}" for place, item in state.me.sheet.gear.items()]
        yield f"{state.my_name} has: {', '.join(own) or 'nothing'}"


def _points(state: State) -> Iterator[str]:
    """Yield the cost points that each player has destroyed, if they can decide the battle (BOW A.4)."""
    if ends_by_points(state.setting.aims):
        pairs = zip(state.setting.players, state.destroyed, strict=True)
        yield f"cost points destroyed: {', '.join(f'{name} {points}' for name, points in pairs)}"


def names(state: State) -> Names:
    """Return the names of units, vehicles, seats, doors, gear and custom actions."""
    setting = state.setting
    seats = (seat.name for vehicle in setting.vehicles for seat in vehicle.sheet.seats)
    others = dict.fromkeys([*setting.gear, *setting.actions, *setting.field.doors, *seats])
    drivers = [vehicle.driver for vehicle in state.vehicles]
    return {
        **dict.fromkeys(others, Naming()),
        **player_names(setting.vehicles, owners=drivers),
        **player_names(setting.units, unit_letters(setting)),
    }


def here(state: State) -> Point | None:
    """Return the stud of the unit whose turn it is, or the centre of its vehicle."""
    return None if state.active == NOBODY else _point(state, state.setting.units[state.active].name)


def place_of(state: State, action: Action[State]) -> Point | None:
    """Return the middle of the stud that an action names, or else where the last unit, vehicle or door of it is."""
    pairs = zip(action.arguments, action.values(), strict=True)
    cells: list[Cell] = [value for argument, value in pairs if argument is CELL]
    if cells:
        x, y = cells[0]
        return x + 0.5, y + 0.5
    return last_place(action, partial(_point, state))


def _point(state: State, name: str) -> Point | None:
    setting, field = state.setting, state.setting.field
    if name in setting.unit_numbers:
        unit = setting.unit_numbers[name]
        if not state.units[unit].plays:
            return None
        x, y, *_ = state.stance(unit)
        return x, y
    if name in setting.vehicle_numbers:
        vehicle = state.vehicles[setting.vehicle_numbers[name]]
        return None if vehicle.gone else vehicle.centre_studs
    if name in field.doors:
        x, y, *_ = field.doors[name].middle
        return x, y
    return None
