"""Compulsory move: a vehicle goes straight ahead, and what it hits, in order (BOW 3.3, 3.6). Pure geometry, no dice."""

from dataclasses import dataclass
from math import inf

from brickphys.geometry.bearing import bearing_deg
from brickphys.geometry.polygon import TOLERANCE, Point
from brickphys.geometry.sweep import ContactPoint, SweepTouch, contact_point
from brickphys.vehicles.named_obstacles import NamedObstacles
from brickphys.vehicles.scene import Bounds, Thing, ThingType, Vehicle
from brickphys.vehicles.sectors import Scheme, Sector, sector


@dataclass(frozen=True)
class Hit:
    """One thing that is hit.

    Attributes
    ----------
    thing
        What it is.
    distance_studs
        Travelled at first touch; 0 for an overlap at the start.
    contact
        Where they touch.
    bearing_deg
        Of the mover's centre then, off the heading of the vehicle that is hit; None for units and decor.
    """

    thing: Thing
    distance_studs: float
    contact: ContactPoint
    bearing_deg: float | None

    @property
    def type(self) -> ThingType:
        """Unit, decor or vehicle."""
        return self.thing.type

    @property
    def id(self) -> str:
        """Its name."""
        return self.thing.id

    def sector(self, scheme: Scheme) -> Sector | None:
        """Return from which side a vehicle is hit; None for units and decor."""
        if not isinstance(self.thing, Vehicle) or self.bearing_deg is None:
            return None
        size = (self.thing.length_studs, self.thing.width_studs)
        return sector(scheme, self.bearing_deg, *size, self.contact.edge)


@dataclass(frozen=True)
class MoveResult:
    """What a compulsory move comes to.

    Attributes
    ----------
    vehicle_id
        The vehicle that moves.
    distance_studs
        How far it should go.
    travelled_studs
        How far it comes: to the stop, to the border or to the end.
    end_studs
        Where its centre is then.
    stopped_by
        Names of the decor and vehicles that stop it; empty if none.
    leaves_field
        Whether its centre leaves the field.
    hits
        In the order of distance, type and name.
    """

    vehicle_id: str
    distance_studs: float
    travelled_studs: float
    end_studs: Point
    stopped_by: tuple[str, ...]
    leaves_field: bool
    hits: tuple[Hit, ...]


def compulsory_move(mover: Vehicle, distance_studs: float, obstacles: NamedObstacles) -> MoveResult:
    """Move a vehicle straight ahead.

    Units do not stop it; decor and vehicles do. Nothing behind the stop, or after its centre has left the field, is
    hit. A vehicle that does not move hits nothing.

    Parameters
    ----------
    mover
        The vehicle, where it stands now.
    distance_studs
        How far it should go.
    obstacles
        What it may hit.
    """
    border = _to_border(mover, distance_studs, obstacles.bounds)
    touches = obstacles.touches(mover, distance_studs) if distance_studs else []
    met = [(touch, obstacles.things[touch.index]) for touch in touches]
    stops = [touch.distance_studs for touch, thing in met if thing.type is not ThingType.UNIT]
    end = min([distance_studs, border, *stops])
    hits = tuple(
        _hit(mover, touch, thing, obstacles)
        for touch, thing in met
        if touch.distance_studs <= end + TOLERANCE
    )
    stopped_by = tuple(hit.id for hit in hits if hit.type is not ThingType.UNIT)
    leaves = border < distance_studs and not stopped_by
    there = obstacles.bounds.without_rounding(_along(mover, end))
    return MoveResult(mover.id, distance_studs, end, there, stopped_by, leaves, hits)


def _along(mover: Vehicle, distance_studs: float) -> Point:
    """Return where the centre of a vehicle is after so many studs straight ahead."""
    c, s = mover.heading
    return mover.x_studs + distance_studs * c, mover.y_studs + distance_studs * s


def _to_border(mover: Vehicle, distance_studs: float, bounds: Bounds) -> float:
    """Return how far the centre of a vehicle goes before it leaves the field; infinite if it stays on it."""
    found = [inf]
    size = (bounds.width_studs, bounds.height_studs)
    for start, speed, limit in zip(mover.centre_studs, mover.heading, size, strict=True):
        to_go = limit - start if speed > 0 else start
        if abs(speed) * distance_studs > to_go + TOLERANCE:
            found.append(max(to_go, 0.0) / abs(speed))
    return min(found)


def _hit(mover: Vehicle, touch: SweepTouch, thing: Thing, obstacles: NamedObstacles) -> Hit:
    contact = contact_point(mover.prism.footprint, mover.heading, touch, obstacles.prisms)
    bearing = None
    if isinstance(thing, Vehicle):
        there = _along(mover, touch.distance_studs)
        bearing = bearing_deg(thing.centre_studs, thing.heading_deg, there)
    return Hit(thing, touch.distance_studs, contact, bearing)
