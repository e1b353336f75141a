"""Document: a scene recording as plain JSON, with lengths and turns rounded to whole steps; and as one HTML page.

The page needs nothing else: no network, no server.
"""

import base64
import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import fields
from functools import lru_cache
from html import escape
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from brickphys.files import write_whole
from brickphys.reading import shipped_text
from brickphys.shapes.piece import PALETTE
from brickphys.text import cleaned_line
from brickphys.units import Array
from brickphys.view.recording import (
    ChanceLine,
    Chances,
    ChanceSign,
    Event,
    Gauge,
    Ruler,
    SceneMark,
    SceneRecording,
    SceneShape,
    SceneSurface,
    SceneTrack,
    Sign,
    Thing,
    Viewpoint,
)

SCHEMA = "brickphys.view/1"
STEP_MM = 0.02
"""Lengths are whole numbers of it: a fifth of the play between two bricks."""
TURN_STEP = 1e-4
"""Parts of quaternions are whole numbers of it: a hundredth of a degree."""


def document(recording: SceneRecording, known: Collection[str] = ()) -> dict[str, Any]:
    """Return a recording as a JSON object; see ``docs/site/recording_schema.py`` for its keys.

    Shapes with `known` names are left out: who reads it has them already.
    """
    shapes = {
        thing.shape.name: thing.shape for thing in recording.things if thing.shape.name not in known
    }
    colours = {*_colours_of(shapes.values(), recording)}
    return {
        "schema": SCHEMA,
        "title": cleaned_line(recording.title),
        "about": cleaned_line(recording.about),
        "step_mm": STEP_MM,
        "turn_step": TURN_STEP,
        "duration_ms": recording.duration_ms,
        "speed": recording.speed,
        "is_physical": recording.is_physical,
        "colours": {name: hex_of(name) for name in sorted(colours)},
        "shapes": {
            name: [_surface(one) for one in shape.surfaces] for name, shape in shapes.items()
        },
        "things": [_thing(one) for one in recording.things],
        "events": [_row(one) for one in recording.events],
        "marks": [_row(one) for one in recording.marks],
        "views": [_row(one) for one in recording.views],
        "gauges": [_row(one) for one in recording.gauges],
        **({} if recording.ruler is None else {"ruler": _row(recording.ruler)}),
        **({} if recording.chances is None else {"chances": _chances(recording.chances)}),
    }


def text_of(recording: SceneRecording) -> str:
    """Return a recording as the text of its JSON document, without blanks."""
    return json.dumps(document(recording), separators=(",", ":"), allow_nan=False)


def hex_of(colour: str) -> str:
    """Return a colour of the palette, or one that is written so already, as ``#rrggbb``."""
    if colour.startswith("#"):
        return colour
    return "#{:02x}{:02x}{:02x}".format(*PALETTE[colour])


def _colours_of(shapes: Iterable[SceneShape], recording: SceneRecording) -> Iterable[str]:
    for shape in shapes:
        yield from (surface.colour for surface in shape.surfaces)
    for thing in recording.things:
        yield from thing.colours.values()
        if thing.tag:
            yield thing.tag
    yield from (mark.colour for mark in recording.marks)


def _surface(surface: SceneSurface) -> dict[str, Any]:
    is_lines = surface.corners.shape[1] == 2
    return {
        "colour": surface.colour,
        "points": _whole(surface.points_mm, STEP_MM),
        "lines" if is_lines else "triangles": surface.corners.ravel().tolist(),
    }


def _thing(thing: Thing) -> dict[str, Any]:
    found: dict[str, Any] = {"id": thing.id, "shape": thing.shape.name, **_track(thing.track)}
    if thing.parent:
        found["parent"] = thing.parent
    if thing.label:
        found["label"] = cleaned_line(thing.label)
    if thing.tag:
        found["tag"] = thing.tag
    if thing.colours:
        found["colours"] = dict(thing.colours)
    if thing.shown_ms is not None:
        found["shown_ms"] = [list(span) for span in thing.shown_ms]
    if thing.copies_mm is not None:
        found["copies"] = _poses(thing.copies_mm)
    return found


def _track(track: SceneTrack) -> dict[str, Any]:
    thin = track.thinned()
    if len(thin.times_ms) == 1:
        return _poses(thin.poses)
    return {"ms": thin.times_ms.tolist(), **_poses(thin.poses)}


def _poses(poses: Array) -> dict[str, list[int]]:
    """Return places and turns in steps; turns that are all none are left out."""
    found = {"at": _whole(poses[:, :3], STEP_MM)}
    turns = _whole(poses[:, 3:], TURN_STEP)
    if any(part for number, part in enumerate(turns) if number % 4 < 3):
        found["turn"] = turns
    return found


