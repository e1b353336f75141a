"""Grab: take an object that lies within reach (BOW 2.3.2)."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Self

from brickphys.bow.actions.carrying import TARGET, put_object, room_problems
from brickphys.bow.actions.move import stud_on_field
from brickphys.bow.actions.reach import can_take_from, within_hands
from brickphys.bow.actions.words import CELL, Cell, TurnAction
from brickphys.bow.sheets.loadout import Place
from brickphys.bow.state.state import State
from brickphys.rules.words import NAME, without_problems


@dataclass(frozen=True, slots=True)
class Grab(TurnAction):
    """Take a free object within reach into a hand, a bag, or a place where it clips on."""

    word = "grab"
    arguments = (NAME, CELL, TARGET)
    item: str
    at: Cell
    place: Place

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every object that the unit can touch, at every place with room for it."""
        xy = state.setting.field.xy
        over = within_hands(state, state.active)
        near = (
            entry
            for entry in state.objects
            if over >> entry[0] & 1 and can_take_from(state, state.active, entry[0])
        )
        lying = dict.fromkeys(near)
        grabs = (cls(name, xy(stud), place) for (stud, name), place in product(lying, Place))
        return without_problems(state, grabs)

    def problems(self, state: State) -> Iterator[str]:
        """Yield why the object cannot be taken."""
        name, stud = state.my_name, stud_on_field(state, self.at)
        if stud is None or (stud, self.item) not in state.objects:
            yield f"no {self.item} lies on {CELL.write(self.at)} (BOW 2.3.2)"
        elif not can_take_from(state, state.active, stud):
            yield f"{CELL.write(self.at)} is not close to {name} (BOW 2.3.2)"
        yield from room_problems(state, state.active, self.item, self.place)

    def apply(self, state: State) -> State:
        """Move the object from the ground to the unit."""
        left = list(state.objects)
        left.remove((state.setting.field.stud(*self.at), self.item))
        taken = state.replaced({"objects": tuple(left)})
        return put_object(taken, state.active, self.item, self.place)
