"""Notation: a state as one line of JSON, and the checks of a state that was read from text.

The line has the gear of those units whose gear has changed. Things overlap in no state that play reaches.
"""

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from brickphys.bow.actions.collision import EndOfMove
from brickphys.bow.actions.obstacles import door_studs, overlapping
from brickphys.bow.actions.use_custom import CustomActionRoll
from brickphys.bow.field import normal_deg
from brickphys.bow.setting import Setting, UnitSpec, VehicleSpec
from brickphys.bow.sheets.gear import Loadout, Place
from brickphys.bow.state import NOBODY, State, UnitState, VehicleState
from brickphys.bow.turns import IN_TURN_TYPES, PENDING_TYPES, Do
from brickphys.errors import InvalidValueError
from brickphys.rules.notation import FieldForm, FieldReader, StateCodec, row_of
from brickphys.rules.turn_state import number_problems


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
    reader, sheet = FieldReader(), spec.sheet
    has_gear = isinstance(row, list) and len(row) == len(fields(UnitState))  # in place of the sheet
    values = reader.row(UnitState, row[:-1] if has_gear else row, place, skip="sheet")
    if has_gear:
        sheet = replace(sheet, gear=_read_gear(setting, row[-1], place))
        reader.faults += [f"{spec.name}: {problem}" for problem in sheet.problems()]
    if values is None or reader.faults:
        raise InvalidValueError("; ".join(reader.faults))
    return UnitState(sheet, **values)


def _read_gear(setting: Setting, raw: Any, place: str) -> Loadout:
    reader = FieldReader()
    places = reader.value(tuple[tuple[str, ...], ...], raw, f"{place}.gear")
    if reader.faults or len(places) != len(Place) or not setting.gear.keys() >= {*sum(places, ())}:
        raise InvalidValueError(f"{place}.gear: {raw!r} is not a known item")
    return Loadout(*(tuple(setting.gear[name] for name in names) for names in places))


CODEC = StateCodec(
    State,
    PENDING_TYPES,
    names={CustomActionRoll: "SpecialRoll", EndOfMove: "Arrival"},
    keys={"units": "figures", "vehicles": "crafts", "open_ids": "open"},
    forms={"units": FieldForm(_write_units, _read_units)},
)
"""The notation of states; keys and names are those of earlier versions."""


def overlaps(state: State) -> Iterator[str]:
    """Yield every pair of units, vehicles, decor and ground that fill the same space.

    Fixed things may be built into each other.
    """
    taken: dict[object, str] = {}
    for unit, unit_state in state.in_play():
        name, stud = state.setting.units[unit].name, unit_state.stud
        for where in {stud, unit_state.seat} - {None}:
            if where in taken:
                yield f"{taken[where]} and {name} are at one place"
            taken[where] = name
        if stud is not None and not state.board.terrain.standable >> stud & 1:
            yield f"{name} has no room to stand on {state.setting.field.xy(stud)}"
    seen = set[str]()
    for vehicle in state.vehicles_left:
        body = state.vehicle_body(vehicle)
        seen.add(body.id)
        for name in overlapping(state, body):
            if name not in seen:
                yield f"{body.id} overlaps {name}"


def state_problems(state: State) -> Iterator[str]:
    """Yield what can be in no state of a battle."""
    setting = state.setting
    if len(state.vehicles) != len(setting.vehicles):
        yield f"crafts: {len(state.vehicles)}, not {len(setting.vehicles)}"
        return
    yield from _player_problems(state)
    if len(state.holding) != len(setting.aims):
        yield f"holding: {len(state.holding)} numbers, not {len(setting.aims)}"
    yield from _destroyed_problems(state)
    if unknown := sorted(state.open_ids - setting.field.doors.keys()):
        yield f"open: {unknown} are not doors"
    yield from _object_problems(state)
    yield from _active_problems(state)
    yield from _vehicle_use_problems(state)
    for unit, unit_state in enumerate(state.units):
        yield from _figure_problems(state, unit, unit_state)
    for vehicle_state, spec in zip(state.vehicles, setting.vehicles, strict=True):
        yield from (
            f"{spec.name}: {fault}" for fault in _craft_problems(state, vehicle_state, spec)
        )


def _player_problems(state: State) -> Iterator[str]:
    count = len(state.setting.players)
    drivers = (vehicle_state.driver for vehicle_state in state.vehicles)
    for player in (state.player, *state.finished, *drivers):
        yield from number_problems("player", player, count)
    if len(set(state.finished)) < len(state.finished):
        yield "finished: a player is named twice"
    for player in state.finished:
        if player < count and player in state.to_play:
            yield f"finished: player {player} has units left to play"
    if state.result not in (None, NOBODY, *state.setting.teams):
        yield f"result: {state.result} is not a team"


def _object_problems(state: State) -> Iterator[str]:
    for stud, name in state.objects:
        if stud >= _studs(state) or name not in state.setting.gear:
            yield f"objects: {name!r} on {stud}"
    if list(state.objects) != sorted(state.objects):
        yield "objects: not in order"


def _studs(state: State) -> int:
    return state.setting.field.width * state.setting.field.length


def _destroyed_problems(state: State) -> Iterator[str]:
    """Yield that players have destroyed more cost points than were lost to damage."""
    setting = state.setting
    if len(state.destroyed) != len(setting.players):
        yield f"destroyed: {len(state.destroyed)} numbers, not {len(setting.players)}"
    units = zip(setting.unit_costs, state.units, strict=True)
    vehicles = zip(setting.vehicle_costs, setting.vehicles, state.vehicles, strict=True)
    lost = sum(cost for cost, unit_state in units if unit_state.is_dead)
    lost += sum(cost for cost, spec, now in vehicles if now.damage >= spec.sheet.health)
    if sum(state.destroyed) > lost:
        yield f"destroyed: {sum(state.destroyed)} cost points, but only {lost} are lost"


