"""Bricks, their edge radius, and the catalogue of shapes."""

from contextlib import suppress
from dataclasses import replace
from math import pi, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.shapes.brick import (
    BRICK_DIMENSIONS,
    WEIGHED_G,
    BrickDimensions,
    brick,
    plate,
    regular_polygon,
    solids,
)
from brickphys.shapes.catalogue import SHAPE_EXAMPLES, parse_shape
from brickphys.shapes.export import BRICKS_AND_PLATES
from brickphys.shapes.hull import convex_hull
from brickphys.shapes.solids import box, compose, cylinder, rim_cut, rounded_box
from brickphys.units import BRICK_MM

BRICKS = tuple(name for name in WEIGHED_G if not name.startswith("plate"))


def mass_g(name, dimensions):
    nx, ny = map(int, name.split("x"))
    return compose(solids(nx, ny, BRICK_MM, dimensions), dimensions.density_g_cm3).mass_g


@pytest.mark.parametrize("name", WEIGHED_G)
def test_mass_is_within_8_percent_of_the_scale(name):
    assert parse_shape(name).mass_g == pytest.approx(WEIGHED_G[name], rel=0.08)


@pytest.mark.parametrize("weighed_g", [1.15, 1.21])
def test_both_weighed_masses_of_the_2x2_are_within_8_percent(weighed_g):
    assert brick(2, 2).mass_g == pytest.approx(weighed_g, rel=0.08)


def test_default_wall_and_top_are_the_best_of_the_measured_range():
    def worst(wall_mm, top_mm):
        dimensions = replace(BRICK_DIMENSIONS, wall_mm=wall_mm, top_mm=top_mm)
        return max(abs(mass_g(name, dimensions) / WEIGHED_G[name] - 1) for name in BRICKS)

    walls, tops = np.arange(1.2, 1.51, 0.05), np.arange(1.0, 1.51, 0.05)
    errors = {(round(w, 2), round(t, 2)): worst(w, t) for w in walls for t in tops}
    best = min(errors, key=errors.get)
    assert best == (BRICK_DIMENSIONS.wall_mm, BRICK_DIMENSIONS.top_mm)
    assert errors[best] < 0.0375


def test_centre_of_mass_of_the_2x2_is_above_the_middle():
    assert 5.8 < brick(2, 2).centre_of_mass_mm < 6.2


@pytest.mark.parametrize("name", BRICKS_AND_PLATES)
def test_body_frame_has_its_origin_in_the_centre_of_mass(name):
    body = parse_shape(name)
    radius = body.edge_radius_mm
    assert radius - body.vertices_mm[:, 2].min() == pytest.approx(body.centre_of_mass_mm)
    assert np.allclose(body.vertices_mm[:, :2].min(axis=0), -body.vertices_mm[:, :2].max(axis=0))
    assert np.linalg.norm(body.vertices_mm, axis=1).max() + radius == body.radius_mm


def test_inertia_tensor_of_every_piece_is_diagonal():
    for nx, ny in ((1, 1), (1, 8), (2, 2), (2, 5)):
        tensor = compose(solids(nx, ny, BRICK_MM, BRICK_DIMENSIONS), 1.05).inertia_g_mm2
        off = tensor - np.diag(np.diag(tensor))
        assert np.abs(off).max() < 1e-12 * np.trace(tensor)


@pytest.mark.parametrize("name", BRICKS_AND_PLATES)
def test_vertices_are_true_corners_of_their_hull(name):
    body = parse_shape(name)
    assert len(convex_hull(body.vertices_mm).corners_mm) == len(body.vertices_mm)


def test_2x4_has_two_studs_along_x_whichever_way_it_is_asked_for():
    assert brick(4, 2).name == brick(2, 4).name == "2x4"
    sharp = {"edge_radius_mm": 0.0}
    assert np.ptp(brick(4, 2, **sharp).vertices_mm, axis=0) == pytest.approx([15.8, 31.8, 11.3])
    assert np.ptp(plate(2, 4, **sharp).vertices_mm, axis=0) == pytest.approx([15.8, 31.8, 4.9])


