"""Pirate Wars in three dimensions: ships by their sheets, with guns, sails and crews, and who swims."""

from collections.abc import Iterator
from functools import lru_cache
from math import ceil, cos, radians, sin
from typing import ClassVar

import numpy as np

from brickphys.pirate_wars.army import Box, ShipPlan, parts
from brickphys.pirate_wars.scene import LOADED_GUN, battle_scene
from brickphys.pirate_wars.setting import Setting
from brickphys.pirate_wars.sheets import Allegiance, Gun, Role, ShipPlace, ShipSheet
from brickphys.pirate_wars.state import State
from brickphys.rules.scene import Piece, Scene
from brickphys.shapes.brick import regular_polygon
from brickphys.text import spoken
from brickphys.units import STUD_MM, Array, Triple
from brickphys.vehicles.crash import FIGURE
from brickphys.view.builder import TO_US_DEG, Builder, PlacedShape
from brickphys.view.models import dressed, model
from brickphys.view.recording import Ruler, SceneShape, SceneSurface
from brickphys.view.solids import (
    board,
    box,
    grid,
    merged,
    moved,
    prism,
    sheet,
    shown_colour,
    stud,
    walls,
)

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
_WOOD = {Allegiance.PIRATE: "brown", Allegiance.IMPERIAL: "dark_tan"}
_SAIL_MM = ((52.0, 88.0), (114.0, 146.0))
"""Heights of the lower and of the upper sail."""
_BARREL_MM, _GUN_MM = 20.0, 7.0
"""Length of a barrel, and its height over the deck."""


@lru_cache(maxsize=64)
def ship(sheet_: ShipSheet) -> SceneShape:
    """Return a ship without its sails and guns; its origin is in the middle of its length, on the water."""
    hull = sheet_.hull.vertices_studs * STUD_MM
    wood = _WOOD[sheet_.side]
    surfaces = [*_hull(hull, wood), *_works(sheet_, wood)]
    for x in masts_mm(sheet_):
        surfaces += _mast(x, sheet_.room(ShipPlace.CASTLE) > 0)
    length = sheet_.length_studs * STUD_MM
    mast = max(masts_mm(sheet_))
    surfaces += [
        box((-length / 2 - 7.0, -1.5, 0.0), (-length / 2, 1.5, DECK_MM), "brown"),
        _bowsprit(length),
        box((mast - 26.0, -0.4, _MAST_MM - 16.0), (mast - 2.5, 0.4, _MAST_MM), OWNER),
    ]
    return SceneShape(f"ship {sheet_.name}", merged(surfaces))


def _hull(hull: Array, wood: str) -> Iterator[SceneSurface]:
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


def _works(sheet_: ShipSheet, wood: str) -> Iterator[SceneSurface]:
    """Yield the cabin, the grating over the gun deck, and the wheel."""
    for place, limits in parts(sheet_):
        rear, front, right, left = (STUD_MM * limit for limit in limits)
        if place is ShipPlace.CABIN:
            yield box((rear, right, DECK_MM), (front, left, CABIN_MM - 3.2), wood)
            yield box(
                (rear - 2, right - 2, CABIN_MM - 3.2), (front + 2, left + 2, CABIN_MM), "dark_tan"
            )
            one = stud("dark_tan").surfaces[0]
            for x in np.arange(rear + 6.0, front - 5.0, STUD_MM).tolist():
                yield from (moved(one, (x, y, CABIN_MM)) for y in (right + 5.0, left - 5.0))
        elif place is ShipPlace.GUN_DECK:
            yield box((rear, right, DECK_MM), (front, left, DECK_MM + 1.0), "dark_tan")
        elif place is ShipPlace.HELM:
            middle = (rear + front) / 2
            yield box((middle - 1.5, -2.0, DECK_MM), (middle + 1.5, 2.0, DECK_MM + 12.0), "brown")
            wheel = _lying(prism(regular_polygon(7.0, 16), 0.0, 1.2, "brown"))
            yield moved(wheel, (middle - 3.0, 0.0, DECK_MM + 13.0))


def _lying(surface: SceneSurface) -> SceneSurface:
    return SceneSurface(surface.colour, surface.points_mm[:, ::-1], surface.corners)


def masts_mm(sheet_: ShipSheet) -> list[float]:
    """Return how far ahead of the middle the masts stand."""
    tops = [
        STUD_MM * (box_[0] + box_[1]) / 2
        for place, box_ in parts(sheet_)
        if place is ShipPlace.CASTLE
    ]
    return tops or [0.05 * sheet_.length_studs * STUD_MM]


def _mast(x: float, has_top: bool) -> list[SceneSurface]:
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


def _bowsprit(length: float) -> SceneSurface:
    rod = prism(regular_polygon(1.8, 8), 0.0, 0.3 * length, "brown")
    x, y, z = rod.points_mm.T
    points = np.column_stack(
        [length / 2 - 14.0 + 0.94 * z + 0.2 * x, y, RAIL_MM + 0.34 * z + 0.9 * x]
    )
    return SceneSurface("brown", points, rod.corners)


