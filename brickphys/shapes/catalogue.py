"""Shapes by name: the SHAPE argument of the command line; cuboid, coin and die, solid bodies of one material."""

import re
from collections.abc import Callable
from math import ceil

import numpy as np

from brickphys.errors import InvalidValueError, unknown
from brickphys.shapes.body import Body, Face, check_edge_radius, check_size, number, shape_name
from brickphys.shapes.brick import EDGE_RADIUS_MM, BrickDimensions, brick, plate
from brickphys.shapes.solids import Solid, compose, cylinder, rim_cut, rounded_box, triple
from brickphys.text import counted
from brickphys.units import Array, Triple

DENSITY_G_CM3 = 1.05
"""Density of ABS, as for bricks."""

RIM_FACETS = (96, 480)
"""Least and most facets of a coin's rim, for pictures and engines without circles."""
COIN_EDGE = (0.0175, 0.3)
"""Usual edge radius of a coin, at most these shares of diameter and thickness: as coins in use, 0.35 mm on 20 mm."""

D6_NUMBERS = ((1, 6), (2, 5), (3, 4))
"""The numbers on the faces +x and -x, +y and -y, +z and -z of a die. 1, 2, 3 run counter-clockwise around their common
corner, seen from outside."""

_AXES = np.eye(3)


def pose_legend(name: str) -> str:
    """Return what the poses of a cuboid, coin or die mean; empty for other bodies, whose poses speak for themselves."""
    kind, _, lengths = name.partition(":")
    if kind == "cuboid":
        a, b, c = lengths.partition(":")[0].split("x")
        return f"x, y, z: the edge of {a}, {b} or {c} mm ends vertical"
    meanings = {
        "coin": "heads, tails, edge: face up, or on the rim, "
        "there far more often if it may roll (hand, roll) than dropped or tossed",
        "d6": "1 to 6: the number on top",
    }
    return meanings.get(kind, "")


def cuboid(
    a_mm: float,
    b_mm: float,
    c_mm: float,
    density_g_cm3: float = DENSITY_G_CM3,
    edge_radius_mm: float = 0.0,
) -> Body:
    """Return a solid cuboid with edges a, b, c along x, y, z.

    A pose is the axis that ends vertical: ``x``, ``y`` or ``z``, two faces each.

    Raises InvalidValueError if an edge is outside the range of `check_size`, the density is not positive, or the edge
    radius is not below half the least edge.
    """
    size = (check_size(a_mm, "edge"), check_size(b_mm, "edge"), check_size(c_mm, "edge"))
    faces = tuple(
        Face(pose, triple(sign * axis))
        for pose, axis in zip("xyz", _AXES, strict=True)
        for sign in (1, -1)
    )
    name = f"cuboid:{number(a_mm)}x{number(b_mm)}x{number(c_mm)}"
    return _cuboid(name, size, faces, density_g_cm3, edge_radius_mm)


def coin(
    diameter_mm: float,
    thickness_mm: float,
    density_g_cm3: float = DENSITY_G_CM3,
    edge_radius_mm: float | None = None,
) -> Body:
    """Return a coin with its axis along z; its usual edge radius is `COIN_EDGE`.

    Poses: ``heads`` (+z ends up), ``tails`` (-z up) and ``edge``, which counts as one face. In the hull the rim is a
    polygon whose corners lie as far outside the circle as the middles of its facets lie inside (at most 0.03 % of the
    radius). Mass and inertia are those of the round coin. InvalidValueError as `cuboid`; the edge radius must be below
    half the thickness and half the diameter.
    """
    check_size(diameter_mm, "diameter")
    check_size(thickness_mm, "thickness")
    usual = round(min(COIN_EDGE[0] * diameter_mm, COIN_EDGE[1] * thickness_mm), 3)
    edge_radius_mm = usual if edge_radius_mm is None else edge_radius_mm
    half_least = min(diameter_mm, thickness_mm) / 2
    check_edge_radius(edge_radius_mm, half_least, "half the thickness or the diameter")
    core_diameter, core_thickness = (
        size - 2 * edge_radius_mm for size in (diameter_mm, thickness_mm)
    )
    facets = 4 * ceil(2 * core_diameter / core_thickness)
    facets = min(max(facets, RIM_FACETS[0]), RIM_FACETS[1])
    half = np.pi / facets
    radius = core_diameter / 2 * 2 / (1 + np.cos(half))
    turn = 2 * half * np.arange(facets)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    corners = np.vstack(
        [np.column_stack([radius * circle, np.full(facets, z)]) for z in (-0.5, 0.5)]
    )
    corners[:, 2] *= core_thickness
    rim = np.column_stack([np.cos(turn + half), np.sin(turn + half), np.zeros(facets)])
    faces = (
        Face("heads", (0.0, 0.0, -1.0)),
        Face("tails", (0.0, 0.0, 1.0)),
        *(Face("edge", triple(normal)) for normal in rim),
    )
    name = f"coin:{number(diameter_mm)}x{number(thickness_mm)}"
    solids = [cylinder((0, 0, 0), diameter_mm, thickness_mm)]
    if edge_radius_mm:
        solids += [
            rim_cut((0, 0, up * thickness_mm / 2), diameter_mm, edge_radius_mm, up)
            for up in (1, -1)
        ]
    return _body(name, solids, corners, faces, density_g_cm3, edge_radius_mm, usual)


