"""Hand: cards that are drawn in a turn, bought and thrown away, and passing (BB 5.1, 5.4.4.5 to 5.4.4.7)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from brickphys.blade_and_bow.command.activation import finished
from brickphys.blade_and_bow.command.cards import CardDraw, discarded, has_room
from brickphys.blade_and_bow.command.words import Decline
from brickphys.blade_and_bow.sheets.cards import card_numbers, deck
from brickphys.blade_and_bow.state.state import State
from brickphys.errors import unknown
from brickphys.rules.pending import Question
from brickphys.rules.turn_state import PlayerNumber
from brickphys.rules.words import NAME, Action, Unconditional


def held_problems(state: State, player: int, card: str) -> Iterator[str]:
    """Yield why a player does not hold a card of this name."""
    hand = [deck()[number].name for number in state.hands[player]]
    if card not in hand:
        known = card in card_numbers()
        yield f"{card} is not in the hand (BB 4.0)" if known else str(unknown("card", card, hand))


@dataclass(frozen=True, slots=True)
class Discard(Action[State]):
    """Throw a card away, for an action (BB 5.4.4.5)."""

    word = "discard"
    arguments = (NAME,)
    card: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every card of the hand."""
        return (cls(deck()[number].name) for number in state.hands[state.mover])

    def problems(self, state: State) -> Iterator[str]:
        """Yield that it is not in the hand."""
        return held_problems(state, state.mover, self.card)

    def apply(self, state: State) -> State:
        """Discard it."""
        return finished(discarded(state, state.mover, card_numbers()[self.card]))


@dataclass(frozen=True, slots=True)
class Purchase(Action[State]):
    """Draw a card to the hand, for an action (BB 5.4.4.6)."""

    word = "purchase"

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield the only action of this type if the hand is not full."""
        if has_room(state, state.mover):
            yield cls()

    def problems(self, state: State) -> Iterator[str]:
        """Yield that the hand is full."""
        if not has_room(state, state.mover):
            yield f"the hand of {state.hand_size(state.mover)} is full (BB 5.4.4.6)"

    def apply(self, state: State) -> State:
        """Draw."""
        return finished(state).push_pending(CardDraw(state.mover, to_hand=True))


class Pass(Unconditional[State]):
    """Spend an action on nothing (BB 5.4.4.7)."""

    __slots__ = ()
    word = "pass"

    def apply(self, state: State) -> State:
        """Spend it."""
        return finished(state)


class DrawCard(Unconditional[State]):
    """Draw a card to the hand (BB 5.1)."""

    __slots__ = ()
    word = "draw"

    def apply(self, state: State) -> State:
        """Draw."""
        player = state.awaited(DrawChoice).who
        return state.pop_pending().push_pending(CardDraw(player, to_hand=True))


class Keep(Decline):
    """Draw no card: the hand stays as it is (BB 5.1)."""

    __slots__ = ()
    word = "keep"


@dataclass(frozen=True, slots=True)
class DrawChoice(Question[State]):
    """Whether a player whose hand is not full draws a card."""

    answers = (DrawCard, Keep)
    who: PlayerNumber

    def lapses(self, state: State) -> bool:
        """Whether the hand is full."""
        return not has_room(state, self.who)

    def player(self, state: State) -> int:
        """Return the player."""
        return self.who

    def prompt(self, state: State) -> str:
        """Return the question."""
        return "draw a card, or keep your hand as it is?"


def draw_phase(state: State) -> State:
    """Return the state in which players draw, the holder of the initiative first: full hands on the first turn."""
    players = (state.holder, 1 - state.holder)
    if state.turn > 1:
        return state.push_pending(*map(DrawChoice, players))
    full = (player for player in players for _ in range(state.hand_size(player)))
    return state.push_pending(*(CardDraw(player, to_hand=True) for player in full))
