"""Lines of sight (BB 3.3): every shortest route as an oracle, and both ways round."""

from collections.abc import Iterator

import pytest

from brickphys.blade_and_bow.ground import beside, points, sees
from brickphys.blade_and_bow.state import State
from brickphys.grid.grid import each
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
    state = crowd(seed, units=5, ground='...........^"~+').state
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
