"""Ship: hull, deck, cabin, masts and rudder by the sheet of a ship; sails and guns, which come and go.

The book has no plans of the ships: their looks are ours, and no rule depends on them.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import ceil

import numpy as np

from brickphys.arrays import Array, Triple
from brickphys.pirate_wars.report.plan import parts
from brickphys.pirate_wars.sheets.ship_sheet import Gun, Place, ShipSheet, Side
from brickphys.shapes.brick import regular_polygon
from brickphys.units import STUD_MM
from brickphys.view.recording import Shape, Surface
from brickphys.view.shapes.solids import box, merged, moved, prism, sheet, stud, walls

DECK_MM, RAIL_MM = 19.2, 28.8
"""Heights of the deck and of the rail over the water."""
CABIN_MM = DECK_MM + 28.8
TOP_MM = 108.0
"""Height of the fighting tops."""
_MAST_MM = 160.0
_STRAKE = (11.2, 16.0)
"""Heights of the strake in the colour of the player."""
OWNER = "red"
"""The colour of that strake and of the flag in the shape, which the player's replaces."""
_WOOD = {Side.PIRATE: "brown", Side.IMPERIAL: "dark_tan"}
_SAILS_A_MAST = 2
_SAIL_MM = ((52.0, 88.0), (114.0, 146.0))
"""Heights of the lower and of the upper sail."""
_BARREL_MM, _GUN_MM = 20.0, 7.0
"""Length of a barrel, and its height over the deck."""


@lru_cache(maxsize=64)
def ship(sheet_: ShipSheet) -> Shape:
    """Return a ship without its sails and guns; its origin is in the middle of its length, on the water."""
    hull = sheet_.hull.vertices_studs * STUD_MM
    wood = _WOOD[sheet_.side]
    surfaces = [*_hull(hull, wood), *_works(sheet_, wood)]
    for x in masts_mm(sheet_):
        surfaces += _mast(x, sheet_.room(Place.CASTLE) > 0)
    length = sheet_.length_studs * STUD_MM
    surfaces.append(box((-length / 2 - 7.0, -1.5, 0.0), (-length / 2, 1.5, DECK_MM), "brown"))
    surfaces.append(_bowsprit(length))
    surfaces.append(_flag(max(masts_mm(sheet_))))
    return Shape(f"ship {sheet_.name}", merged(surfaces))


def _hull(hull: Array, wood: str) -> Iterator[Surface]:
    """Yield the hull, wider upwards, with its strake, its deck and the rail around it."""
    low, high = _STRAKE
    yield prism(0.84 * hull, 0.0, low, wood, 1 / 0.9)
    yield prism(0.95 * hull, low, high, OWNER)
    yield walls(0.95 * hull, high, DECK_MM, wood, 1 / 0.95)
    yield sheet(hull, DECK_MM, "tan")
    inner, after = 0.94 * hull, np.roll(hull, -1, axis=0)
    for outer, next_outer, here, next_inner in zip(
        hull, after, inner, np.roll(inner, -1, axis=0), strict=True
    ):
        yield prism(np.array([outer, next_outer, next_inner, here]), DECK_MM, RAIL_MM, wood)


def _works(sheet_: ShipSheet, wood: str) -> Iterator[Surface]:
    """Yield the cabin, the grating over the gun deck, and the wheel."""
    for place, limits in parts(sheet_):
        rear, front, right, left = (STUD_MM * limit for limit in limits)
        if place is Place.CABIN:
            yield box((rear, right, DECK_MM), (front, left, CABIN_MM - 3.2), wood)
            yield box(
                (rear - 2, right - 2, CABIN_MM - 3.2), (front + 2, left + 2, CABIN_MM), "dark_tan"
            )
            yield from _row_of_studs((rear, front, right, left), CABIN_MM)
        elif place is Place.GUN_DECK:
            yield box((rear, right, DECK_MM), (front, left, DECK_MM + 1.0), "dark_tan")
        elif place is Place.HELM:
            middle = (rear + front) / 2
            yield box((middle - 1.5, -2.0, DECK_MM), (middle + 1.5, 2.0, DECK_MM + 12.0), "brown")
            wheel = prism(regular_polygon(7.0, 16), 0.0, 1.2, "brown")
            x, y, z = wheel.points_mm.T
            points = np.column_stack([z + middle - 3.0, y, x + DECK_MM + 13.0])
            yield Surface("brown", points, wheel.corners)


