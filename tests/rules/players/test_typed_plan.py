"""Actions that are typed before who does them is chosen, several on a line, and those that nobody has to choose."""

import re
from fractions import Fraction

import pytest

from brickphys.bow.game import Bow
from brickphys.minifig.game import Minifig
from brickphys.odds.law import BinomialLaw
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.players.keyboard import Keyboard
from brickphys.rules.players.person import Person
from brickphys.rules.sources import LawSource, ScriptSource
from tests.command_line import brickphys
from tests.rules.keys import keys

LAW = BinomialLaw(Fraction(1, 4))


def sit(*lines, name="skirmish", chance=("6", "0"), game=None):
    """Play the first player, red in BOW; return the moves behind the rolls and all that was shown."""
    shown = []
    game, keyboard = game or Bow(), Keyboard(keys(*lines, shown=shown), shown.append)
    players = [Person(game, 0, LAW, keyboard), RandomBot()]
    source = ScriptSource(chance) if chance else LawSource(LAW, 3)
    setup = game.setups[name]
    record = play(game, setup, players, source, root=3, watchers=[keyboard.watch])
    return [step.text for step in record.steps[2:]], "\n".join(shown)


def answers(*lines, **options):
    """Return what was answered to each line."""
    _, shown = sit(*lines, **options)
    return [part.partition("\n")[2] for part in shown.split("\n> ")[1:]]


@pytest.mark.parametrize(
    ("typed", "moves"),
    [
        ("walk 5,4 by red knight 1", ["unit red_knight_1", "walk 5,4"]),
        ("walk 5,4 from A", ["unit red_knight_1", "walk 5,4"]),
        ("5,26 by trooper", ["unit red_trooper_1", "walk 5,26"]),
    ],
)
def test_who_acts_may_be_named_behind_the_action(typed, moves):
    assert sit(typed)[0] == moves


def test_an_action_that_only_one_unit_can_do_is_that_units():
    """The stud at the border is 4 studs from the knight and too far for all others."""
    assert sit("walk 4,0")[0] == sit("4,0")[0] == ["unit red_knight_1", "walk 4,0"]


def test_if_several_can_act_they_are_named_as_they_can_be_typed():
    (told,) = answers("walk 5,5")
    assert told.startswith("'walk 5,5' is ambiguous: walk 5,5 by red_knight_1, ")
    assert sit("walk 5,5 by red_swordsman_1")[0] == ["unit red_swordsman_1", "walk 5,5"]


def test_why_and_odds_look_behind_the_choice_of_a_unit():
    far, legal, odds, other, nobody = answers(
        "why attack blue knight 1 from red knight 1",
        "why walk 5,4 by red knight 1",
        "odds attack blue archer 1 by red archer 1",
        "walk 5,4 by blue knight 1",
        "attack blue knight 1 sword",
    )
    assert "sword cannot touch blue_knight_1" in far
    assert legal == "'walk 5,4' is legal after 'unit red_knight_1'"
    assert "blue_archer_1" in odds
    assert "blue_knight_1 belongs to blue (BOW 2.2)" in other
    assert nobody.startswith("nobody can do this now; red_knight_1: ")


def test_a_mistyped_action_before_its_unit_is_chosen_gets_a_suggestion():
    mistyped, unknown, why = answers("atack blue archer 1", "zzz", "why")
    assert mistyped == "unknown action 'atack': did you mean 'attack'?"
    assert unknown.startswith("unknown action 'zzz': choose a unit first: ")
    assert why == "why needs an action, such as: why unit red_trooper_1"


def test_several_choices_on_a_line_are_made_one_after_the_other():
    moves, shown = sit("walk 5,4 by red knight 1; n; end")
    assert moves[:4] == ["unit red_knight_1", "walk 5,4", "face n", "end"]
    assert "left out" not in shown
    moves, shown = sit("unit red_knight_1; walk 39,31; end")
    assert moves == ["unit red_knight_1"]
    assert "not done: end (walk 39,31 was not done)" in shown


def test_the_rest_of_a_line_ends_nobody_else_s_turn():
    """A figure's turn ends by itself; then the one figure that is left is not done, unless the line names it."""
    lines = ("take richard; go 12 10 331", "take will; go 11 11 0; done; done")
    moves, shown = sit(*lines, game=Minifig(), name="duel", chance=())
    assert moves[-1] == "go 11 11 0"
    assert "not done: done; done (that turn is over; for the next one, type done by robin)" in shown
    named = (lines[0], "take will; go 11 11 0; done by robin")
    moves, _ = sit(*named, game=Minifig(), name="duel", chance=())
    assert moves[moves.index("go 11 11 0") + 1 :][:2] == ["take robin", "done"]


