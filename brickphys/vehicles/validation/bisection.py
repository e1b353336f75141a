"""Bisection: finds contacts by bisection with another library's geometry, independent of the code under test.

A leg is a piece of a course in complex numbers. The area that a footprint sweeps on a straight way is the convex hull
of the footprint at both ends; in a turn no point of it is farther from that hull than the arc of a corner rises above
its chord. If that area is clear of an obstacle, whose distance GEOS computes, so is that part of the way; if not, the
part is halved, until it is a point. Outlines of any form are taken whole, as the scene file gives them: such a mover
sweeps what it covers at first, and what each of its edges sweeps. Whether there is a hit at all is asked with a
footprint that is smaller by the tolerance of contacts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from brickphys.errors import needing
from brickphys.geometry.polygon import TOLERANCE, Point
from brickphys.units import Array
from brickphys.vehicles.scene import (
    FIGURE_STUDS,
    Fixture,
    Piece,
    Scene,
    Straight,
    Thing,
    Unit,
    Vehicle,
)

Corners = npt.NDArray[np.complex128]


@dataclass(frozen=True)
class Leg:
    """A piece of a course of a scene."""

    scene: Scene
    number: int
    """Which piece, from 0."""
    piece: Piece
    centre: complex
    heading_deg: float
    """The pose of the mover before it."""
    besides: frozenset[str] = frozenset()
    """Names of what has been hit before."""

    @staticmethod
    def first(scene: Scene, piece: Piece) -> "Leg":
        """Return the first leg of a scene."""
        mover = scene.mover
        return Leg(scene, 0, piece, complex(mover.x_studs, mover.y_studs), mover.heading_deg)

    def next(self, piece: Piece, hit: frozenset[str]) -> "Leg":
        """Return the leg after this one, which is done whole and hits these things."""
        centre, heading = self.after(1.0)
        return Leg(self.scene, self.number + 1, piece, centre, heading, self.besides | hit)

    @property
    def extent(self) -> float:
        """Its length in studs, or its angle in degrees."""
        piece = self.piece
        return piece.ahead_studs if isinstance(piece, Straight) else abs(piece.turn_deg)

    @cached_property
    def path(self) -> complex:
        """Its shift; 0 for a turn."""
        if not isinstance(self.piece, Straight):
            return 0j
        way = self.piece.direction_deg
        return self.piece.ahead_studs * _unit(self.heading_deg if way is None else way)

    @cached_property
    def angle_rad(self) -> float:
        """Its turn; 0 if it is straight."""
        return 0.0 if isinstance(self.piece, Straight) else float(np.radians(self.piece.turn_deg))

    @cached_property
    def pivot(self) -> complex:
        """What it turns about; 0 if it is straight."""
        if isinstance(self.piece, Straight):
            return 0j
        return self.centre + complex(*self.piece.pivot_studs) * _unit(self.heading_deg)

    def after(self, share: float) -> tuple[complex, float]:
        """Return the centre and the heading of the mover after a share of it."""
        return self.moved(self.centre, share), self.heading_deg + float(
            np.degrees(self.angle_rad * share)
        )

    def moved(self, point: complex, share: float) -> complex:
        """Return where a point of the mover is after a share of it."""
        turn = np.exp(1j * self.angle_rad * share)
        return complex(self.pivot + (point - self.pivot) * turn + self.path * share)

    def way(self, point: complex) -> complex:
        """Return in which direction a point of the mover moves while it is there; of any length, 0 at the pivot."""
        return self.path if self.path else 1j * self.angle_rad * (point - self.pivot)

    def parts(self, less_studs: float) -> Iterator[Corners]:
        """Yield the corners of each vehicle that moves, complex, of shape (4,), its sides moved inward by a length."""
        scene = self.scene
        for vehicle in scene.moving:
            own = _corners(vehicle, less_studs) - complex(*scene.mover.centre_studs)
            yield self.centre + own * _unit(self.heading_deg - scene.mover.heading_deg)

    def cores(self, part: int) -> list["Core"]:
        """Return the parts of one vehicle that moves, as `cores_of` does, where it is before the leg."""
        mover = self.scene.mover
        turn = _unit(self.heading_deg - mover.heading_deg)
        shift = self.centre - complex(*mover.centre_studs) * turn
        return [
            (shapely().transform(core, lambda flat: _turned(flat, turn, shift)), radius)
            for core, radius in cores_of(self.scene.moving[part])
        ]


def _corners(vehicle: Vehicle, less_studs: float) -> Corners:
    ahead = vehicle.length_studs / 2 - less_studs
    left = vehicle.width_studs / 2 - less_studs
    flat = np.array([ahead + 1j * left, -ahead + 1j * left, -ahead - 1j * left, ahead - 1j * left])
    corners: Corners = complex(*vehicle.centre_studs) + flat * _unit(vehicle.heading_deg)
    return corners


def _unit(angle_deg: float) -> complex:
    return complex(np.exp(1j * np.radians(angle_deg)))


Shapes = npt.NDArray[Any]
"""Arrays of shapely's geometries."""

