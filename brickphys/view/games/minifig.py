"""Minifig in three dimensions: the table, figures on their bases, riders and things; and the land of a campaign.

Walls are drawn brick by brick. Of a campaign only the land that its party knows is drawn.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import ClassVar

import numpy as np

from brickphys.geometry.polygon import Point
from brickphys.minifig.campaign.state import Square, SquareGround
from brickphys.minifig.campaign.story import KnownLand, land_scene
from brickphys.minifig.ground import height_bricks
from brickphys.minifig.missiles import standing_bricks
from brickphys.minifig.scene import LOADED, Looks, battle_scene, tree_places
from brickphys.minifig.setting import Setting, WallSpec, Zone, ZoneKind
from brickphys.minifig.sheets import BASE_RADIUS_IN, INCH_MM, FigureSheet, ThingKind, charts
from brickphys.minifig.state import State
from brickphys.rules.scene import Piece, Scene
from brickphys.shapes.assembly import assembly
from brickphys.shapes.brick import regular_polygon
from brickphys.units import BRICK_MM, PLATE_MM, STUD_MM
from brickphys.view.builder import TO_US_DEG, Builder, PlacedShape
from brickphys.view.models import figure, lying, model, pieces, rider, torso
from brickphys.view.recording import Ruler, SceneShape, SceneSurface
from brickphys.view.solids import (
    base,
    board,
    box,
    courses,
    grid,
    merged,
    moved,
    prism,
    sheet,
    shown_colour,
    stud,
    tree,
)

_DOG = """
pieces = [
    { form = "block", at = [-1.1, -0.35, 2.2], size = [1.8, 0.7, 2.0], colour = "brown" },
    { form = "block", at = [-1.1, 0.1, 0], size = [0.35, 0.25, 2.2], colour = "brown", mirror = true },
    { form = "block", at = [0.3, 0.1, 0], size = [0.35, 0.25, 2.2], colour = "brown", mirror = true },
    { form = "block", at = [0.5, -0.35, 3.4], size = [0.8, 0.7, 2.2], colour = "brown" },
    { form = "block", at = [1.3, -0.2, 3.5], size = [0.5, 0.4, 1.0], colour = "black" },
    { form = "block", at = [0.55, 0.12, 5.6], size = [0.3, 0.2, 0.8], colour = "black", mirror = true },
    { form = "block", at = [-1.6, -0.1, 3.8], size = [0.6, 0.2, 0.6], colour = "brown" },
    { form = "block", at = [0.25, -0.38, 3.2], size = [0.25, 0.76, 1.3], colour = "red" },
]
"""
"""Its collar is red, which its player's colour replaces."""
_WAGON = """
pieces = [
    {{ form = "block", at = [0, 0, 2.4], size = [{l}, {w}, 0.9], colour = "pale_brown" }},
    {{ form = "block", at = [0, 0, 3.3], size = [{l}, 0.4, 2.6], colour = "pale_brown", copies = [[0, {inner}, 0]] }},
    {{ form = "block", at = [0, 0.4, 3.3], size = [0.4, {across}, 2.6], colour = "brown", copies = [[{far}, 0, 0]] }},
{wheels}]
"""
_WHEEL = """
    {{ form = "cylinder", axis = "y", at = [{x}, {y}, 0], size = [{wide}, 0.3, {high}], colour = "dark_grey" }},
"""
_LEVER = 'colour = "tan", outline = [[0, 0.86], [0.06, 1], [1, 0.14], [1, 0], [0.9, 0]]'
_CATAPULT = """
pieces = [
    {{ form = "block", at = [0, 0, 1.6], size = [{l}, 0.6, 1.4], colour = "pale_brown", copies = [[0, {inner}, 0]] }},
    {{ form = "block", at = [0, 0.6, 1.6], size = [0.7, {across}, 1.2], colour = "brown", copies = [[{far}, 0, 0]] }},
    {{ form = "block", at = [{post}, 0, 3], size = [0.7, 0.6, {tall}], colour = "brown", copies = [[0, {inner}, 0]] }},
    {{ form = "block", at = [{post}, 0, {beam}], size = [0.7, {w}, 0.9], colour = "pale_brown" }},
    {{ form = "prism", axis = "y", at = [{arm}, {middle}, 2.6], size = [{reach}, 0.5, {rise}], {lever} }},
    {{ form = "cylinder", axis = "z", at = [{spoon}, {cup}, {lip}], size = [1.2, 1.2, 0.9], colour = "tan" }},
{wheels}]
"""


@lru_cache
def dog() -> SceneShape:
    """Return a dog that stands on height 0 and looks along x; its collar is that of a torso."""
    return pieces("dog", _DOG)


