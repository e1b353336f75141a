"""The law of a shot: where it hits, and what shares of shots do."""

from dataclasses import replace
from itertools import pairwise
from math import atan, hypot, inf, sqrt
from statistics import NormalDist

import numpy as np
import pytest
from scipy.special import ndtr

from brickphys.errors import InvalidValueError
from brickphys.projectiles import aim_kernel
from brickphys.projectiles.shot import FINE, Bins, aim_law, paths, sight
from brickphys.projectiles.standing import Standing
from brickphys.projectiles.target import Target, TargetPart, obstacle, target
from brickphys.projectiles.weapons import weapon
from brickphys.units import GRAVITY_M_S2
from tests.cases import few
from tests.plain_kernels import plain
from tests.projectiles.aim.brute_force import first_met

INCH = 25.4
BOW = weapon("bow")
HERE = (0.0, 0.0)


def board(width_mm, height_mm, depth_mm=0.1):
    """A board across the line of flight."""
    size = (depth_mm, width_mm, height_mm)
    return Target("board", "", "", (TargetPart("box", "board", (0, 0, height_mm / 2), size, 1.0),))


def at(thing, inches, across_mm=0.0, facing_deg=180.0):
    return Standing(
        target(thing) if isinstance(thing, str) else thing, inches * INCH, across_mm, facing_deg
    )


def test_a_high_board_takes_its_angle_of_the_azimuth():
    law = aim_law(BOW, HERE, [at(board(40.0, 300.0), 24)], 0)
    half = np.degrees((20.0 + 3.0) / (24 * INCH))
    assert law.hit[0] == pytest.approx(1 - 2 * NormalDist(0, 1.5).cdf(-half), abs=1e-9)


def test_a_wide_board_takes_its_height_of_the_elevation():
    still = replace(BOW, scatter=replace(BOW.scatter, speed_share=1e-9, azimuth_deg=0.01))
    thing, x = board(800.0, 40.0), 48 * INCH
    mean = sight(still, x, 20.0).elevation_deg
    rise = np.linspace(mean - 8, mean + 8, 20_001)
    flown = paths(still, np.full_like(rise, 8.0), rise)
    touching = flown.at((x - 3.0) / 1000).phase == 0  # the table where the ball touches the board
    low = rise[touching][0]
    high = rise[touching & (1000 * flown.at(x / 1000).height_m < 43.0)][-1]
    expected = NormalDist(mean, 1.5).cdf(high) - NormalDist(mean, 1.5).cdf(low)
    law = aim_law(still, HERE, [at(thing, 48)], 0, nodes=FINE)
    assert law.by_phase[0, 0] == pytest.approx(expected, abs=1e-3)


def test_two_boards_in_a_row_the_nearer_hides_the_farther():
    near, far = at(board(100.0, 300.0), 20), at(board(100.0, 300.0), 24)
    alone = aim_law(BOW, HERE, [far], 0).hit[0]
    law = aim_law(BOW, HERE, [far, near], 0)
    assert law.hit[0] == 0.0  # seen from here the nearer one is wider
    away, off = 20 * INCH, 0.12
    beside = Standing(
        board(100.0, 300.0), away * np.cos(off), away * np.sin(off), 180.0 + np.degrees(off)
    )
    law = aim_law(BOW, HERE, [far, beside], 0)
    left, edge = np.degrees([-53 / (24 * INCH), off - 53 / away])
    assert law.hit[0] == pytest.approx(
        NormalDist(0, 1.5).cdf(edge) - NormalDist(0, 1.5).cdf(left), abs=1e-3
    )
    assert law.hit[0] < alone


TABLES = {
    "alone": [at("foot", 24)],
    "side on": [at("foot", 30, 0.0, 65.0)],
    "behind a wall": [at("foot:wall2", 20)],
    "over a wall of bricks": [
        at("foot", 19.5),
        *(
            at(obstacle("brick", (16.0, 32.0, 9.6), 9.6 * course), 17, 32.0 * column)
            for course in range(2)
            for column in range(-4, 5)
        ),
    ],
    "crowd": [
        at("rider", 19.5, 6.0, 30.0),
        at("foot", 18, -20.0, 200.0),
        at("foot", 17, 12.0, 140.0),
        at("dog", 16, -4.0, 120.0),
    ],
}


