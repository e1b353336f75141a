from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
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
from brickphys.shapes.catalogue import parse_shape
from brickphys.shapes.export import BRICKS_AND_PLATES
from brickphys.shapes.hull import convex_hull
from brickphys.shapes.solids import compose
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
