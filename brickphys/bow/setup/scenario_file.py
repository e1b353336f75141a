"""Scenario file: a battle with its title and story as TOML, written by hand; every fault is told with its key path."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brickphys.bow.setup.form import DECOR
from brickphys.bow.setup.setup import read_setup
from brickphys.errors import InvalidValueError, ScenarioFileError, unknown
from brickphys.files import read_text

if TYPE_CHECKING:
    from brickphys.bow.setup.scenario_map import Box, Drawn
    from brickphys.bow.setup.scenario_schema import ScenarioDocument

Setup = dict[str, Any]

_FOLDER = files("brickphys.bow") / "scenarios"
_SUFFIX = ".toml"
_ON_MAP = frozenset({"units", "vehicles", "objects", DECOR})
"""What a map may lack of which signs are at fault."""


@dataclass(frozen=True)
class Scenario:
    """A battle that is told before it is played.

    Attributes
    ----------
    title, text
        What it is about.
    setup
        Where it begins, for `Bow.initial`.
    areas
        ``[x, y, width, length]`` by the names that the map gives them.
    places
        Where in the file each part of the setup is drawn, by its key path there.
    blocks
        The blocks that are drawn for vehicles, likewise.
    """

    title: str
    text: str
    setup: Setup
    areas: Mapping[str, list[int]]
    places: Mapping[str, str]
    blocks: Mapping[str, "Box"]

    def in_file(self, fault: str) -> str:
        """Return a fault of the setup with the places in the file for those in the setup."""
        path = "|".join(map(re.escape, self.places))
        return (
            re.sub(rf"(?<![.\w])(?:{path})", lambda found: self.places[found[0]], fault)
            if path
            else fault
        )


def scenario_names() -> tuple[str, ...]:
    """Return the names of the scenarios that ship; none is read."""
    names = (entry.name for entry in _FOLDER.iterdir() if entry.name.endswith(_SUFFIX))
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in names))


@lru_cache
def scenario(name: str) -> Scenario:
    """Return a scenario that ships.

    Raises
    ------
    InvalidValueError
        If there is none of that name.
    """
    if name not in scenario_names():
        raise unknown("scenario", name, scenario_names())
    text = (_FOLDER / f"{name}{_SUFFIX}").read_text(encoding="utf-8")
    return parse_scenario(text, f"{name}{_SUFFIX}")


def read_scenario(path: Path | str) -> Scenario:
    """Read a file as ``docs/scenarios.md`` describes it.

    Only the form and the drawing are looked at; what it means, `Bow.initial` and `scenario_check` find out.

    Raises
    ------
    ScenarioFileError
        If the file cannot be read, is no TOML, or has a fault; one line lists them as ``key.path: what``.
    """
    try:
        text = read_text(path)
    except InvalidValueError as error:
        raise ScenarioFileError(str(error)) from None
    return parse_scenario(text, str(path))


def parse_scenario(text: str, name: str = "scenario") -> Scenario:
    """Return the scenario in a text; `name` begins the message of an error (see `read_scenario`)."""
    from brickphys.bow.setup.scenario_map import Drawn, read_map

    document, found = _document(text, name)
    drawn = Drawn() if document.map is None else read_map(document.map, document.legend)
    lacks = _ON_MAP if found else frozenset()
    found += drawn.faults or _faults(document, drawn, lacks)
    places, setup = dict(_places(document, drawn)), _setup(document, drawn)
    read = Scenario(document.title, document.text, setup, drawn.areas, places, drawn.blocks)
    if found:
        battle = () if drawn.faults else read_setup(setup, lacks).faults
        told = {_place(fault) for fault in found}
        more = [read.in_file(fault) for fault in battle if _place(fault) not in told]
        raise ScenarioFileError(f"{name}: {'; '.join([*found, *more])}")
    return read


def _place(fault: str) -> str:
    return fault.partition(": ")[0]


def format_scenario(scenario: Scenario) -> str:
    """Write a scenario as TOML without a drawing: it reads back as the same setup."""
    import tomli_w

    head = {"title": scenario.title, "text": scenario.text}
    return tomli_w.dumps({**head, **scenario.setup}, multiline_strings=True)


def _document(text: str, name: str) -> tuple["ScenarioDocument", list[str]]:
    """Return what has the right form, and the faults of the rest; signs with a fault are bare ground."""
    from pydantic import ValidationError

    from brickphys.bow.setup.scenario_schema import ScenarioDocument, SignDocument
    from brickphys.schema import faults, read_part, sound

    try:
        raw = tomllib.loads(text)
        return ScenarioDocument.model_validate(raw), []
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ScenarioFileError(f"{name}: not TOML: {error}") from None
    except ValidationError as error:
        found = faults(error, ScenarioDocument)
    legend = raw.get("legend")
    signs = legend.items() if isinstance(legend, dict) else ()
    mended = {sign: read_part(SignDocument, entry) or SignDocument() for sign, entry in signs}
    whole = sound(ScenarioDocument, {**raw, "legend": {}}) | {"legend": mended}
    if not {*whole, "title", "text"} >= ScenarioDocument.model_fields.keys():
        raise ScenarioFileError(f"{name}: {'; '.join(found)}")
    return ScenarioDocument(**{"title": "untitled", **whole}), found


def _faults(document: "ScenarioDocument", drawn: "Drawn", lacks: Set[str]) -> Iterator[str]:
    """Yield what is wrong between the parts of a file, of whose map something may be left out."""
    if document.map is None:
        yield from (f"legend.{sign}: there is no map" for sign in document.legend)
    else:
        yield from (
            f"field.{key}: is drawn on the map"
            for key in ("width", "length", "ground")
            if key in document.field
        )
    for index, aim in enumerate(document.aims):
        area = aim.get("area")
        if isinstance(area, str) and area not in drawn.areas and not lacks:
            yield f"aims[{index}].area: {unknown('area', area, drawn.areas)}"
    for index, vehicle in enumerate(document.vehicles):
        yield from _crew_faults(f"vehicles[{index}]", vehicle)


def _crew_faults(place: str, vehicle: Mapping[str, Any]) -> Iterator[str]:
    from pydantic import ValidationError

    from brickphys.bow.setup.scenario_schema import VehicleCrew
    from brickphys.schema import faults

    try:
        VehicleCrew.model_validate({"crew": vehicle.get("crew", {})})
    except ValidationError as error:
        yield from (f"{place}.{fault}" for fault in faults(error, VehicleCrew))


def _places(document: "ScenarioDocument", drawn: "Drawn") -> Iterator[tuple[str, str]]:
    """Yield, for each part of the setup, its key path there and in the file."""
    decor = {f"field.{path}": place for path, place in drawn.places.items() if path[0] == "d"}
    yield from {**drawn.places, **decor}.items()
    written = (
        ("units", drawn.units, document.units),
        ("vehicles", drawn.vehicles, document.vehicles),
        ("objects", drawn.objects, document.objects),
        ("decor", drawn.field.get("decor", []), _written_decor(document)),
    )
    for kind, before, entries in written:
        for index in range(len(entries) if before else 0):
            path, place = f"{kind}[{len(before) + index}]", f"{kind}[{index}]"
            yield path, place if kind != "decor" else f"field.{place}"
            if kind == "decor":
                yield f"field.{path}", f"field.{place}"
    seats = [
        (number, seat)
        for number, one in enumerate(_vehicles(document, drawn))
        for seat in _seated(one)
    ]
    first = len(drawn.units) + len(document.units)
    for index, (number, seat) in enumerate(seats, start=first):
        place = drawn.places.get(f"vehicles[{number}]", f"vehicles[{number - len(drawn.vehicles)}]")
        yield f"units[{index}]", f"{place}.crew.{seat}"


def _vehicles(document: "ScenarioDocument", drawn: "Drawn") -> list[dict[str, Any]]:
    return [*drawn.vehicles, *document.vehicles]


def _written_decor(document: "ScenarioDocument") -> list[Any]:
    decor = document.field.get("decor", [])
    return decor if isinstance(decor, list) else []


def _setup(document: "ScenarioDocument", drawn: "Drawn") -> Setup:
    """Return the setup: what is drawn, then what is written."""
    field = {**document.field, **drawn.field}
    decor = [*drawn.field.get("decor", []), *_written_decor(document)]
    # what is no list is refused with the form of the setup
    field["decor"] = (
        decor if isinstance(document.field.get("decor", []), list) else document.field["decor"]
    )
    vehicles = _vehicles(document, drawn)
    given = {
        "players": document.players,
        "field": field,
        "units": [*drawn.units, *document.units, *_crew(vehicles)],
        "vehicles": [{k: v for k, v in one.items() if k != "crew"} for one in vehicles],
        "objects": [*drawn.objects, *document.objects],
        "open": [*drawn.open, *document.open],
        "actions": document.actions,
        "aims": [_aim(aim, drawn) for aim in document.aims],
        "options": document.options,
        "library": document.library,
    }
    return {key: part for key, part in given.items() if part}


def _aim(aim: dict[str, Any], drawn: "Drawn") -> dict[str, Any]:
    area = aim.get("area")
    if not isinstance(area, str):
        return aim
    rest = {key: value for key, value in aim.items() if key != "area"}
    return {**rest, "area": drawn.areas[area]} if area in drawn.areas else rest


def _crew(vehicles: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield who sits in each vehicle, named after it and the seat."""
    for vehicle in vehicles:
        for seat, sheet in _seated(vehicle).items():
            name, player = vehicle.get("id"), vehicle.get("player")
            yield {
                "id": f"{name}_{seat}",
                "sheet": sheet,
                "player": player,
                "vehicle": name,
                "seat": seat,
            }


def _seated(vehicle: Mapping[str, Any]) -> dict[str, str]:
    """Return the sheets of a crew by seat, as far as they are names."""
    crew = vehicle.get("crew")
    seats = crew.items() if isinstance(crew, dict) else ()
    return {seat: sheet for seat, sheet in seats if isinstance(sheet, str)}
