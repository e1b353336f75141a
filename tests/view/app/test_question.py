"""What stands beside the picture of a game: its tables, what may be clicked, and why a click does nothing."""

from statistics import mean
from types import SimpleNamespace

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from nicegui import ui

from benchmarks.clicks import clicks
from brickphys.battles.ongoing_game import OngoingGame, Waits
from brickphys.battles.start import GameStart
from brickphys.errors import InvalidValueError
from brickphys.odds.law_file import DEFAULT, find_law
from brickphys.pirate_wars.sailing import FallOff
from brickphys.rules.players.person import planned_action
from brickphys.rules.players.prompt import Choice
from brickphys.rules.registry import game
from brickphys.rules.report.story import status_text
from brickphys.view.app.battles.inputs import why_nothing, words
from brickphys.view.app.battles.picture import in_words, show_status
from brickphys.view.app.battles.question import verb, verbs, what_to_do
from brickphys.view.app.page_html import html_list
from brickphys.view.battle import LiveBattle
from tests.view.visits import visited

NARROW = [("", "ship", "crew"), ("A", "black_pearl", "4 of 4")]
WIDE = [("", *"abcdefg", ""), ("A", "swift", "1", "", "3", "4", "5", "6", "sunk")]
PEOPLE = [("", "kind"), ("roland", "soldier")]


def shown(*tables):
    """Return what is shown of tables, as HTML."""
    found = []

    async def check(visit):
        found.extend(visit.html())

    visited(
        lambda: show_status(ui.element(), ui.element(), status_text("Round 1", "", tables)), check
    )
    return found


def test_letters_of_the_map_in_text_are_left_out():
    (table,) = shown(NARROW)
    assert "<caption>Round 1</caption>" in table
    assert '<th scope="row">black pearl</th><td>4 of 4</td>' in table


def test_a_name_without_a_heading_keeps_its_column():
    _, table = shown(NARROW, PEOPLE)
    assert "<caption>kind</caption>" in table
    assert '<th scope="row">roland</th><td>soldier</td>' in table


def test_cards_lie_in_the_hand_until_nobody_may_see_them():
    cards = [("card", "in hand of", "commitment"), ("tail_wind", "greeks", "2")]
    found = []

    def show():
        places = (ui.element(), ui.element())
        for status in (status_text("Round 1", "", (NARROW, cards)), ""):
            show_status(*places, status)
            found.append([[one.content for one in place.descendants()] for place in places])

    async def check(_):
        ((_, (hand,)), nothing) = found
        assert "<b>tail wind</b><span><small>commitment</small> 2" in hand
        assert nothing == [[], []]

    visited(show, check)


def test_a_table_that_is_too_wide_is_a_list_without_its_empty_cells():
    (found,) = shown(WIDE)
    assert "<table" not in found
    assert "<b>swift</b><span><small>b</small> 1</span><span><small>d</small> 3</span>" in found
    assert "<span><small></small> sunk</span>" in found


@pytest.mark.parametrize(("number", "kind"), [(5, "table"), (9, "ul")])
def test_owners_and_kinds_of_many_rows_are_their_headings(number, kind):
    columns = ("unit", "army", "kind", *"abcdefg"[: number - 3])
    rest = [""] * (number - 4)
    rows = [(f"{of}_{n}", of, "spears", "4", *rest) for of in ("red", "blue") for n in range(3)]
    (found,) = shown([columns, *rows])
    assert f"<{kind}" in found
    assert "army" not in found
    assert "kind" not in found
    places = [found.index(word) for word in ("red: spears", "red 0", "red 2", "blue: spears")]
    assert places == sorted(places)
    (few,) = shown([columns, *rows[::3]])
    assert "army" in few


def test_the_texts_of_a_list_are_escaped():
    found = html_list("<i>", ("<i>", "<i>"), [("<i>", "<i>")])
    assert found.count("&lt;i&gt;") == 4
    assert "<i>" not in found


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


def choice(*, is_attack=False):
    return Choice((), "walk 1,1", "", (1.0, 1.0), is_attack)


@pytest.mark.parametrize(
    ("attacks", "reaches", "clicks"),
    [
        ([False], [0.0], "Yellow: walk there."),
        ([False], [9.0], "Yellow rings: walk."),
        ([True], [9.0], "Red rings: attack."),
        ([False, False, True], [0.0, 9.0, 9.0], "Yellow: walk there. Red rings: attack."),
    ],
)
def test_each_mark_that_is_lit_is_named(attacks, reaches, clicks):
    verbs = ["walk"] * len(attacks)
    assert what_to_do([choice(is_attack=one) for one in attacks], verbs, reaches, None) == clicks


@pytest.mark.parametrize(("here_mm", "white"), [(8.0, "who acts"), (0.0, "where the unit goes")])
def test_the_white_ring_is_explained_where_there_is_one(here_mm, white):
    assert what_to_do([], [], [], here_mm) == f"White ring: {white}."


def test_each_verb_of_the_places_is_told_once():
    told = what_to_do([choice()] * 3, ["go", "fall", "go"], [0.0] * 3, None)
    assert told == "Yellow: go or fall there."


def test_where_any_place_in_reach_may_be_clicked_it_is_told():
    told = what_to_do([choice()], ["go"], [0.0], None, ("go",))
    assert told == "Yellow: go there, or anywhere in reach."


@pytest.mark.parametrize(
    ("text", "before", "word"),
    [
        ("walk 5,6", "do walk", "walk"),
        ("to 38,4", "throw knife held", "throw"),
        ("to H13", "relocate tigranes", "relocate"),
        ("turn -45", "", "turn"),
        ("pick_up relic", "", "pick up"),
    ],
)
def test_the_verb_of_an_action_is_that_of_the_choice_that_it_completes(text, before, word):
    assert verb(text, before) == word


def test_a_list_says_what_its_actions_do():
    table = SimpleNamespace(session=SimpleNamespace(steps=[]), game=game("pirate_wars"))
    fall = Choice((FallOff(-35.0),), "fall -35", "", (1.0, 1.0), is_attack=False)
    assert verbs(table, [fall]) == ["fall off"]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("turn -45", "turn 45° right"),
        ("fall 7.5", "fall 7.5° left"),
        ("turn 0", "turn 0: straight on"),
    ],
)
def test_a_turn_is_read_with_its_side(text, read):
    assert in_words(text) == read


@pytest.mark.parametrize(
    ("name", "setup", "most", "most_changes"),
    [("bow", "duel", 5_500, 2_600), ("minifig", "duel", 8_500, 3_300)],
)
def test_a_click_makes_few_calls(name, setup, most, most_changes):
    found = clicks(name, setup, 10)
    assert mean(one.total for one in found) < most
    assert mean(one.changes for one in found) < most_changes
