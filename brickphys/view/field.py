"""Field: the field of a vehicle's move, and what stands on it, as models or as blocks over their footprints."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from brickphys.arrays import Array
from brickphys.geometry.polygon import Polygon
from brickphys.shapes.assembly_file import assembly
from brickphys.units import PLATE_MM, STUD_MM
from brickphys.vehicles.physics.blocks import block, riders
from brickphys.vehicles.physics.masses import FIGURE
from brickphys.vehicles.scene import Bounds, Scene, ThingType, Unit
from brickphys.vehicles.scene import Thing as SceneThing
from brickphys.view.colours import shown_players
from brickphys.view.recording import Ruler, Shape, Thing, Track, View, box_around, standing
from brickphys.view.shapes.built import model
from brickphys.view.shapes.solids import board, courses, grid, merged, moved, prism, stud

_GROUND, _EDGE, _LINES = "#79a866", "#8c6b47", "#5f8a50"
_MOVER, _VEHICLE = shown_players(("blue", "red"))
TAGS = {ThingType.UNIT: "#fac80a", ThingType.DECOR: "#8d8d88", ThingType.VEHICLE: _VEHICLE}
_THICK_MM = 12.0
_MOST_LINES, _MOST_STUDS = 300, 200
_ROOM_MM = 6 * STUD_MM
WHOLE_FIELD = "the whole field"
"""Name of the view that shows all of it."""
_FIELD = ""
"""Its id: no thing of a scene has an empty one."""


@dataclass(frozen=True, eq=False)
class Body:
    """What stands on a field: its name for people, the colour of its name, its looks, and its pose at the start."""

    id: str
    tag: str
    shape: Shape
    pose: Array


def bodies(scene: Scene) -> Iterator[Body]:
    """Yield the things of a scene, the mover first, then their exposed crew."""
    things = [scene.mover, *(thing for thing in scene.things if thing is not scene.mover)]
    for thing in things:
        tag = _MOVER if thing is scene.mover else TAGS[thing.type]
        yield Body(thing.id, tag, _shape(thing, tag), pose_of(thing))
    for thing in things:
        for name, _ in riders(thing):
            shape = _lifted(name, thing.top_plates - assembly(name.partition("/")[0]).top_plates)
            yield Body(f"{thing.id}/{name.partition('/')[2]}", "", shape, pose_of(thing))


def pose_of(thing: SceneThing) -> Array:
    """Return the pose, shape (7,), of a thing's own frame on the field."""
    found = block(thing)
    return standing(*found.position_mm, 0.0, found.heading_deg)


def _shape(thing: SceneThing, colour: str) -> Shape:
    """Return the looks of a thing in its own frame: its model, or a block with the joints of its bricks and studs."""
    name = thing.model or (FIGURE if isinstance(thing, Unit) else None)
    if name is not None:
        return _lifted(name, thing.bottom_plates - assembly(name).bottom_plates)
    low, high = thing.bottom_plates * PLATE_MM, thing.top_plates * PLATE_MM
    outline = block(thing).outline_mm
    joints = courses(outline, low, high, "black")
    studs = [moved(stud(colour).surfaces[0], (*at, high)) for at in _inside(outline).tolist()]
    surfaces = [prism(outline, low, high, colour), *([joints] if joints else []), *studs]
    return Shape(f"block of {thing.id}", merged(surfaces))


def _lifted(name: str, plates: float) -> Shape:
    """Return a model, so many plates higher than it is built."""
    built = model(name)
    if not plates:
        return built
    up = (0.0, 0.0, plates * PLATE_MM)
    return Shape(f"{name} up {plates:g}", tuple(moved(one, up) for one in built.surfaces))


def _inside(outline_mm: Array) -> Array:
    """Return where whole studs are on a block, shape (n, 2); none on one that is very large."""
    low, high = outline_mm.min(axis=0), outline_mm.max(axis=0)
    counts = np.floor((high - low) / STUD_MM + 1e-9)
    if not 0 < counts.prod() <= _MOST_STUDS:
        return np.empty((0, 2))
    axes = [
        middle + STUD_MM * (np.arange(count) - (count - 1) / 2)
        for middle, count in zip((low + high) / 2, counts, strict=True)
    ]
    places = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    plan = Polygon(outline_mm)
    reach = places @ plan.normals.T
    return places[(reach <= plan.offsets_studs - 0.3 * STUD_MM).all(axis=1)]


def ground(bounds: Bounds) -> Thing:
    """Return the field as a board, with lines one stud apart, or farther apart on a large field."""
    size = (bounds.width_studs * STUD_MM, bounds.height_studs * STUD_MM)
    cell = STUD_MM
    while sum(size) / cell > _MOST_LINES:
        cell *= 4
    surfaces = [
        *board((0.0, 0.0), size, _GROUND, _EDGE, _THICK_MM),
        grid((0.0, 0.0), size, cell, 0.03, _LINES),
    ]
    return Thing(_FIELD, Shape("field", merged(surfaces)), Track.fixed(standing(0.0, 0.0)))


def ruler(bounds: Bounds) -> Ruler:
    """Return how the places of a field are named: in studs; headings are degrees."""
    return Ruler(STUD_MM, bounds.width_studs, bounds.height_studs, in_degrees=True)


def views(scene: Scene, places_mm: Array) -> Iterator[View]:
    """Yield views of what happens at some places, shape (n, 3), over the shoulder of the mover and from above."""
    low, high = box_around(places_mm, _ROOM_MM)
    low, high = (*low[:2], 0.0), (*high[:2], max(high[2] - _ROOM_MM, 40.0))
    azimuth = -90.0 + (-25.0 if scene.mover.heading[0] >= 0 else 25.0)
    yield View("from the side", azimuth, 28.0, low, high)
    yield View("behind the mover", scene.mover.heading_deg + 180.0, 22.0, low, high)
    yield View("from above", -90.0, 89.0, low, high)
    whole = (scene.bounds.width_studs * STUD_MM, scene.bounds.height_studs * STUD_MM, 40.0)
    yield View(WHOLE_FIELD, azimuth, 40.0, (0.0, 0.0, 0.0), whole)
