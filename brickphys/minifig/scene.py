"""Scene: figures, things and items on the table, trees in its woods; and the map of the table in characters."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache, partial
from math import ceil, dist
from typing import Any, NamedTuple

import numpy as np

from brickphys.geometry.polygon import TOLERANCE, Point, Polygon
from brickphys.minifig.ground import BREACH_BRICKS, height_bricks
from brickphys.minifig.setting import Setting, Zone, ZoneKind
from brickphys.minifig.sheets import BASE_RADIUS_IN, Arm, Kind, ThingKind
from brickphys.minifig.state import State
from brickphys.rules.aims import RoundLimit
from brickphys.rules.report.char_map import CharMap, Ink, Tone, text_map
from brickphys.rules.report.story import letters
from brickphys.rules.scene import Piece, Scene
from brickphys.text import counted, short_names, spoken
from brickphys.units import BRICK_MM, Array

LOADED = "loaded"
"""The mark of a catapult."""
_SHOULDERS_IN, _ITEM_IN = 0.36, 0.45
"""Half the width of a figure and of an item in pictures."""


class Looks(NamedTuple):
    """What a figure is, what it has, the colour of its base, and what it rides."""

    kind: Kind
    arms: tuple[Arm, ...]
    base: str
    horse: ThingKind | None = None

    @property
    def is_dog(self) -> bool:
        """Whether it has four legs."""
        return self.kind.body == "dog"


def battle_scene(state: State) -> Scene:
    """Return the table with all that stands or lies on it."""
    setting = state.setting
    names = (spec.name for spec in setting.figures)
    known = dict(zip(names, figure_letters(setting), strict=True))
    size = setting.width_in, setting.length_in
    return Scene(size, setting.players, setting.colours, partial(_pieces, state), known)


def _pieces(state: State) -> Iterator[Piece]:
    setting, known = state.setting, figure_letters(state.setting)
    called = short_names([one.name for one in setting.figures], setting.players)
    for number in state.alive:
        spec, figure = setting.figures[number], state.figures[number]
        horse = None if figure.horse is None else setting.things[figure.horse].kind
        looks = Looks(spec.kind, state.arms(number), setting.colour(number), horse)
        yield Piece(
            spec.name, "figure", figure.place_in, figure.facing_deg, looks,
            spec.player, _height_mm(state, figure.place_in), spec.name, called[spec.name],
            known[number], radius=BASE_RADIUS_IN if looks.is_dog else _SHOULDERS_IN,
        )  # fmt: skip
    for number in state.standing_things():
        thing_spec, thing = setting.things[number], state.things[number]
        kind = thing_spec.kind
        yield Piece(
            f"thing {thing_spec.name}", "thing", thing.place_in, thing.facing_deg, kind,
            height_mm=_height_mm(state, thing.place_in), name=thing_spec.name,
            label=spoken(thing_spec.name), marks=(LOADED,) * thing.is_loaded,
            radius=kind.radius_in,
        )  # fmt: skip
    yield from _items(state)


def _items(state: State) -> Iterator[Piece]:
    """Yield the items that lie about in their order; the first of those at one place is named after all of them."""
    pairs = zip(state.setting.items, state.items, strict=True)
    lying = [
        (n, spec, item.at_in) for n, (spec, item) in enumerate(pairs) if item.at_in is not None
    ]
    found: dict[Point, list[str]] = {}
    for _, spec, at in lying:
        found.setdefault(at, []).append(spoken(spec.arm.name))
    before = Counter[Point]()
    for number, spec, at in lying:
        order = before[at]
        before[at] += 1
        yield Piece(
            f"item {number}", "item", at, what=spec.arm.name, height_mm=_height_mm(state, at),
            name=spec.name, label=", ".join(found[at]) if order == 0 else "", order=order,
            radius=_ITEM_IN,
        )  # fmt: skip


def _height_mm(state: State, place: Point) -> float:
    return height_bricks(state.setting, place) * BRICK_MM


TREE_IN = 0.42
"""Radius of a crown."""
_APART_IN = 1.25


def tree_places(corners: Array) -> Array:
    """Return places of trees in a zone, shape (n, 2): a lattice, every second row shifted by half."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    rows = (
        np.linspace(a + TREE_IN, b - TREE_IN, max(1, round((b - a) / _APART_IN)))
        for a, b in zip(low.tolist(), high.tolist(), strict=True)
    )
    x, y = np.meshgrid(*rows)
    x += (np.arange(len(x)) % 2 * _APART_IN / 2)[:, None]
    found = np.stack([x.ravel(), y.ravel()], axis=1)
    outline = Polygon(corners)
    inside = found @ outline.normals.T <= outline.offsets_studs - 0.99 * TREE_IN
    return found[inside.all(axis=1)]


