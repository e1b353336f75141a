"""Camera: where it stands so that things fill a picture, and pictures as bytes."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from brickphys.units import Array

Image = npt.NDArray[np.uint8]

_MARGIN = 0.92
"""Share of the picture that the points fill."""


@dataclass(frozen=True)
class CameraView:
    """Direction, field of view and resolution of a camera."""

    azimuth_deg: float = -35.0
    """Direction from the thing to the camera, counter-clockwise from the thing's front."""
    elevation_deg: float = 28.0
    field_deg: float = 20.0
    """Vertical field of view; a small one gives little perspective."""
    width: int = 480
    height: int = 360
    samples: int = 3
    """Rendered pixels along each edge of a pixel, for antialiasing."""

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


def smooth(image: Array, samples: int) -> Image:
    """Return the means of squares of `samples` by `samples` rendered pixels, as bytes."""
    height, width, _ = image.shape
    blocks = image.reshape(height // samples, samples, width // samples, samples, 3)
    return np.asarray((255.0 * blocks.mean(axis=(1, 3))).round(), dtype=np.uint8)
