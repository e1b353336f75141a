"""Causes: what explains a fault: the answer is right for another scene, for circles, or in another unit.

A scene is another one if, say, it turns about the centre. An answer with a hit that is right there to a millionth did
not get so by chance.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import cos, degrees, hypot, pi, sin
from typing import Any

from brickphys.errors import InvalidValueError
from brickphys.geometry.obstacles import Body, Obstacles, Prism
from brickphys.geometry.polygon import TOLERANCE, convex_polygon
from brickphys.vehicles.referee.answer_schema import AnswerDocument
from brickphys.vehicles.referee.exact_move import first_touches
from brickphys.vehicles.referee.fault import Fault, FaultKind
from brickphys.vehicles.referee.judgement import judge_answer
from brickphys.vehicles.scene import PivotTurn, Scene, Thing

_ALIKE = 1e-6
"""Studs and degrees: a place that is so near to that of another scene is that place."""
_CORNERS, _CIRCLE_ALIKE = 360, 1e-3
"""A circle is taken for a polygon of so many corners; places then agree so far, in studs or degrees."""
_UNITS = {
    0.008: "metres",
    0.8: "centimetres",
    8.0: "millimetres",
    20.0: "LDraw units",
    pi / 180: "radians",
}
"""What a stud, or a degree, comes to in another unit."""


def cause_of(scene: Scene, answer: AnswerDocument, fault: Fault) -> str:
    """Return what explains a fault of an answer; empty if nothing does that is known."""
    if fault.cause or fault.kind is FaultKind.ORDER:
        return fault.cause
    return _unit(fault) or _heights(scene, fault) or _scene(scene, answer) or _circle(scene, fault)


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


def _heights(scene: Scene, fault: Fault) -> str:
    thing = next((one for one in scene.things if one.id == fault.thing), None)
    if thing is None or fault.kind is not FaultKind.FALSE:
        return ""
    tops, bottoms = (
        [getattr(one, name) for one in (thing.prism, *(part.prism for part in scene.moving))]
        for name in ("top_plates", "bottom_plates")
    )
    meets = any(
        min(top, tops[0]) - max(bottom, bottoms[0]) > TOLERANCE
        for top, bottom in zip(tops[1:], bottoms[1:], strict=True)
    )
    return "" if meets else "heights are ignored: they do not overlap"


def _scene(scene: Scene, answer: AnswerDocument) -> str:
    """Return which other scene an answer is right for."""
    if not any(abs(hit.distance or hit.turned_deg or 0.0) > _ALIKE for hit in answer.hits):
        return ""  # whoever finds nothing, or an overlap at the start, is right for many scenes
    for cause, changes in _others(scene):
        try:
            other = replace(scene, **changes)
            if other != scene and judge_answer("", other, answer, _ALIKE).fault is None:
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

    def vehicles(of: Any) -> dict[str, Any]:
        headed = [replace(one, heading_deg=of(one.heading_deg)) for one in scene.vehicles]
        return {"vehicles": tuple(headed)}

    if turns:
        yield "wrong pivot: it turns about the centre", course(lambda one: PivotTurn(one.turn_deg))
        yield (
            "wrong pivot: left and right are swapped",
            course(lambda one: replace(one, pivot_studs=(one.pivot_studs[0], -one.pivot_studs[1]))),
        )
        yield "it turns the other way", course(lambda one: replace(one, turn_deg=-one.turn_deg))
    yield "headings are counted clockwise", vehicles(lambda heading: -heading)
    yield "headings are taken for radians", vehicles(degrees)


def _circle(scene: Scene, fault: Fault) -> str:
    """Return which outline is taken for a circle, if the place in an answer is that of the circle."""
    thing = next((one for one in scene.things if one.id == fault.thing), None)
    is_place = fault.kind in (FaultKind.FALSE, FaultKind.EARLY, FaultKind.LATE)
    if thing is None or fault.seen is None or not is_place or len(scene.moving) > 1:
        return ""
    if thing.shape or scene.mover.shape:
        return ""
    seen = (fault.seen["piece"], abs(_at(fault.seen)))
    mover, body = scene.mover, (scene.mover.prism,)
    (disc,) = _disc(thing)
    around = hypot(mover.length_studs, mover.width_studs) / 2
    rounds: list[tuple[str, Body, Prism]] = [
        ("the outline of the mover is the circle around it", _disc(mover, around), thing.prism),
        (
            "the outline of the mover is a circle in it",
            _disc(mover, mover.width_studs / 2),
            thing.prism,
        ),
        ("the outline of the thing is the circle around it", body, disc),
        ("both outlines are the circles around them", _disc(mover, around), disc),
    ]
    for cause, moved, still in rounds:
        place = first_touches(scene, moved, [thing], Obstacles.of([still])).get(thing.id)
        if place and place[0] == seen[0] and abs(place[1] - seen[1]) < _CIRCLE_ALIKE:
            return f"circle for corners: {cause}"
    return ""


def _disc(thing: Thing, radius_studs: float | None = None) -> Body:
    """Return a circle about a thing, of a radius or around its corners, as a body of many corners."""
    x, y, around = thing.prism.circle_studs
    radius = around if radius_studs is None else radius_studs
    angles = [2 * pi * number / _CORNERS for number in range(_CORNERS)]
    ring = [(x + radius * cos(angle), y + radius * sin(angle)) for angle in angles]
    return (thing.prism.on(convex_polygon(ring)),)
