"""Dimensions: the lengths and the density of bricks and plates, and how they were fitted.

Stud, tube and hole are measured with calipers (see `BrickDimensions`). Wall and top are fitted: of walls of 1.20,
1.25 ... 1.50 mm and tops of 1.00, 1.05 ... 1.50 mm, the pair is taken whose largest relative error over the weighed
bricks of `WEIGHED_G` is least, 3.7 %. The plates 2x2 and 2x4, which are not part of the fit, come out within 2 %. The
tests repeat the search. The fit has sharp edges: a radius of 0.2 mm would take 0.2 % of the mass.

The 1x1 plate is an exception. Its 0.22 g leave a cavity smaller than the volume of a stud, so the usual cavity makes
it far too light. `PLATE_1X1_DIMENSIONS` models a socket for one stud instead.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from math import isfinite, sqrt

from brickphys.errors import InvalidValueError
from brickphys.units import STUD_MM

WEIGHED_G = {
    "2x2": 1.18,  # 1.15 in the StableLego library, 1.21 weighed for BrickMesh
    "1x1": 0.43,  # this and the following: weighed single parts 3005, 3004, 3010, 3002, 3001
    "1x2": 0.80,
    "1x4": 1.57,
    "2x3": 1.71,
    "2x4": 2.19,
    "plate:2x2": 0.60,  # 3022, 3020, 3024
    "plate:2x4": 1.15,
    "plate:1x1": 0.22,
}
"""Masses on a scale, in grams."""

_KIND = {False: "positive number", True: "number from 0"}


@dataclass(frozen=True)
class BrickDimensions:
    """Lengths and density of a piece of any number of studs.

    Attributes
    ----------
    wall_mm, top_mm
        Thickness of the walls and of the plate that carries the studs. Calipers find walls of 1.2 (recent moulds,
        with ribs that are not modelled) to 1.5 and tops from 1.0; the values are fitted within that range.
    stud_diameter_mm, stud_height_mm
        Calipers find 4.8 to 4.9 and 1.6 to 1.8. The default diameter is 12 LDU, as drawn by LDraw; 1.7 is the usual
        height. Larger studs can make a rest on the bevel stable.
    hole_diameter_mm, hole_depth_mm
        Blind hole below each stud, from the ceiling of the cavity upwards; depth 0 is no hole. The diameter is
        measured; the depth is assumed: through the top and a little into the stud.
    tube_outer_mm, tube_inner_mm
        Diameters. Calipers find 6.31 to 6.51 for the outer one (at 6.51 the tube touches four studs) and 4.8, a
        stud, for the inner one. The thinnest tube fits the masses best.
    post_diameter_mm
        Pin between the studs of pieces one stud wide: 8 LDU, as drawn by LDraw.
    clearance_mm
        The length of a piece of n studs is 8 n minus this.
    density_g_cm3
        ABS: 1.03 to 1.07.
    """

    wall_mm: float = 1.4
    top_mm: float = 1.1
    stud_diameter_mm: float = 4.8
    stud_height_mm: float = 1.7
    hole_diameter_mm: float = 2.6
    hole_depth_mm: float = 1.5
    tube_outer_mm: float = 6.31
    tube_inner_mm: float = 4.8
    post_diameter_mm: float = 3.2
    clearance_mm: float = 0.2
    density_g_cm3: float = 1.05

    def __post_init__(self) -> None:
        faults = self.problems()
        if faults:
            raise InvalidValueError("brick dimensions: " + "; ".join(faults))

    def problems(self) -> list[str]:
        """Return the faults of form, or, if there are none, all contradictions between the lengths."""
        may_be_zero = ("hole_depth_mm", "clearance_mm")
        values = [(field.name, getattr(self, field.name)) for field in fields(self)]
        faults = [
            f"{name} {value:g} is not a {_KIND[name in may_be_zero]}"
            for name, value in values
            if not isfinite(value) or value < 0 or (value == 0 and name not in may_be_zero)
        ]
        return faults or [text for text, broken in self._limits() if broken]

    def _limits(self) -> Iterator[tuple[str, bool]]:
        """Yield the text of each contradiction, and whether it is present."""
        half = (STUD_MM - self.clearance_mm) / 2
        cavity = half - self.wall_mm  # half width of the cavity of a piece one stud wide
        yield (
            f"clearance_mm {self.clearance_mm:g} leaves no room for a stud",
            half <= STUD_MM * 3 / 8,
        )
        yield f"wall_mm {self.wall_mm:g} is not below half the width, {half:g}", cavity <= 0
        yield from self._stud_limits(half, cavity)
        yield from self._inside_limits(cavity)

    def _stud_limits(self, half: float, cavity: float) -> Iterator[tuple[str, bool]]:
        stud, hole, depth = self.stud_diameter_mm, self.hole_diameter_mm, self.hole_depth_mm
        yield f"stud_diameter_mm {stud:g} is wider than the piece, {2 * half:g}", stud > 2 * half
        yield f"hole_diameter_mm {hole:g} is not below the stud's, {stud:g}", hole >= stud
        yield f"hole_diameter_mm {hole:g} is wider than the cavity", hole > 2 * cavity
        full = self.top_mm + self.stud_height_mm
        yield f"hole_depth_mm {depth:g} breaks through top and stud, {full:g}", depth >= full

    def _inside_limits(self, cavity: float) -> Iterator[tuple[str, bool]]:
        outer, inner, post = self.tube_outer_mm, self.tube_inner_mm, self.post_diameter_mm
        hole = self.hole_diameter_mm
        diagonal = STUD_MM / sqrt(2)  # from the axis of a tube to that of a stud
        yield f"tube_inner_mm {inner:g} is not below tube_outer_mm {outer:g}", inner >= outer
        yield f"tube_outer_mm {outer:g} cuts the walls", outer > 2 * cavity + STUD_MM
        yield f"tube_outer_mm {outer:g} cuts the next tube", outer > STUD_MM
        yield f"tube_outer_mm {outer:g} cuts the holes", (outer + hole) / 2 > diagonal
        yield f"post_diameter_mm {post:g} cuts the walls", post > 2 * cavity
        yield f"post_diameter_mm {post:g} cuts the holes", post + hole > STUD_MM


BRICK_DIMENSIONS = BrickDimensions()
PLATE_1X1_DIMENSIONS = replace(BRICK_DIMENSIONS, wall_mm=1.75, top_mm=1.6, hole_depth_mm=0.0)
"""The cavity is square, with the area of a round socket for one stud (side 4.3 mm for diameter 4.8 mm), and as deep as
the lowest measured stud (1.6 mm)."""


def default_dimensions(name: str) -> BrickDimensions:
    """Return the fitted lengths of a brick or plate, by its name such as ``"plate:2x2"`` or ``"2x2:r0.2"``."""
    return PLATE_1X1_DIMENSIONS if name.startswith("plate:1x1") else BRICK_DIMENSIONS
