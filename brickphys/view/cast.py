"""Cast: what is on the table from moment to moment, put together to things with tracks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import dist

import numpy as np

from brickphys.arrays import Array, Triple
from brickphys.view.builder import Placed
from brickphys.view.recording import Shape, Thing, Track, standing

_NEAR_MM = 4.0
"""A way is that of a thing if it begins and ends so near to it."""
_STEP_DEG = 30.0
"""Of a turn, between two poses."""
EVER_MS = 10**9
"""No recording is that long."""
_NOTHING = Shape("nothing", ())

_Spans = list[tuple[int, int]]


@dataclass
class _Look:
    """How an actor looks for some time."""

    placed: Placed
    spans: _Spans = field(default_factory=list)


@dataclass
class _Actor:
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

    def dress(self, placed: Placed, ms: int) -> None:
        """Look like something from a time on."""
        look = self.looks.setdefault(placed.looks, _Look(placed))
        look.placed = placed
        if look is not self.look:
            self.undress(ms)
            look.spans.append((ms, EVER_MS))
            self.look = look

    def undress(self, ms: int) -> None:
        """Be seen no more."""
        if self.look is not None:
            self.look.spans[-1] = (self.look.spans[-1][0], ms)
            self.look = None

    def things(self, end_ms: int) -> Iterator[Thing]:
        """Yield it as a thing; if it has several looks, as a thing without any that carries them all."""
        track = Track(np.array(self.times), np.array(self.poses))
        looks = list(self.looks.values())
        if len(looks) == 1:
            yield _thing(looks[0], self.id, track, self.parent, end_ms)
            return
        yield Thing(self.id, _NOTHING, track, parent=self.parent)
        rest = Track.fixed(standing(0.0, 0.0))
        for number, look in enumerate(looks, start=1):
            yield _thing(look, f"{self.id} ({number})", rest, self.id, end_ms)


def _thing(look: _Look, name: str, track: Track, parent: str, end_ms: int) -> Thing:
    placed = look.placed
    spans = tuple((start, min(stop, end_ms)) for start, stop in look.spans if stop > start)
    return Thing(
        name,
        placed.shape,
        track,
        parent=parent,
        label=placed.label,
        tag=placed.tag,
        colours=placed.colours,
        shown_ms=None if spans == ((0, end_ms),) else spans,
        copies_mm=np.array([standing(*at) for at in placed.copies_mm])
        if placed.copies_mm
        else None,
    )


class Cast:
    """Collects what is on the table at one moment after the other."""

    def __init__(self) -> None:
        self._actors: dict[tuple[str, str], _Actor] = {}
        self._on: dict[str, _Actor] = {}
        self._last: dict[str, Placed] = {}
        self._changed = set[str]()

    def act(
        self, placed: Sequence[Placed], way: Sequence[Triple], start_ms: int, stop_ms: int
    ) -> None:
        """Put everything where it is after a moment, which it reaches between two times.

        Parameters
        ----------
        placed
            All that is on the table then; what carries others comes before them.
        way
            The way of the thing that begins at its start and comes to its end.
        start_ms, stop_ms
            When the moment begins, and when all is in its place.
        """
        now = {one.key: one for one in placed}
        for key in [key for key in self._on if key not in now]:
            self._changed.add(self._on[key].id)
            self._on.pop(key).undress(stop_ms)
            del self._last[key]
        for key, one in now.items():
            if self._last.get(key) is not one:
                self._put(one, way, start_ms, stop_ms)
                self._last[key] = one

    def _put(self, one: Placed, way: Sequence[Triple], start_ms: int, stop_ms: int) -> None:
        actor, before = self._actor(one), self._on.get(one.key)
        pose = standing(*one.at_mm, one.heading_deg)
        if before is actor:
            if not np.array_equal(actor.poses[-1], pose):
                _move(actor, pose, way, start_ms, stop_ms)
                self._changed.add(actor.id)
            if actor.look is None or actor.look.placed.looks != one.looks:
                self._changed.add(actor.id)
            actor.dress(one, stop_ms)
            return
        if before is not None:
            before.undress(stop_ms)
            self._changed.add(before.id)
        self._changed.add(actor.id)
        self._enter(actor, pose, way, start_ms, stop_ms)
        actor.dress(one, stop_ms if start_ms else 0)
        self._on[one.key] = actor

    def _enter(
        self, actor: _Actor, pose: Array, way: Sequence[Triple], start_ms: int, stop_ms: int
    ) -> None:
        """Let something appear where it is; what is there from the start on comes along the way, if that is its own."""
        if start_ms:
            if actor.times and actor.times[-1] < stop_ms - 1:
                actor.go(stop_ms - 1, actor.poses[-1])
            actor.go(stop_ms, pose)
        elif len(way) > 1 and dist(way[-1][:2], pose[:2]) < _NEAR_MM:
            actor.go(0, np.array([*way[0], *pose[3:]]))
            _move(actor, pose, way, 0, stop_ms)
        else:
            actor.go(0, pose)

    def _actor(self, one: Placed) -> _Actor:
        """Return the actor of a thing in the frame where it is now."""
        parent = self._on[one.parent].id if one.parent else ""
        place = (one.key, parent)
        if place not in self._actors:
            number = 1 + sum(key == one.key for key, _ in self._actors)
            name = one.key if number == 1 else f"{one.key} in place {number}"
            self._actors[place] = _Actor(name, parent)
        return self._actors[place]

    def things(self, end_ms: int) -> Iterator[Thing]:
        """Yield everything with its track; what is seen to the end is seen until `end_ms`."""
        for actor in self._actors.values():
            yield from actor.things(end_ms)

    def changes(self) -> Iterator[Thing]:
        """Yield what has changed since this was called last, with its whole track; nothing in it ends."""
        changed, self._changed = self._changed, set()
        for actor in self._actors.values():
            if actor.id in changed:
                yield from actor.things(EVER_MS)


def _move(actor: _Actor, pose: Array, way: Sequence[Triple], start_ms: int, stop_ms: int) -> None:
    """Move something from where it is to a pose, along the way if that is its own."""
    begin = actor.poses[-1]
    actor.go(start_ms, begin)
    places = np.array([begin[:3], *_between(begin, pose, way), pose[:3]])
    lengths = np.cumsum([0.0, *(dist(a, b) for a, b in pairwise(places.tolist()))])
    shares = lengths / lengths[-1] if lengths[-1] > 0 else np.linspace(0.0, 1.0, len(places))
    turns = max(1, int(np.ceil(abs(_turn_deg(begin, pose)) / _STEP_DEG)))
    for share in np.unique([*shares, *np.linspace(0.0, 1.0, turns + 1)])[1:].tolist():
        place = [np.interp(share, shares, axis) for axis in places.T]
        now = pose if share == 1.0 else np.array([*place, *_turned(begin, pose, share)])
        actor.go(start_ms + round(share * (stop_ms - start_ms)), now)


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
    return standing(0.0, 0.0, 0.0, heading)[3:]