def compare(name, table, count, sigmas, beyond=0.0):
    one, standing = weapon(name), TABLES[table]
    flown = first_met(one, standing, 0, count, seed=7)
    law = aim_law(one, HERE, standing, 0, nodes=FINE)
    first = law.by_phase.copy()
    for (_, _, other, then), share in law.pairs.items():
        first[other, then] -= share
    error = np.sqrt(np.maximum(first * (1 - first), 1 / count) / count)
    assert np.abs(flown - first).max() > 0 or flown.sum() == 0
    assert (np.abs(flown - first) < sigmas * error + beyond).all(), (flown, first)


@pytest.mark.parametrize("table", few(TABLES, 3))
@pytest.mark.parametrize("name", ["bow", "small_catapult"])
def test_the_law_agrees_with_shots_flown_one_by_one(name, table):
    compare(name, table, 2_000, 4.0)


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", ["bow", "spear", "small_catapult", "big_catapult"])
def test_the_law_agrees_with_many_shots_flown_one_by_one(name, table):
    if name == "spear" and table in ("alone", "side on"):
        pytest.skip("beyond its range")
    # a long body askew (the rider of the crowd) is pieces along the flight, within 0.012 of its true form
    compare(name, table, 10_000, 4.0, beyond=0.012 if table == "crowd" else 0.004)


def test_shares_and_miss_add_up_to_one_and_bins_change_no_sum():
    table, big = TABLES["crowd"], weapon("big_catapult")
    whole = aim_law(big, HERE, table, 0)
    fine = aim_law(big, HERE, table, 0, Bins((0, 8, 16, 24, 60), (0, 3, 6, 12)))
    assert fine.by_phase == pytest.approx(whole.by_phase, abs=0.002)
    assert fine.pairs
    assert 0 <= fine.miss <= 1
    first = fine.shares.sum() - sum(fine.pairs.values())
    assert first + fine.miss == pytest.approx(1.0)
    light, bins = TABLES["alone"], Bins((0, 8, 16, 24, 60), (0, 3, 6, 12))
    assert not aim_law(BOW, HERE, light, 0).pairs
    assert aim_law(BOW, HERE, light, 0, bins).by_phase == pytest.approx(
        aim_law(BOW, HERE, light, 0).by_phase, abs=1e-12
    )


def test_hits_beside_the_middle_are_counted_aside():
    law = aim_law(BOW, HERE, [at(board(40.0, 300.0), 24)], 0, Bins(aside_mm=(0.0, 10.0, 99.0)))
    inner = np.degrees(10.0 / (24 * INCH))
    assert law.shares[0, 0, 0, 0] == pytest.approx(1 - 2 * NormalDist(0, 1.5).cdf(-inner), abs=1e-9)


def test_a_ball_is_as_fast_at_the_target_as_drag_leaves_it():
    law = aim_law(BOW, HERE, [at(board(40.0, 60.0), 24)], 0)
    assert law.speed_m_s[0, 0, 0, 0] == pytest.approx(8.0 * np.exp(-0.0664 * 24 * 0.0254), rel=0.01)


def test_a_stone_falls_on_its_target_at_the_angle_of_its_path():
    stone, standing = weapon("small_catapult"), at("foot", 48)
    mean = sight(stone, 96 * INCH / 2, 20.0)
    there = paths(stone, np.array([mean.speed_m_s]), np.array([35.0])).at(48 * INCH / 1000)
    law = aim_law(stone, HERE, [standing], 0)
    fall = np.degrees(np.arctan(-there.slope[0]))
    speed = there.speed_m_s[0] * np.hypot(1.0, there.slope[0])
    assert 35.0 < fall < 50.0
    assert law.fall_deg[0, 0, 0, 0] == pytest.approx(fall, abs=1.5)
    assert law.speed_m_s[0, 0, 0, 0] == pytest.approx(speed, rel=0.03)


