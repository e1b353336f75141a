"""Throw fields: what is thrown in the throw lab, as a value and as fields; bodies and surfaces of a visitor's own."""

import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Literal

from nicegui import ui
from pydantic import Base64Bytes, BaseModel, TypeAdapter

from brickphys.calibration.calibrate import law_of_throws
from brickphys.calibration.throw import Throws, cell_of
from brickphys.calibration.throwers import Tally, ThrowCell, sides_difference
from brickphys.errors import InvalidValueError
from brickphys.odds.law import Law
from brickphys.reading import MOST_BYTES
from brickphys.seeds import MAX_ROOT
from brickphys.shapes.body_file import BodyFile, is_body_file, parse_body_file
from brickphys.shapes.catalogue import SHAPE_EXAMPLES, parse_shape
from brickphys.shapes.mesh import MESH_FILES
from brickphys.text import cleaned_line, percent, shown, signed
from brickphys.throws.conditions import PRESETS, SURFACES, Surface, parse_surface
from brickphys.throws.release import FLOORS
from brickphys.view.app.elements import StatusLine, UncorrectedNumber, titled, whole_number
from brickphys.view.app.files import OpenedFile, TabStorage, open_button
from brickphys.view.app.jobs import quick


@dataclass(frozen=True)
class LabThrow:
    """A throw of the lab on one table."""

    cell: ThrowCell
    """What its throws have in common."""
    seed: int
    surface: Surface
    """The material of the table."""
    files: Mapping[str, str]
    """Name and SHA-256 of the file of the surface, if it is of one."""

    @property
    def table(self) -> str:
        """The name of the table for people."""
        floor, contact, usual = self.cell.floor.name, self.cell.contact, self.surface.nominal
        words = self.surface.name if floor == "plane" else f"{self.surface.name} {floor}"
        if contact.friction != usual.friction:
            words += f", friction {contact.friction:g}"
        if contact.restitution != usual.restitution:
            words += f", restitution {contact.restitution:g}"
        return words

    def result(self, tally: Tally, asked: int) -> Throws:
        """Return counts as the result of `brickphys.throw`."""
        return Throws(self.cell, self.surface.name, tally, self.seed, asked, seconds=0.0)

    def law(self, throws: Throws) -> Law:
        """Return the law of its throws; InvalidValueError if they make none."""
        return law_of_throws(throws, self.surface, self.files)


def difference_text(one: Throws, other: Throws, names: tuple[str, str]) -> str:
    """Return how much more often bodies score on the first of two tables than on the second; empty if none scores."""
    if not one.scoring:
        return ""
    more, (low, high) = sides_difference(one.tally, other.tally)
    text = (
        f"{names[0]} minus {names[1]}: {_points(more)} percentage points "
        f"(95 % interval {_points(low)} to {_points(high)})"
    )
    if low <= 0 <= high:
        return f"{text}: so many throws show no difference."
    first, second = (percent(throws.p_side or 0.0) for throws in (one, other))
    return f"{text}: the tables differ, {first} and {second}."


def _points(difference: float) -> str:
    return signed(100 * difference, 1)


