"""Which ranks the enemy comes to see (BB 2.3.2.8)."""

from brickphys.blade_and_bow.ground import noticed
from tests.blade_and_bow.battle import battle, unit

EMPTY = "......\n" * 6


def is_seen(*pieces: str, ground: str = EMPTY) -> bool:
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
    state = battle(EMPTY, "greeks spears C3 n", "persians archers C6 n", "greeks psiloi A1 n")
    assert noticed(state) is state


def test_what_was_seen_stays_known():
    state = noticed(battle(EMPTY, "greeks hoplite C3 n seen", "persians archers C1 s"))
    assert state.units[0].seen
