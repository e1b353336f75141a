"""Movement: walk, turn, open and close doors, and what a unit can touch (BOW 2.3.1 to 2.3.3).

The base of the actions that take from the Action Budget is here, with the arguments of actions.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Self, TypeVar

from brickphys.bow.field import Decor, Span, Stud, Studs
from brickphys.bow.sight import figure_plates, reaches, reaches_object
from brickphys.bow.state import State, UnitState
from brickphys.bow.terrain import Board, footprint_studs, reachable, terrain
from brickphys.grid.grid import FACING_NAMES, each
from brickphys.rules.moves import Among, Move
from brickphys.rules.turn_state import Question
from brickphys.rules.words import Argument, Codes, Unconditional, tidy_facing
from brickphys.text import counted, spoken

Cell = tuple[int, int]
"""Column and row of a stud."""


def _cell(text: str) -> Cell:
    x, y = text.split(",")
    return int(x), int(y)


CELL = Argument(
    "stud such as 12,7",
    r"\d{1,4},\d{1,4}",
    _cell,
    lambda cell: f"{cell[0]},{cell[1]}",
    lambda text: re.sub(r"(?<=\d)[.;/:x](?=\d)", ",", text),
    codes=Codes(10**8, lambda cell: cell[0] * 10**4 + cell[1], lambda code: divmod(code, 10**4)),
)
"""A stud; a person may type ``12.7``."""
FACING = Argument(
    f"facing ({', '.join(FACING_NAMES)})",
    "|".join(FACING_NAMES),
    FACING_NAMES.index,
    lambda facing: FACING_NAMES[facing],
    tidy_facing,
    codes=Codes.of(range(len(FACING_NAMES))),
)
SPEED = Argument("speed", r"\d{1,2}", int, codes=Codes.of(range(100)))


class TurnMove(Move[State]):
    """A move of a unit in its turn."""

    __slots__ = ()

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield the listed moves at once: every moment of the turn is right, and this is asked for most."""
        return cls.listed(state)

    def cost(self, state: State) -> int:
        """Return how many actions it takes from the Action Budget (BOW 2.3)."""
        return 1


M = TypeVar("M", bound=Move[State])


def unrefused(state: State, moves: Iterable[M]) -> Iterator[M]:
    """Yield those of some moves at the right moment that nothing refuses."""
    return (move for move in moves if next(move.refusals(state, *move.things(state)), None) is None)


@dataclass(frozen=True, slots=True)
class Walk(TurnMove):
    """Walk at most Move studs; then the unit turns to any side."""

    word = "walk"
    section = "BOW 3.1"
    to: Annotated[Cell, CELL]

    @classmethod
    def is_possible(cls, state: State) -> bool:
        """Whether the unit is on foot: then it can at least turn on its stud."""
        return state.me.on_foot

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        if state.me.stud is None or not state.me.on_foot:
            return iter(())
        reached = reachable(state.board, state.me.stud, state.me.sheet.move).studs
        return iter([cls(state.setting.field.xy(stud)) for stud in each(reached)])

    def refusals(self, state: State, to: Cell) -> Iterator[str]:
        name, me = state.my_name, state.me
        if me.seat is not None:
            yield f"{name} is in a seat and cannot walk"
        stud = stud_on_field(state, to)
        if stud is None:
            yield outside_field(state, to)
            return
        blocked = list(standing_problems(state, stud, but=me.stud))
        yield from blocked
        if me.stud is None or blocked:  # nobody walks onto a stud that is taken, near or far
            return
        if not reachable(state.board, me.stud, me.sheet.move).studs >> stud & 1:
            where, way = CELL.write(to), _way_text(state, me.stud, stud)
            yield f"{name} cannot reach {where} in {me.sheet.move} studs: {way} (BOW 2.3.1)"

    def result(self, state: State, to: Cell) -> State:
        stud = state.setting.field.stud(*to)
        return state.with_unit(state.active, replace(state.me, stud=stud)).push_pending(
            Turning(state.active)
        )


def _way_text(state: State, start: Stud, end: Stud) -> str:
    field = state.setting.field
    rings = reachable(state.board, start, field.width * field.length).rings
    steps = next((count for count, ring in enumerate(rings) if ring >> end & 1), None)
    if steps is None:
        return "decor, vehicles and units block the way"
    (x, y), (other_x, other_y) = field.xy(start), field.xy(end)
    around = " around the obstacles" if steps > max(abs(x - other_x), abs(y - other_y)) else ""
    return f"the way there{around} is {counted(steps, 'stud')}"


@dataclass(frozen=True, slots=True)
class ChangeFacing(Unconditional[State]):
    """The facing of a unit after its walk; turning costs nothing."""

    word = "face"
    arguments = (FACING,)
    facing: int

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        return map(cls, range(len(FACING_NAMES)))

    def apply(self, state: State) -> State:
        return state.pop_pending().with_unit(state.active, replace(state.me, facing=self.facing))


