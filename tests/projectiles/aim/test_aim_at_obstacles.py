"""Obstacles in the way: bricks of walls, wagons, catapults: what they take, and what flies over them."""

from dataclasses import replace

import numpy as np
import pytest

from brickphys.errors import InvalidValueError
from brickphys.projectiles.shot import FINE, aim_law, paths, shot_law, sight
from brickphys.projectiles.standing import Standing
from brickphys.projectiles.target import obstacle, target
from brickphys.projectiles.weapons import weapon

INCH, BRICK = 25.4, 9.6
HERE = (0.0, 0.0)
BOW, SMALL, BIG = weapon("bow"), weapon("small_catapult"), weapon("big_catapult")
LENGTH = 32.0


def wall(inches, courses, columns=9):
    """A wall of 2x4 bricks across the line of flight, a joint over each joint."""
    bricks = [obstacle("brick", (16.0, LENGTH, BRICK), course * BRICK) for course in range(courses)]
    return [
        Standing(brick, inches * INCH, LENGTH * (column - (columns - 1) / 2), 180.0)
        for brick in bricks
        for column in range(columns)
    ]


def foot(inches):
    return Standing(target("foot"), inches * INCH, 0.0, 180.0)


def test_a_wide_wall_takes_what_flies_lower_than_its_top():
    still = replace(BOW, scatter=replace(BOW.scatter, speed_share=1e-9, azimuth_deg=0.01))
    before = wall(20, 3)
    law = aim_law(still, HERE, [foot(24), *before], 0, nodes=FINE)
    mean = sight(still, 24 * INCH, 20.0)
    rise = mean.elevation_deg + 1.5 * np.random.default_rng(3).standard_normal(40_000)
    flown = paths(still, np.full_like(rise, 8.0), rise)
    front = flown.at((20 * INCH - 8.0) / 1000)  # the front of the wall
    lower = (front.phase == 0) & (1000 * front.height_m < 3 * BRICK)
    assert law.by_phase[1:, 0].sum() > lower.mean() - 0.01
    after = flown.at((20 * INCH + 8.0) / 1000)  # a ball over the whole wall is higher than its top
    higher = (after.phase == 0) & (1000 * after.height_m > 3 * BRICK + 3.0)
    reaching = higher & (1000 * flown.at(24 * INCH / 1000).height_m < 43.0)
    assert law.by_phase[0, 0] == pytest.approx(reaching.mean(), abs=0.02)
    assert law.hit.sum() + law.miss == pytest.approx(1.0)


def test_a_wall_as_high_as_the_figure_hides_it_from_a_bow_and_a_stone_flies_over():
    far, high = foot(40), wall(34, 5)
    assert aim_law(BOW, HERE, [far], 0).hit[0] > 0.1
    hidden = aim_law(BOW, HERE, [far, *high], 0)
    assert hidden.hit[0] < 0.01
    assert hidden.hit[1:].sum() > 0.6
    for one in (SMALL, BIG):
        over = aim_law(one, HERE, [far, *high], 0)
        assert over.by_phase[0, 0] == pytest.approx(
            aim_law(one, HERE, [far], 0).by_phase[0, 0], abs=0.01
        )
        assert 0 < over.hit[1:].sum() < hidden.hit[1:].sum()


@pytest.mark.parametrize("one", [BOW, SMALL, BIG], ids=lambda one: one.name)
def test_bricks_take_as_much_as_one_block_of_their_size(one):
    block = obstacle("block", (16.0, 9 * LENGTH, 4 * BRICK))
    whole = aim_law(one, HERE, [foot(30), Standing(block, 26 * INCH, 0.0, 180.0)], 0)
    bricks = aim_law(one, HERE, [foot(30), *wall(26, 4)], 0)
    assert bricks.by_phase[0] == pytest.approx(whole.by_phase[0], abs=1e-3)
    assert bricks.by_phase[1:].sum(axis=0) == pytest.approx(whole.by_phase[1], abs=1e-3)


def test_a_heavy_stone_stops_at_what_stands_fast():
    law = aim_law(BIG, HERE, [foot(24), *wall(25, 4)], 0)
    firsts = {pair[0] for pair in law.pairs}
    assert firsts == {0}  # after a figure it may go on to the wall, never on from there
    assert any(pair[2] > 0 for pair in law.pairs)
    first = law.hit.sum() - sum(law.pairs.values())
    assert first + law.miss == pytest.approx(1.0)


def test_what_stands_fast_is_hit_and_never_knocked_over():
    law = shot_law(BIG, HERE, [foot(30), *wall(28, 3)], 0)
    assert law.aim.hit[1:].sum() > 0.1
    assert not law.knocked.share[1:].any()
    assert law.knocked.share[0].any()


def test_a_brick_of_an_upper_course_is_aimed_at_by_its_own_height():
    rows = wall(30, 8, 5)
    top, low = 7 * 5 + 2, 1 * 5 + 2
    for aimed, other in ((top, low), (low, top)):
        law = aim_law(BOW, HERE, rows, aimed)
        assert law.hit[aimed] > 1.5 * law.hit[other]


def test_a_figure_close_behind_a_wall_shoots_over_it_but_not_from_within():
    near = [Standing(obstacle("brick", (16.0, 32.0, BRICK)), 16.5, 0.0, 180.0)]
    law = aim_law(BOW, HERE, [foot(24), *near], 0)
    assert law.hit[0] == pytest.approx(aim_law(BOW, HERE, [foot(24)], 0).hit[0])
    tall = [Standing(obstacle("brick", (16.0, 32.0, 6 * BRICK)), 16.5, 0.0, 180.0)]
    assert aim_law(BOW, HERE, [foot(24), *tall], 0).hit == pytest.approx([0.0, 1.0], abs=1e-3)
    with pytest.raises(InvalidValueError, match="brick stands within 8 mm of the shooter"):
        aim_law(BOW, HERE, [Standing(near[0].target, 7.0, 0.0, 0.0)], 0)


@pytest.mark.parametrize("size", [(0.0, 16.0, 9.6), (16.0, 16.0, -1.0)])
def test_boxes_without_a_size_are_refused(size):
    with pytest.raises(InvalidValueError, match="a size or the mass is not above 0"):
        obstacle("nothing", size)
    with pytest.raises(InvalidValueError, match="below the ground"):
        obstacle("cellar", (16.0, 16.0, 9.6), -9.6)
