"""Steps: walls, closed squares and the special rules of Thermopylae (BB 14.2); ranks that are seen (BB 2.3.2.8)."""

from brickphys.blade_and_bow.ground import beside, noticed, passable, step_allowed
from brickphys.blade_and_bow.setting import Special
from brickphys.blade_and_bow.state import State
from brickphys.grid.grid import each, squares_of
from tests.blade_and_bow.battle import battle, names_of, square, squares, unit

EMPTY = "....\n....\n....\n...."
PLAIN = battle(EMPTY)


def steps(state: State, name: str, player: int = 0) -> str:
    """The squares to which one may step from a square."""
    start = square(state, name)
    near = each(beside(state.setting.grid)[start])
    found = squares_of(other for other in near if step_allowed(state, player, start, other))
    return names_of(state, found)


def test_on_open_ground_every_neighbour():
    assert steps(PLAIN, "B2") == "A1 A2 A3 B1 B3 C1 C2 C3"
    assert steps(PLAIN, "A1") == "A2 B1 B2"
    assert not step_allowed(PLAIN, 0, square(PLAIN, "A1"), square(PLAIN, "C1"))


def test_closed_ground_is_not_entered():
    state = battle("#...\n.=..\n....\n....")
    assert steps(state, "A2") == "A3 B1 B3"
    assert names_of(state, state.setting.grid.all_squares & ~passable(state, 0)) == "A1 B2"


def test_a_wall_stops_steps_across_its_side_both_ways():
    state = battle(EMPTY, walls=["B2 B3"])
    assert steps(state, "B2") == "A1 A2 A3 B1 C1 C2 C3"
    assert steps(state, "B3") == "A2 A3 A4 B4 C2 C3 C4"


def test_nobody_slips_diagonally_through_a_wall():
    """Ours: a corner is shut where both ways round it meet a wall; round its end it is open."""
    state = battle(EMPTY, walls=["B2 B3", "C2 C3"])
    assert steps(state, "B2") == "A1 A2 A3 B1 C1 C2"
    assert steps(state, "C3") == "B3 B4 C4 D2 D3 D4"


def test_diagonals_between_the_gates_and_the_wall_while_a_unit_is_in_a_gate():
    """BB 14.2, special rule 2: of either side; only steps round the end of the wall are shut."""
    gates, walls = Special(gates=squares(PLAIN, "B2 B3")), ["A2 A3"]
    free = battle(EMPTY, special=gates, walls=walls)
    assert steps(free, "B2") == "A1 A2 A3 B1 B3 C1 C2 C3"
    held = battle(EMPTY, "persians spears B3 n", special=gates, walls=walls)
    assert steps(held, "B2") == "A1 A2 B1 B3 C1 C2 C3"
    assert steps(held, "B3") == "A3 A4 B2 B4 C2 C3 C4"
    assert steps(held, "A2") == "A1 B1 B2"
    assert steps(held, "A3") == "A4 B3 B4"
    assert steps(held, "A1") == "A2 B1 B2"


def test_the_goat_path():
    """BB 14.2, special rules 3 and 4: no Greek on it, nobody beyond the limit before it is known, no diagonal."""
    special = Special(path=squares(PLAIN, "B2 C2"), limit=squares(PLAIN, "C1 C2 C3 C4 D1 D2 D3 D4"))
    hidden = battle(EMPTY, special=special)
    assert steps(hidden, "A2", player=0) == "A1 A3 B1 B3"
    assert steps(hidden, "C3", player=0) == "B3 B4 C4 D2 D3 D4"
    assert steps(hidden, "B2", player=1) == "A2 B1 B3"
    assert steps(hidden, "B3", player=1) == "A2 A3 A4 B2 B4"
    known = hidden.replaced({"discovered": True})
    assert steps(known, "B2", player=1) == "A2 B1 B3 C2"
    assert steps(known, "B1", player=1) == "A1 A2 B2 C1"


WIDE = "......\n" * 6


def is_seen(*pieces: str, ground: str = WIDE) -> bool:
    state = battle(ground, *pieces)
    return noticed(state).units[unit(state, "hoplite")].seen


def test_from_the_front_ranks_stay_hidden():
    assert not is_seen("greeks hoplite C4 n +2", "persians archers C1 s")
    assert not is_seen(
        "greeks hoplite C4 n +2", "persians archers F1 s"
    )  # on the edge of its front


def test_from_flank_or_rear_they_are_seen():
    assert is_seen("greeks hoplite C3 n +2", "persians archers F3 n")
    assert is_seen("greeks hoplite C3 n +2", "persians archers A6 n")
    assert not is_seen("greeks hoplite C3 n +2", "persians archers F3 n", "greeks spears E3 n")


def test_in_an_enemy_zone_they_are_seen():
    assert is_seen("greeks hoplite C3 n", "persians spears C2 s")
    assert not is_seen("greeks hoplite C3 n", "persians spears C2 s disrupted")
    assert not is_seen("greeks hoplite C3 n", "persians spears C2 n")


def test_friends_and_units_without_ranks_do_not_count():
    state = battle(WIDE, "greeks spears C3 n", "persians archers C6 n", "greeks psiloi A1 n")
    assert noticed(state) is state


def test_what_was_seen_stays_known():
    state = noticed(battle(WIDE, "greeks hoplite C3 n seen", "persians archers C1 s"))
    assert state.units[0].seen
