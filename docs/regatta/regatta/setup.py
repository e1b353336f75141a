"""Setup: the sheets of boats, scenario files, and what is wrong with a setup."""

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from brickphys.errors import refuse, unknown
from brickphys.rules.report.sheets import PlainSheet
from brickphys.rules.scenario import ShippedScenarios
from brickphys.rules.scenario_file import ScenarioFormat, parse_scenario
from brickphys.rules.schema import DrawnKind, ScenarioDocument, Shape, SignDocument
from brickphys.schema import Name, Strict, validated

Number = Annotated[int, Field(ge=0, le=60)]


@dataclass(frozen=True)
class Sheet(PlainSheet):
    bricks: int


_TABLES = tomllib.loads((files("regatta") / "sheets.toml").read_text(encoding="utf-8"))
SHEETS = {name: Sheet(name, **table) for name, table in _TABLES.items()}


class BoatDocument(Strict):
    id: Name
    sheet: str
    x: Number
    y: Number


class SetupDocument(Strict):
    field: dict[Literal["width", "length"], Number]
    boats: Annotated[list[BoatDocument], Field(min_length=2, max_length=6)]
    rounds: Annotated[int, Field(ge=1, le=100)]


class Sign(SignDocument):
    things: ClassVar = {"boat": DrawnKind(Shape.SQUARE, frozenset({"id"}))}
    boat: str | None = None


class RegattaDocument(ScenarioDocument[Sign]):
    field: dict[str, int] = Field(default_factory=dict)
    boats: list[BoatDocument] = Field(default_factory=list)
    rounds: int


class RegattaFormat(ScenarioFormat[Sign]):
    document = RegattaDocument
    usual: ClassVar = {".": Sign()}

    def entries(self, thing):
        place = {"x": thing.rectangle.x, "y": thing.rectangle.y}
        yield "boats", {"id": thing.name, "sheet": thing.sign.boat, **place}


SCENARIOS = ShippedScenarios("regatta", lambda *file: parse_scenario(*file, RegattaFormat()))


def read(setup):
    """Return the document of a setup; InvalidValueError names every fault."""
    document, faults = validated(SetupDocument, setup, "setup"), []
    for index, boat in enumerate(document.boats):
        if boat.sheet not in SHEETS:
            faults.append(f"boats[{index}].sheet: {unknown('sheet', boat.sheet, SHEETS)}")
        if boat.x >= document.field["width"] - 1 or boat.y >= document.field["length"]:
            faults.append(f"boats[{index}]: {boat.x},{boat.y} is not on the water")
    if len({boat.id for boat in document.boats}) < len(document.boats):
        faults.append("boats: two have one id")
    refuse("setup", faults)
    return document
