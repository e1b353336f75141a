"""Comparison: a move or a course against bisection, and against what is known by construction.

Angles of impact follow from the edges of both footprints, independent of the code under test.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from math import atan2, inf, pi, radians

import numpy as np

from brickphys.geometry.polygon import TOLERANCE
from brickphys.geometry.pose import Pose
from brickphys.vehicles.course import Hit, MoveResult, relative_speed
from brickphys.vehicles.encounter import encounters_of
from brickphys.vehicles.scene import ORDER, Scene, ThingType, Vehicle
from brickphys.vehicles.sectors import Scheme, Sector
from brickphys.vehicles.validation import bisection
from brickphys.vehicles.validation.random_things import Known

_ON_STUDS, _END_STUDS = 1e-7, 1e-6
"""A point so near to an edge is on it; one so near to its end may be in a corner."""


def impact_angles_deg(leg: bisection.Leg, hit: Hit) -> list[float | None]:
    """Return the angles between the way of the touching point and the edges that it may be on.

    None stands for corners that meet, and for a point that does not move. An edge that a point leaves, as the middle of
    a side that turns away from a wall on which it lies, is met at 0 degrees.
    """
    point = complex(*hit.contact.point_studs)
    way = leg.way(point)
    there = bisection.part_at(leg, hit.part, hit.at, 0.0)
    within: list[float | None] = []
    at_ends: list[float | None] = [None]
    for sense, cores in ((1, there), (-1, bisection.cores_of(hit.thing))):
        for start, end in _edges_at(cores, point):
            if not way:
                return [None]
            out = -1j * (end - start) / abs(end - start)
            across = sense * (way / abs(way) * np.conj(out)).real
            is_end = min(abs(point - start), abs(point - end)) < _END_STUDS
            angle_deg = float(np.degrees(np.arcsin(min(max(across, 0.0), 1.0))))
            (at_ends if is_end else within).append(angle_deg)
    return within or at_ends


def _edges_at(cores: Sequence[bisection.Core], point: complex) -> Iterator[tuple[complex, complex]]:
    """Yield the edges of an outline on which a point is, the area to their left; of an arc a piece of the tangent."""
    for core, radius in cores:
        if radius:
            near = complex(*bisection.nearest(core, point))
            away = point - near
            if abs(abs(away) - radius) < _ON_STUDS:
                yield point - 1j * away, point + 1j * away
            continue
        whole = bisection.shapely().orient_polygons(core)
        for ring in (whole.exterior, *whole.interiors):
            corners = [complex(x, y) for x, y in ring.coords]
            for start, end in pairwise(corners):
                share = ((point - start) / (end - start)).real
                foot = start + min(max(share, 0.0), 1.0) * (end - start)
                if abs(point - foot) < _ON_STUDS:
                    yield start, end


POINT_TOLERANCE = 1e-4
"""Studs: of the middle of a contact, which is sought in a sliver `_PUSH` thick."""
_PUSH = 1e-8
_WEDGE_STUDS = 0.01
IMPACT_TOLERANCE_DEG = 1e-5
_SETTLED = 1e-6
"""Studs: if another push moves the centre of the sliver farther than this, its edges are nearly parallel."""


class CheckKind(Enum):
    """What is compared."""

    HITS = "hits"
    DISTANCE = "distance"
    ORDER = "order"
    POINT = "point"
    POSE = "pose at touch"
    IMPACT = "impact angle"
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
    """A point on which two methods do not agree."""

    check: CheckKind
    detail: str
    """Both results."""


@dataclass(frozen=True)
class MoveComparison:
    """One move compared."""

    disagreements: tuple[Disagreement, ...]
    undecided: int
    """How many questions were too near to the tolerance for bisection."""
    hits: int
    """How many hits were compared."""
    largest: float
    """The largest difference of their distances, in studs, or of their angles, in degrees."""
    goes_on: bool
    """Whether bisection too says that the mover goes on to the next piece."""


def compare(
    leg: bisection.Leg, move: MoveResult, met: Mapping[str, bisection.Meeting]
) -> MoveComparison:
    """Compare a leg of a move with what its vehicle meets by bisection.

    The pieces of the move before the leg were right; what is met is from `bisection.meetings`.
    """
    if leg.number >= len(move.pieces):
        wrong = Disagreement(CheckKind.STOP, f"piece {leg.number} is not begun")
        return MoveComparison((wrong,), 0, 0, 0.0, goes_on=False)
    stopping = {thing.id for thing in leg.scene.things if thing.type is not ThingType.UNIT}
    border_at = bisection.border(leg)
    end, certain = _end(leg.extent, border_at, met, stopping)
    if not certain:
        return MoveComparison((), 1, 0, 0.0, goes_on=False)
    expected = {name for name, one in met.items() if one.is_hit and one.at <= end + TOLERANCE}
    hits = [hit for hit in move.hits if hit.piece == leg.number]
    found = list(_set_disagreements(expected, hits))
    shared = [hit for hit in hits if hit.id in expected]
    undecided = 0
    for hit in shared:
        for one in _hit_disagreements(leg, hit, met[hit.id]):
            undecided += one is None
            found += [one] if one else []
    if not found:
        found += _end_disagreements(leg, move, end, border_at is not None)
    off = [abs(hit.at - met[hit.id].at) for hit in shared]
    goes_on = not found and border_at is None and stopping.isdisjoint(expected)
    return MoveComparison(tuple(found), undecided, len(shared), max(off, default=0.0), goes_on)


def known_disagreements(
    scene: Scene, move: MoveResult, known: Iterable[Known]
) -> Iterator[Disagreement]:
    """Yield what is wrong by the construction of a scene."""
    hits, met = {hit.id: hit for hit in move.hits}, encounters_of(scene)
    for fact in known:
        if met:
            (time_s,) = (one["time_s"] for one in met.found)
            off = 0.0 if time_s is None or fact.at is None else abs(time_s - fact.at)
            if (time_s is not None) != fact.is_hit or off > fact.tolerance:
                yield Disagreement(
                    CheckKind.KNOWN, f"{fact.id}: contact at {time_s!r} s, not {fact}"
                )
            continue
        hit = hits.get(fact.id)
        if (hit is not None) != fact.is_hit:
            yield Disagreement(
                CheckKind.KNOWN, f"{fact.id}: {'no hit' if fact.is_hit else 'a hit'}"
            )
        elif hit is not None and fact.at is not None:
            if hit.piece != fact.piece or abs(hit.at - fact.at) > fact.tolerance:
                yield Disagreement(
                    CheckKind.KNOWN,
                    f"{fact.id}: {hit.at!r} of piece {hit.piece}, not {fact.at!r} of {fact.piece}",
                )
            side = hit.sector(scene.scheme)
            if fact.sector not in (None, side):
                yield Disagreement(CheckKind.KNOWN, f"{fact.id}: {side}, not {fact.sector}")


def _end(
    extent: float,
    border_at: float | None,
    met: Mapping[str, bisection.Meeting],
    stopping: Collection[str],
) -> tuple[float, bool]:
    """Return where a leg ends, and whether nothing about that is too near to the tolerance."""
    ends = [extent] if border_at is None else [extent, border_at]
    ends += [one.at for name, one in met.items() if one.is_hit and name in stopping]
    end = min(ends)
    low, high = (share * TOLERANCE for share in bisection.UNDECIDED)
    open_questions = [
        one for one in met.values() if one.is_hit is None or low < abs(one.at - end) < high
    ]
    return end, not open_questions


def _set_disagreements(expected: set[str], hits: Sequence[Hit]) -> Iterator[Disagreement]:
    hit_ids = [hit.id for hit in hits]
    if set(hit_ids) != expected or len(set(hit_ids)) != len(hit_ids):
        missing, extra = sorted(expected - set(hit_ids)), sorted(set(hit_ids) - expected)
        yield Disagreement(CheckKind.HITS, f"missing {missing}, unexpected {extra}")
    for before, after in pairwise(hits):
        gap = after.at - before.at
        ranks = [(ORDER[hit.type], hit.id) for hit in (before, after)]
        if gap <= TOLERANCE and (gap != 0 or ranks[0] > ranks[1]):
            yield Disagreement(CheckKind.ORDER, f"{before.id} comes before {after.id}")


def _hit_disagreements(
    leg: bisection.Leg, hit: Hit, meeting: bisection.Meeting
) -> Iterator[Disagreement | None]:
    """Yield what is wrong with one hit, and None for each question that is undecided."""
    scene, thing, side = leg.scene, hit.thing, hit.sector(leg.scene.scheme)
    bricks = relative_speed(scene.mover, hit, scene.scheme)
    places = sorted((hit.at, meeting.at))
    if places[1] - places[0] > TOLERANCE and not bisection.is_touching(leg, thing, *places):
        yield Disagreement(CheckKind.DISTANCE, f"{hit.id}: {hit.at!r}, not {meeting.at!r}")
        return
    off = _off_centre(leg, hit, meeting)
    if off is not None:
        yield Disagreement(CheckKind.POINT, f"{hit.id}: {hit.contact.point_studs} is {off}")
    if not _is_pose(hit.pose, leg, hit.at):
        yield Disagreement(CheckKind.POSE, f"{hit.id}: {hit.pose}")
    angles = None if meeting.overlaps_at_start else impact_angles_deg(leg, hit)
    if angles is not None and not any(_is_near(hit.impact_deg, angle) for angle in angles):
        yield Disagreement(CheckKind.IMPACT, f"{hit.id}: {hit.impact_deg}, not {angles}")
    if not isinstance(thing, Vehicle):
        if (side, bricks) != (None, scene.mover.speed):
            yield Disagreement(CheckKind.SPEED, f"{hit.id}: {side}, {bricks}")
        return
    expected = _sector(leg, hit, meeting, thing)
    if expected is None:
        yield None
    elif expected is not side:
        yield Disagreement(CheckKind.SECTOR, f"{hit.id}: {side}, not {expected}")
    elif bricks != _speed(expected, scene.mover.speed, thing.speed):
        yield Disagreement(CheckKind.SPEED, f"{hit.id}: {bricks} for {side}")


def _off_centre(leg: bisection.Leg, hit: Hit, meeting: bisection.Meeting) -> str | None:
    """Tell how the point of a hit is not the middle of what both bodies share; None if it is."""
    thing, point = hit.thing, complex(*hit.contact.point_studs)
    away = max(bisection.apart(leg, thing, hit.at, point))
    has_dents = bool(thing.shape or leg.scene.moving[hit.part].shape)
    if meeting.overlaps_at_start and has_dents:
        away = 0.0  # a centre of area may lie in a dent
    if away > 2 * TOLERANCE:
        return f"{away:.3g} studs off the bodies"
    speed = abs(leg.way(point)) / leg.extent
    push = 0.0 if meeting.overlaps_at_start or not speed else _PUSH / speed
    # in a turn, edges that meet flush share a wedge, whose centre is not the middle of the edge
    largest = inf if leg.path or meeting.overlaps_at_start else _WEDGE_STUDS
    near, far = (
        bisection.common_centre(leg, hit.part, thing, hit.at + push * times, largest)
        for times in (1, 2)
    )
    # no area yet where they graze; and between edges that are nearly parallel the centre runs along with the push
    if near is None or far is None or abs(far - near) > _SETTLED:
        return None
    away = abs(point - near)
    return f"{away:.3g} studs off" if away > POINT_TOLERANCE + 2 * abs(far - near) else None


def _is_pose(pose: Pose, leg: bisection.Leg, at: float) -> bool:
    """Tell whether a mover has a pose at a place on a leg."""
    centre, heading_deg = leg.after(at / leg.extent)
    near = abs(complex(*pose.centre_studs) - centre) <= TOLERANCE
    return near and abs(pose.heading_deg - heading_deg) <= TOLERANCE


def _is_near(angle_deg: float | None, expected_deg: float | None) -> bool:
    if angle_deg is None or expected_deg is None:
        return angle_deg is expected_deg
    return abs(angle_deg - expected_deg) <= IMPACT_TOLERANCE_DEG


def _sector(
    leg: bisection.Leg, hit: Hit, meeting: bisection.Meeting, other: Vehicle
) -> Sector | None:
    """Return the sector of a hit, worked out in the frame of the vehicle that is hit; None on a boundary."""
    scheme = leg.scene.scheme
    turn = np.exp(1j * radians(other.heading_deg))
    centre = complex(*other.centre_studs)
    ahead, left = other.length_studs / 2, other.width_studs / 2
    if scheme is Scheme.CONTACT and other.shape:
        return None
    if scheme is Scheme.CONTACT and not meeting.overlaps_at_start:
        spot = (complex(*hit.contact.point_studs) - centre) / turn
        over = (ahead - abs(spot.real), left - abs(spot.imag))
        if bisection.UNDECIDED[0] * TOLERANCE < max(over) < bisection.UNDECIDED[1] * TOLERANCE:
            return None
        if max(over) >= bisection.UNDECIDED[1] * TOLERANCE:
            return _side(spot, over[0] < over[1])
    there, _ = leg.after(hit.at / leg.extent)
    bearing = (there - centre) / turn
    end = atan2(left, ahead) if scheme is Scheme.CORNER else pi / 4
    # how far the bearing is inside the sectors of front and rear
    inside = end - atan2(abs(bearing.imag), abs(bearing.real))
    low, high = (share * radians(TOLERANCE) for share in bisection.UNDECIDED)
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
    leg: bisection.Leg, move: MoveResult, end: float, crosses_border: bool
) -> Iterator[Disagreement]:
    """Yield what is wrong with the end of a leg all of whose hits are right."""
    result = move.pieces[leg.number]
    stopping = [
        hit for hit in move.hits if hit.piece == leg.number and hit.type is not ThingType.UNIT
    ]
    stops = tuple(hit.id for hit in stopping)
    if result.stopped_by != stops:
        yield Disagreement(CheckKind.STOP, f"{result.stopped_by}, not {stops}")
    # a stop at a shallow angle is right without being the same to all digits
    ends = [end] + [hit.at for hit in stopping]
    if min(abs(result.at - one) for one in ends) > TOLERANCE:
        yield Disagreement(CheckKind.TRAVELLED, f"{result.at!r}, not {end!r}")
    last = leg.number == len(move.pieces) - 1
    if not _is_pose(move.end if last else result.end, leg, result.at):
        yield Disagreement(CheckKind.TRAVELLED, f"ends at {result.end}")
    leaves = crosses_border and not stops
    if result.leaves_field != leaves:
        yield Disagreement(CheckKind.BORDER, f"{result.leaves_field}, not {leaves}")
    if last != (leaves or bool(stops) or leg.number == len(move.course) - 1):
        yield Disagreement(CheckKind.STOP, f"piece {leg.number} is followed by another, or by none")
