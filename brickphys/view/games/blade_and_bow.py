"""Blade & Bow in three dimensions: the map with hills, woods, walls and camps; units as blocks of figures; leaders."""

from collections.abc import Iterator
from functools import lru_cache
from typing import ClassVar

import numpy as np

from brickphys.blade_and_bow.scene import DISRUPTED, SACKED, WALL, battle_scene, level_mm, side
from brickphys.blade_and_bow.setting import Setting
from brickphys.blade_and_bow.sheets import Counter, CounterSheet, FormationSize
from brickphys.blade_and_bow.state import State
from brickphys.geometry.polygon import Point
from brickphys.rules.report.sheets import Sheet
from brickphys.rules.scene import Piece, Scene
from brickphys.shapes.brick import regular_polygon
from brickphys.text import spoken
from brickphys.units import PLATE_MM, STUD_MM, Array, Triple
from brickphys.view.builder import TO_US_DEG, Builder, PlacedShape
from brickphys.view.models import dressed, figure, model, soldier
from brickphys.view.recording import Ruler, SceneShape, SceneSurface
from brickphys.view.solids import box, grid, merged, prism, rectangles, shown_colour, tree

SQUARE_MM = 6 * STUD_MM
_COLOURS = {
    "clear": "#c9cf98",
    "hill": "#c6b083",
    "closed_hill": "#a08863",
    "path": "#d9c7a0",
    "woods": "#8fae6b",
    "town": "#c9a9a0",
    "river": "#6fa8d0",
    "marsh": "#9db896",
    "sea": "#4f86b5",
}
_THICK_MM, _LINES, _WALL_MM = 12.0, "#8d8b66", 24.0
_TREES = ((0.25, 0.3), (0.7, 0.25), (0.45, 0.72))
_HOUSES = ((0.22, 0.25), (0.6, 0.55))


@lru_cache(maxsize=16)
def fixed(setting: Setting) -> tuple[PlacedShape, ...]:
    """Return the map with what is built on it."""
    width, length = setting.grid.width, setting.grid.length
    names = np.array([ground.name for ground in setting.terrain]).reshape(length, width)
    levels = np.array([level_mm(setting, square) for square in range(width * length)])
    surfaces = [*_blocks(names, levels.reshape(length, width))]
    surfaces.append(
        grid((0.0, 0.0), (width * SQUARE_MM, length * SQUARE_MM), SQUARE_MM, 0.1, _LINES)
    )
    surfaces += _walls(setting)
    found = [PlacedShape("map", SceneShape("map", merged(surfaces)))]
    return (
        *found,
        *_grown(setting, "woods", _TREES, _fir(), "tree"),
        *_grown(setting, "town", _HOUSES, _house(), "house"),
    )


def _blocks(names: Array, levels: Array) -> Iterator[SceneSurface]:
    for name, level in dict.fromkeys(zip(names.ravel(), levels.ravel(), strict=True)):
        for x, y, right, far in rectangles((names == name) & (levels == level)):
            low = (x * SQUARE_MM, y * SQUARE_MM, -_THICK_MM)
            yield box(low, (right * SQUARE_MM, far * SQUARE_MM, float(level)), _COLOURS[str(name)])


def _walls(setting: Setting) -> Iterator[SceneSurface]:
    """Yield the walls between squares, one stud thick."""
    half = STUD_MM / 2
    for one, other in setting.walls:
        (x, y), (far_x, far_y) = side(setting.grid, one, other)
        level = max(level_mm(setting, one), level_mm(setting, other))
        east, north = half * (x == far_x), half * (y == far_y)
        low = x * SQUARE_MM - east, y * SQUARE_MM - north, min(level, 0.0)
        high = far_x * SQUARE_MM + east, far_y * SQUARE_MM + north, level + _WALL_MM
        yield box(low, high, "grey")


def _grown(
    setting: Setting,
    name: str,
    spots: tuple[tuple[float, float], ...],
    shape: SceneShape,
    label: str,
) -> Iterator[PlacedShape]:
    """Yield what stands in each square of a terrain, and what it is."""
    squares = [square for square, ground in enumerate(setting.terrain) if ground.name == name]
    places = tuple(
        ((x + east) * SQUARE_MM, (y + north) * SQUARE_MM, level_mm(setting, square))
        for square in squares
        for x, y in [setting.grid.xy(square)]
        for east, north in spots
    )
    if places:
        yield PlacedShape(name, shape, label=label, copies_mm=places)


@lru_cache
def _fir() -> SceneShape:
    return SceneShape("fir", merged(tree(regular_polygon(7.0, 8), 0.0, 34.0)))


@lru_cache
def _house() -> SceneShape:
    walls = box((-7.0, -6.0, 0.0), (7.0, 6.0, 12.0), "white")
    roof = prism(
        np.array([(-8.0, -7.0), (8.0, -7.0), (8.0, 7.0), (-8.0, 7.0)]), 12.0, 22.0, "dark_red", 0.15
    )
    return SceneShape("house", (walls, roof))


def _at_mm(piece: Piece) -> Triple:
    return piece.at[0] * SQUARE_MM, piece.at[1] * SQUARE_MM, piece.height_mm


def _camp(scene: Scene, one: Piece) -> Iterator[PlacedShape]:
    """Yield a tent in the colour of its player, lower and grey if the camp is sacked."""
    is_sacked = SACKED in one.marks
    colours = {} if is_sacked else {"grey": shown_colour(scene, one)}
    yield PlacedShape(one.id, _tent(is_sacked), _at_mm(one), colours=colours)