def _chances(chances: Chances) -> dict[str, Any]:
    lines = [{**_row(one), "colour": hex_of(one.colour)} for one in chances.lines]
    return {
        "ms": list(chances.times_ms),
        "lines": lines,
        "signs": [_row(one) for one in chances.signs],
    }


_KEYS = {"at_ms": "ms", "times_ms": "ms", "places_mm": "at"}
"""Field -> its key in a document, where that is not the field without its unit of length."""


def _row(
    value: Event | SceneMark | Viewpoint | Gauge | Ruler | ChanceLine | ChanceSign,
) -> dict[str, Any]:
    """Return a value by its fields: lengths in steps, angles to a hundredth of a degree."""
    return {
        _KEYS.get(one.name, one.name.removesuffix("_mm")): _plain(
            one.name, getattr(value, one.name)
        )
        for one in fields(value)
    }


def _plain(name: str, value: Any) -> Any:
    if name.endswith("_mm"):
        steps = _whole(value, STEP_MM)
        return steps[0] if isinstance(value, float) else steps
    if name.endswith("_deg"):
        return round(value, 2)
    if isinstance(value, tuple):
        return [round(one, 3) if isinstance(one, float) else _plain("", one) for one in value]
    if isinstance(value, str):
        return cleaned_line(value)
    return value.value if isinstance(value, Sign) else value


def _whole(values: npt.ArrayLike, step: float) -> list[int]:
    steps = np.rint(np.asarray(values, dtype=float) / step).astype(np.int64)
    found: list[int] = steps.ravel().tolist()
    return found


_STATIC = files("brickphys.view") / "static"
_FIELD = re.compile("@([a-z]+)@")
_IMPORT = re.compile(r"""((?:from|import)\s*)(["'])\./([\w.]+)\2""")
"""The import of a file beside it, which has no address in a page on disk."""
_ADDONS = {"three/addons/controls/OrbitControls.js": "OrbitControls.js"}


def page(recording: SceneRecording) -> str:
    """Return the HTML of a page that plays a recording; all names and texts in it are escaped."""
    texts = {
        "title": escape(cleaned_line(recording.title)),
        "about": escape(cleaned_line(recording.about)),
        "style": "".join(_text("player", f"{name}.css") for name in ("tokens", "player", "page")),
        "story": "".join(_story(recording)),
        "modules": _script(json.dumps({"imports": modules()})),
        "recording": _script(text_of(recording)),
        "licence": _text("three", "LICENSE").replace("--", "- -"),
    }
    template = shipped_text(files("brickphys.view") / "page.html")
    return _FIELD.sub(lambda found: texts[found[1]], template)


def write_page(recording: SceneRecording, path: Path | str, *, force: bool = False) -> Path:
    """Write the page of a recording, whole or not at all; see `page` and `brickphys.files.write_whole`."""
    return write_whole(page(recording), path, force=force)


@lru_cache
def modules() -> dict[str, str]:
    """Return the address of each JavaScript module by the name under which the others import it, its code within."""
    own = {
        f"player/{name}": _text("player", name) for name in _names("player") if name.endswith(".js")
    }
    three = {
        "three": _text("three", "three.module.min.js"),
        "three/three.core.min.js": _text("three", "three.core.min.js"),
        **{name: _text("three", file) for name, file in _ADDONS.items()},
    }
    return {name: _address(name, text) for name, text in {**own, **three}.items()}


def _address(name: str, text: str) -> str:
    folder = name.partition("/")[0]
    code = _IMPORT.sub(rf"\1\2{folder}/\3\2", text)
    return f"data:text/javascript;base64,{base64.b64encode(code.encode()).decode()}"


def _names(folder: str) -> list[str]:
    return sorted(entry.name for entry in (_STATIC / folder).iterdir())


def _text(folder: str, name: str) -> str:
    return shipped_text(_STATIC / folder / name)


def _script(text: str) -> str:
    """Return JSON as it can stand in a script element: nothing in it ends that, or begins a comment."""
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _story(recording: SceneRecording) -> Iterator[str]:
    """Yield the story as HTML: a heading and a list for each round."""
    for heading, events in groupby(recording.events, lambda event: event.heading):
        if heading:
            yield f"<h2>{escape(cleaned_line(heading))}</h2>\n"
        yield "<ol>\n"
        yield from (
            f"<li>{escape(cleaned_line(event.text))}</li>\n" for event in events if event.text
        )
        yield "</ol>\n"
