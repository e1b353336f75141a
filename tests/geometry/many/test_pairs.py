"""Distances, depths and overlaps of pairs: shapely, and what parts two outlines."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import brickphys
from brickphys.errors import InvalidValueError
from brickphys.geometry.polygon import TOLERANCE

BOX = [(0, 0), (2, 0), (2, 2), (0, 2)]


def random_outlines(rng, count, spread=6.0):
    """Return convex outlines of 3 to 8 corners: on circles, stretched and turned."""
    rings = []
    for _ in range(count):
        corners = int(rng.integers(3, 9))
        angles = 2 * np.pi * (np.arange(corners) + rng.uniform(-0.3, 0.3, corners)) / corners
        ring = np.column_stack([np.cos(angles), np.sin(angles)]) * rng.uniform(0.3, 4, 2)
        turn = rng.uniform(0, 2 * np.pi)
        spin = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
        rings.append(ring @ spin + rng.uniform(-spread, spread, 2))
    return brickphys.outlines(rings)


def moved(outlines, shifts):
    rings = [outlines.corners_studs(n) + shift for n, shift in enumerate(shifts)]
    return brickphys.outlines(rings)


@given(st.integers(0, 2**32 - 1))
def test_shapely_gives_the_same_distances_and_overlaps(seed):
    shapely = pytest.importorskip("shapely")
    rng = np.random.default_rng(seed)
    sides = [random_outlines(rng, 60) for _ in range(2)]
    shapes = [[shapely.Polygon(side.corners_studs(n)) for n in range(60)] for side in sides]
    expected = shapely.distance(*shapes)
    assert brickphys.distance(*sides) == pytest.approx(expected, abs=1e-12)
    areas = shapely.area(shapely.intersection(*shapes))
    sure = (areas == 0) | (areas > 1e-6)
    assert (brickphys.overlaps(*sides) == (areas > 0))[sure].all()


@given(st.integers(0, 2**32 - 1))
def test_the_vector_of_a_penetration_parts_them_and_no_shorter_way_does(seed):
    rng = np.random.default_rng(seed)
    first, second = random_outlines(rng, 40, 2.0), random_outlines(rng, 40, 2.0)
    found = brickphys.penetration(first, second)
    inside = found.depth_studs > 1e-6
    assert inside.any()
    assert np.hypot(*found.vector_studs.T) == pytest.approx(found.depth_studs, abs=1e-12)
    assert not brickphys.overlaps(moved(first, found.vector_studs), second).any()
    assert brickphys.overlaps(moved(first, 0.999 * found.vector_studs), second)[inside].all()
    for turn in rng.uniform(0, 2 * np.pi, 20):
        away = 0.999 * found.depth_studs[:, None] * (np.cos(turn), np.sin(turn))
        assert brickphys.overlaps(moved(first, away), second)[inside].all()
    apart = brickphys.distance(first, second) > 0
    assert (found.depth_studs[apart] == 0).all()
    assert (found.vector_studs[apart] == 0).all()


@pytest.mark.parametrize(
    ("gap", "overlaps"), [(0.0, False), (1e-6, False), (-TOLERANCE / 2, False), (-2e-9, True)]
)
def test_the_tolerance_decides(gap, overlaps):
    other = np.array(BOX) + np.array((2 + gap, 0))
    assert brickphys.overlaps(BOX, other).tolist() == [overlaps]
    assert brickphys.distance(BOX, other)[0] == pytest.approx(max(gap, 0), abs=1e-15)
    assert brickphys.penetration(BOX, other).depth_studs[0] == pytest.approx(
        max(-gap, 0), abs=1e-15
    )


def test_heights_part_what_overlaps_in_plan():
    low, high = (brickphys.outlines(BOX, bottom_plates=b, top_plates=b + 3) for b in (0, 3))
    assert brickphys.overlaps(low, high).tolist() == [False]
    assert brickphys.overlaps(low, low).tolist() == [True]
    assert brickphys.penetration(low, high).depth_studs.tolist() == [2.0]


def test_one_is_paired_with_all_and_other_numbers_are_refused():
    assert brickphys.distance(BOX, [BOX] * 3).tolist() == [0, 0, 0]
    assert brickphys.distance(np.empty((0, 4, 2)), BOX).tolist() == []
    with pytest.raises(InvalidValueError, match="2 outlines and 3 outlines are not pairs"):
        brickphys.overlaps([BOX] * 2, [BOX] * 3)
