"""Objects: a unit takes, moves, drops, hands over and throws objects (BOW 2.3.2).

Whoever is handed an object accepts or refuses it. Throwing a grenade does not set it off.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Annotated, Self

from brickphys.bow.actions import movement
from brickphys.bow.field import Stud, Studs
from brickphys.bow.sheets.gear import Item, Place
from brickphys.bow.sheets.rulebook import THROW_MOVES
from brickphys.bow.sheets.sheet import MinifigSheet, tried
from brickphys.bow.sight import EYE_PLATES, solids
from brickphys.bow.state import State, UnitNumber
from brickphys.bow.terrain import Board, Terrain
from brickphys.errors import unknown
from brickphys.grid.grid import each, squares_of
from brickphys.rules.moves import Move
from brickphys.rules.turn_state import Question
from brickphys.rules.words import NAME, one_of
from brickphys.text import spoken

_PARTS = {Place.HELD: "hand", Place.WORN: "body", Place.BACK: "back", Place.BAG: "bag"}
_VALUES = {part: place.value for place, part in _PARTS.items()}
PLACE = replace(
    one_of(f"place ({', '.join(place.value for place in Place)})", Place),
    tidy=lambda text: _VALUES.get(text, text),
)
SOURCE = replace(PLACE, show=lambda place: f"from {_PARTS[place]}")
TARGET = replace(PLACE, show=lambda place: f"{_to(place)} {_PARTS[place]}")
"""A place from which an object is taken, and one to which it goes."""
_FROM = (Place.HELD, Place.BAG)
"""An object is thrown or given from hand or bag."""


def onto(place: Place) -> str:
    """Return where an object goes, in words: ``onto the back``."""
    return f"{_to(place)} the {_PARTS[place]}"


def _to(place: Place) -> str:
    return "into" if place in _FROM else "onto"


def within_reach(state: State) -> Iterator[tuple[Item, Place]]:
    """Yield the objects that the active unit has in hand and bag, each once."""
    return ((item, place) for item, place in loose_objects(state.me.sheet) if place in _FROM)


def having_problems(state: State, name: str, place: Place) -> Iterator[str]:
    """Yield why the active unit cannot take an object from hand or bag."""
    if place in _FROM:
        yield from own_problems(state, name, place)
    else:
        yield f"only objects in hand or bag can be given or thrown, not from {place.value} (BOW 2.3.2)"


def own_problems(state: State, name: str, place: Place) -> Iterator[str]:
    """Yield why the active unit cannot take an object of its own from a place."""
    unit = state.my_name
    item = state.setting.gear.get(name)
    if item is None:
        yield f"{unknown('gear', name, state.setting.gear)} (BOW 2.3.2)"
    elif item not in state.me.sheet.gear.at(place):
        yield f"{unit} has no {name} {place.value} (BOW 2.3.2)"
    elif not _can_leave(state.me.sheet, item, place):
        yield f"{unit} cannot part with {name} while objects are in it (BOW 2.3.2)"


def room_problems(state: State, unit: int, name: str, place: Place) -> Iterator[str]:
    """Yield why a unit cannot have one more object at a place."""
    item = state.setting.gear.get(name)
    if item is None:
        yield f"{unknown('gear', name, state.setting.gear)} (BOW 2.3.2)"
        return
    fault = tried(MinifigSheet.put, state.units[unit].sheet, item, place)
    if isinstance(fault, str):
        yield f"{state.setting.units[unit].name} has no room: {fault} (BOW 2.3.2)"


def places_for(state: State, unit: int, name: str) -> list[Place]:
    """Return the places where a unit can have one more object."""
    return [place for place in Place if not any(room_problems(state, unit, name, place))]


def put_object(state: State, unit: int, name: str, place: Place) -> State:
    """Put an object at a place of a unit, where it has room."""
    unit_state = state.units[unit]
    sheet = tried(MinifigSheet.put, unit_state.sheet, state.setting.gear[name], place)
    assert isinstance(sheet, MinifigSheet)
    return state.with_unit(unit, replace(unit_state, sheet=sheet))


def take_object(state: State, name: str, place: Place) -> State:
    """Take a loose object from a place of the active unit."""
    sheet = tried(MinifigSheet.take, state.me.sheet, state.setting.gear[name], place)
    assert isinstance(sheet, MinifigSheet)
    return state.with_unit(state.active, replace(state.me, sheet=sheet))


def moved(sheet: MinifigSheet, item: Item, source: Place, target: Place) -> MinifigSheet | str:
    """Return a sheet with an object at another place, or why it cannot be there."""
    left = tried(MinifigSheet.take, sheet, item, source)
    return left if isinstance(left, str) else tried(MinifigSheet.put, left, item, target)


@lru_cache(maxsize=4096)
def loose_objects(sheet: MinifigSheet) -> tuple[tuple[Item, Place], ...]:
    """Return the objects that can be taken from a sheet, with their places, each once."""
    own = dict.fromkeys(sheet.gear.items())
    return tuple((item, place) for place, item in own if _can_leave(sheet, item, place))


def _can_leave(sheet: MinifigSheet, item: Item, place: Place) -> bool:
    return not isinstance(tried(MinifigSheet.take, sheet, item, place), str)


@dataclass(frozen=True, slots=True)
class Grab(movement.TurnMove):
    """Take a free object within reach into a hand, a bag, or a place where it clips on."""

    word = "grab"
    section = "BOW 2.3.2"
    item: Annotated[str, NAME]
    at: Annotated[movement.Cell, movement.CELL]
    place: Annotated[Place, TARGET]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        """Yield every object that the unit can touch, at every place with room for it."""
        xy = state.setting.field.xy
        over = movement.within_hands(state, state.active)
        near = (
            entry
            for entry in state.objects
            if over >> entry[0] & 1 and movement.can_take_from(state, state.active, entry[0])
        )
        lying = dict.fromkeys(near)
        grabs = (cls(name, xy(stud), place) for (stud, name), place in product(lying, Place))
        return movement.unrefused(state, grabs)

    def refusals(self, state: State, item: str, at: movement.Cell, place: Place) -> Iterator[str]:
        name, stud = state.my_name, movement.stud_on_field(state, at)
        if stud is None or (stud, item) not in state.objects:
            yield f"no {item} lies on {movement.CELL.write(at)}"
        elif not movement.can_take_from(state, state.active, stud):
            yield f"{movement.CELL.write(at)} is not close to {name}"
        yield from room_problems(state, state.active, item, place)

    def result(self, state: State, item: str, at: movement.Cell, place: Place) -> State:
        left = list(state.objects)
        left.remove((state.setting.field.stud(*at), item))
        taken = state.replaced({"objects": tuple(left)})
        return put_object(taken, state.active, item, place)


@dataclass(frozen=True, slots=True)
class Put(movement.TurnMove):
    """Move an own object to another place: wear it or take it off, take it in hand or put it away."""

    word = "put"
    does = "move own gear"
    section = "BOW 2.3.2"
    item: Annotated[str, NAME]
    source: Annotated[Place, SOURCE]
    target: Annotated[Place, TARGET]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        return (cls(*move) for move in _moves(state.me.sheet))

    def refusals(self, state: State, item: str, source: Place, target: Place) -> Iterator[str]:
        if problem := next(own_problems(state, item, source), None):
            yield problem
        elif source is target:
            yield f"{item} is already there: {source.value}"
        elif isinstance(fault := self._moved(state), str):
            yield f"{state.my_name} has no room: {fault} (BOW 2.3.2)"

    def result(self, state: State, item: str, source: Place, target: Place) -> State:
        """Move the object; the sheet changes with it."""
        sheet = self._moved(state)
        assert isinstance(sheet, MinifigSheet)
        return state.with_unit(state.active, replace(state.me, sheet=sheet))

    def _moved(self, state: State) -> MinifigSheet | str:
        return moved(state.me.sheet, state.setting.gear[self.item], self.source, self.target)


@dataclass(frozen=True, slots=True)
class Drop(movement.TurnMove):
    """Lay an own object on the ground, from any place."""

    word = "drop"
    section = "BOW 3.1"
    item: Annotated[str, NAME]
    place: Annotated[Place, SOURCE]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        """Yield every object of the unit; a bag only if it is empty; none from inside a vehicle."""
        if movement.is_enclosed(state, state.active):
            return iter(())
        return (cls(item.name, place) for item, place in loose_objects(state.me.sheet))

    def refusals(self, state: State, item: str, place: Place) -> Iterator[str]:
        if movement.is_enclosed(state, state.active):
            yield f"{state.my_name} sits inside a vehicle"
        yield from own_problems(state, item, place)

    def result(self, state: State, item: str, place: Place) -> State:
        """Put it where the gear of the dead falls: on the unit's stud, or under the middle of its vehicle."""
        dropped = (movement.ground_stud(state, state.active), item)
        return take_object(state, item, place).with_objects(dropped)


