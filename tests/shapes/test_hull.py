import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import ConvexHull

from brickphys.errors import InvalidValueError
from brickphys.shapes.catalogue import parse_shape
from brickphys.shapes.hull import convex_hull, inner_corners
from tests.cases import few

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


def solids_of_files(rng):
    """Point clouds, frustums and lattices, rounded as files round them, and turned or not."""
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    angle = np.arange(21) * 2 * np.pi / 21
    circle = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(21)])
    lattice = np.array(np.meshgrid(*[np.linspace(-1, 1, 4)] * 3)).reshape(3, -1).T
    for points in (
        rng.normal(size=(60, 3)),
        np.vstack([circle * 1.3 + [0, 0, 0.8], circle]),
        lattice * rng.uniform(0.5, 2, 3),
    ):
        for turned in (points, points @ turn):
            scaled = 10 * (turned - turned.mean(axis=0))
            yield from (scaled.astype(np.float32).astype(float), scaled.round(3), scaled.round(5))


@pytest.mark.parametrize("seed", few(range(3)))
@pytest.mark.parametrize("share", [0.0, 0.02, 0.5])
def test_an_inner_parallel_body_is_as_far_from_every_facet(seed, share):
    rounding = 2e-3  # of coordinates with three decimals, and of planes through them
    for points in solids_of_files(np.random.default_rng(seed)):
        outer = ConvexHull(points).equations
        distance = share * -outer[:, 3].max()
        inner = inner_corners(points, distance)
        depth = -(inner @ outer[:, :3].T + outer[:, 3])
        assert depth.min() > distance - rounding
        assert convex_hull(inner).offsets_mm.min() == pytest.approx(
            -outer[:, 3].max() - distance, abs=rounding
        )


def test_the_inner_parallel_body_of_a_box_is_a_box():
    inner = inner_corners(parse_shape("cuboid:10x12x14").vertices_mm, 2.0)
    box = parse_shape("cuboid:6x8x10").vertices_mm
    assert np.allclose(sorted(inner.tolist()), sorted(box.tolist()), atol=1e-12)


def test_a_body_of_exact_planes_leaves_out_what_only_rounding_lifts():
    cube = np.array([(x, y, z) for x in (-10, 10) for y in (-10, 10) for z in (-10, 10)])
    for lift, corners in ((0.0002, 8), (0.1, 9)):
        assert len(inner_corners(np.vstack([cube, [(0, 0, 10 + lift)]]))) == corners
