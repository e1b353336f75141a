"""Berths: where the crew of a ship stands, by the places of the rules."""

from functools import lru_cache
from itertools import product
from math import cos, radians, sin

from brickphys.arrays import Triple
from brickphys.pirate_wars.report.plan import Box, parts
from brickphys.pirate_wars.sheets.ship_sheet import Place, ShipSheet
from brickphys.units import STUD_MM
from brickphys.view.pirate_wars.ship import CABIN_MM, DECK_MM, TOP_MM, masts_mm

_APART_STUDS = 2.0
_RAIL_STUDS = 1.6
"""Room at the rail."""


@lru_cache(maxsize=64)
def berths(sheet: ShipSheet, place: Place) -> tuple[Triple, ...]:
    """Return where minifigs stand at a place on a ship, in its frame, the best first; a gun has its own."""
    boxes = {one: [box for name, box in parts(sheet) if name is one] for one in Place}
    if place is Place.CASTLE:
        return tuple(
            (x + ahead, left, TOP_MM) for ahead, left in _ROUND_MAST for x in masts_mm(sheet)
        )
    if place is Place.CABIN:
        return tuple(_inside(boxes[place], CABIN_MM))
    if place is Place.HELM:
        return tuple((STUD_MM * rear - 8.0, 0.0, DECK_MM) for rear, *_ in boxes[place])
    if place is Place.GUN_DECK:
        return tuple(_inside(boxes[place], DECK_MM + 1.0))
    return tuple(_deck(sheet, [box for found in boxes.values() for box in found]))


_ROUND_MAST = ((-7.0, -5.0), (-7.0, 5.0), (7.0, -6.0), (7.0, 6.0), (0.0, 10.0), (0.0, -10.0))


def _inside(boxes: list[Box], height: float) -> list[Triple]:
    found = []
    for rear, front, right, left in boxes:
        for ahead, aside in product(
            _steps(rear + 1.2, front - 1.0), _steps(right + 1.2, left - 1.0)
        ):
            found.append((ahead * STUD_MM, aside * STUD_MM, height))
    return found


def _deck(sheet: ShipSheet, taken: list[Box]) -> list[Triple]:
    """Return free places on deck, from the middle of the ship outwards."""
    half = sheet.length_studs / 2
    places = (
        (ahead, aside)
        for ahead in _steps(-half + 2.0, half - 3.0)
        for room in [sheet.half_width_studs(ahead) - _RAIL_STUDS]
        for aside in _steps(-room, room)
        if not any(_covers(box, ahead, aside) for box in taken)
    )
    found = [(ahead * STUD_MM, aside * STUD_MM, DECK_MM) for ahead, aside in places]
    return sorted(found, key=lambda at: abs(at[0]) + 0.01 * at[1])


def _covers(box: Box, ahead: float, aside: float) -> bool:
    """Tell whether a part of the ship leaves no room for a figure at a place."""
    rear, front, right, left = box
    return rear - 0.6 <= ahead <= front + 0.6 and right - 0.6 <= aside <= left + 0.6


def _steps(low: float, high: float) -> list[float]:
    return [
        low + _APART_STUDS * step for step in range(max(int((high - low) / _APART_STUDS) + 1, 0))
    ]


def at_gun(muzzle_mm: Triple, bearing_deg: float, number: int) -> Triple:
    """Return where the first (0) or another one of the crew of a gun stands: behind it, on either side."""
    back, aside = 27.0, 6.0 if number % 2 == 0 else -6.0
    c, s = cos(radians(bearing_deg)), sin(radians(bearing_deg))
    x, y, _ = muzzle_mm
    return x - back * c - aside * s, y - back * s + aside * c, DECK_MM
