"""Scenario file: a battle with its title and story as TOML, written by hand; every fault is told with its key path."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brickphys.errors import InvalidValueError, ScenarioFileError, unknown
from brickphys.files import read_text

if TYPE_CHECKING:
    from brickphys.bow.scenario_map import Drawn
    from brickphys.bow.scenario_schema import ScenarioDocument

Setup = dict[str, Any]

_FOLDER = files("brickphys.bow") / "scenarios"
_SUFFIX = ".toml"


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
    """

    title: str
    text: str
    setup: Setup
    areas: Mapping[str, list[int]]
    places: Mapping[str, str]

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
    from brickphys.bow.scenario_map import Drawn, read_map

    document = _document(text, name)
    drawn = Drawn() if document.map is None else read_map(document.map, document.legend)
    found = [*drawn.faults, *_faults(document, drawn)]
    if found:
        raise ScenarioFileError(f"{name}: {'; '.join(found)}")
    places = dict(_places(document, drawn))
    return Scenario(document.title, document.text, _setup(document, drawn), drawn.areas, places)


def format_scenario(scenario: Scenario) -> str:
    """Write a scenario as TOML without a drawing: it reads back as the same setup."""
    import tomli_w

    head = {"title": scenario.title, "text": scenario.text}
    return tomli_w.dumps({**head, **scenario.setup}, multiline_strings=True)


def _document(text: str, name: str) -> "ScenarioDocument":
    from pydantic import ValidationError

    from brickphys.bow.scenario_schema import ScenarioDocument
    from brickphys.schema import faults

    try:
        return ScenarioDocument.model_validate(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ScenarioFileError(f"{name}: not TOML: {error}") from None
    except ValidationError as error:
        found = "; ".join(faults(error, ScenarioDocument))
        raise ScenarioFileError(f"{name}: {found}") from None


def _faults(document: "ScenarioDocument", drawn: "Drawn") -> Iterator[str]:
    """Yield what is wrong between the parts of a file."""
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
        if isinstance(area, str) and area not in drawn.areas and not drawn.faults:
            yield f"aims[{index}].area: {unknown('area', area, drawn.areas)}"
    for index, vehicle in enumerate(document.vehicles):
        yield from _crew_faults(f"vehicles[{index}]", vehicle)


def _crew_faults(place: str, vehicle: Mapping[str, Any]) -> Iterator[str]:
    from pydantic import ValidationError

    from brickphys.bow.scenario_schema import VehicleCrew
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
        ("decor", drawn.field.get("decor", []), document.field.get("decor", [])),
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
        for seat in one.get("crew", {})
    ]
    first = len(drawn.units) + len(document.units)
    for index, (number, seat) in enumerate(seats, start=first):
        place = drawn.places.get(f"vehicles[{number}]", f"vehicles[{number - len(drawn.vehicles)}]")
        yield f"units[{index}]", f"{place}.crew.{seat}"


def _vehicles(document: "ScenarioDocument", drawn: "Drawn") -> list[dict[str, Any]]:
    return [*drawn.vehicles, *document.vehicles]


def _setup(document: "ScenarioDocument", drawn: "Drawn") -> Setup:
    """Return the setup: what is drawn, then what is written."""
    field = {**document.field, **drawn.field}
    field["decor"] = [*drawn.field.get("decor", []), *document.field.get("decor", [])]
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
    return {**aim, "area": drawn.areas[area]} if isinstance(area, str) else aim


def _crew(vehicles: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield who sits in each vehicle, named after it and the seat."""
    for vehicle in vehicles:
        for seat, sheet in vehicle.get("crew", {}).items():
            name, player = vehicle.get("id"), vehicle.get("player")
            yield {
                "id": f"{name}_{seat}",
                "sheet": sheet,
                "player": player,
                "vehicle": name,
                "seat": seat,
            }
