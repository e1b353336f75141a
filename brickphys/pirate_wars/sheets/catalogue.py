"""Catalogue: the ships that ship with the game."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from brickphys.pirate_wars.sheets.damage_chart import DamageChart
from brickphys.pirate_wars.sheets.minifigs import Role, data
from brickphys.pirate_wars.sheets.ship_sheet import Gun, Place, ShipSheet, Side
from brickphys.rules.catalogue import lookup


@lru_cache
def ships() -> Mapping[str, ShipSheet]:
    """Return all ships by name, in the order of the book's chart."""
    found = data("ships")
    outline = tuple((float(x), float(y)) for x, y in found["outline"])
    return {name: _ship(name, table, outline) for name, table in found["ship"].items()}


def ship(name: str) -> ShipSheet:
    """Return a ship; InvalidValueError if there is none of that name."""
    return lookup("ship", name, ships())


def _ship(
    name: str, table: Mapping[str, Any], outline: tuple[tuple[float, float], ...]
) -> ShipSheet:
    light, below = table.get("light", ()), table.get("below", ())
    guns = tuple(
        Gun(float(ahead), float(left), float(bearing), number in light, number in below)
        for number, (ahead, left, bearing) in enumerate(table["guns"])
    )
    return ShipSheet(
        name=name,
        title=table["title"],
        side=Side(table["side"]),
        chart=DamageChart(table["hull"], table["sails"], table["sail_loss"]),
        speed_studs=table["speed"],
        length_studs=float(table["length"]),
        width_studs=float(table["width_studs"]),
        crew=table["crew"],
        extra={Role(role): count for role, count in table["extra"].items()},
        places={Place(place): count for place, count in table["places"].items()},
        guns=guns,
        outline=outline,
    )
