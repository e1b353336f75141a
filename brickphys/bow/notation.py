"""Notation: a state as one line of JSON, with the gear of those units whose gear has changed."""

from dataclasses import fields, replace
from typing import Any

from brickphys.bow.actions.use_custom import CustomActionRoll
from brickphys.bow.sheets.loadout import Loadout, Place
from brickphys.bow.state.pieces import UnitState
from brickphys.bow.state.setting import Setting, UnitSpec
from brickphys.bow.state.state import State
from brickphys.bow.turns.action_types import PENDING_TYPES
from brickphys.errors import InvalidValueError
from brickphys.rules.notation import FieldForm, Reader, StateCodec, row_of


def _write_units(setting: Setting, units: tuple[UnitState, ...]) -> list[Any]:
    return [
        _unit_row(unit, spec.sheet.gear) for unit, spec in zip(units, setting.units, strict=True)
    ]


def _unit_row(unit: UnitState, start_gear: Loadout) -> list[Any]:
    _, *row = row_of(unit)
    gear = unit.sheet.gear
    if gear == start_gear:
        return row
    return [*row, gear.names]


def _read_units(setting: Setting, rows: Any) -> tuple[UnitState, ...]:
    if not isinstance(rows, list) or len(rows) != len(setting.units):
        raise InvalidValueError(f"figures: not an array of {len(setting.units)}")
    return tuple(
        _read_unit(setting, spec, row, f"figures[{index}]")
        for index, (spec, row) in enumerate(zip(setting.units, rows, strict=True))
    )


def _read_unit(setting: Setting, spec: UnitSpec, row: Any, place: str) -> UnitState:
    reader, sheet = Reader(), spec.sheet
    has_gear = isinstance(row, list) and len(row) == len(fields(UnitState))  # in place of the sheet
    values = reader.row(UnitState, row[:-1] if has_gear else row, place, skip="sheet")
    if has_gear:
        sheet = replace(sheet, gear=_read_gear(setting, row[-1], place))
        reader.faults += [f"{spec.name}: {problem}" for problem in sheet.problems()]
    if values is None or reader.faults:
        raise InvalidValueError("; ".join(reader.faults))
    return UnitState(sheet, **values)


def _read_gear(setting: Setting, raw: Any, place: str) -> Loadout:
    reader = Reader()
    places = reader.value(tuple[tuple[str, ...], ...], raw, f"{place}.gear")
    if reader.faults or len(places) != len(Place) or not setting.gear.keys() >= {*sum(places, ())}:
        raise InvalidValueError(f"{place}.gear: {raw!r} is not a known item")
    return Loadout(*(tuple(setting.gear[name] for name in names) for names in places))


CODEC = StateCodec(
    State,
    PENDING_TYPES,
    names={CustomActionRoll: "SpecialRoll"},
    keys={"units": "figures", "vehicles": "crafts", "open_ids": "open"},
    forms={"units": FieldForm(_write_units, _read_units)},
)
"""The notation of states; keys and names are those of earlier versions."""
