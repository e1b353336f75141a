"""Status: a battle at one moment: the map with the letters of units, and tables of units and vehicles.

Names in play have places on the map.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from brickphys.bow.actions.movement import CELL
from brickphys.bow.actions.targets import weapons_in_use
from brickphys.bow.field import Stud
from brickphys.bow.scene import field_map, unit_letters
from brickphys.bow.sheets.gear import Place
from brickphys.bow.state import NOBODY, State
from brickphys.bow.turns import turn_types
from brickphys.geometry.polygon import Point
from brickphys.grid.grid import FACING_NAMES
from brickphys.rules.aims import ends_by_points
from brickphys.rules.names import Names, Naming, heading_text, player_names
from brickphys.rules.report.story import status_text
from brickphys.rules.words import Action, last_place
from brickphys.text import counted


def battle_status(view: State) -> str:
    """Return the map of a battle, with what can be chosen on it, and all units and vehicles in play."""
    tables = [[_UNIT_COLUMNS, *_unit_rows(view)]]
    if view.vehicles_left:
        tables.append([_VEHICLE_COLUMNS, *_vehicle_rows(view)])
    notes = [*_own_gear(view), *_points(view)]
    chart = field_map(view, unit_letters(view.setting), _choices(view))
    return status_text(_headline(view), chart, tables, notes)


def _headline(state: State) -> str:
    """Return the round, its Round Marker in words, and whose turn it is (BOW 2.2)."""
    if not state.round:
        return "Before the first round"
    marker = "gets a mark" if state.adds_marks else "loses the mark"
    head = f"Round {state.round}, who has played {marker}"
    if state.active == NOBODY:
        return head
    return f"{head}; {state.my_name} has {counted(state.actions_left, 'action')} left"


def _choices(state: State) -> Iterator[Stud]:
    field = state.setting.field
    for kind in state.answers if state.pending else turn_types(state):
        if kind.arguments == (CELL,):
            yield from [field.square(*action.values()[0]) for action in kind.legal(state)]


_UNIT_COLUMNS = (
    "", "unit", "player", "at", "faces", "damage", "dodge (bricks)", "actions", "walk (studs)", "attacks (bricks)", "",
)  # fmt: skip


def _unit_rows(state: State) -> Iterator[Sequence[str]]:
    setting, known = state.setting, unit_letters(state.setting)
    for unit, unit_state in state.in_play():
        sheet = unit_state.sheet
        has_played = state.round and not state.is_unplayed(unit) and unit != state.active
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
            "played" if has_played else "",
        )


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
            heading_text(vehicle_state.heading_deg),
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
    if CELL in action.arguments:
        x, y = action.values()[action.arguments.index(CELL)]
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