def test_turning_the_whole_table_changes_nothing():
    table = TABLES["crowd"]
    turn = np.radians(73.0)
    c, s = np.cos(turn), np.sin(turn)
    turned = [
        replace(
            one,
            x_mm=c * one.x_mm - s * one.y_mm + 300.0,
            y_mm=s * one.x_mm + c * one.y_mm - 80.0,
            facing_deg=one.facing_deg + 73.0,
        )
        for one in table
    ]
    there = aim_law(BOW, (300.0, -80.0), turned, 0)
    assert there.by_phase == pytest.approx(aim_law(BOW, HERE, table, 0).by_phase, abs=1e-9)


def test_only_what_is_heavy_goes_on_to_a_second_target():
    row = [at("foot", 24), at("foot", 25.5)]
    assert not aim_law(weapon("small_catapult"), HERE, row, 0).pairs
    assert sum(aim_law(weapon("big_catapult"), HERE, row, 0).pairs.values()) > 0.01


@pytest.mark.parametrize(
    ("name", "inches", "words"),
    [
        ("spear", 21, "spear: range 21 in must be above 0 and at most 20 in"),
        ("bow", 73, "bow: range 73 in must be above 0 and at most 72 in"),
        ("big_catapult", 3, "big_catapult throws over what is 3 in away"),
    ],
)
def test_places_out_of_range_are_refused(name, inches, words):
    with pytest.raises(InvalidValueError, match=words):
        aim_law(weapon(name), HERE, [at("foot", inches)], 0)


def test_a_slow_gun_does_not_reach_the_end_of_the_table():
    slow = BOW.at_speed(3.0, any_speed=True)
    with pytest.raises(InvalidValueError, match="bow does not reach 72 in"):
        aim_law(slow, HERE, [at("foot", 72)], 0)


KERNEL = plain(aim_kernel)
GRAVITY = 1000.0 * GRAVITY_M_S2
RADIUS, ROLLING, SIGMA, RESTITUTION = 8.0, 900.0, 0.05, 0.5
BINS = (np.array([0.0, 12.0, 25.0, 60.0]), np.array([0.0, 4.0, 11.0, 30.0]))
BOUNCES = 10
FREE, FIXED = (1.0,), (0.0, 0.5, 1.0)


def random_arcs(rng, nodes):
    """Paths that fly, bounce many times, and roll; some come to rest."""
    arcs = np.zeros((nodes, BOUNCES + 2, 6))
    arcs[:, 0, 1:5] = rng.uniform([5.0, -0.1, 1500.0, 0.0], [70.0, 0.2, 4000.0, 2e-4], (nodes, 4))
    arcs[:, 1:, 0] = rng.uniform(50.0, 250.0, (nodes, 1))
    arcs[:, 1:, 0] += np.cumsum(rng.uniform(2.0, 25.0, (nodes, BOUNCES + 1)), axis=1)
    arcs[:, 1:, 1] = RADIUS
    arcs[:, 1:-1, 2:4] = rng.uniform([0.05, 800.0], [0.3, 2000.0], (nodes, BOUNCES, 2))
    arcs[:, 1:-1, 5], arcs[:, -1, 5] = 1.0, 2.0
    arcs[:, -1, 3] = rng.uniform(400.0, 1000.0, nodes)
    return arcs


