"""Sheets of BOW as the command `sheet` shows them: each as a plate with studs, and what armies cost."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from brickphys.bow.sheets.catalogue import catalogue
from brickphys.bow.sheets.cost import army_totals, cost_points, minifig_terms
from brickphys.bow.sheets.drawn_sheets import drawn_sheets
from brickphys.bow.sheets.library import Library
from brickphys.bow.sheets.plate import Plate, plate_problems
from brickphys.bow.sheets.sheet_file import read_library
from brickphys.bow.sheets.sheet_text import (
    UnitOrVehicleSheet,
    plate_of,
    sheet_document,
    sheet_text,
)
from brickphys.errors import InvalidValueError
from brickphys.files import is_there
from brickphys.rules.report.sheets import Paint, Price, SheetList

SPEED, DAMAGE = "speed", "damage"


@dataclass(frozen=True)
class PlateSheet:
    """A sheet with its plate.

    Attributes
    ----------
    sheet, library
        The sheet, and the gear and actions that it is written with.
    plate
        The sheet in studs, with marking bricks.
    """

    sheet: UnitOrVehicleSheet
    library: Library
    plate: Plate

    @property
    def name(self) -> str:
        """Its name."""
        return self.sheet.name

    @property
    def about(self) -> str:
        """What it is, in a line."""
        return self.sheet.about

    @property
    def cost_points(self) -> int:
        """What it costs (BOW A.4)."""
        return cost_points(self.sheet)

    def marked(self, marks: Mapping[str, int]) -> "PlateSheet":
        """Return the sheet with the current speed or the damage marked; InvalidValueError if one is impossible."""
        speed, damage = marks.get(SPEED, 0), marks.get(DAMAGE, 0)
        if faults := plate_problems(self.sheet, speed, damage):
            raise InvalidValueError("; ".join(faults))
        return replace(self, plate=plate_of(self.sheet, self.library, speed, damage))

    def text(self, paint: Paint) -> str:
        """Return the sheet in lines of text."""
        return sheet_text(
            self.sheet, self.library, self.plate, lambda cell: paint(cell.letter, cell.colour)
        )

    def document(self) -> dict[str, Any]:
        """Return the sheet as values of JSON."""
        return sheet_document(self.sheet, self.library, self.plate)


def sheet_list(source: str | None = None) -> SheetList:
    """Return the sheet of a name that ships, the sheets and armies of a file, or without a source all that ship."""
    library = catalogue() if source is None else _library(source)
    sheets = [PlateSheet(one, library, plate_of(one, library)) for one in library.sheets.values()]
    return SheetList(tuple(sheets), army_totals(list(library.armies.values())))


def prices(files: Mapping[str, str]) -> dict[str, Price]:
    """Return what the price of every unit that ships or is in a file is made of (BOW A.4); files have name and text."""
    units = drawn_sheets(files).library.units
    return {name: minifig_terms(sheet) for name, sheet in units.items()}


def _library(source: str) -> Library:
    if source.endswith(".toml") or (is_there(source) and Path(source).is_file()):
        return read_library(source, catalogue())
    return catalogue().only(source)
