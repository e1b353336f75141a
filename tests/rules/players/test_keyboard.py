"""Persons who share a keyboard: what is told once, what is told to each, and how secrets are kept."""

from fractions import Fraction

import pytest

from brickphys.odds.law import BinomialLaw
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.players.keyboard import Keyboard
from brickphys.rules.players.person import Person
from brickphys.rules.record import Ending
from brickphys.rules.sources import LawSource, ScriptSource
from tests.rules.card_game import Cards
from tests.rules.keys import keys
from tests.rules.pirate_game import Pirates
from tests.rules.token_game import TokenGame

LAW = BinomialLaw(Fraction(1, 4))
WIPED = "(wiped)"
MOVES = ["turn 0"] * 4


def share(game, *lines, seats=(0, 1), screen=True, chance=None):
    """Play at one keyboard until these lines end; return the record, the keyboard and all that was shown."""
    shown = []
    wipe = (lambda: shown.append(WIPED)) if screen else None
    keyboard = Keyboard(keys(*lines, shown=shown), shown.append, wipe)
    setup = next(iter(game.setups.values()))
    players = [
        Person(game, seat, LAW, keyboard) if seat in seats else RandomBot() for seat in (0, 1)
    ]
    chance = chance or LawSource(LAW, 3)
    record = play(game, setup, players, chance, root=3, watchers=[keyboard.watch])
    return record, keyboard, "\n".join(shown)


def first_to_declare(*lines, screen=True):
    """Two captains who have moved, the second last; the first takes the keyboard to declare."""
    script = ScriptSource(["1", "2"])
    return share(Pirates(), *MOVES, *lines, screen=screen, chance=script)


def test_what_both_may_know_is_told_once():
    record, _, shown = share(TokenGame(), "take 1", "to left", "take 1", "to left")
    lines = shown.splitlines()
    assert len(record.steps) == 4
    assert all(lines.count(f"player {step.actor}: {step.text}") == 1 for step in record.steps)


def test_what_is_done_again_is_told_again():
    _, _, shown = share(TokenGame(), "take 1", "undo", "take 1")
    assert shown.count("player 0: take 1") == 2


def test_what_was_hidden_from_the_other_is_told_to_each():
    """Hands are dealt in secret: each learns of the own cards, whoever was told first."""
    record, _, shown = share(Cards(), "", "", screen=False)
    own, other = record.steps[0].text, record.steps[1].text
    assert f"(card for player 0): {own}" in shown
    assert f"(card for player 1): {other}" not in shown
    choice = next(str(action) for action in Cards().actions(record.steps[3].after))
    _, _, shown = share(Cards(), choice, screen=False)
    assert f"(card for player 1): {other}" in shown


@pytest.mark.parametrize("screen", [True, False])
def test_orders_are_wiped_before_the_other_sits_down(screen):
    lines = ["fire port ball", "ready", "", "fire starboard shot"]
    _, _, shown = first_to_declare(*([""] * screen), *lines[: 2 + 2 * screen], screen=screen)
    if not screen:
        assert WIPED not in shown
        assert "player 1 is next; this is not a terminal, so the text above stays readable" in shown
        return
    first, second, third = shown.split(WIPED)
    assert "Pass the keyboard to player 0; press Enter" in second
    assert "fire port ball" in second
    assert third.startswith("\nPass the keyboard to player 1; press Enter\n> \n")
    told, listed = third.split("your action", 1)
    assert "fire" not in told
    assert "player 0: (hidden)" in told
    assert "1 ready" in listed
    assert "fire" not in first.rpartition("turn 0")[2]


def test_what_was_wiped_is_told_to_the_one_who_has_not_read_it():
    """The last move of player 1 was never shown before the screen was wiped for player 0; player 1 reads it too."""
    _, _, shown = first_to_declare("", "ready", "")
    _, second, third = shown.split(WIPED)
    assert second.count("player 1: turn 0") == 2
    assert "player 1: turn 0" in third


@pytest.mark.parametrize(("game", "seats"), [(Cards(), (0,)), (TokenGame(), (0, 1))])
def test_nothing_is_wiped_where_one_sits_alone_or_nothing_is_hidden(game, seats):
    _, _, shown = share(game, "take 1", "to left", "take 1", seats=seats)
    assert WIPED not in shown
    assert "Pass the keyboard" not in shown


def test_an_undo_behind_a_hand_over_takes_nothing_back_and_shows_nothing():
    record, _, shown = first_to_declare("", "fire port ball", "ready", "", "undo", "show", "list")
    assert [step.text for step in record.steps][-2:] == ["fire port ball", "ready"]
    third = shown.split(WIPED)[2]
    assert "nothing to take back" in third
    assert "fire port ball" not in third.split("> undo")[0].split("your action")[0]
    assert "('fire port ball',)" not in third


def test_words_before_enter_are_neither_actions_nor_commands():
    record, _, shown = first_to_declare("fire port ball", "undo", "")
    assert shown.count("Pass the keyboard to player 0; press Enter") == 3
    assert record.actions == len(MOVES)


@pytest.mark.parametrize("last", [(), ("quit",)])
def test_an_end_while_the_keyboard_is_passed_on_tells_nobody_anything(last):
    record, keyboard, shown = first_to_declare("", "fire port ball", "ready", *last)
    assert record.ending is Ending.INTERRUPTED
    assert record.steps[-1].text == "ready"
    assert keyboard.reader is None
    assert "fire" not in shown.split(WIPED)[2]


def test_a_keyboard_without_a_place_for_games_says_so():
    _, _, shown = share(TokenGame(), "save game.jsonl")
    assert "this game cannot be saved" in shown
