"""Outlines: many convex footprints between heights as arrays, checked and prepared once for many moves."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, tau
from typing import Any

import numpy as np
import numpy.typing as npt

from brickphys.errors import InvalidValueError
from brickphys.geometry.many.outlines_kernel import CLOCKWISE, UNCLEAR, placed, prepared, senses
from brickphys.geometry.many.tree import Tree
from brickphys.geometry.polygon import TOLERANCE, Point, convex_polygon
from brickphys.geometry.rings import geojson_of, is_geometry, ring_of, wkt_of
from brickphys.interface import Displayed, Row, public
from brickphys.notes import NOTES
from brickphys.text import counted, listed
from brickphys.units import Array, Indices

_MOST_FAULTS = 5
"""Faulty outlines that an error tells of."""
_MANY = 20
"""Angles from which on it is no chance that all are within 6.28."""


@dataclass(frozen=True, eq=False, repr=False)
class Outlines(Displayed):
    """Many convex outlines; see `outlines`.

    Attributes
    ----------
    vertices_studs : ndarray, shape (v, 2)
        Corners of all of them, each counter-clockwise, without a repeated one and without any on a line.
    firsts : ndarray of int, shape (n + 1,)
        The first corner of each, and their number.
    bottoms_plates, tops_plates : ndarray, shape (n,)
        The open intervals of heights that they fill.
    """

    vertices_studs: Array
    firsts: Indices
    bottoms_plates: Array
    tops_plates: Array

    def __len__(self) -> int:
        return len(self.firsts) - 1

    @cached_property
    def prepared(self) -> tuple[Array, Array, Array]:
        """Their heads, edges and boxes (`brickphys.geometry.many.outlines_kernel`)."""
        return prepared(self.vertices_studs, self.firsts, self.bottoms_plates, self.tops_plates)

    @cached_property
    def tree(self) -> Tree:
        """The tree of their boxes."""
        return Tree.of(self.prepared[2])

    def corners_studs(self, number: int) -> Array:
        """Return the corners of one of them, shape (k, 2)."""
        return self.vertices_studs[self.firsts[number] : self.firsts[number + 1]]

    def wkt(self) -> list[str]:
        """Return each as a POLYGON of WKT, which `outlines` reads."""
        return [wkt_of(self.corners_studs(number).tolist()) for number in range(len(self))]

    def geojson(self) -> list[dict[str, Any]]:
        """Return each as a Polygon of GeoJSON, which `outlines` reads."""
        return [geojson_of(self.corners_studs(number).tolist()) for number in range(len(self))]

    def line(self) -> str:
        """Return one line: how many there are."""
        return f"{counted(len(self), 'outline')}, {counted(len(self.vertices_studs), 'corner')}"

    def rows(self) -> list[Row]:
        """Return one row for each."""
        heads = self.prepared[0].tolist()
        return [
            {"x_studs": x, "y_studs": y, "radius_studs": r, "corners": int(count),
             "bottom_plates": bottom, "top_plates": top}
            for x, y, r, bottom, top, count, _ in heads
        ]  # fmt: skip


OutlinesLike = Outlines | npt.ArrayLike | Sequence[Any]
"""Outlines, or the corners of some as `outlines` takes them."""


@public()
def outlines(
    corners: Any,
    offsets: Any = None,
    *,
    poses: Any = None,
    bottom_plates: Any = 0.0,
    top_plates: Any = inf,
) -> Outlines:
    """Return many convex outlines, checked and prepared for `sweep`, `distance`, `penetration` and `overlaps`.

    Rings may be closed and may walk either way, as GIS and shapely write them.

    Parameters
    ----------
    corners
        In studs. Array of shape (k, 2) for one outline, (n, k, 2) for many with as many corners each, or a list of
        such of different lengths. Or polygons as WKT, as geometries or features of GeoJSON, or of shapely: one, or a
        list.
    offsets
        Array of shape (n + 1,): corners has then shape (v, 2), and outline i the corners ``offsets[i]`` to
        ``offsets[i + 1] - 1``. These are the second and third values of ``shapely.to_ragged_array``.
    poses
        Array of shape (n, 3) or (3,): x and y in studs, and heading in degrees, counter-clockwise from +x. The
        outlines are then in their own frames, (ahead, left); a single one is put at all poses.
    bottom_plates, top_plates
        Heights of each, or of all. Without them everything is of one height.

    Raises
    ------
    InvalidValueError
        If a corner is not finite, an outline is not convex or crosses itself, or numbers do not fit. The first faulty
        outlines are told with their numbers.

    Examples
    --------
    >>> import brickphys
    >>> car = [(-5, -3), (5, -3), (5, 3), (-5, 3)]
    >>> brickphys.outlines(car, poses=[(8, 16, 0), (30, 16, 90)])
    <2 outlines, 8 corners>
    """
    vertices, firsts = _open(*_ragged(corners, offsets))
    vertices, firsts = _convex(vertices, firsts)
    if poses is not None:
        vertices, firsts = _placed(vertices, firsts, numbers(poses, "poses", 3))
    count = len(firsts) - 1
    bottoms, tops = (
        _spread(value, count, name)
        for value, name in ((bottom_plates, "bottom_plates"), (top_plates, "top_plates"))
    )
    flat = np.flatnonzero(~(bottoms < tops))
    if len(flat):
        raise InvalidValueError(
            f"outline {flat[0]}: its top ({tops[flat[0]]:g} plates) is not above its bottom ({bottoms[flat[0]]:g})"
        )
    return Outlines(vertices, firsts, bottoms, tops)


def read_outlines(value: Any) -> Outlines:
    """Return outlines, or those of some corners."""
    return value if isinstance(value, Outlines) else outlines(value)


def numbers(value: Any, name: str, *columns: int) -> Array:
    """Return finite numbers as rows of so many columns; a single row becomes an array of one."""
    shape = " or ".join(f"(n, {count})" for count in columns)
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise InvalidValueError(f"{name}: not an array of numbers of shape {shape}") from None
    if found.ndim == 1 and found.size:
        found = found[None]
    if found.ndim != 2 or found.shape[1] not in columns:
        raise InvalidValueError(f"{name}: its shape is {np.shape(value)}, not {shape}")
    return found


def check_finite(values: Array, name: str) -> None:
    """Refuse rows that have a number that is not finite."""
    bad = np.flatnonzero(~np.isfinite(values).all(axis=1))
    if len(bad):
        more = f", as {counted(len(bad) - 1, 'other')} do" if len(bad) > 1 else ""
        raise InvalidValueError(f"{name} {bad[0]} has a number that is not finite{more}")


def read_offsets(value: Any, name: str, total: int) -> Indices:
    """Return where each of several groups of `total` things begins, and the total."""
    found = np.asarray(value)
    is_count = found.ndim == 1 and len(found) and np.issubdtype(found.dtype, np.integer)
    if not is_count or found[0] != 0 or found[-1] != total or (np.diff(found) < 0).any():
        raise InvalidValueError(f"{name}: not whole numbers that rise from 0 to {total}")
    return found.astype(np.intp)


def note_radians(angles_deg: Array, what: str) -> None:
    """Say so where angles look like radians."""
    most = np.abs(angles_deg).max(initial=0.0)
    is_odd = len(angles_deg) >= _MANY and 0.0 < most <= tau
    if is_odd and (angles_deg != np.round(angles_deg)).any():
        NOTES.warning("%s are in degrees; none is above %.3g here: are they radians?", what, most)


def _ragged(corners: Any, offsets: Any) -> tuple[Array, Indices]:
    """Return the corners of all outlines, and where each begins."""
    if is_geometry(corners):
        corners = [corners]
    if isinstance(corners, Sequence | np.ndarray) and len(corners) and is_geometry(corners[0]):
        corners = [_ring(number, one) for number, one in enumerate(corners)]
    if offsets is not None:
        vertices = numbers(corners, "corners", 2)
        return vertices, read_offsets(offsets, "offsets", len(vertices))
    try:
        found = np.asarray(corners, dtype=float)
    except (TypeError, ValueError):
        rings = [numbers(ring, f"outline {number}", 2) for number, ring in enumerate(corners)]
        firsts = np.cumsum([0, *map(len, rings)])
        return np.concatenate(rings), firsts.astype(np.intp)
    if found.ndim == 2 and found.shape[1] == 2:
        found = found[None]
    if found.size == 0:
        return np.empty((0, 2)), np.zeros(1, np.intp)
    if found.ndim != 3 or found.shape[2] != 2:
        raise InvalidValueError(
            f"corners: their shape is {found.shape}, not (k, 2) or (n, k, 2); an outline is the list of its corners"
        )
    count, each = found.shape[:2]
    return found.reshape(-1, 2), np.arange(0, (count + 1) * each, each, dtype=np.intp)


def _ring(number: int, geometry: Any) -> list[Point]:
    try:
        return ring_of(geometry)
    except InvalidValueError as error:
        raise InvalidValueError(f"outline {number}: {error}") from None


def _open(vertices: Array, firsts: Indices) -> tuple[Array, Indices]:
    """Drop the last corner of each ring that repeats its first one."""
    sizes = np.diff(firsts)
    ends = firsts[1:][sizes > 1] - 1
    closed = ends[(vertices[ends] == vertices[firsts[:-1][sizes > 1]]).all(axis=1)]
    if not len(closed):
        return np.ascontiguousarray(vertices), firsts
    gone = np.zeros(len(vertices) + 1, np.intp)
    gone[closed + 1] = 1
    return np.delete(vertices, closed, axis=0), firsts - np.cumsum(gone)[firsts]


def _convex(vertices: Array, firsts: Indices) -> tuple[Array, Indices]:
    """Return outlines counter-clockwise and without corners on a line; refuse those that are not convex."""
    bad = np.flatnonzero(~np.isfinite(vertices).all(axis=1))
    if len(bad):
        number = np.searchsorted(firsts, bad[0], side="right") - 1
        raise InvalidValueError(
            f"outline {number}: corner {bad[0] - firsts[number]} has a number that is not finite"
        )
    ways = senses(vertices, firsts, TOLERANCE)
    odd = np.flatnonzero(ways == UNCLEAR).tolist()
    mirrored = np.flatnonzero(ways == CLOCKWISE)
    if len(mirrored):
        owners = np.repeat(np.arange(len(ways)), np.diff(firsts))
        places = np.arange(len(vertices))
        flipped = firsts[owners] + firsts[owners + 1] - 1 - places
        vertices = vertices[np.where(ways[owners] == CLOCKWISE, flipped, places)]
    if not odd:
        return vertices, firsts
    faults, rings = [], np.split(vertices, firsts[1:-1])
    for number in odd:
        try:
            ring = [(x, y) for x, y in rings[number].tolist()]
            rings[number] = convex_polygon(ring).vertices_studs
        except InvalidValueError as error:
            faults.append(f"outline {number}: {error}")
            if len(faults) == _MOST_FAULTS:
                break
    if faults:
        raise InvalidValueError(listed(faults))
    return np.concatenate(rings), np.cumsum([0, *map(len, rings)]).astype(np.intp)


def _placed(vertices: Array, firsts: Indices, poses: Array) -> tuple[Array, Indices]:
    """Return outlines at poses; a single one at all of them."""
    check_finite(poses, "pose")
    note_radians(poses[:, 2], "headings")
    count = len(firsts) - 1
    if count == 1:
        size, count = len(vertices), len(poses)
        vertices = np.broadcast_to(vertices, (count, size, 2)).reshape(-1, 2)
        firsts = np.arange(0, (count + 1) * size, size, dtype=np.intp)
    if count != len(poses):
        raise InvalidValueError(f"poses: there are {len(poses)}, but {counted(count, 'outline')}")
    return placed(np.ascontiguousarray(vertices), firsts, np.ascontiguousarray(poses)), firsts


def _spread(value: Any, count: int, name: str) -> Array:
    """Return a value for each outline."""
    try:
        return np.broadcast_to(np.asarray(value, dtype=float), (count,)).copy()
    except (TypeError, ValueError):
        raise InvalidValueError(
            f"{name}: neither a number nor one for each outline ({count})"
        ) from None
