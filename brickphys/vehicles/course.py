"""Course: moves a body along straight pieces and turns, and lists what it hits in order; no dice.

The things on a field are prepared once for many moves among them. A compulsory move goes straight ahead (BOW 3.3). The
move of a scene follows the rules of scene files, those of BOW (3.2, 3.3, 3.6).
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, degrees
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from brickphys.errors import InvalidValueError
from brickphys.geometry.motion import ContactPoint, Motion, Touch, Translation
from brickphys.geometry.obstacles import Body, Obstacles
from brickphys.geometry.polygon import TOLERANCE, Point
from brickphys.geometry.pose import Pose, bearing_deg
from brickphys.geometry.shape import border_rows
from brickphys.interface import no_attribute
from brickphys.units import Array
from brickphys.vehicles.scene import (
    ORDER,
    Bounds,
    Piece,
    Scene,
    Straight,
    Thing,
    ThingType,
    Vehicle,
    distance_studs,
    loose_problem,
)
from brickphys.vehicles.sectors import Scheme, Sector, facing_edge, sector


@dataclass(frozen=True, eq=False)
class NamedObstacles:
    """Everything that a mover may hit; a mover among it does not hit itself."""

    bounds: Bounds
    things: tuple[Thing, ...]
    """What stands there, each with a name of its own."""
    prisms: Obstacles
    """The prisms of the things, in the same order."""
    owners: tuple[int, ...]
    """Which of the things each prism is of."""
    numbers: Mapping[str, int]
    """Name of a thing -> its place in that order."""

    @staticmethod
    def of(bounds: Bounds, things: Iterable[Thing]) -> "NamedObstacles":
        """Prepare the things on a field."""
        everything = tuple(things)
        prisms = Obstacles.of([prism for thing in everything for prism in thing.body])
        owners = tuple(number for number, thing in enumerate(everything) for _ in thing.body)
        return NamedObstacles(bounds, everything, prisms, owners, _numbers(everything))

    def updated(
        self, remove: Collection[str] = (), add: Collection[Thing] = ()
    ) -> "NamedObstacles":
        """Return them without the things of some names and with others; the rest is not prepared anew."""
        gone = [n for n, owner in enumerate(self.owners) if self.things[owner].id in remove]
        kept = (thing for thing in self.things if thing.id not in remove)
        prisms = self.prisms.updated(gone, [prism for thing in add for prism in thing.body])
        things = (*kept, *add)
        owners = tuple(number for number, thing in enumerate(things) for _ in thing.body)
        return NamedObstacles(self.bounds, things, prisms, owners, _numbers(things))

    def replaced(self, thing: Thing) -> "NamedObstacles":
        """Return them with another thing in place of the one of its name, which is cheap even among many."""
        number = self.numbers[thing.id]
        things = (*self.things[:number], thing, *self.things[number + 1 :])
        if len(self.prisms.prisms) > len(things) or len(thing.body) > 1:
            return NamedObstacles.of(self.bounds, things)
        prisms = self.prisms.replaced(number, thing.prism if thing.shape is None else thing.body[0])
        return NamedObstacles(self.bounds, things, prisms, self.owners, self.numbers)

    def thing(self, touch: Touch) -> Thing:
        """Return what is touched."""
        return self.things[self.owners[touch.number]]

    def touches(self, mover: Vehicle, distance_studs: float) -> list[Touch]:
        """Return what a vehicle meets that goes so far straight ahead, itself left out (see `met`)."""
        return self.met(
            (mover.prism,), Translation(distance_studs, mover.heading), frozenset({mover.id})
        )

    def met(self, body: Body, motion: Motion, besides: Collection[str]) -> list[Touch]:
        """Return what a body meets on a motion, without the things of some names.

        The order is that of place, type and name; touches within the tolerance of each other become one.
        """
        found = motion.touches(body, self.prisms)
        if len(body) > 1 or len(self.owners) > len(self.things):
            found = self._first_of_each(found)
        met = [touch for touch in found if self.thing(touch).id not in besides]
        for number in range(1, len(met)):
            before = met[number - 1].at
            if met[number].at <= before + TOLERANCE:
                met[number] = met[number]._replace(at=before)
        return sorted(met, key=self._rank)

    def _rank(self, touch: Touch) -> tuple[float, int, str]:
        thing = self.thing(touch)
        return touch.at, ORDER[thing.type], thing.id

    def _first_of_each(self, touches: Iterable[Touch]) -> list[Touch]:
        """Return the first touch of each thing with any part, in their order; an overlap at the start is before it."""
        order = sorted(
            touches, key=lambda touch: (touch.at, not touch.overlaps_at_start, touch.number)
        )
        first: dict[int, Touch] = {}
        for touch in order:
            first.setdefault(self.owners[touch.number], touch)
        return list(first.values())


def _numbers(things: Iterable[Thing]) -> dict[str, int]:
    return {thing.id: number for number, thing in enumerate(things)}


class Mover(NamedTuple):
    """What follows a course: any convex outline, or several as one."""

    id: str
    pose: Pose
    """Of its own frame. The centre of that leaves the field, pivots are in that frame."""
    body: Body
    """Its parts, where they are now."""
    ids: frozenset[str]
    """Names of things on the field that it consists of, which it does not hit."""
    border: Array | None = None
    """Its real edges now, with numbers of `parts`; None if its parts are convex polygons."""
    parts: tuple[tuple[int, str], ...] = ()
    """The vehicle of each of these parts, and its name."""
    owners: tuple[int, ...] = ()
    """The vehicle of each prism of the body; as many as they are if this is empty."""

    @staticmethod
    def of(vehicle: Vehicle, lashed: Sequence[Vehicle] = ()) -> "Mover":
        """Return a vehicle as a mover, with others lashed to it that move along.

        InvalidValueError if those do not hang together.
        """
        pose = Pose(vehicle.x_studs, vehicle.y_studs, vehicle.heading_deg)
        many = [vehicle, *lashed]
        if lashed and (loose := loose_problem(many)):
            raise InvalidValueError(loose)
        body = tuple(prism for one in many for prism in one.body)
        found = Mover(vehicle.id, pose, body, frozenset(one.id for one in many))
        if not any(one.shape for one in many):
            return found
        borders, parts = [], list[tuple[int, str]]()
        for number, one in enumerate(many):
            borders.append(one.border + np.array([0.0] * 7 + [len(parts)]))
            parts += [(number, name) for name in (one.shape.names if one.shape else ("",))]
        owners = tuple(number for number, one in enumerate(many) for _ in one.body)
        return found._replace(border=np.concatenate(borders), parts=tuple(parts), owners=owners)

    def contact(
        self, body: Body, border: Array | None, motion: Motion, touch: Touch, around: NamedObstacles
    ) -> tuple[ContactPoint, int, str, str]:
        """Return where it touches a thing, with which vehicle and part, and at which part of the thing.

        `body` and `border` are where it is before the motion.
        """
        thing = around.thing(touch)
        if self.border is None and thing.shape is None:
            return motion.contact(body, touch, around.prisms), touch.part, "", ""
        if border is None:
            rows = [prism.footprint.vertices_studs for prism in body]
            border = border_rows(rows, 0.0, [[n] * len(ring) for n, ring in enumerate(rows)])
        found = motion.border_contact(border, touch, thing.border)
        number = self.owners[touch.part] if self.owners else touch.part
        if found.mover_part is None or found.hit_part is None:
            return found.point, number, "", ""
        if self.parts:
            number, name = self.parts[found.mover_part]
        else:
            number, name = found.mover_part, ""
        return found.point, number, name, thing.shape.names[found.hit_part] if thing.shape else ""


_INSTEAD = {
    "impulse": "brickphys.crash gives impulses",
    "point": "contact.point_studs is the place",
    "distance": "distance_studs is the way to it",
}
"""Names that people try on a hit, and what to write instead."""


class Hit(NamedTuple):
    """One thing that is hit."""

    thing: Thing
    piece: int
    """In which piece of the course, from 0."""
    motion: Motion
    start: Pose
    """The motion of that piece, and the pose of the mover before it."""
    at: float
    """How far that has come at first touch: studs, or degrees of a turn; 0 for an overlap at the start."""
    contact: ContactPoint
    part: int
    """Which of the vehicles that move touches."""
    struck_part: str = ""
    """Name of its part that touches; empty if that has none."""
    thing_part: str = ""
    """Name of the part of the thing that is touched."""

    @property
    def type(self) -> ThingType:
        """Unit, decor or vehicle."""
        return self.thing.type

    @property
    def id(self) -> str:
        """Its name."""
        return self.thing.id

    @property
    def distance_studs(self) -> float:
        """How far the mover has come in that piece; 0 in a turn."""
        return _distance_studs(self.motion, self.at)

    @property
    def turned_deg(self) -> float | None:
        """How far the mover has turned in that piece, counter-clockwise; None in a straight piece."""
        return _turned_deg(self.motion, self.at)

    @property
    def pose(self) -> Pose:
        """Pose of the mover at the touch."""
        return self.motion.pose(self.start, self.at)

    @property
    def impact_deg(self) -> float | None:
        """Angle between the way and the face that is struck, 90 head-on; None where corners meet or overlap."""
        return self.parting_deg if self.contact.on_face else None

    @property
    def parting_deg(self) -> float | None:
        """Angle between the way and the line that parts the two, also where corners meet; None without a way."""
        way = self.motion.way(self.contact.point_studs)
        if way is None:
            return None
        (x, y), (nx, ny) = way, self.contact.normal
        return degrees(atan2(max(-x * nx - y * ny, 0.0), abs(x * ny - y * nx)))

    def sector(self, scheme: Scheme) -> Sector | None:
        """Return from which side a vehicle is hit; None for units and decor."""
        thing = self.thing
        if not isinstance(thing, Vehicle):
            return None
        bearing = bearing_deg(thing.centre_studs, thing.heading_deg, self.pose.centre_studs)
        size, edge = (thing.length_studs, thing.width_studs), self.contact.edge
        if thing.shape and self.contact.on_face:
            edge = facing_edge(self.contact.normal, thing.heading_deg)
        return sector(scheme, bearing, *size, edge)


def _no_attribute(hit: Hit, name: str) -> Any:
    """Say what there is instead of a name that a hit does not have."""
    if name.startswith("_") or hasattr(Hit, name):
        return object.__getattribute__(hit, name)  # raises; of a property its own error
    raise no_attribute(hit, name, _INSTEAD)


if not TYPE_CHECKING:  # a type checker knows which names there are
    Hit.__getattr__ = _no_attribute


class PieceResult(NamedTuple):
    """What a piece of a course comes to."""

    motion: Motion
    """The motion that it asks for."""
    at: float
    """How far that comes: studs, or degrees of a turn; to the stop, to the border or to the end."""
    end: Pose
    stopped_by: tuple[str, ...]
    """Names of the things that stop it; empty if none."""
    leaves_field: bool
    """Whether the mover's centre leaves the field."""

    @property
    def travelled_studs(self) -> float:
        """How far the mover comes in a straight piece; 0 in a turn."""
        return _distance_studs(self.motion, self.at)

    @property
    def turned_deg(self) -> float | None:
        """How far the mover turns, counter-clockwise; None in a straight piece."""
        return _turned_deg(self.motion, self.at)