@lru_cache
def thing(kind: ThingKind) -> SceneShape:
    """Return a horse, a wagon or a catapult of the size of its kind."""
    if kind.is_ridden:
        return model("horse")
    length, width = (size / STUD_MM for size in kind.size_mm[:2])
    height = kind.size_mm[2] / PLATE_MM
    sizes = {
        "l": length,
        "w": width,
        "inner": width - (0.4 if kind.missile is None else 0.6),
        "across": width - (0.8 if kind.missile is None else 1.2),
        "far": length - (0.4 if kind.missile is None else 0.7),
        "post": 0.6 * length,
        "tall": height - 3.9,
        "beam": height - 0.9,
        "middle": width / 2 - 0.25,
        "arm": 0.1 * length,
        "reach": 0.55 * length,
        "rise": height - 3.0,
        "spoon": 0.1 * length - 0.4,
        "cup": width / 2 - 0.6,
        "lip": height - 1.2,
    }
    numbers = {name: round(value, 3) for name, value in sizes.items()}
    text = _WAGON if kind.missile is None else _CATAPULT
    return pieces(kind.name, text.format(wheels=_wheels(length, width), lever=_LEVER, **numbers))


def _wheels(length: float, width: float) -> str:
    """Return four wheels as pieces, beside the sides of a thing."""
    wide, high = 1.6, 4.0
    places = ((x, y) for x in (0.25, length - wide - 0.25) for y in (-0.3, width))
    return "".join(
        _WHEEL.format(x=round(x, 3), y=round(y, 3), wide=wide, high=high) for x, y in places
    )


@lru_cache
def stone() -> SceneShape:
    """Return the stone of a loaded catapult."""
    text = 'pieces = [{ form = "cylinder", at = [0, 0, 0], size = [1, 1, 2], colour = "grey", material = "abs" }]'
    return pieces("stone", text)


def stone_place_mm(kind: ThingKind) -> tuple[float, float, float]:
    """Return where the stone lies in the spoon of a catapult, in its frame."""
    length, _, height = kind.size_mm
    return -0.4 * length + 0.2 * STUD_MM, 0.0, height - 0.3 * PLATE_MM


_GRASS, _LINES, _EDGE, _WOODS, _WATER = "#a8bd78", "#93a866", "#8c6b47", "#7f9c5c", "#5f9fd0"
_THICK_MM, _FLAT_MM = 10.0, 0.3
_TREE_MM, _TREE_RADIUS_MM = 52.0, 11.0
_WALL_COLOURS = ("grey", "pale_grey", "dark_grey")
_HILL = "tan"


@lru_cache(maxsize=16)
def ground(setting: Setting) -> tuple[PlacedShape, ...]:
    """Return the table with all that never changes on it."""
    size = (setting.width_in * INCH_MM, setting.length_in * INCH_MM)
    surfaces = [
        *board((0.0, 0.0), size, _GRASS, _EDGE, _THICK_MM),
        grid((0.0, 0.0), size, INCH_MM, 0.05, _LINES),
    ]
    zones = sorted(setting.zones, key=lambda zone: zone.height_bricks)
    for zone in zones:
        surfaces += _zone(zone)
    return (PlacedShape("table", SceneShape("table", merged(surfaces))), *_woods(zones))


def _zone(zone: Zone) -> Iterator[SceneSurface]:
    corners = np.array(zone.corners_in) * INCH_MM
    if zone.kind is ZoneKind.HILL:
        high = zone.height_bricks * BRICK_MM
        yield prism(corners, 0.0, high, _HILL)
        if (joints := courses(corners, 0.0, high, "brown")) is not None:
            yield joints
        return
    yield sheet(corners, _FLAT_MM, _WOODS if zone.kind is ZoneKind.WOODS else _WATER)


def _woods(zones: Collection[Zone]) -> Iterator[PlacedShape]:
    woods = [zone for zone in zones if zone.kind is ZoneKind.WOODS]
    places = [place for zone in woods for place in tree_places(np.array(zone.corners_in)).tolist()]
    if places:
        fir = SceneShape("fir", merged(tree(regular_polygon(_TREE_RADIUS_MM, 8), 0.0, _TREE_MM)))
        at = tuple((x * INCH_MM, y * INCH_MM, 0.0) for x, y in places)
        yield PlacedShape("trees", fir, label="tree", copies_mm=at)


