"""GeoJSON: a scene as a FeatureCollection, and back; coordinates are studs of the field.

Each thing is a feature; its properties are the keys of the table of a scene file, and `kind`. The geometry of a vehicle
and of a figure is the outline that these give, or else gives them. The foreign members `field`, `move` and `doubt`
are the tables of a scene file (RFC 7946, 6.1).
"""

from collections.abc import Mapping
from math import atan2, degrees, dist, hypot
from typing import Any

from brickphys.errors import InvalidValueError, refuse
from brickphys.geometry.polygon import Point, open_ring, rectangle
from brickphys.geometry.pose import Pose
from brickphys.geometry.rings import geojson_of, polygons_of, ring_of
from brickphys.geometry.shape import outline_table
from brickphys.text import shown
from brickphys.vehicles.scene import FIGURE_STUDS, Fixture, Scene, Thing

KINDS = ("vehicle", "unit", "decor")
HIT = "hit"
"""Kind of features that are a result: they are not read."""
_POSE = ("x", "y", "heading_deg")
_ALIKE_STUDS = 1e-6
"""So far may corners be off those of the rectangle that properties give."""
_TABLES = ("field", "move", "doubt")
_OUTLINES = {"polygon", "circle", "capsule", "part"}
_MEMBERS = ("type", *_TABLES, "features", "id", "name", "bbox")


def is_collection(raw: Mapping[str, Any]) -> bool:
    """Tell whether a document is a FeatureCollection, and no tables of a scene file."""
    return raw.get("type") == "FeatureCollection"


