"""Passages: brute force along the way with another library's geometry, and a closed form."""

from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brickphys.geometry.obstacles import Obstacles
from brickphys.geometry.polygon import unit_vector
from brickphys.geometry.sweep import Passage, first_free_studs, passages
from tests.cases import examples
from tests.geometry.test_sweep import box, headings, polygons, prism

shapely = pytest.importorskip("shapely")

LEAST_AREA = 1e-10
STEPS = 400


def overlaps(mover, direction, studs, obstacle):
    """Tell by shapely's area whether a mover overlaps an obstacle after so many studs."""
    moved = mover.footprint.moved(np.multiply(direction, studs))
    shapes = (shapely.Polygon(one.vertices_studs) for one in (moved, obstacle.footprint))
    return next(shapes).intersection(next(shapes)).area > LEAST_AREA


def bisected(inside, outside, mover, direction, obstacle):
    """Return where an overlap ends, between a distance with it and one without."""
    for _ in range(40):
        middle = (inside + outside) / 2
        if overlaps(mover, direction, middle, obstacle):
            inside = middle
        else:
            outside = middle
    return inside


def test_a_box_passes_another_for_as_long_as_both():
    mover, obstacles = box(0, 0), Obstacles.of([box(5, 1), box(1, 1), box(19, 0), box(9, 2)])
    assert passages(mover, (1.0, 0.0), 18.0, obstacles) == [
        Passage(1, -inf, 3.0),
        Passage(0, 3.0, 7.0),
        Passage(2, 17.0, inf),
    ]


@pytest.mark.parametrize(
    ("boxes", "free"),
    [
        ([], 0),
        ([1], 3),
        ([1, 3], 5),
        ([1, 3, 5, 7, 9], None),
        ([1, 3, 5, 7, 8], 10),
        ([1, 5], 3),
        ([1, 7], 3),
        ([2], 0),
    ],
)
def test_the_first_free_place_is_behind_all_that_overlap_each_other(boxes, free):
    obstacles = Obstacles.of([box(x, 0) for x in boxes])
    assert first_free_studs(box(0, 0), (1.0, 0.0), 10.0, obstacles) == free


@given(polygons(4.0), st.lists(polygons(6.0), min_size=1, max_size=4), headings, st.floats(0.1, 20))
@settings(max_examples=examples(0.6))
def test_passages_and_free_places_agree_with_bisection(shape, others, heading_deg, length):
    mover, direction = prism(shape), unit_vector(heading_deg)
    obstacles = [prism(other) for other in others]
    found = {one.number: one for one in passages(mover, direction, length, Obstacles.of(obstacles))}
    places = np.linspace(0.0, length, STEPS)
    is_free = np.ones(STEPS, dtype=bool)
    for index, obstacle in enumerate(obstacles):
        inside = np.array([overlaps(mover, direction, at, obstacle) for at in places])
        is_free &= ~inside
        if not inside.any():
            continue
        passage, first, last = found[index], inside.argmax(), STEPS - 1 - inside[::-1].argmax()
        assert inside[first : last + 1].all()
        for end, at, outside in (
            (passage.begins_studs, first, first - 1),
            (passage.ends_studs, last, last + 1),
        ):
            if 0 <= outside < STEPS:
                exact = bisected(places[at], places[outside], mover, direction, obstacle)
                assert end == pytest.approx(exact, abs=0.01)  # the least area is a corner's depth
            else:
                assert abs(end) == inf or min(end, length - end) == pytest.approx(0, abs=0.01)
    free = first_free_studs(mover, direction, length, Obstacles.of(obstacles))
    assert not is_free[places < (length if free is None else free) - 0.01].any()
    if free is not None:
        assert not any(overlaps(mover, direction, free, obstacle) for obstacle in obstacles)
