"""The places that stand for all: directions, enemies, weapons, things and cover (MF Movement)."""

import cmath
from math import atan2, cos, degrees, dist, radians, sin

import pytest

from brickphys.geometry.pose import bearing_deg
from brickphys.minifig.ground import (
    height_bricks,
    items_touched,
    pieces,
    things_touched,
    touches,
    wall_between,
)
from brickphys.minifig.reach import spots
from brickphys.minifig.setting import STUD_IN, THICK_IN, WallSpec, Zone, ZoneKind
from brickphys.minifig.sheets import BASE_RADIUS_IN, TOUCH_IN
from tests.minifig.small_battle import battle, fighter

FOE = (23.92, 18.78)
"""Between two of the 16 directions from (20, 18)."""


def ends(state, figure=0, most=8.0):
    """The states in which the figure may end."""
    return [
        state.with_figure(figure, state.figures[figure].at(spot.place_in, spot.facing_deg))
        for spot in spots(state, figure, most)
    ]


def test_it_may_stay_and_may_turn_to_the_nearest_enemy():
    state = battle(fighter("tom", 20, 18, facing=33), fighter("foe", 20, 30, player=1))
    first, second, *rest = spots(state, 0, 8.0)
    assert first == ((20, 18), 33)
    assert second == ((20, 18), 90)
    assert len(rest) == 16
    for (x, y), facing in rest:
        assert facing == round(degrees(atan2(30 - y, 20 - x))) % 360
        assert dist((x, y), (20, 18)) == pytest.approx(8, abs=3e-4)


@pytest.mark.parametrize("facing", [0.0, 45.0, 200.0])
def test_it_touches_front_sides_and_rear_of_an_enemy(facing):
    state = battle(fighter("tom", 20, 18), fighter("foe", 23.92, 18.78, player=1, facing=facing))
    touching = [end.figures[0] for end in ends(state) if touches(end, 0, 1)]
    bearings = [bearing_deg(FOE, facing, one.place_in) for one in touching]
    assert sorted(round(bearing) % 360 for bearing in bearings) == [0, 90, 180, 270]
    for one in touching:
        assert abs(bearing_deg(one.place_in, one.facing_deg, FOE)) <= 0.51


@pytest.mark.parametrize(
    ("at", "found"), [(90, [0, 180, 270]), (60, [0, 120, 180, 270]), (120, [0, 60, 180, 270])]
)
def test_where_a_side_is_taken_it_goes_beside_if_there_is_room(at, found):
    """A friend of its own stands at a bearing of the enemy, 0.64 in away."""
    friend = (FOE[0] + 0.64 * cos(radians(at)), FOE[1] + 0.64 * sin(radians(at)))
    foe = fighter("foe", *FOE, player=1)
    state = battle(fighter("tom", 20, 18), fighter("ann", *friend), foe)
    touching = [end.figures[0].place_in for end in ends(state) if touches(end, 0, 2)]
    assert sorted(round(bearing_deg(FOE, 0, place)) % 360 for place in touching) == found


def test_enemies_beyond_reach_are_not_touched():
    state = battle(fighter("tom", 20, 18), fighter("foe", 29, 18, player=1))
    assert not any(touches(end, 0, 1) for end in ends(state))
    assert any(touches(end, 0, 1) for end in ends(state, most=8.4))


@pytest.mark.parametrize("kind", ["soldier", "dog"])
def test_it_goes_to_the_nearest_weapon_and_thing_if_it_has_hands(kind):
    lying = {"axe": ("axe", 22, 21), "bow": ("bow", 16, 24)}
    things = {"bay": ("horse", 16.08, 17.22), "roan": ("horse", 27, 27)}
    foe = fighter("foe", 40, 18, player=1)
    state = battle(fighter("tom", 20, 18, kind=kind), foe, lying=lying, things=things)
    items = {item for end in ends(state) for item in items_touched(end, 0)}
    horses = {thing for end in ends(state) for thing in things_touched(end, 0)}
    assert (items, horses) == (({0}, {0}) if kind == "soldier" else (set(), set()))


