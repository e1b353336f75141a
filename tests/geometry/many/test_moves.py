"""Many moves: the exact sweep of one prism after another, closed forms, and what does not change the answer."""

from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import brickphys
from brickphys.errors import InvalidValueError
from brickphys.geometry.clearance import approaches
from brickphys.geometry.motion import Rotation, Translation
from brickphys.geometry.obstacles import Obstacles, Prism
from brickphys.geometry.polygon import TOLERANCE, Polygon
from tests.geometry.many.scenes import one_by_one, random_arrays

CAR = [(-5, -3), (5, -3), (5, 3), (-5, 3)]
WALL = [(12, -9), (13, -9), (13, 9), (12, 9)]
LAST_BITS = 1e-11


def at(row):
    """How far a motion has come, as the sweep of prisms counts it."""
    return row["distance_studs"] if np.isnan(row["turned_deg"]) else abs(row["turned_deg"])


def field(count, seed, movers=50, square=28.0):
    """Boxes at random, `square` studs apart in the mean, and cars among them."""
    rng = np.random.default_rng(seed)
    side = square * count**0.5
    sizes = rng.uniform(0.5, 6, (count, 2))
    box = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    poses = [
        np.column_stack([rng.uniform(0, side, (n, 2)), rng.uniform(0, 360, n)])
        for n in (count, movers)
    ]
    others = brickphys.outlines(box * sizes[:, None], poses=poses[0])
    return brickphys.outlines(CAR, poses=poses[1]), others, rng


@pytest.mark.parametrize("stops", [False, True])
def test_it_finds_what_one_move_after_another_finds(stops):
    """140 scenes of fourteen hard kinds: grazes, slides, flush starts, ties, turns and courses."""
    arrays = random_arrays(140, root=5)
    found = brickphys.sweep(
        arrays.movers, arrays.motions, arrays.obstacles, own=arrays.own, stops=stops
    )
    expected = {(met.mover, met.obstacle): met for met in one_by_one(arrays, stops)}
    rows = {(row["mover"], row["obstacle"]): row for row in found.array}
    assert rows.keys() == expected.keys()
    assert len(rows) > 100
    for pair, met in expected.items():
        row = rows[pair]
        assert (row["piece"], row["overlaps_at_start"]) == (met.piece, met.overlaps)
        near = LAST_BITS if row["is_conditioned"] else 1e-8
        assert at(row) == pytest.approx(met.at, abs=near)
        assert (row["x_studs"], row["y_studs"]) == pytest.approx(met.point, abs=near)
        assert (row["normal_x"], row["normal_y"]) == pytest.approx(met.normal, abs=LAST_BITS)
        expected_deg = nan if met.impact_deg is None else met.impact_deg
        assert row["impact_deg"] == pytest.approx(expected_deg, abs=LAST_BITS, nan_ok=True)


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 65, 700])
@pytest.mark.parametrize("motion", ["straight", "turn"])
def test_the_tree_leaves_out_nothing(count, motion):
    """All movers share the obstacles, or each has all of them as its own, which uses no tree."""
    movers, others, rng = field(count, seed=count, movers=12)
    motions = rng.uniform(-40, 40, (12, 2))
    if motion == "turn":
        motions = np.column_stack([rng.uniform(0, 60, (12, 2)), rng.uniform(-360, 360, 12)])
    shared = brickphys.sweep(movers, motions, others, clearance_studs=3.0)
    rings = [others.corners_studs(number) for number in range(count)] * 12
    again = brickphys.sweep(movers, motions, rings, own=np.arange(13) * count, clearance_studs=3.0)
    alike = again.array.copy()
    alike["obstacle"] %= max(count, 1)
    assert str(shared.array.tolist()) == str(alike.tolist())
    assert len(alike) or count < 9


@given(st.integers(0, 2**32 - 1))
def test_shared_obstacles_give_what_the_sweep_of_one_prism_gives(seed):
    movers, others, rng = field(40, seed, movers=3)
    prisms = [
        Prism(Polygon(one.corners_studs(n)), 0.0, 9.0)
        for one in (movers, others)
        for n in range(len(one))
    ]
    around = Obstacles.of(prisms[3:])
    for number in range(3):
        shift = rng.uniform(-30, 30, 2)
        length = float(np.hypot(*shift))
        x, y = (shift / length).tolist()
        pivot, turn = (
            rng.uniform(-9, 9, 2) + movers.corners_studs(number)[0],
            rng.uniform(-360, 360),
        )
        for motion, piece in (
            (Translation(length, (x, y)), shift),
            (Rotation.by(tuple(pivot.tolist()), turn), (*pivot, turn)),
        ):
            found = brickphys.sweep(
                movers.corners_studs(number), [piece], others, clearance_studs=4.0
            ).array
            hits = found[found["is_hit"]]
            touches = motion.touches((prisms[number],), around)
            expected = [(one.number, one.at) for one in touches]
            assert [row["obstacle"] for row in hits] == [number for number, _ in expected]
            assert [at(row) for row in hits] == pytest.approx(
                [one for _, one in expected], abs=LAST_BITS
            )
            near = {
                one.number: one
                for one in approaches((prisms[number],), motion, motion.extent, 4.0, around)
            }
            misses = found[~found["is_hit"]]
            assert {int(row["obstacle"]) for row in misses} == near.keys() - {
                n for n, _ in expected
            }
            for row in misses:
                one = near[int(row["obstacle"])]
                assert row["clearance_studs"] == pytest.approx(one.distance_studs, abs=LAST_BITS)
                assert at(row) == pytest.approx(one.at, abs=1e-6)


