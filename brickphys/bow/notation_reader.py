"""State reading: checks the JSON of a state against its setting, and makes the state; loads pydantic."""

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from json import dumps
from typing import Annotated, Any, TypeVar

from pydantic import Field, TypeAdapter, ValidationError

from brickphys.bow.field.facing import normal_deg
from brickphys.bow.sheets.loadout import Loadout, Place
from brickphys.bow.state.setting import Setting, UnitSpec, VehicleSpec
from brickphys.bow.state.state import NOBODY, State, UnitState, VehicleState
from brickphys.bow.turns.action_types import IN_TURN_TYPES, PENDING_TYPES, Do
from brickphys.bow.turns.rounds import StartRoll, proceed
from brickphys.errors import InvalidValueError
from brickphys.rules.pending import FollowUp, Pending, number_problems
from brickphys.schema import Strict, faults

M = TypeVar("M", bound=Strict)

LARGEST = 1_000_000
Count = Annotated[int, Field(ge=0, le=LARGEST)]
Number = Annotated[int, Field(ge=NOBODY, le=LARGEST)]
Row = Annotated[list[Any], Field(max_length=50)]


class StateDocument(Strict):
    """The form of a state."""

    setup: str
    round: Count
    player: Count
    active: Number
    actions_left: Count
    shots: list[tuple[Count, Count]]
    driven: list[Count]
    menu: str
    finished: list[Count]
    holding: list[Count]
    result: Number | None
    figures: list[Row]
    crafts: list[Row]
    objects: list[tuple[Count, str]]
    open: list[str]
    pending: list[Row]


class FigureDocument(Strict):
    """The form of a unit."""

    stud: Count | None
    facing: Annotated[int, Field(ge=0, le=7)]
    damage: Count
    marked: bool
    seat: tuple[Count, Count] | None
    guard: Count
    held_up: Count
    gear: list[list[str]] | None = None


class CraftDocument(Strict):
    """The form of a vehicle."""

    x_studs: float
    y_studs: float
    heading_deg: float
    speed: Count
    damage: Count
    moved: bool
    gone: bool


def read_state(row: Any, setting_of: Callable[[str], Setting]) -> State:
    """Return the state that a row of JSON describes; InvalidValueError, with every fault, if it is none."""
    document = _read(StateDocument, row)
    setting = setting_of(document.setup)
    if len(document.figures) != len(setting.units) or len(document.crafts) != len(setting.vehicles):
        raise InvalidValueError("state: figures or crafts are missing")
    state = State(
        setting=setting,
        units=tuple(map(_figure, document.figures, setting.units, [setting] * len(setting.units))),
        vehicles=tuple(
            VehicleState(**dict(_named(CraftDocument, entry))) for entry in document.crafts
        ),
        objects=tuple(document.objects),
        open_ids=frozenset(document.open),
        round=document.round,
        player=document.player,
        active=document.active,
        actions_left=document.actions_left,
        shots=tuple(document.shots),
        driven=tuple(document.driven),
        menu=document.menu,
        finished=tuple(document.finished),
        holding=tuple(document.holding),
        result=document.result,
    )
    _refuse(list(_problems(state)))
    state = state.changed(pending=tuple(map(_pending, document.pending)))
    in_turn = any(isinstance(pending, IN_TURN_TYPES) for pending in state.pending)
    if in_turn and (state.active == NOBODY or not state.me.plays):
        _refuse(["pending: it is no unit's turn"])
    _refuse([fault for pending in state.pending for fault in pending.problems(state)])
    _refuse(list(_turn_problems(state)))
    return state


def _read(model: type[M], row: Any) -> M:
    try:
        return model.model_validate_json(dumps(row))
    except ValidationError as error:
        raise InvalidValueError(f"state: {'; '.join(faults(error, model))}") from None


def _refuse(found: list[str]) -> None:
    if found:
        raise InvalidValueError(f"state: {'; '.join(found)}")


def _named(model: type[M], row: list[Any]) -> M:
    """Read a row whose entries are in the order of the fields of a document."""
    names = list(model.model_fields)
    if len(row) > len(names):
        raise InvalidValueError(f"state: {row!r} is too long")
    return _read(model, dict(zip(names, row, strict=False)))


def _figure(row: list[Any], unit: UnitSpec, setting: Setting) -> UnitState:
    document = dict(_named(FigureDocument, row))
    gear, sheet = document.pop("gear"), unit.sheet
    if gear is not None:
        sheet = replace(sheet, gear=_gear(gear, setting))
        if found := sheet.problems():
            raise InvalidValueError(f"state: {unit.name}: {'; '.join(found)}")
    return UnitState(sheet, **document)


def _gear(names: list[list[str]], setting: Setting) -> Loadout:
    strange = [name for place in names for name in place if name not in setting.gear]
    if strange or len(names) != len(Place):
        raise InvalidValueError(f"state: {names!r} is no gear")
    return Loadout(*(tuple(setting.gear[name] for name in place) for place in names))


def _pending(row: list[Any]) -> Pending[State]:
    name = row[0] if row else None
    cls = next((each for each in PENDING_TYPES if each.__name__ == name), None)
    if cls is None:
        raise InvalidValueError(f"state: nothing pending is called {name!r}")
    names = [entry.name for entry in fields(cls)]
    if len(row) != len(names) + 1:
        raise InvalidValueError(f"state: {row!r} is not one of {name}")
    try:
        values = dumps(dict(zip(names, row[1:], strict=True)))
        return TypeAdapter(cls).validate_json(values, strict=True)
    except ValidationError as error:
        raise InvalidValueError(f"state: {row!r}: {error.errors()[0]['msg']}") from None


