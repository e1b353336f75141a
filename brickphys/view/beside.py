"""Beside: two recordings in one scene, side by side."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from brickphys.arrays import Array, Triple
from brickphys.units import STUD_MM
from brickphys.view.recording import Event, Mark, SceneRecording, Thing, View, box_around

_GAP_MM = 6 * STUD_MM
_OTHER = "other"


def beside(one: SceneRecording, other: SceneRecording, names: tuple[str, str]) -> SceneRecording:
    """Return two recordings as one scene; the second is at the right of the first, and its gauges are left out.

    Parameters
    ----------
    one, other
        Recordings whose things have no parents.
    names
        What each is, for the story.
    """
    shift = (_extent(one)[1] - _extent(other)[0]) + _GAP_MM
    shift = STUD_MM * float(np.ceil(shift / STUD_MM))
    moved = [_moved_view(view, shift) for view in other.views]
    events = [
        Event(event.at_ms, event.heading, f"{name}: {event.text}")
        for name, recording in zip(names, (one, other), strict=True)
        for event in recording.events
    ]
    return SceneRecording(
        title=f"{one.title}: {names[0]}, and {names[1]}",
        about=f"Left: {names[0]}. {one.about} Right: {names[1]}. {other.about}",
        duration_ms=max(one.duration_ms, other.duration_ms),
        speed=one.speed,
        is_physical=True,
        things=(*one.things, *_moved(other, shift)),
        events=tuple(sorted(events, key=lambda event: event.at_ms)),
        views=tuple(_views(one, moved, names)),
        marks=(*one.marks, *(_moved_mark(mark, shift) for mark in other.marks)),
        gauges=one.gauges,
    )


def _extent(recording: SceneRecording) -> tuple[float, float]:
    """Return the least and the greatest x of what does not move: the ground, not what flies over it."""
    ends = [_span(thing) for thing in recording.things if len(thing.track.poses) == 1]
    return min(low for low, _ in ends), max(high for _, high in ends)


def _span(thing: Thing) -> tuple[float, float]:
    points = np.concatenate([surface.points_mm[:, 0] for surface in thing.shape.surfaces])
    copies = np.zeros(1) if thing.copies_mm is None else thing.copies_mm[:, 0]
    x = float(thing.track.poses[0, 0])
    return x + float(copies.min() + points.min()), x + float(copies.max() + points.max())


def _moved(recording: SceneRecording, shift: float) -> Iterator[Thing]:
    for thing in recording.things:
        poses: Array = thing.track.poses.copy()
        poses[:, 0] += shift
        yield replace(
            thing,
            id=f"{_OTHER} {thing.id}",
            shape=replace(thing.shape, name=f"{_OTHER} {thing.shape.name}"),
            track=replace(thing.track, poses=poses),
        )


def _moved_mark(mark: Mark, shift: float) -> Mark:
    return replace(mark, places_mm=tuple((x + shift, y, z) for x, y, z in mark.places_mm))


def _moved_view(view: View, shift: float) -> View:
    def moved(corner: Triple) -> Triple:
        return corner[0] + shift, corner[1], corner[2]

    follows = view.follows and f"{_OTHER} {view.follows}"
    return replace(view, low_mm=moved(view.low_mm), high_mm=moved(view.high_mm), follows=follows)


def _views(one: SceneRecording, moved: list[View], names: tuple[str, str]) -> Iterator[View]:
    """Yield one view of both, then those of each."""
    corners = [corner for view in (*one.views, *moved) for corner in (view.low_mm, view.high_mm)]
    yield View("both", -90.0, 45.0, *box_around(corners))
    for name, views in zip(names, (one.views, moved), strict=True):
        yield from (replace(view, name=f"{name}: {view.name}", from_ms=None) for view in views[:2])
