"""BOW in three dimensions: ground and decor, figures, vehicles and objects."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product
from typing import ClassVar

import numpy as np

from brickphys.bow.field import Decor, DecorType, Field
from brickphys.bow.scene import battle_scene, held
from brickphys.bow.sheets.plate import PlateSheet
from brickphys.bow.sheets.sheet import VehicleSheet
from brickphys.bow.state import State
from brickphys.geometry.polygon import Point, rectangle
from brickphys.grid.grid import each
from brickphys.plots.games.bow_colors import decor_color, ground_colors
from brickphys.rules.scene import Piece, Scene
from brickphys.shapes.assembly import RigidBody, assembly
from brickphys.text import spoken
from brickphys.units import PLATE_MM, STUD_MM, Array, Triple
from brickphys.view import solids
from brickphys.view.builder import TO_US_DEG, Builder, PlacedShape
from brickphys.view.models import figure, lying, model, torso_of
from brickphys.view.recording import Ruler, SceneShape, SceneSurface

_THICK_MM = 9.6
_MOST_STUDS = 8000
"""A larger field is smooth: its studs would be too small to see."""
_OPEN_DEG = 80.0


@lru_cache(maxsize=16)
def fixed(field: Field) -> tuple[PlacedShape, ...]:
    """Return what never changes on a field: the ground, its studs, and all decor that does not open."""
    shut = [decor for decor in field.decor if not decor.kind.opens]
    return (*_ground(field), *(_decor(decor) for decor in shut))


@lru_cache(maxsize=256)
def doors(field: Field, open_ids: frozenset[str]) -> tuple[PlacedShape, ...]:
    """Return the doors and windows; an open one is turned about its first corner."""
    return tuple(_door(decor, is_open=name in open_ids) for name, decor in field.doors.items())


def _ground(field: Field) -> Iterator[PlacedShape]:
    heights = np.array(field.grounds_plates).reshape(field.length, field.width)
    levels = np.unique(heights)
    colours = [solids.hex_of_rgb(color) for color in ground_colors(levels).tolist()]
    blocks = [
        solids.box(
            (x * STUD_MM, y * STUD_MM, -_THICK_MM),
            (right * STUD_MM, far * STUD_MM, level * PLATE_MM),
            colour,
        )
        for level, colour in zip(levels.tolist(), colours, strict=True)
        for x, y, right, far in solids.rectangles(heights == level)
        if level * PLATE_MM > -_THICK_MM
    ]
    yield PlacedShape("ground", SceneShape("ground", solids.merged(blocks)))
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
            yield PlacedShape(f"studs {level:g}", solids.stud(colour), copies_mm=places)


def _decor(decor: Decor) -> PlacedShape:
    low, high = decor.bottom_plates * PLATE_MM, decor.top_plates * PLATE_MM
    outline = decor.footprint.vertices_studs * STUD_MM
    colour = solids.hex_of_rgb(decor_color(decor))
    parts = (
        solids.tree(outline, low, high)
        if decor.kind is DecorType.TREE
        else _bricks(outline, low, high, colour)
    )
    name = f"decor {decor.id}"
    return PlacedShape(name, SceneShape(name, solids.merged(parts)), label=decor.kind.value)


def _bricks(outline: Array, low: float, high: float, colour: str) -> Iterator[SceneSurface]:
    """Yield a block with the joints of its courses, and the studs that are whole on it."""
    yield solids.prism(outline, low, high, colour)
    if (joints := solids.courses(outline, low, high, "black")) is not None:
        yield joints
    for place in _studs_on(outline):
        yield solids.moved(solids.stud(colour).surfaces[0], (*place, high))


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


def _door(decor: Decor, *, is_open: bool) -> PlacedShape:
    outline = decor.footprint.vertices_studs * STUD_MM
    hinge = outline[0]
    colour = (
        "glass"
        if decor.kind is DecorType.WINDOW and not decor.color
        else solids.hex_of_rgb(decor_color(decor))
    )
    leaf = solids.prism(
        outline - hinge, decor.bottom_plates * PLATE_MM, decor.top_plates * PLATE_MM, colour
    )
    x, y = hinge.tolist()
    turn = _OPEN_DEG if is_open else 0.0
    key = f"door {decor.id}"
    return PlacedShape(key, SceneShape(key, (leaf,)), (x, y, 0.0), turn, label=spoken(decor.id))


_BEHIND_MM = 2.5 * STUD_MM
"""How far one sits behind another who sits in the middle."""


def _at_mm(one: Piece) -> Triple:
    return one.at[0] * STUD_MM, one.at[1] * STUD_MM, one.height_mm


def _figure(scene: Scene, one: Piece) -> Iterator[PlacedShape]:
    """Yield a unit on foot; `_vehicle` yields those in seats."""
    if not one.parent:
        colour = solids.shown_colour(scene, one)
        yield from figure(one.id, _at_mm(one), one.heading_deg, colour, one.what, one.label)


def _vehicle(scene: Scene, one: Piece) -> Iterator[PlacedShape]:
    """Yield a vehicle, and who sits exposed in its model: like its crew, others beside or behind the first of it."""
    (x, y, height), sheet, colour = _at_mm(one), one.what.sheet, solids.shown_colour(scene, one)
    crew: tuple[RigidBody, ...] = ()
    if sheet.model is not None:
        built = assembly(sheet.model)
        height, crew = (one.what.body.bottom_plates - built.bottom_plates) * PLATE_MM, built.crew
    shape = _vehicle_shape(one.id, sheet, colour)
    yield PlacedShape(one.id, shape, (x, y, height), one.heading_deg, one.label, colour)
    free = list(crew)
    seated = sorted(scene.of("figure", one.id), key=lambda sitting: sitting.order)
    for sitting in seated if crew else ():
        seats = (body for body in free if body.name.endswith(f"/{sitting.what}"))
        own, shift = next(seats, free[0] if free else None), (0.0, 0.0, 0.0)
        if own is None:
            own, shift = crew[0], _other_seat(crew[0])
        else:
            free.remove(own)
        colours = {torso_of(own): solids.shown_colour(scene, sitting)}
        yield PlacedShape(sitting.id, model(own.name), shift, colours=colours, parent=one.id)


def _vehicle_shape(name: str, sheet: VehicleSheet, colour: str) -> SceneShape:
    """Return the built model of a vehicle, or the box over its footprint where there is none."""
    if sheet.model is not None:
        return model(sheet.model)
    size = sheet.footprint
    outline = rectangle(0.0, 0.0, 0.0, size.length_studs, size.width_studs).vertices_studs * STUD_MM
    height = (size.top_plates - size.bottom_plates) * PLATE_MM
    return SceneShape(name, (solids.prism(outline, 0.0, height, colour),))


def _other_seat(body: RigidBody) -> tuple[float, float, float]:
    """Return where another one sits: on the other side, or behind who sits in the middle."""
    aside = body.prism.y_studs * STUD_MM
    return (0.0, -2 * aside, 0.0) if abs(aside) > 0.3 * STUD_MM else (-_BEHIND_MM, 0.0, 0.0)


class BowBuilder(Builder[State]):
    """Builds a battle of BOW."""

    unit_mm = STUD_MM
    kinds: ClassVar = {
        "vehicle": _vehicle,
        "figure": _figure,
        "object": lambda _, one: [
            PlacedShape(one.id, lying(one.what), _at_mm(one), 45.0, one.label)
        ],
    }

    scene = staticmethod(battle_scene)

    def ruler(self, state: State) -> Ruler:
        field = state.setting.field
        return Ruler.of_squares(STUD_MM, range(field.width), range(field.length))

    def ground(self, state: State) -> Iterable[PlacedShape]:
        field = state.setting.field
        return (*fixed(field), *doors(field, state.open_ids))

    def sheet(self, sheet: PlateSheet, colour: str) -> Iterator[PlacedShape]:
        one, name = sheet.sheet, spoken(sheet.name)
        if isinstance(one, VehicleSheet):
            shape = _vehicle_shape(f"vehicle {sheet.name}", one, colour)
            yield PlacedShape(sheet.name, shape, heading_deg=TO_US_DEG, label=name, tag=colour)
        else:
            yield from figure(sheet.name, (0.0, 0.0, 0.0), TO_US_DEG, colour, held(one), name)

    def height_mm(self, state: State, place: Point) -> float:
        field = state.setting.field
        x, y = int(place[0]), int(place[1])
        return field.levels_plates[y * field.width + x] * PLATE_MM if field.contains(x, y) else 0.0