def random_boxes(rng, count):
    """Rows, owners and bodies of boxes, free and fixed, half of them in a crowd.

    Some have two levels, some a wall of their own before them.
    """
    rows, owners, bodies, crowd = [], [], [], rng.uniform(100.0, 400.0)
    for owner in range(count):
        begin = crowd + rng.uniform(-9.0, 9.0) if owner % 2 else rng.uniform(3.0, 600.0)
        depth = rng.uniform(4.0, 20.0)
        bottom, high = rng.choice([0.0, 5.0, 20.0]), rng.uniform(5.0, 30.0)
        left, wide = rng.uniform(-12.0, 0.0), rng.uniform(5.0, 20.0)
        wall = rng.choice([0.0, 0.0, 15.0])
        middle = begin + depth / 2
        levels = [(bottom, bottom + high, left, left + wide)]
        if rng.random() < 0.3:
            levels.append((bottom + high, bottom + high + 10.0, left + 2.0, left + 4.0))
        for low, top, start, end in levels:
            for kind in FREE if rng.random() < 0.5 else FIXED:
                rows.append([begin, begin + depth, start, end, max(low, wall), top, low, kind])
                owners.append(owner)
        top = max(level[1] for level in levels)
        azimuth = rng.uniform(-0.1, 0.1)
        bodies.append([middle, azimuth, 1e3, 10.0, 1e9, 1e9, wall, begin + depth, top])
    parts, owners = np.array(rows), np.array(owners, np.intp)
    order = np.lexsort((-parts[:, 5], parts[:, 0] + RADIUS * parts[:, 7]))
    return parts[order], owners[order], np.array(bodies)


def gap(box, bottom, height, slope):
    """The distance of a straight line from a rectangle in the plane of flight, by the corners beside it."""
    beside = [
        (z - height - slope * x) / hypot(1.0, slope)
        for x in ((box[0] - box[1]) / 2, (box[1] - box[0]) / 2)
        for z in (bottom, box[5])
    ]
    return 0.0 if min(beside) <= 0.0 <= max(beside) else min(map(abs, beside))


def contact(arcs, box, body):
    """What a path meets of a part: azimuths, height, speed, angle, phase, and whether a wall stops it."""
    place, middle = box[0] - RADIUS, (box[0] + box[1]) / 2
    index = max(int(np.searchsorted(arcs[:, 0], place, "right")) - 1, 0)
    arc = arcs[index]
    height, slope, speed = KERNEL._passing(arc, place, ROLLING)
    if speed == 0.0:
        return None
    bend = 0.0 if arc[5] == 2.0 else GRAVITY / speed**2
    end, over = body[7] + RADIUS, body[8] + RADIUS
    after = height + slope * (end - place) - bend / 2 * (end - place) ** 2
    lands = inf if arc[5] == 2.0 else arcs[index + 1, 0]
    if lands >= end and min(height, after) > over:
        return None
    there = min(max(height, RADIUS), box[5] + RADIUS)
    blocked, far = there < body[6], middle - place
    bottom = box[6] if blocked else box[4]
    off = gap(box, bottom, height + slope * far - bend / 2 * far**2, slope - bend * far)
    if off >= RADIUS or bottom >= box[5] or (box[7] == 0.0 and not box[4] <= there <= box[5]):
        return None
    reach = sqrt(RADIUS**2 - off**2) if box[7] == 1.0 else 0.0
    ends = [body[1] + (box[2] - reach) / body[0], body[1] + (box[3] + reach) / body[0]]
    return ends, there, speed * hypot(1.0, slope), atan(slope), int(arc[5]), blocked


def expected(arcs, parts, owners, bodies):
    """Add up the azimuths between all places where anything changes; the first part that covers one takes it."""
    hits = np.zeros((3, len(bodies), 3, *(len(edges) - 1 for edges in BINS)))
    widest = 4.5 * SIGMA
    for node in arcs:
        met = [(k, contact(node, box, bodies[k])) for box, k in zip(parts, owners, strict=True)]
        met = [(k, one) for k, one in met if one]
        cuts = [-widest, widest, *(end for _, one in met for end in one[0])]
        cuts += [b[1] + s * edge / b[0] for b in bodies for edge in BINS[1] for s in (-1, 1)]
        for low, high in pairwise(sorted({min(max(cut, -widest), widest) for cut in cuts})):
            azimuth, share = (low + high) / 2, ndtr(high / SIGMA) - ndtr(low / SIGMA)
            for k, (ends, height, speed, angle, phase, blocked) in met:
                if ends[0] < azimuth < ends[1]:
                    if not blocked:
                        aside = bodies[k, 0] * abs(azimuth - bodies[k, 1])
                        row = min(int(np.searchsorted(BINS[0], height, "right")) - 1, 2)
                        column = min(int(np.searchsorted(BINS[1], aside, "right")) - 1, 2)
                        add = share / len(arcs) * np.array([1.0, speed, -angle])
                        hits[:, k, phase, row, column] += add
                    break
    return hits