@lru_cache(maxsize=4096)
def _moves(sheet: MinifigSheet) -> tuple[tuple[str, Place, Place], ...]:
    places = product(dict.fromkeys(sheet.gear.items()), Place)
    return tuple(
        (item.name, source, target)
        for (source, item), target in places
        if source is not target and not isinstance(moved(sheet, item, source, target), str)
    )


@dataclass(frozen=True, slots=True)
class Give(movement.TurnMove):
    """Give an object from hand or bag to a unit in contact.

    The receiver's player says where the object goes, or, if it is another player, may refuse it. A refused offer costs
    an action (ours): otherwise a turn could go on for ever.
    """

    word = "give"
    section = "BOW 2.3.2"
    item: Annotated[str, NAME]
    place: Annotated[Place, SOURCE]
    receiver: Annotated[str, NAME]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        """Yield every object for every other unit in contact with room for it."""
        mine = list(within_reach(state))
        if not mine:
            return
        near = movement.within_hands(state, state.active)
        for unit, unit_state in state.in_play():
            if unit == state.active or not movement.may_be_among(unit_state, near):
                continue
            name = state.setting.units[unit].name
            if movement.in_contact(state, state.active, name):
                gifts = (cls(item.name, place, name) for item, place in mine)
                yield from movement.unrefused(state, gifts)

    def refusals(self, state: State, item: str, place: Place, receiver: str) -> Iterator[str]:
        yield from having_problems(state, item, place)
        yield from _partner_problems(state, receiver)
        other = state.setting.unit_numbers.get(receiver)
        known = other is not None and item in state.setting.gear
        if other is not None and known and not places_for(state, other, item):
            yield f"{receiver} has no room for {item}"

    def result(self, state: State, item: str, place: Place, receiver: str) -> State:
        """Offer it: the receiver's player answers."""
        other = state.setting.unit_numbers[receiver]
        return state.push_pending(Offer(state.active, other, item, place.value))


