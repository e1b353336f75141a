"""Shape: an outline of any form, split into convex parts, with the real edges that a contact is told by.

It has parts, each with a name or none: polygons, with holes or without, discs and capsules. Concave ones are split by
the constrained Delaunay triangulation of shapely (GEOS).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite
from numbers import Real
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from brickphys.errors import InvalidValueError, needing
from brickphys.geometry.polygon import (
    TOLERANCE,
    Point,
    Polygon,
    convex_polygon,
    corner_problems,
    open_ring,
    polygon_problems,
    turned_points,
)
from brickphys.geometry.pose import Pose
from brickphys.geometry.rings import is_geometry, polygons_of
from brickphys.text import shown
from brickphys.units import Array

SMALLEST_STUDS = 0.001
_FLAT = 1e-14
"""Of its coordinates: so far off a line is a corner on it by rounding."""
_STEP = 1e-5
"""By which a mover is shifted to see how a common area changes."""
_KEYS = ("name", "polygon", "holes", "circle", "capsule", "radius")


@dataclass(frozen=True)
class Part:
    """A part of an outline: a polygon, or what is within a radius of a point or of a line between two."""

    rings: tuple[tuple[Point, ...], ...] = ()
    """The corners of a polygon, then those of its holes."""
    spine_studs: tuple[Point, ...] = ()
    """The point or the two ends, for a disc or a capsule."""
    radius_studs: float = 0.0
    name: str = ""

    @cached_property
    def is_convex(self) -> bool:
        """Whether it is a convex polygon."""
        return len(self.rings) == 1 and not polygon_problems(self.rings[0])

    @cached_property
    def geometry(self) -> Any:
        """A polygon as shapely's, counter-clockwise, its holes clockwise, without corners on a line."""
        module = _shapely()
        outer, *holes = (_straightened(ring, [0] * len(ring))[0] for ring in self.rings)
        return module.orient_polygons(module.Polygon(outer, holes))

    @property
    def box_studs(self) -> tuple[Point, Point]:
        """The lowest and the highest x and y."""
        points = np.array([*(self.rings[0] if self.rings else ()), *self.spine_studs])
        low, high = points.min(axis=0) - self.radius_studs, points.max(axis=0) + self.radius_studs
        return (float(low[0]), float(low[1])), (float(high[0]), float(high[1]))

    def table(self) -> dict[str, Any]:
        """Return it as `parts_of` reads it."""
        found: dict[str, Any] = {"name": self.name} if self.name else {}
        if self.rings:
            return {**found, **outline_table([self.rings])}
        spine = [list(end) for end in self.spine_studs]
        form = {"circle": spine[0]} if len(spine) == 1 else {"capsule": spine}
        return {**found, **form, "radius": self.radius_studs}

    def mapped(self, to: Callable[[Point], Point]) -> "Part":
        """Return it with its points where a rigid motion puts them."""
        rings = tuple(tuple(map(to, ring)) for ring in self.rings)
        return replace(self, rings=rings, spine_studs=tuple(map(to, self.spine_studs)))

    def placed(self, pose: Pose) -> "Part":
        """Return it where it is on the field, if this is a part in the frame of a pose."""
        return self.mapped(pose.on_field)

    def problems(self) -> list[str]:
        """Return every reason why it bounds no area."""
        if not self.rings:
            radius, spine = self.radius_studs, np.array(self.spine_studs)
            if not (radius >= SMALLEST_STUDS and isfinite(radius)):
                return [f"radius {radius:g} is not {SMALLEST_STUDS:g} or more"]
            if not np.isfinite(spine).all():
                return ["every coordinate must be a finite number"]
            short = len(spine) > 1 and np.hypot(*(spine[1] - spine[0])) <= TOLERANCE
            return ["both ends of a capsule are the same point"] if short else []
        found = [fault for ring in self.rings for fault in corner_problems(ring)]
        if found or self.is_convex:
            return found
        why = _shapely().is_valid_reason(self.geometry)
        if len(self.rings) == 1 and polygon_problems(self.rings[0])[0].startswith("all corners"):
            return ["all corners lie on one line"]
        return [] if why == "Valid Geometry" else [_in_words(why)]


