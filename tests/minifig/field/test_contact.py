"""Who touches whom, over a low wall too (MF Resolving Combat, MF Picking Up Weapons)."""

from math import cos, radians, sin

import numpy as np
import pytest

from brickphys.minifig.ground import items_touched, opponents, things_touched, touches, wall_between
from brickphys.minifig.setting import THICK_IN, WallSpec
from brickphys.minifig.sheets import BASE_RADIUS_IN, TOUCH_IN
from tests.minifig.small_battle import battle, fighter


def pair(x, y=10.0, courses=None, facing=0.0, out=(), at=(10.0, 10.0)):
    """Tom at (9.36, 10) and a foe; between them, in the middle, a wall of 8 studs."""
    walls = (WallSpec("wall", *at, facing, 8, courses),) if courses else ()
    state = battle(fighter("tom", 9.36, 10), fighter("foe", x, y, player=1), walls=walls)
    return state.replaced({"walls": (out,)}) if courses else state


@pytest.mark.parametrize("angle", [0, 50, 170, 265])
def test_bases_within_a_twentieth_of_an_inch_touch(angle):
    for apart, expected in ((0.63, True), (0.68, True), (0.6801, False), (2.0, False)):
        foe = (9.36 + apart * cos(radians(angle)), 10 + apart * sin(radians(angle)))
        state = pair(*foe)
        assert touches(state, 0, 1) == touches(state, 1, 0) == expected
        assert list(opponents(state, 0)) == [1] * expected


def test_the_dead_and_friends_are_no_opponents():
    dead = battle(fighter("tom", 10, 10), fighter("foe", 10.65, 10, player=1, is_alive=False))
    friend = battle(
        fighter("tom", 10, 10), fighter("ann", 10.65, 10), fighter("foe", 30, 10, player=1)
    )
    assert not [*opponents(dead, 0), *opponents(friend, 0)]


@pytest.mark.parametrize(("courses", "fights"), [(1, True), (2, True), (3, False), (4, False)])
def test_over_a_wall_of_up_to_two_courses(courses, fights):
    state = pair(10.64, courses=courses)
    assert wall_between(state, 0, 1) == wall_between(state, 1, 0) == (0 if fights else None)
    assert list(opponents(state, 0)) == list(opponents(state, 1))[:0] + [1] * fights
    assert not touches(state, 0, 1)


@pytest.mark.parametrize(("farther", "fights"), [(-0.0001, True), (0.0, True), (0.0001, False)])
def test_both_bases_touch_a_wall_over_which_they_fight(farther, fights):
    apart = 2 * BASE_RADIUS_IN + THICK_IN + 2 * TOUCH_IN + farther
    state = pair(9.36 + apart, courses=1, at=(9.36 + apart / 2, 10.0))
    assert [*opponents(state, 0)] == [1] * fights
    assert [*opponents(state, 1)] == [0] * fights


def test_a_breach_lowers_a_wall_until_it_is_none():
    """Of a wall of three courses, without the upper ones two fight over it, without any none do."""
    spans = pair(10.64, courses=3).setting.walls[0].spans
    upper = tuple(number for number, (_, _, course) in enumerate(spans) if course)
    assert wall_between(pair(10.64, courses=3, out=upper), 0, 1) == 0
    assert wall_between(pair(10.64, courses=3, out=tuple(range(len(spans)))), 0, 1) is None


@pytest.mark.parametrize(("one", "other"), [(10.0, 10.65), (9.4, 10.05)])
def test_who_touch_on_a_breach_fight_without_a_wall(one, other):
    """One of them stands on the last brick, or both do."""
    state = pair(other, courses=1)
    state = state.with_figure(0, state.figures[0].at((one, 10.0), 0.0))
    assert wall_between(state, 0, 1) is wall_between(state, 1, 0) is None
    assert list(opponents(state, 0)) == [1]


@pytest.mark.parametrize(
    ("foe", "why"),
    [
        ((10.75, 10.0), "it stands off the wall"),
        ((9.36, 10.7), "both are on one side"),
        ((10.64, 11.0), "it is too far along the wall"),
    ],
)
def test_no_fight_over_a_wall(foe, why):
    assert wall_between(pair(*foe, courses=2), 0, 1) is None, why


def test_nor_beside_its_end():
    """The line between them passes the end of the wall."""
    beyond = pair(10.64, courses=2, at=(10.0, 8.5))
    assert wall_between(beyond, 0, 1) is None
    assert wall_between(pair(10.64, courses=2, at=(10.0, 9.0)), 0, 1) == 0


def test_it_does_not_depend_on_how_the_wall_lies():
    for facing in np.arange(0, 360, 37.0):
        ahead = 0.64 * np.array([cos(radians(facing)), sin(radians(facing))])
        places = [tuple((10 + sign * ahead).tolist()) for sign in (1, -1)]
        walls = (WallSpec("wall", 10, 10, float(facing), 8, 2),)
        state = battle(
            fighter("tom", *places[0]), fighter("foe", *places[1], player=1), walls=walls
        )
        assert list(opponents(state, 0)) == [1]


def test_things_and_items_touched():
    things = {
        "bay": ("horse", 10.68, 10),
        "cart": ("wagon", 10, 11.38),
        "gun": ("small_catapult", 7, 10),
    }
    lying = {"axe": ("axe", 10.68, 10), "bow": ("bow", 10.69, 10)}
    state = battle(
        fighter("tom", 10, 10, "sword"),
        fighter("foe", 30, 10, player=1),
        things=things,
        lying=lying,
    )
    assert [state.setting.things[n].name for n in things_touched(state, 0)] == ["bay"]
    assert [state.setting.items[n].name for n in items_touched(state, 0)] == ["axe"]
    nearer = state.change_thing(1, y_in=11.36)
    assert [state.setting.things[n].name for n in things_touched(nearer, 0)] == ["bay", "cart"]


def test_a_ridden_horse_is_no_thing_to_touch():
    things = {"bay": ("horse", 10.65, 10)}
    state = battle(
        fighter("tom", 10, 10), fighter("foe", 10.65, 10, player=1, horse="bay"), things=things
    )
    assert not list(things_touched(state, 0))
    assert list(opponents(state, 0)) == [1]