@lru_cache
def _tent(is_sacked: bool) -> SceneShape:
    half = 0.36 * SQUARE_MM
    outline = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    return SceneShape(
        f"tent {is_sacked}", (prism(outline, 0.0, 6.0 if is_sacked else 26.0, "grey", 0.12),)
    )


_ROWS = {FormationSize.LIGHT: 1, FormationSize.MEDIUM: 1, FormationSize.HEAVY: 2}
_FILES = {FormationSize.LIGHT: 3, FormationSize.MEDIUM: 4, FormationSize.HEAVY: 4}
_FILE_MM, _ROW_MM, _MOST_ROWS = 10.4, 9.6, 4
_HORSES = 2
_HALF_MM = 0.44 * SQUARE_MM
_PALE, _SHIELD_WALL_MM = "#d8d3c4", 16.0
_FAR_POINTS = 5
"""Missiles that reach so far are arrows, others are thrown."""


def _unit(scene: Scene, one: Piece) -> Iterator[PlacedShape]:
    """Yield the base of a unit with its name, and its figures; a disrupted one has a pale base and loose rows."""
    colour, is_disrupted = shown_colour(scene, one), DISRUPTED in one.marks
    base = {"grey": _PALE if is_disrupted else colour}
    yield PlacedShape(one.id, _base(), _at_mm(one), one.heading_deg, one.label, colour, base)
    counter = one.what.counter
    places = _places(counter, one.count, is_loose=is_disrupted)
    yield from _figures(one.id, counter, places, colour)
    if WALL in one.marks:
        yield PlacedShape(f"{one.id}/wall", _shield_wall(), parent=one.id, colours=base)


def _figures(
    unit: str, counter: Counter, places: tuple[Triple, ...], colour: str
) -> Iterator[PlacedShape]:
    key = f"{unit}/figures"
    if counter.is_horse:
        yield PlacedShape(f"{unit}/horses", model("horse"), copies_mm=places, parent=unit)
        rider = {"grey": colour}
        yield PlacedShape(key, model("horse/rider"), copies_mm=places, parent=unit, colours=rider)
    else:
        men, look = soldier(_held(counter)), dressed(colour)
        yield PlacedShape(key, men, copies_mm=places, parent=unit, colours=look)


def _held(counter: Counter) -> tuple[str, ...]:
    if counter.good.missile_dice and counter.good.missile_range > _FAR_POINTS:
        return ("bow",)
    return ("spear", "shield")


def _places(counter: Counter, ranks: int, *, is_loose: bool = False) -> tuple[Triple, ...]:
    """Return where the figures of a unit stand on its base: in rows that are full, or with gaps."""
    if counter.is_horse:
        return tuple((0.0, (file - (_HORSES - 1) / 2) * 20.0, PLATE_MM) for file in range(_HORSES))
    files = _FILES[counter.size]
    rows = min(_ROWS[counter.size] + ranks, _MOST_ROWS)
    return tuple(
        (
            ((rows - 1) / 2 - row) * _ROW_MM + (2.4 if is_loose and file % 2 else 0.0),
            (file - (files - 1) / 2) * _FILE_MM,
            PLATE_MM,
        )
        for row in range(rows)
        for file in range(files)
    )


def _base() -> SceneShape:
    return SceneShape(
        "unit base", (box((-_HALF_MM, -_HALF_MM, 0.0), (_HALF_MM, _HALF_MM, PLATE_MM), "grey"),)
    )


def _shield_wall() -> SceneShape:
    low, high = (
        (_HALF_MM - 3.0, -_HALF_MM, PLATE_MM),
        (_HALF_MM - 1.0, _HALF_MM, PLATE_MM + _SHIELD_WALL_MM),
    )
    return SceneShape("shield wall", (box(low, high, "grey"),))


def _leader(scene: Scene, one: Piece) -> Iterator[PlacedShape]:
    """Yield a leader in the corner of a square, beside those before him."""
    x, y, z = _at_mm(one)
    at = x - 0.36 * SQUARE_MM + 9.0 * one.order, y + 0.38 * SQUARE_MM, z
    held = "sword", "shield"
    yield from figure(one.id, at, -90.0, shown_colour(scene, one), held, one.label)


class BladeAndBowBuilder(Builder[State]):
    """Builds a battle of Blade & Bow."""

    kinds: ClassVar = {"unit": _unit, "leader": _leader}
    unit_mm = SQUARE_MM
    mark_mm = 2.4

    scene = staticmethod(battle_scene)

    def ruler(self, state: State) -> Ruler:
        names, grid = state.setting.squares, state.setting.grid
        columns = (names[grid.square(x, 0)][0] for x in range(grid.width))
        return Ruler.of_squares(
            SQUARE_MM, columns, (names[grid.square(0, y)][1:] for y in range(grid.length))
        )

    def ground(self, state: State) -> Iterator[PlacedShape]:
        """Yield the map and the camps, to which no view comes near."""
        yield from fixed(state.setting)
        scene = battle_scene(state)
        for one in scene.of("camp"):
            yield from _camp(scene, one)

    def sheet(self, sheet: Sheet, colour: str) -> Iterator[PlacedShape]:
        """Yield a unit without ranks; of a card nothing."""
        if isinstance(sheet, CounterSheet):
            name, own = sheet.name, {"grey": colour}
            yield PlacedShape(name, _base(), (0.0, 0.0, 0.0), TO_US_DEG, spoken(name), colour, own)
            yield from _figures(name, sheet.counter, _places(sheet.counter, 0), colour)

    def height_mm(self, state: State, place: Point) -> float:
        x, y = int(place[0]), int(place[1])
        grid = state.setting.grid
        return level_mm(state.setting, grid.square(x, y)) if grid.contains(x, y) else 0.0
