"""Plain swing: the closed form of a turn, written with whole arrays: the oracle of the compiled loop."""

from math import tau

import numpy as np
import numpy.typing as npt

from brickphys.geometry.polygon import TOLERANCE, Polygon
from brickphys.units import Array

Flags = npt.NDArray[np.bool_]


def first_overlap_rad(shape: Polygon, other: Polygon, turn_rad: float) -> float | None:
    """Return how far a polygon turns counter-clockwise about the origin until it overlaps another; None if it does not.

    Parameters
    ----------
    shape, other
        The one that turns, and the other.
    turn_rad
        The whole turn, up to a full circle.
    """
    if depths_studs(shape, other, np.zeros(1))[0] > TOLERANCE:
        return 0.0
    starts, inside = _looks(shape, other, turn_rad, TOLERANCE)
    if not inside.any():
        return None
    deep = float(starts[inside.argmax()])
    starts, touching = _looks(shape, other, deep, 0.0)
    apart = np.flatnonzero(~touching)
    return float([*starts, deep][apart[-1] + 1]) if len(apart) else 0.0


def _looks(
    shape: Polygon, other: Polygon, turn_rad: float, depth_studs: float
) -> tuple[Array, Flags]:
    """Return the angles where parts of a turn begin, and whether the overlap is deeper than this in each part."""
    crossings = [
        _crossings(shape, other, depth_studs),
        _crossings(other, shape, depth_studs, turns=-1.0),
    ]
    events = np.concatenate([[0.0], *crossings])
    ends = np.append(np.unique(events[events < turn_rad]), turn_rad)
    starts = ends[:-1]
    return starts, depths_studs(shape, other, (starts + ends[1:]) / 2) > depth_studs


def depths_studs(shape: Polygon, other: Polygon, angles_rad: Array) -> Array:
    """Return how deep a polygon that has turned about the origin reaches into another; negative where they are apart.

    Parameters
    ----------
    shape, other
        The one that turns, and the other.
    angles_rad : ndarray, shape (m,)
        How far it has turned.
    """
    corners, normals = (_turned(v, angles_rad) for v in (shape.vertices_studs, shape.normals))
    theirs = np.einsum("ki,mji->mkj", other.normals, corners).min(axis=2) - other.offsets_studs
    ours = np.einsum("mji,ki->mjk", normals, other.vertices_studs).min(axis=2)
    gaps = np.concatenate([theirs, ours - shape.offsets_studs], axis=1)
    depths: Array = -gaps.max(axis=1)
    return depths


def _crossings(turning: Polygon, still: Polygon, depth_studs: float, turns: float = 1.0) -> Array:
    """Return the angles, 0 to a full circle, at which corners of one polygon are so far inside an edge of the other.

    With `turns` of -1 it is the other one that turns.
    """
    corners, offsets = turning.vertices_studs, still.offsets_studs - depth_studs
    radii, bearings = np.hypot(*corners.T)[:, None], np.arctan2(corners[:, 1], corners[:, 0])
    lines = np.arctan2(still.normals[:, 1], still.normals[:, 0])
    # the others pass the line by, or are the pivot
    reached = (np.abs(offsets) <= radii) & (radii > 0)
    middle = (lines - bearings[:, None])[reached]
    half = np.arccos((offsets / np.where(radii > 0, radii, 1.0))[reached].clip(-1, 1))
    angles = np.concatenate([middle - half, middle + half])
    crossings: Array = turns * angles % tau
    return crossings


def _turned(vectors: Array, angles_rad: Array) -> npt.NDArray[np.float64]:
    """Turn vectors of shape (n, 2) by each of m angles; shape (m, n, 2)."""
    c, s = np.cos(angles_rad)[:, None], np.sin(angles_rad)[:, None]
    x, y = vectors.T
    return np.stack([c * x - s * y, s * x + c * y], axis=-1)