UNDECIDED = (0.7, 1.01)
"""Shares of the tolerance: an overlap between these is too near to it for this method, and is called undecided.

If the sides of a rectangle are moved inward by 0.7 of the tolerance, its corners move by up to 0.99 of it.
"""
ROUNDING_STUDS = 1e-12
"""Far above the rounding of sums, far below the tolerance."""
_LEAST_SHARE = 2.0**-52
"""Of a path: less than the spacing of floating point numbers."""
_WIDEST_RAD = 0.25
"""A turn is looked at in parts of this angle, and smaller ones."""
_MOST_PARTS = 5000
_PROBES = 9
"""Places at which a mover is looked at that seems to touch all the while."""


def shapely() -> ModuleType:
    """Import shapely; MissingExtraError if it is not installed."""
    with needing("validation", "shapely"):
        import shapely as module
    return module  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Meeting:
    """The first meeting of a mover with one thing, if nothing stopped it before."""

    is_hit: bool | None
    """Whether they overlap by more than the tolerance somewhere on the leg; None if undecided."""
    at: float
    """How far the leg has come when they first touch, in studs or degrees; NaN without a hit."""
    overlaps_at_start: bool
    """Whether they overlap when the leg begins."""


@dataclass(frozen=True, eq=False)
class Paths:
    """Many paths of rectangles, straight or turns."""

    corners_studs: Corners
    """Corners of each where it starts, shape (n, 4)."""
    path_studs: Corners
    """Its whole shift, shape (n,); 0 for a turn."""
    pivot_studs: Corners
    """What it turns about, shape (n,); 0 if it is straight."""
    angle_rad: Array
    """Its whole turn, shape (n,); 0 if it is straight."""
    radii_studs: Array
    """By which it and its obstacle are rounded, shape (n,)."""

    @classmethod
    def of(cls, legs: Sequence[Leg], outlines: Sequence[Any], radii_studs: Sequence[float]) -> Self:
        """Return the paths of some parts of movers, each on a leg."""
        return cls(
            cls.read(outlines),
            np.array([leg.path for leg in legs], dtype=complex),
            np.array([leg.pivot for leg in legs], dtype=complex),
            np.array([leg.angle_rad for leg in legs]),
            np.array(radii_studs, dtype=float),
        )

    @staticmethod
    def read(outlines: Sequence[Any]) -> Any:
        """Return outlines as an array."""
        return np.array(outlines, dtype=complex).reshape(-1, 4)

    def __getitem__(self, which: npt.NDArray[Any]) -> Self:
        """Return some of them."""
        return type(self)(
            self.corners_studs[which],
            self.path_studs[which],
            self.pivot_studs[which],
            self.angle_rad[which],
            self.radii_studs[which],
        )

    def there(self, shares: Array) -> Corners:
        """Return the corners after a share of each path, shape (n, 4)."""
        pivot, turn = self.pivot_studs[:, None], np.exp(1j * self.angle_rad * shares)[:, None]
        corners: Corners = pivot + (self.corners_studs - pivot) * turn
        return corners + (self.path_studs * shares)[:, None]

    def gaps_studs(self, starts: Array, ends: Array, others: Shapes) -> Array:
        """Return how far obstacles are at least from the areas swept between two shares of each path, shape (n,)."""
        points = np.hstack([self.there(starts), self.there(ends)])
        module = shapely()
        members = np.repeat(np.arange(len(points)), points.shape[1])
        flat = np.column_stack([points.real.ravel(), points.imag.ravel()])
        hulls = module.convex_hull(module.multipoints(flat, indices=members))
        radii = np.abs(self.corners_studs - self.pivot_studs[:, None]).max(axis=1)
        rises = radii * (1 - np.cos(self.angle_rad * (ends - starts) / 2))
        gaps: Array = module.distance(hulls, others) - rises - self.radii_studs
        return gaps


