"""Own things: bodies and tables that a visitor of the throw lab has defined; they are those of one page."""

import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Literal

from nicegui import ui
from pydantic import Base64Bytes, BaseModel

from brickphys.errors import InvalidValueError
from brickphys.reading import MOST_BYTES
from brickphys.shapes.body_file import BodyFile, is_body_file, parse_body_file
from brickphys.shapes.catalogue import parse_shape
from brickphys.shapes.mesh import MESH_FILES
from brickphys.text import cleaned_line, shown
from brickphys.throws.surfaces import SURFACES, Surface, parse_surface
from brickphys.view.app.browser_files import OpenedFile, open_button
from brickphys.view.app.jobs import quick
from brickphys.view.app.status_line import StatusLine

_MOST = 20
_MOST_KEPT_LETTERS = 300_000
"""A browser gives back no more than 1 MB at once."""
_BODY = """name = "jeep"
source = "the jeep of this program; its edge radius is supposed"
model = "jeep"
edge_radius_mm = [0.1, 0.3]
scores = ["wheels"]

[poses]
wheels = [[0, 0, -1]]
"""
_SURFACE = """name = "felt"
friction = [0.5, 0.8]
restitution = [0.1, 0.3]
source = "supposed"
"""


class _Definition(BaseModel):
    """A definition as it is kept."""

    kind: Literal["body", "surface"]
    text: str
    files: dict[str, Base64Bytes]


@dataclass
class OwnThings:
    """What a visitor has defined, by its name.

    Attributes
    ----------
    bodies, surfaces
        Name -> the body; name -> the surface, and name and SHA-256 of its file.
    lines
        Kind and name -> the definition with its files as a line of text, from which `add_line` reads it again.
    """

    bodies: dict[str, BodyFile] = field(default_factory=dict)
    surfaces: dict[str, tuple[Surface, dict[str, str]]] = field(default_factory=dict)
    lines: dict[tuple[str, str], str] = field(default_factory=dict)

    def body(self, name: str) -> str | BodyFile:
        """Return the body of a name: an own one, or a shape. No file is ever opened.

        Raises
        ------
        InvalidValueError
            If there is none.
        """
        if name in self.bodies:
            return self.bodies[name]
        if is_body_file(name):
            raise InvalidValueError(f"{shown(name)}: open the body file under 'A body of your own'")
        return parse_shape(name).name

    def surface(self, name: str) -> tuple[Surface, dict[str, str]]:
        """Return the surface of a name: an own one, or one that ships."""
        return self.surfaces[name] if name in self.surfaces else (SURFACES[name], {})

    def add_body(self, text: str, files: dict[str, bytes]) -> str:
        """Read the definition of a body, and return its name; the files that it may name were opened, too.

        Raises
        ------
        InvalidValueError
            As `parse_body_file`, and if there are too many bodies.
        """

        def read(name: str, most: int) -> bytes:
            if name not in files or len(files[name]) > most:
                raise InvalidValueError(
                    f"{shown(name)}: open this file together with the body file"
                )
            return files[name]

        found = parse_body_file(_bounded(text), "body.toml", read)
        _check_room(self.bodies, found.name)
        found.body()
        self.bodies[found.name] = found
        self.lines["body", found.name] = _line("body", text, files)
        return found.name

    def add_surface(self, text: str, files: dict[str, bytes]) -> str:
        """Read the definition of a surface, and return its name; InvalidValueError as `parse_surface`."""
        content = _bounded(text)
        found = parse_surface(text, "surface.toml")
        _check_room(self.surfaces, found.name)
        digest = {"surface.toml": sha256(content).hexdigest()}
        self.surfaces[found.name] = found, digest
        self.lines["surface", found.name] = _line("surface", text, {})
        return found.name

    def add_line(self, line: str) -> tuple[str, str]:
        """Read a definition from its line, and return its kind and its name.

        Raises
        ------
        ValueError
            If it is no such line, or as `add_body` and `add_surface`.
        """
        kept = _Definition.model_validate_json(line)
        add = self.add_body if kept.kind == "body" else self.add_surface
        return kept.kind, add(kept.text, kept.files)

    def kept_lines(self) -> list[str]:
        """Return the lines that a tab keeps: those that are not too long together."""
        lines, left = list[str](), _MOST_KEPT_LETTERS
        for line in list(self.lines.values()):
            if len(line) <= left:
                lines.append(line)
                left -= len(line)
        return lines


def _line(kind: str, text: str, files: Mapping[str, bytes]) -> str:
    encoded = {name: b64encode(content).decode() for name, content in files.items()}
    return json.dumps({"kind": kind, "text": text, "files": encoded})


def _bounded(text: str) -> bytes:
    content = text.encode(errors="surrogatepass")
    if len(content) > MOST_BYTES:
        raise InvalidValueError(f"the definition has more than {MOST_BYTES / 1e6:g} MB")
    return content


def _check_room(known: Mapping[str, object], name: str) -> None:
    if name not in known and len(known) >= _MOST:
        raise InvalidValueError(f"{_MOST} are defined already; load the page again")


def own_panel(own: OwnThings, added: Callable[[str, str], object]) -> None:
    """Add the panels in which bodies and tables are defined.

    Parameters
    ----------
    own
        Takes them.
    added
        Is called with ``body`` or ``surface``, and the name.
    """
    for kind, title, example, add in (
        ("body", "A body of your own", _BODY, own.add_body),
        ("surface", "A table of your own", _SURFACE, own.add_surface),
    ):
        with ui.expansion(title).classes("w-full max-w-3xl"):
            _definition(kind, example, add, added)


def _definition(
    kind: str,
    example: str,
    add: Callable[[str, dict[str, bytes]], str],
    added: Callable[[str, str], object],
) -> None:
    """Add a field for a definition, with a button that opens its files and one that takes it."""
    files: dict[str, bytes] = {}
    text = ui.textarea(f"Definition of the {kind} (TOML)", value=example).props("outlined rows=9")
    text.classes("w-full")
    line = StatusLine()

    def opened(found: list[OpenedFile]) -> None:
        files.clear()  # so there is never more than is opened at once
        for one in found:
            if is_body_file(one.name):
                text.value = one.text
            else:
                files[one.name] = one.content
        line.tell(f"Opened: {', '.join(cleaned_line(one.name) for one in found)}.")

    async def take() -> None:
        with line.telling():
            name = await quick(add, str(text.value or ""), dict(files))
            added(kind, name)
            line.tell(f"{name} is taken.")

    with ui.row():
        endings = ",".join([".toml", *(f".{one}" for one in MESH_FILES if kind == "body")])
        open_button(f"Open files of a {kind}", endings, opened, line)
        ui.button(f"Use this {kind}", on_click=take)
