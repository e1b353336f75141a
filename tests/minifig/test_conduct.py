"""Counts of what figures did, in games of a few moves."""

import pytest

from brickphys.minifig.conduct import COUNTS, conduct
from brickphys.minifig.setting import Options
from brickphys.minifig.state import State
from brickphys.rules.game import parse_move
from brickphys.rules.record import Ending, Record, Step
from tests.minifig.battle import GAME
from tests.minifig.small_battle import APART, battle, fighter

BOB = fighter("bob", 15, 10, player=1, facing=180.0)
FAR = fighter("ben", 40, 30, player=1)


def counts(state: State, *texts: str, player: int = 0) -> dict[str, int]:
    """What is counted of a player, but 0, after some moves; figures that never act are left out."""
    initial, steps = state, list[Step]()
    for text in texts:
        actor, move = GAME.actor(state), parse_move(GAME, state, text)
        state = GAME.apply(state, move)
        steps.append(Step(actor, move, text, state))
    record = Record(
        "minifig", "", {}, initial, tuple(steps), Ending.LIMIT, None, ("red", "blue"), 0
    )
    found = conduct(record, player)
    assert tuple(found) == COUNTS
    return {name: count for name, count in found.items() if count and name != "units_asleep"}


SHOT = "take tom", "shoot bob"


def shooting(*fighters, **more):
    """Tom may shoot at bob."""
    return battle(fighter("tom", 10, 10, "bow"), *fighters, BOB, FAR, **more)


def test_a_shot_that_knocks_an_enemy_over_is_counted_of_who_shot():
    moves = *SHOT, "bob knocked over"
    assert counts(shooting(), *moves) == {"shots": 1, "missile_kills": 1}
    assert counts(shooting(), *moves, player=1) == {}


@pytest.mark.parametrize("outcome", [("miss",), ("bob hit", "0")])
def test_a_shot_without_a_kill(outcome):
    assert counts(shooting(), *SHOT, *outcome) == {"shots": 1}


OWN_KILL = {"shots": 1, "missile_kills": 1, "own_missile_kills": 1}


@pytest.mark.parametrize("outcome", [("sam knocked over",), ("sam hit", "1")])
def test_an_own_man_who_stands_in_the_lane_is_killed(outcome):
    assert counts(shooting(fighter("sam", 12.5, 10.5)), *SHOT, *outcome) == OWN_KILL


def test_an_own_man_in_a_melee_with_the_target_is_killed():
    sam = fighter("sam", 15, 10 + APART, facing=270.0)
    state = shooting(sam, options=Options(no_missiles_in_contact=False))
    assert counts(state, *SHOT, "bob knocked over", "sam") == OWN_KILL
    assert counts(state, *SHOT, "bob hit", "bob", "1") == {"shots": 1, "missile_kills": 1}


def test_a_shot_of_an_engine_is_counted_as_such():
    state = battle(fighter("gus", 6.8, 10), BOB, FAR, things={"ram": ("big_catapult", 8.4, 10.0)})
    found = counts(state, "take gus", "launch bob", "bob direct", "1")
    assert found == {"shots": 1, "engine_shots": 1, "missile_kills": 1}