class ShapePaths(Paths):
    """Paths of outlines of any form: their shapes and their edges, shape (n,), in place of their corners.

    What an outline sweeps is what it covers at first, and what its edges sweep.
    """

    @staticmethod
    def read(outlines: Sequence[Any]) -> Any:
        found = np.empty(len(outlines), object)
        for number, shape in enumerate(outlines):
            found[number] = (shape, _edges(shape))
        return found

    def gaps_studs(self, starts: Array, ends: Array, others: Shapes) -> Array:
        module = shapely()
        sizes = [len(edges) for _, edges in self.corners_studs]
        of = np.repeat(np.arange(len(sizes)), sizes)
        edges = np.concatenate([np.empty((0, 2)), *(edges for _, edges in self.corners_studs)])
        points = np.hstack([self._moved(edges, of, share) for share in (starts, ends)])
        spread = np.column_stack([points.real.ravel(), points.imag.ravel()])
        members = np.repeat(np.arange(len(of)), points.shape[1])
        swept = module.convex_hull(module.multipoints(spread, indices=members))
        shapes = np.array([shape for shape, _ in self.corners_studs], dtype=object)
        flat, whose = module.get_coordinates(shapes, return_index=True)
        there = self._moved((flat[:, 0] + 1j * flat[:, 1])[:, None], whose, starts)[:, 0]
        first = module.set_coordinates(shapes, np.column_stack([there.real, there.imag]))
        gaps: Array = module.distance(first, others)
        np.minimum.at(gaps, of, module.distance(swept, others[of]))
        arms = np.zeros(len(sizes))
        np.maximum.at(arms, of, np.abs(edges - self.pivot_studs[of, None]).max(axis=1))
        rises = arms * (1 - np.cos(self.angle_rad * (ends - starts) / 2))
        gaps -= rises + self.radii_studs
        return gaps

    def _moved(self, points: Corners, of: npt.NDArray[Any], shares: Array) -> Corners:
        """Return points of some outlines, shape (k, m), after a share of the path of each."""
        turn, pivot = np.exp(1j * self.angle_rad * shares)[of, None], self.pivot_studs[of, None]
        moved: Corners = pivot + (points - pivot) * turn
        return moved + (self.path_studs * shares)[of, None]


def _edges(shape: Any) -> Corners:
    """Return the ends of the edges of a geometry, shape (k, 2); of a point that point twice."""
    lines = [shape.exterior, *shape.interiors] if shape.geom_type == "Polygon" else [shape]
    ends = []
    for line in lines:
        corners = [complex(x, y) for x, y in line.coords]
        ends += list(zip(corners, corners[1:] or corners, strict=False))
    return np.array(ends)


Core = tuple[Any, float]
"""Shapely's geometry of a part of an outline, and the radius by which it is rounded."""


def cores_of(thing: Thing) -> list[Core]:
    """Return the parts of a thing as its scene file gives them: whole polygons, points and lines."""
    if not thing.shape or isinstance(thing, Unit):
        return [(footprint(thing), 0.0)]
    parts = thing.outline if isinstance(thing, Fixture) else thing.parts
    found = [(_core(part.rings, part.spine_studs), part.radius_studs) for part in parts]
    if isinstance(thing, Fixture):
        return found
    turn = _unit(thing.heading_deg)
    return [
        (
            shapely().transform(
                core, lambda flat: _turned(flat, turn, complex(*thing.centre_studs))
            ),
            r,
        )
        for core, r in found
    ]


def _core(rings: Sequence[Sequence[Point]], spine: Sequence[Point]) -> Any:
    module = shapely()
    if rings:
        return module.Polygon(rings[0], rings[1:])
    return module.Point(spine[0]) if len(spine) == 1 else module.LineString(spine)