def _in_words(reason: str) -> str:
    """Return what GEOS says of a polygon as we say it."""
    what, _, place = reason.partition("[")
    near = ", ".join(f"{float(one):g}" for one in place.rstrip("]").split())
    spot = f" near ({near})" if near else ""
    if "Self-intersection" in what:
        return f"its edges cross or run back over each other{spot}"
    return f"{what[:1].lower()}{what[1:]}{spot}"


def parts_of(value: Any) -> tuple[Part, ...]:
    """Return the parts of an outline.

    InvalidValueError if it is none of these. Faults of the corners are those of `Part.problems`. The value is a list of
    corners; a polygon or several as WKT, GeoJSON or of shapely; or a dict: ``polygon`` and ``holes``, ``circle`` (its
    centre) or ``capsule`` (two ends) with ``radius``, each with a ``name`` or none; or ``part``, a list of such.
    """
    if isinstance(value, Mapping) and "type" not in value:
        if "part" in value and len(value) == 1:
            if twice := name_twice([str(table.get("name", "")) for table in value["part"]]):
                raise InvalidValueError(twice)
            return tuple(part for table in value["part"] for part in parts_of(table))
        return _parts_in(value)
    if is_geometry(value):
        return tuple(Part(tuple(open_ring(ring) for ring in rings)) for rings in polygons_of(value))
    return (Part((open_ring(_points(value)),)),)


def outline_table(polygons: Sequence[Sequence[Sequence[Point]]]) -> dict[str, Any]:
    """Return polygons, each its outer ring and its holes, as a table that `parts_of` reads."""
    tables = []
    for rings in polygons:
        outer, *holes = ([[x, y] for x, y in open_ring(ring)] for ring in rings)
        tables.append({"polygon": outer, **({"holes": holes} if holes else {})})
    return tables[0] if len(tables) == 1 else {"part": tables}


def _parts_in(table: Mapping[str, Any]) -> tuple[Part, ...]:
    """Return the parts in the table of one."""
    name = str(table.get("name", ""))
    if wrong := [key for key in table if key not in _KEYS]:
        raise InvalidValueError(f"unknown key {shown(wrong[0])}; known: {', '.join(_KEYS)}")
    forms = [key for key in ("polygon", "circle", "capsule") if table.get(key) is not None]
    if len(forms) != 1:
        raise InvalidValueError("give one of polygon, circle and capsule")
    (form,) = forms
    if form == "polygon":
        holes = tuple(open_ring(_points(hole)) for hole in table.get("holes") or ())
        if table.get("radius") is not None:
            raise InvalidValueError("a radius is of a circle or a capsule")
        found = parts_of(table[form])
        if holes and len(found) > 1:
            raise InvalidValueError("holes of several polygons: put them into the WKT")
        return tuple(replace(one, rings=(*one.rings, *holes), name=name) for one in found)
    spine = _points([table[form]] if form == "circle" else table[form])
    if len(spine) != (1 if form == "circle" else 2) or table.get("holes"):
        raise InvalidValueError("a circle has one centre, a capsule two ends, and neither holes")
    radius = table.get("radius")
    if type(radius) is bool or not isinstance(radius, Real):
        raise InvalidValueError(f"a {form} needs a radius in studs")
    return (Part(spine_studs=spine, radius_studs=float(radius or 0), name=name),)


def _points(value: Any) -> tuple[Point, ...]:
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        found = np.empty(0)
    if found.ndim != 2 or found.shape[1] != 2:
        raise InvalidValueError(f"{shown(value)} is not a list of corners [x, y]")
    return tuple((x, y) for x, y in found.tolist())


class Core(NamedTuple):
    """A convex part: what is within a radius of a polygon, a line or a point."""

    polygon: Polygon
    radius_studs: float


