"""The kernel of aim against brute force; obstacles, and missiles that go on."""

from dataclasses import replace
from math import exp, hypot, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import ndtr

from brickphys.engines.shoot import shoot
from brickphys.errors import InvalidValueError
from brickphys.projectiles import aim_kernel
from brickphys.projectiles.aim_kernel import _kept
from brickphys.projectiles.measure import missile, standing_body
from brickphys.projectiles.shot import FINE, aim_law, paths, shot_law, sight
from brickphys.projectiles.standing import Standing
from brickphys.projectiles.target import obstacle, target
from brickphys.projectiles.weapons import weapon
from brickphys.throws.flight import States
from brickphys.throws.release import uniform_rotations
from brickphys.units import GRAVITY_M_S2
from tests.plain_kernels import plain

KERNEL = plain(aim_kernel)
GRAVITY = 1000.0 * GRAVITY_M_S2


@pytest.mark.parametrize("drag_per_mm", [0.0, 2e-4])
@pytest.mark.parametrize("way_mm", [0.0, 60.0, 250.0])
def test_a_path_in_air_has_the_height_slope_and_speed_of_quadratic_drag(way_mm, drag_per_mm):
    """The horizontal speed falls by the drag times the way, and gravity bends the path by g / speed2."""
    at, height, slope, speed = 100.0, 40.0, 0.3, 2500.0
    arc = np.array([at, height, slope, speed, drag_per_mm, 0.0])

    def bend(x):
        return GRAVITY / (speed * exp(-drag_per_mm * x)) ** 2

    found = KERNEL._passing(arc, at + way_mm, 500.0)
    rise = quad(lambda x: (way_mm - x) * bend(x), 0, way_mm)[0]
    assert found[0] == pytest.approx(height + slope * way_mm - rise, abs=1e-6)
    assert found[1] == pytest.approx(slope - quad(bend, 0, way_mm)[0], abs=1e-7)
    assert found[2] == pytest.approx(speed * exp(-drag_per_mm * way_mm), rel=1e-12)


def test_a_path_that_rolls_is_level_and_slows_down_to_rest():
    arc = np.array([100.0, 8.0, 0.3, 300.0, 0.0, KERNEL._ROLLED])
    assert KERNEL._passing(arc, 140.0, 500.0) == (8.0, 0.0, sqrt(300.0**2 - 2 * 500.0 * 40.0))
    assert KERNEL._passing(arc, 200.0, 500.0) == (8.0, 0.0, 0.0)


@pytest.mark.parametrize("sigma", [0.5, 1.0, 0.02])
def test_the_table_of_the_normal_integral_is_right_within_1e_10(sigma):
    """In every cell, and constant beyond the azimuths that count."""
    edges = np.linspace(-KERNEL._WIDEST, KERNEL._WIDEST, KERNEL._CELLS + 1)
    places = np.concatenate([edges, edges[:-1] + 0.37 * KERNEL._STEP])
    found = [KERNEL._normal(sigma * place, sigma) for place in places.tolist()]
    assert found == pytest.approx(ndtr(places), abs=1e-10)
    for end in (-KERNEL._WIDEST, KERNEL._WIDEST):
        beyond = KERNEL._normal(sigma * 1.3 * end, sigma)
        assert beyond == pytest.approx(ndtr(end), abs=1e-14)


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9)), min_size=1, max_size=9))
def test_covered_intervals_stay_disjoint_in_order_and_cover_what_was_added(added):
    covered, count, cells = np.full((len(added) + 1, 2), np.nan), 0, set()
    for low, length in added:
        count = KERNEL._cover(float(low), float(low + length), covered, count)
        cells |= set(range(low, low + length))
    assert [cell for low, high in covered[:count] for cell in range(int(low), int(high))] == sorted(
        cells
    )
    assert all(covered[k, 1] < covered[k + 1, 0] for k in range(count - 1))


