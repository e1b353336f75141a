"""What is in front (BOW 2.4.2, 3.4)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.bow.field import FRONT_DEG, is_in_front
from brickphys.geometry.pose import is_in_arc
from brickphys.grid.grid import FACINGS, heading_deg

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
