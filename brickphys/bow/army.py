"""Army: sheets as plates with studs, what they cost, and the attacks of an army by bands of distance, to print."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from brickphys.bow.actions.targets import WeaponInUse, band_end_studs, hand_weapons, spare_weapons
from brickphys.bow.field import FIGURE_PLATES
from brickphys.bow.scenario import SCENARIOS, begin
from brickphys.bow.sheets.catalogue import catalogue, drawn_sheets, read_library
from brickphys.bow.sheets.library import (
    Army,
    EffectKind,
    Library,
    OpposedAction,
    army_totals,
    minifig_terms,
)
from brickphys.bow.sheets.plate import PlateSheet, UnitOrVehicleSheet, summary
from brickphys.bow.sheets.sheet import MinifigSheet, Seat, VehicleSheet
from brickphys.bow.state import State
from brickphys.errors import InvalidValueError, SheetFileError, raised_as
from brickphys.files import is_there
from brickphys.reading import MOST_SETUP_BYTES, read_toml
from brickphys.rules.report.sheets import (
    ArmyList,
    ArmyUnit,
    Attack,
    Footprint,
    Price,
    SheetList,
    against_bricks,
    chosen_army,
    named_units,
    only_setup,
)
from brickphys.text import spoken
from brickphys.units import PLATE_MM, STUD_MM


def sheet_list(source: str | None = None) -> SheetList:
    """Return the sheet of a name that ships, the sheets and armies of a file, or without a source all that ship."""
    library = catalogue() if source is None else _library(source)
    sheets = [PlateSheet.of(one, library) for one in library.sheets.values()]
    return SheetList(tuple(sheets), army_totals(list(library.armies.values())))


def prices(files: Mapping[str, str] = MappingProxyType({})) -> dict[str, Price]:
    """Return what the price of every unit that ships or is in a file is made of (BOW A.4); files have name and text."""
    units = drawn_sheets(files).library.units
    return {name: minifig_terms(sheet) for name, sheet in units.items()}


def _library(source: str) -> Library:
    if source.endswith(".toml") or (is_there(source) and Path(source).is_file()):
        return read_library(source, catalogue())
    return catalogue().only(source)


_UNIT_STUDS = 1.0
"""Side of the square on which a unit stands (BOW 1.3)."""
_USUAL_ATTACK = 1
"""Attack of a gunner who is not named: that of a basic trooper."""

Gunners = Mapping[tuple[str, str], int]
"""Sheet of a vehicle and name of a seat -> attack of the unit that begins in it."""


@dataclass(frozen=True)
class _Force:
    """An army before its attacks are worked out: sheets with their numbers, and the gunners."""

    sheets: Mapping[UnitOrVehicleSheet, int]
    gunners: Gunners = field(default_factory=dict)


def army_list(words: Sequence[str], name: str | None = None) -> ArmyList:
    """Return an army; see `brickphys.rules.report.parts.Parts.army`."""
    setup = only_setup(words, _is_setup)
    return _army_of_sheets(words, name) if setup is None else _army_of_setup(setup, name)


def _army_of_setup(source: str, name: str | None) -> ArmyList:
    state = begin(SCENARIOS.find(source), source)
    players = state.setting.players
    player = chosen_army(source, players, name)
    library = replace(catalogue(), actions={**catalogue().actions, **state.setting.actions})
    return _listed(player, _force_of(state, players.index(player)), library)


def _army_of_sheets(words: Sequence[str], name: str | None) -> ArmyList:
    """Return an army that is named sheet by sheet, or one that files of sheets have, or all sheets of files."""
    library, files = catalogue(), [word for word in words if _is_file(word)]
    own: dict[UnitOrVehicleSheet, int] = {}
    for path in files:
        read = read_library(path, library)
        own |= dict.fromkeys(read.sheets.values(), 1)
        library = replace(
            read,
            units={**library.units, **read.units},
            vehicles={**library.vehicles, **read.vehicles},
            armies={**library.armies, **read.armies},
        )
    counts = named_units([word for word in words if word not in files], name)
    if counts:
        return _listed(
            "army", _Force({library.sheet(one): n for one, n in counts.items()}), library
        )
    if not files:
        raise InvalidValueError("an army needs sheets, such as trooper=4, a file, or a setup")
    if library.armies or name is not None:
        army = chosen_army(" and ".join(files), library.armies, name)
        return _listed(army, _force_in(library.armies[army]), library)
    return _listed(Path(files[-1]).stem, _Force(own), library)


def _is_file(word: str) -> bool:
    return word.endswith(".toml") or os.path.isfile(word)  # noqa: PTH113  a name may be too long for a path


def _is_setup(word: str) -> bool:
    if word in SCENARIOS:
        return True
    if not _is_file(word):
        return False
    with raised_as(SheetFileError):
        return "players" in read_toml(word, MOST_SETUP_BYTES)


def _force_of(state: State, player: int) -> _Force:
    setting = state.setting
    units = [n for n, unit in enumerate(setting.units) if unit.player == player]
    vehicles = [vehicle.sheet for vehicle in setting.vehicles if vehicle.player == player]
    gunners: dict[tuple[str, str], int] = {}
    for unit in units:
        if state.units[unit].seat is not None:
            vehicle, seat = state.seat_of(unit)
            key = setting.vehicles[vehicle].sheet.name, seat.name
            gunners.setdefault(key, setting.units[unit].sheet.attack)
    return _Force(Counter([*(setting.units[unit].sheet for unit in units), *vehicles]), gunners)


def _force_in(army: Army) -> _Force:
    attacks = {sheet.name: sheet.attack for sheet in army.minifigs}
    gunners = {(one.vehicle, one.seat): attacks[one.unit] for one in army.boarded}
    return _Force(Counter([*army.minifigs, *army.vehicles]), gunners)


def _listed(name: str, force: _Force, library: Library) -> ArmyList:
    units = (
        ArmyUnit(
            sheet.name,
            count,
            tuple(_attacks(sheet, force.gunners, library)),
            PlateSheet.of(sheet, library),
            _footprint(sheet),
            summary(sheet),
        )
        for sheet, count in force.sheets.items()
    )
    return ArmyList(name, tuple(units))


def _footprint(sheet: UnitOrVehicleSheet) -> Footprint:
    if isinstance(sheet, VehicleSheet):
        place = sheet.footprint
        size_mm = place.length_studs * STUD_MM, place.width_studs * STUD_MM
        return Footprint(size_mm, (place.top_plates - place.bottom_plates) * PLATE_MM)
    return Footprint((_UNIT_STUDS * STUD_MM, _UNIT_STUDS * STUD_MM), FIGURE_PLATES * PLATE_MM)


def _attacks(sheet: UnitOrVehicleSheet, gunners: Gunners, library: Library) -> Iterator[Attack]:
    if isinstance(sheet, MinifigSheet):
        yield from _unit_attacks(sheet)
        yield from _new_attacks(sheet, library)
        return
    for seat in sheet.seats:
        if seat.weapon is not None:
            yield from _manned_bands(sheet, seat, gunners)


def _unit_attacks(sheet: MinifigSheet) -> Iterator[Attack]:
    ready = sorted(hand_weapons(sheet), key=lambda way: -way.bricks)
    for way in ready:
        if way.bricks:
            yield from _bands(way)
    for way in spare_weapons(sheet):
        if way not in ready:
            yield from _bands(replace(way, name=f"{way.name}, in reserve"))


def _new_attacks(sheet: MinifigSheet, library: Library) -> Iterator[Attack]:
    """Yield the new actions that do damage (BOW B.3)."""
    for action in library.actions_of(sheet):
        if isinstance(action, OpposedAction) and action.effect.kind is EffectKind.DAMAGE:
            name = f"{spoken(action.name)}, by {spoken(action.resisting)}"
            yield _attack(name, "to", action.range_studs, sheet.ability(action.acting))


def _bands(way: WeaponInUse) -> Iterator[Attack]:
    """Yield a way to attack, a shot once for each number of bricks that distance leaves (BOW 2.4.2)."""
    name = spoken(way.name)
    if way.is_shot:
        yield from _shots(name, way.bricks)
    else:
        yield _attack(name, "reaches", way.reach_studs, way.bricks)


def _shots(name: str, bricks: int) -> Iterator[Attack]:
    return (_attack(name, "to", band_end_studs(lost), bricks - lost) for lost in range(bricks))


def _attack(name: str, how: str, studs: float, bricks: int) -> Attack:
    distance_mm = studs * STUD_MM
    distance = f"{how} {studs:g} ({distance_mm / 10:.1f} cm)"
    return Attack(name, distance, distance_mm, bricks, against_bricks(bricks))


def _manned_bands(sheet: VehicleSheet, seat: Seat, gunners: Gunners) -> Iterator[Attack]:
    """Yield the shots of the weapon of a seat, by the attack of its gunner (BOW 3.4)."""
    assert seat.weapon is not None
    attack = gunners.get((sheet.name, seat.name), _USUAL_ATTACK)
    name = f"{spoken(seat.weapon.name)}, gunner {attack}"
    yield from _shots(name, attack + seat.weapon.damage)