@pytest.mark.parametrize(
    "bearing",
    [*range(0, 360, 15), *(n + aside for n in range(0, 360, 45) for aside in (1.3, -1.3))],
)
def test_an_item_is_touched_from_the_nearest_of_24_directions(bearing):
    start = (24 + 3 * cos(radians(bearing)), 18 + 3 * sin(radians(bearing)))
    foe = fighter("foe", 44, 34, player=1)
    state = battle(fighter("tom", *start), foe, lying={"axe": ("axe", 24, 18)})
    (at,) = [one.figures[0].place_in for one in ends(state) if 0 in items_touched(one, 0)]
    assert dist(at, (24, 18)) == pytest.approx(2 * BASE_RADIUS_IN + TOUCH_IN / 2, abs=1e-3)
    off = degrees(atan2(at[1] - 18, at[0] - 24)) - 15 * round(bearing / 15)
    assert (off + 180) % 360 - 180 == pytest.approx(0, abs=0.01)


def test_it_takes_cover_behind_the_nearest_wall():
    wall = WallSpec("wall", 22.0, 18.0, 10.0, 8, 2)
    state = battle(fighter("tom", 20, 18), fighter("foe", 30, 18, player=1), walls=(wall,))
    covered = []
    for end in ends(state):
        x, y = end.figures[0].place_in
        foe = end.with_figure(1, end.figures[1].at((44 - x, 36 - y), 0))  # straight across
        covered += [x] if wall_between(foe, 0, 1) == 0 else []
    assert covered
    assert max(covered) < 22 - THICK_IN / 2


@pytest.mark.parametrize("facing", [0, 30, 135, 250])
@pytest.mark.parametrize("aside", [-1.0, 1.0])
@pytest.mark.parametrize("along", [-2.6, -0.4, 0.9, 2.6])
def test_cover_is_opposite_to_the_enemy_as_near_as_the_wall_is_long(facing, aside, along):
    """In the frame of a wall 8 studs long: the figure 2 in before or behind it, the enemy 5 in on either side."""
    turn = cmath.rect(1.0, radians(facing))
    wall = WallSpec("wall", 24.0, 18.0, float(facing), 8, 2)
    start = complex(24, 18) + turn * complex(2 * aside, along)
    for side in (-1.0, 1.0):
        foe = complex(24, 18) + turn * complex(5 * side, 0.3)
        state = battle(
            fighter("tom", start.real, start.imag),
            fighter("foe", foe.real, foe.imag, player=1),
            walls=(wall,),
        )
        found = [
            (complex(*spot.place_in) - complex(24, 18)) / turn for spot in spots(state, 0, 8.0)
        ]
        deep = -side * (THICK_IN / 2 + BASE_RADIUS_IN + TOUCH_IN / 2)
        half = 8 * STUD_IN / 2
        wanted = complex(deep, min(max(along, -half), half))
        assert min(abs(one - wanted) for one in found) < 1e-3


def test_the_highest_hill_at_a_place_counts():
    def hill(x, width, height):
        corners = ((x, 10.0), (x + width, 10.0), (x + width, 20.0), (x, 20.0))
        return Zone(ZoneKind.HILL, corners, height)

    wood = Zone(ZoneKind.WOODS, ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)))
    state = battle(fighter("tom", 1, 1), zones=(hill(10, 10, 1), hill(12, 2, 3), wood))
    found = [
        height_bricks(state.setting, (x, 15.0)) for x in (9.9, 10.0, 11.0, 12.0, 13.0, 15.0, 20.1)
    ]
    assert found == [0, 1, 1, 3, 3, 1, 0]
    assert height_bricks(state.setting, (5.0, 5.0)) == 0


def test_pieces_are_what_stands():
    state = battle(fighter("tom", 1, 1), walls=(WallSpec("wall", 20.0, 18.0, 0.0, 8, 2),))
    spans = state.setting.walls[0].spans
    (whole,) = pieces(state.setting, ((),))
    assert (whole.run.height_bricks, whole.is_breach) == (2, False)
    lone = next(number for number, span in enumerate(spans) if span == (0, 4, 0))
    left, right = pieces(state.setting, ((lone,),))
    assert [left.is_breach, right.is_breach] == [True, False]
    assert left.footprint.area_studs2 == pytest.approx(right.footprint.area_studs2)
    assert pieces(state.setting, (tuple(range(len(spans))),)) == ()
