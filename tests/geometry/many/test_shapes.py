"""Outlines of any form: concave, with holes, round, compound; against whole shapes, and split in other ways."""

from math import cos, hypot, inf, radians, sin

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import brickphys
from brickphys.errors import InvalidValueError

shapely = pytest.importorskip("shapely")
pytest.importorskip("shapely.ops")
L = [(20, -10), (30, -10), (30, -8), (22, -8), (22, 10), (20, 10)]
BAR, POST = [(20, -10), (30, -10), (30, -8), (20, -8)], [(20, -8), (22, -8), (22, 10), (20, 10)]
LOW, SIDE = [(22, -10), (30, -10), (30, -8), (22, -8)], [(20, -10), (22, -10), (22, 10), (20, 10)]
CAR = [(-5, -3), (5, -3), (5, 3), (-5, 3)]
RING = {"polygon": [(0, 0), (20, 0), (20, 20), (0, 20)], "holes": [[(4, 4), (16, 4), (16, 16), (4, 16)]]}  # fmt: skip


def star(rng, x, y, size, corners):
    """A polygon that is seen whole from its middle, mostly concave."""
    while True:
        angles = 2 * np.pi * (np.arange(corners) + rng.uniform(0, 0.8, corners)) / corners
        far = rng.uniform(0.3, 1.0, corners) * size
        ring = np.column_stack([x + far * np.cos(angles), y + far * np.sin(angles)])
        if shapely.Polygon(ring).is_valid and shapely.Polygon(ring).area > 1:
            return ring


def random_outline(rng, x, y):
    """An outline as `outlines` takes it, and as shapely has it: a list of cores with radii."""
    kind = rng.integers(5)
    ring = star(rng, x, y, rng.uniform(2, 5), rng.integers(5, 11))
    radius, end = rng.uniform(0.5, 3), (x + rng.uniform(1, 5), y + rng.uniform(-5, 5))
    circle, capsule = {"circle": (x, y), "radius": radius}, {"capsule": [(x, y), end], "radius": radius}  # fmt: skip
    round_one = [(shapely.Point(x, y), radius)]
    if kind == 0:
        return ring.tolist(), [(shapely.Polygon(ring), 0)]
    if kind == 1:
        hole = (ring - (x, y)) * rng.uniform(0.2, 0.9) + (x, y)
        return {"polygon": ring, "holes": [hole]}, [(shapely.Polygon(ring, [hole]), 0)]
    if kind == 2:
        return circle, round_one
    if kind == 3:
        return capsule, [(shapely.LineString([(x, y), end]), radius)]
    both = {"part": [{"polygon": ring, "name": "a"}, {**circle, "circle": end}]}
    return both, [(shapely.Polygon(ring), 0), (shapely.Point(end), radius)]


def gap(one, other):
    """How far two lists of cores are apart; less than 0 if round ones overlap."""
    return min(a.distance(b) - r - q for a, r in one for b, q in other)


def moved(cores, motion, share):
    x, y, turn_deg = motion
    if np.isnan(turn_deg):
        return [(shapely.affinity.translate(a, share * x, share * y), r) for a, r in cores]
    return [(shapely.affinity.rotate(a, share * turn_deg, (x, y)), r) for a, r in cores]


def first_share(mover, other, motion):
    """The share of a motion at the first touch: no point goes farther than the gap; nan for none."""
    x, y, turn_deg = motion
    length = hypot(x, y)
    if not np.isnan(turn_deg):
        points = shapely.get_coordinates([a for a, _ in mover]) - (x, y)
        length = abs(radians(turn_deg)) * (np.hypot(*points.T).max() + max(r for _, r in mover))
    share = 0.0
    while share <= 1.0:
        room = gap(moved(mover, motion, share), other)
        if room < 1e-11:
            return share
        share += room / length
    return np.nan


