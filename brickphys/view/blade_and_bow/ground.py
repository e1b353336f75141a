"""Ground of Blade & Bow: squares by their terrain, hills, walls between squares, and camps."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from brickphys.arrays import Array
from brickphys.blade_and_bow.state.setting import Setting
from brickphys.blade_and_bow.state.state import State
from brickphys.grid.bitset import Square
from brickphys.shapes.brick import regular_polygon
from brickphys.units import BRICK_MM, STUD_MM
from brickphys.view.builder import Placed
from brickphys.view.colours import shown_players
from brickphys.view.recording import Shape, Surface
from brickphys.view.shapes.solids import box, grid, merged, prism, rectangles
from brickphys.view.shapes.tree import tree

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
_LOW = {"sea": -3.2, "river": -1.6}
"""Heights of water, in mm."""
_THICK_MM, _LINES, _WALL_MM = 12.0, "#8d8b66", 24.0
_TREES = ((0.25, 0.3), (0.7, 0.25), (0.45, 0.72))
_HOUSES = ((0.22, 0.25), (0.6, 0.55))


def level_mm(setting: Setting, square: Square) -> float:
    """Return the height of a square: hills are a brick high, closed ones two."""
    ground = setting.terrain[square]
    if ground.is_high:
        return BRICK_MM * (2 if ground.closed else 1)
    return _LOW.get(ground.name, 0.0)


@lru_cache(maxsize=16)
def fixed(setting: Setting) -> tuple[Placed, ...]:
    """Return the map with what is built on it."""
    width, length = setting.grid.width, setting.grid.length
    names = np.array([ground.name for ground in setting.terrain]).reshape(length, width)
    levels = np.array([level_mm(setting, square) for square in range(width * length)])
    surfaces = [*_blocks(names, levels.reshape(length, width))]
    surfaces.append(
        grid((0.0, 0.0), (width * SQUARE_MM, length * SQUARE_MM), SQUARE_MM, 0.1, _LINES)
    )
    surfaces += _walls(setting)
    found = [Placed("map", Shape("map", merged(surfaces)))]
    return (
        *found,
        *_grown(setting, "woods", _TREES, _fir(), "tree"),
        *_grown(setting, "town", _HOUSES, _house(), "house"),
    )


def _blocks(names: Array, levels: Array) -> Iterator[Surface]:
    for name, level in dict.fromkeys(zip(names.ravel(), levels.ravel(), strict=True)):
        for x, y, right, far in rectangles((names == name) & (levels == level)):
            low = (x * SQUARE_MM, y * SQUARE_MM, -_THICK_MM)
            yield box(low, (right * SQUARE_MM, far * SQUARE_MM, float(level)), _COLOURS[str(name)])


def _walls(setting: Setting) -> Iterator[Surface]:
    """Yield the walls between squares, one stud thick."""
    half = STUD_MM / 2
    for one, other in setting.walls:
        (x, y), (far_x, far_y) = setting.grid.xy(one), setting.grid.xy(other)
        level = max(level_mm(setting, one), level_mm(setting, other))
        if far_x != x:
            at = max(x, far_x) * SQUARE_MM
            low, high = (at - half, y * SQUARE_MM), (at + half, (y + 1) * SQUARE_MM)
        else:
            at = max(y, far_y) * SQUARE_MM
            low, high = (x * SQUARE_MM, at - half), ((x + 1) * SQUARE_MM, at + half)
        yield box((*low, min(level, 0.0)), (*high, level + _WALL_MM), "grey")


def _grown(
    setting: Setting, name: str, spots: tuple[tuple[float, float], ...], shape: Shape, label: str
) -> Iterator[Placed]:
    """Yield what stands in each square of a terrain, and what it is."""
    squares = [square for square, ground in enumerate(setting.terrain) if ground.name == name]
    places = tuple(
        ((x + east) * SQUARE_MM, (y + north) * SQUARE_MM, level_mm(setting, square))
        for square in squares
        for x, y in [setting.grid.xy(square)]
        for east, north in spots
    )
    if places:
        yield Placed(name, shape, label=label, copies_mm=places)


@lru_cache
def _fir() -> Shape:
    return Shape("fir", merged(tree(regular_polygon(7.0, 8), 0.0, 34.0)))


@lru_cache
def _house() -> Shape:
    walls = box((-7.0, -6.0, 0.0), (7.0, 6.0, 12.0), "white")
    roof = prism(
        np.array([(-8.0, -7.0), (8.0, -7.0), (8.0, 7.0), (-8.0, 7.0)]), 12.0, 22.0, "dark_red", 0.15
    )
    return Shape("house", (walls, roof))


def camps(state: State) -> Iterator[Placed]:
    """Yield the camps: a tent in the colour of its player, lower and grey if it is sacked."""
    colours = shown_players(state.setting.colours)
    for player, camp in enumerate(state.camps):
        if camp is not None:
            x, y = state.setting.grid.xy(camp)
            at = ((x + 0.5) * SQUARE_MM, (y + 0.5) * SQUARE_MM, level_mm(state.setting, camp))
            name = state.setting.players[player]
            is_sacked = state.sacked[player]
            yield Placed(
                f"camp {name}",
                _tent(is_sacked),
                at,
                colours={} if is_sacked else {"grey": colours[player]},
            )


@lru_cache
def _tent(is_sacked: bool) -> Shape:
    half = 0.36 * SQUARE_MM
    outline = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    return Shape(
        f"tent {is_sacked}", (prism(outline, 0.0, 6.0 if is_sacked else 26.0, "grey", 0.12),)
    )
