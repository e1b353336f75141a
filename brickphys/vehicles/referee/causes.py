"""Causes: what explains a fault: rounding, a constant offset, another unit, another scene, or circles for outlines.

A scene is another one if, say, it turns about the centre. Each cause is a model that gives the answer again, to a
millionth, and a hundred times nearer than the truth does.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from math import degrees, pi
from typing import Any

import numpy as np

from brickphys.errors import InvalidValueError
from brickphys.geometry.obstacles import Body, Obstacles
from brickphys.geometry.polygon import TOLERANCE, Polygon
from brickphys.vehicles.referee.answer_schema import AnswerDocument
from brickphys.vehicles.referee.exact_move import first_touches, grown_body
from brickphys.vehicles.referee.fault import Fault, FaultKind, Verdict
from brickphys.vehicles.referee.judgement import judge_answer
from brickphys.vehicles.scene import PivotTurn, Scene, Thing, Vehicle

_ALIKE = 1e-6
"""Studs and degrees: a place that is so near to that of another scene is that place."""
_SKIN = 1e-3
"""The same of circles, and where heights are ignored: physics engines keep a skin around bodies."""
_NEARER = 0.01
"""A cause gives an answer again so much nearer than the truth does."""
_LEAST_ALIKE, _MOST_OFFSET = 3, 0.1
"""Faults that are off by the same, and by how many studs or degrees at most: a constant offset."""
_PLACE = (FaultKind.EARLY, FaultKind.LATE)
_CIRCLES = tuple(f"circle for corners: {which}" for which in (
    "the outline of the mover is the circle around it", "the outline of the mover is a circle in it",
    "the outline of the thing is the circle around it", "both outlines are the circles around them",
))  # fmt: skip
_UNITS = {
    0.008: "metres", 0.8: "centimetres", 8.0: "millimetres", 20.0: "LDraw units", pi / 180: "radians"
}  # fmt: skip
"""What a stud, or a degree, comes to in another unit."""


def cause_of(
    scene: Scene, answer: AnswerDocument, fault: Fault, alike: Sequence[Fault] = (), known: str = ""
) -> str:
    """Return what explains a fault of an answer; empty if nothing does that is known.

    `alike` are the faults of its kind in all answers, and `known` is the cause in a larger scene.
    """
    if fault.cause or fault.kind is FaultKind.ORDER:
        return fault.cause
    causes = (
        _rounding(answer, fault, alike), _offset(fault, alike), _unit(fault),
        _scene(scene, answer, fault), *_outlines(scene, fault),
    )  # fmt: skip
    if known and known in causes:
        return known
    return next((one for one in causes if one and (_at(fault.seen) or one not in _CIRCLES)), "")


def _rounding(answer: AnswerDocument, fault: Fault, alike: Sequence[Fault]) -> str:
    """Return to which digits the truth is rounded in an answer."""
    seen, right = (
        [one for value in (said or {}).values() for one in (value if isinstance(value, list) else [value])]
        for said in (fault.seen, fault.right)
    )  # fmt: skip
    pairs = [pair for pair in zip(seen, right, strict=False) if pair[0] != pair[1]]
    if len(seen) != len(right) or not all(type(one) is float for pair in pairs for one in pair):
        return ""

    def is_by(rounded: Callable[[float, int], float], digits: int = 0) -> bool:
        return bool(pairs) and all(one == rounded(other, digits) for one, other in pairs)

    if is_by(lambda value, _: float(np.float32(value))):
        return "rounding: to single precision (float32)"
    places = [_at(hit.model_dump(exclude_none=True)) for hit in answer.hits]
    own = [one for one, _ in pairs] + (places if "piece" in (fault.seen or {}) else [])
    for said in ([*own, *(_at(one.seen) for one in alike)], own):  # the last digit may be a zero
        digits = max((-int(Decimal(repr(one)).as_tuple().exponent) for one in said), default=0)
        if digits > 1 and is_by(round, digits):
            return f"rounding: to {digits} digits after the point"
    if any(one.is_integer() for one, _ in pairs):  # that has many reasons
        return ""
    by = (n for n in range(3, 9) if is_by(lambda value, n: float(f"{value:.{n}g}"), n))
    return next((f"rounding: to {digits} significant digits" for digits in by), "")


def _offset(fault: Fault, alike: Sequence[Fault]) -> str:
    """Return that most faults of a kind are off by the same."""
    count = sum(abs(one.off - fault.off) <= _NEARER * fault.off for one in alike)
    is_it = fault.kind in _PLACE and 0 < fault.off <= _MOST_OFFSET
    is_it = is_it and count >= max(_LEAST_ALIKE, len(alike) / 2)
    return f"off by a constant: {fault.size}" if is_it else ""


def _near(fault: Fault, at_most: float) -> float:
    """Return how near to an answer a cause must come."""
    return min(at_most, _NEARER * fault.off) if fault.off else at_most


def _unit(fault: Fault) -> str:
    """Return in which unit a place would be right."""
    seen, right = _at(fault.seen), _at(fault.right)
    for factor, unit in _UNITS.items():
        is_turn = "turned_deg" in (fault.seen or {})
        if right and (unit == "radians") == is_turn and abs(seen / right / factor - 1) < _ALIKE:
            return f"wrong unit: {unit}, not {'degrees' if is_turn else 'studs'}"
    return ""


def _at(said: Mapping[str, Any] | None) -> float:
    found = said or {}
    return float(found.get("distance", found.get("turned_deg", 0.0)))


def _scene(scene: Scene, answer: AnswerDocument, fault: Fault) -> str:
    """Return which other scene an answer is right for."""
    if not any(abs(hit.distance or hit.turned_deg or 0.0) > _ALIKE for hit in answer.hits):
        return ""  # whoever finds nothing, or an overlap at the start, is right for many scenes
    if (near := _near(fault, _ALIKE)) < TOLERANCE:
        return ""
    for cause, changes in _others(scene):
        try:
            other = replace(scene, **changes)
            if other != scene and judge_answer("", other, answer, near) == Verdict(None):
                return cause
        except InvalidValueError:  # there is no such scene, or its pieces are others
            continue
    return ""


def _others(scene: Scene) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield causes, and what is different in the scene that a program then looks at."""
    turns = {number: one for number, one in enumerate(scene.course) if isinstance(one, PivotTurn)}

    def course(of: Any) -> dict[str, Any]:
        return {
            "course": tuple(of(one) if n in turns else one for n, one in enumerate(scene.course))
        }

    def vehicles(of: Callable[[Vehicle], dict[str, Any]]) -> dict[str, Any]:
        return {"vehicles": tuple(replace(one, **of(one)) for one in scene.vehicles)}

    if turns:
        yield "wrong pivot: it turns about the centre", course(lambda one: PivotTurn(one.turn_deg))
        yield (
            "wrong pivot: left and right are swapped",
            course(lambda one: replace(one, pivot_studs=(one.pivot_studs[0], -one.pivot_studs[1]))),
        )
        yield "it turns the other way", course(lambda one: replace(one, turn_deg=-one.turn_deg))
    yield "headings are counted clockwise", vehicles(lambda one: {"heading_deg": -one.heading_deg})
    yield (
        "headings are taken for radians",
        vehicles(lambda one: {"heading_deg": degrees(one.heading_deg)}),
    )
    yield (
        "length and width are swapped",
        vehicles(lambda v: {"length_studs": v.width_studs, "width_studs": v.length_studs}),
    )


