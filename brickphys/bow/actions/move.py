"""Move: walk, and then turn (BOW 2.3.1)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from brickphys.bow.actions.words import CELL, FACING, Cell, TurnAction
from brickphys.bow.field.field import Stud
from brickphys.bow.field.walk import reachable
from brickphys.bow.state.state import State
from brickphys.grid.bitset import each
from brickphys.grid.directions import FACING_NAMES
from brickphys.rules.pending import Question
from brickphys.rules.words import Unconditional
from brickphys.text import counted, spoken


@dataclass(frozen=True, slots=True)
class Walk(TurnAction):
    """Walk at most Move studs; then the unit turns to any side."""

    word = "walk"
    arguments = (CELL,)
    to: Cell

    @classmethod
    def is_possible(cls, state: State) -> bool:
        """Whether the unit is on foot: then it can at least turn on its stud."""
        return state.me.on_foot

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield a walk to every stud within reach, its own included."""
        if state.me.stud is not None and state.me.on_foot:
            field = state.setting.field
            reached = reachable(state.board, state.me.stud, state.me.sheet.move).studs
            yield from (cls(field.xy(stud)) for stud in each(reached))

    def problems(self, state: State) -> Iterator[str]:
        """Yield why the unit cannot walk there."""
        name, me = state.my_name, state.me
        if me.seat is not None:
            yield f"{name} is in a seat and cannot walk (BOW 3.1)"
        stud = stud_on_field(state, self.to)
        if stud is None:
            yield outside_field(state, self.to)
            return
        blocked = list(standing_problems(state, stud, but=me.stud))
        yield from blocked
        if me.stud is None or blocked:  # nobody walks onto a stud that is taken, near or far
            return
        if not reachable(state.board, me.stud, me.sheet.move).studs >> stud & 1:
            where, way = CELL.write(self.to), _way_text(state, me.stud, stud)
            yield f"{name} cannot reach {where} in {me.sheet.move} studs: {way} (BOW 2.3.1)"

    def apply(self, state: State) -> State:
        """Put the unit there; the facing is the next choice."""
        stud = state.setting.field.stud(*self.to)
        return state.with_unit(state.active, replace(state.me, stud=stud)).push_pending(
            Turning(state.active)
        )


def _way_text(state: State, start: Stud, end: Stud) -> str:
    """Return how long the way to a stud is on which one could stand, or that there is none."""
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
        """Yield the eight facings."""
        return map(cls, range(len(FACING_NAMES)))

    def apply(self, state: State) -> State:
        """Turn the unit."""
        return state.pop_pending().with_unit(state.active, replace(state.me, facing=self.facing))


@dataclass(frozen=True, slots=True)
class Turning(Question[State]):
    """The question where a unit faces after its walk."""

    answers = (ChangeFacing,)
    unit: int

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        return [] if self.unit == state.active else [f"unit: {self.unit} is not the active one"]

    def player(self, state: State) -> int:
        """Return the player whose turn it is."""
        return state.player

    def prompt(self, state: State) -> str:
        """Return the unit that turns."""
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
