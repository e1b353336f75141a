"""The sentence above the choices of a game: it names the marks that are lit, and no others."""

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from brickphys.rules.players.choices import Choice
from brickphys.view.app.battles.what_to_do import what_to_do


def choice(*, is_attack=False):
    return Choice((), "walk 1,1", "", (1.0, 1.0), is_attack)


@pytest.mark.parametrize(
    ("attacks", "reaches", "clicks"),
    [
        ([False], [0.0], "a yellow place to go there"),
        ([False], [9.0], "a yellow ring to choose what is in it"),
        ([True], [9.0], "a red ring to attack"),
        (
            [False, False, True],
            [0.0, 9.0, 9.0],
            "a yellow place to go there, a yellow ring to go to what is in it or a red ring to attack",
        ),
    ],
)
def test_each_mark_that_is_lit_is_named(attacks, reaches, clicks):
    told = what_to_do([choice(is_attack=one) for one in attacks], reaches, acts=False)
    assert told == f"Click {clicks}; or use the buttons."


def test_the_ring_of_who_acts_is_explained_where_there_is_one():
    assert what_to_do([], [], acts=True) == (
        "Use the buttons: nothing in the picture can be clicked now. The white ring is around who acts."
    )
