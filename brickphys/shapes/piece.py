"""Piece: one part of an assembly, its place on the brick grid, its mass, its colour and its surface in pictures.

Bricks, plates and tiles are hollow, with the closed-form mass of `brick`. All other pieces are blocks, prisms or
cylinders of one material. Places and sizes are in studs along x and y and in plates along z.

The surface in pictures is closed and flat below, with the studs that no other piece covers. There pieces fill their
boxes, without the clearance of 0.1 mm on each side, and without the cavity, which is hidden in an assembly. Circles
become regular polygons with corners on each axis, so the bounding box of the mesh is the piece's.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isclose

import numpy as np

from brickphys.errors import InvalidValueError
from brickphys.shapes import brick
from brickphys.shapes.catalogue import DENSITY_G_CM3
from brickphys.shapes.mesh import Mesh, tower, weld
from brickphys.shapes.solids import MassProperties, Solid, box, compose, cylinder, join, prism
from brickphys.units import BRICK_MM, PLATE_MM, STUD_MM, Array, Triple

PALETTE: dict[str, tuple[int, int, int]] = {
    "black": (33, 33, 33),
    "blue": (0, 87, 166),
    "brown": (92, 58, 36),
    "dark_grey": (108, 110, 104),
    "dark_red": (123, 32, 29),
    "dark_tan": (160, 140, 98),
    "glass": (170, 205, 225),
    "green": (20, 122, 58),
    "grey": (163, 167, 166),
    "olive": (112, 115, 62),
    "orange": (254, 128, 28),
    "pale_brown": (172, 120, 76),
    "pale_grey": (198, 202, 201),
    "red": (201, 26, 9),
    "sand_green": (98, 125, 100),
    "tan": (222, 198, 150),
    "white": (242, 243, 242),
    "yellow": (250, 200, 10),
}


GRID_MM = np.array([STUD_MM, STUD_MM, PLATE_MM])
"""Length of a grid step along x, y and z: a stud, a stud and a plate."""

STUDDED = ("brick", "plate")
ON_GRID = {"brick": 3, "plate": 1, "tile": 1}
"""Hollow forms of whole studs, and the height of one layer in plates."""
FORMS = (*ON_GRID, "block", "prism", "cylinder")

RUBBER_G_CM3 = 1.15
"""Tyres: compounds of styrene-butadiene rubber have 1.1 to 1.2."""
MATERIALS = ("hollow", "abs", "rubber")
"""Materials of blocks, prisms and cylinders; ``hollow`` has the mass of a 2x2 brick by the volume of its box."""
_REACH = 1000
"""Coordinates and sizes are below this many studs or plates."""
_MOST_G = 1_000_000
"""Weighed masses are below this."""


@dataclass(frozen=True)
class Piece:
    """A part of an assembly.

    InvalidValueError if form, material or colour is unknown, or the form cannot have that size.
    """

    form: str
    """One of `FORMS`. A ``tile`` is a plate without studs, a ``block`` a smooth box."""
    corner: Triple
    """Least x, y (studs) and z (plates) of its bounding box, without studs on top."""
    size: Triple
    """Size of that box: studs, studs, plates."""
    colour: str
    """A name of `PALETTE`."""
    axis: str = "z"
    """Axis of a prism or cylinder: ``x``, ``y`` or ``z``."""
    outline: tuple[tuple[float, float], ...] = ()
    """A prism's convex base: corners in the two other axes (x before y before z), as shares of the box, 0 to 1."""
    bore: float = 0.0
    """Inner over outer diameter of a cylinder, such as a tyre."""
    material: str = "hollow"
    """One of `MATERIALS`."""
    mass_g: float | None = None
    """Weighed mass, which replaces the mass computed from form and material."""
    overhangs: bool = False
    """Left out of footprint and height, such as a gun's barrel or an oar, but part of the picture and of the mass."""

    def __post_init__(self) -> None:
        fault = next((text for text, broken in self._limits() if broken), None)
        if fault:
            raise InvalidValueError(f"{self.form} at {_numbers(self.corner)}: {fault}")

    def _limits(self) -> Iterator[tuple[str, bool]]:
        """Yield each fault and whether it is present; later ones expect that earlier ones are not."""
        size = _numbers(self.size)
        steps = (1, 1, ON_GRID.get(self.form, 1))
        off_grid = any(length % step for length, step in zip(self.size, steps, strict=True))
        yield f"unknown form, known: {', '.join(FORMS)}", self.form not in FORMS
        yield f"unknown material {self.material!r}", self.material not in MATERIALS
        yield (
            f"unknown colour {self.colour!r}, known: {', '.join(PALETTE)}",
            self.colour not in PALETTE,
        )
        yield f"unknown axis {self.axis!r}", self.axis not in ("x", "y", "z")
        yield f"size {size} is not positive", not all(length > 0 for length in self.size)
        far = max(map(abs, (*self.corner, *self.size)))
        yield f"it reaches beyond {_REACH} studs or plates", not far < _REACH
        yield f"size {size} is not in whole studs and layers", self.form in ON_GRID and off_grid
        yield f"size {size} is not round", self.form == "cylinder" and not self._is_round()
        yield f"bore {self.bore:g} is outside 0 to 1", not 0 <= self.bore < 1
        yield "its outline is not convex", self.form == "prism" and not self._is_convex()
        if self.mass_g is not None:
            yield "its mass is not positive", not self.mass_g > 0
            yield f"its mass is not below {_MOST_G:,} g", not self.mass_g < _MOST_G

    def _is_round(self) -> bool:
        first, second = np.delete(self.size_mm, self.axis_number)
        return isclose(first, second, rel_tol=1e-9)

    def _is_convex(self) -> bool:
        if len(self.outline) < 3:
            return False
        corners = np.array(self.outline)
        if not ((corners >= 0) & (corners <= 1)).all():
            return False
        sides = np.roll(corners, -1, axis=0) - corners
        following = np.roll(sides, -1, axis=0)
        turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
        fills = np.allclose(corners.min(axis=0), 0.0) and np.allclose(corners.max(axis=0), 1.0)
        return fills and bool((turns > 0).all() or (turns < 0).all())

    @property
    def axis_number(self) -> int:
        """Number of the axis: 0, 1 or 2 for x, y or z."""
        return "xyz".index(self.axis)

    @property
    def low_mm(self) -> Array:
        """Least corner of the box, shape (3,)."""
        low: Array = np.array(self.corner) * GRID_MM
        return low

    @property
    def size_mm(self) -> Array:
        """Edges of the box, shape (3,)."""
        size: Array = np.array(self.size) * GRID_MM
        return size

    @property
    def high(self) -> Triple:
        """Greatest corner of the box: studs, studs, plates."""
        (x, y, z), (a, b, c) = self.corner, self.size
        return x + a, y + b, z + c

    @property
    def outline_mm(self) -> Array:
        """Base of a prism in the frame of the assembly, shape (n, 2)."""
        across = [axis for axis in range(3) if axis != self.axis_number]
        outline: Array = self.low_mm[across] + np.array(self.outline) * self.size_mm[across]
        return outline

    def moved(self, by: Triple) -> "Piece":
        """Return the piece moved by studs, studs, plates."""
        (x, y, z), (a, b, c) = self.corner, by
        return replace(self, corner=(x + a, y + b, z + c))

    def reflected(self, axis: int) -> "Piece":
        """Return the mirror image with x (axis 0) or y (axis 1) negated."""
        corner = list(self.corner)
        corner[axis] = -corner[axis] - self.size[axis]
        outline = self.outline
        if axis != self.axis_number and outline:
            place = [other for other in range(3) if other != self.axis_number].index(axis)
            points = 1.0 * np.array(outline)
            points[:, place] = 1.0 - points[:, place]
            outline = tuple((float(u), float(v)) for u, v in points)
        return replace(self, corner=(corner[0], corner[1], corner[2]), outline=outline)


