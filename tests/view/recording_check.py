"""The check of the JSON document of a scene recording: its form, and then its meaning."""

from collections.abc import Iterator
from typing import Any

from brickphys.errors import refuse
from brickphys.schema import validated
from docs.site.recording_schema import (
    PosesDocument,
    RecordingDocument,
    SceneSurfaceDocument,
    ThingDocument,
)


def check_recording(raw: Any, name: str = "recording") -> RecordingDocument:
    """Return a JSON object as a recording.

    InvalidValueError with every fault of form, or if there is none every fault of meaning.
    """
    found = validated(RecordingDocument, raw, name)
    refuse(name, list(_problems(found)))
    return found


def _problems(found: RecordingDocument) -> Iterator[str]:
    for name, surfaces in found.shapes.items():
        for number, surface in enumerate(surfaces):
            place = f"shapes.{name}[{number}]"
            yield from (f"{place}{fault}" for fault in _surface_problems(surface, found))
    ids: set[str] = set()
    for number, thing in enumerate(found.things):
        place = f"things[{number}]"
        yield from (f"{place}{fault}" for fault in _thing_problems(thing, found, ids))
        ids.add(thing.id)
    for number, mark in enumerate(found.marks):
        if len(mark.at) % 3 or not mark.at:
            yield f"marks[{number}].at: {len(mark.at)} numbers do not make places of three"
        if mark.colour not in found.colours:
            yield f"marks[{number}].colour: {mark.colour!r} is not one of colours"
    for number, view in enumerate(found.views):
        if view.follows and view.follows not in ids:
            yield f"views[{number}].follows: there is no thing {view.follows!r}"
    for number, gauge in enumerate(found.gauges):
        if len(gauge.ms) != len(gauge.values) or len(gauge.limit) not in (0, len(gauge.ms)):
            yield f"gauges[{number}]: the numbers of times and values differ"
    if found.chances and any(
        len(one.values) != len(found.chances.ms) for one in found.chances.lines
    ):
        yield "chances: the numbers of times and values differ"
    if (ruler := found.ruler) and (ruler.columns or ruler.rows):
        names = len(ruler.columns), len(ruler.rows)
        if names != (ruler.width, ruler.length):
            yield f"ruler: {names[0]} and {names[1]} names do not fit the squares"


def _surface_problems(surface: SceneSurfaceDocument, found: RecordingDocument) -> Iterator[str]:
    if surface.colour not in found.colours:
        yield f".colour: {surface.colour!r} is not one of colours"
    if len(surface.points) % 3:
        yield f".points: {len(surface.points)} numbers do not make points of three"
    for key, corners, each in (("triangles", surface.triangles, 3), ("lines", surface.lines, 2)):
        if len(corners) % each:
            yield f".{key}: {len(corners)} numbers do not make {key}"
        if corners and max(corners) >= len(surface.points) // 3:
            yield f".{key}: there is no point {max(corners)}"


def _thing_problems(
    thing: ThingDocument, found: RecordingDocument, before: set[str]
) -> Iterator[str]:
    if thing.id in before:
        yield f".id: {thing.id!r} is also that of another thing"
    if thing.shape not in found.shapes:
        yield f".shape: there is no shape {thing.shape!r}"
    if thing.parent and thing.parent not in before:
        yield f".parent: there is no thing {thing.parent!r} before it"
    if thing.ms != sorted(set(thing.ms)):
        yield ".ms: must increase"
    yield from _pose_problems(thing, max(len(thing.ms), 1))
    if thing.copies is not None:
        fault = _pose_problems(thing.copies, len(thing.copies.at) // 3)
        yield from (f".copies{one}" for one in fault)
    for name in (*thing.colours.values(), *([thing.tag] if thing.tag else ())):
        if name not in found.colours:
            yield f".colours: {name!r} is not one of colours"


def _pose_problems(poses: PosesDocument, count: int) -> Iterator[str]:
    if len(poses.at) != 3 * count:
        yield f".at: {len(poses.at)} numbers do not make {count} places"
    if len(poses.turn) not in (0, 4 * count):
        yield f".turn: {len(poses.turn)} numbers do not make {count} turns"
