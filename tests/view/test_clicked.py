"""A click that does nothing: it is told why, without what somebody at a keyboard would type."""

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from brickphys.battles.ongoing_game import OngoingGame, Waits
from brickphys.battles.start import GameStart
from brickphys.errors import InvalidValueError
from brickphys.odds.law_file import DEFAULT, find_law
from brickphys.rules.players.person import planned_action
from brickphys.rules.registry import game
from brickphys.view.app.battles.inputs import why_nothing, words
from brickphys.view.battle import LiveBattle


def clicked(name, setup, text, *typed):
    """Return what is told of the words of a click, after some choices."""
    played = game(name)
    law = find_law(DEFAULT)
    table = OngoingGame(played, GameStart(played.setups[setup], 7), "person", law, DEFAULT)
    for one in (*typed, text):
        while table.waits is Waits.PROGRAM:
            table.go_on()
        if one != text:
            table.choose(*planned_action(table.asked, one).actions)
    with pytest.raises(InvalidValueError) as found:
        planned_action(table.asked, text)
    return str(found.value), why_nothing(found.value, table.asked)


def test_a_place_for_several_says_to_choose_first_who_acts():
    typed, told = clicked("bow", "skirmish", "5,5")
    assert "is ambiguous" in typed
    assert told == "Several can do this here: choose first who acts."


def test_what_nobody_can_do_is_told_without_words_to_type():
    typed, told = clicked("bow", "skirmish", "attack blue_knight_1")
    assert "; for another one, type why attack blue_knight_1 by NAME" in typed
    assert told.startswith("nobody can do this now; red_knight_1: ")
    assert "type" not in told


@pytest.mark.parametrize("text", ["100 64", "swift"])
def test_what_is_asked_is_told_where_neither_a_place_nor_a_piece_is(text):
    typed, told = clicked("pirate_wars", "duel", text)
    assert typed != told
    assert told.startswith("No place and no piece is asked for here now, but this: ")


@pytest.mark.parametrize(
    ("thing", "meant"),
    [
        ("ship scorpion", "attack scorpion"),
        ("ship scorpion/sail 1", "attack scorpion"),
        ("crew scorpion_captain", "attack scorpion_captain"),
        ("ship swift", "swift"),
    ],
)
def test_a_ship_that_is_clicked_is_meant_with_its_sails_and_its_crew(thing, meant):
    played = game("pirate_wars")
    law = find_law(DEFAULT)
    table = OngoingGame(played, GameStart(played.setups["duel"], 3), "person,greedy", law, DEFAULT)
    while table.waits is Waits.PROGRAM:
        table.go_on()
    live = LiveBattle(played, table.record, 0, "duel")
    assert words((0.0, 0.0), thing, table, live) == meant
