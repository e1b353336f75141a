"""Cards: drawn for actions and to hands, and discarded (BB 4.0, 5.1, 5.4.1)."""

from dataclasses import dataclass

from brickphys.blade_and_bow.sheets.cards import COLOURS, card_numbers, deck
from brickphys.blade_and_bow.state.setting import CardNumber
from brickphys.blade_and_bow.state.state import State
from brickphys.rules.events.draw import Draw
from brickphys.rules.events.event import Outcome
from brickphys.rules.pending import PendingRoll
from brickphys.rules.turn_state import PlayerNumber


def discarded(state: State, player: int, card: CardNumber) -> State:
    """Return the state in which a player has discarded a card of the hand."""
    hand = tuple(held for held in state.hands[player] if held != card)
    discards = tuple(sorted((*state.discards, card)))
    return state.with_entry("hands", player, hand).replaced({"discards": discards})


@dataclass(frozen=True, slots=True)
class CardDraw(PendingRoll[State]):
    """A card that a player draws to the hand, or for the actions of an impulse.

    An empty deck is made anew from the discards (BB 5.1). When the reshuffle is drawn, all cards that are in no hand
    make the deck anew, and the player draws again (ours).
    """

    player: PlayerNumber
    to_hand: bool

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        return [] if state.deck or state.discards else ["pending: there is no card to draw"]

    def lapses(self, state: State) -> bool:
        """Whether the hand is full."""
        return self.to_hand and not has_room(state, self.player)

    def event(self, state: State) -> Draw:
        """Return the draw; who knows what is left in the deck knows the hands."""
        names = (deck()[number].name for number in state.deck or state.discards)
        aim = f"{'hand' if self.to_hand else 'actions'} of {state.player_name(self.player)}"
        reason = f"a card of the deck for the {aim}"
        return Draw.uniform(*names, reason=reason, secret=True)

    def settle(self, state: State, outcome: Outcome) -> State:
        """Take the card."""
        number = card_numbers()[str(outcome)]
        card = deck()[number]
        whole = tuple(sorted((*state.deck, *state.discards)))
        if card.is_reshuffle:
            return state.replaced({"deck": whole, "discards": ()}).push_pending(self)
        if not state.deck:
            state = state.replaced({"deck": whole, "discards": ()})
        state = state.replaced({"deck": tuple(left for left in state.deck if left != number)})
        if self.to_hand:
            hand = tuple(sorted((*state.hands[self.player], number)))
            return state.with_entry("hands", self.player, hand)
        actions = card.command[COLOURS.index(state.colour(self.player))]
        discards = tuple(sorted((*state.discards, number)))
        return state.replaced({"actions": actions, "discards": discards})


def has_room(state: State, player: int) -> bool:
    """Whether a player holds fewer cards than the hand may have."""
    return len(state.hands[player]) < state.hand_size(player)
