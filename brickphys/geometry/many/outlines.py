"""Outlines: many footprints between heights as arrays, checked, split and prepared once for many moves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, tau
from typing import Any

import numpy as np
import numpy.typing as npt

from brickphys.errors import InvalidValueError, naming
from brickphys.geometry.many.outlines_kernel import CLOCKWISE, UNCLEAR, placed, prepared, senses
from brickphys.geometry.many.tree import Tree
from brickphys.geometry.polygon import TOLERANCE, Polygon, convex_polygon
from brickphys.geometry.rings import geojson_of, is_geometry, wkt_of
from brickphys.geometry.shape import (
    Core,
    Part,
    Shape,
    border_rows,
    faults_of,
    nested_rings,
    parts_of,
    rings_of,
)
from brickphys.interface import Displayed, Row, public
from brickphys.notes import NOTES
from brickphys.text import counted, listed
from brickphys.units import Array, Indices, Mask

_MOST_FAULTS = 5
"""Faulty outlines that an error tells of."""
_NOTHING = np.empty((0, 2))
_MANY = 20
"""Angles from which on it is no chance that all are within 6.28."""


@dataclass(frozen=True, eq=False, repr=False)
class Outlines(Displayed):
    """Many outlines; see `outlines`. Each has one convex part or several."""

    vertices_studs: Array
    """Corners of all parts, each counter-clockwise, without a repeated one and without any on a line, shape (v, 2)."""
    firsts: Indices
    """The first corner of each part, and their number, shape (p + 1,)."""
    bottoms_plates: Array
    tops_plates: Array
    """The open intervals of heights that the outlines fill, shape (n,)."""
    parts: Indices
    """The first part of each outline, and their number, shape (n + 1,)."""
    radii_studs: Array
    """By which the parts are rounded, shape (p,)."""
    border: Array | None = None
    """The real edges of all (`brickphys.geometry.border_kernel`), shape (b, 8); None if all are convex polygons."""
    border_firsts: Indices | None = None
    """The first of these of each outline, and their number, shape (n + 1,)."""

    def __len__(self) -> int:
        return len(self.parts) - 1

    @cached_property
    def prepared(self) -> tuple[Array, Array, Array]:
        """Heads, edges and boxes of the parts (`brickphys.geometry.many.outlines_kernel`)."""
        heights = self.bottoms_plates[self.owners], self.tops_plates[self.owners]
        return prepared(self.vertices_studs, self.firsts, *heights, self.radii_studs)

    @cached_property
    def owners(self) -> Indices:
        """The outline of each part, shape (p,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.parts))

    @cached_property
    def are_plain(self) -> Mask:
        """Which are convex polygons, shape (n,)."""
        is_round = self.radii_studs[self.parts[:-1].clip(max=len(self.radii_studs) - 1)] > 0.0
        plain: Mask = (np.diff(self.parts) == 1) & ~is_round
        return plain

    @cached_property
    def tree(self) -> Tree:
        """The tree of the boxes of their parts."""
        return Tree.of(self.prepared[2])

    @cached_property
    def edges(self) -> tuple[Array, Indices]:
        """The real edges of all as a border, and the first one of each."""
        if self.border is not None and self.border_firsts is not None:
            return self.border, self.border_firsts
        rings = np.split(self.vertices_studs, self.firsts[1:-1]) if len(self) else []
        rows = border_rows(rings, 0.0, [[0] * len(ring) for ring in rings])
        return rows, self.firsts

    def corners_studs(self, number: int) -> Array:
        """Return the corners of one of them, shape (k, 2), ring after ring."""
        border, firsts = self.edges
        return border[firsts[number] : firsts[number + 1], 2:4]

    def rings_studs(self, number: int) -> list[list[Array]]:
        """Return the polygons of one of them, each its outer ring and its holes.

        Raises InvalidValueError if it has circles or capsules.
        """
        border, firsts = self.edges
        rows = border[firsts[number] : firsts[number + 1]]
        if rows[:, 6].any():
            raise InvalidValueError(f"outline {number} is round, which WKT and GeoJSON cannot say")
        return nested_rings(rings_of(rows))

    def wkt(self) -> list[str]:
        """Return each as a POLYGON or MULTIPOLYGON of WKT, which `outlines` reads."""
        return [wkt_of(self.rings_studs(number)) for number in range(len(self))]

    def geojson(self) -> list[dict[str, Any]]:
        """Return each as a Polygon or MultiPolygon of GeoJSON, which `outlines` reads."""
        return [geojson_of(self.rings_studs(number)) for number in range(len(self))]

    def repeated(self, count: int) -> "Outlines":
        """Return a single outline so many times."""
        corners, parts, edges = len(self.vertices_studs), len(self.firsts) - 1, len(self.edges[0])
        steps, starts = np.arange(count + 1, dtype=np.intp), np.arange(count, dtype=np.intp)
        firsts = (starts[:, None] * corners + self.firsts[:-1]).ravel()
        plain = self.border is None
        return Outlines(
            np.tile(self.vertices_studs, (count, 1)),
            np.append(firsts, count * corners).astype(np.intp),
            np.repeat(self.bottoms_plates, count),
            np.repeat(self.tops_plates, count),
            steps * parts,
            np.tile(self.radii_studs, count),
            None if plain else np.tile(self.edges[0], (count, 1)),
            None if plain else steps * edges,
        )

    def placed(self, poses: Array) -> "Outlines":
        """Return them at poses, one for each, shape (n, 3), if they are in frames of their own."""
        found = replace(
            self, vertices_studs=placed(self.vertices_studs, self.firsts[self.parts], poses)
        )
        if self.border is None or self.border_firsts is None:
            return found
        points = np.ascontiguousarray(self.border[:, :6]).reshape(-1, 2)
        there = placed(points, 3 * self.border_firsts, poses).reshape(-1, 6)
        return replace(found, border=np.hstack([there, self.border[:, 6:]]))

    def line(self) -> str:
        """Return one line: how many there are."""
        many = len(self.vertices_studs) if self.border is None else len(self.border)
        return f"{counted(len(self), 'outline')}, {counted(many, 'corner')}"

    def rows(self) -> list[Row]:
        """Return one row for each convex part."""
        heads = self.prepared[0].tolist()
        return [
            {"x_studs": x, "y_studs": y, "radius_studs": r, "corners": int(count),
             "bottom_plates": bottom, "top_plates": top}
            for x, y, r, bottom, top, count, *_ in heads
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
    """Return many outlines, checked and prepared for `sweep`, `distance`, `penetration` and `overlaps`.

    Rings may be closed and may walk either way, as GIS and shapely write them. Concave polygons and holes need shapely
    (extra `validation`), which splits them.

    Parameters
    ----------
    corners
        In studs. Array of shape (k, 2) for one outline, (n, k, 2) for many with as many corners each, or a list of
        such of different lengths. Or polygons as WKT, as geometries or features of GeoJSON, or of shapely: one, or a
        list; they may have holes and several parts. Or dicts: ``{"polygon": corners, "holes": [corners]}``,
        ``{"circle": (x, y), "radius": r}``, ``{"capsule": [(x, y), (x, y)], "radius": r}``, or several such, each with
        a ``"name"``, in ``{"part": [...]}``.
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
        If a corner is not finite, an outline crosses itself or has no area, or numbers do not fit. The first faulty
        outlines are told with their numbers.
    MissingExtraError
        If an outline is to be split, and shapely is not installed.

    Examples
    --------
    >>> import brickphys
    >>> car = [(-5, -3), (5, -3), (5, 3), (-5, 3)]
    >>> brickphys.outlines(car, poses=[(8, 16, 0), (30, 16, 90)])
    <2 outlines, 8 corners>
    """
    vertices, firsts, special = _ragged(corners, offsets)
    found = _made(*_convex(*_open(vertices, firsts), special))
    if poses is not None:
        found = _placed(found, numbers(poses, "poses", 3))
    count = len(found)
    bottoms, tops = (
        _spread(value, count, name)
        for value, name in ((bottom_plates, "bottom_plates"), (top_plates, "top_plates"))
    )
    flat = np.flatnonzero(~(bottoms < tops))
    if len(flat):
        raise InvalidValueError(
            f"outline {flat[0]}: its top ({tops[flat[0]]:g} plates) is not above its bottom ({bottoms[flat[0]]:g})"
        )
    return replace(found, bottoms_plates=bottoms, tops_plates=tops)


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


_Special = dict[int, tuple[Part, ...]]
"""The parts of outlines that are not convex polygons; these have no corners among the others."""


def _ragged(corners: Any, offsets: Any) -> tuple[Array, Indices, _Special]:
    """Return the corners of all outlines, where each begins, and what is no single ring."""
    special: _Special = {}
    if is_geometry(corners):
        corners = [corners]
    is_list = isinstance(corners, Sequence) or str(getattr(corners, "dtype", "")) == "object"
    if is_list and any(is_geometry(one) for one in corners):
        many = [_parts(number, one) for number, one in enumerate(corners)]
        special = {
            number: parts
            for number, parts in enumerate(many)
            if len(parts) != 1 or len(parts[0].rings) != 1
        }
        rings = [
            _NOTHING if n in special else np.array(many[n][0].rings[0]) for n in range(len(many))
        ]
        firsts = np.cumsum([0, *map(len, rings)]).astype(np.intp)
        return np.concatenate(rings).reshape(-1, 2), firsts, special
    if offsets is not None:
        vertices = numbers(corners, "corners", 2)
        return vertices, read_offsets(offsets, "offsets", len(vertices)), special
    try:
        found = np.asarray(corners, dtype=float)
    except (TypeError, ValueError):
        rings = [numbers(ring, f"outline {number}", 2) for number, ring in enumerate(corners)]
        firsts = np.cumsum([0, *map(len, rings)])
        return np.concatenate(rings), firsts.astype(np.intp), special
    if found.ndim == 2 and found.shape[1] == 2:
        found = found[None]
    if found.size == 0:
        return _NOTHING, np.zeros(1, np.intp), special
    if found.ndim != 3 or found.shape[2] != 2:
        raise InvalidValueError(
            f"corners: their shape is {found.shape}, not (k, 2) or (n, k, 2); an outline is the list of its corners"
        )
    count, each = found.shape[:2]
    return found.reshape(-1, 2), np.arange(0, (count + 1) * each, each, dtype=np.intp), special


def _parts(number: int, value: Any) -> tuple[Part, ...]:
    with naming(f"outline {number}"):
        return parts_of(value)


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


def _convex(
    vertices: Array, firsts: Indices, special: _Special
) -> tuple[Array, Indices, dict[int, Shape]]:
    """Return outlines counter-clockwise and without corners on a line, and the shapes of those that are not convex."""
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
        return vertices, firsts, {}
    faults, shapes, rings = [], dict[int, Shape](), np.split(vertices, firsts[1:-1])
    for number in odd:
        corners = [(x, y) for x, y in rings[number].tolist()]
        parts = special.get(number, (Part((tuple(corners),)),))
        if found := faults_of(parts):
            faults.append(f"outline {number}: {'; '.join(found)}")
            if len(faults) == _MOST_FAULTS:
                break
        elif len(parts) == 1 and parts[0].is_convex:
            rings[number] = convex_polygon(parts[0].rings[0]).vertices_studs
        else:
            shapes[number], rings[number] = Shape.of(parts), _NOTHING
    if faults:
        raise InvalidValueError(listed(faults))
    return np.concatenate(rings), np.cumsum([0, *map(len, rings)]).astype(np.intp), shapes


def _made(vertices: Array, firsts: Indices, shapes: Mapping[int, Shape]) -> Outlines:
    """Return outlines of no height, given corners of convex ones, and the shapes of the others."""
    count = len(firsts) - 1
    flat = np.zeros(count)
    if not shapes:
        return Outlines(vertices, firsts, flat, flat, np.arange(count + 1), flat)
    cores: list[list[Core]] = []
    borders: list[Array] = []
    for number, ring in enumerate(np.split(vertices, firsts[1:-1])):
        shape = shapes.get(number)
        cores.append(list(shape.cores) if shape else [Core(Polygon(ring), 0.0)])
        borders.append(shape.border if shape else border_rows([ring], 0.0, [[0] * len(ring)]))
    every = [core for some in cores for core in some]
    rings = [core.polygon.vertices_studs for core in every]
    return Outlines(
        np.concatenate(rings),
        _firsts(rings),
        flat,
        flat,
        _firsts(cores),
        np.array([core.radius_studs for core in every]),
        np.concatenate(borders),
        _firsts(borders),
    )


def _firsts(groups: Sequence[Sequence[Any] | Array]) -> Indices:
    """Return where each group begins, and the end of the last one."""
    return np.cumsum([0, *map(len, groups)]).astype(np.intp)


def _placed(found: Outlines, poses: Array) -> Outlines:
    """Return outlines at poses; a single one at all of them."""
    check_finite(poses, "pose")
    note_radians(poses[:, 2], "headings")
    if len(found) == 1:
        found = found.repeated(len(poses))
    if len(found) != len(poses):
        raise InvalidValueError(
            f"poses: there are {len(poses)}, but {counted(len(found), 'outline')}"
        )
    return found.placed(np.ascontiguousarray(poses))


def _spread(value: Any, count: int, name: str) -> Array:
    """Return a value for each outline."""
    try:
        return np.broadcast_to(np.asarray(value, dtype=float), (count,)).copy()
    except (TypeError, ValueError):
        raise InvalidValueError(
            f"{name}: neither a number nor one for each outline ({count})"
        ) from None
