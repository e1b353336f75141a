"""Who sees whom past bricks and hills (MF Projectiles), and who touches whom (MF Resolving Combat)."""

from math import cos, radians, sin

import numpy as np
import pytest

from brickphys.minifig import ground
from brickphys.minifig.setting import THICK_IN, WallSpec, Zone, ZoneKind
from brickphys.minifig.sheets import BASE_RADIUS_IN, TOUCH_IN
from brickphys.projectiles.target import target
from tests.minifig.small_battle import battle, fighter

BRICK_MM = 9.6


def hill(x, width, height):
    corners = ((x, 0.0), (x + width, 0.0), (x + width, 36.0), (x, 36.0))
    return Zone(ZoneKind.HILL, corners, height)


def two(
    wall_x=None, courses=3, zones=(), out=(), length=12, kinds=("soldier", "soldier"), horses=()
):
    """Tom at (10, 18) and a foe at (20, 18), with a wall across between them."""
    walls = () if wall_x is None else (WallSpec("wall", wall_x, 18.0, 0.0, length, courses),)
    things = {name: ("horse", 1, 1) for name in horses if name}
    names = dict(enumerate(horses))
    state = battle(
        fighter("tom", 10, 18, "bow", kind=kinds[0], horse=names.get(0)),
        fighter("foe", 20, 18, player=1, facing=180, kind=kinds[1], horse=names.get(1)),
        things=things,
        walls=walls,
        zones=zones,
    )
    return state.replaced({"walls": (out,)}) if walls else state


def test_eyes_are_in_the_middle_of_heads():
    assert {body: ground.eye_mm(body) for body in ("foot", "rider", "dog")} == {
        "foot": pytest.approx(33.6),
        "rider": pytest.approx(51.6),
        "dog": pytest.approx(15.5),
    }


@pytest.mark.parametrize("courses", [1, 2, 3, 4])
@pytest.mark.parametrize("wall_x", [10.7, 12.0, 15.0, 18.0, 19.3])
@pytest.mark.parametrize("horses", [(), ("bay", None), (None, "bay"), ("bay", "roan")])
def test_over_a_wall_by_similar_triangles(courses, wall_x, horses):
    """The highest point that is looked at is at 0.9 of the target's height, in its middle."""
    state = two(wall_x, courses, horses=horses)
    for one, other in ((0, 1), (1, 0)):
        eye = ground.eye_mm(state.body(one))
        goal = 0.9 * target(state.body(other)).height_mm
        x, to = state.figures[one].x_in, state.figures[other].x_in
        sides = [(abs(wall_x + side * 8 / 25.4 - x)) / abs(to - x) for side in (-1, 1)]
        lowest = min(eye + share * (goal - eye) for share in sides)
        assert ground.sees(state, one, other) == (lowest > courses * BRICK_MM)


def test_past_the_end_of_a_high_wall():
    """The wall ends 0.1 in to the right of the line between their middles: a side of the target is seen."""
    short = two(15.0, 6, length=4)
    half = 2 * 8 / 25.4
    for aside, is_seen in (
        (0.0, False),
        (half + 0.1, True),
        (half - 0.1, True),
        (half - 0.4, False),
    ):
        wall = WallSpec("wall", 15.0, 18.0 + aside, 0.0, 4, 6)
        state = battle(fighter("tom", 10, 18), fighter("foe", 20, 18, player=1), walls=(wall,))
        assert ground.sees(state, 0, 1) == is_seen, aside
    assert not ground.sees(short, 0, 1)


def test_through_a_hole():
    """Course 4 of a wall of 4 studs has two bricks of 2 x 2 side by side."""
    spans = two(15.0, 4, length=4).setting.walls[0].spans
    course = [number for number, (_, _, course) in enumerate(spans) if course == 3]
    assert not ground.sees(two(15.0, 4), 0, 1)
    assert ground.sees(two(15.0, 4, length=4, out=(course[0],)), 0, 1)
    assert not ground.sees(
        two(15.0, 4, length=4, out=(0,)), 0, 1
    )  # a hole at the ground shows nothing at that slope


def test_hills_hide_who_is_behind_and_show_who_is_on_them():
    assert not ground.sees(two(zones=(hill(14, 2, 4),)), 0, 1)
    assert ground.sees(two(zones=(hill(14, 2, 2),)), 0, 1)
    on_top = two(15.0, 4, zones=(hill(0, 12, 4),))
    assert ground.sees(on_top, 0, 1)
    assert ground.sees(on_top, 1, 0)


def test_a_wall_on_a_hill_is_as_much_higher():
    assert ground.sees(two(15.0, 3), 0, 1)
    assert not ground.sees(two(15.0, 3, zones=(hill(14, 2, 1),)), 0, 1)


def test_other_figures_hide_nobody():
    state = battle(fighter("tom", 10, 18), fighter("foe", 20, 18, player=1), fighter("ann", 15, 18))
    assert ground.sees(state, 0, 1)


def test_bricks_of_a_wall_are_seen_unless_others_hide_them():
    state = two(15.0, 3, length=4)
    for figure in (0, 1):
        assert all(ground.sees_brick(state, figure, 0, brick) for brick in range(4))
    walls = (*state.setting.walls, WallSpec("screen", 13.0, 18.0, 0.0, 12, 3))
    behind = battle(fighter("tom", 10, 18), fighter("foe", 20, 18, player=1), walls=walls)
    assert not ground.sees_brick(behind, 0, 0, 0)
    assert ground.sees_brick(behind, 1, 0, 0)