def _turned(flat: Array, turn: complex, shift: complex) -> Array:
    """Return points, shape (n, 2), times a turn and shifted."""
    points = (flat[:, 0] + 1j * flat[:, 1]) * turn + shift
    return np.column_stack([points.real, points.imag])


def _inset(core: Core, by_studs: float) -> Core:
    """Return a part with its edge moved inward."""
    shape, radius = core
    if radius or not by_studs:
        return shape, radius - by_studs
    return shape.buffer(-by_studs, join_style="mitre", mitre_limit=100.0), 0.0


def footprint(thing: Thing) -> Any:
    """Return shapely's polygon of a thing."""
    corners = corners_of(thing)
    return shapely().Polygon(np.column_stack([corners.real, corners.imag]))


def corners_of(thing: Thing) -> Corners:
    """Return the corners of a thing, as its scene file gives them."""
    if isinstance(thing, Fixture):
        return np.array([complex(x, y) for x, y in thing.corners_studs])
    turn, length, width = 1.0 + 0j, FIGURE_STUDS, FIGURE_STUDS
    if not isinstance(thing, Unit):
        turn = np.exp(1j * np.radians(thing.heading_deg))
        length, width = thing.length_studs, thing.width_studs
    square = np.array([1 + 1j, -1 + 1j, -1 - 1j, 1 - 1j])
    placed: Corners = (square.real * length + 1j * square.imag * width) / 2 * turn
    return placed + complex(*thing.centre_studs)


class _Row(NamedTuple):
    """A question: whether a part of a mover meets a part of a thing."""

    leg: int
    part: int
    """Which vehicle of the mover."""
    core: int
    """Which part of that."""
    thing: Thing
    other: Core


def meetings(legs: Sequence[Leg]) -> list[dict[str, Meeting]]:
    """Return, for each leg, what its mover meets there, by name."""
    cores = {id(thing): cores_of(thing) for leg in legs for thing in leg.scene.things}
    rows = [
        _Row(number, part, core, thing, other)
        for number, leg in enumerate(legs)
        for part, vehicle in enumerate(leg.scene.moving)
        for thing in _others(leg)
        if _levels_meet(vehicle, thing)
        for core in range(len(cores[id(vehicle)]))
        for other in cores[id(thing)]
    ]
    found: list[dict[str, Meeting]] = [{} for _ in legs]
    groups: dict[tuple[bool, bool], list[_Row]] = {}
    for row in rows:
        shapes = (legs[row.leg].scene.moving[row.part].shape, row.thing.shape)
        groups.setdefault((shapes[0] is not None, shapes != (None, None)), []).append(row)
    for (_, has_dents), some in groups.items():
        # in a dent a mover slides along one side until it meets the other: only overlaps count there
        less_studs = ROUNDING_STUDS / 2 if has_dents else 0.0
        for row, met in zip(some, _met(legs, some, less_studs), strict=True):
            if met:
                found[row.leg][row.thing.id] = _first(found[row.leg].get(row.thing.id), met)
    return found


def _met(legs: Sequence[Leg], rows: Sequence[_Row], less_studs: float) -> list[Meeting | None]:
    """Return what questions come to; None where nothing is met.

    All movers are shapes, or none is. Touches are those of a mover whose sides are moved inward by `less_studs`.
    """
    found: list[Meeting | None] = [None] * len(rows)
    others = np.array([row.other[0] for row in rows], dtype=object)
    sure, maybe, whole = (
        _paths(legs, rows, inward)
        for inward in (*(share * TOLERANCE for share in UNDECIDED[::-1]), less_studs)
    )
    deep = first_shares(maybe, others)
    possible = np.flatnonzero(~np.isnan(deep))
    zeros = np.zeros(len(possible))
    starts = maybe[possible].gaps_studs(zeros, zeros, others[possible]) <= 0
    hits = ~np.isnan(first_shares(sure[possible], others[possible]))
    shares = _touches_before(whole[possible], others[possible], deep[possible])
    for row, hit, share, start in zip(possible.tolist(), hits, shares, starts, strict=True):
        extent = legs[rows[row].leg].extent
        found[row] = Meeting(bool(hit) or None, float(share) * extent, bool(start))
    return found


