"""Hits: which lines go, and one minifig for each (PW Damage Chart)."""

import random
from functools import partial

import pytest

from brickphys.pirate_wars.damage import Casualty, hit, lose_sails
from brickphys.pirate_wars.sheets import Line, Role, ships
from brickphys.pirate_wars.state import MoraleCause
from tests.pirate_wars.fleet import boat, fleet
from tests.pirate_wars.told_tasks import why_not

hit_hull, hit_sails = partial(hit, line=Line.HULL), partial(hit, line=Line.SAIL)
CREW = (Role.CAPTAIN, *[Role.PIRATE] * 25)


def one(sheet="imperial_flagship", **changes):
    return fleet(boat(sheet, x=50, y=50, crew=CREW, **changes))


def left(state):
    return state.ships[0].hull, state.ships[0].sails


def lost(state):
    return sum(casualty.count for casualty in state.pending if isinstance(casualty, Casualty))


@pytest.mark.parametrize(
    ("deal", "hits", "after", "dead"),
    [
        (hit_sails, 2, (4, 3), 2),
        (hit_sails, 9, (4, 0), 5),
        (hit_hull, 1, (3, 3), 3),  # two more sails than hull lines are stripped
        (hit_hull, 2, (2, 2), 5),
        (hit_hull, 9, (0, 0), 9),
        (hit, 1, (4, 4), 1),
        (hit, 2, (4, 3), 2),
        (hit, 3, (3, 3), 3),
        (hit, 4, (3, 2), 4),
        (hit, 20, (0, 0), 9),
    ],
)
def test_lines_of_the_flagship_that_go_each_with_a_minifig(deal, hits, after, dead):
    state = deal(one(), 0, hits)
    assert left(state) == after
    assert lost(state) == dead


@pytest.mark.parametrize("name", ships())
def test_every_line_that_goes_costs_a_minifig(name):
    draw = random.Random(name)
    for _ in range(20):
        state = one(name)
        for _ in range(6):
            before = sum(left(state))
            state = draw.choice([hit_hull, hit_sails, hit])(
                state.replaced({"pending": ()}), 0, draw.randrange(4)
            )
            assert lost(state) == before - sum(left(state))


def test_sails_that_are_lost_for_want_of_hands_kill_nobody():
    state = lose_sails(one(), 0, 2)
    assert left(state) == (4, 3)
    assert not state.pending
    assert state.minifigs == one().minifigs


@pytest.mark.parametrize("deal", [hit_sails, lose_sails])
def test_the_last_sail_sets_the_ship_adrift(deal):
    """PW Movement, Morale Chart: it tests its morale, once."""
    assert (0, MoraleCause.ADRIFT) not in deal(one(sails=2), 0, 1).causes
    assert deal(one(sails=2), 0, 2).causes == ((0, MoraleCause.ADRIFT),)
    assert not deal(one(sails=0), 0, 2).causes


def test_a_ship_that_sinks_tests_nothing():
    assert not hit_hull(one(), 0, 4).causes


def test_a_crew_that_is_too_small_dies_without_a_question():
    state = fleet(boat("imperial_flagship", x=50, y=50, crew=(Role.CAPTAIN, Role.SAILOR)))
    state = hit_sails(state, 0, 3)
    assert not state.pending
    assert not state.crews[0]


def test_who_can_be_lost():
    state = hit_sails(one(), 0, 1)
    assert why_not(state, "lose a_captain") == []
    assert why_not(state, "lose b_captain") == [
        "b_captain is not among those who can be lost on a (PW Damage Chart)"
    ]
