"""Sheet files: gear, actions, sheets and armies as TOML, written by hand; every fault is told with its key path."""

import tomllib
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from brickphys.bow.sheets.library import Library
from brickphys.bow.sheets.reader import Reading
from brickphys.errors import InvalidValueError, SheetFileError
from brickphys.files import read_text

if TYPE_CHECKING:
    from brickphys.schema import Strict


def read_library(path: Path | str, over: Library) -> Library:
    """Read a file of sheets.

    Parameters
    ----------
    path
        TOML, as ``docs/sheets.md`` describes it.
    over
        What the file may name and extend, such as the catalogue.

    Returns
    -------
    Library
        What is in the file, and its gear and actions along with those of `over`.

    Raises
    ------
    SheetFileError
        If the file cannot be read, is no TOML, or has any fault; one line lists every fault as ``key.path: what``.
    """
    try:
        text = read_text(path)
    except InvalidValueError as error:
        raise SheetFileError(str(error)) from None
    return parse_library(text, str(path), over)


def parse_library(text: str, name: str, over: Library) -> Library:
    """Return the library in a text; `name` begins the message of an error (see `read_library`)."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SheetFileError(f"{name}: not TOML: {error}") from None
    return library_of(raw, name, over)


def library_of(raw: dict[str, Any], name: str, over: Library) -> Library:
    """Return the library in the tables of a file; `name` begins the message of an error (see `read_library`)."""
    reading = Reading(over)
    found = [*_form_faults(raw), *_read(reading, raw)]
    if found:
        raise SheetFileError(f"{name}: {'; '.join(dict.fromkeys(found))}")
    return Library(**{kind: MappingProxyType(named) for kind, named in reading.named().items()})


def _form_faults(raw: dict[str, Any]) -> list[str]:
    from pydantic import ValidationError

    from brickphys.bow.sheets.schema import LibraryDocument
    from brickphys.schema import faults

    try:
        LibraryDocument.model_validate(raw)
    except ValidationError as error:
        return faults(error, LibraryDocument)
    return []


def _read(reading: Reading, raw: dict[str, Any]) -> list[str]:
    """Read every table that has the right form, and return the faults that only then show."""
    from brickphys.bow.sheets import schema
    from brickphys.schema import entries, read_part

    tables: tuple[tuple[str, type[Strict], Any], ...] = (
        ("weapon", schema.WeaponDocument, reading.add_item),
        ("armor", schema.ArmorDocument, reading.add_item),
        ("tool", schema.ToolDocument, reading.add_item),
        ("bag", schema.BagDocument, reading.add_item),
        ("vehicle_weapon", schema.VehicleWeaponDocument, reading.add_vehicle_weapon),
        ("trivial_action", schema.TrivialDocument, reading.add_action),
        ("opposed_action", schema.OpposedDocument, reading.add_action),
        ("unit", schema.UnitDocument, reading.add_unit),
        ("vehicle", schema.VehicleDocument, reading.add_vehicle),
        ("army", schema.ArmyDocument, reading.add_army),
    )
    for table, model, add in tables:
        for index, entry in enumerate(entries(raw, table)):
            document = read_part(model, entry)
            if document:
                add(f"{table}[{index}]", document)
            else:
                names = (entry.get(key) for key in ("name", "acting", "resisting"))
                reading.unreadable.update(name for name in names if isinstance(name, str))
    return reading.faults
