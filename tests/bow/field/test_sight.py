"""Sight and distance (BOW 2.4.2): the book's four minifigs, single points along lines, mirrors, doors."""

from dataclasses import replace
from math import hypot

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from brickphys.bow.actions.targets import bricks_lost
from brickphys.bow.field import Decor, DecorType, Field, Stance, block
from brickphys.bow.sight import (
    Visibility,
    distance_studs,
    head,
    sight,
    sights,
    solids,
    vehicle_middle,
    vehicle_sight,
)
from brickphys.bow.terrain import Board, terrain
from brickphys.geometry.polygon import TOLERANCE
from brickphys.grid.grid import each
from brickphys.vehicles.scene import Vehicle
from tests.bow.fields import IMAGES, are_solid, at, boards, flat_board, openable, quarters, studs

HIDDEN, COVERED, OPEN = Visibility.HIDDEN, Visibility.COVERED, Visibility.OPEN
RANK = {HIDDEN: 0, COVERED: 1, OPEN: 2}
NORTH = 2
heights = st.integers(1, 60).map(lambda half: half / 2)


@st.composite
def lines(draw, board):
    """Lines between points of a grid of quarter studs, on borders and corners too."""
    width, length = board.field.width, board.field.length
    places = [
        draw(quarters.map(lambda at, most=most: min(at, most))) for most in [width, length] * 2
    ]
    x, y, end_x, end_y = places
    return (x, y, draw(heights), end_x, end_y, draw(heights))


def is_clear(board, line, without=()):
    return bool(solids(board, without).clear([line])[0])


@pytest.mark.parametrize(
    ("studs_between_heads", "lost"),
    [
        (0.0, 0),
        (1.0, 0),
        (14.0, 0),
        (14.5, 0),
        (14.500001, 1),
        (15.0, 1),
        (29.5, 1),
        (30.0, 2),
        (44.5, 2),
        (45.0, 3),
    ],
)
def test_the_first_stud_of_the_ruler_lies_on_the_head(studs_between_heads, lost):
    assert bricks_lost(studs_between_heads) == lost


def test_heights_count_in_distances():
    tower = Stance(0.5, 0.5, 30.0)  # 30 plates are 12 studs
    assert distance_studs(head(tower), head(at(9, 0))) == 15.0
    crane = Vehicle("crane", 9.5, 0.5, 0.0, 4.0, 2.0, 0.0, 22.0)
    assert distance_studs(head(at(0, 0)), vehicle_middle(crane)) == 9.0


def blocked_somewhere(board, line, grown, ends):
    points = np.linspace(line[:3], line[3:], 1001)
    return are_solid(board, points, grown, ends).any()


@given(boards(), st.data())
def test_a_clear_line_has_no_solid_point_and_another_has_one(board, data):
    line = data.draw(lines(board))
    field = board.field
    ends = 1 << field.square_at(*line[:2]) | 1 << field.square_at(*line[3:5])
    if is_clear(board, line):
        assert not blocked_somewhere(board, line, -0.01, ends)
    else:
        assert blocked_somewhere(board, line, 0.1, ends)


@given(boards(), st.data())
def test_a_line_of_no_length_is_as_clear_as_its_point(board, data):
    point = data.draw(lines(board))[:3]
    ends = 1 << board.field.square_at(*point[:2])
    if is_clear(board, (*point, *point)):
        assert not are_solid(board, np.array([point]), -0.01, ends).any()
    else:
        assert are_solid(board, np.array([point]), 0.1, ends).any()


def test_decor_over_the_border_fills_no_stud_that_it_only_cuts():
    diamond = Decor("diamond", DecorType.WALL, ((0, 1), (0.5, 0), (1, 1), (0.5, 2)), 0, 2)
    board = Board(terrain(Field(1, 1, (diamond,)), frozenset()), 0, ())
    assert is_clear(board, (0, 0, 0.5, 0, 0, 0.5))
    assert not is_clear(board, (0.5, 0.5, 0.5, 0.5, 0.5, 0.5))


@given(boards(), st.data())
def test_a_line_is_as_clear_from_one_end_as_from_the_other(board, data):
    line = data.draw(lines(board))
    assert is_clear(board, line) == is_clear(board, (*line[3:], *line[:3]))