_MOST_OWN = 20
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
    """What a visitor has defined, by its name."""

    bodies: dict[str, BodyFile] = field(default_factory=dict)
    surfaces: dict[str, tuple[Surface, dict[str, str]]] = field(default_factory=dict)
    """Name -> the surface, and name and SHA-256 of its file."""
    lines: dict[tuple[str, str], str] = field(default_factory=dict)
    """Kind and name -> the definition with its files as a line of text, which `add_line` reads."""

    def body(self, name: str) -> str | BodyFile:
        """Return the body of a name: an own one, or a shape; InvalidValueError if there is none. It opens no file."""
        if name in self.bodies:
            return self.bodies[name]
        if is_body_file(name):
            raise InvalidValueError(f"{shown(name)}: open the body file under 'A body of your own'")
        return parse_shape(name).name

    def surface(self, name: str) -> tuple[Surface, dict[str, str]]:
        """Return the surface of a name: an own one, or one that ships."""
        return self.surfaces[name] if name in self.surfaces else (SURFACES[name], {})

    def add(self, kind: str, text: str, files: Mapping[str, bytes]) -> str:
        """Read the definition of a ``body`` or ``surface``, and return its name; files that it names were opened, too.

        InvalidValueError as `parse_body_file` and `parse_surface`, and if there are too many.
        """
        content = text.encode(errors="surrogatepass")
        if len(content) > MOST_BYTES:
            raise InvalidValueError(f"the definition has more than {MOST_BYTES / 1e6:g} MB")

        def read(name: str, most: int) -> bytes:
            if name not in files or len(files[name]) > most:
                reason = "open this file together with the body file"
                raise InvalidValueError(f"{shown(name)}: {reason}")
            return files[name]

        if kind == "body":
            body = parse_body_file(content, "body.toml", read)
            _check_room(self.bodies, body.name)
            body.body()
            name, self.bodies[body.name] = body.name, body
        else:
            surface = parse_surface(text, "surface.toml")
            _check_room(self.surfaces, surface.name)
            digest = {"surface.toml": sha256(content).hexdigest()}
            name, self.surfaces[surface.name] = surface.name, (surface, digest)
        encoded = {name: b64encode(content).decode() for name, content in files.items()}
        self.lines[kind, name] = json.dumps({"kind": kind, "text": text, "files": encoded})
        return name

    def add_line(self, line: str) -> tuple[str, str]:
        """Read a definition from its line, and return its kind and name; ValueError if the line is faulty."""
        kept = _Definition.model_validate_json(line)
        return kept.kind, self.add(kept.kind, kept.text, kept.files)

    def kept_lines(self) -> list[str]:
        """Return the lines that a tab keeps: those that are not too long together."""
        lines, left = list[str](), _MOST_KEPT_LETTERS
        for line in list(self.lines.values()):
            if len(line) <= left:
                lines.append(line)
                left -= len(line)
        return lines


def _check_room(known: Mapping[str, object], name: str) -> None:
    if name not in known and len(known) >= _MOST_OWN:
        raise InvalidValueError(f"{_MOST_OWN} are defined already; load the page again")


def own_panel(own: OwnThings, added: Callable[[str, str], object]) -> None:
    """Add the panels in which bodies and tables are defined; `added` hears of the kind and the name of each."""
    for kind, title, example in (
        ("body", "A body of your own", _BODY),
        ("surface", "A table of your own", _SURFACE),
    ):
        with ui.expansion(title).classes("w-full"):
            _definition(own, kind, example, added)


