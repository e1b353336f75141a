"""Eight directions and facings."""

from math import atan2, degrees

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.grid.grid import DIRECTIONS, FACING_NAMES, FACINGS, heading_deg, nearest_facing


def test_the_directions_are_all_neighbours_once():
    assert sorted(DIRECTIONS) == sorted(
        (dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy
    )


@pytest.mark.parametrize("facing", range(FACINGS))
def test_a_facing_looks_along_its_direction_and_has_the_name_of_it(facing):
    dx, dy = DIRECTIONS[facing]
    assert degrees(atan2(dy, dx)) % 360 == heading_deg(facing)
    north, east = {1: "n", 0: "", -1: "s"}[dy], {1: "e", 0: "", -1: "w"}[dx]
    assert FACING_NAMES[facing] == north + east


@given(st.integers(0, FACINGS - 1), st.floats(-22.4, 22.4), st.integers(-2, 2))
def test_the_nearest_facing_is_at_most_half_a_step_away(facing, off_deg, turns):
    assert nearest_facing(heading_deg(facing) + off_deg + 360 * turns) == facing
