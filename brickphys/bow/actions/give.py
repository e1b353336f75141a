"""Give: hand an object to another unit, which accepts or refuses it (BOW 2.3.2)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from brickphys.bow.actions.carrying import (
    SOURCE,
    TARGET,
    having_problems,
    places_for,
    put_object,
    room_problems,
    take_object,
    within_reach,
)
from brickphys.bow.actions.reach import in_contact, may_be_among, within_hands
from brickphys.bow.actions.words import TurnAction
from brickphys.bow.sheets.loadout import Place
from brickphys.bow.state.state import State, UnitNumber
from brickphys.errors import unknown
from brickphys.rules.pending import Question
from brickphys.rules.words import NAME, Action, without_problems
from brickphys.text import spoken


@dataclass(frozen=True, slots=True)
class Give(TurnAction):
    """Give an object from hand or bag to a unit in contact.

    The receiver's player says where the object goes, or, if it is another player, may refuse it. A refused offer costs
    an action (ours): otherwise a turn could go on for ever.
    """

    word = "give"
    arguments = (NAME, SOURCE, NAME)
    item: str
    place: Place
    receiver: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every object for every other unit in contact with room for it."""
        mine = list(within_reach(state))
        if not mine:
            return
        near = within_hands(state, state.active)
        for unit, unit_state in state.in_play():
            if unit == state.active or not may_be_among(unit_state, near):
                continue
            name = state.setting.units[unit].name
            if in_contact(state, state.active, name):
                gifts = (cls(item.name, place, name) for item, place in mine)
                yield from without_problems(state, gifts)

    def problems(self, state: State) -> Iterator[str]:
        """Yield why it cannot be given."""
        yield from having_problems(state, self.item, self.place)
        yield from _partner_problems(state, self.receiver)
        other = state.setting.unit_numbers.get(self.receiver)
        known = other is not None and self.item in state.setting.gear
        if other is not None and known and not places_for(state, other, self.item):
            yield f"{self.receiver} has no room for {self.item} (BOW 2.3.2)"

    def apply(self, state: State) -> State:
        """Offer it: the receiver's player answers."""
        other = state.setting.unit_numbers[self.receiver]
        return state.push_pending(Offer(state.active, other, self.item, self.place.value))


@dataclass(frozen=True, slots=True)
class Take(Action[State]):
    """Accept what is offered, at a place; it costs the receiver nothing."""

    word = "take"
    arguments = (TARGET,)
    place: Place

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every place with room for the object."""
        return without_problems(state, map(cls, Place))

    def problems(self, state: State) -> Iterator[str]:
        """Yield why the receiver cannot have it there."""
        offer = state.awaited(Offer)
        yield from room_problems(state, offer.receiver, offer.item, self.place)

    def apply(self, state: State) -> State:
        """Move the object from giver to receiver."""
        offer = state.awaited(Offer)
        given = take_object(state.pop_pending(), offer.item, Place(offer.place))
        return put_object(given, offer.receiver, offer.item, self.place)


@dataclass(frozen=True, slots=True)
class Refuse(Action[State]):
    """Refuse what a unit of another player offers."""

    word = "refuse"

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield the refusal, if giver and receiver have different players."""
        return without_problems(state, [cls()])

    def problems(self, state: State) -> Iterator[str]:
        """Yield why the offer cannot be refused."""
        offer, units = state.awaited(Offer), state.setting.units
        if units[offer.giver].player == units[offer.receiver].player:
            yield f"{units[offer.receiver].name} belongs to the player of the giver, and must take it (BOW 2.3.2)"

    def apply(self, state: State) -> State:
        """Change nothing else."""
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
        """Return why this cannot be pending."""
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
        """Return the player of the receiver."""
        return state.setting.units[self.receiver].player

    def prompt(self, state: State) -> str:
        """Return who gives what to whom."""
        names = [spoken(state.setting.units[unit].name) for unit in (self.giver, self.receiver)]
        return f"{names[0]} offers the {spoken(self.item)} to {names[1]}: choose where to put it, or refuse it"


def _partner_problems(state: State, name: str) -> Iterator[str]:
    """Yield why the active unit cannot give anything to a unit."""
    numbers = state.setting.unit_numbers
    if name not in numbers:
        yield f"{unknown('unit', name, numbers)} (BOW 2.3.2)"
    elif numbers[name] == state.active:
        yield f"{name} cannot give to itself (BOW 2.3.2)"
    elif not state.units[numbers[name]].plays:
        yield f"{name} is out of the battle (BOW 2.4.3)"
    elif not in_contact(state, state.active, name):
        yield f"{name} is not in contact with {state.my_name} (BOW 2.3.2)"
