"""Page: a scene recording as one HTML file that needs nothing else: no network, no server."""

import base64
import json
import re
from collections.abc import Iterator
from functools import lru_cache
from html import escape
from importlib.resources import files
from itertools import groupby
from pathlib import Path

from brickphys.files import write_whole
from brickphys.reading import shipped_text
from brickphys.text import cleaned_line
from brickphys.view.document import text_of
from brickphys.view.recording import SceneRecording

_STATIC = files("brickphys.view") / "static"
_FIELD = re.compile("@([a-z]+)@")
_IMPORT = re.compile(r"""((?:from|import)\s*)(["'])\./([\w.]+)\2""")
"""The import of a file beside it, which has no address in a page on disk."""
_ADDONS = {"three/addons/controls/OrbitControls.js": "OrbitControls.js"}


def page(recording: SceneRecording) -> str:
    """Return the HTML of a page that plays a recording; all names and texts in it are escaped."""
    fields = {
        "title": escape(cleaned_line(recording.title)),
        "about": escape(cleaned_line(recording.about)),
        "style": _text("player", "player.css") + _text("player", "page.css"),
        "story": "".join(_story(recording)),
        "modules": _script(json.dumps({"imports": modules()})),
        "recording": _script(text_of(recording)),
        "licence": _text("three", "LICENSE").replace("--", "- -"),
    }
    template = shipped_text(files("brickphys.view") / "page.html")
    return _FIELD.sub(lambda found: fields[found[1]], template)


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
