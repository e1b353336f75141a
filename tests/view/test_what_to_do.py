"""The sentence above the choices of a game: it names the marks that are lit, and no others."""

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from brickphys.rules.players.prompt import Choice
from brickphys.view.app.battles.question import verb, what_to_do


def choice(*, is_attack=False):
    return Choice((), "walk 1,1", "", (1.0, 1.0), is_attack)


@pytest.mark.parametrize(
    ("attacks", "reaches", "clicks"),
    [
        ([False], [0.0], "a yellow place to walk there"),
        ([False], [9.0], "a yellow ring to choose what is in it"),
        ([True], [9.0], "a red ring to attack"),
        (
            [False, False, True],
            [0.0, 9.0, 9.0],
            "a yellow place to walk there, a yellow ring to walk to what is in it or a red ring to attack",
        ),
    ],
)
def test_each_mark_that_is_lit_is_named(attacks, reaches, clicks):
    verbs = ["walk"] * len(attacks)
    told = what_to_do([choice(is_attack=one) for one in attacks], verbs, reaches, None)
    assert told == f"Click {clicks}; or use the buttons."


@pytest.mark.parametrize(
    ("here_mm", "white"), [(8.0, "around who acts"), (0.0, "where the unit goes")]
)
def test_the_white_ring_is_explained_where_there_is_one(here_mm, white):
    assert what_to_do([], [], [], here_mm) == (
        f"Use the buttons: nothing is lit in the picture now. The white ring is {white}."
    )


def test_each_verb_of_the_places_is_told_once():
    told = what_to_do([choice()] * 3, ["go", "fall", "go"], [0.0] * 3, None)
    assert told == "Click a yellow place to go or fall there; or use the buttons."


def test_where_any_place_in_reach_may_be_clicked_it_is_told():
    told = what_to_do([choice()], ["go"], [0.0], None, ("go",))
    assert told == "Click a yellow place, or any other in reach, to go there; or use the buttons."


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
