"""Hands and the deck: draws, the reshuffle, purchases and discards (BB 4.0, 5.1, 5.4)."""

from random import Random

import pytest

from brickphys.blade_and_bow.command import cards
from brickphys.blade_and_bow.deck import COLOURS, DECK_CARDS, card_numbers, deck
from brickphys.blade_and_bow.pieces import Box
from tests.blade_and_bow.battle import battle

RESHUFFLE = card_numbers()["reshuffle"]
GROUND = "....\n....\n...."
TWO = ("greeks spears A1 e", "persians spears D3 w")
LED = (*TWO, "greeks leader leon A1 1-6-3/red")


def cards_of(state):
    """Return every card of a state, in increasing order."""
    return sorted((*state.deck, *state.discards, *(card for hand in state.hands for card in hand)))


def draw(state, card):
    """Return the state after a card of some name is drawn that is pending."""
    return state.first_pending.settle(state.pop_pending(), card)


def test_no_card_is_lost_or_doubled_whatever_is_drawn_and_discarded():
    rng = Random(4)
    state = battle(GROUND, *LED)
    for _ in range(400):
        player = rng.randrange(2)
        if state.hands[player] and rng.random() < 0.4:
            state = cards.discarded(state, player, rng.choice(state.hands[player]))
        else:
            state = state.push_pending(cards.DeckDraw(player, rng.random() < 0.5))
            while state.pending:
                if state.first_pending.lapses(state):
                    state = state.pop_pending()
                else:
                    names = [name for name, _ in state.event.weights]
                    state = draw(state, rng.choice(names))
        assert cards_of(state) == list(range(DECK_CARDS))
        assert all(len(state.hands[player]) <= state.hand_size(player) for player in (0, 1))
        assert all(list(hand) == sorted(hand) for hand in (*state.hands, state.deck))
        assert RESHUFFLE not in state.hands[0] + state.hands[1]


@pytest.mark.parametrize("colour", COLOURS)
def test_a_card_gives_the_actions_of_the_commanders_colour(colour):
    """BB 4.3, 5.4.1."""
    state = battle(GROUND, *TWO, f"greeks leader leon A1 1-6-3/{colour}", actions=0)
    state = draw(state.push_pending(cards.DeckDraw(0, to_hand=False)), "battle_cry")
    number = card_numbers()["battle_cry"]
    assert state.actions == deck()[number].command[COLOURS.index(colour)]
    assert state.discards == (number,)
    assert number not in state.deck


def test_an_army_without_leaders_takes_the_white_number():
    state = draw(battle(GROUND, *TWO).push_pending(cards.DeckDraw(0, to_hand=False)), "battle_cry")
    assert state.actions == deck()[card_numbers()["battle_cry"]].command[0]


@pytest.mark.parametrize("to_hand", [False, True])
def test_the_reshuffle_makes_the_deck_anew_keeps_hands_and_is_drawn_again(to_hand):
    """BB 2.2.1, 5.1."""
    state = battle(GROUND, *LED, hands=((1, 2), (3,)))
    for card in (5, 6, 7):
        state = state.replaced({"deck": tuple(n for n in state.deck if n != card)})
    state = state.replaced({"discards": (5, 6, 7)}).push_pending(cards.DeckDraw(0, to_hand=to_hand))
    after = draw(state, "reshuffle")
    assert after.hands == ((1, 2), (3,))
    assert after.deck == tuple(n for n in range(DECK_CARDS) if n not in (1, 2, 3))
    assert after.discards == ()
    assert after.first_pending == cards.DeckDraw(0, to_hand=to_hand)


def test_an_empty_deck_is_made_anew_from_the_discards():
    """BB 5.1."""
    held = (1, 2)
    left = tuple(n for n in range(DECK_CARDS) if n not in held)
    state = battle(GROUND, *LED, hands=(held, ())).replaced({"deck": (), "discards": left})
    state = state.push_pending(cards.DeckDraw(0, to_hand=True))
    assert len(state.event.weights) == len(left)
    after = draw(state, deck()[7].name)
    assert after.hands[0] == (1, 2, 7)
    assert after.deck == tuple(n for n in left if n != 7)
    assert after.discards == ()


def test_nobody_is_told_what_is_left_in_the_deck():
    state = battle(GROUND, *LED).push_pending(cards.DeckDraw(0, to_hand=False))
    assert state.event.secret
    assert not any(card.name in state.event.question for card in deck())


def test_hands_are_full_on_the_first_turn_and_a_choice_later():
    """BB 5.1: one more than the commander's value; one card without a commander (BB 4.0)."""
    first = cards.draw_phase(battle(GROUND, *LED, holder=1))
    assert first.pending == (
        cards.DeckDraw(1, to_hand=True),
        *[cards.DeckDraw(0, to_hand=True)] * 4,
    )
    later = cards.draw_phase(battle(GROUND, *LED, turn=2, hands=((), (9,))))
    assert later.pending == (cards.DrawChoice(0), cards.DrawChoice(1))
    assert not later.first_pending.lapses(later)
    assert later.pending[1].lapses(later)
    assert cards.DrawCard().apply(later).first_pending == cards.DeckDraw(0, to_hand=True)
    assert cards.Keep().apply(later).pending == (cards.DrawChoice(1),)


def test_discard_purchase_and_pass_cost_an_action():
    """BB 5.4.4.5 to 5.4.4.7."""
    state = battle(GROUND, *LED, hands=((1, 2), ()))
    thrown = cards.Discard(deck()[2].name).apply(state)
    assert (thrown.actions, thrown.hands[0], thrown.discards) == (2, (1,), (2,))
    bought = cards.Purchase().apply(state)
    assert (bought.actions, bought.first_pending) == (2, cards.DeckDraw(0, to_hand=True))
    assert cards.Pass().apply(state).actions == 2


def test_only_cards_of_the_hand_are_discarded_and_a_full_hand_buys_none():
    full = battle(GROUND, *LED, hands=((1, 2, 3, 4), ()))
    assert {action.card for action in cards.Discard.legal(full)} == {
        deck()[n].name for n in (1, 2, 3, 4)
    }
    assert list(cards.Discard(deck()[9].name).problems(full)) == [
        f"{deck()[9].name} is not in the hand (BB 4.0)"
    ]
    assert "unknown card 'axe'" in next(cards.Discard("axe").problems(full))
    assert list(cards.Purchase.legal(full)) == []
    assert list(cards.Purchase().problems(full)) == ["the hand of 4 is full (BB 5.4.4.6)"]


def test_a_new_commander_changes_the_hand_from_the_next_turn_on():
    """BB 4.0; an army without leaders is limited at once."""
    state = battle(
        "....",
        "greeks hoplite A1 e",
        "greeks leader ann A1 1-6-3/red",
        "greeks leader ben A1 2-6-2/white",
        "persians spears D1 w",
    )
    assert state.hand_size(0) == 4
    gone = {"box": Box.ELIMINATED, "square": None}
    without = state.change_leader(0, **gone)
    assert without.hand_size(0) == 4
    assert without.next_hand_sizes[0] == 3
    assert without.change_leader(1, **gone).hand_size(0) == 1


@pytest.mark.parametrize(("to_hand", "aim"), [(True, "hand"), (False, "actions")])
def test_a_draw_says_which_deck_and_what_for_and_what_is_typed(to_hand, aim):
    event = battle(GROUND, *LED).push_pending(cards.DeckDraw(0, to_hand=to_hand)).event
    assert f"(a card of the deck for the {aim} of greeks)" in event.question
    assert event.asked == f"{event.question} Type the name that you drew."