@dataclass(frozen=True)
class MoveResult:
    """What a whole course comes to."""

    vehicle_id: str
    course: tuple[Piece, ...]
    pieces: tuple[PieceResult, ...]
    """What it does of each piece; none after one that is stopped."""
    end: Pose
    hits: tuple[Hit, ...]
    """In the order of pieces; in a piece in that of distance, type and name. Each thing is hit once."""

    @property
    def end_studs(self) -> Point:
        """Where the mover's centre is at the end."""
        return self.end.centre_studs

    @property
    def distance_studs(self) -> float:
        """How far it should go in all straight pieces together."""
        return sum((one.ahead_studs for one in self.course if isinstance(one, Straight)), 0.0)

    @property
    def travelled_studs(self) -> float:
        """How far it comes in all straight pieces together."""
        return sum((piece.travelled_studs for piece in self.pieces), 0.0)

    @property
    def stopped_by(self) -> tuple[str, ...]:
        """Names of the things that stop it; empty if none."""
        return self.pieces[-1].stopped_by if self.pieces else ()

    @property
    def leaves_field(self) -> bool:
        """Whether its centre leaves the field."""
        return bool(self.pieces) and self.pieces[-1].leaves_field

    @property
    def ending(self) -> str:
        """How the move ends, in words; pieces are counted from 0."""
        if not self.pieces:
            return "it stands still"
        last = self.pieces[-1]
        turned = last.turned_deg
        after = f"{last.at:.1f} studs" if turned is None else f"{turned:.1f} degrees"
        after += f" of piece {len(self.pieces) - 1}" if len(self.course) > 1 else ""
        if last.stopped_by:
            return f"stopped after {after} by {' and '.join(last.stopped_by)}"
        return f"leaves the field after {after}" if last.leaves_field else "completed"


