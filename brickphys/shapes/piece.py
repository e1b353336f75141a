"""Piece: one part of an assembly, its place on the brick grid and its mass.

Bricks, plates and tiles are hollow, with the closed-form mass of `brick`. All other pieces are blocks, prisms or
cylinders of one material. Places and sizes are in studs along x and y and in plates along z.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isclose

import numpy as np

from brickphys.arrays import Array, Triple
from brickphys.errors import InvalidValueError
from brickphys.shapes.brick import shell_solids, solids
from brickphys.shapes.dimensions import default_dimensions
from brickphys.shapes.palette import PALETTE
from brickphys.shapes.primitives import DENSITY_G_CM3
from brickphys.shapes.solids import MassProperties, Solid, box, compose, cylinder, join, prism
from brickphys.units import BRICK_MM, PLATE_MM, STUD_MM

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

    Attributes
    ----------
    form
        One of `FORMS`. A ``tile`` is a plate without studs, a ``block`` a smooth box.
    corner
        Least x, y (studs) and z (plates) of its bounding box, without studs on top.
    size
        Size of that box: studs, studs, plates.
    colour
        A name of `palette.PALETTE`.
    axis
        Axis of a prism or cylinder: ``x``, ``y`` or ``z``.
    outline
        A prism's convex base: corners in the two other axes (x before y before z), as shares of the box, 0 to 1.
    bore
        Inner over outer diameter of a cylinder, such as a tyre.
    material
        One of `MATERIALS`.
    mass_g
        Weighed mass, which replaces the mass computed from form and material.
    overhangs
        Left out of footprint and height, such as a gun's barrel or an oar, but part of the picture and of the mass.

    Raises
    ------
    InvalidValueError
        If form, material or colour is unknown, or the form cannot have that size.
    """

    form: str
    corner: Triple
    size: Triple
    colour: str
    axis: str = "z"
    outline: tuple[tuple[float, float], ...] = ()
    bore: float = 0.0
    material: str = "hollow"
    mass_g: float | None = None
    overhangs: bool = False

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
    dimensions = default_dimensions("2x2")
    total = compose(solids(2, 2, BRICK_MM, dimensions), dimensions.density_g_cm3)
    return total.mass_g / (2 * STUD_MM * 2 * STUD_MM * BRICK_MM) * 1000.0


def _layer(piece: Piece, index: int, is_top: bool) -> MassProperties:
    """Return the mass properties of one layer: a brick, a plate or a tile."""
    nx, ny, layer = round(piece.size[0]), round(piece.size[1]), ON_GRID[piece.form]
    kind = "" if piece.form == "brick" else "plate:"
    dimensions = default_dimensions(f"{kind}{nx}x{ny}")
    make = shell_solids if piece.form == "tile" and is_top else solids
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
