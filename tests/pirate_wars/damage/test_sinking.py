"""Sinking: half of the crew dies, the rest is in the water (PW Damage Chart)."""

import pytest

from brickphys.pirate_wars.damage import sink
from brickphys.pirate_wars.sheets import Role
from brickphys.pirate_wars.state import Boarding, Fate
from tests.pirate_wars.fleet import boat, fleet
from tests.pirate_wars.told_tasks import answered, settled

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
    for number in range(10):
        state = state.change_minifig(number, ship=1)
    state = settled(sink(state, 0))
    assert all(minifig.swims for minifig in state.minifigs[:10])
    assert state.minifigs[0].at_studs == (60.0, 66.0)