def test_a_near_miss_of_a_course_is_that_of_the_nearest_piece_and_no_hit():
    course = (np.array([(4, 0, nan), (0, 2, nan), (0, -2, nan), (8, 0, nan)]), [0, 4])
    above = [(-9, 6), (9, 6), (9, 7), (-9, 7)]
    found = brickphys.sweep(CAR, course, [WALL, above], clearance_studs=9)
    assert found.array[["obstacle", "piece", "is_hit", "clearance_studs"]].tolist() == [
        (0, 3, True, 0.0),
        (1, 1, False, 1.0),
    ]
    assert found.line() == "1 mover: 1 hit, 1 near miss"


def test_heights_decide():
    for bottom, hits in ((0, 1), (9, 0), (9 - 1e-10, 0), (9 - 1e-8, 1)):
        mover = brickphys.outlines(CAR, bottom_plates=0, top_plates=9)
        wall = brickphys.outlines(WALL, bottom_plates=bottom, top_plates=20)
        assert len(brickphys.sweep(mover, [(20, 0)], wall).array) == hits


@pytest.mark.parametrize(
    ("lean_deg", "depth", "is_hit", "is_sure"),
    [
        (1e-4, 0.0, 0, None),
        (1e-4, 0.5e-9, 0, None),
        (1e-4, 1.5e-9, 1, False),
        (10.0, 1e-5, 1, True),
    ],
)
def test_a_slide_is_told_from_a_sure_hit(lean_deg, depth, is_hit, is_sure):
    """A wall that leans by a ten-thousandth of a degree is touched long before it is overlapped."""
    away = 18 * np.tan(np.radians(lean_deg))
    slope = [(-5, 3 - depth + away), (13, 3 - depth), (13, 9), (-5, 9)]
    found = brickphys.sweep(CAR, [(8.0, 0)], slope).array
    assert len(found) == is_hit
    assert [is_sure] * is_hit == found["is_conditioned"].tolist()


def test_threads_and_chunks_do_not_change_the_answer():
    movers, others, rng = field(200, seed=3, movers=9000)
    motions = rng.uniform(-30, 30, (9000, 2))
    one, two = (brickphys.sweep(movers, motions, others, threads=n) for n in (1, 2))
    assert one.array.tobytes() == two.array.tobytes()


def test_one_motion_is_that_of_all_and_one_mover_makes_all_motions():
    movers = brickphys.outlines(CAR, poses=[(0, 0, 0), (0, 100, 0), (-4, 0, 180)])
    assert brickphys.sweep(movers, (20, 0), WALL).array["distance_studs"].tolist() == [7, 11]
    assert brickphys.sweep(CAR, [(6, 0), (8, 0), (20, 0)], WALL).array["mover"].tolist() == [1, 2]
    assert len(brickphys.sweep(np.empty((0, 4, 2)), (20, 0), WALL).array) == 0
    assert len(brickphys.sweep(CAR, np.empty((0, 2)), WALL).array) == 0


def test_a_stop_ends_a_course_and_those_that_are_touched_at_once_are_all_told():
    twins = [WALL, [(12, 9), (14, 9), (14, 12), (12, 12)], [(12, 2), (15, 2), (15, 3), (12, 3)]]
    course = (np.array([(3, 0, nan), (20, 0, nan), (0, 90, nan)]), [0, 3])
    found = brickphys.sweep(CAR, course, twins, stops=True).array
    assert found[["obstacle", "piece", "distance_studs"]].tolist() == [(0, 1, 4.0), (2, 1, 4.0)]


def test_closed_mirrored_and_ragged_rings_are_the_same_outlines():
    ring = np.array([*WALL, WALL[0]], float)
    doubled = [*WALL[:2], (13, 0), *WALL[2:]]
    forms = [WALL, ring, ring[::-1], doubled]
    ragged = brickphys.outlines(np.concatenate([ring, ring[::-1], WALL]), [0, 5, 10, 14])
    assert [one.tolist() for one in np.split(ragged.vertices_studs, 3)[2:]] == [WALL_LISTS]
    for obstacle in (*forms, ragged):
        found = brickphys.sweep(CAR, [(20, 0)], obstacle).array
        assert set(found["distance_studs"].tolist()) == {7.0}
    shapely = pytest.importorskip("shapely")
    _, corners, (offsets, _) = shapely.to_ragged_array([shapely.Polygon(one) for one in forms])
    assert len(brickphys.sweep(CAR, [(20, 0)], brickphys.outlines(corners, offsets)).array) == 4


WALL_LISTS = [[float(x), float(y)] for x, y in WALL]


