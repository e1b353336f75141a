"""Points of sail, speeds, and who is adrift (PW Movement)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.pirate_wars.sailing import (
    PointOfSail,
    drift_turn_deg,
    off_running_deg,
    point_of_sail,
    set_adrift,
    speed_studs,
)
from tests.pirate_wars.fleet import boat, fleet

DEGREES = st.floats(-720, 720)


def one(heading=0.0, wind=0.0, sheet="imperial_flagship", **changes):
    """A ship at its start of a turn."""
    state = fleet(boat(sheet, x=100, y=100, heading=heading, **changes), wind=wind)
    return set_adrift(state)


@pytest.mark.parametrize(
    ("off", "point"),
    [
        (0, PointOfSail.FULL),
        (90, PointOfSail.FULL),
        (90.001, PointOfSail.TACK),
        (135, PointOfSail.TACK),
        (135.001, PointOfSail.IN_IRONS),
        (180, PointOfSail.IN_IRONS),
    ],
)
@pytest.mark.parametrize("wind", [0.0, 77.0, 350.0])
def test_point_of_sail_is_that_off_the_wind_to_either_side(off, point, wind):
    assert point_of_sail(wind + off, wind) is point
    assert point_of_sail(wind - off, wind) is point


@given(DEGREES, DEGREES)
def test_angle_off_the_wind_is_that_between_two_directions(heading, wind):
    off = off_running_deg(heading, wind)
    assert 0 <= off <= 180
    assert off == pytest.approx(min((heading - wind) % 360, (wind - heading) % 360), abs=1e-9)


@given(DEGREES, DEGREES)
def test_drift_turns_towards_running_by_up_to_45_degrees(heading, wind):
    before, turn = off_running_deg(heading, wind), drift_turn_deg(heading, wind)
    assert abs(turn) == pytest.approx(min(before, 45.0), abs=1e-9)
    assert off_running_deg(heading + turn, wind) == pytest.approx(before - abs(turn), abs=1e-6)


@pytest.mark.parametrize(
    ("changes", "adrift"),
    [
        ({}, False),
        ({"heading": 135}, False),
        ({"heading": 136}, True),
        ({"crew": ()}, True),
        ({"sails": 0}, True),
        ({"rudder_lost": True}, True),
        ({"mast_turns": 1}, True),
    ],
)
def test_who_is_adrift_at_the_start_of_a_turn(changes, adrift):
    state = one(**changes)
    assert state.ships[0].is_adrift is adrift
    assert speed_studs(state, 0) == 8 or not adrift


def test_lashed_ships_are_adrift_until_they_are_cast_off():
    boats = boat(x=50, y=50), boat(x=50, y=100), boat(x=50, y=150)
    state = set_adrift(fleet(*boats, lashed=((0, 2),)))
    assert [ship.is_adrift for ship in state.ships] == [True, False, True]
    free = set_adrift(state.cast_off(0))
    assert [ship.is_adrift for ship in free.ships] == [False] * 3


def test_a_sheared_mast_costs_one_turn():
    state = one(mast_turns=1)
    assert (state.ships[0].is_adrift, state.ships[0].mast_turns) == (True, 0)
    assert not set_adrift(state).ships[0].is_adrift