_OPEN, _AIM, _ITEM, _UNNAMED = ".", ":", "!", "@"
_WOODS, _WATER, _HIGHEST_HILL = '"', "~", 9
_LOW_WALL, _WALL = "-", "#"
_HORSE, _WAGON, _CATAPULT = "&", "%", "$"
_MEANINGS = {
    _WOODS: "woods",
    _WATER: "water",
    **{
        str(
            bricks
        ): f"hill, {counted(bricks, 'brick')} high{' or more' * (bricks == _HIGHEST_HILL)}"
        for bricks in range(1, _HIGHEST_HILL + 1)
    },
    _AIM: "area of an aim",
    _LOW_WALL: "wall one brick high: figures walk over it",
    _WALL: "wall",
}
_INKS: dict[str, Tone] = {
    _OPEN: Ink.QUIET,
    _AIM: Ink.QUIET,
    _WOODS: Ink.PLANTS,
    _WATER: Ink.WATER,
    **dict.fromkeys((*"123456789", _LOW_WALL, _WALL), Ink.STONE),
}
_COLUMNS = 80
"""Largest number of characters in a line."""
_LEAST_IN = 0.5
"""Smallest width of a character; other widths are multiples of it."""
_LINE = 2
"""A character is about twice as high as wide."""
_Cell = tuple[int, int]
_Square = tuple[float, float]


def figure_letters(setting: Setting) -> tuple[str, ...]:
    """Return the letter of each figure on maps and pictures."""
    return letters((figure.player for figure in setting.figures), "", _UNNAMED)


def table_map(state: State) -> CharMap:
    """Return the table in characters with its legend: +y is up, a character is half an inch wide or more.

    It shows ground, walls, things and items, and a letter for each figure. Of figures in one square, all but the first
    are shown in the nearest one that no figure has.
    """
    setting, pieces = state.setting, battle_scene(state).pieces
    wide = _LEAST_IN * ceil(setting.width_in / _LEAST_IN / _COLUMNS)
    square = wide, _LINE * wide
    size = ceil(setting.width_in / square[0]), ceil(setting.length_in / square[1])
    signs = _ground(setting.zones, setting.aims, square, size) | dict(_walls(state, square, size))
    figures = [one for one in pieces if one.letter]
    others = [(_sign(one), one) for kind in ("item", "thing") for one in pieces if one.kind == kind]
    signs |= {_cell(one.at, square, size): sign for sign, one in others}
    taken, named = set[_Cell](), dict[str, list[str]]()
    for one in figures:
        cell = _free(_cell(one.at, square, size), taken, size)
        taken.add(cell)
        signs[cell] = one.letter
    for sign, one in sorted(others, key=lambda pair: pair[1].kind == "item"):
        named.setdefault(sign, []).append(one.name)
    meanings = _MEANINGS | {sign: ", ".join(names) for sign, names in named.items()}
    squares = [signs.get((x, y), _OPEN) for y in range(size[1]) for x in range(size[0])]
    inks = _INKS | {one.letter: one.player for one in figures}
    return text_map(size[0], squares, meanings, square, inks=inks)


def _cell(at: Point, square: _Square, size: _Cell) -> _Cell:
    """Return the square of a place on the table; its upper and right borders belong to the last squares."""
    x, y = (
        min(int(one // side), last - 1) for one, side, last in zip(at, square, size, strict=True)
    )
    return x, y


def _free(cell: _Cell, taken: set[_Cell], size: _Cell) -> _Cell:
    """Return the nearest square that is not taken."""
    free = ((x, y) for x in range(size[0]) for y in range(size[1]) if (x, y) not in taken)
    return cell if cell not in taken else min(free, key=lambda one: dist(one, cell))


@lru_cache(maxsize=8)
def _ground(
    zones: tuple[Zone, ...], aims: tuple[Any, ...], square: _Square, size: _Cell
) -> dict[_Cell, str]:
    """Return the squares whose middles are in zones or in areas of aims; in both, squares of either take turns."""
    outlines = [(Polygon(np.array(zone.corners_in)), _zone_sign(zone)) for zone in zones]
    areas = [aim.area for aim in aims if not isinstance(aim, RoundLimit)]
    signs = dict[_Cell, str]()
    for x in range(size[0]):
        for y in range(size[1]):
            middle = (x + 0.5) * square[0], (y + 0.5) * square[1]
            found = [
                sign
                for outline, sign in outlines
                if (outline.normals @ middle <= outline.offsets_studs + TOLERANCE).all()
            ]
            if any(area.contains(middle) for area in areas) and not (found and (x + y) % 2):
                signs[x, y] = _AIM
            elif found:
                signs[x, y] = found[-1]
    return signs


def _zone_sign(zone: Zone) -> str:
    if zone.kind is ZoneKind.HILL:
        return str(min(zone.height_bricks, _HIGHEST_HILL))
    return _WOODS if zone.kind is ZoneKind.WOODS else _WATER


def _walls(state: State, square: _Square, size: _Cell) -> Iterator[tuple[_Cell, str]]:
    """Yield the squares in which the middles of the studs of walls are."""
    for wall, out in zip(state.setting.walls, state.walls, strict=True):
        for run in wall.runs(out):
            sign = _LOW_WALL if run.height_bricks <= BREACH_BRICKS else _WALL
            for stud in range(run.first_stud, run.end_stud):
                (x, y), _, (far_x, far_y), _ = wall.corners_in(stud, stud + 1)
                yield _cell(((x + far_x) / 2, (y + far_y) / 2), square, size), sign


def _sign(piece: Piece) -> str:
    if piece.kind == "item":
        return _ITEM
    if piece.what.is_ridden:
        return _HORSE
    return _WAGON if piece.what.is_hauled else _CATAPULT