def _touches_before(paths: Paths, others: Shapes, deep: Array) -> Array:
    """Return the share of each path at which the touch begins that leads to an overlap at a given share, shape (n,).

    In a turn footprints may touch and part before that. So the mover goes back from the overlap, ever farther, until it
    is clear of the obstacle, and forth from there.
    """
    first = first_shares(paths, others)
    clear, left = first.copy(), np.flatnonzero(paths.angle_rad)
    back = 2.0**-44
    while len(left) and back < 2:
        probes = np.maximum(deep[left] - back, first[left])
        parted = paths[left].gaps_studs(probes, probes, others[left]) > ROUNDING_STUDS
        clear[left[parted]] = probes[parted]
        left = left[~parted & (probes > first[left])]
        back *= 2
    return first_shares(paths, others, clear)


def first_shares(paths: Paths, others: Shapes, since: Array | None = None) -> Array:
    """Return the share of each path after which the mover first touches its obstacle, shape (n,); NaN if it does not.

    Shares before `since` are left out. A part of a path that is clear is left behind, and a part twice as long is
    looked at; else one half as long is.
    """
    turns = np.abs(paths.angle_rad)
    widest = np.minimum(1.0, _WIDEST_RAD / np.where(turns > 0, turns, _WIDEST_RAD))
    low = np.zeros(len(others)) if since is None else since.copy()
    width, found = widest.copy(), np.full(len(others), np.nan)
    left = np.arange(len(others))
    for _ in range(_MOST_PARTS):
        if not len(left):
            return found
        starts, ends = low[left], np.minimum(low[left] + width[left], 1.0)
        clear = paths[left].gaps_studs(starts, ends, others[left]) > 0
        ends_here = ~clear & (ends - starts <= _LEAST_SHARE)
        found[left[ends_here]] = starts[ends_here]
        low[left] = np.where(clear, ends, starts)
        width[left] = np.where(clear, np.minimum(2 * width[left], widest[left]), width[left] / 2)
        left = left[~ends_here & ~(clear & (ends >= 1.0))]
    found[left] = low[left]  # a graze so long that it counts as a touch
    return found


def is_touching(leg: Leg, thing: Thing, low: float, high: float) -> bool:
    """Tell whether a mover only touches a thing, up to rounding, from one place on a leg to another."""
    places = np.linspace(low, high, _PROBES).tolist()
    gaps = [apart(leg, thing, place, None)[0] for place in places]
    inset = [_least(_there(leg, place, ROUNDING_STUDS), cores_of(thing)) for place in places]
    return max(gaps) <= ROUNDING_STUDS and min(inset) > 0


def _least(some: Sequence[Core], others: Sequence[Core]) -> float:
    """Return how far parts are apart from others."""
    return float(min(a.distance(b) - r - q for a, r in some for b, q in others))


def common_centre(
    leg: Leg, part: int, thing: Thing, at: float, largest_studs: float
) -> complex | None:
    """Return the centre of what a part of a mover has in common with a thing at a place on a leg.

    None if that is thinner than a tenth of the tolerance, since rounding decides the centre of so thin a sliver; and if
    it is larger than a limit.
    """
    ours, theirs = part_at(leg, part, at, 0.0), cores_of(thing)
    if len(ours) + len(theirs) > 2 or ours[0][1] + theirs[0][1] > 0.0:
        return None
    common = shapely().intersection(ours[0][0], theirs[0][0])
    if common.geom_type != "Polygon":
        return None
    if common.area <= TOLERANCE / 10 * common.length or common.length > largest_studs:
        return None
    return complex(common.centroid.x, common.centroid.y)


def apart(leg: Leg, thing: Thing, at: float, point: complex | None) -> tuple[float, float]:
    """Return how far a point is from a mover at a place on a leg, and from a thing; without one, from each other."""
    there, other = _there(leg, at, 0.0), cores_of(thing)
    if point is None:
        return (max(_least(there, other), 0.0),) * 2
    spot = [(shapely().Point(point.real, point.imag), 0.0)]
    return max(_least(there, spot), 0.0), max(_least(other, spot), 0.0)


def nearest(core: Any, point: complex) -> tuple[float, float]:
    """Return the point of a geometry that is nearest to a point."""
    line = shapely().shortest_line(core, shapely().Point(point.real, point.imag))
    x, y = line.coords[0]
    return x, y