@given(st.integers(0, 10**6))
def test_first_touches_are_those_of_whole_shapes(seed):
    """Shapely's distance of the whole outlines, marched to the first touch, knows no parts and no seams."""
    rng = np.random.default_rng(seed)
    mover, cores = random_outline(rng, 0.0, 0.0)
    many = [random_outline(rng, *rng.uniform(-14, 14, 2)) for _ in range(4)]
    turn = rng.uniform(-360, 360) if rng.integers(2) else np.nan
    motion = (*rng.uniform(-15, 15, 2), turn)
    found = brickphys.sweep(
        [mover], ([motion], [0, 1]), [one for one, _ in many], clearance_studs=1000.0
    ).array
    for number, (_, other) in enumerate(many):
        row = found[found["obstacle"] == number][0]
        share = first_share(cores, other, motion)
        if np.isnan(share):
            assert not row["is_hit"]
            shares = np.linspace(0, 1, 300)
            least = min(gap(moved(cores, motion, one), other) for one in shares)
            assert row["clearance_studs"] <= least + 1e-9
            continue
        assert row["is_hit"] == (row["clearance_studs"] == 0)
        if not row["is_hit"]:  # a graze
            continue
        extent = hypot(*motion[:2]) if np.isnan(turn) else abs(turn)
        at = row["distance_studs"] if np.isnan(turn) else abs(row["turned_deg"])
        assert at == pytest.approx(share * extent, abs=1e-6)
        assert row["overlaps_at_start"] == (share == 0.0)
        if share == 0.0:
            continue
        spot = [(shapely.Point(row["x_studs"], row["y_studs"]), 0)]
        assert gap(spot, other) < 1e-6
        assert gap(moved(cores, motion, at / extent), spot) < 1e-6
        beside = shapely.affinity.translate(
            spot[0][0], 1e-6 * row["normal_x"], 1e-6 * row["normal_y"]
        )
        assert gap([(beside, 0)], other) > -1e-7


def rows(*values, **more):
    """Rows without the numbers of parts, which compounds have."""
    names = [*brickphys.sweep(*values, **more).array.dtype.names][:-2]
    return [tuple(row) for row in brickphys.sweep(*values, **more).array[names].tolist()]


MOTIONS = {
    "onto the upright": (20, 0, np.nan),
    "down into the corner": (0, -20, np.nan),
    "from the right": (-20, 0, np.nan),
    "aslant into the corner": (-15, -15, np.nan),
    "turns into it": (0, 0, -90.0),
}


@pytest.mark.parametrize("way", MOTIONS)
@pytest.mark.parametrize("x", [0, 8, 27, 40])
def test_the_way_of_splitting_does_not_matter(way, x):
    """The seams of three splittings are elsewhere; a box slides along them, and lies flush in the corner."""
    box = [(x, 2), (x + 3, 2), (x + 3, 6), (x, 6)]
    sharp = [(x, 2), (x + 3, 4), (x, 6)]
    ways = [[MOTIONS[way]], [0, 1]]
    for mover in (box, sharp):
        expected = rows([mover], (np.array(ways[0]), ways[1]), [L], clearance_studs=5)
        for halves in ((BAR, POST), (LOW, SIDE)):
            parts = [{"polygon": half} for half in halves]
            got = rows([mover], (np.array(ways[0]), ways[1]), [{"part": parts}], clearance_studs=5)
            assert np.array(got, float) == pytest.approx(
                np.array(expected, float), abs=1e-9, nan_ok=True
            )


@given(st.integers(0, 10**6))
def test_an_outline_cut_along_any_line_is_met_in_the_same_place(seed):
    """Obstacle and mover are given whole, and as the pieces on both sides of a random line."""
    rng = np.random.default_rng(seed)
    rings = [star(rng, 0.0, 0.0, 4.0, 8), star(rng, *rng.uniform(-12, 12, 2), 5.0, 9)]
    turn = rng.uniform(-360, 360) if rng.integers(2) else np.nan
    ways = np.array([(*rng.uniform(-15, 15, 2), turn)]), [0, 1]
    cut = []
    for ring in rings:
        x, y = ring.mean(axis=0)
        dx, dy = 20 * rng.normal(size=2)
        line = shapely.LineString([(x - dx, y - dy), (x + dx, y + dy)])
        pieces = shapely.ops.split(shapely.Polygon(ring), line).geoms
        cut.append({"part": [{"polygon": [*piece.exterior.coords]} for piece in pieces]})
    expected = np.array(rows([rings[0]], ways, [rings[1]], clearance_studs=50), float)
    for mover, other in ((rings[0], cut[1]), (cut[0], rings[1]), (cut[0], cut[1])):
        got = np.array(rows([mover], ways, [other], clearance_studs=50), float)
        assert got == pytest.approx(expected, abs=1e-7, nan_ok=True)


