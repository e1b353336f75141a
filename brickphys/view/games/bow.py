"""BOW in three dimensions: ground and decor, figures, vehicles and objects."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product

import numpy as np

from brickphys.bow.actions.movement import is_enclosed
from brickphys.bow.army import PlateSheet
from brickphys.bow.field import Decor, DecorType, Field
from brickphys.bow.setting import Setting
from brickphys.bow.sheets.sheet import VehicleSheet
from brickphys.bow.state import State
from brickphys.geometry.polygon import Point, rectangle
from brickphys.grid.grid import each
from brickphys.plots.games.bow_colors import decor_color, ground_colors
from brickphys.shapes.assembly import RigidBody, assembly
from brickphys.text import short_names, spoken
from brickphys.units import PLATE_MM, STUD_MM, Array
from brickphys.view.builder import TO_US_DEG, Builder, PlacedShape
from brickphys.view.models import figure, lying, model, torso_of
from brickphys.view.recording import Ruler, SceneShape, SceneSurface
from brickphys.view.solids import (
    box,
    courses,
    hex_of_rgb,
    merged,
    moved,
    prism,
    rectangles,
    shown_players,
    stud,
    tree,
)

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
    yield PlacedShape("ground", SceneShape("ground", merged(blocks)))
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
            yield PlacedShape(f"studs {level:g}", stud(colour), copies_mm=places)


def _decor(decor: Decor) -> PlacedShape:
    low, high = decor.bottom_plates * PLATE_MM, decor.top_plates * PLATE_MM
    outline = decor.footprint.vertices_studs * STUD_MM
    colour = hex_of_rgb(decor_color(decor))
    parts = (
        tree(outline, low, high)
        if decor.kind is DecorType.TREE
        else _bricks(outline, low, high, colour)
    )
    name = f"decor {decor.id}"
    return PlacedShape(name, SceneShape(name, merged(parts)), label=decor.kind.value)


def _bricks(outline: Array, low: float, high: float, colour: str) -> Iterator[SceneSurface]:
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


def _door(decor: Decor, *, is_open: bool) -> PlacedShape:
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
    return PlacedShape(key, SceneShape(key, (leaf,)), (x, y, 0.0), turn, label=spoken(decor.id))


_BEHIND_MM = 2.5 * STUD_MM
"""How far one sits behind another who sits in the middle."""


class BowBuilder(Builder[State]):
    """Builds a battle of BOW."""

    unit_mm = STUD_MM

    def size(self, state: State) -> tuple[float, float]:
        return state.setting.field.width, state.setting.field.length

    def ruler(self, state: State) -> Ruler:
        field = state.setting.field
        return Ruler.of_squares(STUD_MM, range(field.width), range(field.length))

    def players(self, state: State) -> tuple[str, ...]:
        return state.setting.players

    def ground(self, state: State) -> Iterable[PlacedShape]:
        field = state.setting.field
        return (*fixed(field), *doors(field, state.open_ids))

    def pieces(self, state: State) -> Iterator[PlacedShape]:
        setting = state.setting
        colours, names = shown_players(setting.colours), _names(setting)
        for number in state.vehicles_left:
            vehicle = setting.vehicles[number]
            yield from _vehicle(state, number, names[vehicle.name], colours[vehicle.player])
        for unit, unit_state in state.in_play():
            spec = setting.units[unit]
            if not (unit_state.rides or is_enclosed(state, unit)):
                x, y, level = state.stance(unit)
                held = [
                    item.name for item in (*unit_state.sheet.gear.held, *unit_state.sheet.gear.worn)
                ]
                at = (x * STUD_MM, y * STUD_MM, level * PLATE_MM)
                heading, colour = state.heading_deg(unit), colours[spec.player]
                yield from figure(spec.name, at, heading, colour, held, names[spec.name])
        yield from _objects(state)

    def sheet(self, sheet: PlateSheet, colour: str) -> Iterator[PlacedShape]:
        one, name = sheet.sheet, spoken(sheet.name)
        if isinstance(one, VehicleSheet):
            shape = _vehicle_shape(one, colour)
            yield PlacedShape(sheet.name, shape, heading_deg=TO_US_DEG, label=name, tag=colour)
        else:
            held = [item.name for item in (*one.gear.held, *one.gear.worn)]
            yield from figure(sheet.name, (0.0, 0.0, 0.0), TO_US_DEG, colour, held, name)

    def height_mm(self, state: State, place: Point) -> float:
        field = state.setting.field
        x, y = int(place[0]), int(place[1])
        return field.levels_plates[field.square(x, y)] * PLATE_MM if field.contains(x, y) else 0.0

    def place_text(self, state: State, place: Point) -> str:
        x, y = place
        return f"{int(x)},{int(y)}"


def _names(setting: Setting) -> dict[str, str]:
    """Return what units and vehicles are called, all of the battle, so that no name changes when a unit is lost."""
    units, vehicles = (
        (spec.name for spec in setting.units),
        (spec.name for spec in setting.vehicles),
    )
    return short_names([*units, *vehicles], setting.players)


def _vehicle(state: State, number: int, name: str, colour: str) -> Iterator[PlacedShape]:
    spec, body = state.setting.vehicles[number], state.vehicle_body(number)
    model_name = spec.sheet.model
    key = f"vehicle {spec.name}"
    if model_name is None:
        at = (body.x_studs * STUD_MM, body.y_studs * STUD_MM, body.bottom_plates * PLATE_MM)
        shape = _block(f"vehicle {spec.name}", spec.sheet, colour)
        yield PlacedShape(key, shape, at, body.heading_deg, name, colour)
        return
    built = assembly(model_name)
    height = (body.bottom_plates - built.bottom_plates) * PLATE_MM
    at = (body.x_studs * STUD_MM, body.y_studs * STUD_MM, height)
    yield PlacedShape(key, model(model_name), at, body.heading_deg, name, colour)
    yield from _crew(state, number, key, built.crew)


def _block(name: str, sheet: VehicleSheet, colour: str) -> SceneShape:
    """Return a vehicle without a model: the box over its footprint."""
    size = sheet.footprint
    outline = rectangle(0.0, 0.0, 0.0, size.length_studs, size.width_studs).vertices_studs * STUD_MM
    height = (size.top_plates - size.bottom_plates) * PLATE_MM
    return SceneShape(name, (prism(outline, 0.0, height, colour),))


def _vehicle_shape(sheet: VehicleSheet, colour: str) -> SceneShape:
    """Return the built model of a vehicle, or its box where there is none."""
    if sheet.model is None:
        return _block(f"vehicle {sheet.name}", sheet, colour)
    return model(sheet.model)


def _crew(
    state: State, number: int, key: str, crew: tuple[RigidBody, ...]
) -> Iterator[PlacedShape]:
    """Yield who sits exposed in a vehicle: like the crew of its model, others beside or behind the first of it."""
    if not crew:
        return
    colours, free = shown_players(state.setting.colours), list(crew)
    for unit in state.occupants(number):
        if not state.units[unit].rides or is_enclosed(state, unit):
            continue
        seat = state.seat_of(unit)[1].name
        own = next(
            (one for one in free if one.name.endswith(f"/{seat}")), free[0] if free else None
        )
        shift = (0.0, 0.0, 0.0)
        if own is None:
            own, shift = crew[0], _other_seat(crew[0])
        else:
            free.remove(own)
        spec = state.setting.units[unit]
        colour = {torso_of(own): colours[spec.player]}
        yield PlacedShape(f"{key}/{spec.name}", model(own.name), shift, colours=colour, parent=key)


def _other_seat(body: RigidBody) -> tuple[float, float, float]:
    """Return where another one sits: on the other side, or behind who sits in the middle."""
    aside = body.prism.y_studs * STUD_MM
    return (0.0, -2 * aside, 0.0) if abs(aside) > 0.3 * STUD_MM else (-_BEHIND_MM, 0.0, 0.0)


def _objects(state: State) -> Iterator[PlacedShape]:
    """Yield the objects that lie about, several on a stud one above the other."""
    heights: dict[int, float] = {}
    for number, (at_stud, name) in enumerate(state.objects):
        x, y, level = state.setting.field.stances[at_stud]
        height = heights.get(at_stud, level * PLATE_MM)
        heights[at_stud] = height + PLATE_MM
        at = (x * STUD_MM, y * STUD_MM, height)
        yield PlacedShape(f"object {number} {name}", lying(name), at, 45.0, spoken(name))