def _problems(state: State) -> Iterator[str]:
    """Yield what cannot be in the battle at any time."""
    setting = state.setting
    count = len(setting.players)
    for player in (state.player, *state.finished):
        yield from number_problems("player", player, count)
    if len(set(state.finished)) < len(state.finished):
        yield "finished: a player is named twice"
    if state.result not in (None, NOBODY, *setting.teams):
        yield f"result: {state.result} is no team"
    if len(state.holding) != len(setting.aims):
        yield f"holding: not {len(setting.aims)} numbers"
    doors = {decor.id for decor in setting.field.decor if decor.kind.opens}
    if not state.open_ids <= doors:
        yield f"open: {sorted(state.open_ids - doors)} are no doors"
    studs = setting.field.width * setting.field.length
    for stud, name in state.objects:
        if stud >= studs or name not in setting.gear:
            yield f"objects: {name!r} on {stud}"
    yield from _active_problems(state)
    yield from _vehicle_use_problems(state)
    for player in state.finished:
        if player < count and state.has_unplayed(player):
            yield f"finished: player {player} has units left to play"
    if list(state.objects) != sorted(state.objects):
        yield "objects: not in order"
    for unit, figure in enumerate(state.units):
        yield from _figure_problems(state, unit, figure, studs)
    for craft, parked in zip(state.vehicles, setting.vehicles, strict=True):
        yield from (f"{parked.name}: {fault}" for fault in _craft_problems(state, craft, parked))
    yield from _place_problems(state)


def _active_problems(state: State) -> Iterator[str]:
    """Yield why a unit cannot be in the middle of such a turn, or nobody before the next one."""
    if state.active == NOBODY:
        if state.actions_left or state.shots or state.driven or state.menu:
            yield "active: nobody, and yet actions, shots, moves or a menu of a turn"
        return
    units = state.setting.units
    if state.active >= len(units) or units[state.active].player != state.player:
        yield f"active: {state.active} is no unit of player {state.player}"
        return
    unit = units[state.active]
    if state.actions_left > unit.sheet.action_budget:
        yield f"actions_left: {state.actions_left} of a budget of {unit.sheet.action_budget}"
    if state.me.plays and not state.is_unplayed(state.active):
        yield f"active: {unit.name} has been played in this round"


def _vehicle_use_problems(state: State) -> Iterator[str]:
    """Yield what the notes of a turn say that cannot have been done with vehicles in it."""
    seats = [parked.sheet.seats for parked in state.setting.vehicles]
    places = {(vehicle, seat) for vehicle, own in enumerate(seats) for seat in range(len(own))}
    if list(state.shots) != sorted(state.shots) or not places.issuperset(state.shots):
        yield f"shots: {list(state.shots)} are not from seats in order"
    moved = {vehicle for vehicle, craft in enumerate(state.vehicles) if craft.moved}
    if list(state.driven) != sorted(moved.intersection(state.driven)):
        yield f"driven: {list(state.driven)} are not vehicles in order that have moved"


def _craft_problems(state: State, craft: VehicleState, parked: VehicleSpec) -> Iterator[str]:
    sheet, field = parked.sheet, state.setting.field
    if craft.speed not in sheet.speeds:
        yield f"speed {craft.speed} is none of {', '.join(map(str, sheet.speeds))}"
    if craft.damage > sheet.health or (craft.damage == sheet.health and not craft.gone):
        yield f"damage {craft.damage} of {sheet.health}"
    if not (0.0 <= craft.x_studs <= field.width and 0.0 <= craft.y_studs <= field.length):
        yield f"{craft.x_studs:g},{craft.y_studs:g} is not on the field"
    if craft.heading_deg != normal_deg(craft.heading_deg):
        yield f"heading {craft.heading_deg:g} is not from 0 to 360"


def _figure_problems(state: State, unit: int, figure: UnitState, studs: int) -> Iterator[str]:
    name = state.setting.units[unit].name
    if figure.stud is not None and (figure.stud >= studs or figure.seat is not None):
        yield f"{name}: stud {figure.stud} is none, or in a seat as well"
    if figure.damage > figure.sheet.health or (figure.plays and figure.is_dead):
        yield f"{name}: damage {figure.damage} of {figure.sheet.health}"
    if figure.seat is not None:
        vehicle, seat = figure.seat
        known = vehicle < len(state.vehicles) and not state.vehicles[vehicle].gone
        if not known or seat >= len(state.setting.vehicles[vehicle].sheet.seats):
            yield f"{name}: no seat {figure.seat}"


def _place_problems(state: State) -> Iterator[str]:
    """Yield which units are on one stud or in one seat."""
    taken: dict[object, str] = {}
    for unit, figure in state.in_play():
        where = figure.stud if figure.seat is None else figure.seat
        name = state.setting.units[unit].name
        if where in taken:
            yield f"{taken[where]} and {name} are at one place"
        taken[where] = name


def _turn_problems(state: State) -> Iterator[str]:
    """Yield why play does not stop here for somebody to choose or roll."""
    over = state.result is not None
    if state.menu and (state.pending or over):
        yield f"menu: {state.menu!r}, and nothing is to be chosen from it"
    if state.pending:
        first = state.pending[0]
        if over or isinstance(first, FollowUp) or first.lapses(state):
            yield "pending: the battle is over, or the first happens by itself"
        if isinstance(first, StartRoll) == bool(state.round):
            yield f"round: {state.round}, and the roll for the start is in round 0"
    elif not over and not state.round:
        yield "round: 0, and nobody rolls for the start"
    elif not over and proceed(state) is not state:
        yield "active: nobody has a choice, the turn or the battle goes on by itself"
    elif state.menu:
        yield from (f"menu: {problem}" for problem in Do(state.menu).problems(state))
