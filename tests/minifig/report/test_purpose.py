"""The list of places: how it shows them and what they are for, and that all of it is read again."""

import pytest

from brickphys.rules.players.typed import Typed
from tests.minifig.battle import GAME
from tests.minifig.small_battle import battle, fighter


def lists(lying):
    """Tom's list of places, with what each is for, and what reads it."""
    state = battle(
        fighter("tom", 4, 10),
        fighter("bob", 16, 10, player=1),
        fighter("bob_2", 30, 20, player=1),
        active=0,
        lying=lying,
    )
    state = GAME.apply(state, GAME.parse_action("do go"))
    actions = GAME.actions(state)
    typed = Typed(GAME, state, actions)
    told = [GAME.purpose(state, action) for action in actions]
    return typed, list(zip(actions, typed.shown, told, strict=True))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("bob_sword", "at the sword of bob"),
        ("bob_2_sword", "at the sword of bob 2"),
        ("old_axe", "at old axe"),
    ],
)
def test_names_are_told_as_they_are_read(name, told):
    """The item lies 4 inches to the east of Tom."""
    typed, listed = lists({name: (name.rpartition("_")[2], 8, 10)})
    (found,) = (action for action, _, purpose in listed if purpose == told)
    assert typed.action(told) == found
    assert not any("_" in purpose for _, _, purpose in listed)


def test_places_are_shown_with_their_facing_and_read_so():
    typed, listed = lists({"axe": ("axe", 8, 10)})
    shown = [text for _, text, _ in listed]
    assert "go 12,10 facing 0°" in shown  # 8 inches to the east, where Bob is
    for action, text, _ in listed:
        if text == "done":
            continue
        place, _, facing = text.removeprefix("go ").partition(" facing ")
        for form in (text, f"{place} facing {facing}", f"{place.replace(',', ' ')} {facing[:-1]}"):
            assert typed.action(form) == action


@pytest.mark.parametrize(
    "form",
    ["go 9,9.5 facing 45°", "9, 9.5 facing 45°", "go 9 9.5 facing north-east", "go 9,9.5 45°"],
)
def test_a_place_that_is_not_listed_is_read_in_the_form_of_the_list(form):
    typed, _ = lists({})
    assert GAME.format_action(typed.action(form)) == "go 9 9.5 45"
