"""The loops of a renderer, compiled: triangles into a depth buffer, and the light on its pixels.

A depth buffer holds for each pixel how near the nearest surface is, in a measure that is linear over the picture (the
inverse of the depth for a camera, the height for light of one direction), and the number of its face.
"""

from math import ceil, floor

from brickphys.arrays import Array, Depths, Faces
from brickphys.engines.view import Image
from brickphys.jit import entry


@entry
def draw_faces(corners: Array, first: int, near: Depths, faces: Faces) -> None:
    """Draw the triangles that are turned to the viewer, clockwise in pixels, where they are nearest.

    Parameters
    ----------
    corners : ndarray, shape (n, 3, 3)
        Column, row and nearness of each corner.
    first
        Number of the first face.
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
