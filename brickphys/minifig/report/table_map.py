"""Table map: the table in characters, with its ground, walls, things and items, and a letter for each figure."""

from collections.abc import Iterator
from math import ceil, dist

import numpy as np

from brickphys.geometry.polygon import TOLERANCE, Point, Polygon
from brickphys.minifig.field.ground import BREACH_BRICKS
from brickphys.minifig.sheets.charts import ThingKind
from brickphys.minifig.state.setting import Setting, Zone, ZoneKind
from brickphys.minifig.state.state import State
from brickphys.rules.aims.aims import RoundLimit
from brickphys.rules.report.char_map import CharMap
from brickphys.rules.report.ink import Ink, Tone
from brickphys.rules.report.status import letters
from brickphys.rules.scenario.map_writer import text_map
from brickphys.text import counted

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

    Of figures in one square, all but the first are shown in the nearest one that no figure has.
    """
    setting = state.setting
    wide = _LEAST_IN * ceil(setting.width_in / _LEAST_IN / _COLUMNS)
    square = wide, _LINE * wide
    size = ceil(setting.width_in / square[0]), ceil(setting.length_in / square[1])
    signs = dict(_ground(setting, square, size)) | dict(_walls(state, square, size))
    signs |= {_cell(at, square, size): _ITEM for at in _lying(state)}
    for number in state.standing_things():
        thing = state.things[number]
        signs[_cell(thing.place_in, square, size)] = _thing_sign(setting.things[number].kind)
    known, taken = figure_letters(setting), set[_Cell]()
    for number in state.alive:
        cell = _free(_cell(state.figures[number].place_in, square, size), taken, size)
        taken.add(cell)
        signs[cell] = known[number]
    squares = [signs.get((x, y), _OPEN) for y in range(size[1]) for x in range(size[0])]
    owners: dict[str, Tone] = {known[one]: setting.figures[one].player for one in state.alive}
    return text_map(size[0], squares, _MEANINGS | _names(state), square, inks=_INKS | owners)


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


def _ground(setting: Setting, square: _Square, size: _Cell) -> Iterator[tuple[_Cell, str]]:
    """Yield the squares whose middles are in zones or in areas of aims; in both, squares of either take turns."""
    outlines = [(Polygon(np.array(zone.corners_in)), _zone_sign(zone)) for zone in setting.zones]
    areas = [aim.area for aim in setting.aims if not isinstance(aim, RoundLimit)]
    for x in range(size[0]):
        for y in range(size[1]):
            middle = (x + 0.5) * square[0], (y + 0.5) * square[1]
            zones = [
                sign
                for outline, sign in outlines
                if (outline.normals @ middle <= outline.offsets_studs + TOLERANCE).all()
            ]
            yield from (((x, y), sign) for sign in zones)
            if any(area.contains(middle) for area in areas) and not (zones and (x + y) % 2):
                yield (x, y), _AIM


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


def _lying(state: State) -> Iterator[Point]:
    return (item.at_in for item in state.items if item.at_in is not None)


def _thing_sign(kind: ThingKind) -> str:
    if kind.is_ridden:
        return _HORSE
    return _WAGON if kind.is_hauled else _CATAPULT


def _names(state: State) -> dict[str, str]:
    """Return the meanings of the signs of things and items, which name them."""
    found: dict[str, list[str]] = {}
    for number in state.standing_things():
        spec = state.setting.things[number]
        found.setdefault(_thing_sign(spec.kind), []).append(spec.name)
    lying = zip(state.setting.items, state.items, strict=True)
    if items := [known.name for known, item in lying if item.at_in is not None]:
        found[_ITEM] = items
    return {sign: ", ".join(names) for sign, names in found.items()}
