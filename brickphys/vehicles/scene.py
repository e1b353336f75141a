"""Scene: a field, what stands on it, which vehicle moves, and along which pieces, straight ones or turns.

The numbers of a scene file have the meaning and the defaults given here. No game uses them.
"""

from collections.abc import Collection, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property, lru_cache
from itertools import combinations
from math import atan2, degrees
from typing import Any, ClassVar

import numpy as np

from brickphys.errors import InvalidValueError, unknown
from brickphys.geometry import polygon
from brickphys.geometry.motion import Rotation, Translation
from brickphys.geometry.obstacles import Body, Prism, loose_parts
from brickphys.geometry.polygon import TOLERANCE
from brickphys.geometry.pose import Pose
from brickphys.geometry.shape import Part, Shape, border_rows, faults_of, name_twice
from brickphys.interface import Displayed, Row
from brickphys.text import counted, listed, shown
from brickphys.units import Array
from brickphys.vehicles.sectors import Scheme

STUDS_PER_SPEED = 5
"""The mover of a scene moves five studs a point of speed."""
MAX_SPEED = 12
"""The highest speed of a vehicle in a scene."""
FIGURE_STUDS = 1.0
"""Side of the square on which a figure stands."""
FIGURE_PLATES = 12.5
"""Top of a figure for which a scene gives none."""
VEHICLE_TOP_PLATES = 9.0
"""Top of a vehicle for which a scene gives none."""
DECOR_TOP_PLATES = 15.0
"""Top of decor for which a scene gives none."""
SMALLEST_STUDS = 0.001
LARGEST = 10_000.0
"""Studs or plates: beyond, floating point is too coarse for the tolerance of contacts."""
LIMITS = {
    "x_studs": ("x", -LARGEST, LARGEST),
    "y_studs": ("y", -LARGEST, LARGEST),
    "heading_deg": ("heading_deg", -36_000.0, 36_000.0),
    "length_studs": ("length", SMALLEST_STUDS, LARGEST),
    "width_studs": ("width", SMALLEST_STUDS, LARGEST),
    "height_studs": ("height", SMALLEST_STUDS, LARGEST),
    "bottom_plates": ("bottom", -LARGEST, LARGEST),
    "top_plates": ("top", -LARGEST, LARGEST),
    "speed": ("speed", 0, MAX_SPEED),
    "ahead_studs": ("ahead", SMALLEST_STUDS, LARGEST),
    "direction_deg": ("direction_deg", -36_000.0, 36_000.0),
    "turn_deg": ("turn_deg", -360.0, 360.0),
}
"""Attribute of a thing, of the bounds or of a piece -> its key in a scene file, its least and its largest value."""


def distance_studs(speed: int) -> float:
    """Return how far the mover of a scene moves at a speed."""
    return float(STUDS_PER_SPEED * speed)


@dataclass(frozen=True)
class Straight:
    """A straight piece of a course; the mover keeps its heading."""

    ahead_studs: float
    """How far."""
    direction_deg: float | None = None
    """Where to, counter-clockwise from +x, for a drift; along the heading if None."""

    def motion(self, pose: Pose) -> Translation:
        """Return the motion of a mover that is there."""
        if self.direction_deg is None:
            return Translation(self.ahead_studs, pose.heading)
        return Translation(self.ahead_studs, polygon.unit_vector(self.direction_deg))


@dataclass(frozen=True)
class PivotTurn:
    """A turn about a pivot."""

    turn_deg: float
    """How far, counter-clockwise, up to a full circle either way."""
    pivot_studs: polygon.Point = (0.0, 0.0)
    """How far the pivot is ahead and to the left of the mover's centre."""

    def motion(self, pose: Pose) -> Rotation:
        """Return the motion of a mover that is there."""
        return Rotation.by(pose.on_field(self.pivot_studs), self.turn_deg)


Piece = Straight | PivotTurn


@dataclass(frozen=True)
class TimedPiece:
    """A piece of a trajectory: a motion in time, or waiting."""

    piece: Piece | None
    """None if it only waits."""
    speed: float = 0.0
    """At its beginning, in studs or degrees a second."""
    acceleration: float = 0.0
    """In studs or degrees a second squared."""
    wait_s: float = 0.0


