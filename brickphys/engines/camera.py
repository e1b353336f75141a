"""Camera: pictures of assemblies by PyBullet's software renderer, without a window or a graphics card."""

from types import ModuleType

import numpy as np

from brickphys.arrays import Array
from brickphys.engines.client import connection
from brickphys.engines.view import CameraView, Image, RenderSettings, darken_shadows, render, smooth
from brickphys.shapes.assembly import Assembly
from brickphys.shapes.assembly_model import colour_meshes
from brickphys.shapes.export import model_path
from brickphys.shapes.wavefront import MM_PER_M

_RADIUS = 3.0
"""Radius of every thing in the renderer's units. With a larger one surfaces shade themselves (see `view.NEAR`), with a
smaller one shadows are detached from things."""
_LIGHT = {
    "lightDirection": [0.6, -0.75, 1.5],
    "lightColor": [1.0, 1.0, 1.0],
    "lightAmbientCoeff": 0.5,
    "lightDiffuseCoeff": 0.5,
    "lightSpecularCoeff": 0.0,
    "shadow": 1,
}


def render_assembly(thing: Assembly, view: CameraView | None = None) -> Image:
    """Return a picture of an assembly, filled to the margins, with its shadow on white ground.

    Parameters
    ----------
    thing
        The assembly; its models must be on disk (see `export.models_folder`).
    view
        Camera; None for the default one.

    Returns
    -------
    ndarray, shape (height, width, 3)
        Red, green and blue, 0 to 255.
    """
    view = view or CameraView()
    points = _corners_mm(thing)
    scale = _RADIUS / float(np.linalg.norm(points, axis=1).max())
    with connection() as (module, client):
        for body in thing.bodies:
            module.loadURDF(
                str(model_path(body.name)),
                useFixedBase=True,
                globalScaling=scale * MM_PER_M,
                physicsClientId=client,
            )
        ground = _add_ground(module, client)
        return _render(module, client, points * scale, ground, view)


def _corners_mm(thing: Assembly) -> Array:
    """Return all corners of the meshes and the points on the ground below them, shape (n, 3)."""
    meshes = [mesh for body in thing.bodies for mesh in colour_meshes(body).values()]
    points = np.vstack([mesh.vertices_mm for mesh in meshes])
    return np.vstack([points, points * [1.0, 1.0, 0.0]])


def _add_ground(module: ModuleType, client: int) -> int:
    """Add a white square below the thing, for the shadow."""
    half = 1.5 * _RADIUS
    corners = [[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0]]
    shape = module.createVisualShape(
        module.GEOM_MESH,
        vertices=corners,
        indices=[0, 1, 2, 0, 2, 3],
        normals=[[0, 0, 1]] * 4,
        rgbaColor=[1, 1, 1, 1],
        physicsClientId=client,
    )
    ground: int = module.createMultiBody(0, -1, shape, physicsClientId=client)
    return ground


def _render(module: ModuleType, client: int, points: Array, ground: int, view: CameraView) -> Image:
    eye, _ = view.aim(points)
    far = float(np.linalg.norm(eye)) + 10.0 * _RADIUS
    light_distance = 2.0 * _RADIUS / np.sin(np.radians(view.field_deg / 2))
    image, mask = render(module, client, points, view, RenderSettings(far, light_distance, _LIGHT))
    floor = mask == ground
    lit = image[floor].max(initial=1e-9)
    darken_shadows(image, floor, lit)
    image[floor] /= lit  # lit ground becomes white
    image[mask < 0] = 1.0
    return smooth(image, view.samples)
