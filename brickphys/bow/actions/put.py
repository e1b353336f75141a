"""Put: move an object between hand, body, back and bag of a unit, or drop it (BOW 2.3.2)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Self

from brickphys.bow.actions.carrying import (
    SOURCE,
    TARGET,
    loose_objects,
    moved,
    own_problems,
    take_object,
)
from brickphys.bow.actions.reach import ground_stud, is_enclosed
from brickphys.bow.actions.words import TurnAction
from brickphys.bow.sheets.loadout import Place
from brickphys.bow.sheets.minifig_sheet import MinifigSheet
from brickphys.bow.state.state import State
from brickphys.rules.words import NAME


@dataclass(frozen=True, slots=True)
class Put(TurnAction):
    """Move an own object to another place: wear it or take it off, take it in hand or put it away."""

    word = "put"
    arguments = (NAME, SOURCE, TARGET)
    item: str
    source: Place
    target: Place

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every object with every other place that has room for it."""
        return (cls(*move) for move in _moves(state.me.sheet))

    def problems(self, state: State) -> Iterator[str]:
        """Yield why the object cannot be put there."""
        if problem := next(own_problems(state, self.item, self.source), None):
            yield problem
        elif self.source is self.target:
            yield f"{self.item} is already there: {self.source.value} (BOW 2.3.2)"
        elif isinstance(fault := self._moved(state), str):
            yield f"{state.my_name} has no room: {fault} (BOW 2.3.2)"

    def apply(self, state: State) -> State:
        """Move the object; the sheet changes with it."""
        sheet = self._moved(state)
        assert isinstance(sheet, MinifigSheet)
        return state.with_unit(state.active, replace(state.me, sheet=sheet))

    def _moved(self, state: State) -> MinifigSheet | str:
        return moved(state.me.sheet, state.setting.gear[self.item], self.source, self.target)


@dataclass(frozen=True, slots=True)
class Drop(TurnAction):
    """Lay an own object on the ground, from any place."""

    word = "drop"
    arguments = (NAME, SOURCE)
    item: str
    place: Place

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every object of the unit; a bag only if it is empty; none from inside a vehicle."""
        if is_enclosed(state, state.active):
            return iter(())
        return (cls(item.name, place) for item, place in loose_objects(state.me.sheet))

    def problems(self, state: State) -> Iterator[str]:
        """Yield why it cannot be dropped."""
        if is_enclosed(state, state.active):
            yield f"{state.my_name} sits inside a vehicle (BOW 3.1)"
        yield from own_problems(state, self.item, self.place)

    def apply(self, state: State) -> State:
        """Put it where the gear of the dead falls: on the unit's stud, or under the middle of its vehicle."""
        dropped = (ground_stud(state, state.active), self.item)
        return take_object(state, self.item, self.place).with_objects(dropped)


@lru_cache(maxsize=4096)
def _moves(sheet: MinifigSheet) -> tuple[tuple[str, Place, Place], ...]:
    """Return every move of an object of a sheet to another place, as the arguments of `Put`."""
    places = product(dict.fromkeys(sheet.gear.items()), Place)
    return tuple(
        (item.name, source, target)
        for (source, item), target in places
        if source is not target and not isinstance(moved(sheet, item, source, target), str)
    )
