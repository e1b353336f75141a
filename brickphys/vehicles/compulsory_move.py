"""Resolve: one compulsory move, from the vehicle's speed to an ordered list of hits (BOW 3.5, 3.6).

Pure geometry: no dice, no game.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import NamedTuple

from brickphys.geometry.bearing import bearing_deg
from brickphys.geometry.obstacles import Obstacles
from brickphys.geometry.polygon import TOLERANCE, Point
from brickphys.geometry.sweep import ContactPoint, SweepTouch, contact_point, sweep
from brickphys.vehicles.scene import ORDER, Decor, Field, Kind, Scene, Thing, Unit, Vehicle
from brickphys.vehicles.sectors import Scheme, Sector, relative_speed, sector

STUDS_PER_SPEED = 5
"""A vehicle moves five studs a point of speed (BOW 3.5)."""


@dataclass(frozen=True)
class Hit:
    """One thing that is hit.

    Attributes
    ----------
    kind, id
        What it is.
    distance_studs
        Travelled at first touch; 0 for an overlap at the start.
    contact
        Where they touch.
    sector
        From which side a vehicle is hit; None for units and decor.
    relative_speed
        By sector for vehicles, else the mover's speed.
    """

    kind: Kind
    id: str
    distance_studs: float
    contact: ContactPoint
    sector: Sector | None
    relative_speed: int

    @property
    def bricks(self) -> int:
        """How many bricks the victim must resist."""
        return self.relative_speed


@dataclass(frozen=True)
class Move:
    """What a compulsory move comes to.

    Attributes
    ----------
    vehicle_id
        Who moves.
    distance_studs
        What its speed demands.
    travelled_studs
        How far it comes: to the stop, to the border or to the end.
    end_studs
        Where its centre is then.
    stopped_by
        Names of the decor and vehicles that stop it; empty if none.
    leaves_field
        Whether its centre leaves the field.
    hits
        In the order of distance, kind and name.
    """

    vehicle_id: str
    distance_studs: float
    travelled_studs: float
    end_studs: Point
    stopped_by: tuple[str, ...]
    leaves_field: bool
    hits: tuple[Hit, ...]


class _Target(NamedTuple):
    kind: Kind
    thing: Thing


class Surroundings:
    """Everything that a vehicle may hit, prepared once for many moves among the same things.

    Parameters
    ----------
    field
        Where they stand.
    vehicles, units, decor
        What stands there; a mover among them does not hit itself.
    """

    def __init__(
        self,
        field: Field,
        vehicles: Sequence[Vehicle] = (),
        units: Sequence[Unit] = (),
        decor: Sequence[Decor] = (),
    ) -> None:
        self.field = field
        self.targets = [
            *(_Target(Kind.UNIT, unit) for unit in units),
            *(_Target(Kind.DECOR, piece) for piece in decor),
            *(_Target(Kind.VEHICLE, vehicle) for vehicle in vehicles),
        ]
        self.obstacles = Obstacles.of([target.thing.prism for target in self.targets])

    def without(self, ids: Collection[str]) -> "Surroundings":
        """Return the same field without some things."""
        if not ids:
            return self
        left = [target.thing for target in self.targets if target.thing.id not in ids]
        return Surroundings(
            self.field,
            [thing for thing in left if isinstance(thing, Vehicle)],
            [thing for thing in left if isinstance(thing, Unit)],
            [thing for thing in left if isinstance(thing, Decor)],
        )

    def touches(self, mover: Vehicle, length_studs: float) -> list[SweepTouch]:
        """Return what a vehicle meets that goes so far straight ahead: by distance, then by kind and name.

        Distances within the tolerance of each other become one. The vehicle itself is left out.
        """
        targets = self.targets
        found = sweep(mover.prism, mover.heading, length_studs, self.obstacles)
        met = [touch for touch in found if targets[touch.index].thing.id != mover.id]
        for index in range(1, len(met)):
            before = met[index - 1].distance_studs
            if before < met[index].distance_studs <= before + TOLERANCE:
                met[index] = replace(met[index], distance_studs=before)
        return sorted(met, key=self._rank) if len(met) > 1 else met

    def _rank(self, touch: SweepTouch) -> tuple[float, int, str]:
        target = self.targets[touch.index]
        return touch.distance_studs, ORDER[target.kind], target.thing.id


def resolve(scene: Scene) -> Move:
    """Return what the compulsory move of a scene comes to."""
    around = Surroundings(scene.field, scene.vehicles, scene.units, scene.decor)
    return compulsory_move(scene.mover, around, scene.scheme)


def compulsory_move(mover: Vehicle, around: Surroundings, scheme: Scheme = Scheme.QUADRANT) -> Move:
    """Move a vehicle straight ahead as its speed demands.

    Units do not stop it; decor and vehicles do. Nothing behind the stop, or after its centre has left the field, is
    hit. Driven or not makes no difference.

    Parameters
    ----------
    mover
        The vehicle, where it stands now.
    around
        What it may hit.
    scheme
        Where the sectors of vehicles end.
    """
    length = float(STUDS_PER_SPEED * mover.speed)
    border = _to_border(mover, length, around.field)
    touches = around.touches(mover, length) if length else []
    stops = [t.distance_studs for t in touches if around.targets[t.index].kind is not Kind.UNIT]
    end = min([length, border, *stops])
    hits = tuple(
        _hit(mover, touch, around, scheme)
        for touch in touches
        if touch.distance_studs <= end + TOLERANCE
    )
    stopped_by = tuple(hit.id for hit in hits if hit.kind is not Kind.UNIT)
    leaves = border < length and not stopped_by
    there = around.field.without_rounding(_along(mover, end))
    return Move(mover.id, length, end, there, stopped_by, leaves, hits)


def runaway(mover: Vehicle, around: Surroundings, scheme: Scheme = Scheme.QUADRANT) -> list[Move]:
    """Move a driverless vehicle once a round until it crashes or leaves the field (BOW 3.5).

    Units that it has hit are out of its way from then on: dead, or put beside it.

    Returns
    -------
    list of Move
        One a round; empty if it stands still. The last one ends in a crash or beyond the border.
    """
    moves: list[Move] = []
    while mover.speed and not (moves and (moves[-1].stopped_by or moves[-1].leaves_field)):
        moves.append(compulsory_move(mover, around, scheme))
        x, y = moves[-1].end_studs
        mover = replace(mover, x_studs=x, y_studs=y)
        around = around.without({hit.id for hit in moves[-1].hits})
    return moves


def _along(mover: Vehicle, distance_studs: float) -> Point:
    """Return where the centre of a vehicle is after so many studs straight ahead."""
    c, s = mover.heading
    return mover.x_studs + distance_studs * c, mover.y_studs + distance_studs * s


def _to_border(mover: Vehicle, length_studs: float, field: Field) -> float:
    """Return how far the centre of a vehicle goes before it leaves the field; infinite if it stays on it."""
    ways = [inf]
    size = (field.width_studs, field.height_studs)
    for start, speed, limit in zip(mover.centre_studs, mover.heading, size, strict=True):
        to_go = limit - start if speed > 0 else start
        if abs(speed) * length_studs > to_go + TOLERANCE:
            ways.append(max(to_go, 0.0) / abs(speed))
    return min(ways)


def _hit(mover: Vehicle, touch: SweepTouch, around: Surroundings, scheme: Scheme) -> Hit:
    kind, thing = around.targets[touch.index]
    where = contact_point(mover.prism.footprint, mover.heading, touch, around.obstacles)
    side, speed = None, mover.speed
    if isinstance(thing, Vehicle):
        there = _along(mover, touch.distance_studs)
        bearing = bearing_deg(thing.centre_studs, thing.heading_deg, there)
        side = sector(scheme, bearing, thing.length_studs, thing.width_studs, where.edge)
        speed = relative_speed(side, mover.speed, thing.speed)
    return Hit(kind, thing.id, touch.distance_studs, where, side, speed)
