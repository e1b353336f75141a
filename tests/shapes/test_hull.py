import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.shapes.hull import convex_hull

CUBE = np.array([(x, y, z) for x in (-1.0, 1) for y in (-1, 1) for z in (-1, 1)])


@given(st.integers(0, 2**32 - 1), st.integers(0, 40))
def test_points_inside_faces_and_edges_are_no_corners(seed, extra):
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(np.ones(4), extra)
    face = CUBE[CUBE[:, 0] == 1]
    points = np.vstack([CUBE, weights @ face, (CUBE[:1] + CUBE[1:2]) / 2, [[0, 0, 0]]])
    rotation = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    hull = convex_hull(rng.permutation(points) @ rotation.T)
    assert (len(hull.corners_mm), len(hull.edges), len(hull.rings)) == (8, 12, 6)
    assert np.allclose(hull.offsets_mm, 1.0)


@given(st.integers(0, 2**32 - 1), st.integers(4, 30))
def test_rings_run_counter_clockwise_around_their_normals(seed, count):
    hull = convex_hull(np.random.default_rng(seed).normal(size=(count, 3)))
    for ring, normal, offset in zip(hull.rings, hull.normals, hull.offsets_mm, strict=True):
        corners = hull.corners_mm[ring]
        assert np.allclose(corners @ normal, offset)
        area = np.cross(corners, np.roll(corners, -1, axis=0)).sum(axis=0) / 2
        assert area @ normal > 0
    for a, b, f, g in hull.edges:
        ring = list(hull.rings[f])
        assert ring[(ring.index(a) + 1) % len(ring)] == b
        ring = list(hull.rings[g])
        assert ring[(ring.index(b) + 1) % len(ring)] == a


@pytest.mark.parametrize(
    "points",
    [
        np.zeros((0, 3)),
        CUBE[:3],
        CUBE[CUBE[:, 0] == 1],
        np.zeros((8, 3)),
        CUBE * [1, 1, np.nan],
        CUBE[:, :2],
    ],
    ids=["none", "three", "flat", "one point", "nan", "plane"],
)
def test_what_is_no_body_is_refused(points):
    with pytest.raises(InvalidValueError):
        convex_hull(points)
