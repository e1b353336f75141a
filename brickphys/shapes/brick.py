"""The brick family: 1 or 2 studs wide, 1 to 8 long, full height or a plate.

A piece is a box, minus its cavity, plus tubes (two wide) or posts (one wide) between the studs, plus studs, minus
the shallow hole below each stud. These are boxes and cylinders, so mass, centre of mass and inertia are exact. On a
plane a piece collides as its convex hull: the box and the rims of the studs at its corners.

The outer edges of the box and the upper rims of the studs are rounded by one radius; 0 makes them sharp. The edges of
the cavity stay sharp, since they touch nothing.

The lengths and their sources are in `dimensions`.
"""

from collections.abc import Iterator

import numpy as np

from brickphys.arrays import Array
from brickphys.errors import InvalidValueError
from brickphys.shapes.body import Body, Face, Part, check_edge_radius, shape_name
from brickphys.shapes.dimensions import BrickDimensions, default_dimensions
from brickphys.shapes.hull import convex_hull
from brickphys.shapes.solids import Solid, box, compose, cylinder, rim_cut, rounded_box
from brickphys.units import BRICK_MM, PLATE_MM, STUD_MM

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

    Parameters
    ----------
    nx, ny
        Studs, in either order: 4, 2 is a 2x4.
    dimensions
        Lengths and density; the fitted ones if None.
    edge_radius_mm
        Radius of outer edges and of the rims of studs.

    Raises
    ------
    InvalidValueError
        If the size is not of the family, the dimensions do not fit its height, or the edge radius is not below the
        thickness of the walls, the height and half the diameter of a stud, and half the height.
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

    Raises
    ------
    InvalidValueError
        If the size is not of the family; the message names the nearest one.
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
    moments = np.diag(
        total.inertia_g_mm2
    )  # the axes are principal, since there are two mirror planes
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