@dataclass(frozen=True, slots=True)
class Turning(Question[State]):
    """The question where a unit faces after its walk."""

    answers = (ChangeFacing,)
    unit: int

    def problems(self, state: State) -> list[str]:
        return [] if self.unit == state.active else [f"unit: {self.unit} is not the active one"]

    def prompt(self, state: State) -> str:
        return f"which side does {spoken(state.my_name)} face after the walk?"


def stud_on_field(state: State, cell: Cell) -> Stud | None:
    """Return the stud at a column and a row, None outside the field."""
    field = state.setting.field
    inside = cell[0] < field.width and cell[1] < field.length
    return field.stud(*cell) if inside else None


def outside_field(state: State, cell: Cell) -> str:
    """Say that a stud is not on the field."""
    return f"{CELL.write(cell)} is outside the field of {state.setting.field.size} (BOW 1.3)"


def standing_problems(state: State, stud: Stud, but: Stud | None = None) -> Iterator[str]:
    """Yield why no unit can be put on a stud; `but` is the stud of the unit itself."""
    board, cell = state.board, CELL.write(state.setting.field.xy(stud))
    if stud == but:
        return
    if not board.terrain.standable >> stud & 1:
        yield f"there is no room to stand on {cell} (BOW 2.3.1)"
    if board.units >> stud & 1:
        holder = next(unit for unit, unit_state in state.in_play() if unit_state.stud == stud)
        yield f"{state.setting.units[holder].name} stands on {cell} (BOW 2.3.1)"
    elif board.taken >> stud & 1:
        yield f"a vehicle is on {cell} (BOW 2.3.1)"


def is_enclosed(state: State, unit: int) -> bool:
    """Tell whether a unit sits inside a vehicle, in a seat that is not exposed (BOW 3.5)."""
    if state.units[unit].seat is None:
        return False
    seat = state.seat_of(unit)[1]
    return not (seat.exposed or seat.beside)


def sit_together(state: State, one: int, other: int) -> bool:
    """Tell whether two units sit on or in the same vehicle."""
    here, there = state.units[one], state.units[other]
    return here.rides and there.rides and state.seat_of(one)[0] == state.seat_of(other)[0]


def body_studs(state: State, vehicle: int) -> Studs:
    """Return the studs that a vehicle overlaps."""
    return footprint_studs(state.setting.field, state.vehicle_body(vehicle))


def own_studs(state: State, unit: int) -> Studs:
    """Return the stud of a unit; of one in a seat, those of its vehicle."""
    unit_state = state.units[unit]
    if unit_state.stud is not None:
        return 1 << unit_state.stud
    return body_studs(state, state.seat_of(unit)[0])


def target_studs(state: State, name: str) -> Studs:
    """Return the studs of a unit or of a vehicle, by name."""
    vehicle = state.setting.vehicle_numbers.get(name)
    if vehicle is not None:
        return body_studs(state, vehicle)
    return own_studs(state, state.setting.unit_numbers[name])


def may_be_among(unit_state: UnitState, studs: Studs | None) -> bool:
    """Tell whether a unit stands on one of some studs, or rides, so that it may be anywhere; None is all studs."""
    return studs is None or unit_state.stud is None or bool(studs >> unit_state.stud & 1)


def within_hands(state: State, unit: int) -> Studs:
    """Return the studs within reach of a unit: its own and their neighbours; none from inside a vehicle."""
    if is_enclosed(state, unit):
        return 0
    return state.setting.field.around(own_studs(state, unit))


def touches_over(state: State, unit: int, studs: Studs, span_plates: Span) -> bool:
    """Tell whether a unit can touch a body that fills a range of heights over some studs."""
    near = within_hands(state, unit) & studs
    return bool(near) and reaches(state.stance(unit).ground_plates, span_plates)


def touches_on(state: State, unit: int, stud: Stud) -> bool:
    """Tell whether a unit can touch another one on a stud; it may bend and stretch."""
    ground_plates = state.setting.field.levels_plates[stud]
    return touches_over(state, unit, 1 << stud, figure_plates(ground_plates))


def can_take_from(state: State, unit: int, stud: Stud) -> bool:
    """Tell whether an object on a stud is within reach of a unit: on the ground or a table (BOW 2.3.2)."""
    level_plates = state.setting.field.levels_plates[stud]
    near = within_hands(state, unit) >> stud & 1
    return bool(near) and reaches_object(state.stance(unit).ground_plates, level_plates)


