"""Worst faults: the worst faults of each kind, explained, and each as the smallest scene that still shows it."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial
from math import cos, radians, sin
from typing import Any

from brickphys.errors import InvalidValueError
from brickphys.geometry.obstacles import Body
from brickphys.geometry.polygon import TOLERANCE
from brickphys.text import cleaned_line
from brickphys.vehicles.course import MoveResult, resolve
from brickphys.vehicles.referee.answer_schema import AnswerDocument, answer_of
from brickphys.vehicles.referee.asking import Ask, Content
from brickphys.vehicles.referee.causes import cause_of
from brickphys.vehicles.referee.exact_move import ExactMove
from brickphys.vehicles.referee.fault import Fault, FaultKind, Verdict
from brickphys.vehicles.referee.judgement import judge_answer
from brickphys.vehicles.scene import Scene, Thing
from brickphys.vehicles.scene_file import scene_in, scene_tables, scene_text

Tables = dict[str, Any]
"""The tables of a scene file."""
Edit = Callable[[Tables], None]
"""Changes tables in place; what is not there any more is left alone."""
FaultsOf = Callable[[Sequence[Tables]], Sequence[Fault | None]]
"""Asks for the answers to some scenes, and returns their faults; None where there is none."""

_MOST_LOOPS = 4
_DECIMALS = (0, 1, 2, 3, 5)
KINDS = ("unit", "decor", "vehicle")
"""Keys of the lists of things."""


def shrunk(tables: Tables, fault: Fault, faults_of: FaultsOf) -> Tables:
    """Return the tables of a smaller scene with a fault of the same kind, at the same thing."""

    def keep(many: Sequence[Tables]) -> list[bool]:
        found = faults_of(many) if many else []
        wanted = (fault.kind, fault.thing)
        return [one is not None and (one.kind, one.thing) == wanted for one in found]

    for _ in range(_MOST_LOOPS):
        before = tables
        for stage in (_removals, _defaults, _roundings, _single_roundings, _details):
            tables = _smaller(tables, list(stage(tables, fault.thing)), keep)
        if tables == before:
            break
    return tables


def _smaller(
    tables: Tables, edits: Sequence[Edit], keep: Callable[[Sequence[Tables]], list[bool]]
) -> Tables:
    """Return tables with as many edits as keep the fault together: all that do so alone, half of them, or one."""
    made = [(edit, new) for edit in edits if (new := _edited(tables, [edit])) != tables]
    kept = keep([new for _, new in made])
    good = [edit for (edit, _), is_kept in zip(made, kept, strict=True) if is_kept]
    counts = sorted({len(good), (len(good) + 1) // 2, 1}, reverse=True) if good else []
    tries = [_edited(tables, good[:count]) for count in counts]
    return next((new for new, is_kept in zip(tries, keep(tries), strict=True) if is_kept), tables)


def _edited(tables: Tables, edits: Sequence[Edit]) -> Tables:
    new = deepcopy(tables)
    for edit in edits:
        edit(new)
    return new


def _things(tables: Tables) -> Iterator[dict[str, Any]]:
    for kind in KINDS:
        yield from tables.get(kind, ())


def _removals(tables: Tables, needed: str | None) -> Iterator[Edit]:
    """Yield edits that take things out: all but the mover and the thing of the fault, or one of them."""
    own = {tables["move"]["vehicle"], *tables["move"].get("lashed", ())}
    names = [thing["id"] for thing in _things(tables) if thing["id"] not in own]
    yield partial(_without, names={name for name in names if name != needed})
    yield from (partial(_without, names={name}) for name in names)
    for name in tables["move"].get("lashed", ()):
        yield partial(_without, names={name})


def _without(tables: Tables, names: set[str]) -> None:
    for kind in KINDS:
        tables[kind] = [thing for thing in tables.get(kind, ()) if thing["id"] not in names]
    lashed = tables["move"].get("lashed", ())
    tables["move"]["lashed"] = [name for name in lashed if name not in names]


def _defaults(_tables: Tables, _needed: str | None) -> Iterator[Edit]:
    """Yield edits that leave out pieces of the course at its ends, heights and models."""
    for end in (0, -1):
        yield partial(_without_piece, end=end)
    for key in ("bottom", "top", "model"):
        yield partial(_without_key, key=key)
    yield lambda found: found["move"].pop("sectors", None)


def _without_piece(tables: Tables, end: int) -> None:
    if len(tables["move"].get("piece", ())) > 1:
        del tables["move"]["piece"][end]


def _without_key(tables: Tables, key: str) -> None:
    for thing in _things(tables):
        thing.pop(key, None)


def _roundings(_tables: Tables, _needed: str | None) -> Iterator[Edit]:
    """Yield edits that round all numbers, the coarsest first."""
    for decimals in _DECIMALS:
        yield partial(_round_all, decimals=decimals)


def _round_all(tables: Tables, decimals: int) -> None:
    for place in list(_numbers(tables)):
        _round(tables, place, decimals)


def _single_roundings(tables: Tables, _needed: str | None) -> Iterator[Edit]:
    """Yield edits that round one number, the coarsest first."""
    for decimals in _DECIMALS:
        for place in _numbers(tables):
            yield partial(_round, place=place, decimals=decimals)


Steps = tuple[Any, ...]
"""Keys and positions that lead to a number."""


def _numbers(found: Any, place: Steps = ()) -> Iterator[Steps]:
    """Yield where numbers with digits after the point are."""
    if isinstance(found, dict | list):
        for key, value in found.items() if isinstance(found, dict) else enumerate(found):
            yield from _numbers(value, (*place, key))
    elif isinstance(found, float) and not found.is_integer():
        yield place


def _round(tables: Tables, place: Steps, decimals: int) -> None:
    holder: Any = tables
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = round(holder[place[-1]], decimals) + 0.0  # not -0.0


def _details(tables: Tables, _needed: str | None) -> Iterator[Edit]:
    """Yield edits that lower speeds and take out corners of outlines."""
    for thing in tables.get("vehicle", ()):
        is_mover = thing["id"] == tables["move"]["vehicle"]  # who stands still hits nothing
        for speed in reversed(range(int(is_mover), thing.get("speed", 0))):
            yield partial(_slow, name=thing["id"], speed=speed)
    for thing in tables.get("decor", ()):
        for corner in thing["polygon"]:
            yield partial(_without_corner, name=thing["id"], corner=corner)


def _slow(tables: Tables, name: str, speed: int) -> None:
    for thing in tables["vehicle"]:
        if thing["id"] == name:
            thing["speed"] = min(speed, thing["speed"])


def _without_corner(tables: Tables, name: str, corner: list[float]) -> None:
    for thing in tables["decor"]:
        if thing["id"] == name and corner in thing["polygon"] and len(thing["polygon"]) > 3:
            thing["polygon"].remove(corner)


def turned(tables: Tables, quarters: int) -> Tables:
    """Return a scene that is turned counter-clockwise by quarters of a circle, with its field."""
    if not quarters:
        return tables
    new, height = deepcopy(tables), tables["field"]["height"]
    new["field"] = {"width": height, "height": tables["field"]["width"]}
    for thing in _things(new):
        if "polygon" in thing:
            thing["polygon"] = [[height - y, x] for x, y in thing["polygon"]]
        else:
            thing["x"], thing["y"] = height - thing["y"], thing["x"]
        if "heading_deg" in thing:
            thing["heading_deg"] += 90.0
    for piece in new["move"].get("piece", ()):
        if "direction_deg" in piece:
            piece["direction_deg"] += 90.0
    return turned(new, quarters - 1)


WORST = 3
"""Faults of each kind that are shown."""
MOST_TURNED = 200
"""Scenes with a missed hit that are asked again, turned."""
_AHEAD_STUDS = (0.5, 1.0, 2.0, 3.0)
"""Starts from which a thing may be found that the mover passes through in one step."""
_ROUGH_STUDS = 1e-4
"""A hit that overlaps less is missed by rounding, whatever the steps are."""
_MISSED = (FaultKind.TUNNELLING, FaultKind.GRAZE, FaultKind.MISSED)
_AXIS = "it depends on the direction, as sorting along one axis does: the scene is answered rightly if it is turned by"
_LOOKED_AT = 10
"""Faults of each kind whose cause is looked for; those with a cause are shown first."""


@dataclass(frozen=True)
class FaultCase:
    """A fault with its scene, and the answer to that."""

    fault: Fault
    scene: Scene
    answer: AnswerDocument
    is_shrunk: bool
    """Whether the scene is smaller than the one that was asked."""

    @property
    def move(self) -> MoveResult:
        """The true move of the scene."""
        return resolve(self.scene)

    @property
    def thing(self) -> Thing | None:
        """The thing that the fault is about, if there is one."""
        return next((one for one in self.scene.things if one.id == self.fault.thing), None)

    @property
    def seen_body(self) -> Body:
        """The mover where the answer has the hit; empty if the fault is about something else."""
        said = self.fault.seen or {}
        at = said.get("distance", said.get("turned_deg"))
        if at is None or "piece" not in said:
            return ()
        return ExactMove(self.scene, TOLERANCE).body_at((said["piece"], abs(at)))

    def heading(self) -> str:
        """Return one line: the scene, the kind of the fault, the thing, and how wrong the answer is."""
        fault = self.fault
        made = ", made smaller" if self.is_shrunk else ""
        thing = f": {fault.thing}" if fault.thing else ""
        off = f", off by {fault.size}" if fault.size else ""
        return f"{fault.scene}{made}: {fault.kind.value}{thing}{off}"

    def lines(self) -> list[str]:
        """Return the case for people: the heading, what the answer says and what is right, and the cause."""
        fault = self.fault
        return [self.heading(), f"  {fault.says}", *([f"  {fault.cause}"] if fault.cause else [])]

    def file_name(self, number: int) -> str:
        """Return the name of its scene file, the number-th of its kind."""
        scene = re.sub(r"[^\w.-]+", "_", self.fault.scene)[:60]
        return f"{self.fault.kind.value.replace(' ', '-')}-{number}-{scene}.toml"

    def file_text(self) -> str:
        """Return its scene as a file for `brickphys collide`."""
        told = "".join(f"# {cleaned_line(line)}\n" for line in self.lines())
        return f"{told}\n{scene_text(self.scene)}"


class Respondent:
    """A program or a function that is asked again."""

    def __init__(self, ask: Ask, tolerance: float) -> None:
        self._ask, self._tolerance = ask, tolerance

    def found(self, many: Sequence[Tables]) -> list[tuple[Verdict, AnswerDocument] | None]:
        """Return the verdicts on the answers to some scenes; None where there is no scene or no answer."""
        scenes: dict[str, Scene] = {}
        for number, tables in enumerate(many):
            try:
                scenes[str(number)] = scene_in(tables)
            except InvalidValueError:
                continue
        found: list[tuple[Verdict, AnswerDocument] | None] = [None] * len(many)
        for reply in self._ask({name: scene_tables(one) for name, one in scenes.items()}):
            if reply.problem or reply.id not in scenes:
                continue
            try:
                answer = answer_of(reply.content, "answer")
                verdict = judge_answer(reply.id, scenes[reply.id], answer, self._tolerance)
            except InvalidValueError:
                continue
            found[int(reply.id)] = (verdict, answer)
        return found

    def faults(self, many: Sequence[Tables]) -> list[Fault | None]:
        """Return the faults of the answers to some scenes; None where there is none."""
        return [one[0].fault if one else None for one in self.found(many)]

    def is_clean(self, many: Sequence[Tables]) -> list[bool]:
        """Tell which scenes get an answer without a fault."""
        return [one is not None and one[0].fault is None for one in self.found(many)]


def by_direction(
    faults: Sequence[Fault], questions: Mapping[str, Content], respondent: Respondent
) -> dict[str, Fault]:
    """Return the faults of things that are found when the scene is turned: no step is too coarse for them."""
    missed = [one for one in faults if one.kind in _MISSED][:MOST_TURNED]
    found: dict[str, Fault] = {}
    for quarters in (1, 2, 3):
        left = [one for one in missed if one.scene not in found]
        clean = respondent.is_clean([turned(dict(questions[one.scene]), quarters) for one in left])
        for one, is_found in zip(left, clean, strict=True):
            if is_found:
                cause = f"{_AXIS} {90 * quarters} degrees"
                found[one.scene] = replace(one, kind=FaultKind.MISSED, cause=cause)
    return found


def worst_cases(
    faults: Mapping[FaultKind, Sequence[Fault]],
    questions: Mapping[str, Content],
    answers: Mapping[str, Any],
    respondent: Respondent | None,
) -> Iterator[FaultCase]:
    """Yield the worst faults of each kind with their causes; the first one as a smaller scene, if one can ask again.

    Parameters
    ----------
    faults
        Those of each kind, the largest first.
    answers
        The answers of wrong scenes, as they came.
    """
    for those in faults.values():
        cases = []
        for fault in those[:_LOOKED_AT]:
            scene = scene_in(dict(questions[fault.scene]))
            answer = answer_of(answers[fault.scene], "")
            explained = replace(fault, cause=cause_of(scene, answer, fault, those))
            cases.append(FaultCase(explained, scene, answer, False))
        cases.sort(key=lambda case: not case.fault.cause)
        for number, case in enumerate(cases[:WORST]):
            yield _smallest(case, respondent, those) if respondent and number == 0 else case


def _smallest(case: FaultCase, respondent: Respondent, alike: Sequence[Fault]) -> FaultCase:
    """Return the smallest case with the same fault, which is then looked for from other starts."""
    fault = case.fault
    quarters = int(fault.cause.split()[-2]) // 90 if fault.cause.startswith(_AXIS) else 0

    def faults_of(many: Sequence[Tables]) -> list[Fault | None]:
        found = respondent.faults(many)
        if not quarters:
            return found
        clean = respondent.is_clean([turned(tables, quarters) for tables in many])
        pairs = zip(found, clean, strict=True)
        return [
            one and replace(one, kind=fault.kind) if is_clean else None for one, is_clean in pairs
        ]

    small = shrunk(scene_tables(case.scene), fault, faults_of)
    (found,) = respondent.found([small])
    if found is None or found[0].fault is None:  # it does not give the same answer twice
        return case
    new, scene = replace(found[0].fault, scene=fault.scene), scene_in(small)
    if quarters:
        new = replace(new, kind=fault.kind, cause=fault.cause)
    elif fault.kind in _MISSED and any(respondent.is_clean(list(_further(small, new)))):
        new = replace(new, cause="steps too coarse: it is found from a start some studs further")
    else:
        new = replace(new, cause=cause_of(scene, found[1], new, alike, fault.cause))
    return FaultCase(new, scene, found[1], is_shrunk=scene != case.scene)


def _further(tables: Tables, fault: Fault) -> Iterator[Tables]:
    """Yield a scene with the mover some studs further, where it still hits the thing by more than by rounding."""
    for vehicle in tables["vehicle"]:
        if vehicle["id"] == tables["move"]["vehicle"]:
            for ahead in _AHEAD_STUDS:
                heading = radians(vehicle["heading_deg"])
                there = {
                    "x": vehicle["x"] + ahead * cos(heading),
                    "y": vehicle["y"] + ahead * sin(heading),
                }
                others = [one for one in tables["vehicle"] if one is not vehicle]
                new = {**tables, "vehicle": [{**vehicle, **there}, *others]}
                with suppress(InvalidValueError):  # it is off the field there
                    hits = resolve(scene_in(new)).hits
                    if fault.off > _ROUGH_STUDS and fault.thing in {hit.id for hit in hits}:
                        yield new