def is_solid(thing: Thing) -> bool:
    """Tell whether a thing stops a vehicle: decor and vehicles do, units do not (BOW 3.6)."""
    return thing.type is not ThingType.UNIT


def follow(
    mover: Mover,
    course: Sequence[Piece],
    obstacles: NamedObstacles,
    stops: Callable[[Thing], bool] = is_solid,
) -> MoveResult:
    """Let a mover follow a course until something stops it or its centre leaves the field.

    Nothing behind the stop or the border is hit, and no piece after it is begun. A thing that does not stop the mover
    is hit once, when they first meet.
    """
    pose, body, besides, border = mover.pose, mover.body, set(mover.ids), mover.border
    pieces: list[PieceResult] = []
    hits: list[Hit] = []
    for number, piece in enumerate(course):
        if pieces:
            body = pieces[-1].motion.placed(body, pieces[-1].at)
            border = (
                border if border is None else pieces[-1].motion.placed_border(border, pieces[-1].at)
            )
        motion = piece.motion(pose)
        touches = obstacles.met(body, motion, besides)
        result = _piece(motion, pose, touches, obstacles, stops)
        for touch in touches:
            if touch.at <= result.at + TOLERANCE:
                thing = obstacles.thing(touch)
                told = mover.contact(body, border, motion, touch, obstacles)
                hits.append(Hit(thing, number, motion, pose, touch.at, *told))
                besides.add(thing.id)
        pieces.append(result)
        pose = result.end
        if result.stopped_by or result.leaves_field:
            break
    return MoveResult(mover.id, tuple(course), tuple(pieces), pose, tuple(hits))


