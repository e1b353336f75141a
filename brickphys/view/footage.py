"""Footage: what happened in a game, event by event, as things that move, marks and lines of the story."""

from collections.abc import Iterable, Iterator, Sequence
from math import dist
from typing import Any

from brickphys.arrays import Triple
from brickphys.geometry.polygon import Point
from brickphys.rules.report.trajectories import Frame
from brickphys.text import spoken
from brickphys.view.builder import Builder
from brickphys.view.cast import Cast
from brickphys.view.colours import shown_players
from brickphys.view.recording import Event, Mark, Sign

_LEAST_MS, _MOST_MS, _LETTER_MS = 900, 4000, 22
"""Duration of an event, by the length of its text."""
_MOVE_SHARE = 0.55
"""Share of an event in which things move; attacks are shown after it."""
ABOVE_MM = 1.0
"""How high flat marks are over the ground."""


class Footage:
    """What happened so far; more may follow.

    Parameters
    ----------
    builder
        Of the game.
    colours
        Of the players.

    Attributes
    ----------
    cast, marks, events
        What is seen and told so far.
    places
        Where pieces have stood, in mm.
    end_ms
        When it ends.
    """

    def __init__(self, builder: Builder[Any], colours: Sequence[str]) -> None:
        self.cast = Cast()
        self.marks, self.events, self.places = list[Mark](), list[Event](), list[Triple]()
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
            self.cast.act(placed, way, start_ms, moved_ms)
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
    return tuple(_place(place, frame, builder) for place in path)


def _place(place: Point, frame: Frame[Any], builder: Builder[Any], above_mm: float = 0.0) -> Triple:
    x, y = place
    height = builder.height_mm(frame.state, place)
    return x * builder.unit_mm, y * builder.unit_mm, height + above_mm


def _marks(
    frame: Frame[Any],
    builder: Builder[Any],
    colours: Sequence[str],
    way: Sequence[Triple],
    times_ms: tuple[int, int, int],
) -> Iterator[Mark]:
    """Yield the way of who acted, attacks, where shots fell, and who was lost."""
    start_ms, moved_ms, stop_ms = times_ms
    width = builder.mark_mm
    if way and frame.player is not None:
        places = tuple((x, y, z + ABOVE_MM) for x, y, z in way)
        yield Mark(Sign.WAY, start_ms, stop_ms, places, colours[frame.player], width)
    for start, end in frame.attacks:
        ends = tuple(_place(place, frame, builder, 12 * width) for place in (start, end))
        if dist(*ends) > width:
            yield Mark(Sign.ARROW, moved_ms, stop_ms, ends, "black", width)
    for place, is_hit in frame.impacts:
        sign, colour = (Sign.HIT, "orange") if is_hit else (Sign.MISS, "white")
        at = _place(place, frame, builder, ABOVE_MM)
        yield Mark(sign, moved_ms, stop_ms, (at,), colour, 3.5 * width)
    for kill in frame.kills:
        at = _place(kill.at, frame, builder, ABOVE_MM)
        yield Mark(Sign.LOSS, moved_ms, stop_ms, (at,), "black", 3.5 * width, spoken(kill.name))