def shares(arcs, parts, owners, bodies, mass=1.0, bins=BINS):
    hits = np.zeros((3, len(bodies), 3, *(len(edges) - 1 for edges in bins)))
    pairs = np.zeros((len(bodies), 3, len(bodies), 3))
    numbers = (RADIUS, mass, ROLLING, SIGMA, RESTITUTION)
    aim_kernel.shares(arcs, (parts, owners, bodies), numbers, bins, hits, pairs)
    return hits, pairs


def test_each_azimuth_goes_to_the_nearest_part_that_its_path_touches():
    hit = 0.0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        arcs, boxes = random_arcs(rng, 6), random_boxes(rng, 7)
        found, pairs = shares(arcs, *boxes)
        wanted = expected(arcs, *boxes)
        assert found[0] == pytest.approx(wanted[0], abs=1e-9), seed
        assert found[1] == pytest.approx(wanted[1], abs=1e-5), seed
        assert found[2] == pytest.approx(wanted[2], abs=1e-9), seed
        assert not pairs.any()
        hit += wanted[0].sum()
    assert hit > 15


def test_what_is_hit_second_is_what_a_heavy_ball_hits_beyond_a_light_one():
    """Of each target and phase. A pair names two targets; the ball is in the same phase then, or rolls."""
    seconds = 0.0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        arcs, boxes = random_arcs(rng, 4), random_boxes(rng, 7)
        light, none = shares(arcs, *boxes)
        heavy, pairs = shares(arcs, *boxes, mass=1e4)
        assert not none.any()
        beyond = (heavy - light).sum(axis=(3, 4))
        assert beyond[0] == pytest.approx(pairs.sum(axis=(0, 1)), abs=1e-12)
        assert (pairs.sum(axis=(2, 3)) <= light[0].sum(axis=(2, 3)) + 1e-12).all()
        assert not pairs[range(7), :, range(7)].any()
        assert not pairs[:, [0, 1, 2, 2], :, [1, 0, 0, 1]].any()
        seconds += pairs.sum()
    assert seconds > 0.5


def box_and_body(distance, half, mass):
    """A free box across the line of aim, without spin."""
    box = [distance - 5.0, distance + 5.0, -half, half, 0.0, 30.0, 0.0, 1.0]
    return box, [distance, 0.0, mass, RADIUS, 1e15, 1e15, 0.0, distance + 5.0, 30.0]


def scene(*pairs):
    """The rows and the bodies of boxes."""
    return (np.array(rows) for rows in zip(*pairs, strict=True))


def test_a_heavy_ball_that_rolls_goes_on_to_what_is_straight_behind_the_first():
    boxes, bodies = scene(box_and_body(300.0, 60.0, 10.0), box_and_body(400.0, 12.0, 5.0))
    both = boxes, np.arange(2, dtype=np.intp), bodies
    speed, mass = 2000.0, 40.0
    arcs = np.array([[[0.0, RADIUS, 0.0, speed, 0.0, 2.0]]])
    one = (np.array([0.0, 99.0]), np.array([0.0, 99.0]))
    hits, pairs = shares(arcs, *both, mass=mass, bins=one)
    (first, second), edge = hits[0, :, 2, 0, 0], (12.0 + RADIUS) / 400.0
    assert first == pytest.approx(2 * ndtr(60.0 / 300.0 / SIGMA) - 1, abs=1e-3)
    assert second == pytest.approx(2 * ndtr(edge / SIGMA) - 1, abs=0.03)
    assert pairs[0, 2, 1, 2] == pytest.approx(second)
    assert pairs.sum() == pytest.approx(second)
    struck = sqrt(speed**2 - 2 * ROLLING * (295.0 - RADIUS))
    kept = struck * (mass - RESTITUTION * 10.0) / (mass + 10.0)
    after = sqrt(kept**2 - 2 * ROLLING * 100.0)
    assert hits[1, :, 2, 0, 0] == pytest.approx([first * struck, second * after], rel=1e-9)
    light, none = shares(arcs, *both, mass=4.0, bins=one)
    assert not none.any()
    assert light[0, 1].sum() == 0.0