def _sails(key: str, sheet_: ShipSheet, left: int) -> Iterator[PlacedShape]:
    """Yield the sails that a ship has when so many of its lines of sails are left."""
    places = [(x, heights) for heights in _SAIL_MM for x in masts_mm(sheet_)]
    count = ceil(len(places) * left / max(sheet_.chart.sails, 1))
    for number, (x, heights) in enumerate(places[:count]):
        shape = _sail(heights, sheet_.side)
        yield PlacedShape(f"{key}/sail {number}", shape, (x + 2.0, 0.0, 0.0), parent=key)


@lru_cache
def _sail(heights: tuple[float, float], side: Allegiance) -> SceneShape:
    """Return a sail that bellies ahead, in stripes."""
    low, high = heights
    half, stripes = 0.42 * (high - low) + 20.0, 6
    colours = ("white", "#33383d") if side is Allegiance.PIRATE else ("white", "#b9c7d6")
    levels = np.linspace(low + 1.6, high, 7)
    belly = 9.0 * np.sin(np.linspace(0.0, np.pi, 7))
    edges = np.linspace(-half, half, stripes + 1)
    surfaces = []
    for number in range(stripes):
        rows, sides = zip(levels, belly, strict=True), edges[number : number + 2]
        points = np.array([(ahead, y, z) for z, ahead in rows for y in sides])
        thick = np.concatenate([points, points - [0.8, 0.0, 0.0]])
        front = np.array(
            [(a, a + 1, a + 3) for a in range(0, 12, 2)]
            + [(a, a + 3, a + 2) for a in range(0, 12, 2)]
        )
        corners = np.concatenate([front, front[:, ::-1] + len(points)])
        surfaces.append(SceneSurface(colours[number % 2], thick, corners))
    return SceneShape(f"sail {low:g} {side.value}", merged(surfaces))


@lru_cache
def gun(is_light: bool) -> SceneShape:
    """Return a gun whose muzzle is at its origin and that looks along x, on the deck."""
    radius = 2.2 if is_light else 3.0
    barrel = _lying(prism(regular_polygon(radius, 12), -_BARREL_MM, 0.0, "black"))
    level = DECK_MM + _GUN_MM
    carriage = box((-_BARREL_MM, -3.4, DECK_MM), (-5.0, 3.4, level - 1.0), "brown")
    return SceneShape(f"gun {radius:g}", (moved(barrel, (0.0, 0.0, level)), carriage))


def gun_place_mm(one: Gun) -> Triple:
    """Return where the muzzle of a gun is on its ship."""
    return one.ahead_studs * STUD_MM, one.left_studs * STUD_MM, 0.0


_APART_STUDS = 2.0
_RAIL_STUDS = 1.6
"""Room at the rail."""


@lru_cache(maxsize=64)
def berths(sheet: ShipSheet, place: ShipPlace) -> tuple[Triple, ...]:
    """Return where minifigs stand at a place on a ship, in its frame, the best first; a gun has its own."""
    boxes = [box for name, box in parts(sheet) if name is place]
    if place is ShipPlace.CASTLE:
        return tuple(
            (x + ahead, left, TOP_MM) for ahead, left in _ROUND_MAST for x in masts_mm(sheet)
        )
    if place is ShipPlace.CABIN:
        return tuple(_inside(boxes, CABIN_MM))
    if place is ShipPlace.HELM:
        return tuple((STUD_MM * rear - 8.0, 0.0, DECK_MM) for rear, *_ in boxes)
    if place is ShipPlace.GUN_DECK:
        return tuple(_inside(boxes, DECK_MM + 1.0))
    return tuple(_deck(sheet))


_ROUND_MAST = ((-7.0, -5.0), (-7.0, 5.0), (7.0, -6.0), (7.0, 6.0), (0.0, 10.0), (0.0, -10.0))


def _inside(boxes: list[Box], height: float) -> list[Triple]:
    return [
        (ahead * STUD_MM, aside * STUD_MM, height)
        for rear, front, right, left in boxes
        for ahead in _steps(rear + 1.2, front - 1.0)
        for aside in _steps(right + 1.2, left - 1.0)
    ]


