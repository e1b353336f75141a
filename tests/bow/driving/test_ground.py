"""Ground: how high a vehicle comes to stand, up or down a step (BOW 3.6.2)."""

from dataclasses import replace

import pytest

from brickphys.bow.actions.collision import _levels
from brickphys.bow.actions.obstacles import ground_plates, on_ground, raised
from tests.bow.battle import Battle, seated, setup, unit, vehicle


def terrace(rise):
    """Return a state with a jeep on ground of 20 plates, and ground that is so much higher east of it."""
    ground = [[20.0] * 30 + [20.0 + rise] * 30 for _ in range(20)]
    crew = seated("driver", "driver", "red", "car", "driver")
    car = vehicle("car", "jeep", "red", 15.0, 10.0, 0.0, 3)
    foe = unit("foe", "trooper", "blue", 2, 2)
    return Battle(setup(crew, foe, width=60, length=20, ground=ground, vehicles=[car])).state


@pytest.mark.parametrize(
    ("rise", "stands"),
    [
        (-3.1, False),
        (-3.0, True),
        (-1.0, True),
        (0.0, True),
        (1.0, True),
        (3.0, True),
        (3.1, False),
    ],
)
def test_a_vehicle_comes_to_stand_up_to_a_step_higher_or_lower(rise, stands):
    state = terrace(rise)
    there = replace(state.vehicle_body(0), x_studs=45.0)
    assert on_ground(state, there) == (raised(there, 20.0 + rise) if stands else None)


@pytest.mark.parametrize("rise", [-40.0, -1.0, 2.0, 40.0])
def test_a_vehicle_that_is_set_down_stands_on_the_highest_ground_under_it(rise):
    state = terrace(rise)
    body = state.vehicle_body(0)
    found = [ground_plates(state, replace(body, x_studs=x)) for x in (15.0, 30.0, 45.0)]
    assert found == [20.0, max(20.0, 20.0 + rise), 20.0 + rise]


@pytest.mark.parametrize("rise", [-40.0, -1.0])
@pytest.mark.parametrize("length", [19.5, 20.0, 25.0])
def test_a_vehicle_is_lower_from_where_its_rear_leaves_the_higher_ground(rise, length):
    """The jeep, 10 studs long, stands at 15; the edge is at 30. To come so far is to be off the edge."""
    state = terrace(rise)
    found = list(_levels(state, state.vehicle_body(0), length))
    assert found == [(20.0, 20.0 + rise)] * (length >= 20.0)
