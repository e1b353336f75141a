"""Boarding: rounds of boarding, crossing over, taking a ship, breaking off, and scuttling (PW Boarding, PW Firing)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Annotated, Self

from brickphys.pirate_wars import damage
from brickphys.pirate_wars.orders import BOARDING_SHIP, TARGET, OrderMove, free, in_contact
from brickphys.pirate_wars.setting import ShipNumber
from brickphys.pirate_wars.sheets import Role, ShipPlace
from brickphys.pirate_wars.state import (
    Boarding,
    MoraleCause,
    Order,
    OwnerQuestion,
    State,
)
from brickphys.rules.moves import OptionAnswer, OptionQuestion
from brickphys.rules.turn_state import DieRoll, FollowUp, Pending
from brickphys.rules.words import NAME, Unconditional, without_problems


def strength(state: State, ship: int) -> int:
    """Return the sum of those of a crew who fight in a boarding now: who has another task does not (PW Tasks)."""
    return _sum(
        state, (number for number in damage.fighters(state, ship) if number not in state.working)
    )


def full_strength(state: State, ship: int) -> int:
    """Return the sum of a crew in a boarding in which all fight."""
    return _sum(state, damage.fighters(state, ship))


def _sum(state: State, minifigs: Iterable[int]) -> int:
    """Return the sum of Melee, or of Attack by an option."""
    by_attack, specs = state.setting.options.boarding_by_attack, state.setting.minifigs
    return sum(specs[n].attack if by_attack else specs[n].sheet.melee for n in minifigs)


def losses(faces: tuple[int, int], strengths: tuple[int, int]) -> tuple[int, int]:
    """Return what the attacker and the defender lose in a round: the other side's die, with its surplus of strength."""
    bonus = strengths[0] - strengths[1]
    return faces[1] + max(-bonus, 0), faces[0] + max(bonus, 0)


def all_losses(strengths: tuple[int, int]) -> list[tuple[int, int]]:
    """Return what both lose in a round at each of the 36 throws of two dice."""
    return [losses(faces, strengths) for faces in product(range(1, 7), range(1, 7))]


def is_boarding(state: State, ship: int) -> bool:
    """Whether a ship is in a boarding, on either side; it can be in one only (ours)."""
    return any(ship in one.ships for one in state.boardings)


def capture(state: State, ship: int, by: int) -> State:
    """Return the state after a ship is taken by another one in contact with it, whose owner may send a prize crew.

    Its crew are prisoners, and boarders are its crew from now on (PW Boarding).
    """
    if Boarding(by, ship) not in state.boardings:
        state = break_off(state, ship)
    for number in damage.fighters(state, ship):
        state = damage.imprison(state, number)
    causes = tuple(cause for cause in state.causes if cause[0] != ship)
    state = state.cast_off(ship).replaced({"causes": causes})
    state = state.change_ship(ship, owner=state.ships[by].owner, fled_round=0, is_abandoned=False)
    return state.push_pending(Crossing(by, ship))


def break_off(state: State, ship: int) -> State:
    """Return the state after a ship has ended its boarding and its lashings: all boarders are back on their ships."""
    for boarding in state.boardings:
        if ship in boarding.ships:
            state = _forced_back(state, boarding.attacker)
    return state.cast_off(ship)


def _forced_back(state: State, attacker: int) -> State:
    """Return the state with the boarders from a ship on its deck again."""
    for number in damage.fighters(state, attacker):
        if state.minifigs[number].ship != attacker:
            state = _sent(state, number, attacker)
    return state


def _sent(state: State, minifig: int, ship: int) -> State:
    return state.change_minifig(minifig, ship=ship, place=ShipPlace.DECK, gun=None)


@dataclass(frozen=True, slots=True)
class Encounter(Pending[State]):
    """Two ships in a boarding, by their numbers."""

    attacker: ShipNumber
    defender: ShipNumber


