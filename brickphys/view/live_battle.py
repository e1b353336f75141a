"""Live battle: a game while it is played, as a recording that grows: what has happened since is added to it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from math import dist
from typing import Any, NamedTuple

import numpy as np

from brickphys.arrays import Triple
from brickphys.battles.result import AnyRecord
from brickphys.geometry.polygon import Point
from brickphys.rules.game import AnyGame
from brickphys.rules.record import CHANCE, OVER, Ending
from brickphys.rules.registry import builder
from brickphys.rules.report.trajectories import Frame, Trajectories
from brickphys.view.battle import area_marks, battle_views
from brickphys.view.cast import EVER_MS
from brickphys.view.footage import Footage
from brickphys.view.recording import Mark, SceneRecording, Shape, Thing, View

_FIRST = "The game begins."
_LEAST_SHARE = 0.016
"""Smallest width of places, as a share of the field, or in its unit."""
_ROOM, _STEEP_DEG = 0.35, 50.0
"""Players see more of the field around the pieces, and at first all of it, from higher up."""


@lru_cache(maxsize=256)
def _reach_mm(shape: Shape) -> float:
    return max(float(np.hypot(*one.points_mm[:, :2].T).max()) for one in shape.surfaces)


class Fall(NamedTuple):
    """Bricks of a roll that fall while a game is seen.

    Attributes
    ----------
    start_ms, stop_ms
        When they begin, and until when they are seen, in the time of the game.
    recording
        How they fall.
    """

    start_ms: int
    stop_ms: int
    recording: SceneRecording


class LiveBattle:
    """What one viewer sees of a game so far.

    Parameters
    ----------
    game, record
        The game, and its steps so far.
    viewer
        The player as whom it is seen; None for what nobody has to hide.
    title
        For people.

    Attributes
    ----------
    game
        As above.
    builder
        Of the game.
    scene
        The state of the last frame, for the builder.
    steps
        How many steps are shown; those of a choice that is not whole are not.
    """

    def __init__(self, game: AnyGame, record: AnyRecord, viewer: int | None, title: str) -> None:
        self.game, self._viewer, self._title = game, viewer, title
        self._initial = record.initial
        self.builder = builder(game)
        first = self._trajectories(replace(record, steps=(), ending=Ending.INTERRUPTED))
        self._areas, self._names = first.areas, first.names
        self._footage = Footage(self.builder, first.colours)
        self.scene: Any = first.frames[0].state
        self._footage.add([Frame(self.scene, "", _FIRST)])
        self._rolled: dict[int, SceneRecording] = {}
        self._falls: list[Fall] = []
        self.steps = self._events = self._marks = 0
        if record.steps:
            self._add(record)

    def whole(self) -> SceneRecording:
        """Return all of it."""
        *near, field = battle_views(self.builder, self.scene, self._footage.places, _ROOM)
        views = (replace(field, elevation_deg=_STEEP_DEG), *near)
        areas = area_marks(self._areas, self.builder, self.scene, EVER_MS)
        things = tuple(self._footage.cast.things(EVER_MS))
        for _ in self._footage.cast.changes():
            pass
        self._events = self._marks = 0
        recording = self._recording(things, views, tuple(areas))
        return replace(recording, ruler=self.builder.ruler(self.scene))

    def extended(self, record: AnyRecord) -> SceneRecording | None:
        """Return what has happened since this or `whole` was called last, with no views.

        None if it cannot be added: steps were taken back, or the field or the game is another one. Then a new one is
        to be made.

        Parameters
        ----------
        record
            The game so far.
        """
        size = self.builder.size(self.scene)
        if len(record.steps) < self.steps or record.initial != self._initial:
            return None
        self._add(record)
        if self.builder.size(self.scene) != size:
            return None
        return self._recording(tuple(self._footage.cast.changes()), (), ())

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
        unit = self.builder.unit_mm
        return spot[0] * unit, spot[1] * unit, self.builder.height_mm(self.scene, spot)

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
        """Add the steps of choices that are whole."""
        states = record.states
        ends = range(len(record.steps), self.steps, -1)
        stop = next(
            (
                n
                for n in ends
                if self._is_whole(states[n], n == len(record.steps))
                and not self._only_chooses(record, n - 1)
            ),
            None,
        )
        if stop is None:
            return
        part = replace(
            record,
            initial=states[self.steps],
            steps=record.steps[self.steps : stop],
            ending=record.ending if stop == len(record.steps) else Ending.INTERRUPTED,
        )
        told = {
            number: line
            for number, (before, step) in enumerate(
                zip(part.states, part.steps, strict=False), self.steps
            )
            if (line := self.game.tell(before, step, self._viewer))
        }
        self.steps = stop
        if told:
            frames = list(self._frames(part, list(told.values())))
            self.scene = frames[-1].state
            falls = list(self._fallen(told, frames[0].heading))
            self._footage.add(frames)
            stops = [*(start_ms for start_ms, _ in falls[1:]), self._footage.end_ms]
            self._falls += [
                Fall(start_ms, stop_ms, recording)
                for (start_ms, recording), stop_ms in zip(falls, stops, strict=False)
            ]

    def _fallen(self, steps: Iterable[int], heading: str) -> Iterator[tuple[int, SceneRecording]]:
        """Yield when the bricks of some steps begin to fall; those of other steps are nobody's business."""
        recordings = [self._rolled[number] for number in steps if number in self._rolled]
        self._rolled = {n: one for n, one in self._rolled.items() if n >= self.steps}
        for one in recordings:
            lasts_ms = round(one.duration_ms / one.speed)
            yield self._footage.wait(heading, one.events[0].text, lasts_ms), one

    def _is_whole(self, state: Any, is_last: bool) -> bool:
        """Whether a choice has come to its end with all that is rolled for it, or people are asked to roll."""
        actor = self.game.actor(state)
        return actor == OVER or (self.game.settled(state) and (is_last or actor != CHANCE))

    def _only_chooses(self, record: AnyRecord, number: int) -> bool:
        """Whether a step says who acts next: what that one does is told, not that it waits."""
        step = record.steps[number]
        return step.actor >= 0 and bool(self.game.chooses(step.move))

    def _frames(self, part: AnyRecord, told: Sequence[str]) -> Iterator[Frame[Any]]:
        """Yield what happened; where no frame has words, those of the steps."""
        found = self._trajectories(part)
        ending = "" if part.ending is Ending.OVER else f". {found.ending}"
        frames = [frame for frame in found.frames if frame.text or not frame.is_still]
        for frame in frames or found.frames[-1:]:
            text = frame.text if frames else " ".join(told)
            yield replace(frame, heading=frame.heading.removesuffix(ending), text=text)

    def _trajectories(self, record: AnyRecord) -> Trajectories[Any]:
        return self.game.trajectories(record, self._viewer)

    def _recording(
        self, things: tuple[Thing, ...], views: tuple[View, ...], areas: tuple[Mark, ...]
    ) -> SceneRecording:
        """Return what was not returned yet of events and marks."""
        film = self._footage
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