def d6(edge_mm: float, density_g_cm3: float = DENSITY_G_CM3, edge_radius_mm: float = 0.0) -> Body:
    """Return a die, without pips.

    A pose is the number on top, ``1`` to ``6``; opposite faces add up to 7. `D6_NUMBERS` gives the face of each number.
    """
    check_size(edge_mm, "edge")
    tops = {
        number_on_top: sign * axis
        for pair, axis in zip(D6_NUMBERS, _AXES, strict=True)
        for number_on_top, sign in zip(pair, (1, -1), strict=True)
    }
    faces = tuple(Face(str(top), triple(-tops[top])) for top in sorted(tops))
    size = (edge_mm, edge_mm, edge_mm)
    return _cuboid(f"d6:{number(edge_mm)}", size, faces, density_g_cm3, edge_radius_mm)


def _cuboid(
    name: str, size: Triple, faces: tuple[Face, ...], density: float, edge_radius_mm: float
) -> Body:
    check_edge_radius(edge_radius_mm, min(size) / 2, "half the least edge")
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    corners = signs * (np.array(size) - 2 * edge_radius_mm) / 2
    solid = rounded_box((0, 0, 0), size, edge_radius_mm)
    return _body(name, [solid], corners, faces, density, edge_radius_mm)


def _body(
    name: str,
    solids: list[Solid],
    corners: Array,
    faces: tuple[Face, ...],
    density: float,
    edge_radius_mm: float,
    usual_mm: float = 0.0,
) -> Body:
    if not 0 < density < np.inf:
        raise InvalidValueError(f"density {density:g} g/cm3 is not a positive number")
    total = compose(solids, density)
    return Body(
        name=shape_name(name, edge_radius_mm, usual_mm),
        mass_g=total.mass_g,
        volume_mm3=total.volume_mm3,
        inertia_g_mm2=triple(np.diag(total.inertia_g_mm2)),
        vertices_mm=corners,
        faces=faces,
        centre_of_mass_mm=float(np.ptp(corners[:, 2])) / 2 + edge_radius_mm,
        edge_radius_mm=edge_radius_mm,
    )


SHAPE_EXAMPLES = ("2x2", "1x4", "2x8", "plate:2x2", "cuboid:10x10x20", "coin:24x2", "d6:16")
"""An example of each kind of shape, and the longest bricks."""

_EDGES = ":r"
"""Begins the edge radius at the end of a name."""
_FORMS = {"plate": "plate:NxM", "cuboid": "cuboid:AxBxC", "coin": "coin:DxT", "d6": "d6:A"}
_SOLIDS: dict[str, tuple[int, str, Callable[..., Body]]] = {
    "cuboid": (3, "three sides", cuboid),
    "coin": (2, "a diameter and a thickness", coin),
    "d6": (1, "one side", d6),
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

    InvalidValueError if the name is not of these forms, a body may not have such a size or edge radius, or it has two
    edge radii.

    Parameters
    ----------
    text
        ``2x2`` (studs), ``plate:2x2``, ``cuboid:AxBxC``, ``coin:DxT`` or ``d6:A`` (mm). ``:rR`` at the end is an edge
        radius in mm: ``2x2:r0.3``. Case and surrounding blanks do not matter; ``4x2`` means ``2x4``.
    dimensions
        Lengths of bricks and plates; the fitted ones if None. Other shapes ignore them.
    edge_radius_mm
        Edge radius of a shape whose name has none; the usual one of bricks, plates and coins if None, 0 of others.
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
        return _solid(kind, sizes, text, edge_radius_mm)
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


def _solid(kind: str, sizes: str, text: str, edge_radius_mm: float | None) -> Body:
    wanted, what, make = _SOLIDS[kind]
    words = sizes.split("x")
    wrong = [word for word in words if not _NUMBER.fullmatch(word)]
    if wrong:
        raise _bad(text, f"{wrong[0][:_LONGEST]!r} is not a positive number of millimetres")
    if len(words) != wanted:
        example = next(one for one in SHAPE_EXAMPLES if one.startswith(kind))
        raise _bad(text, f"{counted(len(words), 'size')}; a {kind} needs {what}, such as {example}")
    try:
        rounded = {} if edge_radius_mm is None else {"edge_radius_mm": edge_radius_mm}
        return make(*(float(word) for word in words), **rounded)
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
