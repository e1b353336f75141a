"""A small game with hidden hands: cards are dealt, both play one at the same time, the higher wins the trick."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from brickphys.errors import InvalidValueError
from brickphys.rules.events import Draw
from brickphys.rules.game import Game
from brickphys.rules.record import CHANCE, OVER

HAND = 2


@dataclass(frozen=True, slots=True)
class CardState:
    """Cards still in the deck, in both hands, on the table; the first player's choice while the second chooses."""

    deck: tuple[int, ...]
    hands: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    table: tuple[int, ...] = ()
    chosen: int = 0
    dealt: int = 0


@dataclass(frozen=True, slots=True)
class CardView:
    """What a player knows: the cards that he does not see lie somewhere."""

    player: int
    hand: tuple[int, ...]
    unseen: tuple[int, ...]
    table: tuple[int, ...]
    chosen: int
    waits: bool
    dealt: int


class Cards(Game[CardState, int, CardView]):
    """Each is dealt two cards, in turn."""

    name = "cards"
    version = "1"

    @property
    def setups(self) -> Mapping[str, Mapping[str, object]]:
        return {"six": {"cards": 6}}

    def initial(self, setup: Mapping[str, object]) -> CardState:
        cards = setup.get("cards")
        if set(setup) != {"cards"} or not isinstance(cards, int) or not 4 <= cards <= 9:
            raise InvalidValueError(f"setup {dict(setup)}: cards is a number from 4 to 9")
        return CardState(tuple(range(1, cards + 1)))

    def players(self, state: CardState) -> int:
        return 2

    def actor(self, state: CardState) -> int:
        if state.dealt < 2 * HAND:
            return CHANCE
        if len(state.table) == 2 * HAND:
            return OVER
        return 1 if state.chosen else 0

    def actions(self, state: CardState) -> Sequence[int]:
        actor = self.actor(state)
        return state.hands[actor] if actor >= 0 else ()

    def problems(self, state: CardState, action: int) -> list[str]:
        if self.actor(state) < 0:
            return ["Cards 1: nobody is to play a card"]
        return (
            [] if action in self.actions(state) else [f"Cards 2: card {action} is not in the hand"]
        )

    def chance(self, state: CardState) -> Draw:
        reason = f"card for player {state.dealt % 2}"
        return Draw.uniform(*map(str, state.deck), reason=reason, secret=True)

    def apply(self, state: CardState, move: object) -> CardState:
        if isinstance(move, str):
            return self._deal(state, int(move))
        actor = self.actor(state)
        left = tuple(card for card in state.hands[actor] if card != move)
        if actor == 0:
            return replace(state, hands=(left, state.hands[1]), chosen=move)
        table = (*state.table, state.chosen, move)
        return replace(state, hands=(state.hands[0], left), table=table, chosen=0)

    def _deal(self, state: CardState, card: int) -> CardState:
        hands = list(state.hands)
        hands[state.dealt % 2] = tuple(sorted((*hands[state.dealt % 2], card)))
        deck = tuple(left for left in state.deck if left != card)
        return replace(state, deck=deck, hands=tuple(hands), dealt=state.dealt + 1)

    def returns(self, state: CardState) -> tuple[int, int]:
        tricks = zip(state.table[::2], state.table[1::2], strict=True)
        lead = sum(1 if mine > other else -1 for mine, other in tricks)
        return ((lead > 0) - (lead < 0), (lead < 0) - (lead > 0))

    def observe(self, state: CardState, player: int) -> CardView:
        own = state.chosen if player == 0 else 0
        return CardView(
            player,
            state.hands[player],
            self._unseen(state, player),
            state.table,
            own,
            state.chosen > 0,
            state.dealt,
        )

    def _unseen(self, state: CardState, player: int) -> tuple[int, ...]:
        pending = (state.chosen,) if player == 1 and state.chosen else ()
        return tuple(sorted((*state.deck, *state.hands[1 - player], *pending)))

    def alternative(self, state: CardState, player: int, rng: object) -> CardState:
        other, pending = 1 - player, player == 1 and state.chosen > 0
        unseen = [*state.deck, *state.hands[other], *([state.chosen] if pending else [])]
        unseen = [unseen[i] for i in rng.permutation(len(unseen))]
        deck, rest = unseen[: len(state.deck)], unseen[len(state.deck) :]
        hands = list(state.hands)
        hands[other] = tuple(sorted(rest[: len(hands[other])]))
        chosen = rest[-1] if pending else state.chosen
        return replace(state, deck=tuple(sorted(deck)), hands=tuple(hands), chosen=chosen)

    def imagine(self, view: CardView, rng: object) -> CardState:
        unseen = [view.unseen[i] for i in rng.permutation(len(view.unseen))]
        other = 1 - view.player
        held = (view.dealt + (1 if other == 0 else 0)) // 2 - len(view.table) // 2
        chosen = view.chosen
        if view.waits and view.player == 1:
            chosen, held = unseen.pop(), held - 1
        hand = tuple(sorted(unseen[:held]))
        hands = (hand, view.hand) if other == 0 else (view.hand, hand)
        return CardState(tuple(sorted(unseen[held:])), hands, view.table, chosen, view.dealt)

    def conserved(self, state: CardState) -> Mapping[str, object]:
        chosen = (state.chosen,) if state.chosen else ()
        cards = (*state.deck, *state.hands[0], *state.hands[1], *state.table, *chosen)
        return {"cards": tuple(sorted(cards))}

    def format_state(self, state: CardState) -> str:
        piles = (state.deck, *state.hands, state.table, (state.chosen,), (state.dealt,))
        return "/".join("".join(map(str, pile)) for pile in piles)

    def parse_state(self, text: str) -> CardState:
        piles = text.split("/")
        if len(piles) != 6 or not all(p.isdigit() or not p for p in piles):
            raise InvalidValueError(f"{text!r} is no state of cards")
        deck, first, second, table, chosen, dealt = (tuple(map(int, pile)) for pile in piles)
        if len(chosen) != 1 or len(dealt) != 1 or dealt[0] > 2 * HAND:
            raise InvalidValueError(f"{text!r} is no state of cards")
        return CardState(deck, (first, second), table, chosen[0], dealt[0])

    def format_action(self, action: int) -> str:
        return str(action)

    def parse_action(self, text: str) -> int:
        if len(text) != 1 or text not in "123456789":
            raise InvalidValueError(f"{text!r} is no card")
        return int(text)
