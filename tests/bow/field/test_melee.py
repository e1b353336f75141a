"""What a weapon in the hand can touch (BOW 2.4.2)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.bow.field import Decor, DecorType, block
from brickphys.bow.sight import touches, touches_vehicle
from brickphys.bow.terrain import Board, terrain
from brickphys.vehicles.scene import Vehicle
from tests.bow.fields import IMAGES, at, boards, flat_board, openable, studs

KNIFE, SWORD, SPEAR = 1, 2, 3
reaches = st.sampled_from([KNIFE, SWORD, SPEAR])


def test_three_attackers_with_three_weapons_reach_the_one_in_the_middle():  # BOW 2.4.2
    attackers = {KNIFE: (9, 10), SWORD: (12, 12), SPEAR: (10, 7)}
    board = flat_board(20, 20, units=[(10, 10), *attackers.values()])
    for reach, attacker in attackers.items():
        assert touches(board, at(*attacker), at(10, 10), reach)
        assert not touches(board, at(*attacker), at(10, 10), reach - 1)


@given(st.integers(0, 8), st.integers(0, 8), reaches)
def test_on_open_ground_the_larger_of_both_distances_counts(x, y, reach):
    expected = max(abs(x - 4), abs(y - 4)) <= reach
    assert touches(flat_board(9, 9), at(4, 4), at(x, y), reach) == expected


@pytest.mark.parametrize(
    ("between", "is_touched"),
    [
        ({}, True),
        ({"decor": [Decor("wall", DecorType.WALL, block(4, 0, 1, 9))]}, False),
        ({"decor": [Decor("low", DecorType.WALL, block(4, 0, 1, 9), 0, 5)]}, True),
        ({"decor": [Decor("lintel", DecorType.WALL, block(4, 0, 1, 9), 7, 15)]}, True),
        ({"decor": [Decor("door", DecorType.DOOR, block(4, 0, 1, 9))]}, False),
        ({"decor": [Decor("door", DecorType.DOOR, block(4, 0, 1, 9))], "open_ids": ["door"]}, True),
        ({"units": [(4, 4)]}, False),
        ({"units": [(4, 5)]}, True),
        ({"vehicles": [Vehicle("car", 4.5, 4.5, 90.0, 4.0, 1.0)]}, False),
        ({"vehicles": [Vehicle("plane", 4.5, 4.5, 90.0, 4.0, 1.0, 13.0, 20.0)]}, True),
    ],
)
def test_nothing_solid_may_be_between(between, is_touched):
    assert touches(flat_board(9, 9, **between), at(3, 4), at(5, 4), SWORD) == is_touched


def test_nobody_strikes_between_two_walls_that_meet_at_a_corner():
    walls = [
        Decor("one", DecorType.WALL, block(1, 0, 1, 1)),
        Decor("two", DecorType.WALL, block(0, 1, 1, 1)),
    ]
    assert not touches(flat_board(3, 3, walls), at(0, 0), at(1, 1), KNIFE)
    assert touches(flat_board(3, 3, walls[:1]), at(0, 0), at(1, 1), KNIFE)


def test_a_step_is_within_reach_and_a_tower_is_not():
    board = flat_board(9, 9, [Decor("step", DecorType.WALL, block(5, 4, 1, 1), 0, 3)])
    assert touches(board, at(4, 4), at(5, 4, 3.0), KNIFE)
    assert touches(board, at(5, 4, 3.0), at(4, 4), KNIFE)
    tower = flat_board(9, 9, [Decor("tower", DecorType.WALL, block(5, 4, 1, 1), 0, 15)])
    assert not touches(tower, at(4, 4), at(5, 4, 15.0), SPEAR)
    assert not touches(tower, at(5, 4, 15.0), at(4, 4), SPEAR)


def test_a_rider_is_touched_and_strikes_past_his_horse():
    horse = Vehicle("horse", 4.5, 4.5, 0.0, 4.0, 1.0, 0.0, 9.0)
    rider = at(4, 4, 3.0)
    board = flat_board(9, 9, vehicles=[horse])
    assert touches(board, at(4, 6), rider, SWORD, without=["horse"])
    assert touches(board, rider, at(4, 6), SWORD, without=["horse"])
    assert not touches(board, at(4, 6), rider, SWORD)


def test_a_vehicle_is_touched_at_its_nearest_stud():
    car = Vehicle("car", 6.0, 4.5, 0.0, 4.0, 3.0)  # over columns 4 to 7, rows 3 to 5
    board = flat_board(9, 9, vehicles=[car])
    assert touches_vehicle(board, at(3, 6), car, KNIFE)
    assert not touches_vehicle(board, at(2, 4), car, KNIFE)
    assert touches_vehicle(board, at(2, 4), car, SWORD)
    wall = Decor("wall", DecorType.WALL, block(3, 0, 1, 9))
    assert not touches_vehicle(flat_board(9, 9, [wall], vehicles=[car]), at(2, 4), car, SWORD)
    flyer = replace(car, bottom_plates=20.0, top_plates=25.0)
    assert not touches_vehicle(flat_board(9, 9, vehicles=[flyer]), at(3, 4), flyer, SPEAR)


@pytest.mark.parametrize("image", IMAGES)
@given(data=st.data(), board=boards(), reach=reaches)
def test_mirrored_and_turned_fields_are_reached_likewise(image, data, board, reach):
    one, other = data.draw(studs(board)), data.draw(studs(board))
    moved, there = image(board)
    before, after = board.field.stances, moved.field.stances
    assert touches(moved, after[there[one]], after[there[other]], reach) == touches(
        board, before[one], before[other], reach
    )
    for vehicle, vehicle_there in zip(board.vehicles, moved.vehicles, strict=True):
        assert touches_vehicle(moved, after[there[one]], vehicle_there, reach) == touches_vehicle(
            board, before[one], vehicle, reach
        )


@given(boards(), st.data(), reaches)
def test_a_longer_weapon_and_an_open_door_never_reach_less(board, data, reach):
    one, other = (board.field.stances[data.draw(studs(board))] for _ in range(2))
    everything = terrain(board.field, frozenset(openable(board.field)))
    opened = Board(everything, board.units, board.vehicles)
    is_touched = touches(board, one, other, reach)
    assert is_touched <= touches(board, one, other, reach + 1)
    assert is_touched <= touches(opened, one, other, reach)
