"""A figure is taken, is done, and the others stay where they are (MF Rules)."""

import pytest

from brickphys.minifig.actions import EndFigure, EndMovement, TakeFigure
from brickphys.minifig.state import Deed, FigureStep
from tests.minifig.small_battle import battle, fighter, listed, played, why_not

TYPES = (TakeFigure, EndFigure, EndMovement)
STATE = battle(
    fighter("tom", 5, 5, "sword"),
    fighter("tim", 7, 5, deed=Deed.OTHER),
    fighter("ted", 9, 5, is_alive=False),
    fighter("tab", 11, 5, "bow"),
    fighter("bob", 20, 5, "axe", player=1),
)


def test_own_figures_that_have_done_nothing_are_taken_in_any_order():
    assert listed(TYPES[:1], STATE) == ["take tom", "take tab"]
    assert played(TYPES, STATE, "take tab").active == 3


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("tam", "unknown figure 'tam': did you mean 'tom'? (MF Rules)"),
        ("tim", "tim has already acted in this round (MF Rules)"),
        ("ted", "ted is eliminated (MF Resolving Combat)"),
        ("bob", "bob belongs to blue (MF Rules)"),
    ],
)
def test_who_cannot_be_taken(name, problem):
    assert why_not(TYPES, STATE, f"take {name}") == [problem]


@pytest.mark.parametrize(
    ("step", "deed"),
    [
        (FigureStep.CHOSEN, Deed.MOVED),
        (FigureStep.MOVED, Deed.MOVED),
        (FigureStep.MOUNTED, Deed.OTHER),
        (FigureStep.DISMOUNTED, Deed.OTHER),
        (FigureStep.ON_FOOT, Deed.OTHER),
        (FigureStep.PICKED_UP, Deed.OTHER),
    ],
)
def test_only_who_has_moved_or_stayed_attacks(step, deed):
    state = played(TYPES, STATE.replaced({"active": 0, "step": step}), "done")
    assert (state.active, state.step, state.figures[0].deed) == (None, FigureStep.CHOSEN, deed)


def test_nobody_is_done_who_was_not_taken():
    assert why_not(TYPES, STATE, "done") == ["take a figure first (MF Rules)"]


def test_the_end_leaves_all_others_of_the_side_as_they_are():
    state = played(TYPES, STATE, "end")
    assert [one.deed for one in state.figures] == [
        Deed.MOVED,
        Deed.OTHER,
        Deed.NOTHING,  # eliminated
        Deed.MOVED,
        Deed.NOTHING,  # of the other side
    ]
    assert not listed(TYPES[:1], state)