@dataclass(frozen=True, eq=False)
class Shape:
    """An outline as it is swept."""

    cores: tuple[Core, ...]
    """Its convex parts."""
    border: Array
    """Its real edges (`brickphys.geometry.border_kernel`), shape (n, 8); the last column has numbers of `names`."""
    names: tuple[str, ...]
    """Names of the parts that it was given by."""

    @staticmethod
    def of(parts: Sequence[Part]) -> "Shape":
        """Return the outline of parts without problems; they may overlap."""
        cores: list[Core] = []
        for part in parts:
            cores += _cores(part)
        return Shape(tuple(cores), _border(parts), tuple(part.name for part in parts))

    def placed(self, pose: Pose) -> "Shape":
        """Return it where it is on the field, if this is a shape in the frame of a pose."""
        border = self.border.copy()
        points = turned_points(border[:, :6].reshape(-1, 2), *pose.heading) + pose.centre_studs
        border[:, :6] = points.reshape(-1, 6)
        cores = tuple(Core(pose.placed(core.polygon), core.radius_studs) for core in self.cores)
        return Shape(cores, border, self.names)


def name_twice(names: Sequence[str]) -> str | None:
    """Return that two parts have the same name, if they do."""
    found = next(
        (name for number, name in enumerate(names) if name and name in names[:number]), None
    )
    return found and f"two parts have the name {shown(found)}"


def faults_of(parts: Sequence[Part]) -> list[str]:
    """Return every reason why parts bound no area."""
    many = len(parts) > 1
    found = [
        f"part {part.name or number}: {fault}" if many else fault
        for number, part in enumerate(parts)
        for fault in part.problems()
    ]
    return found if parts else ["no parts"]


def _shapely() -> ModuleType:
    with needing("validation", "shapely"):
        import shapely
    return shapely  # type: ignore[no-any-return]


def _straightened(ring: Sequence[Point], owners: Sequence[int]) -> tuple[list[Point], list[int]]:
    """Return a ring, and whose each edge is, without corners at which one edge of a part goes straight on."""
    kept = [(*point, owner) for point, owner in zip(ring, owners, strict=True)]
    number = 0
    while number < len(kept) > 3:
        (ax, ay, owner), (bx, by, other), (cx, cy, _) = (
            kept[(number + step) % len(kept)] for step in (-1, 0, 1)
        )
        size = max(map(abs, (ax, ay, bx, by, cx, cy, 1.0)))
        length = np.hypot(cx - ax, cy - ay)
        off = abs((cx - ax) * (by - ay) - (cy - ay) * (bx - ax))
        if owner == other and off <= _FLAT * size * length:
            del kept[number]
            number = max(number - 1, 0)
        else:
            number += 1
    return [(x, y) for x, y, _ in kept], [owner for *_, owner in kept]


def _cores(part: Part) -> list[Core]:
    """Return the convex parts of a part; triangles so thin that nothing can be in them are left out."""
    if not part.rings:
        return [Core(Polygon(np.array(part.spine_studs)), part.radius_studs)]
    if part.is_convex:
        return [Core(convex_polygon(part.rings[0]), 0.0)]
    module = _shapely()
    triangles = module.get_parts(module.constrained_delaunay_triangles(part.geometry))
    found = []
    for triangle in module.orient_polygons(triangles):
        corners = module.get_coordinates(triangle)[:3]
        longest = np.hypot(*(corners - np.roll(corners, 1, axis=0)).T).max()
        if 2 * triangle.area / longest > TOLERANCE:
            found.append(Core(Polygon(corners), 0.0))
    return found


def _border(parts: Sequence[Part]) -> Array:
    """Return the real edges of parts: of polygons those of their union, each with its first part."""
    rows = [
        border_rows([part.spine_studs], part.radius_studs, [[number] * len(part.spine_studs)])
        for number, part in enumerate(parts)
        if not part.rings
    ]
    solid = [(number, part) for number, part in enumerate(parts) if part.rings]
    if len(solid) == 1 and solid[0][1].is_convex:
        corners = convex_polygon(solid[0][1].rings[0]).vertices_studs.tolist()
        rows.append(border_rows([corners], 0.0, [[solid[0][0]] * len(corners)]))
    elif solid:
        module = _shapely()
        shapes = [part.geometry for _, part in solid]
        whole = module.orient_polygons(module.union_all(shapes))
        for ring in module.get_rings(module.get_parts(whole)):
            corners = module.get_coordinates(ring)[:-1]
            middles = module.points((corners + np.roll(corners, -1, axis=0)) / 2)
            far = module.distance(np.array(shapes)[:, None], middles) > TOLERANCE
            owners = [solid[first][0] for first in far.argmin(axis=0).tolist()]
            corners, owners = _straightened(corners.tolist(), owners)
            rows.append(border_rows([corners], 0.0, [owners]))
    return np.concatenate(rows)


