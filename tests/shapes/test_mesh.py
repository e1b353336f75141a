import numpy as np
import pytest
import trimesh

from brickphys.shapes.brick import BRICK_DIMENSIONS, PLATE_1X1_DIMENSIONS
from brickphys.shapes.catalogue import parse_shape
from brickphys.shapes.export import BRICKS_AND_PLATES
from brickphys.shapes.mesh import brick_mesh
from brickphys.units import BRICK_MM, PLATE_MM


def surface(name, segments=16):
    kind, _, size = name.rpartition(":")
    nx, ny = map(int, size.split("x"))
    dimensions = PLATE_1X1_DIMENSIONS if name == "plate:1x1" else BRICK_DIMENSIONS
    mesh = brick_mesh(nx, ny, PLATE_MM if kind else BRICK_MM, dimensions, segments)
    return trimesh.Trimesh(mesh.vertices_mm, mesh.triangles, process=False)


@pytest.mark.parametrize("name", BRICKS_AND_PLATES)
def test_mesh_is_closed_and_weighs_what_the_closed_form_says(name):
    mesh, body = surface(name), parse_shape(name, edge_radius_mm=0.0)
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert mesh.body_count == 1
    assert mesh.volume == pytest.approx(body.volume_mm3, rel=1e-12)
    assert mesh.center_mass == pytest.approx([0, 0, body.centre_of_mass_mm], abs=1e-10)
    inertia = mesh.moment_inertia * body.mass_g / mesh.volume
    assert np.diag(inertia) == pytest.approx(body.inertia_g_mm2, rel=1e-5)
    assert np.abs(inertia - np.diag(np.diag(inertia))).max() < 1e-10 * inertia.max()


def test_inertia_of_the_mesh_converges_with_the_fourth_power_of_the_segments():
    exact = parse_shape("2x3:r0").inertia_g_mm2
    errors = []
    for segments in (8, 16, 32):
        mesh = surface("2x3", segments)
        inertia = np.diag(mesh.moment_inertia) * 1.05e-3
        errors.append(np.abs(inertia / exact - 1).max())
    assert errors[0] / errors[1] == pytest.approx(16, rel=0.2)
    assert errors[1] / errors[2] == pytest.approx(16, rel=0.2)


def test_hull_of_the_mesh_is_the_body_that_touches_the_world():
    body = parse_shape("2x4:r0")
    extents = surface("2x4").extents
    assert extents == pytest.approx(np.ptp(body.vertices_mm, axis=0))
