"""Catalogue: the gear, actions, units and vehicles that ship, from the files in ``bow/data``."""

from functools import lru_cache
from importlib.resources import files

from brickphys.bow.library import Library
from brickphys.bow.sheet import MinifigSheet
from brickphys.bow.sheet_file import parse_library
from brickphys.bow.vehicle_sheet import VehicleSheet
from brickphys.errors import unknown

_FILES = ("gear.toml", "actions.toml", "catalogue.toml")


@lru_cache
def catalogue() -> Library:
    """Return everything that ships."""
    library = Library()
    for name in _FILES:
        text = (files("brickphys.bow") / "data" / name).read_text(encoding="utf-8")
        library = parse_library(text, name, library)
    return library


def unit(name: str) -> MinifigSheet:
    """Return the sheet of a ready unit.

    Raises
    ------
    InvalidValueError
        If there is none of that name.
    """
    known = catalogue().units
    if name not in known:
        raise unknown("unit", name, known)
    return known[name]


def vehicle(name: str) -> VehicleSheet:
    """Return the sheet of a ready vehicle.

    Raises
    ------
    InvalidValueError
        If there is none of that name.
    """
    known = catalogue().vehicles
    if name not in known:
        raise unknown("vehicle", name, known)
    return known[name]