def _piece(
    motion: Motion,
    pose: Pose,
    touches: Sequence[Touch],
    obstacles: NamedObstacles,
    stops: Callable[[Thing], bool],
) -> PieceResult:
    """Return what a piece comes to, given all that its motion meets."""
    bounds = obstacles.bounds
    border = motion.to_border(pose.centre_studs, (bounds.width_studs, bounds.height_studs))
    end, stopped_by = min(motion.extent, border), []
    for touch in touches:
        if touch.at > end + TOLERANCE:
            break
        thing = obstacles.thing(touch)
        if stops(thing):
            end = min(end, touch.at)
            stopped_by.append(thing.id)
    there = motion.pose(pose, end)
    x, y = bounds.without_rounding(there.centre_studs)
    leaves = border < motion.extent and not stopped_by
    return PieceResult(motion, end, Pose(x, y, there.heading_deg), tuple(stopped_by), leaves)


def _distance_studs(motion: Motion, at: float) -> float:
    return at if isinstance(motion, Translation) else 0.0


def _turned_deg(motion: Motion, at: float) -> float | None:
    return None if isinstance(motion, Translation) else motion.turned_deg(at)


def compulsory_move(mover: Vehicle, distance_studs: float, obstacles: NamedObstacles) -> MoveResult:
    """Move a vehicle straight ahead: a course of one piece; a vehicle that does not move hits nothing.

    `obstacles` are what it may hit. Units do not stop it; decor and vehicles do (BOW 3.6).
    """
    return follow(Mover.of(mover), [Straight(distance_studs)] if distance_studs else [], obstacles)


def resolve(scene: Scene, around: NamedObstacles | None = None) -> MoveResult:
    """Return what the move of a scene comes to.

    `around` are the things of the scene, if they are prepared already; where the mover stands in it does not matter.
    """
    mover = Mover.of(scene.mover, scene.lashed_vehicles)
    prepared = around or NamedObstacles.of(scene.bounds, scene.things)
    return follow(mover, course_of(scene), prepared)


def course_of(scene: Scene) -> Sequence[Piece]:
    """Return what the mover of a scene does: its course, else as far straight ahead as its speed says (BOW 3.2)."""
    if scene.course or not scene.mover.speed:
        return scene.course
    return (Straight(distance_studs(scene.mover.speed)),)


def relative_speed(mover: Vehicle, hit: Hit, scheme: Scheme) -> int:
    """Return the speed with which a vehicle meets what it hits: the bricks that the victim must resist.

    The speed of the mover (BOW 3.6.1, 3.6.2); of two vehicles the sum if the mover comes from the front, the
    difference if it comes from the rear (BOW 3.6.3).
    """
    side = hit.sector(scheme)
    if isinstance(hit.thing, Vehicle) and side is Sector.FRONT:
        return mover.speed + hit.thing.speed
    if isinstance(hit.thing, Vehicle) and side is Sector.REAR:
        return abs(mover.speed - hit.thing.speed)
    return mover.speed