def piece_mass(piece: Piece) -> MassProperties:
    """Return mass, centre of mass and inertia of a piece in the frame of the assembly, in closed form."""
    if piece.form in ON_GRID:
        layers = round(piece.size[2] / ON_GRID[piece.form])
        return join(_layer(piece, index, index == layers - 1) for index in range(layers))
    parts = [_solid(piece)]
    if piece.bore:
        diameter = piece.bore * _diameter_mm(piece)
        length = float(piece.size_mm[piece.axis_number])
        parts.append(cylinder(_middle_mm(piece), diameter, length, -1, piece.axis_number))
    total = compose(parts, density_g_cm3(piece.material))
    if piece.mass_g is None:
        return total
    scale = piece.mass_g / total.mass_g
    return MassProperties(
        piece.mass_g, total.volume_mm3, total.centre_mm, scale * total.inertia_g_mm2
    )


@lru_cache
def density_g_cm3(material: str) -> float:
    """Return the density of a material of `MATERIALS`."""
    if material == "rubber":
        return RUBBER_G_CM3
    if material == "abs":
        return DENSITY_G_CM3
    dimensions = brick.default_dimensions("2x2")
    total = compose(brick.solids(2, 2, BRICK_MM, dimensions), dimensions.density_g_cm3)
    return total.mass_g / (2 * STUD_MM * 2 * STUD_MM * BRICK_MM) * 1000.0


def _layer(piece: Piece, index: int, is_top: bool) -> MassProperties:
    """Return the mass properties of one layer: a brick, a plate or a tile."""
    nx, ny, layer = round(piece.size[0]), round(piece.size[1]), ON_GRID[piece.form]
    kind = "" if piece.form == "brick" else "plate:"
    dimensions = brick.default_dimensions(f"{kind}{nx}x{ny}")
    make = brick.shell_solids if piece.form == "tile" and is_top else brick.solids
    total = compose(make(nx, ny, layer * PLATE_MM, dimensions), dimensions.density_g_cm3)
    x, y, _ = _middle_mm(piece)
    underside = np.array([x, y, float(piece.low_mm[2]) + index * layer * PLATE_MM])
    return replace(total, centre_mm=underside + total.centre_mm)