def _deck(sheet: ShipSheet) -> list[Triple]:
    """Return free places on deck, from the middle of the ship outwards."""
    half = sheet.length_studs / 2
    places = (
        (ahead, aside)
        for ahead in _steps(-half + 2.0, half - 3.0)
        for room in [sheet.half_width_studs(ahead) - _RAIL_STUDS]
        for aside in _steps(-room, room)
        if not any(_covers(box, ahead, aside) for _, box in parts(sheet))
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


_SEA, _LINES, _DEEP = "#4f8fb8", "#6aa3c8", "#2f5f80"
_DEEP_MM = 8.0
_CELL_MM = 8 * STUD_MM
_SUNK_MM = -20.0
"""Who swims is so deep in the water."""
_HATS = {
    Role.CAPTAIN: "black",
    Role.LIEUTENANT: "blue",
    Role.MARINE: "white",
    Role.SAILOR: "grey",
    Role.PIRATE: "dark_red",
}
_CAP = "brown"
_EMPTY_GUN = "pale_grey"


@lru_cache(maxsize=16)
def _sea(setting: Setting) -> tuple[PlacedShape, ...]:
    size = (setting.sea.width_studs * STUD_MM, setting.sea.height_studs * STUD_MM)
    surfaces = [
        *board((0.0, 0.0), size, _SEA, _DEEP, _DEEP_MM),
        grid((0.0, 0.0), size, _CELL_MM, 0.1, _LINES),
    ]
    scale = 0.04 * max(size)
    head = np.array([(0.3, -0.6), (1.4, 0.0), (0.3, 0.6)]) * scale
    arrow = (
        box((-1.4 * scale, -0.14 * scale, 0.0), (0.3 * scale, 0.14 * scale, 0.05 * scale), "white"),
        prism(head, 0.0, 0.05 * scale, "white"),
    )
    corner = (size[0] - 2.2 * scale, size[1] - 2.2 * scale, 1.0)
    wind = PlacedShape(
        "wind", SceneShape("wind", arrow), corner, setting.wind_deg, "wind", "#f2f3f2"
    )
    return PlacedShape("sea", SceneShape("sea", merged(surfaces))), wind


def _ship(scene: Scene, one: Piece) -> Iterator[PlacedShape]:
    at, colour = (one.at[0] * STUD_MM, one.at[1] * STUD_MM, 0.0), shown_colour(scene, one)
    own = {OWNER: colour}
    yield PlacedShape(one.id, ship(one.what), at, one.heading_deg, one.label, colour, own)
    yield from _sails(one.id, one.what, one.count)


def _gun(key: str, one: Gun, parent: str, *, is_loaded: bool = True) -> PlacedShape:
    """Return a gun of a ship; a pale one is not loaded."""
    looks = {} if is_loaded else {"black": _EMPTY_GUN}
    shape, place = gun(one.is_light), gun_place_mm(one)
    return PlacedShape(key, shape, place, one.bearing_deg, colours=looks, parent=parent)


def _look(scene: Scene, one: Piece, role: Role) -> dict[str, str]:
    return {**dressed(shown_colour(scene, one)), _CAP: _HATS[role]}


def _crew(scene: Scene, one: Piece) -> Iterator[PlacedShape]:
    """Yield a minifig aboard at its place; none if there is no more room to show it."""
    role, sheet, place, its_gun = one.what
    if its_gun is not None:
        at = at_gun(gun_place_mm(its_gun), its_gun.bearing_deg, one.order)
    elif one.order < len(places := berths(sheet, place)):
        at = places[one.order]
    else:
        return
    look = _look(scene, one, role)
    yield PlacedShape(one.id, model(FIGURE), at, colours=look, parent=one.parent)


def _swimmer(scene: Scene, one: Piece) -> Iterator[PlacedShape]:
    at, colour = (one.at[0] * STUD_MM, one.at[1] * STUD_MM, _SUNK_MM), shown_colour(scene, one)
    look = _look(scene, one, one.what)
    yield PlacedShape(one.id, model(FIGURE), at, 0.0, one.label, colour, look)


class PirateWarsBuilder(Builder[State]):
    """Builds a battle of Pirate Wars."""

    kinds: ClassVar = {
        "ship": _ship,
        "gun": lambda _, one: [
            _gun(one.id, one.what, one.parent, is_loaded=LOADED_GUN in one.marks)
        ],
        "crew": _crew,
        "swimmer": _swimmer,
    }
    unit_mm = STUD_MM
    mark_mm = 5.0

    scene = staticmethod(battle_scene)

    def ruler(self, state: State) -> Ruler:
        """Return the studs of the sea; headings are degrees."""
        return Ruler(STUD_MM, *self.size(state), in_degrees=True)

    def ground(self, state: State) -> tuple[PlacedShape, ...]:
        return _sea(state.setting)

    def sheet(self, sheet: ShipPlan, colour: str) -> Iterator[PlacedShape]:
        key, own, label = f"ship {sheet.name}", {OWNER: colour}, spoken(sheet.name)
        hull = ship(sheet.sheet)
        yield PlacedShape(key, hull, (0.0, 0.0, 0.0), TO_US_DEG, label, colour, own)
        yield from _sails(key, sheet.sheet, sheet.sheet.chart.sails)
        for index, one in enumerate(sheet.sheet.guns):
            yield _gun(f"{key}/gun {index}", one, key)
