"""Status text: a battle at one moment: the map with the letters of units, and tables of units and vehicles."""

from collections.abc import Iterator, Sequence

from brickphys.bow.actions.weapons_in_use import weapons_in_use
from brickphys.bow.actions.words import CELL
from brickphys.bow.field.field import Stud
from brickphys.bow.report.field_map import (
    UNIT,
    VEHICLES,
    aim_signs,
    field_map,
    object_signs,
    vehicle_signs,
)
from brickphys.bow.sheets.loadout import Place
from brickphys.bow.state.setting import Setting
from brickphys.bow.state.state import NOBODY, State
from brickphys.bow.turns.action_types import turn_types
from brickphys.grid.directions import FACING_ARROWS, FACING_NAMES
from brickphys.rules.aims.aims import ends_by_points
from brickphys.rules.report.char_map import CharMap
from brickphys.rules.report.ink import Tone
from brickphys.rules.report.status import letters, status_text
from brickphys.text import counted

REACHED = "*"
"""The mark of studs that can be chosen now."""
_REACHED = "what you can choose now"
_TREE = "T"


def battle_status(state: State) -> str:
    """Return the map of a battle, with what can be chosen on it, and all units and vehicles in play."""
    tables = [[_UNIT_COLUMNS, *_unit_rows(state)]]
    if state.vehicles_left:
        tables.append([_VEHICLE_COLUMNS, *_vehicle_rows(state)])
    notes = [*_own_gear(state), *_points(state)]
    return status_text(_headline(state), _map(state), tables, notes)


def unit_letters(setting: Setting) -> tuple[str, ...]:
    """Return the letter of each unit on maps."""
    return letters((unit.player for unit in setting.units), _TREE, UNIT)


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
        (chosen, {REACHED: _REACHED}),
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
