"""Scene lines: scenes as JSON Lines or Parquet, one a line, with an id; our own answers to them, and random scenes."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from brickphys.errors import InvalidValueError, refuse
from brickphys.files import digest
from brickphys.notes import NOTES
from brickphys.reading import MOST_SCENE_BYTES, decode, parse_json, read_lines
from brickphys.text import shown
from brickphys.vehicles.collision import resolve
from brickphys.vehicles.referee.parquet_lines import is_parquet, parquet_lines, parquet_of
from brickphys.vehicles.scene import Scene
from brickphys.vehicles.scene_file import scene_in, scene_tables
from brickphys.vehicles.sectors import scheme_named
from brickphys.vehicles.validation.random_scenes import random_scene

ID = "id"
"""Key of the name of a scene, in the line of the scene and in that of its answer."""

_LONGEST_ID = 100
_SHORT_STUDS = 0.5
"""A file whose vehicles are all shorter is probably in metres."""
MOST_SCENES = 1_000_000
"""Random scenes of a file: 1.2 GB."""


class NumberedLine(NamedTuple):
    """A line of a file that has a JSON object with an id."""

    place: str
    """Its number, from 1: ``line 3``, in Parquet ``row 3``."""
    id: str
    content: dict[str, Any]
    """The rest of the object."""


def numbered_lines(path: Path | str, faults: list[str]) -> Iterator[NumberedLine]:
    """Yield the lines that are not blank, or rows of Parquet; one that cannot be used becomes one of the faults.

    InvalidValueError if the file cannot be read.
    """
    first: dict[str, str] = {}
    packed = is_parquet(path)
    found = parquet_lines(path) if packed else read_lines(path, MOST_SCENE_BYTES)
    for number, content in enumerate(found, start=1):
        place = f"{'row' if packed else 'line'} {number}"
        try:
            text = decode(content, place)
            if not text.strip():
                continue
            line = _numbered(place, parse_json(text, place))
        except InvalidValueError as error:
            faults.append(str(error).replace(f"{place}: line 1: ", f"{place}: "))
            continue
        if first.setdefault(line.id, place) != place:
            faults.append(f"{place}: id {shown(line.id)} is also that of {first[line.id]}")
        else:
            yield line


def file_content(text: str, path: Path) -> str | bytes:
    """Return lines as the content of a file: as they are, or as Parquet if its name ends so."""
    return parquet_of(text) if is_parquet(path) else text


def _numbered(place: str, content: Any) -> NumberedLine:
    if not isinstance(content, dict):
        raise InvalidValueError(f"{place}: {shown(content)} is not a JSON object")
    if ID not in content:
        raise InvalidValueError(f"{place}: the key 'id' is missing")
    name = content.pop(ID)
    if not isinstance(name, str | int) or isinstance(name, bool):
        raise InvalidValueError(f"{place}.id: {shown(name)} is neither a text nor a whole number")
    text = str(name)
    if not (len(text.strip()) > 0 and len(text) <= _LONGEST_ID and text.isprintable()):
        raise InvalidValueError(
            f"{place}.id: {shown(name)} is not 1 to {_LONGEST_ID} printable characters, not only blanks"
        )
    return NumberedLine(place, text, content)


def scene_line(name: str, scene: Scene) -> str:
    """Return a scene as a line, with its end."""
    return json.dumps({ID: name, **scene_tables(scene)}, allow_nan=False) + "\n"


def answer_lines(
    path: Path | str,
    *,
    sectors: str | None = None,
    clearance_studs: float | None = None,
) -> list[str]:
    """Return our answers to the scenes of a file as the lines of another one, in the same order.

    InvalidValueError if the file cannot be read, has no scene, or any line cannot be used; each such line is told with
    its number. Sectors and clearance are those of `brickphys.resolve`.
    """
    from brickphys.geometry.many.outlines import note_radians

    faults: list[str] = []
    answers = []
    headings_deg: list[float] = []
    longest_studs = 0.0
    scheme = None if sectors is None else scheme_named(sectors)
    for line in numbered_lines(path, faults):
        try:
            scene = scene_in(line.content, line.place)
        except InvalidValueError as error:
            faults.append(str(error))
            continue
        if faults:
            continue  # nothing will be written: the other lines are only checked
        headings_deg += [vehicle.heading_deg for vehicle in scene.vehicles]
        for vehicle in scene.vehicles:
            sides_studs = np.ptp(vehicle.prism.footprint.vertices_studs, axis=0)
            longest_studs = max(longest_studs, float(sides_studs.max()))
        scene = scene if scheme is None else replace(scene, scheme=scheme)
        document = resolve(scene, clearance_studs=clearance_studs).document()
        if scene.in_time:
            from brickphys.vehicles.encounter import SceneEncounters, encounters_of

            document["encounters"] = (encounters_of(scene) or SceneEncounters(())).document()
        answers.append(_answer_line(line.id, document))
    refuse(str(path), faults)
    if not answers:
        raise InvalidValueError(f"{path}: there is no scene in it")
    note_radians(np.array(headings_deg), f"{path}: headings")
    if 0 < longest_studs < _SHORT_STUDS:
        words = "%s: lengths are in studs of 8 mm; no vehicle is longer than %.3g: are they metres?"
        NOTES.warning(words, path, longest_studs)
    return answers


def _answer_line(name: str, document: Mapping[str, Any]) -> str:
    found = {key: value for key, value in document.items() if key != "schema"}
    return json.dumps({ID: name, **found}, allow_nan=False) + "\n"


def random_scenes(scenes: int, root: int) -> Iterator[tuple[str, Scene]]:
    """Yield random scenes, those of `validate_collisions`, with ids: kind, root seed and number; see `scene_range`."""
    for index in scene_range(scenes):
        one = random_scene(root, index)
        yield f"{one.kind.value}-{root}-{index}", one.scene


def scene_range(scenes: int) -> range:
    """Return the numbers of so many scenes; InvalidValueError if there are none or too many."""
    if not 1 <= scenes <= MOST_SCENES:
        raise InvalidValueError(f"scenes {scenes} is outside 1..{MOST_SCENES:,}")
    return range(scenes)


def random_lines(
    scenes: int, root: int, progress: Callable[[int], None] = lambda _: None
) -> tuple[str, str]:
    """Return random scenes (see `random_scenes`) as the text of a file, and its digest."""
    lines = []
    for name, scene in random_scenes(scenes, root):
        lines.append(scene_line(name, scene))
        progress(len(lines))
    text = "".join(lines)
    return text, digest(text)
