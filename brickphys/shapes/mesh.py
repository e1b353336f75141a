"""The detail mesh of a brick: walls, top, studs with their holes, cavity, tubes or posts, as one closed surface.

Circles become regular polygons of the same area, so the mesh has the exact volume and centre of mass of the round
piece; moments of inertia differ by terms of the order of 1/segments**4.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import scipy  # loads Delaunay with the first mesh: a third of a second

from brickphys.shapes import brick
from brickphys.units import Array, Indices, Mask

MESH_FILES = ("obj", "stl", "ply", "glb", "off", "3mf")
"""Kinds of files with a mesh, as their names end."""
MESH_SEGMENTS = 16
"""Corners of a circle: round enough for pictures, and small files."""


@dataclass(frozen=True, eq=False)
class Mesh:
    """A closed triangulated surface."""

    vertices_mm: Array
    """Corners, shape (n, 3)."""
    triangles: Indices
    """Corner indices, counter-clockwise seen from outside, shape (m, 3)."""


def brick_mesh(
    nx: int,
    ny: int,
    height_mm: float,
    dimensions: brick.BrickDimensions,
    segments: int = MESH_SEGMENTS,
) -> Mesh:
    """Return the surface of a brick or plate; z = 0 is the open rim, the origin in plan its middle.

    The height is without studs; circles have so many corners, a multiple of 4.
    """
    d = dimensions
    ceiling, top = height_mm - d.top_mm, height_mm + d.stud_height_mm
    outer = _rectangle(*brick.outline(nx, ny, d))
    inner = _rectangle(*(side - 2 * d.wall_mm for side in brick.outline(nx, ny, d)))
    studs = _circles(brick.stud_centres(nx, ny), d.stud_diameter_mm, segments)
    holes = (
        _circles(brick.stud_centres(nx, ny), d.hole_diameter_mm, segments)
        if d.hole_depth_mm
        else []
    )
    tubes, bores = _pillars(nx, ny, d, segments)
    parts = [
        *tower([outer], 0.0, height_mm),
        _flat(outer, [inner], 0.0, up=False),
        *_shaft([inner], 0.0, ceiling),
        _flat(inner, [*tubes, *holes], ceiling, up=False),
        _flat(outer, studs, height_mm, up=True),
        *tower(studs, height_mm, top),
        *(_flat(stud, [], top, up=True) for stud in studs),
        *_shaft(holes, ceiling, ceiling + d.hole_depth_mm),
        *(_flat(hole, [], ceiling + d.hole_depth_mm, up=False) for hole in holes),
        *tower(tubes, 0.0, ceiling),
        *_shaft(bores, 0.0, ceiling),
        *(_flat(bore, [], ceiling, up=False) for bore in bores),
        *_pillar_feet(tubes, bores),
    ]
    return weld(parts)


def _rectangle(a: float, b: float) -> Array:
    return np.array([(a, -b), (a, b), (-a, b), (-a, -b)]) / 2


def _circles(centres: Array, diameter_mm: float, segments: int) -> list[Array]:
    """Return counter-clockwise polygons with the area of the circle."""
    turn = 2 * np.pi / segments
    radius = diameter_mm / 2 * np.sqrt(turn / np.sin(turn))
    return [centre + brick.regular_polygon(radius, segments) for centre in centres]


def _pillars(
    nx: int, ny: int, d: brick.BrickDimensions, segments: int
) -> tuple[list[Array], list[Array]]:
    """Return the outlines of tubes or posts, and of the bores of tubes."""
    centres = brick.tube_centres(nx, ny)
    if min(nx, ny) == 1:
        return _circles(centres, d.post_diameter_mm, segments), []
    return (
        _circles(centres, d.tube_outer_mm, segments),
        _circles(centres, d.tube_inner_mm, segments),
    )


def _pillar_feet(tubes: list[Array], bores: list[Array]) -> Iterable[Array]:
    if not bores:
        return [_flat(post, [], 0.0, up=False) for post in tubes]
    return [_flat(tube, [bore], 0.0, up=False) for tube, bore in zip(tubes, bores, strict=True)]


def tower(outlines: list[Array], bottom: float, top: float) -> list[Array]:
    """Return the outer walls over counter-clockwise outlines, as triangles of shape (n, 3, 3)."""
    walls = []
    for outline_ in outlines:
        low, high = (np.column_stack([outline_, np.full(len(outline_), z)]) for z in (bottom, top))
        next_low, next_high = np.roll(low, -1, axis=0), np.roll(high, -1, axis=0)
        walls.append(np.stack([low, next_low, next_high], axis=1))
        walls.append(np.stack([low, next_high, high], axis=1))
    return walls


def _shaft(outlines: list[Array], bottom: float, top: float) -> list[Array]:
    """Return the walls of voids, as triangles that face inwards."""
    return [wall[:, ::-1] for wall in tower(outlines, bottom, top)]


def _flat(outline_: Array, voids: list[Array], z: float, *, up: bool) -> Array:
    """Triangulate a horizontal face with voids.

    The corners of each outline lie on a circle with no other corner inside (or are the convex hull of all corners), so
    each side of an outline is an edge of the Delaunay triangulation. Triangles with their centroid in a void are
    dropped.
    """
    points = np.vstack([outline_, *voids])
    corners = points[scipy.spatial.Delaunay(points).simplices]
    middles = corners.mean(axis=1)
    keep = ~np.any([_inside(middles, void) for void in voids], axis=0) if voids else slice(None)
    corners = corners[keep]
    (ux, uy), (vx, vy) = (corners[:, 1] - corners[:, 0]).T, (corners[:, 2] - corners[:, 0]).T
    turned = (ux * vy - uy * vx > 0) != up
    corners[turned] = corners[turned][:, ::-1]
    return np.concatenate([corners, np.full((*corners.shape[:2], 1), z)], axis=2)


def _inside(points: Array, outline_: Array) -> Mask:
    """Return which points lie inside a convex counter-clockwise outline, shape (n,)."""
    sides = np.roll(outline_, -1, axis=0) - outline_
    arms = points[:, None] - outline_
    inside: Mask = np.all(sides[:, 0] * arms[..., 1] - sides[:, 1] * arms[..., 0] > 0, axis=1)
    return inside


def weld(parts: Iterable[Array]) -> Mesh:
    """Return triangles of shape (n, 3, 3) as one mesh, with bitwise equal corners merged."""
    corners = np.vstack([*parts]).reshape(-1, 3) + 0.0
    vertices, index = np.unique(corners, axis=0, return_inverse=True)
    return Mesh(vertices, index.reshape(-1, 3))
