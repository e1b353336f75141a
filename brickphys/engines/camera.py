"""Camera: pictures of assemblies by PyBullet's own software renderer, without a window or a graphics card."""

from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from brickphys.engines.client import connection
from brickphys.shapes.assembly import Assembly
from brickphys.shapes.assembly_model import colour_meshes
from brickphys.shapes.export import model_path
from brickphys.shapes.wavefront import MM_PER_M

Array = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

_RADIUS, _NEAR = 3.0, 0.01
"""Of every thing in the renderer's units, and the near plane. The renderer compares depths for shadows with a slack of
0.05 minus the near plane: if less of the radius, surfaces shade themselves; if more, shadows come loose."""
_LIGHT = {
    "lightDirection": [0.6, -0.75, 1.5],
    "lightColor": [1.0, 1.0, 1.0],
    "lightAmbientCoeff": 0.5,
    "lightDiffuseCoeff": 0.5,
    "lightSpecularCoeff": 0.0,
    "shadow": 1,
}
_SHADOW = 3.0
"""The renderer's shadows keep nine tenths of the light; this power of it is drawn."""


@dataclass(frozen=True)
class View:
    """From where a picture is taken, and how finely.

    Attributes
    ----------
    azimuth_deg
        Direction from the thing to the camera, counter-clockwise from straight ahead of it.
    elevation_deg
        Height of the camera over the horizon.
    field_deg
        Vertical field of view: the smaller, the more parallel are parallels.
    width, height
        Pixels of the picture.
    samples
        Rendered pixels along each edge of a pixel; their mean smooths the edges.
    """

    azimuth_deg: float = -35.0
    elevation_deg: float = 28.0
    field_deg: float = 20.0
    width: int = 480
    height: int = 360
    samples: int = 3

    @property
    def towards(self) -> Array:
        """Unit vector from the thing to the camera, shape (3,)."""
        azimuth, elevation = np.radians([self.azimuth_deg, self.elevation_deg])
        level = np.cos(elevation)
        return np.array([level * np.cos(azimuth), level * np.sin(azimuth), np.sin(elevation)])


def photograph(thing: Assembly, view: View | None = None) -> Image:
    """Return a picture of an assembly, filled to the margins, with its shadow on white ground.

    Parameters
    ----------
    thing
        What to show; its models must be on disk (see `export.models_folder`).
    view
        From where; the usual one if None.

    Returns
    -------
    ndarray, shape (height, width, 3)
        Red, green and blue, 0 to 255.
    """
    view = view or View()
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
        return _shoot(module, client, points * scale, ground, view)


def _corners_mm(thing: Assembly) -> Array:
    """Return all corners of the meshes, and the points on the ground below them."""
    meshes = [mesh for body in thing.bodies for mesh in colour_meshes(body).values()]
    points = np.vstack([mesh.vertices_mm for mesh in meshes])
    return np.vstack([points, points * [1.0, 1.0, 0.0]])


def _add_ground(module: ModuleType, client: int) -> int:
    """Add a white square that catches the shadow."""
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


def _shoot(
    module: ModuleType,
    client: int,
    points: Array,
    ground: int,
    view: View,
) -> Image:
    eye, target = _aim(points, view)
    width, height = view.width * view.samples, view.height * view.samples
    far = float(np.linalg.norm(eye)) + 10.0 * _RADIUS
    _, _, colours, _, mask = module.getCameraImage(
        width,
        height,
        viewMatrix=module.computeViewMatrix(eye.tolist(), target.tolist(), [0, 0, 1]),
        projectionMatrix=module.computeProjectionMatrixFOV(
            view.field_deg, view.width / view.height, _NEAR, far
        ),
        lightDistance=2.0 * _RADIUS / np.sin(np.radians(view.field_deg / 2)),
        renderer=module.ER_TINY_RENDERER,
        physicsClientId=client,
        **_LIGHT,
    )
    image = np.reshape(colours, (height, width, -1))[..., :3] / 255.0
    return _smooth(_white_ground(image, np.reshape(mask, (height, width)), ground), view.samples)


def _aim(points: Array, view: View) -> tuple[Array, Array]:
    """Return where the camera stands and what it looks at, so that all points just fit into the picture."""
    back = view.towards
    right = np.cross([0.0, 0.0, 1.0], back)
    right /= np.linalg.norm(right)
    axes = np.array([right, np.cross(back, right), back])
    x, y, depth = axes @ points.T
    slope = (
        0.92 * np.tan(np.radians(view.field_deg / 2)) * np.array([view.width / view.height, 1.0])
    )
    # a camera at (a, b, d) sees a point where |x - a| <= slope (d - depth): a pair of lines on either side
    reach = [
        ((place + s * depth).max(), (place - s * depth).min())
        for place, s in zip((x, y), slope, strict=True)
    ]
    middle = [(high + low) / 2 for high, low in reach]
    distance = max((high - low) / (2 * s) for (high, low), s in zip(reach, slope, strict=True))
    eye = np.array([*middle, distance]) @ axes
    return eye, eye - back * distance


def _white_ground(image: Array, mask: npt.NDArray[Any], ground: int) -> Array:
    """Make ground and background white, and the shadow on the ground darker."""
    floor = mask == ground
    lit = image[floor].max(initial=1e-9)
    image[floor] = (image[floor] / lit) ** _SHADOW
    image[mask < 0] = 1.0
    return image


def _smooth(image: Array, samples: int) -> Image:
    height, width, _ = image.shape
    blocks = image.reshape(height // samples, samples, width // samples, samples, 3)
    return np.asarray((255.0 * blocks.mean(axis=(1, 3))).round(), dtype=np.uint8)