@lru_cache(maxsize=1024)
def wall(spec: WallSpec, out: tuple[int, ...]) -> tuple[PlacedShape, ...]:
    """Return the bricks of a wall but those that are out of it."""
    found = []
    for number, there in standing_bricks(spec, out):
        part = spec.target.parts[number]
        shape = brick(round(part.size_mm[1] / STUD_MM), _WALL_COLOURS[number % len(_WALL_COLOURS)])
        at = there.x_mm, there.y_mm, part.low_mm
        found.append(PlacedShape(f"wall {spec.name} {number}", shape, at, spec.facing_deg))
    return tuple(found)


@lru_cache
def brick(studs: int, colour: str) -> SceneShape:
    """Return a brick of two studs along x and so many along y."""
    text = f'pieces = [{{ form = "brick", at = [0, 0, 0], size = [2, {studs}, 3], colour = "{colour}" }}]'
    return pieces(f"brick 2x{studs} {colour}", text)


def _on_table(scene: Scene, one: Piece, shape: SceneShape, turn_deg: float) -> PlacedShape:
    """Return something that stands on the table with its name."""
    at = (one.at[0] * INCH_MM, one.at[1] * INCH_MM, one.height_mm)
    return PlacedShape(one.id, shape, at, turn_deg, one.label, shown_colour(scene, one))


def _figure(scene: Scene, one: Piece) -> Iterator[PlacedShape]:
    """Yield the base of a figure and what stands on it."""
    yield _on_table(scene, one, _base(one.what.base), one.heading_deg)
    yield from _on_base(one.id, one.what, shown_colour(scene, one))


def _base(colour: str) -> SceneShape:
    return base(BASE_RADIUS_IN * INCH_MM, PLATE_MM, colour)


def _on_base(name: str, looks: Looks, colour: str) -> Iterator[PlacedShape]:
    """Yield what stands on the base of a figure with this name."""
    key, on_base, held = f"{name}/figure", (0.0, 0.0, PLATE_MM), [arm.name for arm in looks.arms]
    if looks.is_dog:
        yield PlacedShape(key, dog(), on_base, colours=torso(colour), parent=name)
    elif looks.horse is None:
        yield from figure(key, on_base, 0.0, colour, held, parent=name)
    else:
        yield PlacedShape(f"{name}/horse", model("horse"), on_base, parent=name)
        yield from rider(f"{name}/rider", assembly("horse").crew[0], colour, held, f"{name}/horse")


def _thing(scene: Scene, one: Piece) -> Iterator[PlacedShape]:
    yield replace(_on_table(scene, one, thing(one.what), one.heading_deg), tag="#8c6b47")
    if one.what.missile is not None and LOADED in one.marks:
        yield PlacedShape(f"{one.id}/stone", stone(), stone_place_mm(one.what), parent=one.id)


class MinifigBuilder(Builder[State]):
    """Builds a Minifig battle."""

    kinds: ClassVar = {
        "figure": _figure,
        "thing": _thing,
        "item": lambda scene, one: [_on_table(scene, one, lying(one.what), 45.0)],
    }
    unit_mm = INCH_MM
    mark_mm = 2.6
    free_words = ("go",)

    scene = staticmethod(battle_scene)

    def ground(self, state: State) -> Iterator[PlacedShape]:
        yield from ground(state.setting)
        for spec, out in zip(state.setting.walls, state.walls, strict=True):
            yield from wall(spec, out)

    def sheet(self, sheet: FigureSheet, colour: str) -> Iterator[PlacedShape]:
        """Yield a figure on its base, with its arms, on foot or on a horse."""
        one = sheet.figure
        horse = charts().things["horse"] if sheet.is_mounted else None
        looks = Looks(one.kind, one.arms, charts().colours[one.experience], horse)
        foot = _base(looks.base)
        yield PlacedShape(sheet.name, foot, heading_deg=TO_US_DEG, label=sheet.title, tag=colour)
        yield from _on_base(sheet.name, looks, colour)

    def height_mm(self, state: State, place: Point) -> float:
        return height_bricks(state.setting, place) * BRICK_MM


SQUARE_MM = 4 * STUD_MM
_LAND, _LAND_WATER = "#a9c27b", "#5b99cc"
_COLOURS = {
    SquareGround.OPEN: _LAND,
    SquareGround.WOODS: "#5d8a50",
    SquareGround.VILLAGE: "#d6bd85",
    SquareGround.POND: _LAND,
    SquareGround.SHORE: "#dbd8a8",
    SquareGround.LAKE: _LAND_WATER,
    SquareGround.RIVER: _LAND,
}
_UNKNOWN, _LAND_EDGE = "#e6dcc6", "#8c6b47"
_LAND_THICK_MM = 8.0
_STREAM_MM = 0.4


