"""Secrets: the hands of the enemy, the cards left in the deck, and ranks that the enemy has not seen (BB 2.3.2.8, 4.0).

Losses and the sum of an army's ranks are known to everybody (BB 14.2), and ranks that were seen stay known (ours).
"""

from typing import TYPE_CHECKING

from brickphys.blade_and_bow.sheets.cards import deck
from brickphys.blade_and_bow.state.pieces import HIDDEN
from brickphys.blade_and_bow.state.state import State
from brickphys.blade_and_bow.turns.setup_choices import unchosen

if TYPE_CHECKING:
    import numpy as np


def is_hidden(state: State) -> bool:
    """Tell whether a player may know less than the state holds: until the battle is over."""
    return state.result is None


def seen(state: State, player: int) -> State:
    """Return what a player sees: cards of the enemy are in the deck, and hidden in the hand; so are unseen ranks."""
    if not is_hidden(state):
        return state
    enemy = 1 - player
    cards = state.hands[enemy]
    covered = {*state.setting.chosen_ranks}.difference(unchosen(state))
    units = tuple(
        unit.replaced({"ranks": HIDDEN})
        if number in covered and not unit.seen and state.player_of(number) == enemy
        else unit
        for number, unit in enumerate(state.units)
    )
    state = state.with_entry("hands", enemy, (HIDDEN,) * len(cards))
    return state.replaced({"deck": tuple(sorted((*state.deck, *cards))), "units": units})


def redrawn(view: State, rng: "np.random.Generator") -> State:
    """Return a state with this view: hidden cards are dealt anew, and hidden ranks drawn within limits and sums."""
    return _with_ranks(_with_hands(view, rng), rng)


def _with_hands(view: State, rng: "np.random.Generator") -> State:
    """Deal the cards of the hand that is hidden; the reshuffle card is never in a hand (BB 2.2.1)."""
    for player, hand in enumerate(view.hands):
        if HIDDEN in hand:
            cards = [card for card in view.deck if not deck()[card].is_reshuffle]
            drawn = {cards[index] for index in rng.permutation(len(cards))[: len(hand)]}
            left = tuple(card for card in view.deck if card not in drawn)
            return view.with_entry("hands", player, tuple(sorted(drawn))).replaced({"deck": left})
    return view


def _with_ranks(view: State, rng: "np.random.Generator") -> State:
    """Draw hidden ranks: each of the ranks that fit into the units is as likely as any other to be there."""
    setting, units = view.setting, list(view.units)
    covered = [number for number, unit in enumerate(units) if unit.ranks == HIDDEN]
    if not covered:
        return view
    player, waiting = view.player_of(covered[0]), unchosen(view)
    rest = setting.ranks[player] - sum(
        unit.lost + max(unit.ranks, 0)
        for number, unit in enumerate(units)
        if view.player_of(number) == player
    )
    open_units = [*covered, *(number for number in waiting if view.player_of(number) == player)]
    room = [setting.units[number].most_ranks - units[number].lost for number in open_units]
    for number, ranks in zip(open_units, rng.multivariate_hypergeometric(room, rest), strict=True):
        if number in covered:
            units[number] = units[number].replaced({"ranks": int(ranks)})
    return view.replaced({"units": tuple(units)})
