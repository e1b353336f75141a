"""What is in front (BOW 2.4.2, 3.4)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.bow.field.facing import FRONT_DEG, is_in_arc, is_in_front
from brickphys.grid.directions import FACINGS, heading_deg

facings = st.integers(0, FACINGS - 1)
places = st.tuples(st.integers(0, 40), st.integers(0, 40)).map(
    lambda at: (at[0] + 0.5, at[1] + 0.5)
)


@pytest.mark.parametrize("facing", range(FACINGS))
def test_five_of_eight_neighbours_are_in_front(facing):
    around = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
    assert sum(is_in_front(facing, (0, 0), place) for place in around) == 5


@given(facings, places, places)
def test_in_front_is_an_arc_of_180_degrees_that_holds_its_limits(facing, at, target):
    front = is_in_front(facing, at, target)
    assert front == is_in_arc(heading_deg(facing), FRONT_DEG, at, target)
    assert front or is_in_front((facing + 4) % FACINGS, at, target)


@given(st.floats(-720, 720), places, places)
def test_a_turret_fires_everywhere_and_a_fixed_weapon_in_front_or_behind(heading, at, target):
    assert is_in_arc(heading, 360.0, at, target)
    ahead = is_in_arc(heading, 180.0, at, target)
    assert ahead or is_in_arc(heading + 180.0, 180.0, at, target)


def test_exactly_sideways_is_in_front_of_a_vehicle_too():
    assert is_in_arc(30.0, 180.0, (0, 0), (-0.5, 3**0.5 / 2))
    assert not is_in_arc(29.9, 180.0, (0, 0), (-0.5, 3**0.5 / 2))
    assert is_in_arc(0.0, 90.0, (0, 0), (5, 5))
    assert not is_in_arc(0.0, 90.0, (0, 0), (5, 5.01))
