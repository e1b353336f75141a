"""Battle: a game that was played, or goes on, as a recording: its pieces move, attack and are lost.

A recording of a game that goes on grows: what has happened since is added to it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import atan2, degrees, dist, hypot
from typing import Any, NamedTuple

import numpy as np

from brickphys.battles.players import AnyRecord
from brickphys.battles.start import title_of
from brickphys.geometry.polygon import Point
from brickphys.odds.law import RollLaw
from brickphys.rules.game import AnyGame
from brickphys.rules.record import CHANCE, OVER, Ending
from brickphys.rules.registry import builder
from brickphys.rules.report.trajectories import Frame, Trajectories
from brickphys.rules.scenario import NamedArea
from brickphys.rules.scene import NOBODY, Piece
from brickphys.text import as_title, spoken
from brickphys.units import Triple
from brickphys.view.builder import EVER_MS, Builder, PieceTracks
from brickphys.view.recording import (
    Event,
    SceneMark,
    SceneRecording,
    SceneShape,
    Sign,
    Thing,
    Viewpoint,
    box_around,
)
from brickphys.view.solids import shown_players


@dataclass(frozen=True, eq=False)
class PlayedGame:
    """A game that was played; one that is equal may be another one."""

    game: AnyGame
    record: AnyRecord
    """The game, and how it was played."""
    law: RollLaw
    """The law of bricks by which odds are told."""

    def is_same(self, other: "PlayedGame") -> bool:
        """Whether the same was played in another game."""
        mine, theirs = self.record, other.record
        if (mine.root, mine.verdict) != (theirs.root, theirs.verdict):
            return False
        return [step.text for step in mine.steps] == [step.text for step in theirs.steps]

    @cached_property
    def title(self) -> str:
        """Title of its scenario; empty where it has none."""
        return title_of(self.game, self.record.setup)


_LEAST_MS, _MOST_MS, _LETTER_MS = 900, 4000, 22
"""Duration of an event, by the length of its text."""
_MOVE_SHARE = 0.55
"""Share of an event in which things move; attacks are shown after it."""
ABOVE_MM = 1.0
"""How high flat marks are over the ground."""


class BattleRecorder:
    """What happened so far; more may follow. `places` are where pieces have stood, in mm."""

    def __init__(self, builder: Builder[Any], colours: Sequence[str]) -> None:
        self.tracks = PieceTracks()
        self.marks, self.events, self.places = list[SceneMark](), list[Event](), list[Triple]()
        self.end_ms = 0
        self._builder, self._colours = builder, shown_players(colours)

    def add(self, frames: Iterable[Frame[Any]]) -> None:
        """Let more happen after all the rest, one thing after the other."""
        for frame in frames:
            start_ms = self.end_ms
            self.end_ms += min(max(_LEAST_MS, _LETTER_MS * len(frame.text)), _MOST_MS)
            moved_ms = start_ms + round(_MOVE_SHARE * (self.end_ms - start_ms))
            pieces = list(self._builder.pieces(frame.state))
            self.places += [one.at_mm for one in pieces if not one.parent]
            way = _way(frame, self._builder)
            placed = [*self._builder.ground(frame.state), *pieces]
            self.tracks.update(placed, way, start_ms, moved_ms)
            times = (start_ms, moved_ms, self.end_ms)
            self.marks += _marks(frame, self._builder, self._colours, way, times)
            self.events.append(Event(start_ms, frame.heading, " ".join(frame.text.split("\n"))))

    def wait(self, heading: str, text: str, lasts_ms: int) -> int:
        """Let something be told while nothing moves; return when that begins."""
        start_ms = self.end_ms
        self.end_ms += lasts_ms
        self.events.append(Event(start_ms, heading, text))
        return start_ms


def _way(frame: Frame[Any], builder: Builder[Any]) -> tuple[Triple, ...]:
    """Return the way of the unit that acted, on the ground, in mm; empty if it stayed."""
    path = frame.path if len(frame.path) > 1 else ()
    return tuple(_place(place, frame.state, builder) for place in path)


def _place(place: Point, state: Any, builder: Builder[Any], above_mm: float = 0.0) -> Triple:
    x, y = place
    height = builder.height_mm(state, place)
    return x * builder.unit_mm, y * builder.unit_mm, height + above_mm


def _marks(
    frame: Frame[Any],
    builder: Builder[Any],
    colours: Sequence[str],
    way: Sequence[Triple],
    times_ms: tuple[int, int, int],
) -> Iterator[SceneMark]:
    """Yield the way of who acted, attacks, where shots fell, and who was lost."""
    start_ms, moved_ms, stop_ms = times_ms
    width = builder.mark_mm
    if way and frame.player is not None:
        places = tuple((x, y, z + ABOVE_MM) for x, y, z in way)
        yield SceneMark(Sign.WAY, start_ms, stop_ms, places, colours[frame.player], width)
    for start, end in frame.attacks:
        ends = tuple(_place(place, frame.state, builder, 12 * width) for place in (start, end))
        if dist(*ends) > width:
            yield SceneMark(Sign.ARROW, moved_ms, stop_ms, ends, "black", width)
    for place, is_hit in frame.impacts:
        sign, colour = (Sign.HIT, "orange") if is_hit else (Sign.MISS, "white")
        at = _place(place, frame.state, builder, ABOVE_MM)
        yield SceneMark(sign, moved_ms, stop_ms, (at,), colour, 3.5 * width)
    for kill in frame.kills:
        at = _place(kill.at, frame.state, builder, ABOVE_MM)
        name = spoken(kill.name)
        yield SceneMark(Sign.LOSS, moved_ms, stop_ms, (at,), "black", 3.5 * width, name)


_END_MS = 800
_HIGH_MM = 40.0
_AROUND = 4.0
"""Margin of the field around moving things, in its unit."""
_SIDES = (
    ("from the south", -90.0, 34.0),
    ("from above", -90.0, 89.0),
    ("from the west", 180.0, 30.0),
    ("from the east", 0.0, 30.0),
    ("from the north", 90.0, 30.0),
)


def battle_page(
    game: AnyGame, trajectories: Trajectories[Any], scenario: str = ""
) -> SceneRecording:
    """Return a game that was played in space and time; InvalidValueError if it is not shown in three dimensions.

    The title of its scenario is in the heading, if one is given.
    """
    title = battle_title(game, trajectories.names, scenario)
    return battle_recording(trajectories, builder(game), title)


def battle_title(game: AnyGame, names: Sequence[str], scenario: str = "") -> str:
    """Return the title of a game between some players, with that of its scenario if there is one."""
    what = ", ".join(filter(None, [as_title(game.name), scenario]))
    return f"{what}: {' against '.join(map(spoken, names))}"


def battle_recording(
    trajectories: Trajectories[Any], builder: Builder[Any], title: str
) -> SceneRecording:
    """Return a game that was played as a recording.

    It shows no more than the trajectories hold; those of a viewer (see `brickphys.rules.report.parts.Parts`) hold
    nothing that is hidden from that viewer.
    """
    recorder = BattleRecorder(builder, trajectories.colours)
    recorder.add(trajectories.frames)
    first, end_ms = trajectories.frames[0].state, recorder.end_ms
    areas = area_marks(trajectories.areas, builder, first, end_ms + 2 * _END_MS)
    return SceneRecording(
        title=title,
        about=f"{_players(trajectories)}. {trajectories.ending}",
        duration_ms=end_ms + _END_MS,
        speed=1.0,
        is_physical=False,
        things=tuple(recorder.tracks.things(end_ms + 2 * _END_MS)),
        events=tuple(recorder.events),
        views=tuple(battle_views(builder, first, recorder.places)),
        marks=(*areas, *recorder.marks),
        ruler=builder.ruler(first),
    )


def _players(trajectories: Trajectories[Any]) -> str:
    pairs = zip(trajectories.names, trajectories.played_by, strict=False)
    return " against ".join(f"{spoken(name)} ({by})" for name, by in pairs)


def area_marks(
    areas: Iterable[NamedArea], builder: Builder[Any], state: Any, end_ms: int
) -> Iterator[SceneMark]:
    """Yield the areas of the field that have a name, or that an aim is about."""
    for area in areas:
        right, far = area.x + area.width, area.y + area.length
        outline = area.outline or ((area.x, area.y), (right, area.y), (right, far), (area.x, far))
        unit, height = builder.unit_mm, builder.height_mm(state, (area.x, area.y))
        places = tuple((x * unit, y * unit, height + ABOVE_MM) for x, y in outline)
        yield SceneMark(Sign.AREA, 0, end_ms, places, "white", builder.mark_mm, area.name)


def battle_views(
    builder: Builder[Any], state: Any, places: Sequence[Triple], room_share: float = 0.0
) -> Iterator[Viewpoint]:
    """Yield views of where pieces come, with at least a share of the field around them, and of the whole field."""
    width, length = (side * builder.unit_mm for side in builder.size(state))
    field = (0.0, 0.0, 0.0), (width, length, _HIGH_MM)
    low, high = field
    if places:
        room_mm = max(_AROUND * builder.unit_mm, room_share * max(width, length))
        low, high = box_around(places, room_mm)
        low = (max(low[0], 0.0), max(low[1], 0.0), 0.0)
        high = (min(high[0], width), min(high[1], length), _HIGH_MM)
    for name, azimuth_deg, elevation_deg in _SIDES:
        yield Viewpoint(name, azimuth_deg, elevation_deg, low, high)
    yield Viewpoint("the whole field", -90.0, 45.0, *field)


def own_side_deg(pieces: Iterable[Piece], viewer: int | None) -> float:
    """Return where a camera stands behind the pieces of who looks: on one of the four sides, usually the south."""
    by = {True: list[Point](), False: list[Point]()}
    for one in pieces:
        if one.player != NOBODY and not one.parent:
            by[one.player == viewer].append(one.at)
    if not all(by.values()):
        return _SOUTH_DEG
    away = np.mean(by[True], axis=0) - np.mean(by[False], axis=0)
    quarters = round(degrees(atan2(away[1], away[0])) / 90) if hypot(*away) > 1 else -1
    return 90.0 * quarters if quarters != -2 else 180.0


_SOUTH_DEG = -90.0
_FIRST = "The game begins."
_LEAST_SHARE = 0.016
"""Smallest width of places, as a share of the field, or in its unit."""
_ROOM, _STEEP_DEG, _MOST_DEEP = 0.08, 50.0, 2.0
"""Players see the pieces with some of the field around them, from higher up; a far deeper field from its side."""


@lru_cache(maxsize=256)
def _reach_mm(shape: SceneShape) -> float:
    return max(float(np.hypot(*one.points_mm[:, :2].T).max()) for one in shape.surfaces)


class Fall(NamedTuple):
    """Bricks of a roll that fall while a game is seen."""

    start_ms: int
    stop_ms: int
    """When they begin, and until when they are seen, in the time of the game."""
    recording: SceneRecording
    """How they fall."""


class LiveBattle:
    """What one viewer, None for what nobody has to hide, sees of a game so far.

    `scene` is the state of the last frame, for the builder; `steps` are those that are shown: those of a choice that is
    not whole are not.
    """

    def __init__(self, game: AnyGame, record: AnyRecord, viewer: int | None, title: str) -> None:
        self.game, self._viewer, self._title = game, viewer, title
        self._initial = record.initial
        self.builder = builder(game)
        none = replace(record, steps=(), ending=Ending.INTERRUPTED)
        first = game.trajectories(none, viewer)
        self._areas, self._names = first.areas, first.names
        self._recorder = BattleRecorder(self.builder, first.colours)
        self.scene: Any = first.frames[0].state
        self._recorder.add([Frame(self.scene, "", _FIRST)])
        self._azimuth_deg = own_side_deg(self.builder.scene(self.scene).pieces, viewer)
        self._rolled: dict[int, SceneRecording] = {}
        self._falls: list[Fall] = []
        self.steps = self._events = self._marks = 0
        if record.steps:
            self._add(record)

    def whole(self) -> SceneRecording:
        """Return all of it."""
        found = [*battle_views(self.builder, self.scene, self._recorder.places, _ROOM)]
        sides = {one.azimuth_deg: one for one in reversed(found)}
        first = sides[self._azimuth_deg]
        x, y = (high - low for low, high in zip(first.low_mm[:2], first.high_mm[:2], strict=True))
        deep, wide = (y, x) if abs(self._azimuth_deg) == -_SOUTH_DEG else (x, y)
        if deep > _MOST_DEEP * wide:  # most of the picture would be empty
            first = sides[0.0 if wide == x else _SOUTH_DEG]
        found.remove(first)
        views = (replace(first, elevation_deg=_STEEP_DEG), *found)
        areas = area_marks(self._areas, self.builder, self.scene, EVER_MS)
        things = tuple(self._recorder.tracks.things(EVER_MS))
        for _ in self._recorder.tracks.changes():
            pass
        self._events = self._marks = 0
        recording = self._recording(things, views, tuple(areas))
        return replace(recording, ruler=self.builder.ruler(self.scene))

    def extended(self, record: AnyRecord) -> SceneRecording | None:
        """Return what has happened since this or `whole` was called last, with no views, given the game so far.

        None if it cannot be added: steps were taken back, or the field or the game is another one. Then a new one is
        to be made.
        """
        size = self.builder.size(self.scene)
        if len(record.steps) < self.steps or record.initial != self._initial:
            return None
        self._add(record)
        if self.builder.size(self.scene) != size:
            return None
        return self._recording(tuple(self._recorder.tracks.changes()), (), ())

    def rolled(self, number: int, recording: SceneRecording) -> None:
        """Let bricks fall before what comes of a roll, the step of that number; they were recorded as they fell."""
        self._rolled[number] = recording

    def falls(self) -> list[Fall]:
        """Return the falls that were not returned yet."""
        found, self._falls = self._falls, []
        return found

    def place_mm(self, place: Point | None) -> Triple | None:
        """Return where a place of an action is on the ground, in mm; None if it is not shown."""
        spot = None if place is None else self.builder.spot(self.scene, place)
        if spot is None:
            return None
        return self.field_mm(spot)

    def field_mm(self, place: Point, above_mm: float = 0.0) -> Triple:
        """Return a place of the field in mm, so high above the ground."""
        return _place(place, self.scene, self.builder, above_mm)

    @property
    def place_size_mm(self) -> float:
        """How wide the places are that one may click."""
        size = float(max(self.builder.size(self.scene)))
        return float(self.builder.unit_mm) * max(1.0, _LEAST_SHARE * size)

    def reaches_mm(self, places_mm: Sequence[Triple]) -> list[float]:
        """Return how far the piece that stands at each place goes on the ground around it; 0 where none stands."""
        pieces = [
            (one.at_mm[:2], _reach_mm(one.shape))
            for one in self.builder.pieces(self.scene)
            if one.tag and not one.parent  # what only lies there is not ringed
        ]
        near = self.builder.unit_mm / 2
        return [
            max(
                # the place of a ship lies away from that of its model, but well within it
                (reach for at, reach in pieces if dist(at, place[:2]) < max(near, reach / 4)),
                default=0.0,
            )
            for place in places_mm
        ]

    def _add(self, record: AnyRecord) -> None:
        states = record.states
        ends = range(len(record.steps), self.steps, -1)
        stop = next((n for n in ends if self._is_whole(record, states[n], n)), None)
        if stop is None:
            return
        steps = record.steps[self.steps : stop]
        ending = record.ending if stop == len(record.steps) else Ending.INTERRUPTED
        part = replace(record, initial=states[self.steps], steps=steps, ending=ending)
        before = enumerate(zip(part.states, steps, strict=False), self.steps)
        lines = {
            n: line
            for n, (state, step) in before
            if (line := self.game.tell(state, step, self._viewer))
        }
        self.steps = stop
        if lines:
            frames = list(self._frames(part, list(lines.values())))
            self.scene = frames[-1].state
            falls = list(self._fallen(lines, frames[0].heading))
            self._recorder.add(frames)
            stops = [*(start_ms for start_ms, _ in falls[1:]), self._recorder.end_ms]
            pairs = zip(falls, stops, strict=False)
            self._falls += [Fall(start, stop, recording) for (start, recording), stop in pairs]

    def _fallen(self, steps: Iterable[int], heading: str) -> Iterator[tuple[int, SceneRecording]]:
        """Yield when the bricks of some steps begin to fall; those of other steps are nobody's business."""
        recordings = [self._rolled[number] for number in steps if number in self._rolled]
        self._rolled = {n: one for n, one in self._rolled.items() if n >= self.steps}
        for one in recordings:
            lasts_ms = round(one.duration_ms / one.speed)
            yield self._recorder.wait(heading, one.events[0].text, lasts_ms), one

    def _is_whole(self, record: AnyRecord, state: Any, count: int) -> bool:
        """Whether so many steps are whole choices, each with all that is rolled for it, or people are asked to roll.

        A step that only says who acts next is none: what that one does is told, not that it waits.
        """
        actor, last = self.game.actor(state), record.steps[count - 1]
        is_rolled = self.game.settled(state) and (count == len(record.steps) or actor != CHANCE)
        return (actor == OVER or is_rolled) and not (
            last.actor >= 0 and bool(self.game.chooses(last.move))
        )

    def _frames(self, part: AnyRecord, lines: Sequence[str]) -> Iterator[Frame[Any]]:
        """Yield what happened; where no frame has words, the lines of the steps."""
        found = self.game.trajectories(part, self._viewer)
        ending = "" if part.ending is Ending.OVER else f". {found.ending}"
        frames = [frame for frame in found.frames if frame.text or not frame.is_still]
        for frame in frames or found.frames[-1:]:
            text = frame.text if frames else " ".join(lines)
            yield replace(frame, heading=frame.heading.removesuffix(ending), text=text)

    def _recording(
        self, things: tuple[Thing, ...], views: tuple[Viewpoint, ...], areas: tuple[SceneMark, ...]
    ) -> SceneRecording:
        """Return what was not returned yet of events and marks."""
        film = self._recorder
        events, marks = film.events[self._events :], film.marks[self._marks :]
        self._events, self._marks = len(film.events), len(film.marks)
        return SceneRecording(
            title=self._title,
            about=" against ".join(self._names),
            duration_ms=film.end_ms,
            speed=1.0,
            is_physical=False,
            things=things,
            events=tuple(events),
            views=views,
            marks=(*areas, *marks),
        )