def test_a_line_grazes_but_does_not_pass_between_neighbours():
    two = [
        Decor("one", DecorType.WALL, block(2, 1, 1, 1)),
        Decor("two", DecorType.WALL, block(3, 2, 1, 1)),
    ]
    beside = [
        Decor("one", DecorType.WALL, block(1, 2, 4, 1)),
        Decor("two", DecorType.WALL, block(1, 3, 4, 1)),
    ]
    along = (0.5, 2.0, 5.0, 5.5, 2.0, 5.0)
    diagonal = (1.5, 3.5, 5.0, 4.5, 0.5, 5.0)
    assert is_clear(flat_board(6, 6, beside[:1]), along)
    assert not is_clear(flat_board(6, 6, beside), (0.5, 3.0, 5.0, 5.5, 3.0, 5.0))
    assert is_clear(flat_board(6, 6, two[:1]), (1.5, 2.5, 5.0, 3.5, 0.5, 5.0)) is False
    assert is_clear(flat_board(6, 6, two[:1]), (2.0, 3.0, 5.0, 4.0, 1.0, 5.0))
    assert not is_clear(flat_board(6, 6, two), (2.0, 1.0, 5.0, 4.0, 3.0, 5.0))
    assert is_clear(flat_board(6, 6), diagonal)
    assert not is_clear(flat_board(6, 6, two), (2.0, 3.0, 5.0, 4.0, 1.0, 5.0))
    over = [Decor("low", DecorType.WALL, block(2, 0, 1, 6), 0, 5)]
    assert is_clear(flat_board(6, 6, over), diagonal)
    assert not is_clear(flat_board(6, 6, over), (1.5, 3.5, 5.0, 4.5, 0.5, 4.999))
    stacked = [*over, Decor("more", DecorType.WALL, block(2, 0, 1, 6), 5, 9)]
    assert not is_clear(flat_board(6, 6, stacked), diagonal)


@pytest.mark.parametrize("inside", [-2.0, -0.5, 0.5, 2.0])
def test_what_is_inside_by_no_more_than_the_tolerance_grazes(inside):
    """A beam in the air, from all sides: over and under it, along its sides, and on into one that crosses."""
    by, grazes = inside * TOLERANCE, inside < 1.0
    board = flat_board(9, 9, [Decor("beam", DecorType.WALL, block(2, 3, 5, 2), 10, 16)])
    for z in (10 + by, 16 - by):
        assert is_clear(board, (0.5, 3.6, z, 8.5, 4.4, z)) == grazes
        assert is_clear(board, (4.5, 0.5, z, 4.2, 8.5, z)) == grazes
        assert is_clear(board, (4.5, 3.5, z, 4.5, 3.5, z)) == grazes
    for y in (3 + by, 5 - by):
        assert is_clear(board, (0.5, y, 13, 8.5, y, 13)) == grazes
    for x in (2 + by, 7 - by):
        assert is_clear(board, (x, 0.5, 13, x, 8.5, 13)) == grazes
    for down, up in ((20, 16 - by), (6, 10 + by)):
        assert is_clear(board, (4.5, 3.5, down, 4.5, 3.5, up)) == grazes


@pytest.mark.parametrize("common", [-2.0, 0.5, 2.5])
def test_neighbours_stop_a_line_between_them_only_at_heights_that_both_fill(common):
    """One beam from 0 to 10 and one from a little below its top: both stop a line at the middle of what they share."""
    share = common * TOLERANCE
    pairs = [(block(1, 2, 6, 1), block(1, 3, 6, 1)), (block(2, 1, 1, 1), block(3, 2, 1, 1))]
    lines = [(0.5, 3.0, 8.5, 3.0), (2.0, 3.0, 4.0, 1.0)]
    for (one, other), (x, y, end_x, end_y) in zip(pairs, lines, strict=True):
        low = Decor("low", DecorType.WALL, one, 3, 10)
        high = Decor("high", DecorType.WALL, other, 10 - share, 20)
        board = flat_board(9, 9, [low, high])
        z = 10 - share / 2
        assert is_clear(board, (x, y, z, end_x, end_y, z)) == (common < 2.0)
        for z in (6.0, 15.0):
            assert is_clear(board, (x, y, z, end_x, end_y, z))
        both = flat_board(9, 9, [low, replace(high, bottom_plates=5.0)])
        for z, clear in ((4.0, True), (5.0, True), (5.1, False), (9.9, False), (10.0, True)):
            assert is_clear(both, (x, y, z, end_x, end_y, z)) == clear