@dataclass(frozen=True, slots=True)
class Take(Move[State]):
    """Accept what is offered, at a place; it costs the receiver nothing."""

    word = "take"
    section = "BOW 2.3.2"
    place: Annotated[Place, TARGET]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        return movement.unrefused(state, map(cls, Place))

    def refusals(self, state: State, place: Place) -> Iterator[str]:
        offer = state.awaited(Offer)
        yield from room_problems(state, offer.receiver, offer.item, place)

    def result(self, state: State, place: Place) -> State:
        offer = state.awaited(Offer)
        given = take_object(state.pop_pending(), offer.item, Place(offer.place))
        return put_object(given, offer.receiver, offer.item, place)


@dataclass(frozen=True, slots=True)
class Refuse(Move[State]):
    """Refuse what a unit of another player offers."""

    word = "refuse"
    section = "BOW 2.3.2"

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        return movement.unrefused(state, [cls()])

    def refusals(self, state: State) -> Iterator[str]:
        offer, units = state.awaited(Offer), state.setting.units
        if units[offer.giver].player == units[offer.receiver].player:
            yield f"{units[offer.receiver].name} belongs to the player of the giver, and must take it"

    def result(self, state: State) -> State:
        return state.pop_pending()


@dataclass(frozen=True, slots=True)
class Offer(Question[State]):
    """An object is offered; `place` is its place at the giver."""

    answers = (Take, Refuse)
    giver: int
    receiver: UnitNumber
    item: str
    place: str

    def problems(self, state: State) -> list[str]:
        faults = [] if self.giver == state.active else ["giver: not the active unit"]
        if (
            self.place not in [place.value for place in Place]
            or self.item not in state.setting.gear
        ):
            return [*faults, f"item: no {self.item!r} {self.place!r}"]
        if faults:
            return faults
        item = state.setting.gear[self.item]
        if item not in state.units[self.giver].sheet.gear.at(Place(self.place)):
            faults.append(f"item: the giver has no {self.item} {self.place}")
        if not state.units[self.receiver].plays or not places_for(state, self.receiver, self.item):
            faults.append("receiver: cannot take it")
        return faults

    def player(self, state: State) -> int:
        return state.setting.units[self.receiver].player

    def prompt(self, state: State) -> str:
        names = [spoken(state.setting.units[unit].name) for unit in (self.giver, self.receiver)]
        return f"{names[0]} offers the {spoken(self.item)} to {names[1]}: choose where to put it, or refuse it"