def menu_problems(state: State) -> Iterator[str]:
    """Yield why nothing can be chosen from the menu of a state that waits for its player."""
    if not state.menu:
        return
    if state.pending or state.result is not None:
        yield f"menu: {state.menu!r}, but there is nothing to choose"
    else:
        yield from (f"menu: {problem}" for problem in Do(state.menu).problems(state))


def _active_problems(state: State) -> Iterator[str]:
    in_turn = any(isinstance(pending, IN_TURN_TYPES) for pending in state.pending)
    if state.active == NOBODY:
        shots = not _are_of_seats(state) or state.shots != state.unloaded
        if state.actions_left or shots or state.driven or state.menu:
            yield "active: no unit is active, but there are actions, shots, moves or a menu of its turn"
        if in_turn:
            yield "pending: no unit is active"
        return
    if not state.round:
        yield f"active: {state.active}, but the players still roll for the start"
    units = state.setting.units
    if state.active >= len(units) or units[state.active].player != state.player:
        yield f"active: {state.active} is not a unit of player {state.player}"
        return
    unit = units[state.active]
    if state.actions_left > unit.sheet.action_budget:
        yield f"actions_left: {state.actions_left} of a budget of {unit.sheet.action_budget}"
    if state.me.plays and not state.is_unplayed(state.active):
        yield f"active: {unit.name} has been played in this round"
    if in_turn and not state.me.plays:
        yield "pending: no unit is active"


def _places(state: State) -> set[tuple[int, int]]:
    seats = [spec.sheet.seats for spec in state.setting.vehicles]
    return {(vehicle, seat) for vehicle, own in enumerate(seats) for seat in range(len(own))}


def _are_of_seats(state: State) -> bool:
    return _places(state).issuperset(state.shots)


def _vehicle_use_problems(state: State) -> Iterator[str]:
    places = _places(state)
    if list(state.shots) != sorted(state.shots) or not _are_of_seats(state):
        yield f"shots: {list(state.shots)} are not from seats in order"
    moved = {vehicle for vehicle, vehicle_state in enumerate(state.vehicles) if vehicle_state.moved}
    if list(state.driven) != sorted(moved.intersection(state.driven)):
        yield f"driven: {list(state.driven)} are not vehicles in order that have moved"
    if not places.issuperset(unit.seat for unit in state.units if unit.seat is not None):
        return  # each of these units is told
    for vehicle in state.vehicles_left:
        pilot, driver = state.pilot(vehicle), state.vehicles[vehicle].driver
        if pilot != NOBODY and state.setting.units[pilot].player != driver:
            name = state.setting.vehicles[vehicle].name
            yield f"{name}: player {driver} drove it last, but another player's unit is in the pilot's seat"


def _craft_problems(state: State, vehicle_state: VehicleState, spec: VehicleSpec) -> Iterator[str]:
    sheet, field = spec.sheet, state.setting.field
    if vehicle_state.speed not in sheet.speeds:
        yield f"speed {vehicle_state.speed} is not one of {', '.join(map(str, sheet.speeds))}"
    if vehicle_state.damage > sheet.health or (
        vehicle_state.damage == sheet.health and not vehicle_state.gone
    ):
        yield f"damage {vehicle_state.damage} of {sheet.health}"
    if not (
        0.0 <= vehicle_state.x_studs <= field.width and 0.0 <= vehicle_state.y_studs <= field.length
    ):
        yield f"{vehicle_state.x_studs:g},{vehicle_state.y_studs:g} is not on the field"
    if vehicle_state.heading_deg != normal_deg(vehicle_state.heading_deg):
        yield f"heading {vehicle_state.heading_deg:g} is not from 0 to 360"
    low, high = _heights_plates(state)
    if not low <= vehicle_state.base_plates <= high:
        yield f"height {vehicle_state.base_plates:g} is not from {low:g} to {high:g}"


def _heights_plates(state: State) -> tuple[float, float]:
    """Return the lowest ground, and how high everything piled up would be."""
    setting = state.setting
    tops = [0.0, *setting.field.grounds_plates, *(d.top_plates for d in setting.field.decor)]
    piled = sum(spec.sheet.footprint.top_plates for spec in setting.vehicles)
    return min(tops), max(tops) + piled


def _figure_problems(state: State, unit: int, unit_state: UnitState) -> Iterator[str]:
    name = state.setting.units[unit].name
    if unit_state.stud is not None and unit_state.stud >= _studs(state):
        yield f"{name}: stud {unit_state.stud} is not on the field"
    if unit_state.damage > unit_state.sheet.health or (unit_state.plays and unit_state.is_dead):
        yield f"{name}: damage {unit_state.damage} of {unit_state.sheet.health}"
    if unit_state.seat is not None:
        vehicle, seat = unit_state.seat
        known = vehicle < len(state.vehicles) and not state.vehicles[vehicle].gone
        if not known or seat >= len(state.setting.vehicles[vehicle].sheet.seats):
            yield f"{name}: no seat {unit_state.seat}"
        elif state.setting.seat(unit_state.seat).beside == unit_state.rides:
            yield f"{name}: on a stud and in a seat, or beside a vehicle and on no stud"
        elif unit_state.stud is not None and not (
            door_studs(state, vehicle) >> unit_state.stud & 1
        ):
            yield f"{name}: not beside {state.setting.vehicles[vehicle].name}"