def test_a_box_in_the_corner_is_stopped_by_the_face_that_it_moves_against():
    box = [(22, -2), (25, -2), (25, 2), (22, 2)]
    (row,) = brickphys.sweep([box], [(0, -20)], [L]).array
    assert row["distance_studs"] == 6
    assert (row["x_studs"], row["y_studs"], row["impact_deg"]) == (23.5, -8, 90)
    assert (row["normal_x"], row["normal_y"]) == (0, 1)


def test_sliding_along_seams_and_flush_starts_are_no_hits():
    """The box fills a slot to the last bit; the seams of the comb end at its corners."""
    comb = [(0, 0), (12, 0), (12, 8), (8, 8), (8, 4), (4, 4), (4, 8), (0, 8)]
    box = [(4, 4), (8, 4), (8, 7), (4, 7)]
    found = brickphys.sweep([box], [(0, 20)], [comb])
    assert not len(found.array)
    (row,) = brickphys.sweep([box], [(0, -1)], [comb]).array
    assert (row["distance_studs"], row["normal_y"], row["x_studs"], row["y_studs"]) == (0, 1, 6, 4)
    # two teeth are touched at once: the contact is on the longer one
    wide = [(-1, 9), (9, 9), (9, 10), (-1, 10)]
    (row,) = brickphys.sweep([wide], [(0, -20)], [comb]).array
    assert (row["distance_studs"], row["x_studs"], row["y_studs"]) == (1, 2, 8)


def test_a_body_in_a_hole_moves_freely_to_its_edge():
    box = [(9, 9), (11, 9), (11, 11), (9, 11)]
    found = brickphys.sweep([box], [(20, 0), (-4, 4), (0, -6)], [RING]).array
    assert found["distance_studs"] == pytest.approx([5, 5])
    assert found["mover"].tolist() == [0, 2]
    assert found["normal_x"].tolist() == [-1, 0]
    # and a frame around a post
    assert brickphys.sweep([RING], [(20, 0)], [box]).array["distance_studs"].tolist() == [5]
    (row,) = brickphys.sweep([RING], [(0, 3)], [box], clearance_studs=9).array
    assert not row["is_hit"]
    assert row["clearance_studs"] == 2


@given(st.integers(3, 40), st.floats(0.5, 4), st.floats(-4, 4), st.booleans())
def test_a_circle_lies_between_the_polygons_in_it_and_around_it(corners, radius, aside, turns):
    angles = 2 * np.pi * np.arange(8 * corners) / (8 * corners)
    ring = radius * np.column_stack([np.cos(angles), np.sin(angles)]) + (14, aside)
    around = (ring - (14, aside)) / cos(np.pi / (8 * corners)) + (14, aside)
    others = [ring, {"circle": (14, aside), "radius": radius}, around]
    motion = (0.0, 30.0, 180.0) if turns else (20.0, 0.0, np.nan)
    found = brickphys.sweep([CAR], (np.array([motion]), [0, 1]), others).array
    at = {row["obstacle"]: row["turned_deg"] if turns else row["distance_studs"] for row in found}
    low, middle, high = (at.get(number, inf) for number in (2, 1, 0))
    assert low <= middle + 1e-9
    assert middle <= high + 1e-9


def test_a_disc_meets_a_corner_where_circles_meet_and_a_face_head_on():
    disc = {"circle": (0, 0), "radius": 5}
    wall = [(10, 3), (20, 3), (20, 30), (10, 30)]
    (row,) = brickphys.sweep([disc], [(20, 0)], [wall]).array
    assert row["distance_studs"] == pytest.approx(6, abs=1e-12)
    assert (row["x_studs"], row["y_studs"]) == pytest.approx((10, 3))
    assert (row["normal_x"], row["normal_y"]) == pytest.approx((-0.8, -0.6))
    assert row["impact_deg"] == pytest.approx(np.degrees(np.arcsin(0.8)))
    post = {"capsule": [(10, -9), (10, 9)], "radius": 2}
    (row,) = brickphys.sweep([disc], [(20, 0)], [post]).array
    assert (row["distance_studs"], row["x_studs"], row["impact_deg"]) == (3, 8, 90)
    # two discs on a circle about (0, 30): they touch where a chord is as long as both radii
    other = {"circle": (30, 30), "radius": 1}
    (row,) = brickphys.sweep([disc], [(0, 30, 90)], [other]).array
    assert row["turned_deg"] == pytest.approx(90 - np.degrees(2 * np.arcsin(6 / 60)), abs=1e-9)


