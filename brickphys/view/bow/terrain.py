"""Terrain of BOW: ground of bricks with their studs, walls with their courses, doors that open, trees."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

import numpy as np

from brickphys.arrays import Array
from brickphys.bow.field.field import Decor, DecorType, Field
from brickphys.grid.bitset import each
from brickphys.plots.bow.colors import decor_color, ground_colors
from brickphys.text import spoken
from brickphys.units import PLATE_MM, STUD_MM
from brickphys.view.builder import Placed
from brickphys.view.recording import Shape, Surface
from brickphys.view.shapes.solids import (
    box,
    courses,
    hex_of_rgb,
    merged,
    moved,
    prism,
    rectangles,
    stud,
)
from brickphys.view.shapes.tree import tree

_THICK_MM = 9.6
_MOST_STUDS = 8000
"""A larger field is smooth: its studs would be too small to see."""
_OPEN_DEG = 80.0


@lru_cache(maxsize=16)
def fixed(field: Field) -> tuple[Placed, ...]:
    """Return what never changes on a field: the ground, its studs, and all decor that does not open."""
    shut = [decor for decor in field.decor if not decor.kind.opens]
    return (*_ground(field), *(_decor(decor) for decor in shut))


@lru_cache(maxsize=256)
def doors(field: Field, open_ids: frozenset[str]) -> tuple[Placed, ...]:
    """Return the doors and windows; an open one is turned about its first corner."""
    return tuple(_door(decor, is_open=name in open_ids) for name, decor in field.doors.items())


def _ground(field: Field) -> Iterator[Placed]:
    heights = np.array(field.grounds_plates).reshape(field.length, field.width)
    levels = np.unique(heights)
    colours = [hex_of_rgb(color) for color in ground_colors(levels).tolist()]
    blocks = [
        box(
            (x * STUD_MM, y * STUD_MM, -_THICK_MM),
            (right * STUD_MM, far * STUD_MM, level * PLATE_MM),
            colour,
        )
        for level, colour in zip(levels.tolist(), colours, strict=True)
        for x, y, right, far in rectangles(heights == level)
        if level * PLATE_MM > -_THICK_MM
    ]
    yield Placed("ground", Shape("ground", merged(blocks)))
    if heights.size > _MOST_STUDS:
        return
    covered = {one for name in field.whole for one in each(field.decor_studs[name])}
    for level, colour in zip(levels.tolist(), colours, strict=True):
        rows, columns = np.nonzero(heights == level)
        places = tuple(
            ((x + 0.5) * STUD_MM, (y + 0.5) * STUD_MM, level * PLATE_MM)
            for x, y in zip(columns.tolist(), rows.tolist(), strict=True)
            if y * field.width + x not in covered
        )
        if places:
            yield Placed(f"studs {level:g}", stud(colour), copies_mm=places)


def _decor(decor: Decor) -> Placed:
    low, high = decor.bottom_plates * PLATE_MM, decor.top_plates * PLATE_MM
    outline = decor.footprint.vertices_studs * STUD_MM
    colour = hex_of_rgb(decor_color(decor))
    parts = (
        tree(outline, low, high)
        if decor.kind is DecorType.TREE
        else _bricks(outline, low, high, colour)
    )
    name = f"decor {decor.id}"
    return Placed(name, Shape(name, merged(parts)), label=decor.kind.value)


def _bricks(outline: Array, low: float, high: float, colour: str) -> Iterator[Surface]:
    """Yield a block with the joints of its courses, and the studs that are whole on it."""
    yield prism(outline, low, high, colour)
    if (joints := courses(outline, low, high, "black")) is not None:
        yield joints
    for place in _studs_on(outline):
        yield moved(stud(colour).surfaces[0], (*place, high))


def _studs_on(outline: Array) -> list[tuple[float, float]]:
    """Return the middles of the studs of the field that are whole on an outline."""
    (x, y), (right, far) = (
        (outline.min(axis=0) / STUD_MM).round(6),
        (outline.max(axis=0) / STUD_MM).round(6),
    )
    columns, rows = (
        np.arange(np.floor(x), np.ceil(right)) + 0.5,
        np.arange(np.floor(y), np.ceil(far)) + 0.5,
    )
    places = np.array(list(product(columns, rows))).reshape(-1, 2) * STUD_MM
    sides = np.roll(outline, -1, axis=0) - outline
    normals = np.column_stack([sides[:, 1], -sides[:, 0]]) / np.hypot(*sides.T)[:, None]
    room = (outline * normals).sum(axis=1) - places @ normals.T
    return [(a, b) for a, b in places[(room >= 0.3 * STUD_MM).all(axis=1)].tolist()]


def _door(decor: Decor, *, is_open: bool) -> Placed:
    outline = decor.footprint.vertices_studs * STUD_MM
    hinge = outline[0]
    colour = (
        "glass"
        if decor.kind is DecorType.WINDOW and not decor.color
        else hex_of_rgb(decor_color(decor))
    )
    leaf = prism(
        outline - hinge, decor.bottom_plates * PLATE_MM, decor.top_plates * PLATE_MM, colour
    )
    x, y = hinge.tolist()
    turn = _OPEN_DEG if is_open else 0.0
    key = f"door {decor.id}"
    return Placed(key, Shape(key, (leaf,)), (x, y, 0.0), turn, label=spoken(decor.id))
