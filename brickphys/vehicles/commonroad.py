"""CommonRoad: scenarios of traffic as XML (versions 2018b and 2020a), and the encounters of all bodies in them.

Lengths there are metres, and times are steps. A metre is taken for a stud: all results in studs are metres. Between two
states a body moves straight, or turns about the one point that takes it from one to the other. It speeds up evenly
where the velocities of both states explain the distance between them; else its speed is even. So it is in each of its
states exactly. Before its first state and after its last one it is not there.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from math import cos, degrees, nan, remainder, sin, tan, tau
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from lxml import etree

from brickphys.errors import InvalidValueError, naming
from brickphys.geometry.many.outlines import Outlines, outlines
from brickphys.reading import MOST_SCENE_BYTES, read_text
from brickphys.text import counted, listed, paragraphs, shown
from brickphys.vehicles.encounter import SceneEncounters, TimedBody, encounter_of
from brickphys.vehicles.scene import LARGEST, SMALLEST_STUDS

VERSIONS = ("2018b", "2020a")
_LONGEST_M, _SHORTEST_STEP_S, _LONGEST_STEP_S = 1000.0, 1e-6, 60.0
_FARTHEST_PIVOT_M = 1e6
"""Beyond, a turn is a straight piece, and the next one makes up for its angle."""
_EXPLAINED_M = 1e-3
"""So far may the distance between two states be off that by their velocities."""
_LARGEST_RAD = tau + 1e-3
"""With room for rounding."""
_FAR_M_S = 1.0
"""Velocities that differ by less are never told."""
_OBSTACLES = ("obstacle", "staticObstacle", "dynamicObstacle")


class State(NamedTuple):
    """A body at a time step; its velocity is None if it is not given."""

    step: int
    place_m: complex
    heading_rad: float
    velocity_m_s: float | None


class _NotExactError(InvalidValueError):
    """What is known of an obstacle is no exact outline or way: it is left out."""


class Obstacle(NamedTuple):
    """A body of a scenario: its outline in its own frame, (ahead, left), and a state for each step or a single one."""

    id: str
    kind: str
    outline_m: Outlines
    states: tuple[State, ...]

    @property
    def moves(self) -> bool:
        """Whether it has a way."""
        return len(self.states) > 1

    def odd_velocity(self, step_s: float) -> str | None:
        """Return where its velocity is less than half of that by its positions, or more than twice; None if nowhere."""
        for one, other in pairwise(self.states):
            if one.velocity_m_s is not None and other.velocity_m_s is not None:
                stated = (abs(one.velocity_m_s) + abs(other.velocity_m_s)) / 2
                moved = abs(other.place_m - one.place_m) / step_s
                if abs(stated - moved) > max(_FAR_M_S, max(stated, moved) / 2):
                    return f"{self.id} at step {one.step}: {stated:g}, not {moved:.3g} m/s"
        return None

    def between(self, first: int, last: int, step_s: float) -> TimedBody:
        """Return the body from one time step to another one, in both of which it is."""
        begin = first - self.states[0].step if self.moves else 0
        states = self.states[begin : begin + last - first + 1]
        place, heading = states[0].place_m, degrees(states[0].heading_rad)
        there = self.outline_m.placed(np.array([(place.real, place.imag, heading)]))
        waits = [(0.0, 0.0, nan, 0.0, 0.0, (last - first) * step_s)]
        way = np.array(list(_pieces(states, step_s)) or waits)
        return TimedBody(self.id, there, way, 1.0)


@dataclass(frozen=True)
class Scenario:
    """The obstacles of a scenario that have exact outlines and ways, and their encounters once they are found."""

    name: str
    step_s: float
    obstacles: tuple[Obstacle, ...]
    left_out: tuple[str, ...]
    """Obstacles that are not taken, with the reasons, and kinds of elements that no encounter needs."""
    met: SceneEncounters

    def encountered(self, within_m: float | None = None) -> "Scenario":
        """Return it with the encounters of all pairs of bodies, one of which moves, while both are there.

        Those whose smallest gap is above `within_m` are left out; InvalidValueError if that is below 0. Times are from
        step 0 on, and both bodies have the same mass.
        """
        if within_m is not None and not within_m >= 0.0:
            raise InvalidValueError(f"clearance {within_m:g} is not 0 or more")
        found = []
        for one, other, first, last in self.pairs():
            ways = (body.between(first, last, self.step_s) for body in (one, other))
            found.append(encounter_of(*ways, since_s=first * self.step_s))
            del found[-1]["masses_g"]
        near = [
            one for one in found if within_m is None or not (one["gap_studs"] or 0.0) > within_m
        ]
        return replace(self, met=SceneEncounters(tuple(near), "m"))

    def pairs(self) -> Iterator[tuple[Obstacle, Obstacle, int, int]]:
        """Yield the pairs that are there together for a time, with the first and the last step of that."""
        for pair in combinations(self.obstacles, 2):
            moving = [one.states for one in pair if one.moves]
            first = max((one[0].step for one in moving), default=0)
            last = min((one[-1].step for one in moving), default=0)
            if first < last:
                yield (*pair, first, last)

    def document(self) -> dict[str, Any]:
        """Return it for JSON."""
        bodies = [{"id": one.id, "type": one.kind, "moves": one.moves} for one in self.obstacles]
        head = {
            "scenario": self.name,
            "metres_per_stud": 1,
            "step_s": self.step_s,
            "bodies": bodies,
        }
        return {**head, "left_out": list(self.left_out), "encounters": self.met.document()}

    def text(self) -> str:
        """Return it for people."""
        pairs = self.met.text() if self.met.found else "no two bodies come so near"
        moving = [body.states for body in self.obstacles if body.moves]
        steps = f"{min(each[0].step for each in moving)} to {max(each[-1].step for each in moving)}"
        bodies = f"{counted(len(self.obstacles), 'body', 'bodies')}, {len(moving)} of them moving"
        line = f"{self.name}: {bodies}, steps {steps} of {self.step_s:g} s"
        odd = [told for one in self.obstacles if (told := one.odd_velocity(self.step_s))]
        notes = [f"velocities far off the positions, which count: {listed(odd)}"] if odd else []
        return paragraphs(line, pairs, "\n".join([*notes, *self.left_out]))


def read_commonroad(path: Path | str) -> Scenario:
    """Read a scenario of CommonRoad; InvalidValueError if it cannot be read or used, or no two bodies are in it."""
    text = read_text(path, MOST_SCENE_BYTES)
    parser = etree.XMLParser(encoding="utf-8", resolve_entities=False, remove_comments=True)
    with naming(str(path)):
        if "<!DOCTYPE" in text:
            raise InvalidValueError("has a document type, which no scenario needs: not read")
        try:
            return _scenario(etree.fromstring(text.encode(), parser))
        except etree.XMLSyntaxError as error:
            raise InvalidValueError(f"not XML: {error.msg}") from None


def _scenario(root: Any) -> Scenario:
    version = root.get("commonRoadVersion")
    if root.tag != "commonRoad" or version not in VERSIONS:
        told = f"<{root.tag}> of version {shown(version)}"
        raise InvalidValueError(f"{told} is not <commonRoad> of version {' or '.join(VERSIONS)}")
    step_s = _finite("timeStepSize", root.get("timeStepSize"), _SHORTEST_STEP_S, _LONGEST_STEP_S)
    found: dict[str, Obstacle] = {}
    faults, left_out = list[str](), list[str]()
    for element in root.iterchildren(*_OBSTACLES):
        name = element.get("id", "").strip()
        place = f"{element.tag} {name or '?'} (line {element.sourceline})"
        try:
            if not name or name in found:
                raise InvalidValueError(f"its id is {'that of another one' if name else 'missing'}")
            found[name] = _obstacle(element, name)
        except _NotExactError as error:
            left_out.append(f"left out: {place}: {error}")
        except InvalidValueError as error:
            faults.append(f"{place}: {error}")
    if unread := Counter(
        str(one.tag) for one in root.iterchildren("*") if one.tag not in _OBSTACLES
    ):
        left_out.append(f"not read: {', '.join(f'{count} {tag}' for tag, count in unread.items())}")
    name = root.get("benchmarkID") or "scenario"
    made = Scenario(name, step_s, tuple(found.values()), tuple(left_out), SceneEncounters(()))
    places = np.array([one.place_m for body in made.obstacles for one in body.states] or [0j])
    if (reach := max(np.ptp(places.real), np.ptp(places.imag))) > LARGEST:
        faults.append(f"its bodies are {reach:g} m apart, more than {LARGEST:g}")
    if faults or not any(made.pairs()):
        nothing = ["no two bodies, one of which moves, are there together", *left_out]
        raise InvalidValueError(listed(faults or nothing))
    return made


def _obstacle(element: Any, name: str) -> Obstacle:
    kind, outline = (_child(element, "type").text or "").strip(), _outline(_child(element, "shape"))
    states = [_state(_child(element, "initialState"))]
    if "static" not in (element.tag[:6], element.findtext("role", "").strip()):
        states += map(_state, element.iterfind("trajectory/state"))
        if len(states) == 1:
            is_set = element.find("occupancySet") is not None
            raise _NotExactError("its way is a set of areas" if is_set else "it has no trajectory")
    for one, other in pairwise(states):
        if other.step != one.step + 1:
            why = f"its time step {one.step} is followed by {other.step}"
            raise InvalidValueError(f"{why}: it needs a state for each step")
    return Obstacle(name, kind, outline, tuple(states))


def _state(element: Any) -> State:
    try:
        if _child(element, "position").find("point") is None:
            raise _NotExactError("its position is an area, not a point")
        given = ["time", "orientation"] + ["velocity"] * (element.find("velocity") is not None)
        if rough := [tag for tag in given if _child(element, tag).find("exact") is None]:
            raise _NotExactError(f"its {rough[0]} is not exact")
        step, heading, *velocity = (_number(element, f"{tag}/exact") for tag in given)
        if step != int(step) or step < 0:
            raise InvalidValueError(f"time: {step:g} is not a number of steps")
        place = _point(_child(element, "position/point"))
        return State(int(step), place, heading, velocity[0] if velocity else None)
    except InvalidValueError as error:
        raise type(error)(f"line {element.sourceline}: {error}") from None


def _outline(shape: Any) -> Outlines:
    """Return a shape, which may have several parts, in the frame of its body."""
    parts: list[dict[str, Any]] = []
    for one in shape:
        middle = 0j if one.find("center") is None else _point(one.find("center"))
        if one.tag == "circle":
            radius = _number(one, "radius", SMALLEST_STUDS, _LONGEST_M)
            parts.append({"circle": (middle.real, middle.imag), "radius": radius})
            continue
        if one.tag == "polygon":
            corners = [*map(_point, one.iterfind("point"))]
        elif one.tag == "rectangle":
            half = complex(*(_number(one, tag, SMALLEST_STUDS) for tag in ("length", "width"))) / 2
            angle = 0.0 if one.find("orientation") is None else _number(one, "orientation")
            quarter = [half, -half.conjugate(), -half, half.conjugate()]
            corners = [complex(cos(angle), sin(angle)) * corner for corner in quarter]
        else:
            raise _NotExactError(f"its shape is a {one.tag}")
        parts.append({"polygon": [((c + middle).real, (c + middle).imag) for c in corners]})
    named = [{**part, "name": str(number)} for number, part in enumerate(parts)]
    made = outlines([{"part": named} if len(parts) > 1 else one for one in parts[:1]])
    if not len(made) or (reach := np.abs(made.vertices_studs).max()) > _LONGEST_M:
        why = f"it reaches {reach:g} m, more than {_LONGEST_M:g}" if len(made) else "it is empty"
        raise InvalidValueError(f"shape: {why}")
    return made


def _pieces(states: Sequence[State], step_s: float) -> Iterator[tuple[float, ...]]:
    """Yield the pieces of a way through states, as `encounter` takes them."""
    heading = states[0].heading_rad
    for one, other in pairwise(states):
        way = other.place_m - one.place_m
        turn = remainder(other.heading_rad - heading, tau)
        if turn == 0.0 or abs(turn) * _FARTHEST_PIVOT_M <= abs(way):
            yield (way.real, way.imag, nan, *_pace(one, other, abs(way), abs(way), step_s))
            continue
        heading = other.heading_rad
        pivot = one.place_m + way / 2 * (1 + 1j / tan(turn / 2))
        arc_m, extent_deg = abs(turn / 2 / sin(turn / 2) * way), degrees(abs(turn))
        yield (pivot.real, pivot.imag, degrees(turn), *_pace(one, other, extent_deg, arc_m, step_s))


def _pace(
    one: State, other: State, extent: float, way_m: float, step_s: float
) -> tuple[float, float, float]:
    """Return speed, acceleration and wait of a piece that takes one step; `way_m` is that of the body's place."""
    if not extent:
        return 0.0, 0.0, step_s
    if way_m and one.velocity_m_s is not None and other.velocity_m_s is not None:
        begin, end = abs(one.velocity_m_s), abs(other.velocity_m_s)
        off_m = (begin + end) / 2 * step_s - way_m
        if abs(off_m) <= _EXPLAINED_M and begin * step_s <= 2 * way_m:
            speed = begin * extent / way_m
            growth = 2 * (extent - speed * step_s) / step_s**2
            # rounding must not let it stop before its end
            return speed, max(growth, -speed * speed / extent / 2 * (1 - 1e-12)), 0.0
    return extent / step_s, 0.0, 0.0


def _child(element: Any, path: str) -> Any:
    found = element.find(path)
    if found is None:
        raise InvalidValueError(f"{path} is missing")
    return found


def _point(element: Any) -> complex:
    return complex(_number(element, "x"), _number(element, "y"))


def _number(element: Any, path: str, low: float = -1e9, high: float = 1e9) -> float:
    found = _finite(path.removesuffix("/exact"), _child(element, path).text, low, high)
    if path.startswith("orientation") and abs(found) > _LARGEST_RAD:
        raise InvalidValueError(f"orientation: {found:g} is beyond two pi: is it in degrees?")
    return found


def _finite(name: str, text: str | None, low: float, high: float) -> float:
    if text is None:
        raise InvalidValueError(f"{name} is missing")
    try:
        found = float(text)
    except ValueError:
        found = nan
    if not low <= found <= high:
        least = "above 0," if low == _SHORTEST_STEP_S else f"from {low:g}"
        raise InvalidValueError(f"{name}: {shown(text)} is not a number {least} to {high:g}")
    return found
