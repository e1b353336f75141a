"""Shapes by name: the SHAPE argument of the command line."""

import re
from collections.abc import Callable

from brickphys.errors import InvalidValueError, unknown
from brickphys.shapes.body import Body, number
from brickphys.shapes.brick import EDGE_RADIUS_MM, brick, plate
from brickphys.shapes.dimensions import BrickDimensions
from brickphys.shapes.primitives import coin, cuboid, d6

SHAPE_EXAMPLES = ("2x2", "1x4", "2x8", "plate:2x2", "cuboid:10x10x20", "coin:24x2", "d6:16")
"""An example of each kind of shape, and the longest bricks."""

_EDGES = ":r"
"""Begins the edge radius at the end of a name."""
_FORMS = {"plate": "plate:NxM", "cuboid": "cuboid:AxBxC", "coin": "coin:DxT", "d6": "d6:A"}
_SOLIDS: dict[str, tuple[int, Callable[..., Body]]] = {
    "cuboid": (3, cuboid),
    "coin": (2, coin),
    "d6": (1, d6),
}
_STUDS = re.compile(r"(\d{1,9})x(\d{1,9})", re.ASCII)
_NUMBER = re.compile(r"(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII)
_LONGEST = 60  # characters of bad input that a message repeats


def parse_shape(
    text: str,
    dimensions: BrickDimensions | None = None,
    edge_radius_mm: float | None = None,
) -> Body:
    """Return the body of a shape's name.

    Parameters
    ----------
    text
        ``2x2`` (studs), ``plate:2x2``, ``cuboid:AxBxC``, ``coin:DxT`` or ``d6:A`` (mm). ``:rR`` at the end is an edge
        radius in mm: ``2x2:r0.3``. Case and surrounding blanks do not matter; ``4x2`` means ``2x4``.
    dimensions
        Lengths of bricks and plates; the fitted ones if None. Other shapes ignore them.
    edge_radius_mm
        Edge radius of a shape whose name has none; that of bricks and plates if None, 0 of other shapes.

    Raises
    ------
    InvalidValueError
        If the name is not of these forms, a body may not have such a size or edge radius, or it has two edge radii.
    """
    plain, colon, radius = text.strip().lower().partition(_EDGES)
    if colon:
        if plain.endswith(".toml"):
            raise _bad(text, "the edge radius of a body file is set by --edge-radius-mm or in it")
        edge_radius_mm = _edge_radius(radius, text, edge_radius_mm)
    name = plain.replace("\N{MULTIPLICATION SIGN}", "x")
    kind, colon, sizes = name.partition(":")
    if not colon and _STUDS.fullmatch(name):
        return brick(*_studs(name), dimensions, _or_usual(edge_radius_mm))
    if not colon or kind not in _FORMS:
        raise _unknown_shape(plain, kind if colon else name)
    if kind != "plate":
        return _solid(kind, sizes, text, edge_radius_mm or 0.0)
    if not _STUDS.fullmatch(sizes):
        raise _bad(text, "expected plate:NxM, such as plate:2x2")
    return plate(*_studs(sizes), dimensions, _or_usual(edge_radius_mm))


def _or_usual(edge_radius_mm: float | None) -> float:
    return EDGE_RADIUS_MM if edge_radius_mm is None else edge_radius_mm


def rounded_name(name: str, edge_radius_mm: float) -> str:
    """Return the name of the same shape with another edge radius: ``2x2:r0.3``."""
    return f"{name.partition(_EDGES)[0]}{_EDGES}{number(edge_radius_mm)}"


def _edge_radius(word: str, text: str, second_mm: float | None) -> float:
    if not _NUMBER.fullmatch(word):
        raise _bad(text, f"{word[:_LONGEST]!r} is not an edge radius in millimetres")
    if second_mm is not None:
        raise _bad(text, f"it has an edge radius, and edge_radius_mm {second_mm:g} is a second one")
    return float(word)


def _studs(sizes: str) -> tuple[int, int]:
    first, second = sizes.split("x")
    return int(first), int(second)


def _solid(kind: str, sizes: str, text: str, edge_radius_mm: float) -> Body:
    wanted, make = _SOLIDS[kind]
    words = sizes.split("x")
    wrong = [word for word in words if not _NUMBER.fullmatch(word)]
    if wrong:
        raise _bad(text, f"{wrong[0][:_LONGEST]!r} is not a positive number of millimetres")
    if len(words) != wanted:
        raise _bad(text, f"{len(words)} sizes where {_FORMS[kind]} has {wanted}")
    try:
        return make(*(float(word) for word in words), edge_radius_mm=edge_radius_mm)
    except InvalidValueError as error:
        raise _bad(text, str(error)) from error


def _bad(text: str, why: str) -> InvalidValueError:
    return InvalidValueError(f"shape {text[:_LONGEST]!r}: {why}")


def _unknown_shape(text: str, kind: str) -> InvalidValueError:
    if text.endswith((".obj", ".stl")):
        return _bad(text, "a mesh needs a body file (.toml)")
    if not kind:
        return _bad(text, f"expected something like {', '.join(SHAPE_EXAMPLES)}")
    if ":" not in text and kind in _FORMS:
        return _bad(text, f"sizes are missing, as in {_FORMS[kind]}")
    if ":" in text:
        return unknown("kind of shape", kind[:_LONGEST], _FORMS)
    return unknown("shape", text[:_LONGEST], SHAPE_EXAMPLES)