def border(leg: Leg) -> float | None:
    """Return how far a leg comes before the centre of its mover leaves the field; None if that stays on it."""
    if _first_beyond(leg, TOLERANCE) is None:
        return None
    # grown by rounding, or a path along the border would be off the field at once
    share = _first_beyond(leg, ROUNDING_STUDS)
    return None if share is None else share * leg.extent


def _first_beyond(leg: Leg, by_studs: float) -> float | None:
    """Return the share of a leg after which its centre is off the field by more than this; None if it never is."""
    bounds, radius = leg.scene.bounds, abs(leg.centre - leg.pivot)
    size = (bounds.width_studs, bounds.height_studs)

    def room(share: float) -> float:
        x, y = (part(leg.moved(leg.centre, share)) for part in (np.real, np.imag))
        return float(min(x, size[0] - x, y, size[1] - y)) + by_studs

    widest = min(1.0, _WIDEST_RAD / abs(leg.angle_rad)) if leg.angle_rad else 1.0
    low, width = 0.0, widest
    for _ in range(_MOST_PARTS):
        end = min(low + width, 1.0)
        rise = radius * (1 - np.cos(leg.angle_rad * (end - low) / 2))
        if min(room(low), room(end)) >= rise:
            if end >= 1.0:
                return None
            low, width = end, min(2 * width, widest)
        elif width <= _LEAST_SHARE:
            return low
        else:
            width /= 2
    return None


def _paths(legs: Sequence[Leg], rows: Sequence[_Row], less_studs: float) -> Paths:
    """Return the paths of parts of movers, their sides moved inward by a length; all are shapes, or none is."""
    some = [legs[row.leg] for row in rows]
    if legs[rows[0].leg].scene.moving[rows[0].part].shape is None:
        corners = [list(leg.parts(less_studs)) for leg in legs]
        ours = [corners[row.leg][row.part] for row in rows]
        return Paths.of(some, ours, [row.other[1] for row in rows])
    cores = [
        _inset(leg.cores(row.part)[row.core], less_studs)
        for leg, row in zip(some, rows, strict=True)
    ]
    radii = [core[1] + row.other[1] for core, row in zip(cores, rows, strict=True)]
    return ShapePaths.of(some, [core[0] for core in cores], radii)


def _there(leg: Leg, at: float, less_studs: float) -> list[Core]:
    """Return the parts of a mover at a place on a leg, their sides moved inward by a length."""
    many = range(1 + len(leg.scene.lashed))
    return [core for part in many for core in part_at(leg, part, at, less_studs)]


def part_at(leg: Leg, part: int, at: float, less_studs: float) -> list[Core]:
    """Return the parts of one vehicle of a mover at a place on a leg, their sides moved inward by a length."""
    return [
        (shapely().transform(_inset(core, less_studs)[0], lambda flat: _moved(leg, flat, at)),
         _inset(core, less_studs)[1])
        for core in leg.cores(part)
    ]  # fmt: skip


def _moved(leg: Leg, flat: Array, at: float) -> Array:
    points = [leg.moved(complex(x, y), at / leg.extent) for x, y in flat.tolist()]
    return np.array([(point.real, point.imag) for point in points])


def _others(leg: Leg) -> Iterator[Thing]:
    """Yield what a leg may still hit."""
    own = {leg.scene.mover_id, *leg.scene.lashed, *leg.besides}
    yield from (thing for thing in leg.scene.things if thing.id not in own)


def _first(one: Meeting | None, other: Meeting) -> Meeting:
    """Return the earlier of the meetings of two parts with a thing; a sure hit if one of them is."""
    if one is None:
        return other
    if bool(one.is_hit) != bool(other.is_hit):
        return one if one.is_hit else other
    first = min(one, other, key=lambda meeting: meeting.at)
    return Meeting(one.is_hit, first.at, one.overlaps_at_start or other.overlaps_at_start)


def _levels_meet(mover: Vehicle, thing: Thing) -> bool:
    """Tell whether two things share a height."""
    top = min(mover.top_plates, thing.top_plates)
    return top - max(mover.bottom_plates, thing.bottom_plates) > TOLERANCE
