"""Zones of control (BB 3.1.2, 10.1): their definition as an oracle, and quarter turns."""

import pytest

from brickphys.blade_and_bow.ground import beside, direction, zones
from brickphys.blade_and_bow.state import State
from brickphys.grid.grid import each, squares_of
from tests.blade_and_bow.battle import battle
from tests.blade_and_bow.crowd import crowd, turned_square

EMPTY = "......\n" * 6


def plain_zones(state: State, player: int) -> tuple[int, int]:
    """Weak and strong squares as 3.1.2 says and draws them, pair by pair: the flanks are weak, too."""
    grid = state.setting.grid
    weak: dict[int, set[int]] = {}
    strong = 0
    for number, unit in enumerate(state.units):
        if state.player_of(number) != player or unit.disrupted:
            continue
        weak[unit.square] = set()
        for square in each(beside(grid)[unit.square]):
            off = (direction(grid, unit.square, square) - unit.facing) % 8
            if off == 0:
                strong |= 1 << square
            elif off in (1, 2, 6, 7):
                weak[unit.square].add(square)
    for one, ones in weak.items():
        for other, others in weak.items():
            if direction(grid, one, other) is not None:
                strong |= squares_of(ones & others)
    return squares_of(set().union(*weak.values())) & ~strong, strong


@pytest.mark.parametrize("seed", range(40))
def test_zones_are_those_of_the_definition(seed):
    state = crowd(seed, units=14).state
    for player in (0, 1):
        assert zones(state, player) == plain_zones(state, player)


@pytest.mark.parametrize("seed", range(10))
def test_zones_turn_with_the_map(seed):
    now = crowd(seed, units=14)
    for player in (0, 1):
        before, after = zones(now.state, player), zones(now.turned.state, player)
        for squares, there in zip(before, after, strict=True):
            assert squares_of(map(turned_square, each(squares))) == there


def test_zones_outlive_changes_of_other_things():
    state = battle(EMPTY, "greeks hoplite C3 n")
    first = zones(state, 0)
    assert zones(state.replaced({"turn": 2}), 0) is first
    assert zones(state.change_unit(0, facing=0), 0) != first