def in_contact(state: State, unit: int, name: str) -> bool:
    """Tell whether a unit can touch another unit or a vehicle, by name.

    Inside a vehicle it can touch the other occupants. An exposed occupant is as near as its vehicle (BOW 3.5).
    """
    vehicle, is_open = state.setting.vehicle_numbers.get(name), True
    if vehicle is None:
        other = state.setting.unit_numbers[name]
        stud = state.units[other].stud
        if stud is not None:
            return touches_on(state, unit, stud)
        vehicle, is_open = state.seat_of(other)[0], not is_enclosed(state, other)
    body = state.vehicle_body(vehicle)
    if state.units[unit].rides and state.seat_of(unit)[0] == vehicle:
        return True
    span_plates = (body.bottom_plates, body.top_plates)
    return is_open and touches_over(state, unit, body_studs(state, vehicle), span_plates)


def ground_stud(state: State, unit: int) -> Stud:
    """Return the stud under a unit, on which its objects fall."""
    x, y, _ = state.stance(unit)
    return state.setting.field.square_at(x, y)


def put_down(state: State, unit: int, facing: int, start: Stud | None = None) -> State:
    """Put a unit on the free stud nearest to a stud, its own if None; without any on the field it is out of battle."""
    if start is None:
        start = _foothold(state, unit)
    unit_state = replace(state.units[unit], stud=None, seat=None, facing=facing)
    lifted = state.with_unit(unit, unit_state)
    return lifted.with_unit(unit, replace(unit_state, stud=nearest_free(lifted.board, start)))


def _foothold(state: State, unit: int) -> Stud:
    """Return the stud of a unit; of one that rides, one on which its vehicle stands, else the one under its middle."""
    field, (x, y, level) = state.setting.field, state.stance(unit)
    middle = field.square_at(x, y)
    found = field.nearest(middle, field.level_studs(own_studs(state, unit), level))
    return middle if found is None else found


def nearest_free(board: Board, start: Stud) -> Stud | None:
    """Return the free stud that is the fewest steps away from a stud; among equals the nearest.

    Units are not in the way of these steps, but walls and cliffs are. If no steps lead to a free stud, the nearest of
    all is returned.
    """
    field, free = board.field, board.free
    rings = reachable(Board(board.terrain), start, field.width * field.length).rings
    among = next((ring & free for ring in rings if ring & free), free)
    return field.nearest(start, among)


_DOOR = Among("door or window", lambda state: state.setting.field.doors)


@dataclass(frozen=True, slots=True)
class Open(TurnMove):
    """Open a door or window within reach that is not locked."""

    word = "open"
    section = "BOW 2.3.3"
    door: Annotated[str, _DOOR]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        """Yield every closed and unlocked door or window that the unit can touch."""
        near = (cls(name) for name in state.setting.field.doors if is_near_door(state, name))
        return unrefused(state, near)

    def refusals(self, state: State, door: Decor) -> Iterator[str]:
        yield from _handling_problems(state, self.door, door)
        if self.door in state.open_ids:
            yield f"{self.door} is already open"

    def result(self, state: State, door: Decor) -> State:
        return state.replaced({"open_ids": state.open_ids | {self.door}})


@dataclass(frozen=True, slots=True)
class Close(TurnMove):
    """Close a door or window within reach; no unit or vehicle may be in it."""

    word = "close"
    section = "BOW 2.3.3"
    door: Annotated[str, _DOOR]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        """Yield every open door and window that the unit can touch and that is clear."""
        near = (cls(name) for name in sorted(state.open_ids) if is_near_door(state, name))
        return unrefused(state, near)

    def refusals(self, state: State, door: Decor) -> Iterator[str]:
        yield from _handling_problems(state, self.door, door)
        if self.door not in state.open_ids:
            yield f"{self.door} is already closed"
        elif _is_blocked(state, self.door):
            yield f"something blocks {self.door}"

    def result(self, state: State, door: Decor) -> State:
        return state.replaced({"open_ids": state.open_ids - {self.door}})


def is_near_door(state: State, door: str) -> bool:
    """Tell whether the active unit can touch a door or window."""
    field = state.setting.field
    return touches_over(state, state.active, field.decor_studs[door], field.doors[door].span_plates)


def _handling_problems(state: State, name: str, door: Decor) -> Iterator[str]:
    if not is_near_door(state, name):
        yield f"{name} is not close to {state.my_name}"
    if door.locked:
        yield f"{name} is locked, and locks belong to the Advanced Rules"


def _is_blocked(state: State, door: str) -> bool:
    field = state.setting.field
    shut = terrain(field, state.open_ids - {door})
    lost = state.board.terrain.standable & ~shut.standable
    standing = state.board.units & lost
    vehicles = (body_studs(state, vehicle) for vehicle in state.vehicles_left)
    return bool(standing) or any(studs & field.decor_studs[door] for studs in vehicles)