def tables_of(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tables of a scene file that a FeatureCollection stands for.

    InvalidValueError with every fault of a geometry. Those of the tables are found when these are read.
    """
    found: dict[str, Any] = {key: raw[key] for key in _TABLES if key in raw}
    if "crs" in raw:
        raise InvalidValueError(
            "crs: coordinates are studs of the field, not degrees or metres on the Earth"
        )
    faults = [f"unknown member {shown(key)}" for key in raw if key not in _MEMBERS]
    features = raw.get("features")
    if not isinstance(features, list):
        raise InvalidValueError("features: not a list")
    for number, feature in enumerate(features):
        try:
            kind, table = _table(feature)
        except InvalidValueError as error:
            faults.append(f"features[{number}]: {error}")
            continue
        if kind != HIT:
            found.setdefault(kind, []).append(table)
    refuse("GeoJSON", faults)
    return found


def collection_of(scene: Scene, tables: Mapping[str, Any]) -> dict[str, Any]:
    """Return a scene, with the tables of its file, as a FeatureCollection; reading it gives the same scene."""
    features = []
    for thing in scene.things:
        kind = thing.type.value
        table = dict(next(one for one in tables[kind] if one["id"] == thing.id))
        features.append(feature(_geometry(thing, table), {"kind": kind, **table}))
    head = {key: tables[key] for key in _TABLES if key in tables}
    return {"type": "FeatureCollection", **head, "features": features}


def _geometry(thing: Thing, table: dict[str, Any]) -> dict[str, Any]:
    """Return the geometry of a thing, without the keys of its table that it stands for.

    That of named parts and of vehicles of parts is only drawn: their tables tell them.
    """
    if isinstance(thing, Fixture) and "part" not in table:
        spine = table.pop("capsule", None) or table.pop("circle", None)
        if spine:
            kind = "Point" if len(thing.outline[0].spine_studs) == 1 else "LineString"
            return {"type": kind, "coordinates": spine}
        return geojson_of([[table.pop("polygon"), *table.pop("holes", ())]])
    return geojson_of([[prism.ring_studs.tolist()] for prism in thing.body])


def feature(geometry: Mapping[str, Any], properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return a feature."""
    return {"type": "Feature", "geometry": dict(geometry), "properties": dict(properties)}


def _table(raw: Any) -> tuple[str, dict[str, Any]]:
    """Return the kind of a feature, and the table of its thing."""
    if not isinstance(raw, Mapping) or raw.get("type") != "Feature":
        raise InvalidValueError("not a Feature")
    table = dict(raw.get("properties") or {})
    kind = table.pop("kind", "decor")
    if kind == HIT:
        return kind, {}
    if kind not in KINDS:
        raise InvalidValueError(f"properties.kind: {shown(kind)} is not {', '.join(KINDS)}")
    if "id" in raw:
        table.setdefault("id", str(raw["id"]))
    geometry = raw.get("geometry")
    if geometry is None and kind == "decor" and not table.keys() & _OUTLINES:
        raise InvalidValueError("it has no geometry")
    if geometry is None or "part" in table:
        return kind, table
    if kind == "decor":
        return kind, {**table, **_outline(raw, "radius" in table)}
    if isinstance(geometry, Mapping) and geometry.get("type") == "Point":
        x, y = ring_of({"type": "Polygon", "coordinates": [[geometry.get("coordinates")]]})[0]
        return kind, {"x": x, "y": y, **table}
    polygons = polygons_of(raw)
    is_shaped = len(polygons) > 1 or len(polygons[0]) > 1 or len(open_ring(polygons[0][0])) != 4
    if kind == "vehicle" and is_shaped and all(key in table for key in _POSE):
        pose = Pose(*(_number(table, key) for key in _POSE))
        own = [[[pose.in_frame(corner) for corner in ring] for ring in one] for one in polygons]
        found = outline_table(own)
        return kind, {**table, "part": found.get("part", [found])}
    return kind, _filled(kind, table, open_ring(ring_of(raw)))


def _outline(raw: Mapping[str, Any], is_round: bool) -> dict[str, Any]:
    """Return the outline of decor: polygons, or what is within the radius of a point or of a line."""
    found = raw["geometry"]
    if found.get("type") in ("Point", "LineString"):
        if not is_round:
            raise InvalidValueError(f"a {found['type']} needs a radius in studs as a property")
        points = found.get("coordinates")
        points = [points] if found["type"] == "Point" else points
        (ring,) = polygons_of({"type": "Polygon", "coordinates": [points]})[0]
        return {"circle": list(ring[0])} if len(ring) == 1 else {"capsule": [*map(list, ring)]}
    return outline_table(polygons_of(raw))


def _filled(kind: str, table: dict[str, Any], corners: tuple[Point, ...]) -> dict[str, Any]:
    """Return the table of a vehicle or figure, with what it lacks from its rectangle; refuse one that differs."""
    if len(corners) != 4:
        also = ", or has x, y and heading_deg" if kind == "vehicle" else ""
        raise InvalidValueError(f"a {kind} is a rectangle{also}; here are {len(corners)} corners")
    x, y = (sum(values) / 4 for values in zip(*corners, strict=True))
    first, second, third, _ = corners
    sides = [
        (second[0] - first[0], second[1] - first[1]),
        (third[0] - second[0], third[1] - second[1]),
    ]
    along, across = sorted(sides, key=lambda side: -hypot(*side))
    own: dict[str, Any] = {"x": x, "y": y}
    if kind == "vehicle":
        if "heading_deg" not in table:
            raise InvalidValueError("properties: heading_deg is missing: an outline has no front")
        off_deg = degrees(atan2(along[1], along[0])) - _number(table, "heading_deg")
        if abs((off_deg + 90.0) % 180.0 - 90.0) > 45.0:  # it is broader than long
            along, across = across, along
        own |= {"length": hypot(*along), "width": hypot(*across)}
    filled = {**own, **table}
    size = (
        [_number(filled, key) for key in ("length", "width")]
        if kind == "vehicle"
        else [FIGURE_STUDS] * 2
    )
    heading = _number(filled, "heading_deg") if kind == "vehicle" else 0.0
    there = rectangle(_number(filled, "x"), _number(filled, "y"), heading, size[0], size[1])
    gaps = [min(dist(one, corner) for corner in corners) for one in there.vertices_studs.tolist()]
    if max(gaps) > _ALIKE_STUDS:
        keys = (
            "x, y, heading_deg, length and width" if kind == "vehicle" else "x and y, one stud wide"
        )
        raise InvalidValueError(f"its outline is {max(gaps):.3g} studs off the rectangle of {keys}")
    return filled


def _number(table: Mapping[str, Any], key: str) -> float:
    value = table[key]
    if type(value) not in (int, float):
        raise InvalidValueError(f"properties.{key}: {shown(value)} is not a number")
    return float(value)
