"""View: position of the camera, and pictures by PyBullet's software renderer."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from brickphys.arrays import Array, Indices

Image = npt.NDArray[np.uint8]

NEAR = 0.01
"""Near plane in the renderer's units. The renderer compares depths for shadows with a tolerance of 0.05 minus this."""
_SHADOW = 3.0
"""Exponent of the shadows' brightness; the renderer's own shadows keep 90 % of the light."""
_MARGIN = 0.92
"""Share of the picture that the points fill."""


@dataclass(frozen=True)
class CameraView:
    """Direction, field of view and resolution of a camera.

    Attributes
    ----------
    azimuth_deg
        Direction from the thing to the camera, counter-clockwise from the thing's front.
    elevation_deg
        Elevation of the camera above the horizon.
    field_deg
        Vertical field of view; a small one gives little perspective.
    width, height
        Size of the picture in pixels.
    samples
        Rendered pixels along each edge of a pixel, for antialiasing.
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
        """Return positions of camera and target, shape (3,) each, so that all points just fit into the picture."""
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
        # a camera at (a, b, d) sees the points with |x - a| <= slope (d - depth), and the same for y and b
        reach = [
            ((place + s * depth).max(), (place - s * depth).min())
            for place, s in zip((x, y), slope, strict=True)
        ]
        middle = [(high + low) / 2 for high, low in reach]
        distance = max((high - low) / (2 * s) for (high, low), s in zip(reach, slope, strict=True))
        eye = np.array([*middle, distance]) @ axes
        return eye, eye - back * distance


@dataclass(frozen=True)
class RenderSettings:
    """Far plane and light of a picture.

    Attributes
    ----------
    far
        Far plane in the renderer's units.
    light_distance
        Distance of the light from the origin in the renderer's units.
    light
        Other arguments of PyBullet for the light.
    """

    far: float
    light_distance: float
    light: Mapping[str, Any]


def render(
    module: ModuleType, client: int, points: Array, view: CameraView, settings: RenderSettings
) -> tuple[Array, Indices]:
    """Return colours from 0 to 1, shape (rows, columns, 3), and the body's number in each pixel (-1 for none)."""
    eye, target = view.aim(points)
    width, height = view.width * view.samples, view.height * view.samples
    _, _, colours, _, mask = module.getCameraImage(
        width,
        height,
        viewMatrix=module.computeViewMatrix(eye.tolist(), target.tolist(), [0, 0, 1]),
        projectionMatrix=module.computeProjectionMatrixFOV(
            view.field_deg, view.width / view.height, NEAR, settings.far
        ),
        lightDistance=settings.light_distance,
        renderer=module.ER_TINY_RENDERER,
        physicsClientId=client,
        **settings.light,
    )
    image = np.reshape(colours, (height, width, -1))[..., :3] / 255.0
    return image, np.reshape(mask, (height, width))


def darken_shadows(image: Array, ground: Indices, lit: Array) -> None:
    """Darken the shadow on the pixels `ground`, where `lit` is their colour in the light."""
    image[ground] = lit * (image[ground] / lit) ** _SHADOW


def smooth(image: Array, samples: int) -> Image:
    """Return the means of squares of `samples` by `samples` rendered pixels, as bytes."""
    height, width, _ = image.shape
    blocks = image.reshape(height // samples, samples, width // samples, samples, 3)
    return np.asarray((255.0 * blocks.mean(axis=(1, 3))).round(), dtype=np.uint8)
