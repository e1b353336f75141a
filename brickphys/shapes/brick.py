"""The brick family: 1 or 2 studs wide, 1 to 8 long, full height or a plate; its lengths, and how they were fitted.

A piece is a box, minus its cavity, plus tubes (two wide) or posts (one wide) between the studs, plus studs, minus
the shallow hole below each stud. These are boxes and cylinders, so mass, centre of mass and inertia are exact. On a
plane a piece collides as its convex hull: the box and the rims of the studs at its corners.

The outer edges of the box and the upper rims of the studs are rounded by one radius; 0 makes them sharp. The edges of
the cavity stay sharp, since they touch nothing.

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

import numpy as np

from brickphys.errors import InvalidValueError
from brickphys.shapes.body import Body, Face, Part, check_edge_radius, shape_name
from brickphys.shapes.hull import convex_hull
from brickphys.shapes.solids import Solid, box, compose, cylinder, rim_cut, rounded_box
from brickphys.units import BRICK_MM, PLATE_MM, STUD_MM, Array

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
    """Lengths and density of a piece of any number of studs."""

    wall_mm: float = 1.4
    top_mm: float = 1.1
    """Thickness of the walls and of the plate that carries the studs. Calipers find walls of 1.2 (recent moulds, with
    ribs that are not modelled) to 1.5 and tops from 1.0; the values are fitted within that range."""
    stud_diameter_mm: float = 4.8
    stud_height_mm: float = 1.7
    """Calipers find 4.8 to 4.9 and 1.6 to 1.8. The default diameter is 12 LDU, as drawn by LDraw; 1.7 is the usual
    height. Larger studs can make a rest on the bevel stable."""
    hole_diameter_mm: float = 2.6
    hole_depth_mm: float = 1.5
    """Blind hole below each stud, from the ceiling of the cavity upwards; depth 0 is no hole. The diameter is measured;
    the depth is assumed: through the top and a little into the stud."""
    tube_outer_mm: float = 6.31
    tube_inner_mm: float = 4.8
    """Diameters. Calipers find 6.31 to 6.51 for the outer one (at 6.51 the tube touches four studs) and 4.8, a stud,
    for the inner one. The thinnest tube fits the masses best."""
    post_diameter_mm: float = 3.2
    """Pin between the studs of pieces one stud wide: 8 LDU, as drawn by LDraw."""
    clearance_mm: float = 0.2
    """The length of a piece of n studs is 8 n minus this."""
    density_g_cm3: float = 1.05
    """ABS: 1.03 to 1.07."""

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


CIRCLE_SEGMENTS = 32
"""Corners of a stud's rim in the hull. With a multiple of 4 the rim has a corner in each axis direction, so a brick
on its side leans on its studs as on round ones."""

EDGE_RADIUS_MM = 0.2
"""Radius of outer edges and stud rims: the middle of 0.1 to 0.3, a supposition (``docs/models.md``)."""
WIDTHS = (1, 2)
LENGTHS = range(1, 9)

FACES = (
    Face("studs_up", (0.0, 0.0, -1.0)),
    Face("studs_down", (0.0, 0.0, 1.0)),
    Face("side", (1.0, 0.0, 0.0)),
    Face("side", (-1.0, 0.0, 0.0)),
    Face("side", (0.0, 1.0, 0.0)),
    Face("side", (0.0, -1.0, 0.0)),
)


def brick(
    nx: int,
    ny: int,
    dimensions: BrickDimensions | None = None,
    edge_radius_mm: float = EDGE_RADIUS_MM,
) -> Body:
    """Return the brick with `nx` studs along x and `ny` along y.

    InvalidValueError if the size is not of the family, the dimensions do not fit its height, or the edge radius is not
    below the thickness of the walls, the height and half the diameter of a stud, and half the height.

    Parameters
    ----------
    nx, ny
        Studs, in either order: 4, 2 is a 2x4.
    dimensions
        Lengths and density; the fitted ones if None.
    edge_radius_mm
        Radius of outer edges and of the rims of studs.
    """
    return _piece(nx, ny, "", BRICK_MM, dimensions, edge_radius_mm)


def plate(
    nx: int,
    ny: int,
    dimensions: BrickDimensions | None = None,
    edge_radius_mm: float = EDGE_RADIUS_MM,
) -> Body:
    """Return the plate, a third as high as a brick; see `brick`."""
    return _piece(nx, ny, "plate:", PLATE_MM, dimensions, edge_radius_mm)


def footprint(nx: int, ny: int) -> tuple[int, int]:
    """Return the studs along x and y in the usual order, smaller first.

    Raises InvalidValueError if the size is not of the family; the message names the nearest one.
    """
    narrow, long = sorted((nx, ny))
    if narrow not in WIDTHS or long not in LENGTHS:
        nearest = f"{min(max(narrow, 1), 2)}x{min(max(long, 1), 8)}"
        raise InvalidValueError(
            f"unknown size '{nx}x{ny}': pieces are 1 or 2 studs wide and 1 to 8 long, "
            f"did you mean {nearest!r}?"
        )
    return narrow, long


def stud_centres(nx: int, ny: int) -> Array:
    """Return the centres of the studs in plan, shape (nx * ny, 2), in mm."""
    x, y = (STUD_MM * (np.arange(n) - (n - 1) / 2) for n in (nx, ny))
    return np.array([(a, b) for a in x for b in y])


def tube_centres(nx: int, ny: int) -> Array:
    """Return the centres of the tubes (of the posts of pieces one stud wide) in plan, shape (n, 2), in mm."""
    if nx == ny == 1:
        return np.empty((0, 2))
    return stud_centres(max(nx - 1, 1), max(ny - 1, 1))


def outline(nx: int, ny: int, dimensions: BrickDimensions) -> tuple[float, float]:
    """Return the outer lengths along x and y in mm."""
    return STUD_MM * nx - dimensions.clearance_mm, STUD_MM * ny - dimensions.clearance_mm


def solids(
    nx: int, ny: int, height_mm: float, dimensions: BrickDimensions, edge_radius_mm: float = 0.0
) -> list[Solid]:
    """Return the signed solids of a brick or plate of any size; the origin is in the middle of the open rim."""
    d = dimensions
    ceiling = height_mm - d.top_mm
    parts = shell_solids(nx, ny, height_mm, d, edge_radius_mm)
    for x, y in stud_centres(nx, ny):
        stud = (x, y, height_mm + d.stud_height_mm / 2)
        hole = (x, y, ceiling + d.hole_depth_mm / 2)
        parts.append(cylinder(stud, d.stud_diameter_mm, d.stud_height_mm))
        parts.append(cylinder(hole, d.hole_diameter_mm, d.hole_depth_mm, -1))
        if edge_radius_mm:
            end = (x, y, height_mm + d.stud_height_mm)
            parts.append(rim_cut(end, d.stud_diameter_mm, edge_radius_mm))
    return parts


def shell_solids(
    nx: int, ny: int, height_mm: float, dimensions: BrickDimensions, edge_radius_mm: float = 0.0
) -> list[Solid]:
    """Return the signed solids of a piece without studs and without the holes below them: a tile."""
    d = dimensions
    a, b = outline(nx, ny, d)
    ceiling = height_mm - d.top_mm
    inner = (a - 2 * d.wall_mm, b - 2 * d.wall_mm, ceiling)
    parts = [
        rounded_box((0, 0, height_mm / 2), (a, b, height_mm), edge_radius_mm),
        box((0, 0, ceiling / 2), inner, -1),
    ]
    for x, y in tube_centres(nx, ny):
        middle = (x, y, ceiling / 2)
        if min(nx, ny) == 1:
            parts.append(cylinder(middle, d.post_diameter_mm, ceiling))
        else:
            parts.append(cylinder(middle, d.tube_outer_mm, ceiling))
            parts.append(cylinder(middle, d.tube_inner_mm, ceiling, -1))
    return parts


def _piece(
    nx: int,
    ny: int,
    prefix: str,
    height_mm: float,
    dimensions: BrickDimensions | None,
    edge_radius_mm: float,
) -> Body:
    nx, ny = footprint(nx, ny)
    name = f"{prefix}{nx}x{ny}"
    dimensions = dimensions or default_dimensions(name)
    if dimensions.top_mm >= height_mm:
        raise InvalidValueError(
            f"top_mm {dimensions.top_mm:g} is not below the height of the piece, {height_mm:g}"
        )
    _check_edges(edge_radius_mm, height_mm, dimensions)
    total = compose(solids(nx, ny, height_mm, dimensions, edge_radius_mm), dimensions.density_g_cm3)
    # the axes are principal, since there are two mirror planes
    moments = np.diag(total.inertia_g_mm2)
    corners = _corners(nx, ny, height_mm, dimensions, edge_radius_mm)
    return Body(
        name=shape_name(name, edge_radius_mm, EDGE_RADIUS_MM),
        mass_g=total.mass_g,
        volume_mm3=total.volume_mm3,
        inertia_g_mm2=(float(moments[0]), float(moments[1]), float(moments[2])),
        vertices_mm=corners - [0.0, 0.0, total.centre_mm[2]],
        faces=FACES,
        centre_of_mass_mm=float(total.centre_mm[2]),
        parts=tuple(_parts(nx, ny, height_mm, dimensions, float(total.centre_mm[2]))),
        edge_radius_mm=edge_radius_mm,
        scoring=("side",),
    )


def _check_edges(edge_radius_mm: float, height_mm: float, d: BrickDimensions) -> None:
    limits = {
        "the thickness of the walls": d.wall_mm,
        "half the diameter of a stud": d.stud_diameter_mm / 2,
        "the height of a stud": d.stud_height_mm,
        "half the height": height_mm / 2,
    }
    what, limit_mm = min(limits.items(), key=lambda limit: limit[1])
    check_edge_radius(edge_radius_mm, limit_mm, what)


def _parts(
    nx: int, ny: int, height_mm: float, d: BrickDimensions, middle_mm: float
) -> Iterator[Part]:
    """Yield top, walls, tubes (or posts) and studs; tubes are solid, since a stud enters one only by force."""
    a, b = outline(nx, ny, d)
    ceiling = height_mm - d.top_mm
    side = ceiling / 2 - middle_mm
    yield Part((0.0, 0.0, height_mm - d.top_mm / 2 - middle_mm), (a, b, d.top_mm))
    for sign in (-1, 1):
        yield Part((sign * (a - d.wall_mm) / 2, 0.0, side), (d.wall_mm, b, ceiling))
        yield Part((0.0, sign * (b - d.wall_mm) / 2, side), (a, d.wall_mm, ceiling))
    tube = d.post_diameter_mm if nx == 1 else d.tube_outer_mm
    for x, y in tube_centres(nx, ny).tolist():
        yield Part((x, y, side), (tube, tube, ceiling), is_round=True)
    stud, top = d.stud_diameter_mm, height_mm + d.stud_height_mm / 2 - middle_mm
    for x, y in stud_centres(nx, ny).tolist():
        yield Part((x, y, top), (stud, stud, d.stud_height_mm), is_round=True)


def _corners(nx: int, ny: int, height_mm: float, d: BrickDimensions, r: float) -> Array:
    """Return the corners of the core of the hull: box and studs, each smaller by the edge radius r on all sides."""
    a, b = (length / 2 - r for length in outline(nx, ny, d))
    box_corners = [(x, y, z) for z in (r, height_mm - r) for x in (-a, a) for y in (-b, b)]
    rims = [
        np.column_stack([x + circle[:, 0], y + circle[:, 1], np.full(len(circle), top)])
        for circle in (regular_polygon(d.stud_diameter_mm / 2 - r),)
        for top in (height_mm + d.stud_height_mm - r,)
        for x in {STUD_MM * (nx - 1) / 2: 0, -STUD_MM * (nx - 1) / 2: 0}
        for y in {STUD_MM * (ny - 1) / 2: 0, -STUD_MM * (ny - 1) / 2: 0}
    ]
    return convex_hull(np.vstack([box_corners, *rims])).corners_mm


def regular_polygon(radius_mm: float, segments: int = CIRCLE_SEGMENTS) -> Array:
    """Return the corners of a regular polygon, shape (segments, 2), the first one on +x; `segments` is a multiple of 4.

    The corners of one quadrant are mirrored into the others, so the polygon is symmetric to the last bit.
    """
    quarter = 2 * np.pi * np.arange(segments // 4 + 1) / segments
    x = np.cos(quarter)
    x[-1] = 0.0
    y = x[::-1]
    first = np.column_stack([x, y])[:-1]
    turns = [first, first[:, ::-1] * [-1, 1], -first, first[:, ::-1] * [1, -1]]
    polygon: Array = radius_mm * np.vstack(turns)
    return polygon
