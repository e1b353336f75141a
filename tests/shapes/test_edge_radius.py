"""Bodies with rounded edges: extents, mass properties in closed form against sums over a grid, and refusals."""

from math import pi, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.shapes.brick import BRICK_DIMENSIONS
from brickphys.shapes.catalogue import parse_shape
from brickphys.shapes.solids import box, compose, cylinder, rim_cut, rounded_box

ROUNDED = (
    "2x2:r0.3",
    "1x4:r0.2",
    "plate:2x2:r0.4",
    "cuboid:10x14x20:r3",
    "coin:20x7:r1",
    "d6:16:r4",
)
edges = st.floats(5.0, 20.0)


def points_in(counts, size):
    """Return one random point in each of equal cells of the box from 0 to `size`, shape (n, 3)."""
    corners = np.stack(np.meshgrid(*map(np.arange, counts), indexing="ij"), axis=-1).reshape(-1, 3)
    inside = np.random.default_rng(1).uniform(size=corners.shape)
    return (corners + inside) * size / counts


def beyond(distances, radius):
    """Return which points lie outside the rounding, from their distances (k, n) beyond k faces, negative inside."""
    return np.linalg.norm(np.maximum(np.stack(distances) + radius, 0.0), axis=0) > radius


# --- solids ---


@given(edges, edges, edges, st.floats(0.3, 0.95))
@settings(max_examples=15)
def test_rounded_box_has_the_moments_of_a_grid(a, b, c, share):
    halves = np.array([a, b, c]) / 2
    radius = share * halves.min()
    points = points_in((50, 50, 50), halves)  # one octant; the others are its mirror images
    points = points[beyond((points - halves).T, radius)]
    cell = 8 * np.prod(halves) / 50**3
    x, y, z = cell * (points**2).sum(axis=0)
    sharp, found = (rounded_box((0, 0, 0), (a, b, c), r) for r in (0.0, radius))
    assert sharp.volume_mm3 - found.volume_mm3 == pytest.approx(cell * len(points), rel=0.05)
    removed = np.subtract(sharp.moments_mm5, found.moments_mm5)
    assert removed == pytest.approx((y + z, x + z, x + y), rel=0.05)


def test_a_box_that_is_all_rounded_is_a_ball():
    ball = compose([rounded_box((1, 2, 3), (6, 6, 6), 3.0)], 1000.0)
    assert ball.volume_mm3 == pytest.approx(4 / 3 * pi * 27)
    assert ball.inertia_g_mm2 == pytest.approx(0.4 * ball.mass_g * 9 * np.eye(3))


def test_a_cylinder_that_is_all_rounded_is_a_ball():
    cuts = [rim_cut((0, 0, 3 * up), 6.0, 3.0, up) for up in (1, -1)]
    ball = compose([cylinder((0, 0, 0), 6.0, 6.0), *cuts], 1000.0)
    assert ball.volume_mm3 == pytest.approx(4 / 3 * pi * 27)
    assert ball.inertia_g_mm2 == pytest.approx(0.4 * ball.mass_g * 9 * np.eye(3), abs=1e-8)
    half = compose([cylinder((0, 0, 1.5), 6.0, 3.0), rim_cut((0, 0, 3), 6.0, 3.0)], 1.0)
    assert half.centre_mm == pytest.approx([0, 0, 9 / 8])  # 3/8 of the radius


def test_a_box_without_rounding_is_the_sharp_one():
    assert rounded_box((1, 2, 3), (4, 5, 6), 0.0) == box((1, 2, 3), (4, 5, 6))


# --- bodies ---


@pytest.mark.parametrize("name", ["cuboid:10x14x20", "coin:20x7", "d6:16"])
def test_radius_zero_is_the_sharp_body_to_the_last_bit(name):
    sharp, zero = parse_shape(name), parse_shape(f"{name}:r0")
    assert zero.name == name
    assert np.array_equal(sharp.vertices_mm, zero.vertices_mm)
    assert sharp.inertia_g_mm2 == zero.inertia_g_mm2
    assert (sharp.mass_g, sharp.centre_of_mass_mm) == (zero.mass_g, zero.centre_of_mass_mm)


@pytest.mark.parametrize("name", ["2x2", "plate:1x3"])
def test_bricks_and_plates_have_rounded_edges_unless_a_radius_is_given(name):
    usual, same, sharp = (parse_shape(name + end) for end in ("", ":r0.2", ":r0"))
    assert usual.name == same.name == name
    assert np.array_equal(usual.vertices_mm, same.vertices_mm)
    assert (usual.edge_radius_mm, sharp.edge_radius_mm) == (0.2, 0.0)
    assert sharp.name == f"{name}:r0"


@pytest.mark.parametrize("name", ROUNDED)
def test_rounded_body_keeps_its_faces_and_lies_inside_the_sharp_one(name):
    body, sharp = parse_shape(name), parse_shape(f"{name.partition(':r')[0]}:r0")
    down = np.random.default_rng(1).normal(size=(500, 3))
    down /= np.linalg.norm(down, axis=1, keepdims=True)

    def extents(shape, directions):
        """Return the extents over the underside's middle, so that the centre of mass does not matter."""
        corners = shape.vertices_mm + np.array([0, 0, shape.centre_of_mass_mm])
        return (directions @ corners.T).max(axis=1) + shape.edge_radius_mm

    assert np.all(extents(body, down) <= extents(sharp, down) + 2e-4 * sharp.radius_mm)
    normals = np.array([face.normal for face in body.faces])
    assert extents(body, normals) == pytest.approx(extents(sharp, normals), rel=1e-4)
    assert body.radius_mm < sharp.radius_mm
    assert body.mass_g < sharp.mass_g