def _solid(piece: Piece) -> Solid:
    axis = piece.axis_number
    low, length = float(piece.low_mm[axis]), float(piece.size_mm[axis])
    if piece.form == "prism":
        return prism(piece.outline_mm, low, low + length, axis)
    if piece.form == "cylinder":
        return cylinder(_middle_mm(piece), _diameter_mm(piece), length, axis=axis)
    a, b, c = piece.size_mm.tolist()
    return box(_middle_mm(piece), (a, b, c))


def _diameter_mm(piece: Piece) -> float:
    return float(np.delete(piece.size_mm, piece.axis_number)[0])


def _middle_mm(piece: Piece) -> Triple:
    x, y, z = (piece.low_mm + piece.size_mm / 2).tolist()
    return x, y, z


def _numbers(values: Triple) -> str:
    return "[" + ", ".join(f"{value:g}" for value in values) + "]"


ROUND_SEGMENTS = 24
"""Corners of a wheel or a head."""
STUD_SEGMENTS = 12
"""Corners of a stud: small files."""

_SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
_ABOVE_MM = 0.1
"""A stud is covered if a piece fills the point at this height above its base."""


def piece_mesh(piece: Piece, others: Sequence[Piece] = ()) -> Mesh:
    """Return the surface of a piece in the frame of the assembly.

    The others may cover its studs, and may include the piece itself.
    """
    return weld([*_body(piece), *_studs(piece, others)])


def free_studs(piece: Piece, others: Iterable[Piece]) -> Array:
    """Return the centres in plan of the studs that no other piece covers, shape (n, 2), in mm."""
    if piece.form not in STUDDED:
        return np.empty((0, 2))
    middle, top = piece.low_mm + piece.size_mm / 2, float(piece.low_mm[2] + piece.size_mm[2])
    centres = middle[:2] + brick.stud_centres(round(piece.size[0]), round(piece.size[1]))
    spots = np.column_stack([centres, np.full(len(centres), top + _ABOVE_MM)])
    covered = np.zeros(len(spots), dtype=bool)
    for other in others:
        low, high = other.low_mm, other.low_mm + other.size_mm
        covered |= ((spots > low) & (spots < high)).all(axis=1)
    return centres[~covered]


def _studs(piece: Piece, others: Iterable[Piece]) -> Iterable[Array]:
    d, top = brick.BRICK_DIMENSIONS, float(piece.low_mm[2] + piece.size_mm[2])
    rim = brick.regular_polygon(d.stud_diameter_mm / 2, STUD_SEGMENTS)
    for centre in free_studs(piece, others):
        yield from _column(centre + rim, top, top + d.stud_height_mm)


def _body(piece: Piece) -> list[Array]:
    axis = piece.axis_number
    low, length = float(piece.low_mm[axis]), float(piece.size_mm[axis])
    across = [other for other in range(3) if other != axis]
    if piece.form == "cylinder":
        diameter = float(piece.size_mm[across[0]])
        middle = (piece.low_mm + piece.size_mm / 2)[across]
        circle = brick.regular_polygon(diameter / 2, ROUND_SEGMENTS)
        outer, inner = middle + circle, middle + piece.bore * circle
        hollow = _tube(outer, inner, low, low + length) if piece.bore else []
        parts = hollow or _column(outer, low, low + length)
    elif piece.form == "prism":
        parts = _column(_counter_clockwise(piece.outline_mm), low, low + length)
    else:
        parts = _column(piece.low_mm[across] + _SQUARE * piece.size_mm[across], low, low + length)
    return [_along(axis, part) for part in parts]


def _column(outline: Array, low: float, high: float) -> list[Array]:
    """Return walls and ends of the prism over a convex counter-clockwise outline."""
    corners = np.arange(1, len(outline) - 1)
    fan = outline[np.column_stack([np.zeros_like(corners), corners, corners + 1])]
    return [*tower([outline], low, high), _at(fan, high), _at(fan[:, ::-1], low)]


def _tube(outer: Array, inner: Array, low: float, high: float) -> list[Array]:
    next_outer, next_inner = np.roll(outer, -1, axis=0), np.roll(inner, -1, axis=0)
    ring = np.concatenate(
        [
            np.stack([outer, next_outer, next_inner], axis=1),
            np.stack([outer, next_inner, inner], axis=1),
        ]
    )
    walls = [*tower([outer], low, high), *(wall[:, ::-1] for wall in tower([inner], low, high))]
    return [*walls, _at(ring, high), _at(ring[:, ::-1], low)]


def _at(triangles: Array, height: float) -> Array:
    """Return triangles of the plane, shape (n, 3, 2), at a height in space, shape (n, 3, 3)."""
    return np.concatenate([triangles, np.full((*triangles.shape[:2], 1), height)], axis=2)


def _along(axis: int, triangles: Array) -> Array:
    """Return triangles with their third coordinate along `axis`, the orientation kept."""
    if axis == 0:
        return triangles[..., [2, 0, 1]]
    return triangles[:, ::-1][..., [0, 2, 1]] if axis == 1 else triangles


def _counter_clockwise(outline: Array) -> Array:
    first, second = outline[1] - outline[0], outline[2] - outline[1]
    return outline if first[0] * second[1] > first[1] * second[0] else outline[::-1]
