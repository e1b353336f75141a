"""Targets, walls, and the outlines that a shooter sees."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.projectiles import target
from brickphys.projectiles.measure import Arrival, strike
from brickphys.projectiles.shot import Bins, aim_law
from brickphys.projectiles.standing import Side, Standing, silhouette
from brickphys.projectiles.weapons import weapon
from brickphys.shapes.brick import brick
from brickphys.shapes.solids import join


def inside(part: target.TargetPart, points):
    """Whether points (n, 3) lie in a part."""
    off = np.abs(points - part.centre_mm) <= np.array(part.size_mm) / 2
    if part.kind == "cylinder":
        away = np.hypot(*(points - part.centre_mm)[:, :2].T)
        return (away <= part.size_mm[0] / 2) & off[:, 2]
    return off.all(axis=1)


@pytest.mark.parametrize("name", target.targets())
def test_mass_properties_are_those_of_sampled_points(name):
    body, rng = target.target(name), np.random.default_rng(1)
    masses, points = [], []
    for part in body.parts:
        drawn = part.centre_mm + (rng.random((40_000, 3)) - 0.5) * part.size_mm
        drawn = drawn[inside(part, drawn)]
        points.append(drawn)
        masses.append(np.full(len(drawn), part.mass_g / len(drawn)))
    mass, point = np.concatenate(masses), np.concatenate(points)
    centre = mass @ point / mass.sum()
    arms = point - centre
    spread = np.einsum("i,ij,ik->jk", mass, arms, arms)
    assert body.mass_g == pytest.approx(sum(part.mass_g for part in body.parts))
    # 40,000 points a part: the error of a mean of up to 25 mm spread is below 0.1 mm at 5 sigma
    assert body.mass.centre_mm == pytest.approx(centre, abs=0.1)
    inertia = np.trace(spread) * np.eye(3) - spread
    assert np.abs(body.mass.inertia_g_mm2 - inertia).max() < 0.01 * np.trace(inertia)


def test_the_figure_has_its_true_measure():
    foot = target.target("foot")
    low = np.min([np.array(p.centre_mm) - np.array(p.size_mm) / 2 for p in foot.parts], axis=0)
    high = np.max([np.array(p.centre_mm) + np.array(p.size_mm) / 2 for p in foot.parts], axis=0)
    assert high[1] - low[1] == pytest.approx(24.0)
    assert foot.height_mm == pytest.approx(40.0)
    assert 3.0 <= foot.mass_g <= 3.3
    assert np.ptp(foot.base_mm, axis=0) == pytest.approx([7.8, 15.6])


@pytest.mark.parametrize("name", target.targets())
def test_a_target_stands_its_centre_of_mass_is_inside_its_base(name):
    base, centre = target.target(name).base_mm, target.target(name).mass.centre_mm[:2]
    edges = np.roll(base, -1, axis=0) - base
    arms = centre - base
    assert (edges[:, 0] * arms[:, 1] - edges[:, 1] * arms[:, 0] > 0).all()


@pytest.mark.parametrize("name", target.targets())
def test_parts_do_not_overlap(name):
    parts = target.target(name).parts
    for i, one in enumerate(parts):
        for other in parts[i + 1 :]:
            apart = np.abs(np.subtract(one.centre_mm, other.centre_mm))
            assert (apart >= np.add(one.size_mm, other.size_mm) / 2 - 1e-9).any(), (one, other)


@given(st.floats(0.0, 39.9))
def test_behind_a_wall_the_middle_of_what_shows_is_aimed_at(wall_mm):
    assert target.behind_wall(target.target("foot"), wall_mm).aim_mm == pytest.approx(
        (wall_mm + 40.0) / 2
    )


def test_names_of_walls_count_bricks():
    assert target.target("foot:wall2").wall_mm == pytest.approx(19.2)
    assert target.target("foot:wall2").name == "foot"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("foto", "unknown body 'foto': did you mean 'foot'"),
        ("foot:wall0", "after the colon comes wall1 to wall4, "),
        ("foot:wall5", "after the colon comes wall1 to wall4, "),
    ],
)
def test_bad_names_are_told(name, words):
    with pytest.raises(InvalidValueError, match=words):
        target.target(name)


def test_impossible_parts_are_refused():
    for kind, centre, size, mass in (
        ("ball", (0, 0, 5), (8, 8, 8), 1.0),
        ("box", (0, 0, 5), (8, 8, 0), 1.0),
        ("box", (0, 0, 5), (8, 8, 8), 0.0),
        ("cylinder", (0, 0, 5), (8, 9, 8), 1.0),
        ("box", (0, 0, 3), (8, 8, 8), 1.0),
    ):
        with pytest.raises(InvalidValueError, match="thing"):
            target.TargetPart(kind, "thing", centre, size, mass)
    with pytest.raises(InvalidValueError, match="no part stands"):
        target.Target("x", "", "", (target.TargetPart("box", "cloud", (0, 0, 9), (8, 8, 8), 1.0),))


@pytest.mark.parametrize("name", target.targets())
def test_pieces_add_up_to_their_parts(name):
    body = target.target(name)
    whole = join(piece.mass for piece in body.pieces)
    assert len(body.pieces) >= len(body.parts)
    assert whole.mass_g == pytest.approx(body.mass_g)
    assert whole.inertia_g_mm2 == pytest.approx(body.mass.inertia_g_mm2)
    assert max(max(p.size_mm[:2]) / max(min(p.size_mm[:2]), 8.0) for p in body.pieces) < 2.0


def test_courses_are_whole_and_their_joints_are_offset():
    wall = target.brick_wall(4, 12)
    assert len(wall.parts) == 3 + 4 + 3 + 4
    assert wall.height_mm == pytest.approx(38.4)
    assert wall.mass_g == pytest.approx(10 * brick(2, 4).mass_g + 4 * brick(2, 2).mass_g)
    for course in range(4):
        ends = [
            (part.centre_mm[1] - part.size_mm[1] / 2, part.centre_mm[1] + part.size_mm[1] / 2)
            for part in wall.parts
            if part.low_mm == pytest.approx(9.6 * course)
        ]
        assert np.ravel(ends)[[0, -1]] == pytest.approx([-48, 48])
        assert np.ravel(ends)[1:-1:2] == pytest.approx(np.ravel(ends)[2::2])
        inner = [-16, 16] if course % 2 == 0 else [-32, 0, 32]
        assert np.ravel(ends)[2::2] == pytest.approx(inner)


@pytest.mark.parametrize(("courses", "length"), [(0, 8), (2, 6), (1, 0)])
def test_impossible_walls_are_refused(courses, length):
    with pytest.raises(InvalidValueError, match="wall"):
        target.brick_wall(courses, length)


def test_a_wall_may_have_any_number_of_bricks_but_the_engine_takes_few_as_one_body():
    wall, stone = target.brick_wall(16, 64), weapon("big_catapult").projectile
    assert len(wall.parts) == 8 * 16 + 8 * 17
    with pytest.raises(InvalidValueError, match="264 parts: the bullet engine takes at most 16"):
        strike(wall, stone, Arrival(2.0, 0.0, Side.FRONT), 1, 0, 1)


def test_the_aim_law_says_which_course_is_hit():
    wall, courses = target.brick_wall(4, 12), tuple(9.6 * np.arange(5))
    standing = [Standing(wall, 914.4, 0.0, 180.0)]
    law = aim_law(weapon("big_catapult"), (0.0, 0.0), standing, 0, Bins(courses))
    direct = law.shares[0, 0].sum(axis=-1)
    assert direct.sum() == pytest.approx(law.by_phase[0, 0])
    assert direct.argmax() == 3  # a stone that falls meets the top most
    assert direct[1:].min() > 0  # the lowest is as high as the radius of the stone


def test_a_wall_that_stands_free_tips_over_its_far_edge():
    wall, stone = target.brick_wall(4, 12), weapon("big_catapult").projectile
    mass, h, half = wall.mass, wall.mass.centre_mm[2], 8.0
    inertia = mass.inertia_g_mm2[1, 1] + mass.mass_g * (h * h + half * half)
    spin = np.sqrt(2 * mass.mass_g * 9810 * (np.hypot(h, half) - h) / inertia)
    impulse = inertia * spin / wall.height_mm / 1000  # g m/s, at the top
    least = impulse / (1.5 * stone.mass_g)  # no stone gives more than (1 + e) m v
    slow = strike(wall, stone, Arrival(round(0.95 * least, 3), 0.0, Side.FRONT), 1, 0, 60)
    assert len(slow.knocked) > 20
    assert not slow.knocked.any()
    fast = strike(wall, stone, Arrival(5.0, 0.0, Side.FRONT), 1, 0, 40)
    assert fast.knocked[fast.height_mm > h].mean() > 0.7


def seen(outline, across, height):
    """Whether points lie in the union of the rectangles."""
    (left, right), (low, high) = outline.across_mm.T, outline.height_mm.T
    in_width = (left <= across[:, None]) & (across[:, None] <= right)
    return (in_width & (low <= height[:, None]) & (height[:, None] <= high)).any(axis=1)


@pytest.mark.parametrize("bearing_deg", [0.0, 37.0, 90.0, 180.0, -60.0])
@pytest.mark.parametrize("name", target.targets())
def test_projected_corners_span_the_rectangles(name, bearing_deg):
    body, outline = target.target(name), silhouette(target.target(name).table, bearing_deg)
    turn = np.radians(bearing_deg)
    for part, (low, high) in zip(body.pieces, outline.across_mm, strict=True):
        around = np.linspace(0, 2 * np.pi, 721)
        rim = np.array(part.centre_mm[:2]) + part.size_mm[0] / 2 * np.column_stack(
            [np.cos(around), np.sin(around)]
        )
        points = part.plan_mm if part.kind == "box" else rim
        across = points @ [np.sin(turn), -np.cos(turn)]
        assert (across.min(), across.max()) == pytest.approx((low, high), abs=1e-4)


def test_from_behind_the_left_arm_is_at_the_left():
    outline = silhouette(target.target("foot").table, 180.0)
    names = [part.about for part in target.target("foot").pieces]
    assert outline.across_mm[names.index("left arm and hand")].min() > 0
    front = silhouette(target.target("foot").table, 0.0)
    assert front.across_mm[names.index("left arm and hand")].max() < 0


def test_outline_of_the_figure_from_the_front_by_hand():
    rng = np.random.default_rng(3)
    across, height = rng.uniform(-12, 12, 200_000), rng.uniform(0, 40, 200_000)
    share = seen(silhouette(target.target("foot").table, 0.0), across, height).mean()
    area = 15.6 * 16 + 14.2 * 12.8 + 2 * 4.9 * 11.2 + 10.2 * 9.6 + 4.8 * 1.6
    assert share * 24 * 40 == pytest.approx(area, abs=4.0)  # 4 sigma of the sampling


def test_a_wall_cuts_the_outline():
    hidden = silhouette(target.target("foot:wall2").table, 20.0)
    open_ = silhouette(target.target("foot").table, 20.0)
    assert hidden.height_mm == pytest.approx(np.maximum(open_.height_mm, 19.2))


@pytest.mark.parametrize("bearing_deg", [0.0, 30.0, 90.0, 200.0])
def test_depth_times_width_is_the_area_of_a_part_in_plan(bearing_deg):
    outline = silhouette(target.target("rider").table, bearing_deg)
    area = np.ptp(outline.depth_mm, axis=1) * np.ptp(outline.across_mm, axis=1)
    plans = [
        np.prod(part.size_mm[:2]) * (np.pi / 4 if part.kind == "cylinder" else 1)
        for part in target.target("rider").pieces
    ]
    assert area == pytest.approx(plans)


def test_the_rider_turns_the_horses_head_to_a_shooter_in_front():
    outline = silhouette(target.target("rider").table, 0.0)
    names = [part.about for part in target.target("rider").pieces]
    assert np.argmin(outline.depth_mm[:, 0]) == names.index("neck and head of the horse")


@pytest.mark.parametrize(
    ("bearing_deg", "side"),
    [(0, "front"), (45, "front"), (-45, "front"), (45.1, "side"), (270, "side"), (135, "rear")],
)
def test_sides_are_quarters(bearing_deg, side):
    assert Side.at(bearing_deg).value == side
    assert Side.at(bearing_deg - 360).value == side
