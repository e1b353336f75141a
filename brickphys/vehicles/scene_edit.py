"""Scene edit: a scene with one thing moved, turned, changed, added or taken out."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count, product
from math import dist
from typing import Any

import numpy as np

from brickphys.errors import InvalidValueError, unknown
from brickphys.geometry.polygon import Point, Polygon, rectangle, unit_vector
from brickphys.geometry.pose import Pose
from brickphys.geometry.shape import Part
from brickphys.shapes.assembly import Assembly, assembly, assembly_names
from brickphys.vehicles.scene import Fixture, Scene, Thing, ThingType, Unit, Vehicle

_PLACE = ("x_studs", "y_studs")
_SIZE = ("length_studs", "width_studs")
_HEIGHTS = ("bottom_plates", "top_plates")
_SIZES: dict[ThingType, dict[str, Any]] = {
    ThingType.VEHICLE: {"length_studs": 10.0, "width_studs": 6.0},
    ThingType.DECOR: {"length_studs": 8.0, "width_studs": 1.0},
}
"""Of a new thing without a model."""
_SEARCH_STUDS = 2.0
"""Distance of the places that are tried for a new thing."""
_MOST_TRIED = 4000
_ROUNDING = 1e-6
NAMES = {ThingType.VEHICLE: "vehicle", ThingType.UNIT: "figure", ThingType.DECOR: "wall"}
"""How new things are named."""
_GROUPS = {ThingType.VEHICLE: "vehicles", ThingType.UNIT: "units", ThingType.DECOR: "decor"}


def thing_of(scene: Scene, name: str) -> Thing:
    """Return the thing of that id; InvalidValueError if there is none."""
    found = {thing.id: thing for thing in scene.things}
    if name not in found:
        raise unknown("thing", name, found)
    return found[name]


def moved(scene: Scene, name: str, x_studs: float, y_studs: float, turn_deg: float = 0.0) -> Scene:
    """Return a scene in which a thing has gone a way and turned about its middle.

    InvalidValueError if there is no such thing, a figure is to be turned, or the scene has a fault then.
    """
    thing = thing_of(scene, name)
    now = values_of(thing)
    values = {"x_studs": now["x_studs"] + x_studs, "y_studs": now["y_studs"] + y_studs}
    if "heading_deg" in now:
        # above -180 and up to 180 degrees
        values["heading_deg"] = 180.0 - (180.0 - (now["heading_deg"] + turn_deg)) % 360.0
    elif turn_deg:
        raise InvalidValueError(f"{name} is a figure, which has no heading")
    return changed(scene, name, **values)


def changed(scene: Scene, name: str, **values: Any) -> Scene:
    """Return a scene with other values of a thing: of its attributes, or as `values_of` names them.

    InvalidValueError if there is no such thing, or the scene has a fault then.
    """
    thing = thing_of(scene, name)
    if isinstance(thing, Fixture):
        now = values_of(thing)
        new = {**now, **{key: values.pop(key) for key in now.keys() & values.keys()}}
        if thing.parts:
            values["parts"] = tuple(_carried(part, now, new) for part in thing.parts)
            values |= {key: new[key] for key in _HEIGHTS}
            return _replaced(scene, thing, replace(thing, **values))
        plan = Polygon(np.array(thing.corners_studs))
        if "length_studs" in now and _size(new) != _size(now):
            box = (now["x_studs"], now["y_studs"], now["heading_deg"])
            plan = rectangle(*box, *_size(new))
        plan = plan.turned(_place(now), new["heading_deg"] - now["heading_deg"])
        values["corners_studs"] = _corners(plan.moved(np.subtract(_place(new), _place(now))))
        values |= {key: new[key] for key in _HEIGHTS}
    return _replaced(scene, thing, replace(thing, **values))


def built_as(scene: Scene, name: str, model: str | None) -> Scene:
    """Return a scene in which a thing is built as an assembly, whose size it takes; None for a block as it is.

    InvalidValueError if there is no such thing, or no such model of its kind.
    """
    thing = thing_of(scene, name)
    if model is None or model not in assembly_names() or isinstance(thing, Unit):
        return changed(scene, name, model=model)
    sizes = _sizes(assembly(model))
    return changed(
        scene, name, model=model, **{key: sizes[key] for key in sizes.keys() & values_of(thing)}
    )


def values_of(thing: Thing) -> dict[str, float]:
    """Return the numbers of a thing: its place, heading, size, heights and speed, as far as it has them.

    Decor has the place of its middle, the heading of its first edge, and a length and a width if it is a rectangle.
    """
    own = vars(thing)
    if isinstance(thing, Fixture):
        place = zip(_PLACE, thing.prism.footprint.centroid_studs.round(9).tolist(), strict=True)
        size = zip(_SIZE, box_studs(thing) or (), strict=False)
        own = {**own, **dict(place), **dict(size), "heading_deg": thing.heading_deg}
    return {
        name: own[name]
        for name in (*_PLACE, "heading_deg", *_SIZE, *_HEIGHTS, "speed")
        if name in own
    }


def without(scene: Scene, name: str) -> Scene:
    """Return a scene without a thing; InvalidValueError if there is no such thing, or it is the mover."""
    thing = thing_of(scene, name)
    if name == scene.mover_id:
        raise InvalidValueError(f"{name} makes the move: let another vehicle make it first")
    group = _GROUPS[thing.type]
    left = tuple(one for one in getattr(scene, group) if one is not thing)
    lashed = tuple(one for one in scene.lashed if one != name)
    doubt = tuple(one for one in scene.doubt if one[0] != name)
    values: dict[str, Any] = {group: left, "lashed": lashed, "doubt": doubt}
    return replace(scene, **values)


def with_new(scene: Scene, kind: ThingType, model: str | None = None) -> tuple[Scene, str]:
    """Return a scene with one thing more, where there is room for it near the middle of the field, and its id.

    InvalidValueError if there is no such model of that kind. It is built as the assembly `model`; without one it is a
    block, or the usual figure.
    """
    name = _free_id(scene, model or NAMES[kind])
    for x, y in _places(scene):
        thing = _new(kind, name, x, y, model)
        if not any(_overlap(thing, other) for other in scene.things):
            break
    else:
        thing = _new(kind, name, scene.bounds.width_studs / 2, scene.bounds.height_studs / 2, model)
    group = _GROUPS[kind]
    values: dict[str, Any] = {group: (*getattr(scene, group), thing)}
    return replace(scene, **values), name


def box_studs(thing: Fixture) -> tuple[float, float] | None:
    """Return the length, along its heading, and the width of decor whose outline is a rectangle; else None."""
    corners = thing.corners_studs
    if len(corners) != 4:
        return None
    ahead = unit_vector(thing.heading_deg)
    length, width = (
        max(reach) - min(reach)
        for axis in (ahead, (-ahead[1], ahead[0]))
        for reach in [[x * axis[0] + y * axis[1] for x, y in corners]]
    )
    is_box = abs(length * width - thing.prism.footprint.area_studs2) <= _ROUNDING
    return (round(length, 6), round(width, 6)) if is_box else None


def _replaced(scene: Scene, old: Thing, new: Thing) -> Scene:
    group = _GROUPS[old.type]
    things = tuple(new if one is old else one for one in getattr(scene, group))
    is_mover = old.id == scene.mover_id
    lashed = tuple(new.id if one == old.id else one for one in scene.lashed)
    mover_id = new.id if is_mover else scene.mover_id
    doubt = tuple((new.id if name == old.id else name, how) for name, how in scene.doubt)
    values: dict[str, Any] = {
        group: things, "lashed": lashed, "mover_id": mover_id, "doubt": doubt
    }  # fmt: skip
    return replace(scene, **values)


def _new(kind: ThingType, name: str, x: float, y: float, model: str | None) -> Thing:
    if kind is ThingType.UNIT:
        return Unit(name, x, y, model=model)
    sizes = _SIZES[kind] if model is None else _sizes(assembly(model))
    if kind is ThingType.VEHICLE:
        return Vehicle(name, x, y, 0.0, **sizes, model=model)
    length, width, *_ = sizes.values()
    heights = {key: sizes[key] for key in _HEIGHTS if key in sizes}
    return Fixture(name, _corners(rectangle(x, y, 0.0, length, width)), **heights, model=model)


def _sizes(built: Assembly) -> dict[str, Any]:
    return {name: getattr(built, name) for name in (*_SIZE, *_HEIGHTS)}


def _places(scene: Scene) -> Iterator[Point]:
    """Yield middles of studs of the field, those near its middle first."""
    size = scene.bounds.width_studs, scene.bounds.height_studs
    step = max(_SEARCH_STUDS, (size[0] * size[1] / _MOST_TRIED) ** 0.5)
    axes = [[0.5 + step * n for n in range(int(end / step))] for end in size]
    middle = size[0] / 2, size[1] / 2
    yield from sorted(product(*axes), key=lambda place: dist(place, middle))


def _overlap(first: Thing, second: Thing) -> bool:
    from brickphys.geometry.sweep import overlap  # Numba

    return overlap(first.prism, second.prism)


def _free_id(scene: Scene, base: str) -> str:
    taken = {thing.id for thing in scene.things}
    names = (base if number == 1 else f"{base} {number}" for number in count(1))
    return next(name for name in names if name not in taken)


def _carried(part: Part, now: Mapping[str, float], new: Mapping[str, float]) -> Part:
    """Return a part of decor that has been turned about its place, and moved."""
    x, y = _place(now)
    to = Pose(*_place(new), new["heading_deg"] - now["heading_deg"])
    return part.placed(Pose(-x, -y, 0.0)).placed(to)


def _place(values: Mapping[str, float]) -> Point:
    return values["x_studs"], values["y_studs"]


def _size(values: Mapping[str, float]) -> Point:
    return values["length_studs"], values["width_studs"]


def _corners(plan: Polygon) -> tuple[Point, ...]:
    return tuple((round(x, 9), round(y, 9)) for x, y in plan.vertices_studs.tolist())
