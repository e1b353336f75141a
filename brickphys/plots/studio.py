"""Studio: pictures of solid things with shadows, by a camera and a distant light; what never moves is drawn once.

A depth buffer holds for each pixel how near the nearest surface is, in a measure that is linear over the picture (the
inverse of the depth for a camera, the height for light of one direction), and the number of its face.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

import numpy as np
from matplotlib.figure import Figure

from brickphys.geometry.rings import polygons_of
from brickphys.jit import entry
from brickphys.plots.camera import CameraView, Image, smooth
from brickphys.plots.charts import BLUE, heading
from brickphys.plots.colors import rgb
from brickphys.plots.solid import ColouredMesh, joined, of_mesh
from brickphys.shapes.ldraw import Model
from brickphys.units import STUD_MM, Array, Depths, Faces


@entry
def draw_faces(corners: Array, first: int, near: Depths, faces: Faces) -> None:
    """Draw the triangles that are turned to the viewer, clockwise in pixels, where they are nearest.

    Parameters
    ----------
    corners : ndarray, shape (n, 3, 3)
        Column, row and nearness of each corner.
    near, faces : ndarray, shape (height, width)
        The buffer, which is changed.
    """
    height, width = near.shape
    for t in range(len(corners)):
        ax, ay, az = corners[t, 0, 0], corners[t, 0, 1], corners[t, 0, 2]
        bx, by, bz = corners[t, 1, 0], corners[t, 1, 1], corners[t, 1, 2]
        cx, cy, cz = corners[t, 2, 0], corners[t, 2, 1], corners[t, 2, 2]
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if not area < 0.0:
            continue
        left = max(0, ceil(min(ax, bx, cx) - 0.5))
        right = min(width - 1, floor(max(ax, bx, cx) - 0.5))
        top = max(0, ceil(min(ay, by, cy) - 0.5))
        bottom = min(height - 1, floor(max(ay, by, cy) - 0.5))
        for row in range(top, bottom + 1):
            y = row + 0.5
            for column in range(left, right + 1):
                x = column + 0.5
                a = (bx - x) * (cy - y) - (by - y) * (cx - x)
                b = (cx - x) * (ay - y) - (cy - y) * (ax - x)
                c = area - a - b
                if a <= 0.0 and b <= 0.0 and c <= 0.0:
                    nearness = (a * az + b * bz + c * cz) / area
                    if nearness > near[row, column]:
                        near[row, column] = nearness
                        faces[row, column] = first + t


@entry
def shade(
    near: Depths,
    faces: Faces,
    colours: Array,
    to_light: Array,
    heights: Depths,
    bias: float,
    image: Image,
) -> None:
    """Write the colour of each pixel, in light or in shadow.

    Parameters
    ----------
    near, faces : ndarray, shape (height, width)
        What the camera sees; the number of a face is -1 where there is nothing.
    colours : ndarray, shape (n, 2, 3)
        Of each face: red, green and blue in light and in shadow, 0 to 255.
    to_light : ndarray, shape (4, 3)
        Column, row and height in the buffer of the light: of the camera, and of a point at depth 1 in the ray of the
        first pixel; then the change of the latter by a column and by a row.
    heights : ndarray, shape (m, m)
        How near to the light the nearest surface is.
    bias
        How much higher than a point a surface must be to keep the light off.
    image : ndarray, shape (height, width, 3)
        Is written where there is a face.
    """
    rows, columns = heights.shape
    for row in range(near.shape[0]):
        for column in range(near.shape[1]):
            face = faces[row, column]
            if face < 0:
                continue
            depth = 1.0 / near[row, column]
            u = to_light[0, 0] + depth * (
                to_light[1, 0] + column * to_light[2, 0] + row * to_light[3, 0]
            )
            v = to_light[0, 1] + depth * (
                to_light[1, 1] + column * to_light[2, 1] + row * to_light[3, 1]
            )
            w = to_light[0, 2] + depth * (
                to_light[1, 2] + column * to_light[2, 2] + row * to_light[3, 2]
            )
            i, j = floor(v - 0.5), floor(u - 0.5)
            dark = 0.0
            if 0 <= i < rows - 1 and 0 <= j < columns - 1:
                down, right = v - 0.5 - i, u - 0.5 - j
                w += bias
                dark += (1.0 - down) * (1.0 - right) * (heights[i, j] > w)
                dark += (1.0 - down) * right * (heights[i, j + 1] > w)
                dark += down * (1.0 - right) * (heights[i + 1, j] > w)
                dark += down * right * (heights[i + 1, j + 1] > w)
            for k in range(3):
                lit = colours[face, 0, k]
                image[row, column, k] = int(lit + dark * (colours[face, 1, k] - lit) + 0.5)


LIGHT = np.array([-0.8, -0.35, 1.3])
"""Towards the light, if nobody says."""
_AMBIENT, _DIFFUSE = 0.55, 0.45
_MAP = 1024
"""Pixels along a side of the buffer of the light."""
_ROOM_MM = 30.0
"""How far beyond the action shadows are drawn."""
_NEAR_MM = 1.0
"""What is nearer to the camera is not drawn."""
_BACKGROUND = (0.93, 0.91, 0.87)


@dataclass(eq=False)
class _Buffer:
    """What is nearest in each pixel, and the number of its face, -1 for none."""

    near: Depths
    faces: Faces

    @classmethod
    def empty(cls, height: int, width: int, far: float) -> "_Buffer":
        near = np.full((height, width), far, dtype=np.float32)
        return cls(near, np.full((height, width), -1, dtype=np.int32))

    def copy(self, *, with_faces: bool = True) -> "_Buffer":
        """Return a copy; without its faces these are shared, for who does not read them."""
        return _Buffer(self.near.copy(), self.faces.copy() if with_faces else self.faces)

    def draw(self, corners: Array, first: int) -> None:
        draw_faces(np.ascontiguousarray(corners), first, self.near, self.faces)


class _Camera:
    """Where points are in the picture of a view that just shows all of `points`, shape (n, 3) in mm."""

    def __init__(self, view: CameraView, points: Array) -> None:
        self.height, self.width = view.height * view.samples, view.width * view.samples
        self.eye, ahead = view.aim(points)[0], -view.towards
        right = np.cross(ahead, [0.0, 0.0, 1.0])
        right /= np.linalg.norm(right)
        self.axes = np.array([right, np.cross(right, ahead), ahead])
        self.slope = np.tan(np.radians(view.field_deg / 2)) / (self.height / 2)
        """Distance between two pixels at depth 1."""

    def corners(self, solid: ColouredMesh) -> Array:
        """Return columns, rows and inverse depths of triangles; those behind the camera are empty."""
        x, y, depth = np.moveaxis((solid.corners_mm - self.eye) @ self.axes.T, -1, 0)
        seen = depth > _NEAR_MM
        inverse = 1.0 / np.where(seen, depth, 1.0)
        column = self.width / 2 + x * inverse / self.slope
        row = self.height / 2 - y * inverse / self.slope
        corners: Array = np.stack([column, row, inverse], axis=-1)
        corners[~seen.all(axis=1)] = 0.0
        return corners

    @property
    def rays(self) -> Array:
        """The point at depth 1 in the ray of the first pixel, from the eye; its changes by a column, by a row."""
        right, up, ahead = self.axes
        across, down = self.slope * right, -self.slope * up
        first = ahead + (0.5 - self.width / 2) * across + (0.5 - self.height / 2) * down
        return np.array([first, across, down])


class _Light:
    """Where points are in the buffer of the light, which just shows all of `points`, shape (n, 3) in mm."""

    def __init__(self, points: Array, towards: Array) -> None:
        self.towards = towards / np.linalg.norm(towards)
        right = np.cross([0.0, 0.0, 1.0], self.towards)
        right /= np.linalg.norm(right)
        axes = np.array([right, np.cross(self.towards, right), self.towards])
        seen = points @ axes.T
        low, high = seen.min(axis=0) - _ROOM_MM, seen.max(axis=0) + _ROOM_MM
        self.pixel_mm = float((high - low)[:2].max()) / _MAP
        self._matrix = axes / np.array([[self.pixel_mm], [-self.pixel_mm], [1.0]])
        self._origin = np.array([-low[0] / self.pixel_mm, high[1] / self.pixel_mm, 0.0])

    def corners(self, solid: ColouredMesh) -> Array:
        """Return columns, rows and heights of triangles."""
        corners: Array = solid.corners_mm @ self._matrix.T + self._origin
        return corners

    def from_camera(self, camera: _Camera) -> Array:
        """Return what leads from pixels of a camera to those of the light; see `raster_kernel.shade`."""
        eye = camera.eye @ self._matrix.T + self._origin
        return np.vstack([eye, camera.rays @ self._matrix.T])

    def colours(self, solid: ColouredMesh) -> Array:
        """Return the colours of faces in light and in shadow, shape (n, 2, 3), 0 to 255."""
        first, second, third = np.moveaxis(solid.corners_mm, 1, 0)
        normals = np.cross(second - first, third - first)
        size = np.linalg.norm(normals, axis=1, keepdims=True)
        facing = np.maximum(normals / np.where(size > 0, size, 1.0) @ self.towards, 0.0)
        lights = np.stack([_AMBIENT + _DIFFUSE * facing, np.full_like(facing, _AMBIENT)], axis=1)
        colours: Array = 255.0 * lights[:, :, None] * solid.colours[:, None]
        return colours


class Studio:
    """Draws pictures of things that stand and things that move; those that stand are drawn once.

    Parameters
    ----------
    points : ndarray, shape (n, 3)
        Points in mm that the pictures must show, and where there are shadows.
    light : ndarray, shape (3,)
        Direction towards the light.
    """

    def __init__(
        self,
        view: CameraView,
        points: Array,
        standing: Sequence[ColouredMesh],
        moving: Sequence[ColouredMesh],
        light: Array = LIGHT,
    ) -> None:
        self._view, self._moving = view, moving
        self._light = _Light(points, light)
        self._still = joined(standing)
        self._count = len(self._still.corners_mm)
        self._lit = _Buffer.empty(_MAP, _MAP, -np.inf)
        self._lit.draw(self._light.corners(self._still), 0)
        self._colours = self._light.colours(self._still)
        self.look_at(points)

    def look_at(self, points: Array) -> None:
        """Move the camera so that the next pictures just show some points, shape (n, 3); its direction stays."""
        self._camera = _Camera(self._view, points)
        self._seen = _Buffer.empty(self._camera.height, self._camera.width, 0.0)
        self._seen.draw(self._camera.corners(self._still), 0)

    def picture(self, poses: Array) -> Image:
        """Return a picture, 0 to 255, with the moving things at poses, shape (n, 7), in mm, quaternions scalar last."""
        here = joined([solid.placed(pose) for solid, pose in zip(self._moving, poses, strict=True)])
        seen, lit = self._seen.copy(), self._lit.copy(with_faces=False)
        seen.draw(self._camera.corners(here), self._count)
        lit.draw(self._light.corners(here), self._count)
        image = np.empty((*seen.near.shape, 3), dtype=np.uint8)
        image[:] = np.round(255.0 * np.array(_BACKGROUND))
        shade(
            seen.near,
            seen.faces,
            np.concatenate([self._colours, self._light.colours(here)]),
            self._light.from_camera(self._camera),
            lit.near,
            2.0 * self._light.pixel_mm + 0.2,
            image,
        )
        samples = self._view.samples
        return image if samples == 1 else smooth(image / 255.0, samples)


def model_figure(model: Model) -> Figure:
    """Return a picture of a model of bricks, and its outline with the centre of mass."""
    figure = Figure(figsize=(10.0, 4.6), dpi=120, layout="constrained")
    seen, plan = figure.subplots(1, 2)
    solid = joined([of_mesh(part.mesh(), rgb(part.piece.colour)) for part in model.parts])
    studio = Studio(
        CameraView(width=1000, height=800), solid.corners_mm.reshape(-1, 3), [solid], []
    )
    seen.imshow(studio.picture(np.empty((0, 7))))
    seen.set_axis_off()
    for ring in (ring for rings in polygons_of(model.outline_studs) for ring in rings):
        plan.plot(*zip(*ring, strict=True), color=BLUE, lw=2.0)
    plan.plot(*model.mass.centre_mm[:2] / STUD_MM, "o", mfc="white", mec="black")
    plan.set(aspect="equal", xlabel="studs ahead", ylabel="studs to the left")
    plan.set_title("outline, centre of mass", fontsize=9)
    figure.suptitle(heading(model.line()), fontsize=11)
    return figure
