"""Routes: rounds of a vehicle to what it wants."""

import numpy as np
import pytest

from brickphys.bow.pilot.routes import FAR_ROUNDS, roads
from tests.bow.battle import Battle, seated, setup, unit, vehicle

GATE = [
    {"id": "south", "block": [30, 0, 2, 14]},
    {"id": "north", "block": [30, 26, 2, 14]},
]


def rates(goal_x: int, *, sheet: str = "jeep", seat: str = "driver", decor=(), parked=None):
    """Rounds of a vehicle at (10, 20) to the studs from a column on, by (heading, x, y)."""
    others = [] if parked is None else [vehicle("wreck", "truck", "red", *parked)]
    state = Battle(
        setup(
            seated("dora", "driver", "red", "car", seat),
            unit("bert", "trooper", "blue", 58, 2),
            vehicles=[vehicle("car", sheet, "red", 10.0, 20.0), *others],
            width=60,
            length=40,
            decor=list(decor),
        )
    ).state
    field = state.setting.field
    goal = np.where(np.arange(field.width * field.length) % field.width >= goal_x, 0.0, FAR_ROUNDS)
    found = roads(state, 0)
    rounds = found.rates(goal)
    return lambda heading_deg, x, y: float(rounds[found.index(x, y, heading_deg)])


def test_three_moves_of_twenty_studs_are_three_rounds():
    there = rates(50)
    assert there(0.0, 51.5, 20.5) == 0.0
    assert there(0.0, 31.5, 20.5) == pytest.approx(1.0)
    assert there(0.0, 11.5, 20.5) == pytest.approx(2.0)


def test_a_slower_move_counts_less_but_never_little():
    there = rates(50)
    assert 0.5 < there(0.0, 46.5, 20.5) < 1.0


def test_who_points_away_needs_longer():
    there = rates(50)
    assert there(0.0, 31.5, 20.5) <= there(90.0, 31.5, 20.5) < there(180.0, 31.5, 20.5)


def test_a_wall_makes_a_way_round_and_a_gate_too_narrow_closes_it():
    straight = rates(50)(0.0, 10.5, 8.5)
    around = rates(50, decor=GATE)(0.0, 10.5, 8.5)
    assert straight < around < FAR_ROUNDS
    narrow = [{"id": "south", "block": [30, 0, 2, 18]}, {"id": "north", "block": [30, 22, 2, 18]}]
    assert rates(50, decor=narrow)(0.0, 10.5, 8.5) == FAR_ROUNDS
    assert rates(50, decor=narrow, sheet="horse", seat="rider")(0.0, 10.5, 8.5) < FAR_ROUNDS


def test_a_vehicle_that_stands_in_the_gate_closes_it():
    assert rates(50, decor=GATE, parked=(37.0, 20.0, 90.0))(0.0, 10.5, 8.5) == FAR_ROUNDS


def test_a_flyer_passes_over_low_walls_and_not_through_trees():
    low = [{"id": "wall", "block": [30, 0, 2, 40], "top": 12.0}]
    high = [{"id": "wall", "block": [30, 0, 2, 40], "top": 18.0}]
    assert rates(50, decor=low, sheet="snowspeeder", seat="pilot")(0.0, 10.5, 20.5) < 2.0
    assert rates(50, decor=high, sheet="snowspeeder", seat="pilot")(0.0, 10.5, 20.5) == FAR_ROUNDS


def test_there_is_no_room_beside_a_wall():
    there = rates(50, decor=GATE)
    assert there(90.0, 28.5, 8.5) == FAR_ROUNDS
