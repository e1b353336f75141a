"""Objects: grab, throw (grenades too) and switch weapons (BOW 2.3.2)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Self

from brickphys.bow.actions.contact import ground_stud, is_enclosed, touches_on, within_hands
from brickphys.bow.actions.move import outside_field, stud_on_field
from brickphys.bow.actions.words import CELL, Cell, TurnAction
from brickphys.bow.field.throw_range import landing
from brickphys.bow.sheets.gear import BARE_HANDS, Item, Weapon
from brickphys.bow.sheets.loadout import Place
from brickphys.bow.sheets.minifig_sheet import MinifigSheet
from brickphys.bow.state.state import State
from brickphys.errors import InvalidValueError, unknown
from brickphys.grid.bitset import each
from brickphys.rules.pending import Question
from brickphys.rules.words import NAME, Action, Argument, without_problems

THROW_MOVES = 2
"""A throw goes so many times the Move."""

PLACE = Argument(
    f"place ({', '.join(place.value for place in Place)})",
    "|".join(place.value for place in Place),
    Place,
    lambda place: place.value,
)
_FROM = (Place.HELD, Place.BAG)
"""An object is thrown or given from hand or bag."""


@dataclass(frozen=True, slots=True)
class Grab(TurnAction):
    """Take a free object within reach into a hand, a bag, or a place where it clips on."""

    word = "grab"
    arguments = (NAME, CELL, PLACE)
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
            if over >> entry[0] & 1 and touches_on(state, state.active, entry[0])
        )
        lying = dict.fromkeys(near)
        grabs = (cls(name, xy(stud), place) for (stud, name), place in product(lying, Place))
        return without_problems(state, grabs)

    def problems(self, state: State) -> Iterator[str]:
        """Yield why the object cannot be taken."""
        name, stud = state.setting.units[state.active].name, stud_on_field(state, self.at)
        if stud is None or (stud, self.item) not in state.objects:
            yield f"no {self.item} lies on {CELL.write(self.at)} (BOW 2.3.2)"
        elif not touches_on(state, state.active, stud):
            yield f"{CELL.write(self.at)} is not close to {name} (BOW 2.3.2)"
        yield from room_problems(state, state.active, self.item, self.place)

    def apply(self, state: State) -> State:
        """Move the object from the ground to the unit."""
        left = list(state.objects)
        left.remove((state.setting.field.stud(*self.at), self.item))
        taken = state.changed(objects=tuple(left))
        return put_object(taken, state.active, self.item, self.place)


@dataclass(frozen=True, slots=True)
class Throw(TurnAction):
    """Throw an object from hand or bag; the stud is the next choice. A grenade lies there like any other object."""

    word = "throw"
    arguments = (NAME, PLACE)
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
            yield f"{state.setting.units[state.active].name} sits inside a vehicle (BOW 3.1)"
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
                "or something solid is in its way (BOW 2.3.2)"
            )

    def apply(self, state: State) -> State:
        """Put the object there."""
        flying = state.pending[0]
        assert isinstance(flying, Flying)
        return state.pop_pending().with_objects((state.setting.field.stud(*self.at), flying.item))


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


@dataclass(frozen=True, slots=True)
class Switch(TurnAction):
    """Exchange a weapon in hand with one on the back or in the bag, or draw one into a free hand."""

    word = "switch"
    arguments = (NAME, NAME)
    held: str
    stowed: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every pair that can be switched, then every weapon that can be drawn."""
        gear = state.me.sheet.gear
        stowed = [
            item for item in dict.fromkeys((*gear.back, *gear.bag)) if isinstance(item, Weapon)
        ]
        pairs = [(held.name, other.name) for held, other in gear.switches()] if stowed else []
        pairs += [(BARE_HANDS, item.name) for item in stowed]
        return without_problems(state, (cls(held, other) for held, other in pairs))

    def problems(self, state: State) -> Iterator[str]:
        """Yield why they cannot be switched."""
        held, stowed = (_weapon(state, name) for name in (self.held, self.stowed))
        if stowed is None or (held is None and self.held != BARE_HANDS):
            yield f"{self.held} and {self.stowed} are not two weapons (BOW 2.3.2)"
        else:
            try:
                _switched(state.me.sheet, held, stowed)
            except InvalidValueError as error:
                yield f"{error} (BOW 2.3.2)"

    def apply(self, state: State) -> State:
        """Switch them on the unit's sheet."""
        stowed = _weapon(state, self.stowed)
        assert stowed is not None
        sheet = _switched(state.me.sheet, _weapon(state, self.held), stowed)
        return state.with_unit(state.active, replace(state.me, sheet=sheet))