def test_a_touch_within_the_tolerance_is_none_of_round_ones_too():
    disc = {"circle": (0, 0), "radius": 5}
    for y, hits in ((8 - 2e-9, 1), (8 - 5e-10, 0), (8 + 1e-9, 0)):
        assert (
            len(brickphys.sweep([disc], [(20, 0)], [{"circle": (10, y), "radius": 3}]).array)
            == hits
        )


def test_stops_and_near_misses_are_those_of_the_whole():
    truck = {
        "part": [{"polygon": CAR, "name": "bed"}, {"circle": (5, 3), "radius": 1, "name": "lamp"}]
    }
    walls = [[(12, 3.5), (14, 3.5), (14, 9), (12, 9)], [(15, -9), (16, -9), (16, 9), (15, 9)],
             [(6, 6), (8, 6), (8, 7), (6, 7)]]  # fmt: skip
    frame = {
        "polygon": [(-40, -40), (40, -40), (40, 40), (-40, 40)],
        "holes": [[(-8, -9), (30, -9), (30, 30), (-8, 30)]],
    }
    (_, *near) = brickphys.sweep(
        [truck], [(20, 0)], [frame, *walls], stops=True, clearance_studs=4
    ).array
    assert [(row["obstacle"], row["clearance_studs"]) for row in near[2:]] == [(0, 3)]
    found = brickphys.sweep([truck], [(20, 0)], walls, stops=True, clearance_studs=4).array
    assert found["is_hit"].tolist() == [True, False, False]
    assert found["obstacle"].tolist() == [0, 2, 1]
    assert (found["mover_part"][0], found["obstacle_part"][0]) == (1, 0)
    lamp = 12 - 0.75**0.5 - 5
    assert found["distance_studs"][0] == pytest.approx(lamp)
    assert found["clearance_studs"] == pytest.approx([0, 2, 15 - 1 - 5 - lamp])


def test_courses_go_on_from_piece_to_piece():
    """The truck of two parts and its two parts alone find the same, the earlier one first."""
    arm = [(5, -1), (9, -1), (9, 1), (5, 1)]
    course = (np.array([(8, 0, np.nan), (8, 0, 70.0), (3, 9, np.nan)]), [0, 3])
    rng = np.random.default_rng(5)
    others = [star(rng, *rng.uniform(-15, 30, 2), 3, 7) for _ in range(90)]
    both = brickphys.sweep([{"part": [{"polygon": CAR}, {"polygon": arm}]}], course, others).array
    alone = brickphys.sweep([CAR, arm], (np.tile(course[0], (2, 1)), [0, 3, 6]), others).array
    first = {}
    for row in alone:
        at = np.nan_to_num(row["distance_studs"]) + abs(np.nan_to_num(row["turned_deg"]))
        spot = (row["piece"], at)
        first[row["obstacle"]] = min(first.get(row["obstacle"], (9, 0)), spot)
    assert len(first) > 5
    assert {row["obstacle"] for row in both} == first.keys()
    for row in both:
        at = np.nan_to_num(row["distance_studs"]) + abs(np.nan_to_num(row["turned_deg"]))
        assert (row["piece"], at) == first[row["obstacle"]]


def test_an_overlap_at_the_start_has_the_centre_of_the_common_area_and_the_way_out():
    box = [(21, -9), (26, -9), (26, -4), (21, -4)]
    (row,) = brickphys.sweep([box], [(5, 0)], [L]).array
    common = shapely.Polygon(L).intersection(shapely.Polygon(box))
    assert row["overlaps_at_start"]
    assert (row["x_studs"], row["y_studs"]) == pytest.approx((common.centroid.x, common.centroid.y))
    assert (row["normal_x"], row["normal_y"]) == pytest.approx((2**-0.5, 2**-0.5))
    assert np.isnan(row["impact_deg"])


