"""Lines of sight: every shortest route as an oracle, both ways round, and each rule of BB 3.3."""

from collections.abc import Iterator

import pytest

from brickphys.blade_and_bow.ground import beside, between, points, sees
from brickphys.blade_and_bow.state import State
from brickphys.grid.grid import each, squares_of
from tests.blade_and_bow.battle import battle, names_of, square
from tests.blade_and_bow.crowd import SIZE, crowd, turned_square

ALL = range(SIZE * SIZE)


def routes(state: State, one: int, other: int) -> Iterator[tuple[int, ...]]:
    """Yield the squares between two squares on each route that costs the fewest points."""
    grid = state.setting.grid
    if one == other:
        yield ()
        return
    for step in each(beside(grid)[one]):
        if points(grid, one, step) + points(grid, step, other) == points(grid, one, other):
            yield from ((step, *rest) for rest in routes(state, step, other))


def plainly_sees(state: State, one: int, other: int) -> bool:
    """The words of 3.3, for every route that the defender may take."""
    grounds = state.setting.terrain
    level = grounds[one].is_high == grounds[other].is_high
    return not any(
        grounds[between].blocks or (level and between in state.at)
        for route in routes(state, one, other)
        for between in route
        if between != other
    )


@pytest.mark.parametrize("seed", range(6))
def test_sight_is_that_of_every_shortest_route(seed):
    state = crowd(seed, units=5, ground='...........^"').state
    for one in ALL[:: 3 + seed]:
        for other in ALL:
            assert sees(state, one, other) == plainly_sees(state, one, other), (one, other)


@pytest.mark.parametrize("seed", range(5))
def test_sight_is_mutual_and_turns_with_the_map(seed):
    now = crowd(seed, units=6, ground='..........^^"')
    state, turned = now.state, now.turned.state
    for one in ALL:
        for other in ALL:
            found = sees(state, one, other)
            assert found == sees(state, other, one)
            assert found == sees(turned, turned_square(one), turned_square(other))


def test_neighbours_always_see_each_other():
    state = battle('"^"\n^"^\n"^"', "greeks hoplite B2 n")
    assert all(sees(state, 4, other) for other in range(9))


def seen(state: State, one: str, other: str) -> bool:
    return sees(state, square(state, one), square(state, other))


def test_the_defender_chooses_the_route():
    """BB 3.3: from A3 to C2 there are two routes, through B3 and through B2."""
    state = battle("...\n...\n...", "greeks hoplite B2 n")
    inside = between(state.setting.grid, square(state, "A3"), square(state, "C2"))
    assert names_of(state, inside) == "B2 B3"
    assert not seen(state, "A3", "C2")
    assert seen(state, "A3", "C3")
    assert not seen(state, "A3", "C1")


def test_units_block_among_those_who_stand_as_high():
    """BB 3.3: both on clear ground or both on hills; from a hill down they do not."""
    rows = "^..^\n....\n...."
    state = battle(rows, "greeks hoplite B1 n", "greeks hoplite C1 n")
    assert not seen(state, "A1", "D1")  # hill to hill
    assert seen(state, "A1", "C1")  # hill to clear, across a unit
    assert seen(battle(rows), "A1", "D1")


@pytest.mark.parametrize(("sign", "free"), [(".", True), ("~", True), ('"', False), ("+", False)])
def test_ground_blocks(sign, free):
    """BB 3.3, 8.3: hills, towns and woods."""
    assert seen(battle(f".{sign}."), "A1", "C1") is free
    assert not seen(battle(".^."), "A1", "C1")


def test_no_shortest_route_passes_a_corner_of_the_map():
    grid = crowd(0, units=1).state.setting.grid
    corners = squares_of([0, SIZE - 1, SIZE * (SIZE - 1), SIZE * SIZE - 1])
    pairs = ((one, other) for one in ALL for other in ALL if one != other)
    assert not any(between(grid, one, other) & corners for one, other in pairs)