@pytest.mark.parametrize("height", [20.0, 60.0])
@pytest.mark.parametrize("behind", [40.0, 200.0])
def test_after_a_blow_a_ball_falls_from_rest_and_rolls_once_it_is_down(height, behind):
    """It leaves level, so it is down after the square root of 2 h / g."""
    boxes, bodies = scene(box_and_body(300.0, 20.0, 10.0), box_and_body(300.0 + behind, 20.0, 10.0))
    boxes[:, 5] = 90.0
    azimuths = np.array([[-0.1, 0.1], [-0.02, 0.03]])
    view = boxes, np.arange(2, dtype=np.intp), bodies, azimuths
    mass, speed = 40.0, 1500.0
    numbers = (RADIUS, mass, ROLLING, SIGMA, RESTITUTION)
    kept = speed * (mass - RESTITUTION * 10.0) / (mass + 10.0)
    part, there, fast, phase, angle = KERNEL._next((0, height, speed, 1, 0.2), 0.025, view, numbers)
    fall_s, way_s = sqrt(2 * (height - RADIUS) / GRAVITY), behind / kept
    assert part == 1
    if way_s < fall_s:
        assert there == pytest.approx(height - GRAVITY / 2 * way_s**2)
        assert (fast, phase) == (pytest.approx(kept), 1)
        assert angle == pytest.approx(-atan(GRAVITY * way_s / kept))
    else:
        rolled = behind - kept * fall_s
        assert (there, phase, angle) == (RADIUS, 2, 0.0)
        assert fast == pytest.approx(sqrt(kept**2 - 2 * ROLLING * rolled))
    for azimuth in (-0.021, 0.031):
        assert KERNEL._next((0, height, speed, 1, 0.2), azimuth, view, numbers)[0] == -1
    boxes[1, 5] = there - RADIUS - 0.1
    assert KERNEL._next((0, height, speed, 1, 0.2), 0.0, view, numbers)[0] == -1
    boxes[1, 4:6] = there + RADIUS + 0.1, 200.0
    assert KERNEL._next((0, height, speed, 1, 0.2), 0.0, view, numbers)[0] == -1
    view = boxes[:1], np.zeros(1, np.intp), bodies, azimuths
    assert KERNEL._next((0, height, speed, 1, 0.2), 0.0, view, numbers)[0] == -1


@pytest.mark.parametrize("aside", [-7.0, -2.0, 0.0, 3.0, 7.0])
def test_a_ball_that_touches_an_edge_strikes_no_farther_out_than_it(aside):
    """It rolls, and the part is 8 wide: the lever is 4 at most."""
    boxes, bodies = scene(box_and_body(300.0, 4.0, 10.0), box_and_body(340.0, 60.0, 10.0))
    bodies[:, 5] = 900.0
    view = boxes, np.arange(2, dtype=np.intp), bodies, np.array([[-1.0, 1.0], [-1.0, 1.0]])
    mass, speed, lever = 40.0, 1500.0, min(abs(aside), 4.0)
    effective = 1 / (1 / 10.0 + lever**2 / 900.0)
    kept = speed * (mass - RESTITUTION * effective) / (mass + effective)
    numbers = (RADIUS, mass, ROLLING, SIGMA, RESTITUTION)
    found = KERNEL._next((0, RADIUS, speed, 2, 0.0), aside / 300.0, view, numbers)
    assert found[2] == pytest.approx(sqrt(kept**2 - 2 * ROLLING * 40.0))
