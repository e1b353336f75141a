"""Catalogue: the gear, actions, units and vehicles that ship, from the files in ``bow/data``."""

from dataclasses import replace
from functools import lru_cache
from importlib.resources import files

from brickphys.bow.sheets.library import Library
from brickphys.bow.sheets.minifig_sheet import MinifigSheet
from brickphys.bow.sheets.sheet_file import parse_library
from brickphys.bow.sheets.vehicle_sheet import VehicleSheet
from brickphys.reading import shipped_text
from brickphys.rules.catalogue import lookup


@lru_cache
def catalogue() -> Library:
    """Return everything that ships."""
    return replace(_shipped("vehicles", foot()), units=foot().units)


@lru_cache
def foot() -> Library:
    """Return everything that ships except the vehicles: their models take half a second to load."""
    return _shipped("units", _shipped("actions", _shipped("gear", Library())))


def unit(name: str) -> MinifigSheet:
    """Return the sheet of a ready unit.

    Raises
    ------
    InvalidValueError
        If there is none of that name.
    """
    return lookup("unit", name, foot().units)


def vehicle(name: str) -> VehicleSheet:
    """Return the sheet of a ready vehicle.

    Raises
    ------
    InvalidValueError
        If there is none of that name.
    """
    return lookup("vehicle", name, catalogue().vehicles)


def _shipped(name: str, base: Library) -> Library:
    text = shipped_text(files("brickphys.bow") / "data" / f"{name}.toml")
    return parse_library(text, f"{name}.toml", base)
