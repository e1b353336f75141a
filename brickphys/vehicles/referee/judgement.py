"""Judgement: one answer against the exact move of its scene: right, undecided, or its first fault on the way.

After its first fault an answer is about another move, so no later difference counts. A question is undecided if the
exact answer changes while the footprint of the mover grows or shrinks within the tolerance.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import atan2, degrees, dist, hypot
from typing import Any, NamedTuple

from brickphys.errors import InvalidValueError
from brickphys.geometry.clearance import gap_between_studs
from brickphys.geometry.polygon import TOLERANCE
from brickphys.geometry.pose import bearing_deg
from brickphys.vehicles.course import Hit, is_solid, relative_speed
from brickphys.vehicles.referee.answer_schema import AnswerDocument, HitAnswer, MoveAnswer
from brickphys.vehicles.referee.exact_move import ExactMove, Place, at_most
from brickphys.vehicles.referee.fault import GRAZE_STUDS, Fault, FaultKind, Verdict
from brickphys.vehicles.scene import Scene, Vehicle
from brickphys.vehicles.sectors import sector
from brickphys.vehicles.validation.comparison import IMPACT_TOLERANCE_DEG, POINT_TOLERANCE

_ORDER_RANK, _STOP_RANK = 9, 10


class _Difference(NamedTuple):
    """A difference between an answer and the truth; without a fault it is undecided."""

    place: Place
    rank: int
    """Of differences at one place the first is told."""
    fault: Fault | None
    ends: bool = False
    """Whether what comes after it depends on it."""


def judge_answer(
    name: str, scene: Scene, answer: AnswerDocument, tolerance: float = TOLERANCE
) -> Verdict:
    """Judge the answer to one scene; InvalidValueError if the answer gives a place that its piece cannot have.

    `tolerance` is by how many studs and degrees a place may be off.
    """
    is_undecided = False
    found = _Comparison(name, ExactMove(scene, tolerance)).differences(answer)
    for one in sorted(found, key=lambda one: one[:2]):
        if one.fault:
            return Verdict(one.fault)
        is_undecided = True
        if one.ends:
            break
    return Verdict(None, is_undecided)


class _Comparison:
    """The comparison of answers with the exact move of their scene."""

    def __init__(self, name: str, exact: ExactMove) -> None:
        self._name, self._exact = name, exact
        self._own = {part.id for part in exact.scene.moving}
        self._angle_tolerance = max(IMPACT_TOLERANCE_DEG, exact.tolerance)

    def differences(self, answer: AnswerDocument) -> Iterator[_Difference]:
        """Yield the differences between an answer and the truth, in any order."""
        exact, seen = self._exact, dict[str, Place]()
        for hit in answer.hits:
            place = self._place(hit)
            if hit.id in seen or hit.id not in exact.things or hit.id in self._own:
                yield _Difference(place, 0, self._strange(hit, place))
            elif hit.id in exact.hits:
                yield from self._compared(hit, place, exact.hits[hit.id])
            else:
                yield self._surplus(hit, place)
            seen.setdefault(hit.id, place)
        for name, true in exact.hits.items():
            if name not in seen:
                yield self._missed(true)
        yield from self._order([hit.id for hit in answer.hits], seen)
        yield from self._stop(answer.move, seen)

    def _place(self, hit: HitAnswer) -> Place:
        """Return where an answer has a hit; InvalidValueError if its piece does not fit."""
        exact, count = self._exact, max(len(self._exact.motions), 1)
        known, number = exact.hits.get(hit.id), hit.piece
        fits = [n for n in range(count) if exact.is_straight(n) == (hit.turned_deg is None)]
        if number is None:
            meant = known.piece if known else None
            number = meant if meant in fits else next(iter(fits), 0)
        told = f"answer to {self._name}: hit {hit.id!r}"
        if number >= count:
            raise InvalidValueError(f"{told}: there is no piece {number}")
        if number not in fits:
            lacking = "distance" if exact.is_straight(number) else "turned_deg"
            raise InvalidValueError(f"{told}: piece {number} needs {lacking}")
        if hit.turned_deg is None:
            return number, hit.distance or 0.0
        return number, hit.turned_deg * exact.motions[number][0].turned_deg(1.0)

    def _fault(
        self,
        kind: FaultKind,
        thing: str | None,
        seen: Mapping[str, Any] | None,
        right: Mapping[str, Any] | None,
        off: float = 0.0,
        unit: str = "studs",
        cause: str = "",
    ) -> Fault:
        return Fault(self._name, kind, thing, seen, right, off, unit, cause)

    def _spot(self, place: Place) -> dict[str, Any]:
        number, at = place[0], place[1]
        if self._exact.is_straight(number):
            return {"piece": number, "distance": at}
        turned = self._exact.motions[number][0].turned_deg(at)  # + 0.0: not -0.0
        return {"piece": number, "turned_deg": turned + 0.0}

    def _unit(self, place: Place) -> str:
        return "studs" if self._exact.is_straight(place[0]) else "degrees"

    def _strange(self, hit: HitAnswer, place: Place) -> Fault:
        is_known = hit.id in self._exact.things
        cause = "it is hit twice" if is_known else "there is no such thing in the scene"
        cause = "it is what moves" if hit.id in self._own else cause
        return self._fault(FaultKind.FALSE, hit.id, self._spot(place), None, cause=cause)

    def _missed(self, true: Hit) -> _Difference:
        exact, place = self._exact, (true.piece, true.at)
        latest = exact.latest.get(true.id)
        is_sure = latest is not None and at_most(latest, exact.last_end, exact.slack)
        if not is_sure or exact.is_after_end(true.id):
            return _Difference(place, 0, None, is_solid(true.thing))
        depth, kind = exact.depth_studs(true), FaultKind.GRAZE
        if depth >= GRAZE_STUDS:
            kind = FaultKind.TUNNELLING if exact.passes(true) else FaultKind.MISSED
        return _Difference(place, 0, self._fault(kind, true.id, None, self._spot(place), depth))

    def _surplus(self, hit: HitAnswer, place: Place) -> _Difference:
        """Compare a hit of something that is not hit with the touch that a larger mover would have."""
        exact, name = self._exact, hit.id
        ends = is_solid(exact.things[name])
        first = exact.earliest.get(name)
        last = max(exact.latest.get(name, exact.last_end), exact.last_end)
        may_be = first is not None and at_most(first, exact.last_end, exact.slack)
        if first and may_be and all(map(at_most, (first, place), (place, last), [exact.slack] * 2)):
            return _Difference(place, 0, None, ends)
        kind, seen, cause = FaultKind.FALSE, self._spot(place), ""
        if name in exact.free and not at_most(place, exact.end, exact.slack):
            kind, unit, stops = FaultKind.STOP, self._unit(place), exact.move.stopped_by
            cause = f"it is stopped by {' and '.join(stops)} before" if stops else ""
            cause = "its centre leaves the field before" if exact.move.leaves_field else cause
            off = place[1] - exact.end[1] if place[0] == exact.end[0] else 0.0
        else:
            unit = "studs"
            off = gap_between_studs(exact.body_at(place), exact.things[name].body)
        fault = self._fault(kind, name, seen, None, off, unit, cause)
        return _Difference(place, 0, fault, ends)

    def _compared(self, hit: HitAnswer, place: Place, true: Hit) -> Iterator[_Difference]:
        exact, right = self._exact, (true.piece, true.at)
        if place[0] == true.piece and abs(place[1] - true.at) <= exact.tolerance:
            details = (self._point, self._normal, self._impact, self._sector, self._speed)
            for rank, detail in enumerate(details, start=1):
                for fault in detail(hit, true):
                    yield _Difference(right, rank, fault)
            return
        before, ends = min(place, right), is_solid(true.thing)
        first, last = exact.earliest.get(hit.id, right), exact.latest.get(hit.id, exact.last_end)
        if at_most(first, place, exact.slack) and at_most(place, last, exact.slack):
            yield _Difference(before, 0, None, ends)
            return
        off, unit = abs(place[1] - true.at), self._unit(place)
        if place[0] != true.piece:
            off, unit = float(abs(place[0] - true.piece)), "pieces"
        kind = FaultKind.LATE if right < place else FaultKind.EARLY
        fault = self._fault(kind, hit.id, self._spot(place), self._spot(right), off, unit)
        yield _Difference(before, 0, fault, ends)

    def _detail(
        self,
        kind: FaultKind,
        hit: HitAnswer,
        key: str,
        right: Any,
        off: float = 0.0,
        unit: str = "",
    ) -> Fault:
        return self._fault(kind, hit.id, {key: getattr(hit, key)}, {key: right}, off, unit)

    def _point(self, hit: HitAnswer, true: Hit) -> Iterator[Fault | None]:
        """Yield that a point is wrong, or None if that is an open question; so do the others."""
        right, least = true.contact.point_studs, max(POINT_TOLERANCE, 2 * self._exact.tolerance)
        if hit.point is None or dist(hit.point, right) <= least:
            return
        doubtful = self._exact.doubtful.get(true.id, ())
        if any(dist(one.contact.point_studs, right) > POINT_TOLERANCE for one in doubtful):
            yield None
            return
        off = dist(hit.point, right)
        yield self._detail(FaultKind.POINT, hit, "point", list(right), off, "studs")

    def _normal(self, hit: HitAnswer, true: Hit) -> Iterator[Fault | None]:
        right = true.contact.normal
        if hit.normal is None or not true.contact.on_face:  # corners that meet have no one normal
            return
        off = _angle_deg(hit.normal, right)
        if off <= self._angle_tolerance:
            return
        doubtful = self._exact.doubtful.get(true.id, ())
        if any(_angle_deg(one.contact.normal, right) > IMPACT_TOLERANCE_DEG for one in doubtful):
            yield None
            return
        yield self._detail(FaultKind.NORMAL, hit, "normal", list(right), off, "degrees")

    def _impact(self, hit: HitAnswer, true: Hit) -> Iterator[Fault | None]:
        seen, right = hit.impact_deg, true.impact_deg
        if "impact_deg" not in hit.model_fields_set or right is None:
            return
        off = abs(seen - right) if seen is not None else 0.0
        if seen is not None and off <= self._angle_tolerance:
            return
        if any(one.impact_deg is None for one in self._exact.doubtful.get(true.id, ())):
            yield None
            return
        yield self._detail(FaultKind.IMPACT, hit, "impact_deg", right, off, "degrees")

    def _sector(self, hit: HitAnswer, true: Hit) -> Iterator[Fault | None]:
        side = true.sector(self._exact.scene.scheme)
        right = side.value if side else None
        if "sector" in hit.model_fields_set and hit.sector != right:
            is_open = hit.sector in self._sectors(true)
            yield None if is_open else self._detail(FaultKind.SECTOR, hit, "sector", right)

    def _speed(self, hit: HitAnswer, true: Hit) -> Iterator[Fault | None]:
        scene = self._exact.scene
        right = relative_speed(scene.mover, true, scene.scheme)
        for key in ("relative_speed", "bricks"):
            if getattr(hit, key) not in (None, right):
                is_open = len(self._sectors(true)) > 1
                yield None if is_open else self._detail(FaultKind.SPEED, hit, key, right)

    def _sectors(self, true: Hit) -> set[str]:
        """Return the sectors in which a vehicle may be hit within the tolerance."""
        thing, scheme, off = true.thing, self._exact.scene.scheme, 1.01 * self._exact.slack
        if not isinstance(thing, Vehicle):
            return set()
        sides = [one.sector(scheme) for one in (true, *self._exact.doubtful.get(true.id, ()))]
        size = (thing.length_studs, thing.width_studs)
        bearing = bearing_deg(thing.centre_studs, thing.heading_deg, true.pose.centre_studs)
        sides += [sector(scheme, bearing + by, *size, true.contact.edge) for by in (-off, off)]
        return {side.value for side in sides if side}

    def _order(self, listed: Sequence[str], seen: Mapping[str, Place]) -> Iterator[_Difference]:
        """Yield the pairs of hits that an answer has in the wrong order."""
        exact = self._exact
        rank = {name: number for number, name in enumerate(exact.hits)}
        for one, other in pairwise(name for name in listed if name in rank):
            if rank[one] <= rank[other]:
                continue
            first, second = exact.hits[other], exact.hits[one]
            is_apart = first.piece != second.piece or second.at - first.at > 2 * exact.slack
            is_equal = seen[one] == seen[other] and exact.free.get(one) == exact.free.get(other)
            fault = None
            if is_apart or is_equal:  # things hit at once are listed by kind and id
                wrong, right = {"order": [one, other]}, {"order": [other, one]}
                fault = self._fault(FaultKind.ORDER, one, wrong, right)
            yield _Difference((second.piece, second.at), _ORDER_RANK, fault)

    def _stop(self, said: MoveAnswer, seen: Mapping[str, Place]) -> Iterator[_Difference]:
        """Yield what is wrong with the end of the move."""
        exact, true, place, off = self._exact, self._exact.move, self._exact.end, 0.0
        wrong: dict[str, tuple[Any, Any]] = {}
        is_open = False
        if said.stopped_by is not None and set(said.stopped_by) != set(true.stopped_by):
            others = set(said.stopped_by) ^ set(true.stopped_by)
            place = min([place, *(seen[name] for name in others if name in seen)])
            if all(map(self._may_stop, others)):
                is_open = True
            else:
                wrong["stopped_by"] = (said.stopped_by, list(true.stopped_by))
        if said.travelled is not None and not self._is_travelled(said.travelled):
            off = abs(said.travelled - true.travelled_studs)
            wrong["travelled"] = (said.travelled, true.travelled_studs)
            if len(exact.motions) == 1 and exact.is_straight(0):
                place = min(place, (0, said.travelled))
        if said.leaves_field is not None and said.leaves_field != true.leaves_field:
            if self._is_at_border():
                is_open = True
            else:
                wrong["leaves_field"] = (said.leaves_field, true.leaves_field)
        if wrong:
            told, right = ({key: pair[n] for key, pair in wrong.items()} for n in (0, 1))
            fault = self._fault(FaultKind.STOP, None, told, right, off)
            yield _Difference(place, _STOP_RANK, fault)
        elif is_open:
            yield _Difference(place, _STOP_RANK, None)

    def _may_stop(self, name: str) -> bool:
        """Tell whether the tolerance decides whether a thing stops the mover."""
        exact, first = self._exact, self._exact.earliest.get(name)
        if first is None or not is_solid(exact.things[name]):
            return False
        is_doubtful = name not in exact.hits or name not in exact.latest or exact.is_after_end(name)
        return is_doubtful and at_most(first, exact.last_end, exact.slack)

    def _is_travelled(self, travelled_studs: float) -> bool:
        """Tell whether a way is right, or between those of the earliest and of the latest end within the tolerance."""
        exact = self._exact
        off = travelled_studs - exact.move.travelled_studs
        if abs(off) <= exact.tolerance or not exact.is_straight(exact.end[0]):
            return abs(off) <= exact.tolerance
        first, last = exact.first_end, exact.last_end
        low = first[1] - exact.end[1] if first[0] == exact.end[0] else 0.0
        return low - exact.slack <= off <= last[1] - exact.end[1] + exact.slack

    def _is_at_border(self) -> bool:
        """Tell whether the tolerance decides whether the mover leaves the field: it ends at the border, or all but."""
        exact, bounds = self._exact, self._exact.scene.bounds
        x, y = exact.move.end_studs
        room = min(x, bounds.width_studs - x, y, bounds.height_studs - y)
        if exact.move.leaves_field:
            motion, number = exact.motions[exact.end[0]][0], exact.end[0]
            stops = [
                at
                for n, at in exact.earliest.values()
                if n == number and at >= exact.end[1] - exact.slack
            ]
            return min([motion.extent, *stops]) - exact.end[1] <= 2 * exact.slack
        return room <= exact.slack


def _angle_deg(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the angle between two directions; 180 if one of them has no length."""
    if hypot(*one) < TOLERANCE:
        return 180.0
    (x, y), (u, v) = one, other
    return degrees(abs(atan2(x * v - y * u, x * u + y * v)))
