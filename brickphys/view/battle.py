"""Battle: a game that was played, as a recording: its pieces go their ways, attack and are lost."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import dist
from typing import Any

import numpy as np

from brickphys.arrays import Triple
from brickphys.geometry.polygon import Point
from brickphys.rules.report.scenario import NamedArea
from brickphys.rules.report.trajectories import Frame, Trajectories
from brickphys.text import spoken
from brickphys.view.builder import Builder
from brickphys.view.cast import Cast
from brickphys.view.colours import shown_players
from brickphys.view.recording import Event, Mark, SceneRecording, Sign, View, box_around

_LEAST_MS, _MOST_MS, _LETTER_MS = 900, 4000, 22
"""How long an event lasts: the longer its text, the longer."""
_MOVE_SHARE = 0.55
"""Part of an event in which things move; attacks are shown from then on."""
_ABOVE_MM = 1.0
_END_MS = 800
_HIGH_MM = 40.0
_AROUND = 4.0
"""How much of the field is seen around what moves, in its unit."""
_SIDES = (
    ("from the south", -90.0, 34.0),
    ("from above", -90.0, 89.0),
    ("from the west", 180.0, 30.0),
    ("from the east", 0.0, 30.0),
    ("from the north", 90.0, 30.0),
)


def battle_recording(
    trajectories: Trajectories[Any], builder: Builder[Any], title: str
) -> SceneRecording:
    """Return a game that was played as a recording.

    It shows no more than the trajectories hold; those of a viewer (see `brickphys.rules.report.parts.Parts`) hold
    nothing that is hidden from that viewer.
    """
    frames = trajectories.frames
    starts = _starts_ms(frames)
    cast, marks, places = Cast(), list[Mark](), list[Triple]()
    colours = shown_players(trajectories.names)
    for frame, (start_ms, stop_ms) in zip(frames, pairwise(starts), strict=True):
        moved_ms = start_ms + round(_MOVE_SHARE * (stop_ms - start_ms))
        pieces = list(builder.pieces(frame.state))
        places += [one.at_mm for one in pieces if not one.parent]
        placed = [*builder.ground(frame.state), *pieces]
        way = _way(frame, builder)
        cast.act(placed, way, start_ms, moved_ms)
        marks += _marks(frame, builder, colours, way, (start_ms, moved_ms, stop_ms))
    end_ms = starts[-1]
    return SceneRecording(
        title=title,
        about=f"{_players(trajectories)}. {trajectories.ending}",
        duration_ms=end_ms + _END_MS,
        speed=1.0,
        is_physical=False,
        things=tuple(cast.things(end_ms + 2 * _END_MS)),
        events=tuple(
            Event(start_ms, frame.heading, frame.text)
            for frame, start_ms in zip(frames, starts, strict=False)
        ),
        views=tuple(_views(builder, frames[0].state, places)),
        marks=(*_areas(trajectories.areas, builder, frames[0].state, end_ms + 2 * _END_MS), *marks),
    )


def _players(trajectories: Trajectories[Any]) -> str:
    pairs = zip(trajectories.names, trajectories.played_by, strict=False)
    return " against ".join(f"{spoken(name)} ({by})" for name, by in pairs)


def _starts_ms(frames: Sequence[Frame[Any]]) -> list[int]:
    """Return when each frame begins, and when the last one ends."""
    lasting = (min(max(_LEAST_MS, _LETTER_MS * len(frame.text)), _MOST_MS) for frame in frames)
    return np.cumsum([0, *lasting]).tolist()  # type: ignore[no-any-return]


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
        places = tuple((x, y, z + _ABOVE_MM) for x, y, z in way)
        yield Mark(Sign.WAY, start_ms, stop_ms, places, colours[frame.player], width)
    for start, end in frame.attacks:
        ends = tuple(_place(place, frame, builder, 12 * width) for place in (start, end))
        if dist(*ends) > width:
            yield Mark(Sign.ARROW, moved_ms, stop_ms, ends, "black", width)
    for place, is_hit in frame.impacts:
        sign, colour = (Sign.HIT, "orange") if is_hit else (Sign.MISS, "white")
        at = _place(place, frame, builder, _ABOVE_MM)
        yield Mark(sign, moved_ms, stop_ms, (at,), colour, 3.5 * width)
    for kill in frame.kills:
        at = _place(kill.at, frame, builder, _ABOVE_MM)
        yield Mark(Sign.LOSS, moved_ms, stop_ms, (at,), "black", 3.5 * width, spoken(kill.name))


def _areas(
    areas: Iterable[NamedArea], builder: Builder[Any], state: Any, end_ms: int
) -> Iterator[Mark]:
    """Yield the areas of the field that have a name, or that an aim is about."""
    for area in areas:
        right, far = area.x + area.width, area.y + area.length
        outline = area.outline or ((area.x, area.y), (right, area.y), (right, far), (area.x, far))
        unit, height = builder.unit_mm, builder.height_mm(state, (area.x, area.y))
        places = tuple((x * unit, y * unit, height + _ABOVE_MM) for x, y in outline)
        yield Mark(Sign.AREA, 0, end_ms, places, "white", builder.mark_mm, area.name)


def _views(builder: Builder[Any], state: Any, places: Sequence[Triple]) -> Iterator[View]:
    """Yield views of where pieces come, and of the whole field."""
    width, length = (side * builder.unit_mm for side in builder.size(state))
    field = (0.0, 0.0, 0.0), (width, length, _HIGH_MM)
    low, high = field
    if places:
        low, high = box_around(places, _AROUND * builder.unit_mm)
        low = (max(low[0], 0.0), max(low[1], 0.0), 0.0)
        high = (min(high[0], width), min(high[1], length), _HIGH_MM)
    for name, azimuth_deg, elevation_deg in _SIDES:
        yield View(name, azimuth_deg, elevation_deg, low, high)
    yield View("the whole field", -90.0, 45.0, *field)
