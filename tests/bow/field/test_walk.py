"""Walks (BOW 2.3.1) against a search written another way, and the book's pirate."""

from collections import deque
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.bow.field import FIGURE_PLATES, Decor, DecorType, Field, block
from brickphys.bow.terrain import Board, reachable, terrain
from brickphys.errors import InvalidValueError
from brickphys.grid.grid import each, squares_of
from tests.bow.fields import IMAGES, boards, flat_board, openable, studs


def slices(board, x, y, with_closed):
    """Return the half plates of a column, from 0 up, that are filled."""
    field = board.field
    stud = y * field.width + x
    filled = {n for n in range(120) if n / 2 < field.grounds_plates[stud]}
    for decor in field.decor:
        if decor.kind.opens and (not with_closed or decor.id in board.terrain.open_ids):
            continue
        if field.decor_studs[decor.id] >> stud & 1:
            filled |= {n for n in range(120) if decor.bottom_plates <= n / 2 < decor.top_plates}
    return filled


def floor_plates(board, x, y):
    """Return the height of the lowest floor with headroom, None if a closed door or window is in it."""
    fixed, all_filled = slices(board, x, y, False), slices(board, x, y, True)
    room = range(int(2 * FIGURE_PLATES))
    floor = next(
        n
        for n in range(120)
        if not any(n + up in fixed for up in room)
        and (n == 2 * board.field.grounds_plates[y * board.field.width + x] or n - 1 in fixed)
    )
    return None if any(floor + up in all_filled for up in room) else floor / 2


def searched(board, start, most_steps):
    """Return steps to every stud by a search over coordinates."""
    field = board.field
    floors = {
        (x, y): floor_plates(board, x, y)
        for x in range(field.width)
        for y in range(field.length)
        if not board.taken >> field.stud(x, y) & 1
    }
    home = field.xy(start)
    floors[home] = field.levels_plates[start]
    floors = {place: height for place, height in floors.items() if height is not None}

    def is_walked(one, other):
        return other in floors and abs(floors[one] - floors[other]) <= field.step_plates

    steps = {home: 0}
    queue = deque([home])
    while queue:
        x, y = here = queue.popleft()
        for there in [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]:
            corners = [(x, there[1]), (there[0], y)]
            ways = [one for one in corners if is_walked(here, one) and is_walked(one, there)]
            straight = x == there[0] or y == there[1]
            if there not in steps and is_walked(here, there) and (straight or ways):
                steps[there] = steps[here] + 1
                if steps[there] < most_steps:
                    queue.append(there)
    return {field.stud(*place): count for place, count in steps.items() if count <= most_steps}


@given(boards(), st.data(), st.integers(1, 8))
def test_steps_are_those_of_a_search_over_coordinates(board, data, most_steps):
    start = data.draw(st.sampled_from(list(each(board.terrain.standable)) or [None]))
    if start is not None:
        assert reachable(board, start, most_steps).steps == searched(board, start, most_steps)


def test_the_pirate_moves_within_a_square_that_the_house_cuts():  # BOW 2.3.1
    house = Decor("house", DecorType.WALL, block(13, 3, 6, 14))
    board = flat_board(20, 20, [house], units=[(10, 10)])
    reached = reachable(board, board.field.stud(10, 10), 5).studs
    assert reached == squares_of(board.field.stud(x, y) for x in range(5, 13) for y in range(5, 16))


def test_nobody_squeezes_between_two_obstacles():
    start, there = 0, 4
    corner = Decor("corner", DecorType.WALL, block(1, 0, 1, 1))
    assert reachable(flat_board(3, 3, [corner]), start, 1).steps[there] == 1
    assert there not in reachable(flat_board(3, 3, [corner], units=[(0, 1)]), start, 8).steps
    assert there not in reachable(flat_board(3, 3, units=[(0, 1), (1, 0)]), start, 8).steps


def test_a_brick_is_a_step_and_more_is_an_obstacle():
    stairs = Field(4, 1, ground_plates=(0.0, 3.0, 6.0, 10.0))
    assert reachable(Board(terrain(stairs)), 0, 9).steps == {0: 0, 1: 1, 2: 2}
    assert reachable(Board(terrain(stairs)), 3, 9).steps == {3: 0}
    agile = replace(stairs, step_plates=4.0)
    assert reachable(Board(terrain(agile)), 3, 9).steps == {3: 0, 2: 1, 1: 2, 0: 3}


