"""Prompts: what a person is asked for, and every order to haul or to scuttle that the list leaves out."""

import re

import pytest
from close_quarters import battle
from fleet import boat, fleet
from told_tasks import at, listed, tasks, told, why_not

from brickphys.pirate_wars.report.prompt import turn_prompt
from brickphys.pirate_wars.sailing.movement import begin_move
from brickphys.pirate_wars.state.state import Phase


def duel(**changes):
    return fleet(boat(x=100, y=100, **changes), boat(x=300, y=250, player=1), wind=0.0)


def test_a_turn_says_what_is_left_of_the_move():
    """PW Movement: leaps of 48 studs, of a move of 56; then the last 8."""
    state = begin_move(duel(), 0)
    assert turn_prompt(state) == "a turns up to 90 degrees, then 8 studs are left"
    short = begin_move(duel(sails=2, hull=6), 0)
    assert turn_prompt(short) == "a turns up to 45 degrees, then its move ends"
    falls = state.replaced({"phase": Phase.FALLING_OFF})
    assert turn_prompt(falls) == "a may fall off"


def test_orders_that_are_not_listed_are_named():
    state = at(tasks(duel(sails=3)), "a_pirate1", "a_pirate2", gun=1)
    state = at(state, "a_pirate3", gun=2)
    assert turn_prompt(state) == (
        "0 orders written; your next one (also legal: haul a gun1, scuttle a) or done"
    )
    state = told(state, "haul a gun1", "scuttle a")
    assert turn_prompt(state) == "2 orders written; your next one or done"


@pytest.mark.parametrize(
    ("sails", "told_of"), [(7, ""), (8, "; a has 7 sailors for 8 sails"), (6, "")]
)
def test_sails_that_want_hands_are_named(sails, told_of):
    """PW Sailing: ten pirates less three at the guns."""
    crew = ("a_pirate1", "a_pirate2", "a_pirate3")
    state = at(tasks(duel(sheet="skulls_eye_schooner", sails=sails)), *crew, gun=1)
    assert turn_prompt(state).startswith(f"0 orders written{told_of}; your next one")


@pytest.mark.parametrize("seed", [3, 12, 26])
def test_what_is_named_is_legal_and_not_listed(seed):
    named = 0
    for state in battle(seed).states:
        if state.phase is Phase.TASKS and not state.pending and state.turn < len(state.order):
            found = re.search(r"also legal: (.*)\) or done", turn_prompt(state))
            for text in found[1].split(", ") if found else ():
                order = re.sub(r"\.\.\d", "", text)
                assert why_not(state, order) == []
                assert order not in listed(state)
                named += 1
    assert named
