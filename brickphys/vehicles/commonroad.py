"""CommonRoad: scenarios of traffic as XML (versions 2018b and 2020a), and the encounters of all bodies in them.

Lengths there are metres, and times are steps. A metre is taken for a stud: all results in studs are metres. Between two
states a body moves straight, or turns about the one point that takes it from one to the other. It speeds up evenly
where the velocities of both states explain the distance between them; else its speed is even. So it is in each of its
states exactly. Before its first state and after its last one it is not there.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import cos, degrees, floor, inf, nan, pi, remainder, sin, tan, tau
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from lxml import etree

from brickphys.errors import InvalidValueError
from brickphys.geometry.many.outlines import Outlines, outlines
from brickphys.interface import Displayed, Row
from brickphys.reading import MOST_SCENE_BYTES, read_text
from brickphys.text import counted, listed, paragraphs, shown
from brickphys.vehicles.encounter import SceneEncounters, TimedBody, encounter_of
from brickphys.vehicles.scene import LARGEST, SMALLEST_STUDS

VERSIONS = ("2018b", "2020a")
MOST_PAIRS = 20_000
_LONGEST_M, _LONGEST_STEP_S = 1000.0, 60.0
_FARTHEST_PIVOT_M = 1e6
"""Beyond, a turn is a straight piece, and the next one makes up for its angle."""
_EXPLAINED_M = 1e-3
"""So far may the distance between two states be off that by their velocities."""
_OBSTACLES = ("obstacle", "staticObstacle", "dynamicObstacle")


class State(NamedTuple):
    """A body at a time step."""

    step: int
    place_m: complex
    heading_rad: float
    velocity_m_s: float | None
    """None if it is not given."""


class _NotExactError(InvalidValueError):
    """What is known of an obstacle is no exact outline or way: it is left out."""


@dataclass(frozen=True)
class Obstacle:
    """A body of a scenario."""

    id: str
    kind: str
    """Its type in the file: ``car``, ``pedestrian`` ..."""
    outline_m: Outlines
    """In its own frame, (ahead, left)."""
    area_m2: float
    """Of all its parts."""
    states: tuple[State, ...]
    """One for each step; a single one if it stands still all the time."""
    moves: bool

    def between(self, first: int, last: int, step_s: float, origin_m: complex) -> TimedBody:
        """Return the body from one time step to another one, in both of which it is."""
        begin = first - self.states[0].step if self.moves else 0
        states = [
            one._replace(place_m=one.place_m - origin_m)
            for one in self.states[begin : begin + last - first + 1]
        ]
        place, heading = states[0].place_m, degrees(states[0].heading_rad)
        there = self.outline_m.placed(np.array([(place.real, place.imag, heading)]))
        waits = [(0.0, 0.0, nan, 0.0, 0.0, (last - first) * step_s)]
        way = np.array(list(_pieces(states, step_s)) or waits)
        return TimedBody(self.id, there, way, self.area_m2)


@dataclass(frozen=True, repr=False)
class Scenario(Displayed):
    """The obstacles of a scenario that have exact outlines and ways."""

    name: str
    step_s: float
    obstacles: tuple[Obstacle, ...]
    left_out: tuple[str, ...]
    """Obstacles that are not taken, each with the reason."""
    unread: tuple[str, ...]
    """Kinds of elements that no encounter needs, each with its number."""

    def line(self) -> str:
        """Return one line: its name, its bodies and the time."""
        moving = [one.states for one in self.obstacles if one.moves]
        first, last = min(one[0].step for one in moving), max(one[-1].step for one in moving)
        bodies = f"{counted(len(self.obstacles), 'body', 'bodies')}, {len(moving)} of them moving"
        return f"{self.name}: {bodies}, steps {first} to {last} of {self.step_s:g} s"

    def rows(self) -> list[Row]:
        """Return its bodies."""
        return [
            {"id": one.id, "type": one.kind, "first_step": one.states[0].step,
             "last_step": one.states[-1].step if one.moves else None}
            for one in self.obstacles
        ]  # fmt: skip

    def encounters(self, within_m: float = inf) -> SceneEncounters:
        """Return the encounters of all pairs of bodies, one of which moves, for the steps at which both are there.

        Times are from step 0 on. Masses are taken to be as the areas of the outlines.

        Parameters
        ----------
        within_m
            Only of pairs whose smallest gap is at most that.

        Raises
        ------
        InvalidValueError
            If that is below 0.
        """
        if not within_m >= 0.0:
            raise InvalidValueError(f"clearance {within_m:g} is not 0 or more")
        places = _places_m(self.obstacles)
        low = places.min(axis=0) if np.abs(places).max() > LARGEST else (0.0, 0.0)
        x, y = map(floor, low)
        found = []
        for one, other, first, last in self.pairs():
            when = first, last, self.step_s, complex(x, y)
            met = encounter_of(
                one.between(*when), other.between(*when), since_s=first * self.step_s
            )
            del met["masses_g"]
            if met["point"]:
                met["point"] = [met["point"][0] + x, met["point"][1] + y]
            if not (met["gap_studs"] or 0.0) > within_m:
                found.append(met)
        return SceneEncounters(tuple(found), "m")

    def pairs(self) -> Iterator[tuple[Obstacle, Obstacle, int, int]]:
        """Yield the pairs that are there together for a time, with the first and the last step of that."""
        for pair in combinations(self.obstacles, 2):
            moving = [one.states for one in pair if one.moves]
            first = max((one[0].step for one in moving), default=0)
            last = min((one[-1].step for one in moving), default=0)
            if first < last:
                yield (*pair, first, last)

    def document(self, met: SceneEncounters) -> dict[str, Any]:
        """Return it with encounters for JSON."""
        return {
            "scenario": self.name, "metres_per_stud": 1, "step_s": self.step_s, "bodies": self.rows(),
            "left_out": list(self.left_out), "unread": list(self.unread), "encounters": met.document(),
        }  # fmt: skip

    def report(self, met: SceneEncounters) -> str:
        """Return it with encounters for people."""
        pairs = met.text() if met.found else "no two bodies come so near"
        unread = [f"not read: {', '.join(self.unread)}"] if self.unread else []
        return paragraphs(self.line(), pairs, "\n".join((*self.left_out, *unread)))


def read_commonroad(path: Path | str) -> Scenario:
    """Read a scenario of CommonRoad.

    Raises
    ------
    InvalidValueError
        If the file cannot be read, is not such a scenario, has an impossible value, or nothing in it meets anything.
    """
    text = read_text(path, MOST_SCENE_BYTES)
    parser = etree.XMLParser(
        encoding="utf-8", resolve_entities=False, remove_comments=True, remove_pis=True
    )
    try:
        if "<!DOCTYPE" in text:
            raise InvalidValueError("has a document type, which no scenario needs: not read")
        return _scenario(etree.fromstring(text.encode(), parser))
    except etree.XMLSyntaxError as error:
        raise InvalidValueError(f"{path}: not XML: {error.msg}") from None
    except InvalidValueError as error:
        raise InvalidValueError(f"{path}: {error}") from None


def _scenario(root: Any) -> Scenario:
    version = root.get("commonRoadVersion")
    if root.tag != "commonRoad" or version not in VERSIONS:
        told = f"<{root.tag}> of version {shown(version)}"
        raise InvalidValueError(f"{told} is not <commonRoad> of version {' or '.join(VERSIONS)}")
    step_s = _finite("timeStepSize", root.get("timeStepSize"), 0.0, _LONGEST_STEP_S)
    found: dict[str, Obstacle] = {}
    faults, left_out, unread = list[str](), list[str](), Counter[str]()
    for element in root:
        if element.tag not in _OBSTACLES:
            unread[element.tag] += 1
            continue
        name = element.get("id", "").strip()
        place = f"{element.tag} {name or '?'} (line {element.sourceline})"
        try:
            if not name or name in found:
                raise InvalidValueError(
                    "its id is that of another one" if name else "id is missing"
                )
            found[name] = _obstacle(element, name)
        except _NotExactError as error:
            left_out.append(f"left out: {place}: {error}")
        except InvalidValueError as error:
            faults.append(f"{place}: {error}")
    bodies = tuple(found.values())
    if not faults and bodies and (reach := np.ptp(_places_m(bodies), axis=0).max()) > LARGEST:
        faults = [f"its bodies are {reach:g} m apart, more than {LARGEST:g}"]
    kinds = tuple(f"{count} {name}" for name, count in unread.items())
    made = Scenario(root.get("benchmarkID") or "scenario", step_s, bodies, tuple(left_out), kinds)
    pairs = sum(1 for _ in made.pairs())
    if not faults and not pairs:
        faults = ["no two bodies, one of which moves, are there together", *left_out]
    if pairs > MOST_PAIRS:
        faults.append(f"{pairs:,} pairs of bodies, more than {MOST_PAIRS:,}; leave some out")
    if faults:
        raise InvalidValueError(listed(faults))
    return made


def _places_m(obstacles: Sequence[Obstacle]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return where the bodies are, shape (n, 2)."""
    places = np.array([one.place_m for body in obstacles for one in body.states])
    return np.column_stack([places.real, places.imag])


