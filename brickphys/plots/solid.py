"""Solid: surfaces with colours: of models, prisms, thrown bodies and grounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from brickphys.plots.colors import Color, rgb
from brickphys.shapes.assembly import assembly
from brickphys.shapes.body import Body
from brickphys.shapes.export import colour_meshes, detail_mesh
from brickphys.shapes.hull import convex_hull
from brickphys.shapes.mesh import Mesh
from brickphys.throws.flight import rotate
from brickphys.units import Array

_ROUNDING = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / np.sqrt(3)
_BEVELS = np.vstack([np.eye(3), -np.eye(3), _ROUNDING])
"""Directions in which corners are blown up to show round edges."""


@dataclass(frozen=True, eq=False)
class ColouredMesh:
    """A surface."""

    corners_mm: Array
    """Triangles, counter-clockwise from outside, shape (n, 3, 3)."""
    colours: Array
    """Red, green and blue, 0 to 1, shape (n, 3)."""

    def placed(self, pose: Array) -> "ColouredMesh":
        """Return it at a pose, shape (7,): its origin in mm, then the quaternion, scalar last."""
        return ColouredMesh(rotate(pose[3:], self.corners_mm) + pose[:3], self.colours)


def joined(solids: Sequence[ColouredMesh]) -> ColouredMesh:
    """Return several solids as one."""
    corners = [np.empty((0, 3, 3)), *(solid.corners_mm for solid in solids)]
    colours = [np.empty((0, 3)), *(solid.colours for solid in solids)]
    return ColouredMesh(np.concatenate(corners), np.concatenate(colours))


def polygon(corners_mm: Array, colour: Color) -> ColouredMesh:
    """Return a flat convex face, counter-clockwise from outside; shape (n, 3)."""
    fans = [(0, second, third) for second, third in pairwise(range(1, len(corners_mm)))]
    return ColouredMesh(corners_mm[np.array(fans)], np.tile(colour, (len(fans), 1)))


def prism(corners_mm: Array, colour: Color) -> ColouredMesh:
    """Return an upright prism; its lower corners counter-clockwise, then the upper ones, shape (2 n, 3)."""
    low, high = np.split(corners_mm, 2)
    return joined([polygon(face, colour) for face in (*_sides(low, high), high, low[::-1])])


def _sides(low: Array, high: Array) -> list[Array]:
    """Return the faces between the lower and the upper corners of a prism, shape (n, 3)."""
    pairs = zip(low, np.roll(low, -1, 0), np.roll(high, -1, 0), high, strict=True)
    return [np.array(corners) for corners in pairs]


def rectangle(low: Sequence[float] | Array, high: Sequence[float] | Array) -> Array:
    """Return the corners of a rectangle, counter-clockwise from the lower left one, shape (4, 2)."""
    (x, y), (right, far) = low, high
    return np.array([(x, y), (right, y), (right, far), (x, far)])


def at_height(outline: Array, z: float) -> Array:
    """Return an outline, shape (n, 2), at a height, shape (n, 3)."""
    return np.column_stack([outline, np.full(len(outline), z)])


def of_mesh(mesh: Mesh, colour: Color) -> ColouredMesh:
    """Return a mesh in one colour."""
    return ColouredMesh(mesh.vertices_mm[mesh.triangles], np.tile(colour, (len(mesh.triangles), 1)))


@lru_cache(maxsize=64)
def model(name: str) -> ColouredMesh:
    """Return a body of an assembly, such as ``jeep`` or ``jeep/driver``, in the frame of the thing."""
    bodies = {body.name: body for body in assembly(name.partition("/")[0]).bodies}
    meshes = colour_meshes(bodies[name])
    return joined([of_mesh(mesh, rgb(colour)) for colour, mesh in meshes.items()])


def thrown(body: Body, colour: Color) -> ColouredMesh:
    """Return a thrown body: a brick or plate with its studs and its hollow, of any other the hull."""
    mesh = detail_mesh(body)
    if mesh is not None:
        return of_mesh(mesh, colour)
    corners = body.vertices_mm
    if body.edge_radius_mm:
        corners = (corners[:, None] + body.edge_radius_mm * _BEVELS).reshape(-1, 3)
    hull = convex_hull(corners)
    return joined([polygon(hull.corners_mm[np.array(ring)], colour) for ring in hull.rings])


def board(
    low_mm: Array,
    high_mm: Array,
    top_mm: float,
    thick_mm: float,
    tile_mm: float,
    colours: tuple[Color, Color],
    edge: Color,
) -> ColouredMesh:
    """Return a board whose top is chequered in tiles that are counted from its lower left corner."""
    faces = []
    for i, x in enumerate(np.arange(low_mm[0], high_mm[0], tile_mm)):
        for j, y in enumerate(np.arange(low_mm[1], high_mm[1], tile_mm)):
            square = rectangle((x, y), np.minimum((x + tile_mm, y + tile_mm), high_mm))
            faces.append(polygon(at_height(square, top_mm), colours[(i + j) % 2]))
    outline = rectangle(low_mm, high_mm)
    sides = _sides(at_height(outline, top_mm - thick_mm), at_height(outline, top_mm))
    return joined([*faces, *(polygon(side, edge) for side in sides)])
