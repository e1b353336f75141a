"""Comparison: a compulsory move against the independent geometry, and against what is known by construction."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from math import atan2, hypot, pi, radians

import numpy as np

from brickphys.geometry.polygon import TOLERANCE
from brickphys.vehicles.compulsory_move import (Hit)
from brickphys.vehicles.compulsory_move import (MoveResult)
from brickphys.vehicles.scene_rules import (STUDS_PER_SPEED)
from brickphys.vehicles.scene import (ORDER, Scene, Thing, Vehicle)
from brickphys.vehicles.scene import (ThingType)
from brickphys.vehicles.sectors import Scheme, Sector
from brickphys.vehicles.validation.bisection import (
    UNDECIDED,
    Meeting,
    border_studs,
    common_centre,
    gaps,
    is_touching,
)
from brickphys.vehicles.validation.random_scenes import Known

POINT_TOLERANCE = 1e-4
"""Studs: of the middle of a contact, which is sought in a sliver `_PUSH` thick."""
_PUSH = 1e-8
_SETTLED = 1e-6
"""Studs: if another push moves the centre of the sliver farther than this, its edges are nearly parallel."""


class Check(Enum):
    """What is compared."""

    HITS = "hits"
    DISTANCE = "distance"
    ORDER = "order"
    POINT = "point"
    SECTOR = "sector"
    SPEED = "relative speed"
    STOP = "stopped by"
    TRAVELLED = "travelled"
    BORDER = "leaves field"
    KNOWN = "known by construction"
    WITNESS_TOUCH = "pybullet: touch"
    WITNESS_NORMAL = "pybullet: normal"
    WITNESS_SECTOR = "pybullet: sector"
    WITNESS_END = "pybullet: end"


@dataclass(frozen=True)
class Fault:
    """One thing that two answers do not agree on.

    Attributes
    ----------
    check
        What was compared.
    detail
        Both answers.
    """

    check: Check
    detail: str


@dataclass(frozen=True)
class Comparison:
    """One move compared.

    Attributes
    ----------
    faults
        Where it is wrong.
    undecided
        How many questions were too near to the tolerance for a second opinion.
    hits
        How many hits were compared.
    largest_studs
        The largest difference of their distances.
    """

    faults: tuple[Fault, ...]
    undecided: int
    hits: int
    largest_studs: float


def compare(scene: Scene, move: MoveResult, met: Mapping[str, Meeting]) -> Comparison:
    """Compare a move with what its vehicle meets by bisection.

    Parameters
    ----------
    scene, move
        What was asked, and the answer that is doubted.
    met
        From `brickphys.vehicles.validation.bisection.meetings`; empty for a vehicle that stands still.
    """
    length = float(STUDS_PER_SPEED * scene.mover.speed)
    things = {thing.id: (kind, thing) for _, kind, thing in scene.things()}
    border = border_studs(scene, length) if length else None
    end, certain = _end(length, border, met, things)
    expected = {
        name for name, one in met.items() if one.is_hit and one.distance_studs <= end + TOLERANCE
    }
    if not certain:
        return Comparison((), 1, 0, 0.0)
    faults = list(_set_faults(expected, move))
    shared = [hit for hit in move.hits if hit.id in expected]
    undecided = 0
    for hit in shared:
        for fault in _hit_faults(scene, length, hit, met[hit.id], things[hit.id][1]):
            undecided += fault is None
            faults += [fault] if fault else []
    if not faults:
        faults += _end_faults(scene, move, end, border is not None)
    off = [abs(hit.distance_studs - met[hit.id].distance_studs) for hit in shared]
    return Comparison(tuple(faults), undecided, len(shared), max(off, default=0.0))


def known_faults(move: MoveResult, known: Iterable[Known]) -> Iterator[Fault]:
    """Yield what is wrong by the construction of a scene."""
    hits = {hit.id: hit for hit in move.hits}
    for fact in known:
        hit = hits.get(fact.id)
        if (hit is not None) != fact.is_hit:
            yield Fault(Check.KNOWN, f"{fact.id}: {'no hit' if fact.is_hit else 'a hit'}")
        elif hit is not None and fact.distance_studs is not None:
            if abs(hit.distance_studs - fact.distance_studs) > TOLERANCE:
                yield Fault(
                    Check.KNOWN, f"{fact.id}: {hit.distance_studs!r}, not {fact.distance_studs!r}"
                )
            if fact.sector not in (None, hit.sector):
                yield Fault(Check.KNOWN, f"{fact.id}: {hit.sector}, not {fact.sector}")


def _end(
    length: float,
    border: float | None,
    met: Mapping[str, Meeting],
    things: Mapping[str, tuple[ThingType, Thing]],
) -> tuple[float, bool]:
    """Return where the move ends, and whether nothing about that is too near to the tolerance."""
    ends = [length] if border is None else [length, border]
    ends += [
        one.distance_studs
        for name, one in met.items()
        if one.is_hit and things[name][0] is not ThingType.UNIT
    ]
    end = min(ends)
    low, high = (share * TOLERANCE for share in UNDECIDED)
    open_questions = [
        one
        for one in met.values()
        if one.is_hit is None or low < abs(one.distance_studs - end) < high
    ]
    return end, not open_questions


def _set_faults(expected: set[str], move: MoveResult) -> Iterator[Fault]:
    told = [hit.id for hit in move.hits]
    if set(told) != expected or len(set(told)) != len(told):
        missing, extra = sorted(expected - set(told)), sorted(set(told) - expected)
        yield Fault(Check.HITS, f"missing {missing}, not to be there {extra}")
    for before, after in zip(move.hits, move.hits[1:], strict=False):
        gap = after.distance_studs - before.distance_studs
        ranks = [(ORDER[hit.kind], hit.id) for hit in (before, after)]
        if gap <= TOLERANCE and (gap != 0 or ranks[0] > ranks[1]):
            yield Fault(Check.ORDER, f"{before.id} is told before {after.id}")


def _hit_faults(
    scene: Scene, length: float, hit: Hit, meeting: Meeting, thing: Thing
) -> Iterator[Fault | None]:
    """Yield what is wrong with one hit, and None for each question that stays open."""
    distances = sorted((hit.distance_studs, meeting.distance_studs))
    if distances[1] - distances[0] > TOLERANCE and not is_touching(
        scene.mover, length, thing, *distances
    ):
        yield Fault(
            Check.DISTANCE, f"{hit.id}: {hit.distance_studs!r}, not {meeting.distance_studs!r}"
        )
        return
    off = _off_centre(scene.mover, length, hit, meeting, thing)
    if off is not None:
        yield Fault(Check.POINT, f"{hit.id}: {hit.contact.point_studs} is {off}")
    if not isinstance(thing, Vehicle):
        if (hit.sector, hit.relative_speed) != (None, scene.mover.speed):
            yield Fault(Check.SPEED, f"{hit.id}: {hit.sector}, {hit.relative_speed}")
        return
    side = _sector(scene, hit, meeting, thing)
    if side is None:
        yield None
    elif side is not hit.sector:
        yield Fault(Check.SECTOR, f"{hit.id}: {hit.sector}, not {side}")
    elif hit.relative_speed != _speed(side, scene.mover.speed, thing.speed):
        yield Fault(Check.SPEED, f"{hit.id}: {hit.relative_speed} for {side}")


def _off_centre(
    mover: Vehicle, length: float, hit: Hit, meeting: Meeting, thing: Thing
) -> str | None:
    """Tell how the point of a hit is not the middle of what both bodies share; None if it is."""
    point, here = complex(*hit.contact.point_studs), hit.distance_studs
    apart = max(gaps(mover, length, thing, here, point))
    if apart > 2 * TOLERANCE:
        return f"{apart:.3g} studs off the bodies"
    push = 0.0 if meeting.overlaps_at_start else _PUSH
    near, far = (common_centre(mover, length, thing, here + push * times) for times in (1, 2))
    # no area yet where they graze; and between edges that are nearly parallel the centre runs along with the push
    if near is None or far is None or abs(far - near) > _SETTLED:
        return None
    away = abs(point - near)
    return f"{away:.3g} studs off" if away > POINT_TOLERANCE + 2 * abs(far - near) else None


def _sector(scene: Scene, hit: Hit, meeting: Meeting, other: Vehicle) -> Sector | None:
    """Return the sector of a hit, worked out in the frame of the vehicle that is hit; None on a boundary."""
    turn = np.exp(1j * radians(other.heading_deg))
    centre = complex(*other.centre_studs)
    ahead, left = other.length_studs / 2, other.width_studs / 2
    if scene.scheme is Scheme.CONTACT and not meeting.overlaps_at_start:
        spot = (complex(*hit.contact.point_studs) - centre) / turn
        over = (ahead - abs(spot.real), left - abs(spot.imag))
        if UNDECIDED[0] * TOLERANCE < max(over) < UNDECIDED[1] * TOLERANCE:
            return None
        if max(over) >= UNDECIDED[1] * TOLERANCE:
            return _side(spot, over[0] < over[1])
    way = hit.distance_studs * np.exp(1j * radians(scene.mover.heading_deg))
    bearing = (complex(*scene.mover.centre_studs) + way - centre) / turn
    end = atan2(left, ahead) if scene.scheme is Scheme.CORNER else pi / 4
    # how far the bearing is inside the sectors of front and rear
    inside = end - atan2(abs(bearing.imag), abs(bearing.real))
    low, high = (share * radians(TOLERANCE) for share in UNDECIDED)
    if low < abs(inside) < high:
        return None
    return _side(bearing, inside >= -low)


def _side(spot: complex, is_lengthwise: bool) -> Sector:
    if is_lengthwise:
        return Sector.FRONT if spot.real >= 0 else Sector.REAR
    return Sector.LEFT if spot.imag > 0 else Sector.RIGHT


def _speed(side: Sector, mover: int, other: int) -> int:
    both = {Sector.FRONT: mover + other, Sector.REAR: max(mover, other) - min(mover, other)}
    return both.get(side, mover)


def _end_faults(scene: Scene, move: MoveResult, end: float, crosses_border: bool) -> Iterator[Fault]:
    """Yield what is wrong with the end of a move all of whose hits are right."""
    stops = tuple(hit.id for hit in move.hits if hit.kind is not ThingType.UNIT)
    if move.stopped_by != stops:
        yield Fault(Check.STOP, f"{move.stopped_by}, not {stops}")
    # a stop at a shallow angle is right without being the same to all digits
    ends = [end] + [hit.distance_studs for hit in move.hits if hit.id in stops]
    if min(abs(move.travelled_studs - one) for one in ends) > TOLERANCE:
        yield Fault(Check.TRAVELLED, f"{move.travelled_studs!r}, not {end!r}")
    way = move.travelled_studs * np.exp(1j * radians(scene.mover.heading_deg))
    off = complex(*move.end_studs) - complex(*scene.mover.centre_studs) - way
    if hypot(off.real, off.imag) > TOLERANCE:
        yield Fault(Check.TRAVELLED, f"ends at {move.end_studs}")
    leaves = crosses_border and not stops
    if move.leaves_field != leaves:
        yield Fault(Check.BORDER, f"{move.leaves_field}, not {leaves}")
