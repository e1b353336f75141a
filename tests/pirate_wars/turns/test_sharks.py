"""Sharks (PW Morale): a die for each minifig in the water, eaten on 5 and 6; the pirate captain is the last."""

import pytest

from brickphys.pirate_wars.damage import overboard
from brickphys.pirate_wars.morale import SharkRoll, is_spared, shark_rolls
from brickphys.pirate_wars.state import State
from tests.pirate_wars.fleet import boat, fleet


def wet(state: State, *names: str) -> State:
    for name in names:
        state = overboard(state, state.setting.minifig_numbers[name])
    return state


def two_crews(sheet: str = "black_seas_barracuda", **changes) -> State:
    return fleet(boat(sheet, x=100, y=100), boat(sheet, x=200, y=100, player=1), **changes)


@pytest.mark.parametrize("face", range(1, 7))
def test_a_minifig_is_eaten_on_5_and_6(face):
    state = wet(two_crews(), "a_pirate3")
    (roll,) = shark_rolls(state)
    assert roll.event(state).dice == 1
    after = roll.settle(state, (face,))
    assert after.minifigs[roll.minifig].is_alive == (face < 5)


def test_nobody_aboard_is_rolled_for():
    assert shark_rolls(two_crews()) == []
    assert SharkRoll(3).lapses(two_crews())


def test_the_pirate_captain_is_rolled_for_last_and_spared_while_a_pirate_of_his_side_swims():
    state = wet(two_crews(), "a_captain", "a_pirate1", "a_pirate2", "b_pirate1")
    names = [state.setting.minifigs[roll.minifig].name for roll in shark_rolls(state)]
    assert names == ["a_pirate1", "a_pirate2", "b_pirate1", "a_captain"]
    captain = state.setting.minifig_numbers["a_captain"]
    for name, spared in (("a_pirate1", True), ("a_pirate2", False)):
        state = state.lost(state.setting.minifig_numbers[name])
        assert is_spared(state, captain) == spared
        assert SharkRoll(captain).lapses(state) == spared


def test_an_ally_in_the_water_spares_him_too():
    state = wet(two_crews(teams=(0, 0)), "a_captain", "b_pirate1")
    assert is_spared(state, state.setting.minifig_numbers["a_captain"])


def test_an_imperial_captain_is_not_spared():
    state = wet(two_crews("caribbean_clipper"), "a_captain", "a_pirate1")
    assert not is_spared(state, state.setting.minifig_numbers["a_captain"])


def test_two_captains_do_not_spare_each_other():
    state = wet(two_crews(teams=(0, 0)), "a_captain", "b_captain")
    for name in ("a_captain", "b_captain"):
        assert not is_spared(state, state.setting.minifig_numbers[name])