_LONGEST_ID = 100
_ROUNDING = 1e-9
"""Of the largest number of a covariance."""
Covariance = tuple[tuple[float, ...], ...]
"""Of x and y in studs and of the heading in degrees: three rows."""


class ThingType(Enum):
    """What can be hit, in the order in which simultaneous hits are listed."""

    UNIT = "unit"
    DECOR = "decor"
    VEHICLE = "vehicle"


ORDER = {kind: rank for rank, kind in enumerate(ThingType)}
"""Type -> its rank among simultaneous hits."""


@dataclass(frozen=True)
class Bounds:
    """The bounds of a field: a rectangle from the origin, in studs."""

    width_studs: float
    """Along x."""
    height_studs: float
    """Along y."""

    def contains(self, point_studs: polygon.Point) -> bool:
        """Tell whether a point lies on the field, its border included, up to the tolerance."""
        x, y = point_studs
        return (
            -TOLERANCE <= x <= self.width_studs + TOLERANCE
            and -TOLERANCE <= y <= self.height_studs + TOLERANCE
        )

    def without_rounding(self, point_studs: polygon.Point) -> polygon.Point:
        """Return a point beyond the border by no more than the tolerance on the border, any other as it is."""
        x, y = point_studs
        nearest = (min(max(x, 0.0), self.width_studs), min(max(y, 0.0), self.height_studs))
        return nearest if self.contains(point_studs) else point_studs

    def overlaps(self, footprint: polygon.Polygon) -> bool:
        """Tell whether a footprint covers any of the field by more than the tolerance."""
        width, height = self.width_studs, self.height_studs
        if any(
            TOLERANCE < x < width - TOLERANCE and TOLERANCE < y < height - TOLERANCE
            for x, y in footprint.vertices_studs.tolist()
        ):
            return True
        from brickphys.geometry.sweep import overlap  # Numba: only where no corner decides

        whole = polygon.rectangle(width / 2, height / 2, 0.0, width, height)
        return overlap(Prism(whole, 0.0, 1.0), Prism(footprint, 0.0, 1.0))


class Solid:
    """What fills a space: a prism, or several of a shape that is no convex polygon."""

    bottom_plates: float
    top_plates: float

    @property
    def shape(self) -> Shape | None:
        """Its outline on the field; None if that is a convex polygon."""
        return None

    def _footprint(self) -> polygon.Polygon:
        raise NotImplementedError

    @cached_property
    def prism(self) -> Prism:
        """The space that it fills; of a shape, that over the convex hull."""
        footprint = self._footprint()
        if self.shape:
            rings = [corner for prism in self.body for corner in prism.ring_studs.tolist()]
            footprint = polygon.convex_hull([(x, y) for x, y in rings])
        return Prism(footprint, self.bottom_plates, self.top_plates)

    @cached_property
    def body(self) -> Body:
        """The convex prisms that it fills."""
        if self.shape is None:
            return (self.prism,)
        heights = self.bottom_plates, self.top_plates
        return tuple(Prism(core.polygon, *heights, core.radius_studs) for core in self.shape.cores)

    @cached_property
    def border(self) -> Array:
        """Its real edges (`brickphys.geometry.border_kernel`)."""
        if self.shape:
            return self.shape.border
        corners = self.prism.footprint.vertices_studs
        return border_rows([corners], 0.0, [[0] * len(corners)])


@dataclass(frozen=True)
class Vehicle(Solid):
    """A vehicle: a rectangle about its centre, its length along the heading, or any other outline."""

    type: ClassVar = ThingType.VEHICLE
    id: str
    """Name, unique in a scene."""
    x_studs: float
    y_studs: float
    heading_deg: float
    """Counter-clockwise from +x."""
    length_studs: float
    width_studs: float
    bottom_plates: float = 0.0
    top_plates: float = VEHICLE_TOP_PLATES
    """Heights; a flyer's bottom is above 0."""
    speed: int = 0
    """0 to 12."""
    model: str | None = None
    """Name of the assembly that it is built as, which gives its mass and its looks; None if it has none."""
    parts: tuple[Part, ...] = ()
    """Its outline in its own frame, (ahead, left), if that is not the rectangle."""
    trajectory: tuple[TimedPiece, ...] = ()
    """What it does in time, for encounters of vehicles that both move; none for the move of the scene."""

    @property
    def centre_studs(self) -> polygon.Point:
        """Its centre."""
        return self.x_studs, self.y_studs

    @cached_property
    def heading(self) -> polygon.Point:
        """Unit vector of its heading."""
        return polygon.unit_vector(self.heading_deg)

    @cached_property
    def shape(self) -> Shape | None:
        """Its outline on the field; None if it is the rectangle."""
        pose = Pose(self.x_studs, self.y_studs, self.heading_deg)
        return _shape(self.parts).placed(pose) if self.parts else None

    def _footprint(self) -> polygon.Polygon:
        return polygon.rectangle(
            self.x_studs, self.y_studs, self.heading_deg, self.length_studs, self.width_studs
        )


