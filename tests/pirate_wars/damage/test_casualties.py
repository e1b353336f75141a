"""Casualties: whom the owner loses, and what that means for morale (PW Minifigs, PW Morale)."""

import random

from brickphys.pirate_wars.damage import hit, kill, overboard
from brickphys.pirate_wars.sheets import Line, Role, ShipPlace
from brickphys.pirate_wars.state import MoraleCause
from tests.pirate_wars.fleet import boat, fleet
from tests.pirate_wars.told_tasks import at, dead, listed, number, settled, told


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