def test_a_door_is_walked_through_when_open_and_a_window_never_over_its_sill():
    decor = [
        Decor("wall", DecorType.WALL, block(2, 0, 1, 2)),
        Decor("gate", DecorType.DOOR, block(2, 2, 1, 1), 0, 15),
        Decor("lintel", DecorType.WALL, block(2, 2, 1, 1), 15, 20),
        Decor("sill", DecorType.WALL, block(2, 3, 1, 1), 0, 6),
        Decor("window", DecorType.WINDOW, block(2, 3, 1, 1), 6, 20),
    ]
    closed, opened = (flat_board(5, 4, decor, open_ids=ids) for ids in ([], ["gate", "window"]))
    left = squares_of(opened.field.stud(x, y) for x in (0, 1) for y in range(4))
    assert reachable(closed, 0, 99).studs == left
    field = opened.field
    assert reachable(opened, 0, 99).studs == field.all_squares & ~squares_of([2, 7, 17])


def test_figures_of_either_side_and_vehicles_block_the_way():
    board = flat_board(5, 1, units=[(0, 0), (3, 0)])
    assert reachable(board, 0, 9).steps == {0: 0, 1: 1, 2: 2}


@given(boards(), st.data(), st.integers(0, 8))
def test_a_path_is_a_shortest_chain_of_single_steps(board, data, most_steps):
    start = data.draw(studs(board))
    found = reachable(board, start, most_steps)
    for stud, steps in found.steps.items():
        path = found.path(stud)
        assert (path[0], path[-1], len(path)) == (start, stud, steps + 1)
        for here, there in pairwise(path):
            others = Board(board.terrain, board.units & ~(1 << start), board.vehicles)
            assert reachable(others, here, 1).steps.get(there) == 1


def test_a_stud_out_of_reach_has_no_path():
    with pytest.raises(InvalidValueError, match=r"stud \(4, 0\) is out of reach"):
        reachable(flat_board(5, 1), 0, 3).path(4)


@pytest.mark.parametrize("image", IMAGES)
@given(data=st.data(), board=boards(), most_steps=st.integers(0, 8))
def test_mirrored_and_turned_fields_are_walked_likewise(image, data, board, most_steps):
    start = data.draw(studs(board))
    other, there = image(board)
    expected = {
        there[stud]: steps for stud, steps in reachable(board, start, most_steps).steps.items()
    }
    assert reachable(other, there[start], most_steps).steps == expected


@given(boards(), st.data())
def test_opening_never_shrinks_what_is_reached(board, data):
    start = data.draw(studs(board))
    everything = terrain(board.field, frozenset(openable(board.field)))
    opened = Board(everything, board.units, board.vehicles)
    assert reachable(board, start, 5).studs & ~reachable(opened, start, 5).studs == 0


@given(boards(), st.data())
def test_more_obstacles_never_add_to_what_is_reached(board, data):
    start, other = data.draw(studs(board)), data.draw(studs(board))
    before = reachable(board, start, 5).studs
    crowded = Board(board.terrain, board.units | 1 << other, board.vehicles)
    assert reachable(crowded, start, 5).studs & ~before == 0
    if other != start:
        x, y = board.field.xy(other)
        tower = Decor("tower", DecorType.WALL, block(x, y, 1, 1), -1.0, 99.0)
        field = replace(board.field, decor=(*board.field.decor, tower))
        built = Board(terrain(field, board.terrain.open_ids), board.units, board.vehicles)
        assert reachable(built, start, 5).studs & ~before == 0


@given(boards(), st.data())
def test_who_gets_there_gets_back(board, data):
    start = data.draw(st.sampled_from(list(each(board.free)) or [None]))
    if start is not None:
        for stud, steps in reachable(board, start, 6).steps.items():
            assert reachable(board, stud, 6).steps[start] == steps


def test_a_path_over_open_ground_follows_the_straight_line():
    field = flat_board(20, 20).field
    found = reachable(flat_board(20, 20), field.stud(2, 3), 12)
    for x, y in ((14, 3), (14, 9), (2, 12), (10, 11)):
        for column, row in map(field.xy, found.path(field.stud(x, y))):
            aside = abs((x - 2) * (row - 3) - (y - 3) * (column - 2)) / max(x - 2, y - 3)
            assert aside <= 1