def test_feet_body_and_head_left_and_right_are_looked_at():
    def seen(*decor):
        return sight(flat_board(9, 9, decor), at(4, 0), at(4, 8))

    assert seen() is OPEN
    assert seen(Decor("curb", DecorType.WALL, block(0, 7, 9, 1), 0, 1)) is OPEN
    assert seen(Decor("low", DecorType.WALL, block(0, 7, 9, 1), 0, 3)) is COVERED
    assert seen(Decor("chest", DecorType.WALL, block(0, 7, 9, 1), 0, 10.9)) is COVERED
    assert seen(Decor("head", DecorType.WALL, block(0, 7, 9, 1), 0, 11.1)) is HIDDEN
    assert seen(Decor("post", DecorType.WALL, block(3, 7, 1, 1))) is OPEN
    assert seen(Decor("post", DecorType.WALL, ((3, 7), (4.3, 7), (4.3, 8), (3, 8)))) is COVERED
    assert seen(Decor("post", DecorType.WALL, block(4, 7, 1, 1))) is HIDDEN
    assert seen(Decor("pole", DecorType.WALL, ((4.4, 4), (4.6, 4), (4.6, 4.2), (4.4, 4.2)))) is OPEN


def test_who_stands_at_a_low_wall_sees_more_than_is_seen_of_him():
    wall = Decor("wall", DecorType.WALL, block(0, 1, 20, 1), 0, 9)
    board = flat_board(20, 20, [wall])
    assert sight(board, at(5, 0), at(5, 15)) is OPEN
    assert sight(board, at(5, 15), at(5, 0)) is COVERED


def test_units_and_vehicles_hide_and_cover():
    assert sight(flat_board(9, 9, units=[(4, 0), (4, 8)]), at(4, 0), at(4, 8)) is OPEN
    assert sight(flat_board(9, 9, units=[(4, 4)]), at(4, 0), at(4, 8)) is HIDDEN
    assert sight(flat_board(9, 9, units=[(3, 6)]), at(4, 0), at(5, 8)) is OPEN
    assert sight(flat_board(9, 9, units=[(4, 6)]), at(4, 0), at(5, 8)) is COVERED
    car = Vehicle("car", 4.5, 4.5, 10.0, 4.0, 2.0, 0.0, 6.0)
    board = flat_board(9, 9, vehicles=[car])
    assert sight(board, at(4, 0), at(4, 8)) is COVERED
    assert sight(board, at(4, 0), at(4, 8), without=["car"]) is OPEN
    truck = replace(car, top_plates=14.0)
    assert sight(flat_board(9, 9, vehicles=[truck]), at(4, 0), at(4, 8)) is HIDDEN
    flyer = replace(car, bottom_plates=12.0, top_plates=20.0)
    assert sight(flat_board(9, 9, vehicles=[flyer]), at(4, 0), at(4, 8)) is OPEN


def test_open_doors_and_windows_are_seen_through():
    decor = [
        Decor("left", DecorType.WALL, block(0, 4, 4, 1), 0, 20),
        Decor("door", DecorType.DOOR, block(4, 4, 1, 1), 0, 20),
        Decor("sill", DecorType.WALL, block(5, 4, 1, 1), 0, 6),
        Decor("window", DecorType.WINDOW, block(5, 4, 1, 1), 6, 20),
    ]
    assert sight(flat_board(9, 9, decor), at(4, 3), at(4, 8)) is HIDDEN
    assert sight(flat_board(9, 9, decor, open_ids=["door"]), at(4, 3), at(4, 8)) is OPEN
    assert sight(flat_board(9, 9, decor), at(5, 0), at(5, 8)) is HIDDEN
    assert sight(flat_board(9, 9, decor, open_ids=["window"]), at(5, 0), at(5, 8)) is COVERED


def test_ground_hides():
    ground = tuple(12.0 if stud % 9 in (2, 3, 4, 5) else 0.0 for stud in range(81))
    field = Field(9, 9, ground_plates=ground)
    board = Board(terrain(field))
    assert sight(board, at(0, 0), at(8, 8)) is HIDDEN
    assert sight(board, at(2, 4, 12.0), at(8, 4)) is COVERED
    assert sight(board, at(5, 4, 12.0), at(8, 4)) is OPEN


