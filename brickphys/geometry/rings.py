"""Rings: outlines as GeoJSON and WKT have them, read and written.

A geometry is a polygon, with holes or without, or several: RFC 7946 for GeoJSON, OGC 06-103r4 for well-known text.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any

from brickphys.errors import InvalidValueError
from brickphys.geometry.polygon import Point
from brickphys.text import shown

_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_POSITION = rf"\s*({_NUMBER})\s+({_NUMBER})(?:\s+{_NUMBER}){{0,2}}\s*"
_RING = rf"\s*\({_POSITION}(?:,{_POSITION})*\)\s*".replace(f"({_NUMBER})", _NUMBER)
_RINGS = rf"\s*\({_RING}(?:,{_RING})*\)\s*"
_WKT = re.compile(
    rf"\s*(?:POLYGON\s*(?:ZM?|M)?(?P<one>{_RINGS})|"
    rf"MULTIPOLYGON\s*(?:ZM?|M)?\s*\((?P<many>{_RINGS}(?:,{_RINGS})*)\))\s*;?\s*",
    re.IGNORECASE,
)
_BRACKETS = str.maketrans("()", "[]")
_KIND = re.compile(r"\s*([A-Za-z]+)")

Rings = list[list[Point]]
"""A polygon: its outer ring, then its holes."""


def is_geometry(value: Any) -> bool:
    """Tell whether a value may be a geometry: a text, an object of GeoJSON, or one that gives it, as shapely's do."""
    return isinstance(value, str | Mapping) or hasattr(value, "__geo_interface__")


def polygons_of(geometry: Any) -> list[Rings]:
    """Return the polygons that are given as WKT, or as the geometry of GeoJSON or a feature with it.

    Objects that have ``__geo_interface__``, such as polygons of shapely, are geometries, too. InvalidValueError if it
    is neither a polygon nor several.
    """
    geometry = getattr(geometry, "__geo_interface__", geometry)
    if isinstance(geometry, str):
        return _wkt_polygons(geometry)
    if not isinstance(geometry, Mapping):
        raise InvalidValueError(f"{shown(geometry)} is no geometry")
    found: Any = geometry.get("geometry") if geometry.get("type") == "Feature" else geometry
    kind = found.get("type") if isinstance(found, Mapping) else found
    if kind not in ("Polygon", "MultiPolygon"):
        raise InvalidValueError(f"a geometry of type {shown(kind)} is not a Polygon")
    many = found.get("coordinates")
    many = [many] if kind == "Polygon" else many
    if not (_is_list(many) and all(_is_list(one) and all(map(_is_list, one)) for one in many)):
        raise InvalidValueError(f"a {kind} without coordinates")
    return [[[_position(corner) for corner in ring] for ring in one] for one in many]


def ring_of(geometry: Any) -> list[Point]:
    """Return the corners of a single polygon without holes (see `polygons_of`); InvalidValueError if it is none."""
    polygons = polygons_of(geometry)
    if len(polygons) > 1 or len(polygons[0]) > 1:
        raise InvalidValueError("several polygons, or one with holes, are not a rectangle")
    return polygons[0][0]


def wkt_of(polygons: Sequence[Sequence[Iterable[Sequence[float]]]]) -> str:
    """Return polygons, each its outer ring and its holes, in WKT, all digits, rings closed."""
    texts = [
        ", ".join(f"({', '.join(f'{x!r} {y!r}' for x, y in _closed(ring))})" for ring in rings)
        for rings in polygons
    ]
    if len(texts) == 1:
        return f"POLYGON ({texts[0]})"
    return f"MULTIPOLYGON ({', '.join(f'({text})' for text in texts)})"


def geojson_of(polygons: Sequence[Sequence[Iterable[Sequence[float]]]]) -> dict[str, Any]:
    """Return polygons, each its outer ring and its holes, as a geometry of GeoJSON, rings closed."""
    many = [[[list(corner) for corner in _closed(ring)] for ring in rings] for rings in polygons]
    if len(many) == 1:
        return {"type": "Polygon", "coordinates": many[0]}
    return {"type": "MultiPolygon", "coordinates": many}


def _closed(corners: Iterable[Sequence[float]]) -> list[Point]:
    ring = [(float(x), float(y)) for x, y in corners]
    return [*ring, *ring[:1]]


def _wkt_polygons(text: str) -> list[Rings]:
    found = _WKT.fullmatch(text)
    if found:
        body = re.sub(_POSITION, r'["\1","\2"]', found["one"] or found["many"])
        many = json.loads(f"[{body.translate(_BRACKETS)}]")
        return [[[(float(x), float(y)) for x, y in ring] for ring in rings] for rings in many]
    kind = _KIND.match(text)
    if not kind or kind[1].upper() not in ("POLYGON", "MULTIPOLYGON"):
        raise InvalidValueError(f"{shown(text)} is not a POLYGON as WKT has it")
    why = "a bracket is missing: " if text.count("(") != text.count(")") else ""
    raise InvalidValueError(f"{shown(text)}: {why}WKT is POLYGON ((0 0, 1 0, 1 1, 0 0))")


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and len(value) > 0


def _position(value: Any) -> Point:
    is_pair = isinstance(value, Sequence) and not isinstance(value, str) and len(value) >= 2
    if not is_pair or not all(type(one) in (int, float) and isfinite(one) for one in value):
        raise InvalidValueError(f"{shown(value)} is not a position [x, y]")
    return float(value[0]), float(value[1])
