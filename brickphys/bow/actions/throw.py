"""Throw: an object from hand or bag to a stud; throwing a grenade does not set it off (BOW 2.3.2)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from brickphys.bow.actions.carrying import SOURCE, having_problems, take_object, within_reach
from brickphys.bow.actions.move import outside_field, stud_on_field
from brickphys.bow.actions.reach import ground_stud, is_enclosed
from brickphys.bow.actions.words import CELL, Cell, TurnAction
from brickphys.bow.field.throw_range import landing
from brickphys.bow.sheets.loadout import Place
from brickphys.bow.state.state import State
from brickphys.grid.bitset import each
from brickphys.rules.pending import Question
from brickphys.rules.words import NAME, Action, without_problems
from brickphys.text import spoken

THROW_MOVES = 2
"""The longest throw, in multiples of the Move."""


@dataclass(frozen=True, slots=True)
class Throw(TurnAction):
    """Throw an object from hand or bag; the stud is the next choice. Throwing a grenade does not set it off."""

    word = "throw"
    arguments = (NAME, SOURCE)
    item: str
    place: Place

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every object in hand and bag."""
        throws = (cls(item.name, place) for item, place in within_reach(state))
        return without_problems(state, throws)

    def problems(self, state: State) -> Iterator[str]:
        """Yield why it cannot be thrown."""
        if is_enclosed(state, state.active):
            yield f"{state.my_name} sits inside a vehicle (BOW 3.1)"
        yield from having_problems(state, self.item, self.place)

    def apply(self, state: State) -> State:
        """Take the object from the unit; it is in the air until its stud is chosen."""
        return take_object(state, self.item, self.place).push_pending(
            Flying(state.active, self.item)
        )


@dataclass(frozen=True, slots=True)
class Land(Action[State]):
    """The stud on which a thrown object lands: within twice the Move, with no wall between."""

    word = "to"
    arguments = (CELL,)
    at: Cell

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every stud on which it can land."""
        return (cls(state.setting.field.xy(stud)) for stud in each(_landing(state)))

    def problems(self, state: State) -> Iterator[str]:
        """Yield why it cannot land there."""
        stud, move = stud_on_field(state, self.at), state.me.sheet.move
        if stud is None:
            yield outside_field(state, self.at)
        elif not _landing(state) >> stud & 1:
            yield (
                f"a throw to {CELL.write(self.at)} is longer than {THROW_MOVES * move} studs (2 x Move), "
                "or something solid is in the way (BOW 2.3.2)"
            )

    def apply(self, state: State) -> State:
        """Put the object there."""
        landed = (state.setting.field.stud(*self.at), state.awaited(Flying).item)
        return state.pop_pending().with_objects(landed)


@dataclass(frozen=True, slots=True)
class Flying(Question[State]):
    """The question where a thrown object lands."""

    answers = (Land,)
    unit: int
    item: str

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        known = [] if self.item in state.setting.gear else [f"item: no gear {self.item!r}"]
        return known + ([] if self.unit == state.active else ["unit: not the active one"])

    def player(self, state: State) -> int:
        """Return the player whose turn it is."""
        return state.player

    def prompt(self, state: State) -> str:
        """Return the object that was thrown."""
        return f"the stud on which the {spoken(self.item)} lands"


def _landing(state: State) -> int:
    radius = THROW_MOVES * state.me.sheet.move
    return landing(state.board.terrain, ground_stud(state, state.active), radius)