@pytest.mark.parametrize(("nx", "ny"), [(3, 3), (0, 1), (1, 9), (-1, 2)])
def test_pieces_outside_the_family_are_refused(nx, ny):
    with pytest.raises(InvalidValueError, match="did you mean"):
        brick(nx, ny)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"wall_mm": 3.9}, "wall_mm 3.9"),
        ({"wall_mm": 0.0}, "positive"),
        ({"top_mm": float("nan")}, "top_mm nan"),
        ({"density_g_cm3": float("inf")}, "density_g_cm3 inf"),
        ({"stud_diameter_mm": 8.0}, "wider than the piece"),
        ({"hole_diameter_mm": 4.8}, "not below the stud's"),
        ({"hole_depth_mm": 2.8}, "breaks through"),
        ({"hole_depth_mm": -1.0}, "number from 0"),
        ({"tube_inner_mm": 6.4}, "not below tube_outer_mm"),
        ({"tube_outer_mm": 9.0}, "cuts the next tube"),
        ({"post_diameter_mm": 5.5}, "cuts the walls"),
        ({"clearance_mm": 2.0}, "leaves no room for a stud"),
    ],
)
def test_impossible_dimensions_are_refused_with_a_reason(change, word):
    with pytest.raises(InvalidValueError, match=word):
        BrickDimensions(**change)


def test_all_faults_of_dimensions_are_reported_at_once():
    with pytest.raises(InvalidValueError, match=r"wall_mm -1 .*top_mm 0 "):
        BrickDimensions(wall_mm=-1.0, top_mm=0.0)


def test_top_must_be_thinner_than_the_piece():
    thick = BrickDimensions(top_mm=3.2)
    assert brick(2, 2, thick).mass_g > brick(2, 2).mass_g
    with pytest.raises(InvalidValueError, match="height of the piece"):
        plate(2, 2, thick)


@given(wall=st.floats(1.2, 1.5), top=st.floats(1.0, 1.5), density=st.floats(1.03, 1.07))
def test_more_material_is_heavier_and_density_only_scales(wall, top, density):
    body = brick(2, 2, BrickDimensions(wall_mm=wall, top_mm=top, density_g_cm3=density))
    thicker = brick(2, 2, BrickDimensions(wall_mm=wall + 0.1, top_mm=top, density_g_cm3=density))
    assert thicker.mass_g > body.mass_g
    assert body.mass_g == pytest.approx(body.volume_mm3 * density / 1000)


@pytest.mark.parametrize("segments", [4, 16, 32, 64])
def test_regular_polygon_is_symmetric_to_the_last_bit(segments):
    polygon = regular_polygon(2.4, segments)
    turn = 2 * np.pi * np.arange(segments) / segments
    assert np.allclose(polygon, 2.4 * np.column_stack([np.cos(turn), np.sin(turn)]))
    rows = {tuple(row) for row in polygon + 0.0}
    assert rows == {tuple(row) for row in polygon * [-1, 1] + 0.0}
    assert rows == {tuple(row) for row in polygon[:, ::-1] + 0.0}


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


@pytest.mark.parametrize("name", ["cuboid:10x14x20", "d6:16"])
def test_radius_zero_is_the_sharp_body_to_the_last_bit(name):
    sharp, zero = parse_shape(name), parse_shape(f"{name}:r0")
    assert zero.name == name
    assert np.array_equal(sharp.vertices_mm, zero.vertices_mm)
    assert sharp.inertia_g_mm2 == zero.inertia_g_mm2
    assert (sharp.mass_g, sharp.centre_of_mass_mm) == (zero.mass_g, zero.centre_of_mass_mm)