def test_vehicles_are_seen_at_their_corners():
    car = Vehicle("car", 10.0, 12.0, 0.0, 8.0, 4.0)
    house = Decor("house", DecorType.WALL, block(8, 4, 4, 3))
    low = Decor("low", DecorType.WALL, block(0, 4, 20, 1), 0, 4)
    assert vehicle_sight(flat_board(20, 20, vehicles=[car]), at(9, 0), car) is OPEN
    assert vehicle_sight(flat_board(20, 20, [low], vehicles=[car]), at(9, 0), car) is OPEN
    assert vehicle_sight(flat_board(20, 20, [low], vehicles=[car]), at(9, 3), car) is OPEN
    near = replace(low, corners_studs=block(0, 9, 20, 1))
    assert vehicle_sight(flat_board(20, 20, [near], vehicles=[car]), at(9, 0), car) is COVERED
    assert vehicle_sight(flat_board(20, 20, [house], vehicles=[car]), at(9, 2), car) is HIDDEN
    assert vehicle_sight(flat_board(20, 20, [house], vehicles=[car]), at(0, 0), car) is COVERED
    other = Vehicle("truck", 10.0, 6.0, 0.0, 10.0, 2.0, 0.0, 14.0)
    board = flat_board(20, 20, vehicles=[car, other])
    assert vehicle_sight(board, at(9, 3), car) is HIDDEN
    assert vehicle_sight(board, at(9, 3), car, without=["truck"]) is OPEN


@given(boards(), st.data())
def test_many_sights_are_single_sights(board, data):
    viewer = board.field.stances[data.draw(studs(board))]
    targets = [board.field.stances[data.draw(studs(board))] for _ in range(3)]
    assert sights(board, viewer, targets) == [sight(board, viewer, target) for target in targets]
    assert sights(board, viewer, []) == []


@pytest.mark.parametrize("image", IMAGES)
@given(data=st.data(), board=boards())
def test_mirrored_and_turned_fields_are_seen_likewise(image, data, board):
    one, other = data.draw(studs(board)), data.draw(studs(board))
    moved, there = image(board)
    before, after = board.field.stances, moved.field.stances
    assert sight(moved, after[there[one]], after[there[other]]) is sight(
        board, before[one], before[other]
    )
    for vehicle, vehicle_there in zip(board.vehicles, moved.vehicles, strict=True):
        assume(hypot(vehicle.x_studs - before[one][0], vehicle.y_studs - before[one][1]) > 0)
        assert vehicle_sight(moved, after[there[one]], vehicle_there) is vehicle_sight(
            board, before[one], vehicle
        )


@given(boards(), st.data())
def test_opening_never_hides(board, data):
    line = data.draw(lines(board))
    viewer = board.field.stances[data.draw(studs(board))]
    everything = terrain(board.field, frozenset(openable(board.field)))
    opened = Board(everything, board.units, board.vehicles)
    assert is_clear(board, line) <= is_clear(opened, line)
    targets = board.field.stances
    before, after = sights(board, viewer, targets), sights(opened, viewer, targets)
    assert all(RANK[old] <= RANK[new] for old, new in zip(before, after, strict=True))


@given(boards(), st.data())
def test_what_is_added_never_shows_more(board, data):
    line = data.draw(lines(board))
    stud = data.draw(studs(board))
    x, y = board.field.xy(stud)
    crowded = Board(board.terrain, board.units | 1 << stud, board.vehicles)
    assert is_clear(crowded, line) <= is_clear(board, line)
    tower = Decor("tower", DecorType.WALL, block(x, y, 1, 1), 0.0, data.draw(heights))
    field = replace(board.field, decor=(*board.field.decor, tower))
    built = Board(terrain(field, board.terrain.open_ids), 0, board.vehicles)
    bare = Board(board.terrain, 0, board.vehicles)
    assert is_clear(built, line) <= is_clear(bare, line)
    if board.vehicles:
        assert is_clear(board, line) <= is_clear(board, line, [board.vehicles[0].id])


@given(boards(flat=True))
def test_nobody_is_in_his_own_way(board):
    for stud in each(board.free):
        stance = board.field.stances[stud]
        assert sight(Board(board.terrain, 1 << stud), stance, stance) is OPEN