def border_rows(
    rings: Iterable[npt.ArrayLike], radius_studs: float, owners: Iterable[Sequence[int]]
) -> Array:
    """Return rings, the area to their left, as rows of a border; each edge has the part that it is of."""
    rows = [np.empty((0, 8))]
    for ring, own in zip(rings, owners, strict=True):
        corners = np.array(ring, dtype=float)
        around = [np.roll(corners, 1, axis=0), corners, np.roll(corners, -1, axis=0)]
        rows.append(np.column_stack([*around, np.full(len(own), radius_studs), own]))
    return np.concatenate(rows)


def nested_rings(rings: Iterable[Array]) -> list[list[Array]]:
    """Return rings as polygons: counter-clockwise ones are outer rings, each with the holes that follow it."""
    found: list[list[Array]] = []
    for ring in rings:
        x, y = (ring - ring[0]).T
        if (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() > 0 or not found:
            found.append([ring])
        else:
            found[-1].append(ring)
    return found


def rings_of(border: Array) -> list[Array]:
    """Return the corners of each ring of a border."""
    if not len(border):
        return []
    ends = np.flatnonzero((border[:, 4:6] != np.roll(border[:, 2:4], -1, axis=0)).any(axis=1))
    return np.split(border[:, 2:4], ends[:-1] + 1) if len(ends) else [border[:, 2:4]]


def solid_of(border: Array, quarter: int = 64) -> Any:
    """Return the area in a border as shapely's; a quarter of a circle has so many corners."""
    module, sharp = _shapely(), border[border[:, 6] == 0.0]
    solids = [module.Polygon(outer, holes) for outer, *holes in nested_rings(rings_of(sharp))]
    for x, y, u, v, radius in border[border[:, 6] > 0.0][:, 2:7].tolist():
        solids.append(module.LineString([(x, y), (u, v)]).buffer(radius, quad_segs=quarter))
    return module.union_all(solids)


def mass_centre(solid: Any) -> tuple[float, float, float]:
    """Return the centre of an area, and the square of its radius of gyration about that."""
    module, sums, (x, y) = _shapely(), np.zeros(4), solid.centroid.coords[0]
    for ring in module.get_rings(module.orient_polygons(module.get_parts(solid))):
        corners = module.get_coordinates(ring) - (x, y)
        (ax, ay), (bx, by) = corners[:-1].T, corners[1:].T
        cross = ax * by - ay * bx
        squares = ax * ax + ay * ay + bx * bx + by * by + ax * bx + ay * by
        arms = np.stack([(ax + bx) / 3, (ay + by) / 3, squares / 6, np.ones_like(cross)])
        sums += (cross * arms).sum(axis=1)
    dx, dy, square = sums[:3] / sums[3]
    return x + dx, y + dy, square - dx * dx - dy * dy


def start_contacts(movers: Sequence[Any], hits: Sequence[Any]) -> Array:
    """Return the centres of the areas that solids have in common, and the normals along which they shrink fastest.

    The shape is (n, 4). If one is inside the other, the normal is away from the middle of what is hit.
    """
    module, ours, theirs = _shapely(), np.array(movers), np.array(hits)
    common = module.intersection(ours, theirs)
    thin = np.where(module.area(common) > 0.0, common, module.shortest_line(ours, theirs))
    areas = [
        module.area(module.intersection(module.transform(ours, np.array(step).__add__), theirs))
        for step in ((_STEP, 0.0), (-_STEP, 0.0), (0.0, _STEP), (0.0, -_STEP))
    ]
    out = np.column_stack([areas[1] - areas[0], areas[3] - areas[2]])
    inside = np.hypot(*out.T) <= _STEP * _STEP
    middles = [module.get_coordinates(module.centroid(some)) for some in (ours, theirs, thin)]
    out[inside] = (middles[0] - middles[1])[inside]
    out[~out.any(axis=1)] = (1.0, 0.0)
    return np.column_stack([middles[2], out / np.hypot(*out.T)[:, None]])