@pytest.mark.parametrize("name", ROUNDED)
def test_name_tells_the_radius_and_round_trips(name):
    body = parse_shape(name)
    assert parse_shape(body.name).name == body.name
    assert body.edge_radius_mm == float(name.rpartition(":r")[2])
    again = parse_shape(name.partition(":r")[0], edge_radius_mm=body.edge_radius_mm)
    assert again.name == body.name
    assert np.array_equal(again.vertices_mm, body.vertices_mm)


def test_corners_of_a_rounded_die_are_closer_by_the_closed_form():
    sharp, body = parse_shape("d6:16"), parse_shape("d6:16:r3")
    assert sharp.radius_mm - body.radius_mm == pytest.approx(3 * (sqrt(3) - 1))


def test_rounding_a_brick_removes_what_a_grid_finds():
    """A quarter of a 2x2, a point in each tenth of a millimetre; only outer edges and rims of studs are rounded."""
    d, radius = BRICK_DIMENSIONS, 0.8
    top = 9.6 + d.stud_height_mm
    x, y, z = points_in((79, 79, 113), (7.9, 7.9, top)).T
    off_axis = np.hypot(x - 4, y - 4) - d.stud_diameter_mm / 2
    in_stud = (z > 9.6) & (off_axis < 0)
    off_box = beyond([x - 7.9, y - 7.9, np.abs(z - 4.8) - 4.8], radius)
    removed = np.where(z < 9.6, off_box, in_stud & beyond([off_axis, z - top], radius))
    weight = 4 * 1e-3 * d.density_g_cm3 / 1000.0
    sharp, body = parse_shape("2x2:r0"), parse_shape("2x2", edge_radius_mm=radius)
    lost = weight * removed.sum()
    assert sharp.mass_g - body.mass_g == pytest.approx(lost, rel=0.01)
    moment = sharp.mass_g * sharp.centre_of_mass_mm - body.mass_g * body.centre_of_mass_mm
    assert moment == pytest.approx(weight * z[removed].sum(), rel=0.01)
    upright = sharp.inertia_g_mm2[2] - body.inertia_g_mm2[2]
    assert upright == pytest.approx(weight * (x**2 + y**2)[removed].sum(), rel=0.01)
    across = [
        shape.inertia_g_mm2[0] + shape.mass_g * shape.centre_of_mass_mm**2
        for shape in (sharp, body)
    ]
    assert across[0] - across[1] == pytest.approx(weight * (y**2 + z**2)[removed].sum(), rel=0.01)


def test_rounding_by_two_tenths_changes_the_weight_of_a_brick_by_less_than_scales_differ():
    assert parse_shape("2x2:r0.2").mass_g == pytest.approx(parse_shape("2x2").mass_g, rel=2e-3)


# --- refusals ---


@pytest.mark.parametrize(
    ("name", "limit", "words"),
    [
        ("2x2", 1.4, "the thickness of the walls"),
        ("plate:2x4", 1.4, "the thickness of the walls"),
        ("plate:1x1", 1.6, "half the height"),
        ("cuboid:10x14x20", 5.0, "half the least edge"),
        ("d6:16", 8.0, "half the least edge"),
        ("coin:20x7", 3.5, "half the thickness or the diameter"),
        ("coin:4x20", 2.0, "half the thickness or the diameter"),
    ],
)
def test_radius_without_a_body_is_refused(name, limit, words):
    assert parse_shape(name, edge_radius_mm=0.99 * limit).edge_radius_mm == 0.99 * limit
    for bad in (limit, 100.0, -0.1, float("nan"), float("inf")):
        with pytest.raises(InvalidValueError, match="is not from 0 to below") as caught:
            parse_shape(name, edge_radius_mm=bad)
        assert f"edge_radius_mm {bad:g} " in str(caught.value)
        assert words in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2x2:r", "'' is not an edge radius in millimetres"),
        ("2x2:r-1", "'-1' is not an edge radius"),
        ("d6:16:rnan", "'nan' is not an edge radius"),
        ("d6:16:r1:r2", "'1:r2' is not an edge radius"),
        ("2x2:r1e-300", "edge_radius_mm 1e-300 is below 1e-09; 0 is for sharp edges"),
        ("2x2:r5", "edge_radius_mm 5 is not from 0 to below 1.4"),
        ("coin:r1", "sizes are missing"),
        (":r1", "expected something like 2x2"),
    ],
)
def test_bad_radius_in_a_name_gets_one_clear_line(text, words):
    with pytest.raises(InvalidValueError) as caught:
        parse_shape(text)
    assert words in str(caught.value)


def test_two_radii_are_refused():
    with pytest.raises(InvalidValueError, match=r"edge_radius_mm 0\.3 is a second one"):
        parse_shape("2x2:r0.2", edge_radius_mm=0.3)