def _partner_problems(state: State, name: str) -> Iterator[str]:
    numbers = state.setting.unit_numbers
    if name not in numbers:
        yield f"{unknown('unit', name, numbers)} (BOW 2.3.2)"
    elif numbers[name] == state.active:
        yield f"{name} cannot give to itself (BOW 2.3.2)"
    elif not state.units[numbers[name]].plays:
        yield f"{name} is out of the battle (BOW 2.4.3)"
    elif not movement.in_contact(state, state.active, name):
        yield f"{name} is not in contact with {state.my_name} (BOW 2.3.2)"


@lru_cache(maxsize=4096)
def landing(terrain: Terrain, thrower: Stud, radius_studs: float) -> Studs:
    """Return the studs on which a thrown object can land; the thrower's own is one of them.

    It flies straight from the head of the thrower to the same height above the stud where it lands. Figures and
    vehicles do not stop it, ground and decor do.

    The farthest that it throws is twice its Move.
    """
    field = terrain.field
    x, y, ground = field.stances[thrower]
    near = list(each(field.circle(thrower, radius_studs) & terrain.standable))
    there = [field.stances[stud] for stud in near]
    lines = [(x, y, ground + EYE_PLATES, *end[:2], end[2] + EYE_PLATES) for end in there]
    clear = solids(Board(terrain)).clear(lines).tolist() if lines else []
    return squares_of(stud for stud, is_clear in zip(near, clear, strict=True) if is_clear)


@dataclass(frozen=True, slots=True)
class Throw(movement.TurnMove):
    """Throw an object from hand or bag; the stud is the next choice. Throwing a grenade does not set it off."""

    word = "throw"
    section = "BOW 3.1"
    item: Annotated[str, NAME]
    place: Annotated[Place, SOURCE]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        throws = (cls(item.name, place) for item, place in within_reach(state))
        return movement.unrefused(state, throws)

    def refusals(self, state: State, item: str, place: Place) -> Iterator[str]:
        if movement.is_enclosed(state, state.active):
            yield f"{state.my_name} sits inside a vehicle"
        yield from having_problems(state, item, place)

    def result(self, state: State, item: str, place: Place) -> State:
        """Take the object from the unit; it is in the air until its stud is chosen."""
        return take_object(state, item, place).push_pending(Flying(state.active, item))


@dataclass(frozen=True, slots=True)
class Land(Move[State]):
    """The stud on which a thrown object lands: within twice the Move, with no wall between."""

    word = "to"
    section = "BOW 2.3.2"
    at: Annotated[movement.Cell, movement.CELL]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        return (cls(state.setting.field.xy(stud)) for stud in each(_landing(state)))

    def refusals(self, state: State, at: movement.Cell) -> Iterator[str]:
        stud, move = movement.stud_on_field(state, at), state.me.sheet.move
        if stud is None:
            yield movement.outside_field(state, at)
        elif not _landing(state) >> stud & 1:
            yield (
                f"a throw to {movement.CELL.write(at)} is longer than {THROW_MOVES * move} studs (2 x Move), "
                "or something solid is in the way"
            )

    def result(self, state: State, at: movement.Cell) -> State:
        landed = (state.setting.field.stud(*at), state.awaited(Flying).item)
        return state.pop_pending().with_objects(landed)


@dataclass(frozen=True, slots=True)
class Flying(Question[State]):
    """The question where a thrown object lands."""

    answers = (Land,)
    unit: int
    item: str

    def problems(self, state: State) -> list[str]:
        known = [] if self.item in state.setting.gear else [f"item: no gear {self.item!r}"]
        return known + ([] if self.unit == state.active else ["unit: not the active one"])

    def prompt(self, state: State) -> str:
        return f"the stud on which the {spoken(self.item)} lands"


def _landing(state: State) -> int:
    radius = THROW_MOVES * state.me.sheet.move
    return landing(state.board.terrain, movement.ground_stud(state, state.active), radius)
