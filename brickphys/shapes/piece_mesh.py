"""The surface of a piece in pictures: closed and flat below, with the studs that no other piece covers.

Pieces fill their boxes, without the clearance of 0.1 mm on each side, and without the cavity, which is hidden in an
assembly. Circles become regular polygons with corners on each axis, so the bounding box of the mesh is the piece's.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from brickphys.arrays import Array
from brickphys.shapes.brick import regular_polygon, stud_centres
from brickphys.shapes.dimensions import BRICK_DIMENSIONS
from brickphys.shapes.mesh import Mesh, tower, weld
from brickphys.shapes.piece import STUDDED, Piece

ROUND_SEGMENTS = 24
"""Corners of a wheel or a head."""
STUD_SEGMENTS = 12
"""Corners of a stud: small files."""

_SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
_ABOVE_MM = 0.1
"""A stud is covered if a piece fills the point at this height above its base."""


def piece_mesh(piece: Piece, others: Sequence[Piece] = ()) -> Mesh:
    """Return the surface of a piece in the frame of the assembly.

    Parameters
    ----------
    piece
        The piece.
    others
        Pieces that may cover its studs; may include the piece itself.
    """
    return weld([*_body(piece), *_studs(piece, others)])


def free_studs(piece: Piece, others: Iterable[Piece]) -> Array:
    """Return the centres in plan of the studs that no other piece covers, shape (n, 2), in mm."""
    if piece.form not in STUDDED:
        return np.empty((0, 2))
    middle, top = piece.low_mm + piece.size_mm / 2, float(piece.low_mm[2] + piece.size_mm[2])
    centres = middle[:2] + stud_centres(round(piece.size[0]), round(piece.size[1]))
    spots = np.column_stack([centres, np.full(len(centres), top + _ABOVE_MM)])
    covered = np.zeros(len(spots), dtype=bool)
    for other in others:
        low, high = other.low_mm, other.low_mm + other.size_mm
        covered |= ((spots > low) & (spots < high)).all(axis=1)
    return centres[~covered]


def _studs(piece: Piece, others: Iterable[Piece]) -> Iterable[Array]:
    d, top = BRICK_DIMENSIONS, float(piece.low_mm[2] + piece.size_mm[2])
    rim = regular_polygon(d.stud_diameter_mm / 2, STUD_SEGMENTS)
    for centre in free_studs(piece, others):
        yield from _column(centre + rim, top, top + d.stud_height_mm)


def _body(piece: Piece) -> list[Array]:
    axis = piece.axis_number
    low, length = float(piece.low_mm[axis]), float(piece.size_mm[axis])
    across = [other for other in range(3) if other != axis]
    if piece.form == "cylinder":
        diameter = float(piece.size_mm[across[0]])
        middle = (piece.low_mm + piece.size_mm / 2)[across]
        circle = regular_polygon(diameter / 2, ROUND_SEGMENTS)
        outer, inner = middle + circle, middle + piece.bore * circle
        hollow = _tube(outer, inner, low, low + length) if piece.bore else []
        parts = hollow or _column(outer, low, low + length)
    elif piece.form == "prism":
        parts = _column(_counter_clockwise(piece.outline_mm), low, low + length)
    else:
        parts = _column(piece.low_mm[across] + _SQUARE * piece.size_mm[across], low, low + length)
    return [_along(axis, part) for part in parts]


def _column(outline: Array, low: float, high: float) -> list[Array]:
    """Return walls and ends of the prism over a convex counter-clockwise outline."""
    corners = np.arange(1, len(outline) - 1)
    fan = outline[np.column_stack([np.zeros_like(corners), corners, corners + 1])]
    return [*tower([outline], low, high), _at(fan, high), _at(fan[:, ::-1], low)]


def _tube(outer: Array, inner: Array, low: float, high: float) -> list[Array]:
    """Return walls and ends of a hollow prism."""
    next_outer, next_inner = np.roll(outer, -1, axis=0), np.roll(inner, -1, axis=0)
    ring = np.concatenate(
        [
            np.stack([outer, next_outer, next_inner], axis=1),
            np.stack([outer, next_inner, inner], axis=1),
        ]
    )
    walls = [*tower([outer], low, high), *(wall[:, ::-1] for wall in tower([inner], low, high))]
    return [*walls, _at(ring, high), _at(ring[:, ::-1], low)]


def _at(triangles: Array, height: float) -> Array:
    """Return triangles of the plane, shape (n, 3, 2), at a height in space, shape (n, 3, 3)."""
    return np.concatenate([triangles, np.full((*triangles.shape[:2], 1), height)], axis=2)


def _along(axis: int, triangles: Array) -> Array:
    """Return triangles with their third coordinate along `axis`, the orientation kept."""
    if axis == 0:
        return triangles[..., [2, 0, 1]]
    return triangles[:, ::-1][..., [0, 2, 1]] if axis == 1 else triangles


def _counter_clockwise(outline: Array) -> Array:
    first, second = outline[1] - outline[0], outline[2] - outline[1]
    return outline if first[0] * second[1] > first[1] * second[0] else outline[::-1]