@dataclass(frozen=True, slots=True)
class BoardingRoll(Encounter, DieRoll[State]):
    """The dice of a round of boarding: the attacker rolls first, and `face` is that roll; None before."""

    face: Annotated[int, range(1, 7)] | None = None

    def lapses(self, state: State) -> bool:
        return Boarding(self.attacker, self.defender) not in state.boardings

    def reason(self, state: State) -> str:
        attacker, defender = state.called(self.attacker), state.called(self.defender)
        side = attacker if self.face is None else defender
        return f"{attacker} boards {defender}: {side} rolls"

    def rolled(self, state: State, face: int) -> State:
        """Keep the attacker's die; after the defender's both lose crew, and who loses less has won."""
        if self.face is None:
            return state.push_pending(replace(self, face=face))
        strengths = strength(state, self.attacker), strength(state, self.defender)
        attackers, defenders = losses((self.face, face), strengths)
        winner = self.attacker if attackers < defenders else self.defender
        result = BoardingResult(
            self.attacker, self.defender, None if attackers == defenders else winner
        )
        state = state.push_pending(result)
        state = damage.lose_crew(state, self.attacker, attackers, damage.CasualtyGroup.FIGHTERS)
        return damage.lose_crew(state, self.defender, defenders, damage.CasualtyGroup.FIGHTERS)


@dataclass(frozen=True, slots=True)
class BoardingResult(Encounter, FollowUp[State]):
    """What comes of a round of boarding once both sides have lost crew; `winner` is None if both lost as many."""

    winner: ShipNumber | None

    def problems(self, state: State) -> list[str]:
        known = self.winner in (None, self.attacker, self.defender)
        return [] if known else ["winner: of neither side"]

    def happen(self, state: State) -> State:
        """End a boarding in which a side is destroyed; else the winner chooses what to do."""
        attackers, defenders = (
            damage.fighters(state, self.attacker),
            damage.fighters(state, self.defender),
        )
        if not (attackers and defenders):
            if attackers:
                return capture(state, self.defender, self.attacker)
            if defenders:
                return capture(state, self.attacker, self.defender)
            return break_off(state, self.attacker)
        if self.winner == self.attacker:
            state = state.with_cause(self.defender, MoraleCause.BOARDING)
            return state.push_pending(Crossing(self.attacker, self.defender))
        if self.winner == self.defender:
            state = state.with_cause(self.attacker, MoraleCause.BOARDING)
            state = _forced_back(state, self.attacker)
            return state.push_pending(Riposte(self.attacker, self.defender))
        return state


@dataclass(frozen=True, slots=True)
class Cross(OptionAnswer[State]):
    """Send a minifig aboard the other ship (PW Boarding)."""

    word = "cross"
    does = "send aboard"
    section = "PW Boarding"
    minifig: Annotated[str, NAME]

    def refusals(self, state: State, name: str) -> Iterator[str]:
        ship = state.awaited(Crossing).attacker
        if state.setting.minifig_numbers.get(name) not in state.crews[ship]:
            yield f"{name} is not in the crew aboard {state.ship_name(ship)}"


@dataclass(frozen=True, slots=True)
class EndCrossing(Unconditional[State]):
    """Send nobody else aboard the other ship."""

    word = "hold"

    def apply(self, state: State) -> State:
        return state.pop_pending()


@dataclass(frozen=True, slots=True)
class Crossing(Encounter, OwnerQuestion, OptionQuestion[State]):
    """The question who goes aboard the other ship, one minifig after the other."""

    answers = (EndCrossing, Cross)
    owner_of = "attacker"
    asks = "who crosses from {attacker} to {defender}? hold sends nobody else"

    def lapses(self, state: State) -> bool:
        return not state.crews[self.attacker]

    def options(self, state: State) -> Iterable[tuple[str]]:
        return damage.names_of_each(state, state.crews[self.attacker])

    def answered(self, state: State, name: str) -> State:
        """Put the minifig on the deck; women among the pirates surrender to a lieutenant (PW, Morale Chart)."""
        ship, specs, number = (
            self.defender,
            state.setting.minifigs,
            state.setting.minifig_numbers[name],
        )
        state = _sent(state, number, ship)
        is_prize = state.ships[ship].owner == state.ships[self.attacker].owner
        if specs[number].role is Role.LIEUTENANT and not is_prize:
            for woman in state.crews[ship]:
                if specs[woman].is_woman and state.setting.is_pirate(woman):
                    state = damage.imprison(state, woman)
        if is_prize or damage.fighters(state, ship):
            return state.push_pending(self)
        return capture(state, ship, self.attacker)


@dataclass(frozen=True, slots=True)
class StrikeBack(Unconditional[State]):
    """Board the ship whose boarders were thrown back (PW Boarding)."""

    word = "attack"
    when = "ships fire by orders, which are written after all ships have moved"

    def apply(self, state: State) -> State:
        one = state.awaited(Riposte)
        old, new = Boarding(one.attacker, one.defender), Boarding(one.defender, one.attacker)
        boardings = tuple(new if boarding == old else boarding for boarding in state.boardings)
        return state.pop_pending().replaced({"boardings": boardings})