def _switched(sheet: MinifigSheet, held: Weapon | None, stowed: Weapon) -> MinifigSheet:
    return sheet.draw(stowed) if held is None else sheet.switch(held, stowed)


def within_reach(state: State) -> Iterator[tuple[Item, Place]]:
    """Yield the objects that the active unit has in hand and bag, each once."""
    gear = state.me.sheet.gear
    return (
        (item, place)
        for place in _FROM
        for item in dict.fromkeys(gear.at(place))
        if _can_leave(state.me.sheet, item, place)
    )


def having_problems(state: State, name: str, place: Place) -> Iterator[str]:
    """Yield why the active unit cannot take an object from hand or bag."""
    unit = state.setting.units[state.active].name
    item = state.setting.gear.get(name)
    if item is None:
        yield f"{unknown('gear', name, state.setting.gear)} (BOW 2.3.2)"
    elif place not in _FROM:
        yield f"an object is taken from hand or bag, not from {place.value} (BOW 2.3.2)"
    elif item not in state.me.sheet.gear.at(place):
        yield f"{unit} has no {name} {place.value} (BOW 2.3.2)"
    elif not _can_leave(state.me.sheet, item, place):
        yield f"{unit} cannot part with {name} (BOW 2.3.2)"


def room_problems(state: State, unit: int, name: str, place: Place) -> Iterator[str]:
    """Yield why a unit cannot have one more object at a place."""
    item = state.setting.gear.get(name)
    if item is None:
        yield f"{unknown('gear', name, state.setting.gear)} (BOW 2.3.2)"
        return
    if fault := _room_fault(state.units[unit].sheet, item, place):
        yield f"{state.setting.units[unit].name} has no room: {fault} (BOW 2.3.2)"


def places_for(state: State, unit: int, name: str) -> list[Place]:
    """Return the places where a unit can have one more object."""
    return [place for place in Place if not any(room_problems(state, unit, name, place))]


def put_object(state: State, unit: int, name: str, place: Place) -> State:
    """Put an object at a place of a unit."""
    unit_state = state.units[unit]
    sheet = unit_state.sheet.put(state.setting.gear[name], place)
    return state.with_unit(unit, replace(unit_state, sheet=sheet))


def take_object(state: State, name: str, place: Place) -> State:
    """Take an object from a place of the active unit."""
    sheet = state.me.sheet.take(state.setting.gear[name], place)
    return state.with_unit(state.active, replace(state.me, sheet=sheet))


@lru_cache(maxsize=4096)
def _room_fault(sheet: MinifigSheet, item: Item, place: Place) -> str:
    """Return why a sheet cannot have one more object; empty if it can."""
    try:
        sheet.put(item, place)
    except InvalidValueError as error:
        return str(error)
    return ""


@lru_cache(maxsize=4096)
def _can_leave(sheet: MinifigSheet, item: Item, place: Place) -> bool:
    try:
        sheet.take(item, place)
    except InvalidValueError:
        return False
    return True


def _weapon(state: State, name: str) -> Weapon | None:
    item = state.setting.gear.get(name)
    return item if isinstance(item, Weapon) else None


def _landing(state: State) -> int:
    radius = THROW_MOVES * state.me.sheet.move
    return landing(state.board.terrain, ground_stud(state, state.active), radius)