@pytest.mark.parametrize(
    ("name", "usual_mm"),
    [("2x2", 0.2), ("plate:1x3", 0.2), ("coin:20x7", 0.35), ("coin:20x1", 0.3)],
)
def test_bricks_plates_and_coins_have_rounded_edges_unless_a_radius_is_given(name, usual_mm):
    usual, same, sharp = (parse_shape(name + end) for end in ("", f":r{usual_mm}", ":r0"))
    assert usual.name == same.name == name
    assert np.array_equal(usual.vertices_mm, same.vertices_mm)
    assert (usual.edge_radius_mm, sharp.edge_radius_mm) == (usual_mm, 0.0)
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


def test_two_radii_are_refused():
    with pytest.raises(InvalidValueError, match=r"edge_radius_mm 0\.3 is a second one"):
        parse_shape("2x2:r0.2", edge_radius_mm=0.3)


sizes = st.floats(0.5, 500.0)


@pytest.mark.parametrize("name", SHAPE_EXAMPLES)
def test_names_round_trip(name):
    assert parse_shape(name).name == name


@given(sizes, sizes, sizes)
def test_any_size_round_trips(a, b, c):
    for text in (f"cuboid:{a!r}x{b!r}x{c!r}", f"d6:{a!r}", f"coin:{a!r}x{b!r}"):
        body = parse_shape(text)
        assert parse_shape(body.name).name == body.name
        assert parse_shape(body.name).mass_g == body.mass_g


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("4x2", "2x4"),
        (" 2X2 ", "2x2"),
        ("plate:8x1", "plate:1x8"),
        ("2\N{MULTIPLICATION SIGN}3", "2x3"),
        ("D6:16.0", "d6:16"),
        ("coin:1e1x2", "coin:10x2"),
    ],
)
def test_other_spellings_mean_the_same(text, name):
    assert parse_shape(text).name == name


def test_dimensions_apply_to_bricks_and_plates_only():
    heavy = BrickDimensions(density_g_cm3=2.1)
    for name in ("2x2", "plate:2x2"):
        assert parse_shape(name, heavy).mass_g == pytest.approx(2 * parse_shape(name).mass_g)
    assert parse_shape("d6:16", heavy).mass_g == parse_shape("d6:16").mass_g


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("9x9", "'2x8'"),
        ("3x3", "'2x3'"),
        ("0x2", "'1x2'"),
        ("plate:1x9", "'1x8'"),
        ("", "expected something like 2x2"),
        (":", "expected something like 2x2"),
        ("2x", "did you mean"),
        ("-1x2", "known: 2x2"),
        ("2x2x2", "did you mean '2x2'"),
        ("cubiod:1x2x3", "did you mean 'cuboid'"),
        ("tetra.OBJ", "a mesh needs a body file (.toml)"),
        ("tetra.stl:r1", "a mesh needs a body file (.toml)"),
        ("body.toml:r1", "of a body file is set by --edge-radius-mm or in it"),
        ("sphere:3", "unknown kind of shape 'sphere'"),
        ("d6", "sizes are missing, as in d6:A"),
        ("d6:", "'' is not a positive number"),
        ("d6:1x2", "2 sizes; a d6 needs one side, such as d6:16"),
        ("coin:24.26", "1 size; a coin needs a diameter and a thickness, such as coin:24x2"),
        ("cuboid:1x2", "2 sizes; a cuboid needs three sides, such as cuboid:10x10x20"),
        ("cuboid:nanx1x1", "'nan' is not a positive number"),
        ("cuboid:1x1xinf", "'inf' is not a positive number"),
        ("cuboid:-1x1x1", "'-1' is not a positive number"),
        ("cuboid:0x1x1", "outside 0.5 mm to 500 mm"),
        ("cuboid:1x1x501", "outside 0.5 mm to 500 mm"),
        ("d6:1e999", "outside 0.5 mm to 500 mm"),
        ("plate:2.5x2", "such as plate:2x2"),
        ("d6:1_0", "'1_0' is not a positive number"),
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
def test_bad_names_get_one_clear_line(text, words):
    with pytest.raises(InvalidValueError) as caught:
        parse_shape(text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=30))
def test_nothing_but_an_invalid_value_error_comes_out(text):
    with suppress(InvalidValueError):
        assert parse_shape(text).mass_g > 0
