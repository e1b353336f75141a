"""Fields, their levels, and terrain with open and closed doors (BOW 1.3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.bow.actions.movement import nearest_free
from brickphys.bow.field import Decor, DecorType, Field, block
from brickphys.bow.terrain import Board, reachable, terrain, vehicle_studs
from brickphys.errors import InvalidValueError
from brickphys.grid.grid import each
from brickphys.vehicles.scene import Vehicle
from tests.bow.fields import at, boards, fields, flat_board, openable, studs, vehicles

WALL = Decor("wall", DecorType.WALL, block(1, 1, 1, 1))
GATE = Decor("gate", DecorType.DOOR, block(1, 1, 2, 1), 0.0, 15.0)


@pytest.mark.parametrize(
    ("field", "fault"),
    [
        ({"width": 0, "length": 3}, "size: a field of 0 x 3 studs is empty"),
        ({"ground_plates": (0.0,) * 7}, "ground: 7 heights for 3 x 3 studs"),
        ({"ground_plates": (float("nan"),) * 9}, "ground: every height must be a finite number"),
        ({"step_plates": -1.0}, "step: -1 plates is below 0"),
        ({"decor": (WALL, WALL)}, "decor[1].id: 'wall' is also the id of decor[0]"),
        (
            {"decor": (Decor("far", DecorType.WALL, block(3, 0, 2, 2)),)},
            "decor[0]: 'far' is outside the field of 3 x 3 studs",
        ),
        (
            {"decor": (Decor("flat", DecorType.WALL, block(0, 0, 1, 1), 4.0, 4.0),)},
            "decor[0].top: 4 is not above bottom, 4",
        ),
        (
            {"decor": (Decor("bolt", DecorType.WALL, block(0, 0, 1, 1), locked=True),)},
            "decor[0].locked: a wall cannot be opened, so it has no lock",
        ),
        (
            {"decor": (Decor("line", DecorType.WALL, ((0, 0), (1, 1))),)},
            "decor[0].polygon: a polygon needs 3 corners, here are 2",
        ),
    ],
)
def test_faults_are_named_with_their_place(field, fault):
    with pytest.raises(InvalidValueError) as caught:
        Field(**{"width": 3, "length": 3} | field)
    assert str(caught.value) == fault


def test_an_unknown_door_and_a_wall_cannot_be_opened():
    field = Field(4, 4, (GATE, Decor("wall", DecorType.WALL, block(0, 0, 1, 1))))
    with pytest.raises(InvalidValueError, match="did you mean 'gate'"):
        terrain(field, frozenset({"gaet"}))
    with pytest.raises(InvalidValueError, match="unknown door or window 'wall'"):
        terrain(field, frozenset({"wall"}))


def test_a_stud_outside_is_refused():
    with pytest.raises(InvalidValueError, match=r"stud \(4, 0\) is outside the field of 4 x 4"):
        Field(4, 4).stud(4, 0)


def test_equal_fields_share_their_terrain():
    one, two = Field(3, 3, (WALL,)), Field(3, 3, (WALL,))
    assert one == two
    assert terrain(one) is terrain(two)
    assert one != Field(3, 3)


def test_a_figure_stands_on_the_lowest_place_with_room():
    decor = [
        Decor("table", DecorType.FURNITURE, block(0, 0, 1, 1), 0, 4),
        Decor("lintel", DecorType.WALL, block(1, 0, 1, 1), 13, 18),
        Decor("bridge", DecorType.WALL, block(2, 0, 1, 1), 6, 9),
        Decor("pile", DecorType.WALL, block(3, 0, 1, 1), 0, 9),
        Decor("more", DecorType.WALL, block(3, 0, 1, 1), 9, 12),
        Decor("door", DecorType.DOOR, block(4, 0, 1, 1), 0, 15),
    ]
    assert Field(6, 1, tuple(decor)).levels_plates == (4, 0, 9, 12, 0, 0)


def test_a_closed_door_leaves_no_room_and_a_shutter_overhead_does():
    decor = [GATE, Decor("shutter", DecorType.WINDOW, block(1, 3, 1, 1), 13, 15)]
    field = Field(4, 4, tuple(decor))
    closed = terrain(field).standable
    assert closed == field.all_squares & ~field.decor_studs["gate"]
    assert terrain(field, frozenset({"gate"})).standable == field.all_squares


@given(fields(), st.data())
def test_vehicles_take_the_studs_below_them_where_a_figure_has_no_room(field, data):
    vehicle = data.draw(vehicles(field, 0))
    below = field.studs_under(vehicle.prism.footprint)
    for stud, level in enumerate(field.levels_plates):
        meets = vehicle.bottom_plates < level + 12.5 and vehicle.top_plates > level
        assert vehicle_studs(field, vehicle) >> stud & 1 == (below >> stud & 1 and meets)


def test_a_flyer_leaves_room_below():
    low = Vehicle("low", 2.0, 2.0, 0.0, 4.0, 4.0, 12.0, 20.0)
    high = Vehicle("high", 2.0, 2.0, 0.0, 4.0, 4.0, 12.5, 20.0)
    assert flat_board(4, 4, vehicles=[low]).free == 0
    assert flat_board(4, 4, vehicles=[high]).free == Field(4, 4).all_squares


@given(boards(), st.data())
def test_the_free_stud_to_be_put_on_is_the_fewest_steps_away_with_nobody_in_the_way(board, data):
    stud = data.draw(studs(board))
    found = nearest_free(board, stud)
    steps = reachable(Board(board.terrain), stud, board.field.width * board.field.length).steps
    counts = [steps[other] for other in each(board.free) if other in steps]
    if counts:
        assert steps[found] == min(counts)
    else:
        assert found == board.field.nearest(stud, board.free)


@given(fields())
def test_opening_everything_takes_no_room(field):
    assert terrain(field).standable & ~terrain(field, frozenset(openable(field))).standable == 0


def test_stances_are_the_middles_of_studs():
    field = Field(3, 2, ground_plates=(0, 0, 0, 3, 0, 0))
    assert field.stances[3] == at(0, 1, 3.0)
    assert field.square_at(*field.stances[3][:2]) == 3
    assert field.square_at(-1.0, 7.0) == 3


def test_the_middle_of_a_piece_is_that_of_its_corners_and_heights():
    assert Decor("gate", DecorType.DOOR, block(1, 1, 2, 1), 5.0, 15.0).middle == (2.0, 1.5, 10.0)