_shape = lru_cache(maxsize=1024)(Shape.of)


@dataclass(frozen=True)
class Unit(Solid):
    """A figure: the square of one stud, along the axes of the field; its model is that of a minifig if None."""

    type: ClassVar = ThingType.UNIT
    id: str
    x_studs: float
    y_studs: float
    bottom_plates: float = 0.0
    top_plates: float = FIGURE_PLATES
    model: str | None = None

    @property
    def centre_studs(self) -> polygon.Point:
        """Its centre."""
        return self.x_studs, self.y_studs

    def _footprint(self) -> polygon.Polygon:
        return polygon.rectangle(self.x_studs, self.y_studs, 0.0, FIGURE_STUDS, FIGURE_STUDS)


@dataclass(frozen=True)
class Fixture(Solid):
    """Decor: a fixed thing (a wall, a tree, raised ground); a model is only its looks."""

    type: ClassVar = ThingType.DECOR
    id: str
    corners_studs: tuple[polygon.Point, ...]
    """Of its outline; empty if it has parts."""
    bottom_plates: float = 0.0
    top_plates: float = DECOR_TOP_PLATES
    model: str | None = None
    parts: tuple[Part, ...] = ()
    """Its outline, if that is more than a polygon without holes."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "corners_studs", polygon.open_ring(self.corners_studs))

    @property
    def outline(self) -> tuple[Part, ...]:
        """Its parts, or its polygon as one."""
        return self.parts or (Part((self.corners_studs,)),)

    @cached_property
    def shape(self) -> Shape | None:
        """Its outline; None if that is a convex polygon."""
        return None if self.is_convex else Shape.of(self.outline)

    @property
    def is_convex(self) -> bool:
        """Whether it is over a convex polygon."""
        return self._convex is not None

    @cached_property
    def _convex(self) -> polygon.Polygon | None:
        try:
            return None if self.parts else polygon.convex_polygon(self.corners_studs)
        except InvalidValueError:
            return None

    def _footprint(self) -> polygon.Polygon:
        return self._convex or polygon.Polygon(np.empty((0, 2)))

    @cached_property
    def heading_deg(self) -> float:
        """Direction of its first edge, counter-clockwise around it from its first corner: where its model looks.

        Decor of parts has none: 0.
        """
        if not self.corners_studs:
            return 0.0
        first, second, *_, last = self.corners_studs
        pairs = zip(self.corners_studs, (*self.corners_studs[1:], first), strict=True)
        area = sum(
            (a[0] - first[0]) * (b[1] - first[1]) - (a[1] - first[1]) * (b[0] - first[0])
            for a, b in pairs
        )
        ahead = second if area > 0 else last
        return degrees(atan2(ahead[1] - first[1], ahead[0] - first[0]))

    @staticmethod
    def filling(name: str, prism: Prism) -> "Fixture":
        """Return the thing that fills a prism; its footprint is not checked again, which would be slow."""
        corners = tuple((x, y) for x, y in prism.footprint.vertices_studs.tolist())
        fixture = Fixture(name, corners, prism.bottom_plates, prism.top_plates)
        fixture.__dict__["_convex"], fixture.__dict__["prism"] = prism.footprint, prism
        return fixture


Thing = Vehicle | Unit | Fixture


@dataclass(frozen=True, repr=False)
class Scene(Displayed):
    """A field with things on it, and the vehicle that moves.

    Raises InvalidValueError with every fault of `problems`.
    """

    bounds: Bounds
    mover_id: str
    """The vehicle that moves."""
    vehicles: tuple[Vehicle, ...]
    units: tuple[Unit, ...] = ()
    decor: tuple[Fixture, ...] = ()
    scheme: Scheme = Scheme.QUADRANT
    course: tuple[Piece, ...] = ()
    """The course of the mover; empty for the straight move by its speed."""
    lashed: tuple[str, ...] = ()
    """Other vehicles that move along with it as one body, and do not hit each other."""
    doubt: tuple[tuple[str, Covariance], ...] = ()
    """Things whose poses are in doubt, and the covariances of x, y (studs) and heading (degrees)."""

    @staticmethod
    def of(bounds: Bounds, mover_id: str, things: Collection[Thing], **more: Any) -> "Scene":
        """Return a scene of things of all types; `more` are its further fields."""
        vehicles = tuple(thing for thing in things if isinstance(thing, Vehicle))
        units = tuple(thing for thing in things if isinstance(thing, Unit))
        decor = tuple(thing for thing in things if isinstance(thing, Fixture))
        return Scene(bounds, mover_id, vehicles, units, decor, **more)

    def __post_init__(self) -> None:
        faults = self.problems()
        if faults:
            raise InvalidValueError(listed(faults))

    @cached_property
    def mover(self) -> Vehicle:
        """The vehicle that moves."""
        return next(vehicle for vehicle in self.vehicles if vehicle.id == self.mover_id)

    @property
    def lashed_vehicles(self) -> tuple[Vehicle, ...]:
        """The vehicles that move along with it."""
        return tuple(vehicle for vehicle in self.vehicles if vehicle.id in self.lashed)

    @property
    def moving(self) -> tuple[Vehicle, ...]:
        """The mover, and the vehicles that move along with it."""
        return (self.mover, *self.lashed_vehicles)

    @property
    def in_time(self) -> tuple[Vehicle, ...]:
        """The vehicles that have a trajectory."""
        return tuple(vehicle for vehicle in self.vehicles if vehicle.trajectory)

    @property
    def things(self) -> tuple[Thing, ...]:
        """Everything on the field: units, decor, vehicles."""
        return (*self.units, *self.decor, *self.vehicles)

    def line(self) -> str:
        """Return one line: the size of the field, and the number of things on it."""
        many = [counted(len(self.vehicles), "vehicle"), counted(len(self.units), "unit")]
        many.append(f"{len(self.decor)} of decor")
        size = f"{self.bounds.width_studs:g} x {self.bounds.height_studs:g} studs"
        return f"scene of {size}: {', '.join(many)}; {self.mover_id} moves"

    def rows(self) -> list[Row]:
        """Return everything on the field: the middle of its footprint and its heights."""
        found: list[Row] = []
        for thing in self.things:
            x_studs, y_studs = thing.prism.footprint.centroid_studs.tolist()
            found.append(
                {
                    "id": thing.id,
                    "kind": thing.type.value,
                    "x_studs": x_studs,
                    "y_studs": y_studs,
                    "bottom_plates": thing.prism.bottom_plates,
                    "top_plates": thing.prism.top_plates,
                }
            )
        return found

    def problems(self) -> list[str]:
        """Return every fault, each with its key path in a scene file and the id of the thing (empty: none)."""
        found = list(_range_problems("field", self.bounds))
        bounds = None if found else self.bounds
        places: dict[str, str] = {}
        numbered: list[tuple[int, Thing]] = [
            *enumerate(self.units),
            *enumerate(self.decor),
            *enumerate(self.vehicles),
        ]
        for number, thing in numbered:
            place = f"{thing.type.value}[{number}]"
            faults = list(_thing_problems(place, thing, bounds))
            if places.setdefault(thing.id, place) != place:
                faults.append(f"{place}.id: {thing.id!r} is also the id of {places[thing.id]}")
            found += [f"{fault} (id {shown(thing.id)})" for fault in faults]
        names = [vehicle.id for vehicle in self.vehicles]
        if self.mover_id not in names:
            found.append(f"move.vehicle: {unknown('vehicle', self.mover_id, names)}")
        found += _lashed_problems(self.mover_id, self.lashed, names)
        for number, piece in enumerate(self.course):
            found += _piece_problems(f"move.piece[{number}]", piece)
        found += _doubt_problems(self)
        found += _trajectory_problems(self.in_time, self.lashed)
        if not found and (loose := loose_problem(self.moving)):
            found.append(f"move.lashed: {loose}")
        return found or list(_start_problems(self.in_time))


def with_mover(scene: Scene, mover: Vehicle) -> Scene:
    """Return a scene with another pose or speed of its mover, which alone is checked again."""
    there = tuple(mover if one.id == scene.mover_id else one for one in scene.vehicles)
    if scene.lashed or scene.in_time or [*_thing_problems("", mover, scene.bounds)]:
        return replace(scene, vehicles=there)  # InvalidValueError if it has a fault
    found = copy(scene)
    vars(found).update(vehicles=there, mover=mover)
    return found


def loose_problem(parts: Sequence[Vehicle]) -> str | None:
    """Return that vehicles do not move as one, since some of them do not hang together with the first; else None."""
    loose = loose_parts(tuple(part.prism for part in parts))  # a shape joins by its hull
    names = " and ".join(repr(parts[number].id) for number in loose)
    return f"{parts[0].id!r} falls apart: nothing joins {names} to it" if loose else None


def _lashed_problems(mover_id: str, lashed: Sequence[str], names: Collection[str]) -> Iterator[str]:
    """Yield which vehicles cannot be lashed to the mover."""
    for number, name in enumerate(lashed):
        if name not in names:
            yield f"move.lashed[{number}]: {unknown('vehicle', name, names)}"
        elif name == mover_id or name in lashed[:number]:
            yield f"move.lashed[{number}]: {name!r} is lashed to it already"


def _trajectory_problems(vehicles: Sequence[Vehicle], lashed: Sequence[str]) -> Iterator[str]:
    if len(vehicles) == 1:
        yield f"vehicle.trajectory: only {vehicles[0].id!r} has one; in an encounter two move"
    if vehicles and lashed:
        yield "move.lashed: where vehicles have trajectories, none is lashed"
    for vehicle in vehicles:
        for number, timed in enumerate(vehicle.trajectory):
            place = f"vehicle.trajectory[{number}] of {vehicle.id!r}"
            faults = [] if timed.piece is None else list(_piece_problems(place, timed.piece))
            yield from faults
            if not faults and (fault := _pace_problem(timed)):
                yield f"{place}: {fault}"


def _pace_problem(timed: TimedPiece) -> str | None:
    from brickphys.geometry.many.encounters import pace_problem  # only where there is time

    extent = 0.0
    if timed.piece is not None:
        extent = timed.piece.motion(Pose(0.0, 0.0, 0.0)).extent
    return pace_problem(extent, timed.speed, timed.acceleration, timed.wait_s)


def _start_problems(vehicles: Sequence[Vehicle]) -> Iterator[str]:
    """Yield which vehicles with trajectories overlap already."""
    from brickphys.geometry.sweep import overlap  # Numba: only where there is time

    for one, other in combinations(vehicles, 2):
        if any(overlap(part, their) for part in one.body for their in other.body):
            yield f"vehicle.trajectory: {one.id!r} and {other.id!r} overlap at the start"


def covariance_of(value: Any) -> Covariance:
    """Return a covariance of x, y and heading, given as such or as three standard deviations.

    InvalidValueError if it is none, with the reason.
    """
    try:
        found = np.array(value, dtype=float)
    except (TypeError, ValueError):
        found = np.empty(0)
    if found.shape not in ((3,), (3, 3)) or not np.isfinite(found).all():
        raise InvalidValueError(
            f"{shown(value)} is neither 3 standard deviations nor 3 x 3 numbers"
        )
    if found.ndim == 1:
        if (found < 0.0).any():
            raise InvalidValueError(f"standard deviation {found.min():g} is below 0")
        found = np.diag(found * found)
    scale = np.abs(found).max()
    if (np.abs(found - found.T) > _ROUNDING * scale).any():
        raise InvalidValueError("the covariance is not symmetric")
    if (least := float(np.diag(found).min())) < 0.0:
        raise InvalidValueError(f"variance {least:g} is below 0")
    if np.linalg.eigvalsh(found).min() < -_ROUNDING * scale:
        raise InvalidValueError("the covariance is not positive semidefinite")
    return tuple(tuple(row) for row in found.tolist())


def _doubt_problems(scene: Scene) -> Iterator[str]:
    known = [thing.id for thing in scene.things if thing.id not in scene.lashed]
    for name, _ in scene.doubt:
        if name in scene.lashed:
            yield f"doubt.{name}: it moves with {scene.mover_id!r}, whose doubt counts"
        elif name not in known:
            yield f"doubt: {unknown('thing', name, known)}"


def _thing_problems(place: str, thing: Thing, bounds: Bounds | None) -> Iterator[str]:
    """Yield what is wrong with one thing; without bounds it is not asked whether it is on the field."""
    if not (0 < len(thing.id.strip()) <= _LONGEST_ID and thing.id.isprintable()):
        yield f"{place}.id: {shown(thing.id)} is not 1 to {_LONGEST_ID} printable characters, not only blanks"
    if thing.model is not None:
        yield from _model_problems(place, thing.type, thing.model)
    if thing.top_plates <= thing.bottom_plates:
        yield f"{place}.top: {thing.top_plates:g} is not above bottom, {thing.bottom_plates:g}"
    shape = list(_range_problems(place, thing))
    if not isinstance(thing, Unit):
        shape += _outline_problems(place, thing)
    yield from shape
    if not shape and bounds and not _is_on(bounds, thing):
        size = f"{bounds.width_studs:g} x {bounds.height_studs:g}"
        yield f"{place}: outside the field of {size} studs"


def _piece_problems(place: str, piece: Piece) -> Iterator[str]:
    """Yield what is wrong with a piece of a course."""
    yield from _range_problems(place, piece)
    if isinstance(piece, PivotTurn):
        if abs(piece.turn_deg) <= TOLERANCE:
            yield f"{place}.turn_deg: a turn of 0 degrees"
        far = max(map(abs, piece.pivot_studs))
        if not far <= LARGEST:
            yield f"{place}.pivot: {far:g} is beyond {LARGEST:g}"


def _range_problems(place: str, what: Thing | Bounds | Piece) -> Iterator[str]:
    """Yield the numbers that are out of their range; NaN is."""
    for name, value in vars(what).items():
        if name in LIMITS and value is not None:
            key, low, high = LIMITS[name]
            if not low <= value <= high:
                yield f"{place}.{key}: {value!r} is not from {low:g} to {high:g}"


def _outline_problems(place: str, thing: Vehicle | Fixture) -> Iterator[str]:
    """Yield corners out of their range; if there are none, how they bound no area."""
    if isinstance(thing, Fixture) and not thing.parts:
        place = f"{place}.polygon"
    parts = thing.outline if isinstance(thing, Fixture) else thing.parts
    far = [
        f"{place}[{number}]: {corner} is beyond {LARGEST:g}"
        for part in parts
        for corners in (*part.rings, part.spine_studs)
        for number, corner in enumerate(corners)
        if not all(abs(each) + part.radius_studs <= LARGEST for each in corner)
    ]
    is_plain = isinstance(thing, Vehicle) and not parts
    yield from far
    if twice := name_twice([part.name for part in parts]):
        yield f"{place}.part: {twice}"
    if not (far or is_plain or (isinstance(thing, Fixture) and thing.is_convex)):
        yield from (f"{place}: {fault}" for fault in faults_of(parts))


def _is_on(bounds: Bounds, thing: Thing) -> bool:
    """Tell whether decor covers some of the field, or anything else has its centre on it."""
    if isinstance(thing, Fixture):
        return any(bounds.overlaps(polygon.Polygon(prism.ring_studs)) for prism in thing.body)
    return bounds.contains(thing.centre_studs)


def _model_problems(place: str, kind: ThingType, model: str) -> Iterator[str]:
    """Yield that a model is unknown, or of another type of thing."""
    from brickphys.shapes.assembly import assembly, assembly_names  # loads pydantic

    wanted = "figure" if kind is ThingType.UNIT else kind.value
    known = [name for name in assembly_names() if assembly(name).kind == wanted]
    if model not in known:
        yield f"{place}.model: {unknown(f'model of a {wanted}', model, known)}"
