"""Sheet text: a sheet as text, its studs as letters, and as a document for programs."""

from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap
from typing import Any

from brickphys.bow.sheets.cost import cost_points
from brickphys.bow.sheets.custom_actions import (
    CustomAction,
    OpposedAction,
    Target,
    TargetType,
)
from brickphys.bow.sheets.gear import Armament, WeaponKind
from brickphys.bow.sheets.library import Library
from brickphys.bow.sheets.loadout import Loadout
from brickphys.bow.sheets.minifig_sheet import ABILITIES, MinifigSheet
from brickphys.bow.sheets.plate import Plate, PlateStud, minifig_plate, vehicle_plate
from brickphys.bow.sheets.vehicle_sheet import STUDS_PER_SPEED, Seat, VehicleSheet, VehicleWeapon
from brickphys.text import columns, counted

UnitOrVehicleSheet = MinifigSheet | VehicleSheet
_WIDTH = 120
"""Letters of the longest line."""


def plate_of(sheet: UnitOrVehicleSheet, library: Library, speed: int = 0, damage: int = 0) -> Plate:
    """Return any sheet in studs, see `minifig_plate` and `vehicle_plate`."""
    if isinstance(sheet, MinifigSheet):
        return minifig_plate(sheet, library.actions.values(), damage)
    return vehicle_plate(sheet, speed, damage)


def sheet_text(
    sheet: UnitOrVehicleSheet,
    library: Library,
    plate: Plate,
    paint: Callable[[PlateStud], str] = lambda cell: cell.letter,
) -> str:
    """Return a sheet as text.

    Parameters
    ----------
    sheet, plate
        The sheet, and the same in studs.
    library
        Where the custom actions are.
    paint
        Writes a stud as one character.
    """
    head = f"{sheet.name}, {headline(sheet)}"
    rest = _unit_lines(sheet, library) if isinstance(sheet, MinifigSheet) else _vehicle_lines(sheet)
    rows = _folded(list(_once(rest)))
    return "\n".join([head, "", *_plate_lines(plate, paint), "", *columns(rows)])


def headline(sheet: UnitOrVehicleSheet) -> str:
    """Return the cost and the description of a sheet in one line."""
    about = f": {sheet.about}" if sheet.about else ""
    return f"{cost_points(sheet)} cost points{about}"


def sheet_document(sheet: UnitOrVehicleSheet, library: Library, plate: Plate) -> dict[str, Any]:
    """Return a sheet as a JSON object."""
    head = {
        "name": sheet.name,
        "about": sheet.about,
        "cost_points": cost_points(sheet),
        "plate": ["".join(cell.letter for cell in row) for row in plate.rows],
        "health_colour": sheet.health_colour.value,
    }
    if isinstance(sheet, MinifigSheet):
        return {"kind": "minifig", **head, **_unit_document(sheet, library)}
    return {"kind": "vehicle", **head, **_vehicle_document(sheet)}


def summary(sheet: UnitOrVehicleSheet) -> str:
    """Return gear or seats in one line."""
    if isinstance(sheet, MinifigSheet):
        places = gear_document(sheet.gear).items()
        parts = [f"{place}: {', '.join(names)}" for place, names in places]
    else:
        parts = [_seat_text(seat) for seat in sheet.seats]
    return "; ".join(parts).replace("_", " ") or "no gear"


def gear_document(gear: Loadout) -> dict[str, list[str]]:
    """Return the names of all objects by their places."""
    document: dict[str, list[str]] = {}
    for place, item in gear.items():
        document.setdefault(place.value, []).append(item.name)
    return document


def _plate_lines(plate: Plate, paint: Callable[[PlateStud], str]) -> Iterator[str]:
    """Yield the rows of studs; beside the first row of a left block is its panel, one lower that of a right block."""
    beside = {}
    for panel in plate.panels:
        row = panel.block.row + (panel.block.row in beside)
        beside[row] = (panel.block.label, str(panel.points), panel.note)
    widest = max(len(label) for label, _, _ in beside.values())
    starts = {panel.block.column for panel in plate.panels} - {0}
    for row, cells in enumerate(plate.rows):
        label, points, note = beside.get(row, ("", "", ""))
        # a gap between two blocks side by side
        studs = " ".join(
            " " * (column in starts) + paint(cell) for column, cell in enumerate(cells)
        )
        yield f"  {studs}   {label:<{widest}}  {points:>2}   {note}".rstrip()