class CampaignBuilder(Builder[KnownLand]):
    """Builds what the party knows of the land; the rest is blank."""

    kinds: ClassVar = {"party": lambda scene, one: _party(scene, one)}
    unit_mm = SQUARE_MM
    mark_mm = 2.0

    def scene(self, state: KnownLand) -> Scene:
        return land_scene(state)

    def ruler(self, state: KnownLand) -> Ruler:
        (west, south), (east, north) = state.low, state.high
        return Ruler.of_squares(SQUARE_MM, range(west, east + 1), range(south, north + 1))

    def ground(self, state: KnownLand) -> Iterator[PlacedShape]:
        scene = self.scene(state)
        width, length = (side * SQUARE_MM for side in scene.size)
        surfaces = board((0.0, 0.0), (width, length), _UNKNOWN, _LAND_EDGE, _LAND_THICK_MM)
        yield PlacedShape("land", SceneShape("land", merged(surfaces)))
        for one in scene.of("square"):
            x, y = one.at
            at = (x * SQUARE_MM, y * SQUARE_MM, 0.0)
            yield PlacedShape(one.id, _square(one.what), at)

    def spot(self, state: KnownLand, place: Point) -> Point | None:
        """Return the middle of a square; a battle of the campaign is not shown."""
        if state.state.battle is not None:
            return None
        return state.point((int(place[0]), int(place[1])))

    def height_mm(self, state: KnownLand, place: Point) -> float:
        return PLATE_MM


def _party(scene: Scene, one: Piece) -> Iterator[PlacedShape]:
    x, y = one.at
    at = (x * SQUARE_MM, y * SQUARE_MM, PLATE_MM)
    colour = shown_colour(scene, one)
    yield from figure(one.id, at, one.heading_deg, colour, ("sword", "shield"), one.label)


@lru_cache
def _square(square: Square) -> SceneShape:
    if (river := square.river) is not None:
        return _river(*(tuple(map(float, side.step)) for side in (river.along, river.flow)))
    surfaces = [*_square_plate(_COLOURS[square.ground]), *_grown(square.ground)]
    return SceneShape(f"square {square.ground.value}", merged(surfaces))


def _square_plate(colour: str) -> Iterator[SceneSurface]:
    """Yield a plate of four by four studs, with a stud in each corner."""
    half, corner = SQUARE_MM / 2 - 0.1, 1.5 * STUD_MM
    yield box((-half, -half, 0.0), (half, half, PLATE_MM), colour)
    for x in (-corner, corner):
        for y in (-corner, corner):
            yield moved(stud(colour).surfaces[0], (x, y, PLATE_MM))


def _grown(ground: SquareGround) -> Iterator[SceneSurface]:
    """Yield trees, houses or a pond."""
    if ground is SquareGround.WOODS:
        for x, y in ((-8.0, 6.0), (8.0, 8.0), (9.0, -8.0), (-7.0, -9.0)):
            yield from tree(regular_polygon(4.5, 8) + np.array([x, y]), PLATE_MM, PLATE_MM + 24.0)
    elif ground is SquareGround.VILLAGE:
        for x, y in ((-8.0, 7.0), (7.0, -7.0)):
            yield moved(box((-5.0, -4.0, 0.0), (5.0, 4.0, 8.0), "white"), (x, y, PLATE_MM))
            roof = np.array([(-6.0, -5.0), (6.0, -5.0), (6.0, 5.0), (-6.0, 5.0)])
            yield moved(prism(roof, 8.0, 14.0, "dark_red", 0.15), (x, y, PLATE_MM))
    elif ground is SquareGround.POND:
        yield prism(regular_polygon(9.0, 16), PLATE_MM, PLATE_MM + _STREAM_MM, _LAND_WATER)


def _river(*ways: tuple[float, ...]) -> SceneShape:
    """Return a square with a river from where it comes, through the middle, to where it flows."""
    (east, north), (out_east, out_north) = ways
    half, wide = SQUARE_MM / 2, 3.5
    parts = [*_square_plate(_LAND)]
    for x, y in ((-east * half, -north * half), (out_east * half, out_north * half)):
        low = (min(0.0, x) - wide * (x == 0), min(0.0, y) - wide * (y == 0))
        high = (max(0.0, x) + wide * (x == 0), max(0.0, y) + wide * (y == 0))
        parts.append(box((*low, PLATE_MM), (*high, PLATE_MM + _STREAM_MM), _LAND_WATER))
    parts.append(box((-wide, -wide, PLATE_MM), (wide, wide, PLATE_MM + _STREAM_MM), _LAND_WATER))
    return SceneShape(f"river {ways}", merged(parts))
