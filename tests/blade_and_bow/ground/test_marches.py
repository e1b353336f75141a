"""Marches: the points of the shortest ways, beside plain distances and by hand (BB 3.1.3, 14.2)."""

from brickphys.blade_and_bow.ground import points
from brickphys.blade_and_bow.scenario import scenario_report
from brickphys.blade_and_bow.state import State
from brickphys.blade_and_bow.ways import HELD, NOWHERE, march, open_ground
from tests.blade_and_bow.battle import battle, square, squares


def far(state: State, start: str, end: str, player: int = 0, held: str = "") -> int:
    """The points of the way between two squares."""
    table = march(
        state.setting, open_ground(state, player), square(state, start), squares(state, held)
    )
    return table[square(state, end)]


def test_on_open_ground_a_march_is_a_distance():
    state = battle("\n".join(["......."] * 5))
    grid = state.setting.grid
    for start in range(35):
        table = march(state.setting, open_ground(state, 0), start)
        assert list(table) == [points(grid, start, other) for other in range(35)]


def test_a_march_goes_round_closed_ground_and_walls():
    state = battle("...\n##.\n...")
    assert far(state, "A3", "A1") == 3 + 3 + 2 + 2  # both corners, and along the row
    assert far(battle("#.#\n.#.\n..."), "B1", "C2") == 3
    state = battle("...\n...\n...", walls=["A2 A3", "B2 B3"])
    assert far(state, "A3", "A2") == 2 + 3 + 2 + 2
    assert far(battle("..#\n..#\n###"), "A1", "C3") == NOWHERE
    state = battle("..\n..", walls=["B1 B2"])
    assert far(state, "B1", "A2") == 3  # past the end of the wall
    assert far(state, "B1", "B2") == 2 + 3


def test_a_square_that_the_enemy_holds_takes_longer():
    state = battle(".....")
    assert far(state, "A1", "E1") == 8
    assert far(state, "A1", "E1", held="C1") == 8 + HELD


def test_the_goat_path_is_a_way_for_persians_who_have_found_it():
    hidden = scenario_report("thermopylae").state
    found = hidden.replaced({"discovered": True})
    assert far(found, "P16", "C2", player=1) == 2 * 27  # no corner
    assert far(found, "P16", "C2") == far(hidden, "P16", "C2", player=1) > 2 * 27
    assert far(hidden, "P16", "E6", player=1) == NOWHERE