def _obstacle(element: Any, name: str) -> Obstacle:
    kind, outline = (_child(element, "type").text or "").strip(), _outline(_child(element, "shape"))
    states = [_state(_child(element, "initialState"))]
    if "static" in (element.tag[:6], element.findtext("role", "").strip()):
        return Obstacle(name, kind, *outline, tuple(states), False)
    trajectory = element.find("trajectory")
    if trajectory is None:
        is_set = element.find("occupancySet") is not None
        raise _NotExactError("its way is a set of areas" if is_set else "it has no trajectory")
    states += map(_state, trajectory.iterfind("state"))
    for one, other in pairwise(states):
        if other.step != one.step + 1:
            raise InvalidValueError(f"its time step {one.step} is followed by {other.step}")
    return Obstacle(name, kind, *outline, tuple(states), True)


def _state(element: Any) -> State:
    try:
        if _child(element, "position").find("point") is None:
            raise _NotExactError("its position is an area, not a point")
        given = [
            "time",
            "orientation",
            *(["velocity"] if element.find("velocity") is not None else []),
        ]
        for tag in given:
            if _child(element, tag).find("exact") is None:
                raise _NotExactError(f"its {tag} is not exact")
        step, heading, *velocity = (_number(element, f"{tag}/exact") for tag in given)
        if step != int(step) or step < 0:
            raise InvalidValueError(f"time: {step:g} is not a number of steps")
        place = _point(_child(element, "position/point"))
        return State(int(step), place, heading, velocity[0] if velocity else None)
    except InvalidValueError as error:
        raise type(error)(f"line {element.sourceline}: {error}") from None


