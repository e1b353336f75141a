"""Builder: what a game puts on the table in three dimensions, so that all games are shown in one place.

What is on the table from moment to moment is put together to things with tracks. A scene of sheets shows what
description sheets describe.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle, pairwise
from math import dist, sqrt
from types import MappingProxyType
from typing import Any, ClassVar, Generic

import numpy as np

from brickphys.geometry.polygon import Point
from brickphys.rules.record import State
from brickphys.rules.report.sheets import Sheet
from brickphys.rules.scene import Piece, Scene
from brickphys.units import STUD_MM, Array, Triple
from brickphys.view import recording
from brickphys.view.solids import board, grid, merged, shown_players

TO_US_DEG = -60.0
"""Facing of a thing that shows a description sheet."""


@dataclass(frozen=True)
class PlacedShape:
    """Something on the table at one moment."""

    key: str
    """What it is, from moment to moment; unique at each."""
    shape: recording.SceneShape
    """Its looks."""
    at_mm: Triple = (0.0, 0.0, 0.0)
    """Where it is: on the table, or in the frame of its parent."""
    heading_deg: float = 0.0
    """Where it looks, counter-clockwise from +x."""
    label: str = ""
    """Its name beside it; empty for none."""
    tag: str = ""
    """Colour of that name."""
    colours: Mapping[str, str] = field(default_factory=dict)
    """Colours of its own, by those of the shape."""
    parent: str = ""
    """The key of what carries it, which comes before it; empty for none."""
    copies_mm: tuple[Triple, ...] = ()
    """Places of copies of the shape; empty for the shape itself."""

    @property
    def looks(self) -> tuple[object, ...]:
        """What differs if it is to be seen as another thing."""
        own = tuple(sorted(self.colours.items()))
        return self.shape.name, own, self.label, self.tag, self.parent, self.copies_mm


class Builder(ABC, Generic[State]):
    """Puts the table and the pieces of one game into space; it is made without parameters.

    A game names its builder as `models` (see `brickphys.rules.report.parts.Parts`). A builder with a `scene` needs only
    a function for each of its `kinds` of pieces; one without defines `size`, `players` and `pieces`.
    """

    kinds: ClassVar[Mapping[str, Callable[[Scene, Piece], Iterable[PlacedShape]]]] = (
        MappingProxyType({})
    )
    """What builds a piece of a kind, given its scene; others are not built."""
    unit_mm: float = 8.0
    """Length of the unit of the field."""
    mark_mm: float = 1.6
    """Width of ways and arrows."""
    free_words: Collection[str] = ()
    """Words of actions that lead to any place in reach, not only to those of the list."""

    def scene(self, state: State) -> Scene:
        """Return the field with its pieces."""
        raise NotImplementedError(f"{type(self).__name__} has no scene")

    def size(self, state: State) -> tuple[float, float]:
        """Return the width and the length of the field, in its unit."""
        return self.scene(state).size

    def ruler(self, state: State) -> recording.Ruler:
        """Return how places of the field are named: by default as numbers of its unit."""
        return recording.Ruler(self.unit_mm, *self.size(state))

    def players(self, state: State) -> Sequence[str]:
        """Return the names of the players."""
        return self.scene(state).players

    @abstractmethod
    def ground(self, state: State) -> Iterable[PlacedShape]:
        """Yield the table with what is built on it; what stays equal from moment to moment is kept."""

    def pieces(self, state: State) -> Iterable[PlacedShape]:
        """Yield what stands on the table."""
        scene = self.scene(state)
        for one in scene.pieces:
            if one.kind in self.kinds:
                yield from self.kinds[one.kind](scene, one)

    def sheet(self, sheet: Any, colour: str) -> Iterable[PlacedShape]:
        """Yield what a description sheet of the game (`brickphys.rules.report.sheets.Sheet`) describes, on the origin.

        It has the colour of its player; nothing is yielded if it cannot be built.
        """
        return ()

    def height_mm(self, state: State, place: Point) -> float:
        """Return the height of the ground at a place of the field."""
        return 0.0

    def spot(self, state: State, place: Point) -> Point | None:
        """Return where on the field a place is that an action names; None if it is not shown."""
        return place


_NEAR_MM = 4.0
"""A way is that of a thing if it begins and ends so near to it."""
_STEP_DEG = 30.0
"""Of a turn, between two poses."""
EVER_MS = 10**9
"""No recording is that long."""
_NOTHING = recording.SceneShape("nothing", ())

_Spans = list[tuple[int, int]]


@dataclass
class _Look:
    """How a track looks for some time."""

    placed: PlacedShape
    spans: _Spans = field(default_factory=list)


@dataclass
class _PieceTrack:
    """Something on the table, in one frame: where it is, and how it looks."""

    id: str
    parent: str
    times: list[int] = field(default_factory=list)
    poses: list[Array] = field(default_factory=list)
    looks: dict[tuple[object, ...], _Look] = field(default_factory=dict)
    look: _Look | None = None

    def go(self, ms: int, pose: Array) -> None:
        """Be somewhere at a time; the last place of a time counts."""
        if self.times and ms <= self.times[-1]:
            self.poses[-1] = pose
            return
        self.times.append(ms)
        self.poses.append(pose)

    def look_like(self, placed: PlacedShape, ms: int) -> None:
        """Look like something from a time on."""
        look = self.looks.setdefault(placed.looks, _Look(placed))
        look.placed = placed
        if look is not self.look:
            self.disappear(ms)
            look.spans.append((ms, EVER_MS))
            self.look = look

    def disappear(self, ms: int) -> None:
        """Be seen no more."""
        if self.look is not None:
            self.look.spans[-1] = (self.look.spans[-1][0], ms)
            self.look = None

    def things(self, end_ms: int) -> Iterator[recording.Thing]:
        """Yield it as a thing; if it has several looks, as a thing without any that carries them all."""
        track = recording.SceneTrack(np.array(self.times), np.array(self.poses))
        looks = list(self.looks.values())
        if len(looks) == 1:
            yield _thing(looks[0], self.id, track, self.parent, end_ms)
            return
        yield recording.Thing(self.id, _NOTHING, track, parent=self.parent)
        rest = recording.SceneTrack.fixed(recording.standing(0.0, 0.0))
        for number, look in enumerate(looks, start=1):
            yield _thing(look, f"{self.id} ({number})", rest, self.id, end_ms)


def _thing(
    look: _Look, name: str, track: recording.SceneTrack, parent: str, end_ms: int
) -> recording.Thing:
    placed = look.placed
    spans = tuple((start, min(stop, end_ms)) for start, stop in look.spans if stop > start)
    shown_ms = None if spans == ((0, end_ms),) else spans
    copies = (
        np.array([recording.standing(*at) for at in placed.copies_mm]) if placed.copies_mm else None
    )
    drawn = (placed.label, placed.tag, placed.colours)
    return recording.Thing(name, placed.shape, track, parent, *drawn, shown_ms, copies)


class PieceTracks:
    """Collects what is on the table at one moment after the other."""

    def __init__(self) -> None:
        self._tracks: dict[tuple[str, str], _PieceTrack] = {}
        self._on: dict[str, _PieceTrack] = {}
        self._last: dict[str, PlacedShape] = {}
        self._changed = set[str]()

    def update(
        self, placed: Sequence[PlacedShape], way: Sequence[Triple], start_ms: int, stop_ms: int
    ) -> None:
        """Put everything where it is after a moment, which it reaches between two times.

        `placed` is all that is on the table then; what carries others comes before them. The way is that of the thing
        that begins at its start and comes to its end.
        """
        now = {one.key: one for one in placed}
        for key in [key for key in self._on if key not in now]:
            self._changed.add(self._on[key].id)
            self._on.pop(key).disappear(stop_ms)
            del self._last[key]
        for key, one in now.items():
            if self._last.get(key) is not one:
                self._put(one, way, start_ms, stop_ms)
                self._last[key] = one

    def _put(self, one: PlacedShape, way: Sequence[Triple], start_ms: int, stop_ms: int) -> None:
        track, before = self._track(one), self._on.get(one.key)
        pose = recording.standing(*one.at_mm, one.heading_deg)
        if before is track:
            if not np.array_equal(track.poses[-1], pose):
                _move(track, pose, way, start_ms, stop_ms)
                self._changed.add(track.id)
            if track.look is None or track.look.placed.looks != one.looks:
                self._changed.add(track.id)
            track.look_like(one, stop_ms)
            return
        if before is not None:
            before.disappear(stop_ms)
            self._changed.add(before.id)
        self._changed.add(track.id)
        self._enter(track, pose, way, start_ms, stop_ms)
        track.look_like(one, stop_ms if start_ms else 0)
        self._on[one.key] = track

    def _enter(
        self, track: _PieceTrack, pose: Array, way: Sequence[Triple], start_ms: int, stop_ms: int
    ) -> None:
        """Let something appear where it is; what is there from the start on comes along the way, if that is its own."""
        if start_ms:
            if track.times and track.times[-1] < stop_ms - 1:
                track.go(stop_ms - 1, track.poses[-1])
            track.go(stop_ms, pose)
        elif len(way) > 1 and dist(way[-1][:2], pose[:2]) < _NEAR_MM:
            track.go(0, np.array([*way[0], *pose[3:]]))
            _move(track, pose, way, 0, stop_ms)
        else:
            track.go(0, pose)

    def _track(self, one: PlacedShape) -> _PieceTrack:
        """Return the track of a thing in the frame where it is now."""
        parent = self._on[one.parent].id if one.parent else ""
        place = (one.key, parent)
        if place not in self._tracks:
            number = 1 + sum(key == one.key for key, _ in self._tracks)
            name = one.key if number == 1 else f"{one.key} in place {number}"
            self._tracks[place] = _PieceTrack(name, parent)
        return self._tracks[place]

    def things(self, end_ms: int) -> Iterator[recording.Thing]:
        """Yield everything with its track; what is seen to the end is seen until `end_ms`."""
        for track in self._tracks.values():
            yield from track.things(end_ms)

    def changes(self) -> Iterator[recording.Thing]:
        """Yield what has changed since this was called last, with its whole track; nothing in it ends."""
        changed, self._changed = self._changed, set()
        for track in self._tracks.values():
            if track.id in changed:
                yield from track.things(EVER_MS)


def _move(
    track: _PieceTrack, pose: Array, way: Sequence[Triple], start_ms: int, stop_ms: int
) -> None:
    """Move something from where it is to a pose, along the way if that is its own."""
    begin = track.poses[-1]
    track.go(start_ms, begin)
    places = np.array([begin[:3], *_between(begin, pose, way), pose[:3]])
    lengths = np.cumsum([0.0, *(dist(a, b) for a, b in pairwise(places.tolist()))])
    shares = lengths / lengths[-1] if lengths[-1] > 0 else np.linspace(0.0, 1.0, len(places))
    turns = max(1, int(np.ceil(abs(_turn_deg(begin, pose)) / _STEP_DEG)))
    for share in np.unique([*shares, *np.linspace(0.0, 1.0, turns + 1)])[1:].tolist():
        place = [np.interp(share, shares, axis) for axis in places.T]
        now = pose if share == 1.0 else np.array([*place, *_turned(begin, pose, share)])
        track.go(start_ms + round(share * (stop_ms - start_ms)), now)


def _between(begin: Array, end: Array, way: Sequence[Triple]) -> Sequence[Triple]:
    """Return the bends of a way if it leads from one pose to another."""
    if len(way) < 3:
        return ()
    near = dist(way[0][:2], begin[:2]) < _NEAR_MM and dist(way[-1][:2], end[:2]) < _NEAR_MM
    return way[1:-1] if near else ()


def _heading_deg(pose: Array) -> float:
    return float(np.degrees(2 * np.arctan2(pose[5], pose[6])))


def _turn_deg(begin: Array, end: Array) -> float:
    return (_heading_deg(end) - _heading_deg(begin) + 180.0) % 360.0 - 180.0


def _turned(begin: Array, end: Array, share: float) -> Array:
    heading = _heading_deg(begin) + share * _turn_deg(begin, end)
    return recording.standing(0.0, 0.0, 0.0, heading)[3:]


_TABLE, _EDGE, _LINES = "#dcc6a0", "#8c6b47", "#cdb58c"
_THICK_MM, _GAP_MM = 8.0, 2 * STUD_MM
MOST_DRAWN = 40
"""Sheets in one picture."""
_VIEWS = (
    ("from before", -90.0, 28.0),
    ("from above", -90.0, 80.0),
    ("from the left", -150.0, 25.0),
    ("from behind", 90.0, 28.0),
)
_LONGER = 2.2
"""Approximate ratio of the length of a row to the depth of all rows."""


def sheets_recording(
    builder: Builder[Any], sheets: Sequence[Sheet], players: Sequence[str] = ("red",)
) -> recording.SceneRecording | None:
    """Return the models of sheets of a builder's game in rows on a table; None if none of them has a model.

    They are in the colours of some players, one after the other.
    """
    colours = cycle(shown_players(players))
    found = (list(builder.sheet(one, colour)) for one, colour in zip(sheets, colours, strict=False))
    groups = [group for group in found if group]
    if not groups:
        return None
    placed, size = _in_rows(groups)
    tracks = PieceTracks()
    tracks.update([_table(size), *placed], (), 0, 0)
    names = ", ".join(group[0].label for group in groups)
    about = f"Built models: {names}."
    corners = (0.0, -size[1], 0.0), (size[0], 0.0, max(map(_top_mm, groups)))
    return recording.SceneRecording(
        title="What the sheets describe",
        about=about,
        duration_ms=1,
        speed=1.0,
        is_physical=False,
        things=tuple(tracks.things(EVER_MS)),
        events=(recording.Event(0, "", about),),
        views=tuple(recording.Viewpoint(*view, *corners) for view in _VIEWS),
    )


def _in_rows(groups: Sequence[Sequence[PlacedShape]]) -> tuple[list[PlacedShape], Point]:
    """Return models at their places, from the corner (0, 0) to the right and then towards -y; and what they take up."""
    reaches = [_reach_mm(group) + _GAP_MM for group in groups]
    most = max(2 * max(reaches), sqrt(_LONGER * sum((2 * reach) ** 2 for reach in reaches)))
    placed, x, y, width, depth = list[PlacedShape](), 0.0, 0.0, 0.0, 0.0
    for group, reach in zip(groups, reaches, strict=True):
        if x and x + 2 * reach > most:
            x, y, depth = 0.0, y - depth, 0.0
        depth = max(depth, 2 * reach)
        head, *rest = group
        placed += [replace(head, at_mm=(x + reach, y - reach, 0.0)), *rest]
        x += 2 * reach
        width = max(width, x)
    return placed, (width, depth - y)


def _reach_mm(group: Sequence[PlacedShape]) -> float:
    """Return how far a model goes on the ground around its origin, however it is turned."""
    return max(float(np.hypot(*points[:, :2].T).max()) for points in _points_mm(group))


def _top_mm(group: Sequence[PlacedShape]) -> float:
    return max(float(points[:, 2].max()) for points in _points_mm(group))


def _points_mm(group: Sequence[PlacedShape]) -> Iterator[Array]:
    """Yield the points of each thing in the frame of the first one, turns left out."""
    for one in group:
        at = np.zeros(3) if one is group[0] else np.array(one.at_mm)
        for copy in one.copies_mm or ((0.0, 0.0, 0.0),):
            for surface in one.shape.surfaces:
                yield surface.points_mm + at + np.array(copy)


def _table(size: Point) -> PlacedShape:
    low, high = (0.0, -size[1]), (size[0], 0.0)
    surfaces = [
        *board(low, high, _TABLE, _EDGE, _THICK_MM),
        grid(low, high, STUD_MM, 0.02, _LINES),
    ]
    return PlacedShape("table", recording.SceneShape("table", merged(surfaces)))
