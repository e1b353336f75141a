"""Scene: units, vehicles with their crews, and objects on the field; areas of aims; and the map in characters.

The map has one character a stud, and a legend of its signs.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

from brickphys.bow.actions.movement import CELL, is_enclosed
from brickphys.bow.field import BRICK_PLATES, Decor, DecorType, Field, Stud
from brickphys.bow.setting import Setting
from brickphys.bow.sheets.sheet import MinifigSheet, VehicleSheet
from brickphys.bow.state import State
from brickphys.bow.terrain import Terrain, footprint_studs
from brickphys.grid.grid import FACING_ARROWS, each
from brickphys.rules.aims import RoundLimit
from brickphys.rules.report.char_map import CharMap, Ink, Tone, text_map
from brickphys.rules.report.story import letters
from brickphys.rules.scenario import NamedArea
from brickphys.rules.scene import Piece, Scene
from brickphys.text import short_name, short_names, spoken
from brickphys.units import PLATE_MM
from brickphys.vehicles.scene import Vehicle

_SHOULDERS_STUDS, _OBJECT_STUDS = 0.6, 0.45
"""Half the width of a figure and of an object in pictures."""
_SEATS_APART_STUDS = 1.8


class Manned(NamedTuple):
    """A vehicle with its crew."""

    body: Vehicle
    sheet: VehicleSheet
    driver: int
    """The player who drove it last."""
    crew: tuple[str, ...]
    """Who sits in it: ``pilot: scout 2``; the seat alone if the unit is named after it."""


def battle_scene(state: State) -> Scene:
    """Return the field with all that is seen on it: units that are not inside a vehicle, vehicles and objects."""
    setting = state.setting
    names = (unit.name for unit in setting.units)
    known = dict(zip(names, unit_letters(setting), strict=True))
    size = setting.field.width, setting.field.length
    return Scene(size, setting.players, setting.colours, partial(_pieces, state), known)


def _pieces(state: State) -> Iterator[Piece]:
    for number in state.vehicles_left:
        yield _vehicle(state, number)
    for unit, _ in state.in_play():
        if not is_enclosed(state, unit):
            yield _figure(state, unit)
    yield from _objects(state)


def _figure(state: State, unit: int) -> Piece:
    """Return a unit on foot, or in an open seat: several in a vehicle sit side by side at its middle."""
    setting, unit_state = state.setting, state.units[unit]
    spec, seen = setting.units[unit], held(unit_state.sheet)
    if not unit_state.rides:
        x, y, level = state.stance(unit)
        return Piece(
            spec.name, "figure", (x, y), state.heading_deg(unit), seen, spec.player,
            level * PLATE_MM, spec.name, _called(setting)[spec.name], unit_letters(setting)[unit],
            radius=_SHOULDERS_STUDS,
        )  # fmt: skip
    number, seat = state.seat_of(unit)
    row = [
        one
        for one in state.occupants(number)
        if state.units[one].rides and not is_enclosed(state, one)
    ]
    place, key = row.index(unit), f"vehicle {setting.vehicles[number].name}"
    aside = _SEATS_APART_STUDS * (place - (len(row) - 1) / 2)
    return Piece(
        f"{key}/{spec.name}", "figure", (0.0, -aside), what=seat.name, player=spec.player,
        name=spec.name, order=place, parent=key,
    )  # fmt: skip


@lru_cache(maxsize=8)
def _called(setting: Setting) -> dict[str, str]:
    """Return what units and vehicles are called, all of the battle, so that no name changes when one is lost."""
    return short_names([*setting.unit_numbers, *setting.vehicle_numbers], setting.players)


def held(sheet: MinifigSheet) -> tuple[str, ...]:
    """Return the names of what is seen on a unit: in its hands and worn."""
    return tuple(item.name for item in (*sheet.gear.held, *sheet.gear.worn))


def _vehicle(state: State, number: int) -> Piece:
    spec, body = state.setting.vehicles[number], state.vehicle_body(number)
    crew = tuple(_seated(state, unit, spec.name) for unit in state.occupants(number))
    manned = Manned(body, spec.sheet, state.vehicles[number].driver, crew)
    return Piece(
        f"vehicle {spec.name}", "vehicle", body.centre_studs, body.heading_deg, manned, spec.player,
        body.bottom_plates * PLATE_MM, spec.name, _called(state.setting)[spec.name],
        outline=body.prism.footprint,
    )  # fmt: skip


def _seated(state: State, unit: int, vehicle: str) -> str:
    seat, name = state.seat_of(unit)[1].name, state.setting.units[unit].name
    if name == f"{vehicle}_{seat}":
        return spoken(seat)
    return f"{spoken(seat)}: {short_name(name, state.setting.players)}"


def _objects(state: State) -> Iterator[Piece]:
    """Yield the objects that lie about, several on a stud one above the other."""
    found: dict[Stud, list[str]] = {}
    for number, (stud, name) in enumerate(state.objects):
        x, y, level = state.setting.field.stances[stud]
        lying = found.setdefault(stud, [])
        height = (level + len(lying)) * PLATE_MM
        lying.append(name)
        yield Piece(
            f"object {number} {name}", "object", (x, y), what=name, height_mm=height, name=name,
            label=spoken(name), order=len(lying) - 1, radius=_OBJECT_STUDS,
        )  # fmt: skip


_GROUND, _SUNK, UNIT, _VEHICLE, TREE = ".", "~", "@", "%", "T"
VEHICLES = f"{_VEHICLE}$?;/|"
"""Vehicles of the first player, of the second, and so on."""
_LOW_PLATES = 11.0
"""Decor up to the eyes of a figure is drawn as low."""
_AIM, _OBJECT, _REACHED = ":", "!", "*"
_SIGNS = {
    DecorType.WALL: "#",
    DecorType.DOOR: "+",
    DecorType.WINDOW: "=",
    DecorType.FURNITURE: "&",
    DecorType.TREE: TREE,
}
_OPEN_SIGNS = {DecorType.DOOR: "'", DecorType.WINDOW: '"'}
_LOW_WALL, _HIGHEST = "-", "9"
_MEANINGS = {
    _GROUND: "ground",
    _SUNK: "sunk ground",
    "1": "1 brick high",
    **{str(bricks): f"{bricks} bricks high" for bricks in range(2, 9)},
    _HIGHEST: "9 bricks high or more",
    **{sign: kind.value for kind, sign in _SIGNS.items()},
    _LOW_WALL: "low wall",
    "+": "closed door",
    "=": "closed window",
    **{sign: f"open {kind.value}" for kind, sign in _OPEN_SIGNS.items()},
    _VEHICLE: "vehicle",
    UNIT: "unit",
}
_INKS: dict[str, Tone] = {
    _GROUND: Ink.QUIET,
    _AIM: Ink.QUIET,
    _SUNK: Ink.WATER,
    _SIGNS[DecorType.TREE]: Ink.PLANTS,
    **dict.fromkeys((*"123456789", _LOW_WALL, _SIGNS[DecorType.WALL]), Ink.STONE),
}


@lru_cache(maxsize=8)
def unit_letters(setting: Setting) -> tuple[str, ...]:
    """Return the letter of each unit on maps: capitals for the first player."""
    return letters((unit.player for unit in setting.units), TREE, UNIT)


def field_map(state: State, known: Sequence[str], chosen: Iterable[Stud] = ()) -> CharMap:
    """Return the field in characters, the highest y on top, with a legend: what is seen on it, and areas of aims.

    `known` has the letter of each unit, `chosen` the studs that can be chosen now.
    """
    scene, setting, field = battle_scene(state), state.setting, state.setting.field
    signs, meanings = _terrain_signs(state.board.terrain), dict(_MEANINGS)
    inks: dict[str, Tone] = _INKS | {sign: player for player, sign in enumerate(VEHICLES)}
    arrows = dict[int, str]()
    for stud in _aim_studs(setting):
        signs[stud] = _AIM
    meanings[_AIM] = f"area of an aim of {_aiming(setting)}"
    vehicles = [one.what for one in scene.of("vehicle")]
    for one in vehicles:
        for stud in each(footprint_studs(field, one.body)):
            signs[stud] = VEHICLES[one.driver]
    for driver in sorted({one.driver for one in vehicles}):
        meanings[VEHICLES[driver]] = f"vehicle of {setting.players[driver]}"
    for stud in chosen:
        signs[stud] = _REACHED
    meanings[_REACHED] = "what you can choose now"
    for stud, _ in state.objects:
        signs[stud] = _OBJECT
    lying = (f"{spoken(name)} on {CELL.write(field.xy(stud))}" for stud, name in state.objects)
    meanings[_OBJECT] = f"on the ground: {', '.join(lying)}"
    for figure in scene.of("figure"):
        unit, stud = setting.unit_numbers[figure.name], field.square_at(*figure.at)
        signs[stud], arrows[stud] = known[unit], FACING_ARROWS[state.units[unit].facing]
        if known[unit] != UNIT:
            inks[known[unit]] = figure.player
    for sign, doors in _door_names(state.board.terrain).items():
        meanings[sign] += f": {', '.join(doors)}"
    return text_map(field.width, signs, meanings, inks=inks, arrows=arrows)


def _aim_studs(setting: Setting) -> Iterator[Stud]:
    """Yield the studs in the areas of aims, on raised ground every other one."""
    field = setting.field
    for aim in setting.aims:
        if not isinstance(aim, RoundLimit):
            for stud in each(aim.area):
                is_flat = _ground_sign(field.grounds_plates[stud]) == _GROUND
                if is_flat or sum(field.xy(stud)) % 2:
                    yield stud


def _aiming(setting: Setting) -> str:
    teams = {aim.team for aim in setting.aims if not isinstance(aim, RoundLimit)}
    pairs = zip(setting.players, setting.teams, strict=True)
    return " and ".join(spoken(name) for name, team in pairs if team in teams)


def _terrain_signs(terrain: Terrain) -> list[str]:
    signs = list(_ground_signs(terrain.field))
    for decor in sorted(terrain.field.decor, key=lambda decor: decor.top_plates):
        for stud in each(terrain.field.decor_studs[decor.id]):
            signs[stud] = _decor_sign(decor, decor.id in terrain.open_ids, signs[stud])
    return signs


@lru_cache(maxsize=8)
def _ground_signs(field: Field) -> tuple[str, ...]:
    return tuple(map(_ground_sign, field.grounds_plates))


def _ground_sign(ground_plates: float) -> str:
    bricks = round(ground_plates / BRICK_PLATES)
    if bricks < 0:
        return _SUNK
    return _GROUND if bricks < 1 else min(str(bricks), _HIGHEST, key=int)


def _decor_sign(decor: Decor, is_open: bool, below: str) -> str:
    """Return the sign of decor; what is overhead hides no door below."""
    if below in _OPEN_SIGNS.values() and decor.kind is DecorType.WALL:
        return below
    if is_open:
        return _OPEN_SIGNS[decor.kind]
    is_low = decor.kind is DecorType.WALL and decor.top_plates <= _LOW_PLATES
    return _LOW_WALL if is_low else _SIGNS[decor.kind]


def _door_names(terrain: Terrain) -> dict[str, list[str]]:
    """Return the names of doors and windows, by which they are opened, with a stud of each; by their signs."""
    names: dict[str, list[str]] = {}
    for decor in terrain.field.decor:
        if decor.kind.opens:
            is_open = decor.id in terrain.open_ids
            x, y = terrain.field.xy(next(each(terrain.field.decor_studs[decor.id])))
            sign = (_OPEN_SIGNS if is_open else _SIGNS)[decor.kind]
            names.setdefault(sign, []).append(f"{decor.id} on {x},{y}")
    return names


def aim_areas(
    setup: Mapping[str, Any], named: Mapping[str, Sequence[int]] | None = None
) -> tuple[NamedArea, ...]:
    """Return all areas that have a name, and those of a setup's aims with the players whose aims they are.

    `named` has ``[x, y, width, length]`` in studs by name.
    """
    words = {tuple(studs): [spoken(name)] for name, studs in (named or {}).items()}
    owners: dict[tuple[int, ...], list[str]] = {}
    for aim in setup.get("aims", ()):
        if aim.get("area"):
            owners.setdefault(tuple(aim["area"]), []).append(spoken(str(aim["player"])))
    for studs, players in owners.items():
        words.setdefault(studs, []).append(f"aim of {' and '.join(dict.fromkeys(players))}")
    return tuple(NamedArea(", ".join(lines), *studs) for studs, lines in words.items())