def test_distances_and_overlaps_are_those_of_whole_outlines():
    ring = shapely.Polygon(RING["polygon"], RING["holes"])
    rng = np.random.default_rng(3)
    rings = [star(rng, *rng.uniform(0, 25, 2), 2, 6) for _ in range(60)]
    shapes = np.array([shapely.Polygon(one) for one in rings])
    assert brickphys.distance(RING, rings) == pytest.approx(
        shapely.distance(ring, shapes), abs=1e-9
    )
    assert (brickphys.overlaps([RING], rings) == shapely.intersects(ring, shapes)).all()
    assert brickphys.distance([{"circle": (30, 10), "radius": 4}], [RING]).tolist() == [6]
    with pytest.raises(InvalidValueError, match="penetration is that of convex polygons only"):
        brickphys.penetration(RING, CAR)


def test_outlines_at_poses_are_turned_whole():
    poses = np.array([(10, 5, 30), (0, 0, 90), (-3, 7, 200)])
    found = brickphys.outlines([RING], poses=poses)
    for number, (x, y, heading_deg) in enumerate(poses):
        c, s = cos(radians(heading_deg)), sin(radians(heading_deg))
        whole = shapely.affinity.affine_transform(
            shapely.Polygon(RING["polygon"], RING["holes"]), [c, -s, s, c, x, y]
        )
        assert shapely.from_wkt(found.wkt()[number]).symmetric_difference(whole).area < 1e-9
        mine = [shapely.Polygon(found.vertices_studs[a:b]) for a, b in zip(
            found.firsts[found.parts[number] : found.parts[number + 1]],
            found.firsts[found.parts[number] + 1 : found.parts[number + 1] + 1], strict=True)]  # fmt: skip
        assert shapely.union_all(mine).symmetric_difference(whole).area < 1e-9


def test_outlines_are_written_as_they_are_read():
    texts = ["POLYGON ((0 0, 9 0, 9 9, 5 3, 0 9, 0 0), (2 1, 3 2, 4 1, 2 1))",
             "MULTIPOLYGON (((0 0, 1 0, 0 1, 0 0)), ((5 5, 9 5, 9 9, 5 9, 5 5)))"]  # fmt: skip
    found = brickphys.outlines(texts)
    for again in (found.wkt(), found.geojson(), shapely.from_wkt(texts)):
        shapes = shapely.from_wkt(brickphys.outlines(again).wkt())
        assert shapely.equals(shapes, shapely.from_wkt(texts)).all()
    with pytest.raises(InvalidValueError, match="outline 0 is round"):
        brickphys.outlines([{"circle": (0, 0), "radius": 1}]).wkt()


BAD = {
    "outline 0: a circle needs a radius in studs": {"circle": (0, 0)},
    "outline 0: radius 0 is not 0.001 or more": {"circle": (0, 0), "radius": 0},
    "outline 0: both ends of a capsule are the same point": {"capsule": [(1, 1), (1, 1)], "radius": 1},
    "outline 0: a circle has one centre, a capsule two ends, and neither holes": {"capsule": [(0, 0)], "radius": 1},
    "outline 0: give one of polygon, circle and capsule": {"radius": 1},
    "outline 0: unknown key 'round'; known: name, polygon, holes, circle, capsule, radius": {"round": 1},
    "outline 0: 'x' is not a list of corners [x, y]": {"capsule": "x", "radius": 1},
    "outline 0: hole lies outside shell near (30, 30)": {"polygon": CAR, "holes": [[(30, 30), (31, 30), (30, 31)]]},
    "outline 0: part nose: a polygon needs 3 corners, here are 2": {
        "part": [{"polygon": CAR}, {"polygon": CAR[:2], "name": "nose"}]
    },
    "outline 0: no parts": {"part": []},
}  # fmt: skip


@pytest.mark.parametrize("message", BAD)
def test_a_bad_outline_is_told_in_one_line(message):
    with pytest.raises(InvalidValueError) as raised:
        brickphys.outlines(BAD[message])
    assert str(raised.value) == message