def _definition(
    own: OwnThings, kind: str, example: str, added: Callable[[str, str], object]
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
        with line.reporting_faults():
            name = await quick(own.add, kind, str(text.value or ""), dict(files))
            added(kind, name)
            line.tell(f"{name} is taken.")

    with ui.row():
        endings = ",".join([".toml", *(f".{one}" for one in MESH_FILES if kind == "body")])
        open_button(f"Open files of a {kind}", endings, opened, line)
        ui.button(f"Use this {kind}", on_click=take)


MOST_BRICKS = 12
_KEPT = TypeAdapter(list[bool | int | float | str | None])
"""Values of all fields, in order."""


class TableFields:
    """Floor, surface, friction and restitution of one table."""

    def __init__(self, own: OwnThings, title: str, surface: str, which: str = "") -> None:
        self._own = own
        with titled(title).classes("brickphys-fields") as self.row:
            self._floor = ui.select(list(FLOORS), value="plane", label=_label(which, "floor"))
            self.surface = ui.select(list(SURFACES), value=surface, label=_label(which, "surface"))
            self._friction = _coefficient(_label(which, "friction"), 5.0)
            self._restitution = _coefficient(_label(which, "restitution"), 1.0)
        self.elements: list[Any] = [self._floor, self.surface, self._friction, self._restitution]

    def throw(self, shape: str | BodyFile, preset: str, bricks: int, seed: int) -> LabThrow:
        """Return a throw on the table; InvalidValueError if it is impossible."""
        surface, files = self._own.surface(str(self.surface.value))
        contact = {"friction": self._friction.value, "restitution": self._restitution.value}
        floor = str(self._floor.value)
        cell = cell_of(shape, None, preset, surface, bricks, floor, **contact)
        return LabThrow(cell, seed, surface, files)


class ThrowFields:
    """All that is asked of a throw."""

    def __init__(self) -> None:
        self._own = OwnThings()
        with titled("Throw").classes("brickphys-fields"):
            self._shape = ui.select(
                list(SHAPE_EXAMPLES), value="2x2", label="Body", new_value_mode="add-unique"
            )
            self._shape.props('hint="or a shape such as 2x3, d6:12"')
            self._preset = ui.select(list(PRESETS), value="hand", label="Throw")
            self._bricks = UncorrectedNumber("Together", value=1, min=1, max=MOST_BRICKS, step=1)
            self._seed = UncorrectedNumber("Seed", value=1, min=0, step=1)
            self._seed.props('hint="an old seed repeats its throw; each throw takes the next one"')
        self._tables = [TableFields(self._own, "Table", "wood")]
        self._has_two = ui.checkbox("Beside a second table")
        self._tables.append(TableFields(self._own, "Second table", "glass", "second"))
        self._tables[1].row.bind_visibility_from(self._has_two, "value")
        own_panel(self._own, self._added)
        tables = (one for table in self._tables for one in table.elements)
        self._elements = self._shape, self._preset, self._bricks, self._seed, self._has_two, *tables
        self._storage = TabStorage("brickphys-throw")
        ui.timer(0, self._go_on, once=True)

    async def _go_on(self) -> None:
        """Take what the tab has kept from before the page was loaded again; from now on keep each change."""
        *lines, values = (await self._storage.kept()).split("\n")
        for line in lines:
            with suppress(ValueError):
                self._offer(*await quick(self._own.add_line, line))
        with suppress(ValueError):
            self._take(_KEPT.validate_json(values))
        for element in self._elements:
            element.on_value_change(self._keep)

    def _take(self, values: list[bool | int | float | str | None]) -> None:
        """Show the values of all fields but those that a field cannot have; ValueError if their number is another."""
        pairs = list(zip(self._elements, values, strict=True))
        if isinstance(shape := values[0], str):
            with suppress(ValueError):
                self._own.body(shape)
                self._offer("body", shape)
        for element, value in pairs:
            if _fits(element, value):
                element.set_value(value)

    def _keep(self) -> None:
        values = json.dumps([one.value for one in self._elements])
        self._storage.keep("\n".join([*self._own.kept_lines(), values]))

    def throws(self) -> list[LabThrow]:
        """Return the throw on each table; InvalidValueError if one is impossible, or both are the same."""
        shape, preset = self._own.body(str(self._shape.value or "")), str(self._preset.value)
        bricks = whole_number(self._bricks, 1, MOST_BRICKS)
        seed = whole_number(self._seed, 0, MAX_ROOT - 1)
        tables = self._tables[: 2 if self._has_two.value else 1]
        first, *others = [one.throw(shape, preset, bricks, seed) for one in tables]
        if first in others:
            raise InvalidValueError("the second table is the same as the first one")
        return [first, *others]

    def move_on(self) -> None:
        """Take the next seed: the next throw is another one."""
        self._seed.value = (whole_number(self._seed, 0, MAX_ROOT - 1) + 1) % MAX_ROOT

    def _added(self, kind: str, name: str) -> None:
        self._offer(kind, name)
        self._keep()

    def _offer(self, kind: str, name: str) -> None:
        chosen = self._shape if kind == "body" else self._tables[0].surface
        for select in [chosen] if kind == "body" else [one.surface for one in self._tables]:
            if name not in select.options:
                select.set_options([*select.options, name])
        chosen.set_value(name)


def _label(which: str, what: str) -> str:
    return f"{which} {what}".strip().capitalize()


def _fits(element: Any, value: object) -> bool:
    if isinstance(element, ui.select):
        return value in element.options
    if isinstance(element, ui.checkbox):
        return isinstance(value, bool)
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _coefficient(label: str, most: float) -> ui.number:
    number = UncorrectedNumber(label, min=0, max=most, step=0.05, placeholder="usual")
    return number.props("clearable stack-label").classes("w-36")
