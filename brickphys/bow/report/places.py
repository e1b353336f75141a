"""Places: the names in play, and where on the map the acting unit is and an action leads."""

from functools import partial

from brickphys.bow.actions.words import CELL, Cell
from brickphys.bow.report.status_text import unit_letters
from brickphys.bow.state.state import NOBODY, State
from brickphys.geometry.polygon import Point
from brickphys.rules.names import Names, Naming, player_names
from brickphys.rules.words import Action, last_place


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
    return None if state.active == NOBODY else _place(state, state.setting.units[state.active].name)


def place_of(state: State, action: Action[State]) -> Point | None:
    """Return the middle of the stud that an action names, or else where the last unit, vehicle or door of it is."""
    pairs = zip(action.arguments, action.values(), strict=True)
    cells: list[Cell] = [value for argument, value in pairs if argument is CELL]
    if cells:
        x, y = cells[0]
        return x + 0.5, y + 0.5
    return last_place(action, partial(_place, state))


def _place(state: State, name: str) -> Point | None:
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