@dataclass(frozen=True, slots=True)
class Flee(Unconditional[State]):
    """Cut the lashings, and sail as usual in the next turn (PW Boarding)."""

    word = "flee"

    def apply(self, state: State) -> State:
        one = state.awaited(Riposte)
        return break_off(state.pop_pending(), one.defender)


@dataclass(frozen=True, slots=True)
class Riposte(Encounter, OwnerQuestion):
    """The question whether a defender who has won attacks or flees."""

    answers = (StrikeBack, Flee)
    owner_of = "defender"
    asks = "{defender} has thrown back {attacker}: does it attack, or flee?"


def can_board(state: State, ship: int, target: int) -> bool:
    """Whether a ship is in contact with another one, and neither is in a boarding."""
    if is_boarding(state, ship) or is_boarding(state, target):
        return False
    return (min(ship, target), max(ship, target)) in state.lashed or in_contact(state, ship, target)


@dataclass(frozen=True, slots=True)
class BoardingOrder(OrderMove):
    """Board a ship in contact with all hands (PW Boarding)."""

    word = "board"
    section = "PW Boarding"
    gain = 0.0
    is_for_lashed = True
    ship: Annotated[str, BOARDING_SHIP]
    target: Annotated[str, TARGET]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        pairs = (
            cls(state.ship_name(number), state.ship_name(enemy))
            for number, ship in state.afloat
            if ship.owner == state.player
            for enemy, _ in state.enemies(state.player)
            if can_board(state, number, enemy)
        )
        return without_problems(state, pairs)

    def refusals(self, state: State, ship: int, target: int) -> Iterator[str]:
        crew = state.crews[ship]
        if not crew:
            yield f"{self.ship} has no crew"
        elif len(free(state, crew)) < len(crew):
            yield f"the crew of {self.ship} has other orders, and all must board or none"
        elif is_boarding(state, ship):
            yield f"{self.ship} is already in a boarding"
        elif is_boarding(state, target):
            yield f"{self.target} is already in a boarding"
        elif not can_board(state, ship, target):
            yield f"{self.ship} does not touch {self.target}"

    @staticmethod
    def deed(state: State, ship: int, target: int) -> State:
        """Lash the ships together; the round of boarding is rolled at the end of the phase (ours)."""
        if not state.ships[target].is_afloat or not can_board(state, ship, target):
            return state
        boardings = (*state.boardings, Boarding(ship, target))
        return state.lash(ship, target).replaced({"boardings": boardings})


@dataclass(frozen=True, slots=True)
class Scuttle(OrderMove):
    """The captain fires his pistol into the powder of his own ship (PW Firing)."""

    word = "scuttle"
    section = "PW Firing"
    effect = "blows up your own ship"
    gain = -1.0
    is_last = True
    added = frozenset({"minifig"})
    ship: Annotated[str, BOARDING_SHIP]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        """Yield every ship in a boarding; to scuttle another one is legal too."""
        names = (
            cls(state.ship_name(number))
            for number, ship in state.afloat
            if ship.owner == state.player and is_boarding(state, number)
        )
        return without_problems(state, names)

    def refusals(self, state: State, ship: int) -> Iterator[str]:
        master = damage.captain(state, ship)
        if master is None:
            yield f"{self.ship} has no captain aboard to scuttle it"
        elif not free(state, [master]):
            yield f"the captain of {self.ship} already has an order: one task per turn (PW Tasks)"
        elif not state.minifigs[master].is_loaded:
            yield f"the pistol of the captain of {self.ship} is not loaded (PW Reloading)"

    def order(self, state: State) -> Order:
        order = super(Scuttle, self).order(state)
        return replace(order, minifig=damage.captain(state, order.ship))

    @staticmethod
    def deed(state: State, ship: int, minifig: int) -> State:
        """Blow a ship up if its captain is still there: its hull goes, and as many of its crew and of the boarders.

        A ship that is in a boarding with it takes half of that, rounded up, as hits with ball.
        """
        if minifig not in state.crews[ship]:
            return state
        others = [sum(one.ships) - ship for one in state.boardings if ship in one.ships]
        hull = state.sheet(ship).chart.hull
        state = state.change_minifig(minifig, is_loaded=False)
        state = state.change_ship(ship, hull=0, sails=0)
        state = damage.lose_crew(state, ship, hull)
        state = damage.lose_crew(state, ship, hull, damage.CasualtyGroup.BOARDERS)
        for other in others:
            state = damage.hit(state, other, (hull + 1) // 2)
        return state
