"""Rings: outlines as GeoJSON and WKT have them, read and written.

A geometry is a polygon without holes: RFC 7946 for GeoJSON, OGC 06-103r4 for well-known text.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any

from brickphys.errors import InvalidValueError
from brickphys.geometry.polygon import Point
from brickphys.text import shown

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_POSITION = rf"\s*{_NUMBER}(?:\s+{_NUMBER}){{1,3}}\s*"
_WKT = re.compile(
    rf"\s*POLYGON\s*(?:ZM?|M)?\s*\(\s*\(({_POSITION}(?:,{_POSITION})*)\)\s*\)\s*;?\s*",
    re.IGNORECASE,
)
_KIND = re.compile(r"\s*([A-Za-z]+)")


def is_geometry(value: Any) -> bool:
    """Tell whether a value may be a geometry: a text, an object of GeoJSON, or one that gives it, as shapely's do."""
    return isinstance(value, str | Mapping) or hasattr(value, "__geo_interface__")


def ring_of(geometry: Any) -> list[Point]:
    """Return the corners of a polygon that is given as WKT, or as the geometry of GeoJSON or a feature with it.

    Objects that have ``__geo_interface__``, such as polygons of shapely, are geometries, too.

    Raises
    ------
    InvalidValueError
        If it is no polygon, or one with holes or several parts.
    """
    geometry = getattr(geometry, "__geo_interface__", geometry)
    if isinstance(geometry, str):
        return _wkt_ring(geometry)
    if not isinstance(geometry, Mapping):
        raise InvalidValueError(f"{shown(geometry)} is no geometry")
    found: Any = geometry.get("geometry") if geometry.get("type") == "Feature" else geometry
    if not isinstance(found, Mapping) or found.get("type") != "Polygon":
        kind = found.get("type") if isinstance(found, Mapping) else found
        raise InvalidValueError(f"a geometry of type {shown(kind)} is not a Polygon")
    rings = found.get("coordinates")
    if not isinstance(rings, Sequence) or isinstance(rings, str) or not rings:
        raise InvalidValueError("a Polygon without coordinates")
    if len(rings) > 1:
        raise InvalidValueError("a Polygon with holes: cut it into convex parts")
    return [_position(one) for one in rings[0]]


def wkt_of(corners: Iterable[Sequence[float]]) -> str:
    """Return corners as a polygon in WKT, all digits, the ring closed."""
    return f"POLYGON (({', '.join(f'{x!r} {y!r}' for x, y in _closed(corners))}))"


def geojson_of(corners: Iterable[Sequence[float]]) -> dict[str, Any]:
    """Return corners as a polygon of GeoJSON, the ring closed."""
    return {"type": "Polygon", "coordinates": [[list(corner) for corner in _closed(corners)]]}


def _closed(corners: Iterable[Sequence[float]]) -> list[Point]:
    ring = [(float(x), float(y)) for x, y in corners]
    return [*ring, *ring[:1]]


def _wkt_ring(text: str) -> list[Point]:
    found = _WKT.fullmatch(text)
    if found:
        rows = [position.split() for position in found[1].split(",")]
        return [(float(row[0]), float(row[1])) for row in rows]
    kind = _KIND.match(text)
    if not kind or kind[1].upper() != "POLYGON":
        raise InvalidValueError(f"{shown(text)} is not a POLYGON as WKT has it")
    if re.search(r"\)\s*,\s*\(", text):
        raise InvalidValueError("a POLYGON with holes: cut it into convex parts")
    raise InvalidValueError(f"{shown(text)}: WKT is POLYGON ((0 0, 1 0, 1 1, 0 0))")


def _position(value: Any) -> Point:
    is_pair = isinstance(value, Sequence) and not isinstance(value, str) and len(value) >= 2
    if not is_pair or not all(type(one) in (int, float) and isfinite(one) for one in value):
        raise InvalidValueError(f"{shown(value)} is not a position [x, y]")
    return float(value[0]), float(value[1])