@given(
    st.floats(1.0, 30.0),
    st.floats(0.0, 40.0),
    st.floats(1.0, 40.0),
    st.floats(-20.0, 90.0),
    st.floats(-2.0, 2.0),
)
def test_a_path_reaches_beyond_a_part_by_what_its_gap_leaves_of_the_radius(
    depth, bottom, high, height, slope
):
    """The gap is that of the tangent abreast of the middle of the part from the rectangle in the plane of flight."""
    radius, bend, top = 8.0, 1e-3, bottom + high
    box = np.array([100.0, 100.0 + depth, -5.0, 5.0, bottom, top, 0.0, 1.0])
    middle = 100.0 + depth / 2
    path = (80.0, height - slope * (middle - 80.0) + bend / 2 * (middle - 80.0) ** 2, slope, bend)
    assert KERNEL._height(path, middle) == pytest.approx(height)
    tangent = slope - bend * (middle - 80.0)
    beside = [
        (z - height - tangent * (x - middle)) / hypot(1.0, tangent)
        for x in box[:2].tolist()
        for z in (bottom, top)
    ]
    gap = 0.0 if min(beside) <= 0.0 <= max(beside) else min(map(abs, beside))
    found = KERNEL._reach(box, bottom, path, radius)
    if gap < radius:
        assert found**2 == pytest.approx(radius**2 - gap**2, abs=1e-6)
    else:
        assert found == -1.0
    assert KERNEL._reach(box, top, path, radius) == -1.0


@given(
    st.floats(1.0, 50.0),
    st.floats(0.0, 1.0),
    st.floats(1.0, 50.0),
    st.floats(-20.0, 20.0),
    st.floats(-20.0, 20.0),
)
def test_a_blow_keeps_the_momentum_and_parts_the_two_by_the_restitution(
    mass, restitution, struck, up, aside
):
    """Of the projectile, the body's motion, and its two spins; the point that is struck goes with all three."""
    middle, across, upright = 15.0, 900.0, 700.0
    body = np.array([500.0, 0.0, struck, middle, across, upright, 0.0, 0.0, 0.0])
    # Unknown: impulse, speed of the projectile, of the body, and the body's spins; it came with speed 1.
    equations = np.array(
        [
            [1.0, mass, 0.0, 0.0, 0.0],
            [-1.0, 0.0, struck, 0.0, 0.0],
            [-up, 0.0, 0.0, across, 0.0],
            [-aside, 0.0, 0.0, 0.0, upright],
            [0.0, -1.0, 1.0, up, aside],
        ]
    )
    speed = np.linalg.solve(equations, [mass, 0.0, 0.0, 0.0, restitution])[1]
    found = KERNEL._kept(mass, restitution, body, middle + up, aside)
    assert found == pytest.approx(max(speed, 0.0), abs=1e-9)


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


@pytest.mark.slow
def test_a_big_stone_keeps_the_share_that_a_free_rigid_body_leaves_it():
    stone, foot, count = weapon("big_catapult").projectile, target("foot"), 120
    rng = np.random.default_rng(1)
    aside, height = rng.uniform(-18, 18, count), rng.uniform(12, 45, count)
    place = np.stack([np.full(count, 80.0), aside, height], axis=1)
    flying = np.tile([-3.0, 0.0, 0.0], (count, 1))
    states = States(place, uniform_rotations(rng.random((count, 3))), flying, np.zeros((count, 3)))
    shots = shoot(standing_body(foot), missile(stone), states)
    kept = 1 - shots.impulse_g_m_s[shots.hit, 0] / (stone.mass_g * 3.0)
    mass, middle, _, _, across, upright = foot.mass_row
    body = np.array([0.0, 0.0, mass, middle, across, upright, 0.0])
    expected = [
        _kept.py_func(stone.mass_g, 0.5, body, z, min(abs(y), 12.0))
        for y, z in shots.contact_mm[shots.hit, 1:]
    ]
    assert shots.hit.sum() > 80
    assert kept.mean() == pytest.approx(np.mean(expected), abs=0.06)