def _row_of_studs(limits: tuple[float, float, float, float], height: float) -> Iterator[Surface]:
    rear, front, right, left = limits
    one = stud("dark_tan").surfaces[0]
    for x in np.arange(rear + 6.0, front - 5.0, STUD_MM).tolist():
        for y in (right + 5.0, left - 5.0):
            yield moved(one, (x, y, height))


def masts_mm(sheet_: ShipSheet) -> list[float]:
    """Return how far ahead of the middle the masts stand."""
    tops = [
        STUD_MM * (box_[0] + box_[1]) / 2 for place, box_ in parts(sheet_) if place is Place.CASTLE
    ]
    return tops or [0.05 * sheet_.length_studs * STUD_MM]


def _mast(x: float, has_top: bool) -> list[Surface]:
    rod = [moved(prism(regular_polygon(2.6, 10), DECK_MM, _MAST_MM, "brown"), (x, 0.0, 0.0))]
    for low, high in _SAIL_MM:
        half = 0.42 * (high - low) + 22.0
        rod += [
            box((x - 1.0, -half, height), (x + 1.0, half, height + 1.6), "brown")
            for height in (low, high)
        ]
    if has_top:
        rim = regular_polygon(13.0, 16)
        rod.append(moved(prism(rim, TOP_MM - 2.0, TOP_MM, "brown"), (x, 0.0, 0.0)))
    return rod


def _bowsprit(length: float) -> Surface:
    rod = prism(regular_polygon(1.8, 8), 0.0, 0.3 * length, "brown")
    x, y, z = rod.points_mm.T
    points = np.column_stack(
        [length / 2 - 14.0 + 0.94 * z + 0.2 * x, y, RAIL_MM + 0.34 * z + 0.9 * x]
    )
    return Surface("brown", points, rod.corners)


def _flag(x: float) -> Surface:
    return box((x - 26.0, -0.4, _MAST_MM - 16.0), (x - 2.5, 0.4, _MAST_MM), OWNER)


def sails(sheet_: ShipSheet, left: int) -> Iterator[tuple[int, Triple, Shape]]:
    """Yield the sails that a ship has when so many of its lines of sails are left: number, place and looks."""
    places = [(x, heights) for heights in _SAIL_MM for x in masts_mm(sheet_)]
    count = ceil(len(places) * left / max(sheet_.chart.sails, 1))
    for number, (x, heights) in enumerate(places[:count]):
        yield number, (x + 2.0, 0.0, 0.0), _sail(heights, sheet_.side)


@lru_cache
def _sail(heights: tuple[float, float], side: Side) -> Shape:
    """Return a sail that bellies ahead, in stripes."""
    low, high = heights
    half, stripes = 0.42 * (high - low) + 20.0, 6
    colours = ("white", "#33383d") if side is Side.PIRATE else ("white", "#b9c7d6")
    levels = np.linspace(low + 1.6, high, 7)
    belly = 9.0 * np.sin(np.linspace(0.0, np.pi, 7))
    edges = np.linspace(-half, half, stripes + 1)
    surfaces = []
    for number in range(stripes):
        points = np.array(
            [
                (ahead, y, z)
                for z, ahead in zip(levels, belly, strict=True)
                for y in edges[number : number + 2]
            ]
        )
        thick = np.concatenate([points, points - [0.8, 0.0, 0.0]])
        front = np.array(
            [(a, a + 1, a + 3) for a in range(0, 12, 2)]
            + [(a, a + 3, a + 2) for a in range(0, 12, 2)]
        )
        corners = np.concatenate([front, front[:, ::-1] + len(points)])
        surfaces.append(Surface(colours[number % 2], thick, corners))
    return Shape(f"sail {low:g} {side.value}", merged(surfaces))


@lru_cache
def gun(is_light: bool) -> Shape:
    """Return a gun whose muzzle is at its origin and that looks along x, on the deck."""
    radius = 2.2 if is_light else 3.0
    barrel = prism(regular_polygon(radius, 12), -_BARREL_MM, 0.0, "black")
    x, y, z = barrel.points_mm.T
    level = DECK_MM + _GUN_MM
    points = np.column_stack([z, y, x + level])
    carriage = box((-_BARREL_MM, -3.4, DECK_MM), (-5.0, 3.4, level - 1.0), "brown")
    return Shape(f"gun {radius:g}", (Surface("black", points, barrel.corners), carriage))


def gun_place_mm(one: Gun) -> Triple:
    """Return where the muzzle of a gun is on its ship."""
    return one.ahead_studs * STUD_MM, one.left_studs * STUD_MM, 0.0
