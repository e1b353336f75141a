"""Course: moves a body along straight pieces and turns, and lists what it hits in order; no dice."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import atan2, degrees
from typing import TYPE_CHECKING, Any, NamedTuple

from brickphys.display import no_attribute
from brickphys.errors import InvalidValueError
from brickphys.geometry.bearing import bearing_deg
from brickphys.geometry.body import Body
from brickphys.geometry.contact import ContactPoint
from brickphys.geometry.motion import Motion, Touch, Translation
from brickphys.geometry.polygon import TOLERANCE, Point
from brickphys.geometry.pose import Pose
from brickphys.vehicles.named_obstacles import NamedObstacles
from brickphys.vehicles.piece import Piece, Straight
from brickphys.vehicles.scene import Thing, ThingType, Vehicle, loose_problem
from brickphys.vehicles.sectors import Scheme, Sector, sector


class Mover(NamedTuple):
    """What follows a course: any convex outline, or several as one.

    Attributes
    ----------
    id
        Its name.
    pose
        Of its own frame. The centre of that leaves the field, pivots are in that frame.
    body
        Its parts, where they are now.
    ids
        Names of things on the field that it consists of, which it does not hit.
    """

    id: str
    pose: Pose
    body: Body
    ids: frozenset[str]

    @staticmethod
    def of(vehicle: Vehicle, lashed: Sequence[Vehicle] = ()) -> "Mover":
        """Return a vehicle as a mover, with others lashed to it that move along.

        Raises
        ------
        InvalidValueError
            If those do not hang together.
        """
        pose = Pose(vehicle.x_studs, vehicle.y_studs, vehicle.heading_deg)
        if not lashed:
            return Mover(vehicle.id, pose, (vehicle.prism,), frozenset({vehicle.id}))
        parts = [vehicle, *lashed]
        body = tuple(part.prism for part in parts)
        if loose := loose_problem(parts):
            raise InvalidValueError(loose)
        return Mover(vehicle.id, pose, body, frozenset(part.id for part in parts))


_INSTEAD = {
    "impulse": "brickphys.crash gives impulses",
    "point": "contact.point_studs is the place",
    "distance": "distance_studs is the way to it",
}
"""Names that people try on a hit, and what to write instead."""


class Hit(NamedTuple):
    """One thing that is hit.

    Attributes
    ----------
    thing
        What it is.
    piece
        In which piece of the course, from 0.
    motion, start
        The motion of that piece, and the pose of the mover before it.
    at
        How far that has come at first touch: studs, or degrees of a turn; 0 for an overlap at the start.
    contact
        Where they touch.
    part
        Which part of the mover touches.
    """

    thing: Thing
    piece: int
    motion: Motion
    start: Pose
    at: float
    contact: ContactPoint
    part: int

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
        size = (thing.length_studs, thing.width_studs)
        return sector(scheme, bearing, *size, self.contact.edge)


def _no_attribute(hit: Hit, name: str) -> Any:
    """Say what there is instead of a name that a hit does not have."""
    if name.startswith("_") or hasattr(Hit, name):
        return object.__getattribute__(hit, name)  # raises; of a property its own error
    raise no_attribute(hit, name, _INSTEAD)


if not TYPE_CHECKING:  # a type checker knows which names there are
    Hit.__getattr__ = _no_attribute


class PieceResult(NamedTuple):
    """What a piece of a course comes to.

    Attributes
    ----------
    motion
        The motion that it asks for.
    at
        How far that comes: studs, or degrees of a turn; to the stop, to the border or to the end.
    end
        Pose of the mover then.
    stopped_by
        Names of the things that stop it; empty if none.
    leaves_field
        Whether the mover's centre leaves the field.
    """

    motion: Motion
    at: float
    end: Pose
    stopped_by: tuple[str, ...]
    leaves_field: bool

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
    """What a whole course comes to.

    Attributes
    ----------
    vehicle_id
        The mover.
    course
        What it should do.
    pieces
        What it does of each piece; none after one that is stopped.
    end
        Its pose at the end.
    hits
        In the order of pieces; in a piece in that of distance, type and name. Each thing is hit once.
    """

    vehicle_id: str
    course: tuple[Piece, ...]
    pieces: tuple[PieceResult, ...]
    end: Pose
    hits: tuple[Hit, ...]

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

    Parameters
    ----------
    mover
        What moves, where it is now.
    course
        Its pieces in order.
    obstacles
        What it may hit.
    stops
        Which things stop it.
    """
    pose, body, besides = mover.pose, mover.body, set(mover.ids)
    pieces: list[PieceResult] = []
    hits: list[Hit] = []
    for number, piece in enumerate(course):
        if pieces:
            body = pieces[-1].motion.placed(body, pieces[-1].at)
        motion = piece.motion(pose)
        touches = obstacles.met(body, motion, besides)
        result = _piece(motion, pose, touches, obstacles, stops)
        for touch in touches:
            if touch.at <= result.at + TOLERANCE:
                thing = obstacles.things[touch.number]
                contact = motion.contact(body, touch, obstacles.prisms)
                hits.append(Hit(thing, number, motion, pose, touch.at, contact, touch.part))
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
        thing = obstacles.things[touch.number]
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
