"""A place with a heading, typed without any word: the unit goes there; or what to type is told, or why it cannot go."""

import pytest

from brickphys.errors import InvalidValueError
from brickphys.rules.players.person import planned_action
from brickphys.rules.players.typed import is_place, is_place_or_pose
from tests.blade_and_bow.battle import battle
from tests.blade_and_bow.game import GAME, question

FIELD = "....... ....... ....... ....... ......."
PIECES = (
    "greeks hoplite D4 n +2 as=ann",
    "greeks hoplite E4 n +2 as=amy",
    "greeks spears G5 n as=far",
    "greeks leader leo D5 1-3-3/red",
    "persians spears A1 s as=bob",
)
STATE = battle(FIELD, *PIECES)
ALONE = battle(FIELD, *PIECES[:1], *PIECES[3:])


def after(state, *moves):
    for move in moves:
        state = GAME.apply(state, GAME.parse_action(move))
    return state


FORMED = after(STATE, "form leo move", "all")
TAKEN = after(FORMED, "take ann")


def meaning(state, text):
    """What is done for a text, or what is answered."""
    try:
        found = planned_action(question(state), text)
    except InvalidValueError as error:
        return str(error)
    return "; ".join(GAME.format_action(one) for one in found.actions)


@pytest.mark.parametrize(
    ("state", "text", "told"),
    [
        (TAKEN, "D3 n", "go D3 n"),
        (TAKEN, "d3 north", "go D3 n"),
        (TAKEN, "D3 facing north-west", "go D3 nw"),
        (TAKEN, "reverse_at D3 n", "reverse_at D3 n"),
        (TAKEN, "D4 n", "'go D4 n' is illegal: ann is already at D4 n: choose stay (BB 7.0)"),
        (
            TAKEN,
            "D5 n",
            "'go D5 n' is illegal: ann has no way to D5 n with 6 points: there it can face s (BB 7)",
        ),
        (TAKEN, "D5", "go D5 s"),
        (FORMED, "D3 n", "'D3 n' is ambiguous: D3 n by ann, D3 n by amy"),
        (FORMED, "D3 n by amy", "take amy; go D3 n"),
        (STATE, "D3 n by ann", "single ann move; go D3 n"),
        (STATE, "G4 n", "single far move; go G4 n"),
        (ALONE, "D3 n", "single ann move; go D3 n"),
    ],
)
def test_a_square_and_a_facing_mean_to_go_there(state, text, told):
    assert meaning(state, text) == told


@pytest.mark.parametrize("state", [STATE, FORMED, TAKEN, ALONE])
def test_whatever_is_told_to_be_ambiguous_can_be_typed(state):
    """So can every square, with and without a facing, until one thing is meant, or it is illegal."""
    asked = question(state)
    texts = [f"{square}{facing}" for square in ("D3", "E3", "G4", "C5") for facing in ("", " n")]
    seen = 0
    while texts:
        text = texts.pop()
        told = meaning(state, text)
        if "ambiguous: " in told:
            ways = told.partition("ambiguous: ")[2].split(", and ")[0].split(", ")
            assert text not in ways
            texts += ways
            seen += 1
        else:
            assert (
                "illegal" in told
                or "has no way" in told
                or all(one.startswith(("go ", "take ", "single ")) for one in told.split("; "))
            )
    assert seen >= 2
    assert asked.texts == question(state).texts


@pytest.mark.parametrize("text", ["S12 n", "12,7 north", "12 7 facing 90°", "12.5 7 -45.25", "S12"])
def test_a_place_may_have_a_heading(text):
    assert is_place_or_pose(text)
    assert is_place(text) is (text == "S12")


@pytest.mark.parametrize("text", ["take S12", "S12 bob", "north", "90", "attack bob"])
def test_other_words_are_no_place(text):
    assert not is_place_or_pose(text)