@pytest.mark.parametrize("name", ["A", "red trooper", "unit red_trooper"])
def test_who_was_chosen_as_nobody_else_can_be_may_be_named(name):
    moves, shown = sit(name, f"{name}; end", name="duel")
    assert "red_trooper acts already" in shown
    assert moves[1] == "end"


@pytest.mark.parametrize(
    "line", ["red_knight_1;5,4;n;end", "A;5,4;n;end", "unit red_knight_1;5,4;n;end"]
)
def test_a_name_that_ends_in_a_number_begins_no_place(line):
    assert sit(line)[0][:4] == ["unit red_knight_1", "walk 5,4", "face n", "end"]


@pytest.mark.parametrize("line", ["1;5,4;end", "1 ;5,4 ;end"])
def test_semicolons_need_no_blanks(line):
    assert sit(line)[0] == sit("1", "5,4", "end")[0]


def test_numbers_with_semicolons_are_choices_if_the_first_is_in_the_list_and_else_a_place():
    """What begins with a number of the list is choices, also where it would be a place in reach."""
    unit, walk, third = sit("1", "1", "1")[0][:3]
    assert sit("1;1;1")[0][:3] == [unit, walk, third]
    _, shown = sit("unit red trooper 1", "1;26")
    assert "26" in shown
    (here,) = answers("unit red trooper 1", "25;26")[1:]
    assert "25,26" in here
    (far,) = answers("unit red knight 1", "walk 39;31")[1:]
    assert "39,31" in far


@pytest.mark.parametrize("line", ["2;1;3", "2;;1; 3;"])
def test_answers_that_are_numbers_themselves_need_no_blanks_either(line):
    """The ranks before a battle have no numbers of the list: the number is the answer."""
    words = ["play", "blade_and_bow", "marathon", "--bots", "person", "--seed", "4"]
    told = brickphys(*words, typed=f"{line}\nquit\n").stdout
    assert re.findall(r"(Left \d) has (\d) rank", told) == [
        ("Left 1", "2"),
        ("Left 2", "1"),
        ("Left 3", "3"),
    ]
    assert "unknown action" not in told


def test_a_second_choice_that_is_left_out_after_a_roll_is_told_why():
    line = "attack blue archer 1 by red archer 1; attack blue archer 1"
    _, shown = sit(line, chance=("6", "0", "0 0"))
    assert "not done: attack blue archer 1 (bricks or dice were rolled first" in shown


def test_a_choice_that_was_taken_back_is_made_again():
    moves, shown = sit(
        "unit red knight 1", "walk 5,4", "undo", "redo", "undo", "undo", "redo", "redo", "redo"
    )
    assert moves == ["unit red_knight_1", "walk 5,4"]
    assert shown.count("nothing to do again") == 1
    moves, shown = sit("unit red knight 1", "walk 5,4", "undo", "walk 4,4", "redo")
    assert moves[:2] == ["unit red_knight_1", "walk 4,4"]
    assert shown.count("nothing to do again") == 1


def test_choices_behind_redo_are_left_out_and_that_is_told():
    moves, shown = sit("unit red knight 1", "walk 5,4", "undo", "redo; n; end", "redo; n")
    assert moves == ["unit red_knight_1", "walk 5,4"]
    assert "not done: n; end (after redo the line is not read on)" in shown
    assert "not done: n (after redo the line is not read on)" in shown


def test_a_command_is_not_suggested_in_place_of_itself():
    for told in answers("why undo", "odds redo"):
        assert re.match(r"'(undo|redo)' is a command, not an action: ", told)


@pytest.mark.parametrize("command", ["undo", "odds", "help", "undo nothing"])
def test_choices_behind_a_command_are_left_out_and_that_is_told(command):
    moves, shown = sit("unit red knight 1", f"{command}; walk 5,4; end")
    assert moves == ([] if command.startswith("undo") else ["unit red_knight_1"])
    assert shown.count("not done: walk 5,4; end") == 1


def test_the_only_legal_choice_is_made_and_told():
    moves, shown = sit(name="duel")
    assert moves == ["unit red_trooper"]
    assert "red: unit red_trooper, the only legal choice (your next unit)" in shown


def test_an_only_choice_is_taken_back_with_the_choice_before_it_alone():
    moves, shown = sit("undo", "walk 5,4", "undo", name="duel")
    assert "nothing to take back: you have chosen nothing yet" in shown
    assert moves == ["unit red_trooper"]
    assert shown.count("the only legal choice") == 1