def test_a_screen_as_long_as_a_wall_hides_each_of_its_bricks():
    wall, screen = (
        WallSpec("wall", 20.0, 18.0, 0.0, 8, 3),
        WallSpec("screen", 18.5, 18.0, 0.0, 8, 6),
    )
    state = battle(fighter("tom", 10, 18), fighter("foe", 30, 18, player=1), walls=(wall, screen))
    assert not any(ground.sees_brick(state, 0, 0, brick) for brick in range(len(wall.spans)))
    assert all(ground.sees_brick(state, 1, 0, brick) for brick in range(len(wall.spans)))


def test_who_stands_in_line_between_two_the_nearest_first():
    state = battle(
        fighter("tom", 5, 10),
        fighter("far", 20, 10.2, player=1),
        fighter("near", 9, 9.8),
        fighter("dead", 12, 10, is_alive=False),
        fighter("aside", 12, 10.4),
        fighter("behind", 3, 10),
        fighter("beyond", 35, 10),
        fighter("bob", 30, 10, player=1),
    )
    assert list(ground.in_line(state, 0, 7)) == [2, 1]
    assert list(ground.in_line(state, 7, 0)) == [1, 2]


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
        assert ground.touches(state, 0, 1) == ground.touches(state, 1, 0) == expected
        assert list(ground.opponents(state, 0)) == [1] * expected


def test_the_dead_and_friends_are_no_opponents():
    dead = battle(fighter("tom", 10, 10), fighter("foe", 10.65, 10, player=1, is_alive=False))
    friend = battle(
        fighter("tom", 10, 10), fighter("ann", 10.65, 10), fighter("foe", 30, 10, player=1)
    )
    assert not [*ground.opponents(dead, 0), *ground.opponents(friend, 0)]


@pytest.mark.parametrize(("courses", "fights"), [(1, True), (2, True), (3, False), (4, False)])
def test_over_a_wall_of_up_to_two_courses(courses, fights):
    state = pair(10.64, courses=courses)
    assert (
        ground.wall_between(state, 0, 1)
        == ground.wall_between(state, 1, 0)
        == (0 if fights else None)
    )
    assert list(ground.opponents(state, 0)) == list(ground.opponents(state, 1))[:0] + [1] * fights
    assert not ground.touches(state, 0, 1)


@pytest.mark.parametrize(("farther", "fights"), [(-0.0001, True), (0.0, True), (0.0001, False)])
def test_both_bases_touch_a_wall_over_which_they_fight(farther, fights):
    apart = 2 * BASE_RADIUS_IN + THICK_IN + 2 * TOUCH_IN + farther
    state = pair(9.36 + apart, courses=1, at=(9.36 + apart / 2, 10.0))
    assert [*ground.opponents(state, 0)] == [1] * fights
    assert [*ground.opponents(state, 1)] == [0] * fights


def test_a_breach_lowers_a_wall_until_it_is_none():
    """Of a wall of three courses, without the upper ones two fight over it, without any none do."""
    spans = pair(10.64, courses=3).setting.walls[0].spans
    upper = tuple(number for number, (_, _, course) in enumerate(spans) if course)
    assert ground.wall_between(pair(10.64, courses=3, out=upper), 0, 1) == 0
    assert ground.wall_between(pair(10.64, courses=3, out=tuple(range(len(spans)))), 0, 1) is None


@pytest.mark.parametrize(("one", "other"), [(10.0, 10.65), (9.4, 10.05)])
def test_who_touch_on_a_breach_fight_without_a_wall(one, other):
    """One of them stands on the last brick, or both do."""
    state = pair(other, courses=1)
    state = state.with_figure(0, state.figures[0].at((one, 10.0), 0.0))
    assert ground.wall_between(state, 0, 1) is ground.wall_between(state, 1, 0) is None
    assert list(ground.opponents(state, 0)) == [1]


@pytest.mark.parametrize(
    ("foe", "why"),
    [
        ((10.75, 10.0), "it stands off the wall"),
        ((9.36, 10.7), "both are on one side"),
        ((10.64, 11.0), "it is too far along the wall"),
    ],
)
def test_no_fight_over_a_wall(foe, why):
    assert ground.wall_between(pair(*foe, courses=2), 0, 1) is None, why


def test_nor_beside_its_end():
    """The line between them passes the end of the wall."""
    beyond = pair(10.64, courses=2, at=(10.0, 8.5))
    assert ground.wall_between(beyond, 0, 1) is None
    assert ground.wall_between(pair(10.64, courses=2, at=(10.0, 9.0)), 0, 1) == 0


def test_it_does_not_depend_on_how_the_wall_lies():
    for facing in np.arange(0, 360, 37.0):
        ahead = 0.64 * np.array([cos(radians(facing)), sin(radians(facing))])
        places = [tuple((10 + sign * ahead).tolist()) for sign in (1, -1)]
        walls = (WallSpec("wall", 10, 10, float(facing), 8, 2),)
        state = battle(
            fighter("tom", *places[0]), fighter("foe", *places[1], player=1), walls=walls
        )
        assert list(ground.opponents(state, 0)) == [1]


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
    assert [state.setting.things[n].name for n in ground.things_touched(state, 0)] == ["bay"]
    assert [state.setting.items[n].name for n in ground.items_touched(state, 0)] == ["axe"]
    nearer = state.change_thing(1, y_in=11.36)
    assert [state.setting.things[n].name for n in ground.things_touched(nearer, 0)] == [
        "bay",
        "cart",
    ]


def test_a_ridden_horse_is_no_thing_to_touch():
    things = {"bay": ("horse", 10.65, 10)}
    state = battle(
        fighter("tom", 10, 10), fighter("foe", 10.65, 10, player=1, horse="bay"), things=things
    )
    assert not list(ground.things_touched(state, 0))
    assert list(ground.opponents(state, 0)) == [1]
