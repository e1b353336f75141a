"""Scenario files: TOML in the format of a game, written by hand; faults have their places."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Generic, NamedTuple

from brickphys.errors import ScenarioFileError, raised_as, refuse, unknown
from brickphys.reading import parse_toml
from brickphys.rules.scenario.map_reader import Drawing, DrawnThing, numbers, read_map
from brickphys.rules.scenario.scenario import Rectangle, Scenario
from brickphys.rules.scenario.schema import S, ScenarioDocument
from brickphys.schema import validated

_HEAD = ("title", "text", "map", "legend")
_AREA = "area"


class ListEntry(NamedTuple):
    """An entry of a list of a setup, its place in the file, and the rectangle that it takes if it is drawn."""

    place: str
    entry: Any
    rectangle: Rectangle | None = None


Lists = Mapping[str, list[ListEntry]]
"""The lists of a setup by their key paths: drawn entries, then written ones."""


class ScenarioFormat(ABC, Generic[S]):
    """The scenario files of a game: the meanings of its signs, and how its setup is put together."""

    document: type[ScenarioDocument[S]]
    """The form of a file: title, text, map and legend, then the keys of a setup in their order."""
    usual: Mapping[str, S] = {}
    """Signs that need no legend."""
    cell: ClassVar[int] = 1
    """Length of the side of a square of the map, in the unit of the setup."""
    drawn_keys: ClassVar[tuple[str, ...]] = ()
    """Keys that the map gives, so that the file must not: ``field.width``."""
    inner_lists: ClassVar[tuple[str, ...]] = ()
    """Lists of a setup that are in one of its tables: ``field.decor``."""

    def square_name(self, x: int, y: int, rows: int) -> str:
        """Return the name of a square of a map of so many rows in messages."""
        return numbers(x, y, rows)

    def tables(self, drawing: Drawing[S]) -> Mapping[str, Mapping[str, Any]]:
        """Return the keys that the whole map gives, by table; by default the size of the field."""
        size = {"width": len(drawing.rows[0]), "length": len(drawing.rows)}
        return {"field": {key: squares * self.cell for key, squares in size.items()}}

    @abstractmethod
    def entries(self, thing: DrawnThing[S]) -> Iterator[tuple[str, Any]]:
        """Yield the entries of a thing on the map, each after the key path of its list: ``field.decor``."""

    def complete(self, lists: Lists) -> Lists:
        """Return the lists as a setup has them, if a file writes them otherwise."""
        return lists


def parse_scenario(text: str, name: str, form: ScenarioFormat[S]) -> Scenario:
    """Return the scenario in a text; `name` begins the message of an error.

    Raises
    ------
    ScenarioFileError
        If the text is no TOML, or has a fault: one line lists every fault of form, or if there is none every fault of
        the drawing, as ``key.path: what``. The meaning of the setup is checked by its game.
    """
    with raised_as(ScenarioFileError):
        raw = parse_toml(text, name)
        document = validated(form.document, raw, name)
        drawing = Drawing[S]((), {}, ())
        if document.map is not None:
            signs = document.legend, form.usual
            drawing = read_map(document.map, *signs, name, form.cell, form.square_name)
        lists = _lists(raw, drawing, form)
        refuse(name, [*_faults(document, raw, form), *_area_faults(lists, drawing.areas)])
    drawn = form.tables(drawing) if document.map is not None else {}
    lists = form.complete(_with_areas(lists, drawing.areas))
    numbered = {
        f"{path}[{index}]": listed
        for path, entries in lists.items()
        for index, listed in enumerate(entries)
    }
    return Scenario(
        document.title,
        document.text,
        _setup([key for key in form.document.model_fields if key not in _HEAD], raw, drawn, lists),
        drawing.areas,
        {path: listed.place for path, listed in numbered.items() if path != listed.place},
        {path: listed.rectangle for path, listed in numbered.items() if listed.rectangle},
    )


def _lists(raw: Mapping[str, Any], drawing: Drawing[S], form: ScenarioFormat[S]) -> Lists:
    """Return every list of a setup: drawn entries, then written ones."""
    top = (key for key, value in raw.items() if isinstance(value, list))
    lists: dict[str, list[ListEntry]] = {path: [] for path in (*top, *form.inner_lists)}
    for thing in drawing.things:
        for path, entry in form.entries(thing):
            lists.setdefault(path, []).append(ListEntry(thing.place, entry, thing.rectangle))
    for path, entries in lists.items():
        table, key = _end(raw, path)
        written = enumerate(table.get(key, []))
        entries += [ListEntry(f"{path}[{index}]", entry) for index, entry in written]
    return lists


def _end(raw: Mapping[str, Any], path: str) -> tuple[Mapping[str, Any], str]:
    """Return the table in which a key path ends, an empty one if it is not there, and its last key."""
    *tables, key = path.split(".")
    for table in tables:
        raw = raw.get(table, {})
    return raw, key


def _faults(
    document: ScenarioDocument[S], raw: Mapping[str, Any], form: ScenarioFormat[S]
) -> Iterator[str]:
    """Yield signs without a map, and keys that are both written and drawn."""
    if document.map is None:
        yield from (f"legend.{sign}: there is a legend, but no map" for sign in document.legend)
        return
    for path in form.drawn_keys:
        table, key = _end(raw, path)
        if key in table:
            yield f"{path}: leave it out, since the map gives it"


def _area_faults(lists: Lists, areas: Mapping[str, Rectangle]) -> Iterator[str]:
    for listed in (listed for entries in lists.values() for listed in entries):
        name = _area_name(listed.entry)
        if name is not None and name not in areas:
            yield f"{listed.place}.{_AREA}: {unknown('area', name, areas)}"


def _area_name(entry: Any) -> str | None:
    """Return the name of the area that an entry of a list has; None if it has none, or one in numbers."""
    area = entry.get(_AREA) if isinstance(entry, dict) else None
    return area if isinstance(area, str) else None


def _with_areas(lists: Lists, areas: Mapping[str, Rectangle]) -> Lists:
    """Return the lists with rectangles for the names of areas."""

    def measured(listed: ListEntry) -> ListEntry:
        name = _area_name(listed.entry)
        if name is None:
            return listed
        rest = {key: value for key, value in listed.entry.items() if key != _AREA}
        return listed._replace(entry={**rest, _AREA: list(areas[name])})

    return {path: [measured(listed) for listed in entries] for path, entries in lists.items()}


def _setup(
    keys: Iterable[str],
    raw: Mapping[str, Any],
    drawn: Mapping[str, Mapping[str, Any]],
    lists: Lists,
) -> dict[str, Any]:
    """Return a setup, its keys in their order; empty parts are left out."""
    values = {path: [listed.entry for listed in entries] for path, entries in lists.items()}
    setup: dict[str, Any] = {}
    for key in keys:
        inner = {
            path.removeprefix(f"{key}."): value
            for path, value in values.items()
            if path.startswith(f"{key}.")
        }
        table = {**drawn.get(key, {}), **inner}
        written = {**raw.get(key, {}), **table} if table else raw.get(key)
        setup[key] = values.get(key, written)
    return {key: part for key, part in setup.items() if part not in (None, [], {})}