def _outline(shape: Any) -> tuple[Outlines, float]:
    """Return a shape, which may have several parts, in the frame of its body, and the area of all parts."""
    parts, area_m2 = [], 0.0
    for number, one in enumerate(shape):
        middle = 0j if one.find("center") is None else _point(one.find("center"))
        part: dict[str, Any] = {"name": str(number)}
        if one.tag == "circle":
            radius = _number(one, "radius", SMALLEST_STUDS, _LONGEST_M)
            part |= {"circle": (middle.real, middle.imag), "radius": radius}
            area_m2 += pi * radius * radius
        elif one.tag in ("rectangle", "polygon"):
            found = (
                _rectangle(one) if one.tag == "rectangle" else [*map(_point, one.iterfind("point"))]
            )
            part["polygon"] = [((c + middle).real, (c + middle).imag) for c in found]
            area_m2 += (
                abs(sum((a.conjugate() * b).imag for a, b in pairwise([*found, *found[:1]]))) / 2
            )
        else:
            raise _NotExactError(f"its shape is a {one.tag}")
        parts.append(part if len(shape) > 1 else {key: part[key] for key in part if key != "name"})
    made = outlines([{"part": parts} if len(parts) > 1 else parts[0]] if parts else [])
    if not len(made) or (reach := np.abs(made.vertices_studs).max()) > _LONGEST_M:
        why = f"it reaches {reach:g} m, more than {_LONGEST_M:g}" if len(made) else "it is empty"
        raise InvalidValueError(f"shape: {why}")
    return made, area_m2


def _rectangle(element: Any) -> list[complex]:
    half = complex(*(_number(element, tag, SMALLEST_STUDS) for tag in ("length", "width"))) / 2
    angle = 0.0 if element.find("orientation") is None else _number(element, "orientation")
    turn = complex(cos(angle), sin(angle))
    return [turn * corner for corner in (half, -half.conjugate(), -half, half.conjugate())]


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
    return _finite(path.removesuffix("/exact"), _child(element, path).text, low, high)


def _finite(name: str, text: str | None, low: float, high: float) -> float:
    """Return the number in a text; an open lower limit of 0 is meant for times."""
    try:
        found = float(text or "")
    except ValueError:
        found = nan
    if not low <= found <= high or found == low == 0.0:
        raise InvalidValueError(f"{name}: {shown(text)} is not a number from {low:g} to {high:g}")
    return found
