"""View: from where a picture is taken, and one shot of PyBullet's own software renderer from there."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from brickphys.arrays import Array, Indices

Image = npt.NDArray[np.uint8]

NEAR = 0.01
"""The near plane in the renderer's units. It compares depths for shadows with a slack of 0.05 minus this."""
_SHADOW = 3.0
"""The renderer's shadows keep nine tenths of the light; this power of it is drawn."""
_MARGIN = 0.92
"""Share of the picture that the points fill."""


@dataclass(frozen=True)
class CameraView:
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

    def aim(self, points: Array) -> tuple[Array, Array]:
        """Return where the camera stands and what it looks at, so that all points just fit into the picture."""
        back = self.towards
        right = np.cross([0.0, 0.0, 1.0], back)
        right /= np.linalg.norm(right)
        axes = np.array([right, np.cross(back, right), back])
        x, y, depth = axes @ points.T
        slope = (
            _MARGIN
            * np.tan(np.radians(self.field_deg / 2))
            * np.array([self.width / self.height, 1.0])
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


@dataclass(frozen=True)
class Shot:
    """Where the light is, and how far one sees.

    Attributes
    ----------
    far
        The far plane, in the renderer's units.
    light_distance
        From the origin, in the same units.
    light
        What else PyBullet wants to know of it.
    """

    far: float
    light_distance: float
    light: Mapping[str, Any]


def shoot(
    module: ModuleType, client: int, points: Array, view: CameraView, shot: Shot
) -> tuple[Array, Indices]:
    """Return colours from 0 to 1, shape (rows, columns, 3), and the number of the body in each pixel (-1: none)."""
    eye, target = view.aim(points)
    width, height = view.width * view.samples, view.height * view.samples
    _, _, colours, _, mask = module.getCameraImage(
        width,
        height,
        viewMatrix=module.computeViewMatrix(eye.tolist(), target.tolist(), [0, 0, 1]),
        projectionMatrix=module.computeProjectionMatrixFOV(
            view.field_deg, view.width / view.height, NEAR, shot.far
        ),
        lightDistance=shot.light_distance,
        renderer=module.ER_TINY_RENDERER,
        physicsClientId=client,
        **shot.light,
    )
    image = np.reshape(colours, (height, width, -1))[..., :3] / 255.0
    return image, np.reshape(mask, (height, width))


def deepen_shadows(image: Array, ground: Indices, lit: Array) -> None:
    """Make the shadow on some pixels darker, given the colours of those in the light."""
    image[ground] = lit * (image[ground] / lit) ** _SHADOW


def smooth(image: Array, samples: int) -> Image:
    """Return the means of squares of so many rendered pixels, as bytes."""
    height, width, _ = image.shape
    blocks = image.reshape(height // samples, samples, width // samples, samples, 3)
    return np.asarray((255.0 * blocks.mean(axis=(1, 3))).round(), dtype=np.uint8)
