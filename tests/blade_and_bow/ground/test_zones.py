"""Zones of control: their definition as an oracle, quarter turns, and each rule of BB 3.1.2 and 10.1."""

import pytest

from brickphys.blade_and_bow.ground import beside, direction, zones
from brickphys.blade_and_bow.state import State
from brickphys.grid.grid import each, squares_of
from tests.blade_and_bow.battle import battle, names_of
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


def test_ahead_is_strong_and_the_other_front_squares_and_the_flanks_are_weak():
    """BB 3.1.2: both units of its picture, one that faces a side and one that faces a corner."""
    state = battle(EMPTY, "greeks hoplite C3 n", "persians spears E5 ne")
    greek, persian = zones(state, 0), zones(state, 1)
    assert (names_of(state, greek.strong), names_of(state, greek.weak)) == ("C2", "B2 B3 D2 D3")
    assert (names_of(state, persian.strong), names_of(state, persian.weak)) == ("F4", "D4 E4 F5 F6")


def test_weak_squares_that_neighbours_share_are_strong():
    state = battle(EMPTY, "greeks hoplite C3 ne", "greeks hoplite D3 n")
    assert names_of(state, zones(state, 0).strong) == "C2 D2"
    apart = battle(EMPTY, "greeks hoplite B3 n", "greeks hoplite D3 n")
    assert "C2" in names_of(apart, zones(apart, 0).weak)  # shared, but not by neighbours


def test_a_disrupted_unit_has_no_zone():
    """BB 10.1: what it shared is weak again."""
    state = battle(EMPTY, "greeks spears C3 ne", "greeks spears D4 n")
    assert "D3" in names_of(state, zones(state, 0).strong)
    shared = battle(EMPTY, "greeks spears C3 n", "greeks spears C4 ne")
    assert names_of(shared, zones(shared, 0).strong) == "B3 C2 D3"
    state = battle(EMPTY, "greeks spears B3 e", "greeks spears B4 ne disrupted")
    assert names_of(state, zones(state, 0).all) == "B2 B4 C2 C3 C4"
    assert names_of(state, zones(state, 0).strong) == "C3"


def test_zones_outlive_changes_of_other_things():
    state = battle(EMPTY, "greeks hoplite C3 n")
    first = zones(state, 0)
    assert zones(state.replaced({"turn": 2}), 0) is first
    assert zones(state.change_unit(0, facing=0), 0) != first