def test_arrow_and_frames_have_the_fields():
    found = brickphys.sweep(CAR, [(20, 0)], WALL)
    assert found.to_arrow().column_names == list(found.array.dtype.names)
    assert found.to_arrow()["distance_studs"].to_pylist() == [7.0]
    assert found.rows()[0]["impact_deg"] == 90.0


STAR = [(np.cos(a), np.sin(a)) for a in np.radians([90, 234, 18, 162, 306])]
BAD_OUTLINES = {
    "outline 0: its edges cross or run back over each other near (-0.224514, 0.309017)": STAR,
    "outline 1: corner 2 has a number that is not finite": [CAR, [*CAR[:2], (nan, 1), (0, 1)]],
    "outline 0: all corners lie on one line": [(0, 0), (1, 1), (2, 2)],
    "outline 0: a polygon needs 3 corners, here are 2": [(0, 0), (1, 1)],
    "outline 1: a polygon needs 3 corners, here are 0": ([*CAR, *WALL], [0, 4, 4, 8]),
    "corners: their shape is (4,), not (k, 2) or (n, k, 2); an outline is the list of its corners": [
        1,
        2,
        3,
        4,
    ],
    "outline 0: not an array of numbers of shape (n, 2)": [["wall"], CAR],
    "outline 0: 'wall' is not a POLYGON as WKT has it": ["wall"],
    "offsets: not whole numbers that rise from 0 to 4": (CAR, [0, 3]),
}


@pytest.mark.parametrize("message", BAD_OUTLINES)
def test_a_bad_outline_is_told_in_one_line(message):
    value = BAD_OUTLINES[message]
    with pytest.raises(InvalidValueError) as raised:
        brickphys.outlines(*value) if isinstance(value, tuple) else brickphys.outlines(value)
    assert str(raised.value) == message


def pose(*values):
    return {"poses": [values]}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (pose(0, 0, nan), "pose 0 has a number that is not finite"),
        (pose(0, 0), "poses: its shape is (1, 2), not (n, 3)"),
        ({"top_plates": 0}, "outline 0: its top (0 plates) is not above its bottom (0)"),
        ({"top_plates": nan}, "outline 0: its top (nan plates) is not above its bottom (0)"),
        ({"top_plates": [1, 2]}, "top_plates: neither a number nor one for each outline (1)"),
    ],
)
def test_bad_poses_and_heights_are_told_in_one_line(options, message):
    with pytest.raises(InvalidValueError) as raised:
        brickphys.outlines(CAR, **options)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("motions", "options", "message"),
    [
        ([(nan, 1)], {}, "motion 0 has a number that is not finite"),
        ([(1, 1, inf)], {}, "motion 0 has a number that is not finite"),
        ([(1, 1, 1, 1)], {}, "motions: its shape is (1, 4), not (n, 2) or (n, 3)"),
        (([(1, inf, nan)], [0, 1]), {}, "piece 0 has a number that is not finite"),
        (([(1, 1, nan)], [0, 2]), {}, "offsets of the motions: not whole numbers that rise from 0 to 1"),
        ([(1, 1, -361)], {}, "piece 0 turns by -361 degrees, more than a full circle"),
        ([(1, 1)], {"own": [0, 2]}, "own: not whole numbers that rise from 0 to 1"),
        ([(1, 1)], {"own": [0, 0, 1]}, "own: 3 offsets are not one more than 1 mover"),
        ([(1, 1)], {"clearance_studs": -1.0}, "clearance -1 is not 0 or more"),
        ([(1, 1)], {"threads": 0}, "threads 0 is outside 1..256"),
    ],
)  # fmt: skip
def test_bad_motions_are_told_in_one_line(motions, options, message):
    with pytest.raises(InvalidValueError) as raised:
        brickphys.sweep(CAR, motions, WALL, **options)
    assert str(raised.value) == message


def test_numbers_of_movers_and_motions_must_fit():
    with pytest.raises(InvalidValueError, match="there are 2 movers, but 3 motions"):
        brickphys.sweep([CAR, CAR], [(1, 1)] * 3, WALL)


def test_angles_that_look_like_radians_are_noted(caplog):
    rng = np.random.default_rng(1)
    turns = np.column_stack([rng.uniform(0, 9, (30, 2)), rng.uniform(-3, 3, 30)])
    brickphys.sweep(CAR, turns, WALL)
    brickphys.outlines(CAR, poses=turns)
    brickphys.outlines(CAR, poses=turns.round())
    notes = [record.getMessage() for record in caplog.records]
    assert len(notes) == 2
    assert all("are in degrees; none is above" in note for note in notes)


@pytest.mark.slow
def test_ten_thousand_hard_scenes():
    arrays = random_arrays(10_000, root=6)
    found = brickphys.sweep(arrays.movers, arrays.motions, arrays.obstacles, own=arrays.own)
    expected = {(met.mover, met.obstacle): met.at for met in one_by_one(arrays)}
    seen = {(row["mover"], row["obstacle"]): row for row in found.array}
    assert seen.keys() == expected.keys()
    for pair, place in expected.items():
        near = TOLERANCE if seen[pair]["is_conditioned"] else 1e-7
        assert at(seen[pair]) == pytest.approx(place, abs=near)