def _once(rows: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield rows with a key only where it differs from the one above."""
    above = None
    for key, value in rows:
        yield key if key != above else "", value
        above = key


def _folded(rows: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield rows of a key and a text; a long text goes on in rows without a key."""
    width = _WIDTH - max((len(key) for key, _ in rows), default=0) - 2
    for key, text in rows:
        for number, line in enumerate(wrap(text, width, subsequent_indent="  ")):
            yield ("" if number else key), line


def _unit_lines(sheet: MinifigSheet, library: Library) -> Iterator[tuple[str, str]]:
    for place, names in gear_document(sheet.gear).items():
        yield place, ", ".join(names)
    for way in sheet.armaments:
        yield "attack", _attack_text(sheet, way)
    for way in sheet.gear.spare_armaments:
        yield "in reserve", _attack_text(sheet, way)
    for action in library.actions_of(sheet):
        yield "if in play", _action_text(sheet, action)


def _attack_text(sheet: MinifigSheet, way: Armament) -> str:
    names = " and ".join(weapon.name for weapon in way.weapons) or "bare hands"
    bricks = counted(sheet.bricks(way), "brick")
    if way.kind is WeaponKind.LONG_RANGE:
        return f"{names}: {bricks}, long-range"
    return f"{names}: {bricks}, melee, reaches {counted(way.reach_studs, 'stud')}"


def _action_text(sheet: MinifigSheet, action: CustomAction) -> str:
    where = f"up to {action.range_studs} studs away" if action.range_studs else "in contact"
    target = "itself" if action.target is Target.SELF else f"{_targets_text(action)} {where}"
    points = action.effect.points
    effect = action.effect.kind.value + (f" {points}" if points else "")
    if isinstance(action, OpposedAction):
        by = "" if points else " by the difference"
        rolls = f"{action.acting} {sheet.ability(action.acting)} against {action.resisting}"
        return f"{action.name}: {rolls}, {target}: {effect}{by}"
    return f"{action.name}: {target}: {effect}"


def _targets_text(action: CustomAction) -> str:
    """Return what an action may be done to: the side alone if to units only."""
    if action.on == (TargetType.UNIT,):
        return action.target.value
    side = "any" if action.target is Target.ANYONE else action.target.value
    return f"{side} {' or '.join(one.value for one in action.on)}"


def _vehicle_lines(sheet: VehicleSheet) -> Iterator[tuple[str, str]]:
    size = sheet.footprint
    heights = f"{size.bottom_plates:g} to {size.top_plates:g} plates"
    flies = " in flight" if sheet.flying else ""
    yield "size", f"{size.length_studs:g} x {size.width_studs:g} studs, {heights}{flies}"
    yield "speeds", _speeds_text(sheet.speeds)
    yield "doors", ", ".join(side.value for side in sheet.doors)
    for seat in sheet.seats:
        yield "seats", _seat_text(seat)


def _speeds_text(speeds: Sequence[int]) -> str:
    """Return the speeds, and the length of a move at the lowest and the highest (BOW 3.2)."""
    ends = sorted({*speeds[1:2], *speeds[-1:]} - {0})
    if not ends:
        return "0"
    shown, studs = (" to ".join(str(scale * end) for end in ends) for scale in (1, STUDS_PER_SPEED))
    return f"0 or {shown}: {studs} studs a move"


def _seat_text(seat: Seat) -> str:
    traits = {"pilot": seat.pilot, "exposed": seat.exposed, "walks beside": seat.beside}
    found = [trait for trait, holds in traits.items() if holds]
    weapons = [_weapon_text(seat.weapon)] if seat.weapon else []
    return f"{seat.name}: {', '.join([*found, *weapons]) or 'inside'}"


def _weapon_text(weapon: VehicleWeapon) -> str:
    turned = f" about {weapon.axis_deg:g}" if weapon.axis_deg else ""
    rate = f", {counted(weapon.shots_per_turn, 'shot')} a turn" if weapon.shots_per_turn else ""
    if weapon.reload:
        rate = f", reloaded by another after {counted(weapon.shots_per_turn or 1, 'shot')}"
    return f"{weapon.name} (damage {weapon.damage}, {weapon.arc_deg} degrees{turned}{rate})"


def _unit_document(sheet: MinifigSheet, library: Library) -> dict[str, Any]:
    return {
        "abilities": {name: sheet.ability(name) for name in ABILITIES} | dict(sheet.custom),
        "gear": gear_document(sheet.gear),
        "attacks": [
            {
                "weapons": [weapon.name for weapon in way.weapons],
                "kind": way.kind.value,
                "bricks": sheet.bricks(way),
                "reach_studs": way.reach_studs,
            }
            for way in sheet.armaments
        ],
        "actions": [action.name for action in library.actions_of(sheet)],
    }


def _vehicle_document(sheet: VehicleSheet) -> dict[str, Any]:
    return {
        "abilities": {"speed": sheet.speed, "armor": sheet.armor, "health": sheet.health},
        "speeds": list(sheet.speeds),
        "flying": sheet.flying,
        "size": dict(vars(sheet.footprint)),
        "model": sheet.model,
        "doors": [side.value for side in sheet.doors],
        "seats": [
            {**vars(seat), "weapon": vars(seat.weapon) if seat.weapon else None}
            for seat in sheet.seats
        ],
    }
