"""Comparison: a compulsory move against bisection, and against what is known by construction."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from math import atan2, hypot, pi, radians

import numpy as np

from brickphys.geometry.polygon import TOLERANCE
from brickphys.vehicles.course import Hit, MoveResult
from brickphys.vehicles.resolve import relative_speed
from brickphys.vehicles.scene import ORDER, Scene, ThingType, Vehicle
from brickphys.vehicles.scene_rules import distance_studs
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
    PYBULLET_TOUCH = "pybullet: touch"
    PYBULLET_NORMAL = "pybullet: normal"
    PYBULLET_SECTOR = "pybullet: sector"
    PYBULLET_END = "pybullet: end"


@dataclass(frozen=True)
class Disagreement:
    """A point on which two methods do not agree.

    Attributes
    ----------
    check
        What was compared.
    detail
        Both results.
    """

    check: Check
    detail: str


@dataclass(frozen=True)
class Comparison:
    """One move compared.

    Attributes
    ----------
    disagreements
        Where the move is wrong.
    undecided
        How many questions were too near to the tolerance for bisection.
    hits
        How many hits were compared.
    largest_studs
        The largest difference of their distances.
    """

    disagreements: tuple[Disagreement, ...]
    undecided: int
    hits: int
    largest_studs: float


def compare(scene: Scene, move: MoveResult, met: Mapping[str, Meeting]) -> Comparison:
    """Compare a move with what its vehicle meets by bisection.

    Parameters
    ----------
    scene, move
        The scene, and its move, which is checked.
    met
        From `brickphys.vehicles.validation.bisection.meetings`; empty for a vehicle that stands still.
    """
    length = distance_studs(scene.mover.speed)
    stopping = {thing.id for thing in scene.things if thing.type is not ThingType.UNIT}
    border = border_studs(scene, length) if length else None
    end, certain = _end(length, border, met, stopping)
    expected = {
        name for name, one in met.items() if one.is_hit and one.distance_studs <= end + TOLERANCE
    }
    if not certain:
        return Comparison((), 1, 0, 0.0)
    found = list(_set_disagreements(expected, move))
    shared = [hit for hit in move.hits if hit.id in expected]
    undecided = 0
    for hit in shared:
        for one in _hit_disagreements(scene, length, hit, met[hit.id]):
            undecided += one is None
            found += [one] if one else []
    if not found:
        found += _end_disagreements(scene, move, end, border is not None)
    off = [abs(hit.distance_studs - met[hit.id].distance_studs) for hit in shared]
    return Comparison(tuple(found), undecided, len(shared), max(off, default=0.0))


def known_disagreements(
    scene: Scene, move: MoveResult, known: Iterable[Known]
) -> Iterator[Disagreement]:
    """Yield what is wrong by the construction of a scene."""
    hits = {hit.id: hit for hit in move.hits}
    for fact in known:
        hit = hits.get(fact.id)
        if (hit is not None) != fact.is_hit:
            yield Disagreement(Check.KNOWN, f"{fact.id}: {'no hit' if fact.is_hit else 'a hit'}")
        elif hit is not None and fact.distance_studs is not None:
            if abs(hit.distance_studs - fact.distance_studs) > TOLERANCE:
                yield Disagreement(
                    Check.KNOWN, f"{fact.id}: {hit.distance_studs!r}, not {fact.distance_studs!r}"
                )
            side = hit.sector(scene.scheme)
            if fact.sector not in (None, side):
                yield Disagreement(Check.KNOWN, f"{fact.id}: {side}, not {fact.sector}")


def _end(
    length: float,
    border: float | None,
    met: Mapping[str, Meeting],
    stopping: Collection[str],
) -> tuple[float, bool]:
    """Return where the move ends, and whether nothing about that is too near to the tolerance."""
    ends = [length] if border is None else [length, border]
    ends += [one.distance_studs for name, one in met.items() if one.is_hit and name in stopping]
    end = min(ends)
    low, high = (share * TOLERANCE for share in UNDECIDED)
    open_questions = [
        one
        for one in met.values()
        if one.is_hit is None or low < abs(one.distance_studs - end) < high
    ]
    return end, not open_questions


def _set_disagreements(expected: set[str], move: MoveResult) -> Iterator[Disagreement]:
    hit_ids = [hit.id for hit in move.hits]
    if set(hit_ids) != expected or len(set(hit_ids)) != len(hit_ids):
        missing, extra = sorted(expected - set(hit_ids)), sorted(set(hit_ids) - expected)
        yield Disagreement(Check.HITS, f"missing {missing}, unexpected {extra}")
    for before, after in zip(move.hits, move.hits[1:], strict=False):
        gap = after.distance_studs - before.distance_studs
        ranks = [(ORDER[hit.type], hit.id) for hit in (before, after)]
        if gap <= TOLERANCE and (gap != 0 or ranks[0] > ranks[1]):
            yield Disagreement(Check.ORDER, f"{before.id} comes before {after.id}")


def _hit_disagreements(
    scene: Scene, length: float, hit: Hit, meeting: Meeting
) -> Iterator[Disagreement | None]:
    """Yield what is wrong with one hit, and None for each question that is undecided."""
    thing, side = hit.thing, hit.sector(scene.scheme)
    bricks = relative_speed(scene.mover, hit, scene.scheme)
    distances = sorted((hit.distance_studs, meeting.distance_studs))
    if distances[1] - distances[0] > TOLERANCE and not is_touching(
        scene.mover, length, thing, *distances
    ):
        yield Disagreement(
            Check.DISTANCE, f"{hit.id}: {hit.distance_studs!r}, not {meeting.distance_studs!r}"
        )
        return
    off = _off_centre(scene.mover, length, hit, meeting)
    if off is not None:
        yield Disagreement(Check.POINT, f"{hit.id}: {hit.contact.point_studs} is {off}")
    if not isinstance(thing, Vehicle):
        if (side, bricks) != (None, scene.mover.speed):
            yield Disagreement(Check.SPEED, f"{hit.id}: {side}, {bricks}")
        return
    expected = _sector(scene, hit, meeting, thing)
    if expected is None:
        yield None
    elif expected is not side:
        yield Disagreement(Check.SECTOR, f"{hit.id}: {side}, not {expected}")
    elif bricks != _speed(expected, scene.mover.speed, thing.speed):
        yield Disagreement(Check.SPEED, f"{hit.id}: {bricks} for {side}")


def _off_centre(mover: Vehicle, length: float, hit: Hit, meeting: Meeting) -> str | None:
    """Tell how the point of a hit is not the middle of what both bodies share; None if it is."""
    thing = hit.thing
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
    path = hit.distance_studs * np.exp(1j * radians(scene.mover.heading_deg))
    bearing = (complex(*scene.mover.centre_studs) + path - centre) / turn
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


def _end_disagreements(
    scene: Scene, move: MoveResult, end: float, crosses_border: bool
) -> Iterator[Disagreement]:
    """Yield what is wrong with the end of a move all of whose hits are right."""
    stops = tuple(hit.id for hit in move.hits if hit.type is not ThingType.UNIT)
    if move.stopped_by != stops:
        yield Disagreement(Check.STOP, f"{move.stopped_by}, not {stops}")
    # a stop at a shallow angle is right without being the same to all digits
    ends = [end] + [hit.distance_studs for hit in move.hits if hit.id in stops]
    if min(abs(move.travelled_studs - one) for one in ends) > TOLERANCE:
        yield Disagreement(Check.TRAVELLED, f"{move.travelled_studs!r}, not {end!r}")
    path = move.travelled_studs * np.exp(1j * radians(scene.mover.heading_deg))
    off = complex(*move.end_studs) - complex(*scene.mover.centre_studs) - path
    if hypot(off.real, off.imag) > TOLERANCE:
        yield Disagreement(Check.TRAVELLED, f"ends at {move.end_studs}")
    leaves = crosses_border and not stops
    if move.leaves_field != leaves:
        yield Disagreement(Check.BORDER, f"{move.leaves_field}, not {leaves}")
