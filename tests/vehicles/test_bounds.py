"""The bounds of a field: what is on it, what is on its border by rounding, and what covers some of it."""

import pytest

from brickphys.geometry.polygon import TOLERANCE, convex_polygon, rectangle
from brickphys.vehicles.scene import Bounds

FIELD = Bounds(48.0, 32.0)
HAIR, MORE = 0.5e-9, 1e-6
"""Less and more than the tolerance."""


@pytest.mark.parametrize(
    ("off", "is_on"), [(-MORE, True), (0.0, True), (HAIR, True), (TOLERANCE, True), (MORE, False)]
)
def test_a_point_is_on_the_field_up_to_the_tolerance(off, is_on):
    beyond = [(48.0 + off, 9.0), (-off, 9.0), (9.0, 32.0 + off), (9.0, -off)]
    assert [FIELD.contains(point) for point in beyond] == [is_on] * 4


@pytest.mark.parametrize(
    ("point", "nearest"),
    [
        ((9.0, 9.0), (9.0, 9.0)),
        ((-HAIR, 9.0), (0.0, 9.0)),
        ((48.0 + HAIR, 9.0), (48.0, 9.0)),
        ((9.0, -HAIR), (9.0, 0.0)),
        ((9.0, 32.0 + HAIR), (9.0, 32.0)),
        ((9.0, 32.0 + MORE), (9.0, 32.0 + MORE)),
        ((-HAIR, 32.0 + MORE), (-HAIR, 32.0 + MORE)),
    ],
)
def test_a_rounding_beyond_the_border_is_on_it(point, nearest):
    assert FIELD.without_rounding(point) == nearest


@pytest.mark.parametrize(
    ("x", "y", "turn_deg", "length", "covers"),
    [
        (9.0, 9.0, 0.0, 2.0, True),
        (48.5, 9.0, 0.0, 2.0, True),
        (49.0, 9.0, 0.0, 2.0, False),
        (-1.0, 9.0, 0.0, 2.0, False),
        (-1.0 + MORE, 9.0, 0.0, 2.0, True),
        (9.0, 33.0 - MORE, 0.0, 2.0, True),
        (9.0, 33.0, 0.0, 2.0, False),
        (9.0, -1.0 + MORE, 0.0, 2.0, True),
        (24.0, 31.0, 0.0, 99.0, True),  # no corner of it is on the field
        (24.0, 34.0, 0.0, 99.0, False),
        (49.0, 33.0, -45.0, 9.0, False),  # past the corner of the field
        (47.5, 31.5, -45.0, 9.0, True),
    ],
)
def test_a_footprint_covers_some_of_the_field_or_only_touches_it(x, y, turn_deg, length, covers):
    assert FIELD.overlaps(rectangle(x, y, turn_deg, length, 2.0)) is covers


@pytest.mark.parametrize(("reach", "covers"), [(HAIR, False), (TOLERANCE, False), (MORE, True)])
def test_a_footprint_covers_some_of_the_field_by_more_than_the_tolerance(reach, covers):
    """A square at the left side, and one at the lower side."""
    left = convex_polygon([(reach - 2.0, 9.0), (reach, 9.0), (reach, 11.0), (reach - 2.0, 11.0)])
    below = convex_polygon([(y, x) for x, y in left.vertices_studs.tolist()])
    assert [FIELD.overlaps(footprint) for footprint in (left, below)] == [covers, covers]
