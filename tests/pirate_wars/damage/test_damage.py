"""Damage: hits, casualties, and ships that sink (PW Damage Chart, PW Minifigs, PW Morale)."""

import random
from functools import partial

import pytest

from brickphys.pirate_wars.damage import Casualty, hit, kill, lose_sails, overboard, sink
from brickphys.pirate_wars.sheets import Line, Role, ShipPlace, ships
from brickphys.pirate_wars.state import Boarding, Fate, MoraleCause
from tests.pirate_wars.fleet import boat, fleet
from tests.pirate_wars.told_tasks import answered, at, dead, listed, number, settled, told, why_not

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


def ten():
    """A captain and nine pirates."""
    return fleet(boat(x=50, y=50), boat(x=150, y=50, player=1))


def test_the_owner_chooses_among_one_of_each_kind():
    state = hit(at(ten(), "b_pirate3", gun=1), 1, 2, Line.SAIL)
    assert state.first_pending.player(state) == 1
    assert listed(state) == ["lose b_captain", "lose b_pirate1", "lose b_pirate3"]


def test_each_casualty_is_chosen_once():
    state = told(hit(ten(), 1, 3, Line.SAIL), "lose b_pirate4", "lose b_pirate9", "lose b_captain")
    assert not state.pending
    assert dead(state) == ["b_captain", "b_pirate4", "b_pirate9"]


def test_random_casualties_are_as_many_as_were_asked_for():
    draw = random.Random(7)
    for _ in range(50):
        state = settled(hit(ten(), 1, draw.randrange(8), Line.SAIL))
        wanted = state.first_pending.count if state.pending else 0
        while state.pending:
            state = told(state, draw.choice(listed(state)))
        assert len(state.crews[1]) == 10 - wanted
        assert len(state.crews[0]) == 10


def test_the_death_of_the_captain_is_a_cause():
    state = ten()
    state = kill(state, number(state, "b_captain"))
    assert state.causes == ((1, MoraleCause.CAPTAIN),)


def test_a_captain_who_dies_in_the_water_is_none():
    state = ten()
    state = overboard(state, number(state, "b_captain"))
    assert not kill(state, number(state, "b_captain")).causes


def test_the_loss_that_makes_up_half_of_the_crew_is_a_cause():
    state = ten()
    for name in ("b_pirate1", "b_pirate2", "b_pirate3", "b_pirate4"):
        state = kill(state, number(state, name))
        assert not state.causes
    state = overboard(state, number(state, "b_pirate5"))
    assert state.causes == ((1, MoraleCause.HALF_CREW),)
    state = state.replaced({"causes": ()})
    for name in ("b_pirate5", "b_pirate6"):
        state = kill(state, number(state, name))
    assert not state.causes


def test_a_ship_that_sinks_or_was_taken_tests_nothing():
    state = ten()
    for changed in (state.change_ship(1, hull=0), state.change_ship(1, owner=0)):
        assert not kill(changed, number(state, "b_captain")).causes
    last = state.change_ship(1, hull=1)
    assert kill(last, number(state, "b_captain")).causes == ((1, MoraleCause.CAPTAIN),)


def test_overboard_is_beside_the_ship():
    state = ten()
    state = overboard(at(state, "a_pirate1", gun=2), number(state, "a_pirate1"))
    wet = state.minifigs[number(state, "a_pirate1")]
    assert (wet.ship, wet.gun, wet.place, wet.swims) == (None, None, ShipPlace.WATER, True)
    assert wet.at_studs == (50.0, 56.0)


def test_a_boarder_who_dies_counts_for_the_ship_he_began_on():
    state = fleet(
        boat(x=50, y=50, crew=(Role.CAPTAIN, Role.PIRATE, Role.PIRATE)), boat(x=150, y=50, player=1)
    )
    there = number(state, "a_pirate1")
    state = state.change_minifig(there, ship=1)
    assert not kill(state, there).causes
    state = kill(kill(state, there), number(state, "a_pirate2"))
    assert state.causes == ((0, MoraleCause.HALF_CREW),)


PIRATES = "renegade_runner"
IMPERIAL = "caribbean_clipper"


def sunk(sheet, sailors):
    crew = (Role.CAPTAIN, *[Role.SAILOR] * sailors)
    state = fleet(boat(sheet, x=50, y=50, hull=0, sails=0, crew=crew))
    return answered(settled(sink(state, 0)))


@pytest.mark.parametrize("sailors", range(6))
@pytest.mark.parametrize("sheet", [PIRATES, IMPERIAL])
def test_half_of_the_crew_dies_rounded_up(sheet, sailors):
    state = sunk(sheet, sailors)
    swimmers = sum(minifig.swims for minifig in state.minifigs)
    dead = sum(not minifig.is_alive for minifig in state.minifigs)
    alone = sheet == PIRATES and not sailors  # the captain of pirates never goes down
    assert (dead, swimmers) == ((0, 1) if alone else ((sailors + 2) // 2, (sailors + 1) // 2))
    assert state.ships[0].fate is Fate.SUNK


@pytest.mark.parametrize("sailors", range(6))
def test_an_imperial_captain_goes_down_and_a_pirate_captain_does_not(sailors):
    assert not sunk(IMPERIAL, sailors).minifigs[0].is_alive
    assert sunk(PIRATES, sailors).minifigs[0].swims


def test_boarders_are_in_the_water_too_and_the_ships_are_lashed_no_longer():
    state = fleet(boat(IMPERIAL, x=50, y=50, crew=(), hull=0), boat(x=60, y=60, player=1))
    state = state.lash(0, 1).replaced({"boardings": (Boarding(1, 0),)})
    state = settled(sink(state.change_minifig(3, ship=0), 0))
    assert [minifig.swims for minifig in state.minifigs] == [n == 3 for n in range(10)]
    assert not state.lashed
    assert not state.boardings


def test_boarders_whose_ship_sinks_are_in_the_water_beside_the_other_one():
    state = fleet(boat(PIRATES, x=50, y=50, hull=0), boat(x=60, y=60, player=1))
    state = state.lash(0, 1).replaced({"boardings": (Boarding(0, 1),)})
    for boarder in range(10):
        state = state.change_minifig(boarder, ship=1)
    state = settled(sink(state, 0))
    assert all(minifig.swims for minifig in state.minifigs[:10])
    assert state.minifigs[0].at_studs == (60.0, 66.0)