def _outlines(scene: Scene, fault: Fault) -> Iterator[str]:
    """Yield which heights or outlines are taken for others, if the place in an answer is that of their touch."""
    thing, seen = next((one for one in scene.things if one.id == fault.thing), None), fault.seen
    if thing is None or seen is None or fault.kind not in (FaultKind.FALSE, *_PLACE):
        return
    body = grown_body(scene, 0.0)

    def is_it(moved: Body, still: Body, near: float) -> bool:
        touches = first_touches(scene, moved, [thing] * len(still), Obstacles.of(still))
        piece, at = touches.get(thing.id, (-1, 0.0))
        return piece == seen["piece"] and abs(at - abs(_at(seen))) <= near

    if fault.kind is FaultKind.FALSE and is_it(_flat(body), _flat(thing.body), _SKIN):
        yield "heights are ignored: they do not overlap"
    if thing.shape or scene.mover.shape or len(scene.moving) > 1:
        return
    around, disc = _disc(scene.mover), _disc(thing)
    inner = _disc(scene.mover, scene.mover.width_studs / 2)
    pairs = ((around, thing.body), (inner, thing.body), (body, disc), (around, disc))
    for cause, (moved, still) in zip(_CIRCLES, pairs, strict=True):
        if is_it(moved, still, _near(fault, _SKIN)):
            yield cause


def _flat(body: Body) -> Body:
    return tuple(replace(prism, bottom_plates=0.0, top_plates=1.0) for prism in body)


def _disc(thing: Thing, radius_studs: float | None = None) -> Body:
    """Return a circle about a thing, of a radius or around its corners, as a body."""
    x, y, around = thing.prism.circle_studs
    radius = around if radius_studs is None else radius_studs
    return (replace(thing.prism, footprint=Polygon(np.array([[x, y]])), radius_studs=radius),)
