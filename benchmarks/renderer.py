"""Renderer: pictures of assemblies by PyBullet's software renderer, without a window or a graphics card."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from benchmarks.models import MM_PER_M
from brickphys.engines.client import Client, connection
from brickphys.plots.camera import CameraView, Image, smooth
from brickphys.shapes.assembly import Assembly
from brickphys.shapes.export import colour_meshes, model_path
from brickphys.units import Array, Indices

NEAR = 0.01
"""Near plane in the renderer's units. The renderer compares depths for shadows with a tolerance of 0.05 minus this."""
_SHADOW = 3.0
"""Exponent of the shadows' brightness; the renderer's own shadows keep 90 % of the light."""


def render(
    client: Client,
    points: Array,
    view: CameraView,
    far: float,
    light_distance: float,
    light: Mapping[str, Any],
) -> tuple[Array, Indices]:
    """Return colours from 0 to 1, shape (rows, columns, 3), and the body's number in each pixel (-1 for none).

    The far plane and the distance of the light from the origin are in the renderer's units; `light` are other arguments
    of PyBullet for the light.
    """
    eye, target = view.aim(points)
    width, height = view.width * view.samples, view.height * view.samples
    _, _, colours, _, mask = client.getCameraImage(
        width,
        height,
        viewMatrix=client.computeViewMatrix(eye.tolist(), target.tolist(), [0, 0, 1]),
        projectionMatrix=client.computeProjectionMatrixFOV(
            view.field_deg, view.width / view.height, NEAR, far
        ),
        lightDistance=light_distance,
        renderer=client.ER_TINY_RENDERER,
        **light,
    )
    image = np.reshape(colours, (height, width, -1))[..., :3] / 255.0
    return image, np.reshape(mask, (height, width))


def darken_shadows(image: Array, ground: Indices, lit: Array) -> None:
    """Darken the shadow on the pixels `ground`, where `lit` is their colour in the light."""
    image[ground] = lit * (image[ground] / lit) ** _SHADOW


_RADIUS = 3.0
"""Radius of every thing in the renderer's units. With a larger one surfaces shade themselves (see `NEAR`), with a
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
    with connection() as client:
        for body in thing.bodies:
            client.loadURDF(
                str(model_path(body.name)), useFixedBase=True, globalScaling=scale * MM_PER_M
            )
        ground = _add_ground(client)
        return _render(client, points * scale, ground, view)


def _corners_mm(thing: Assembly) -> Array:
    """Return all corners of the meshes and the points on the ground below them, shape (n, 3)."""
    meshes = [mesh for body in thing.bodies for mesh in colour_meshes(body).values()]
    points = np.vstack([mesh.vertices_mm for mesh in meshes])
    return np.vstack([points, points * [1.0, 1.0, 0.0]])


def _add_ground(client: Client) -> int:
    half = 1.5 * _RADIUS
    corners = [[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0]]
    shape = client.createVisualShape(
        client.GEOM_MESH,
        vertices=corners,
        indices=[0, 1, 2, 0, 2, 3],
        normals=[[0, 0, 1]] * 4,
        rgbaColor=[1, 1, 1, 1],
    )
    ground: int = client.createMultiBody(0, -1, shape)
    return ground


def _render(client: Client, points: Array, ground: int, view: CameraView) -> Image:
    eye, _ = view.aim(points)
    far = float(np.linalg.norm(eye)) + 10.0 * _RADIUS
    light_distance = 2.0 * _RADIUS / np.sin(np.radians(view.field_deg / 2))
    image, mask = render(client, points, view, far, light_distance, _LIGHT)
    floor = mask == ground
    lit = image[floor].max(initial=1e-9)
    darken_shadows(image, floor, lit)
    image[floor] /= lit  # lit ground becomes white
    image[mask < 0] = 1.0
    return smooth(image, view.samples)
