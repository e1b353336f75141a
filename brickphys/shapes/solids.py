"""Signed solids: mass properties in closed form.

A hollow body is a sum of boxes, cylinders and prisms, those of a cavity or hole with a negative sign. Edges may be
rounded. Volume, first moment and inertia are additive, so no mesh and no sampling is needed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import pi

import numpy as np

from brickphys.units import Array, Triple


@dataclass(frozen=True)
class Solid:
    """A primitive that is added (sign +1) or cut out (sign -1)."""

    centre_mm: Triple
    """Centroid."""
    volume_mm3: float
    """Volume, negative for a cut."""
    moments_mm5: Triple
    """Volume integrals of y2 + z2, x2 + z2 and x2 + y2 about the centroid, with the sign of the volume."""
    products_mm5: Triple = (0.0, 0.0, 0.0)
    """Volume integrals of yz, xz and xy about the centroid; 0 if the axes are axes of symmetry."""


@dataclass(frozen=True, eq=False)
class MassProperties:
    """Mass, centre of mass and inertia of a rigid body."""

    mass_g: float
    volume_mm3: float
    centre_mm: Array
    inertia_g_mm2: Array
    """Inertia tensor about the centre of mass, shape (3, 3)."""


def box(centre_mm: Triple, size_mm: Triple, sign: int = 1) -> Solid:
    """Return a box with its edges along the axes.

    The sizes are full lengths; the sign is +1 for material, -1 for a cavity.
    """
    a, b, c = size_mm
    volume = sign * a * b * c
    moments = (b * b + c * c, a * a + c * c, a * a + b * b)
    return Solid(
        centre_mm,
        volume,
        (volume * moments[0] / 12, volume * moments[1] / 12, volume * moments[2] / 12),
    )


def cylinder(
    centre_mm: Triple, diameter_mm: float, height_mm: float, sign: int = 1, axis: int = 2
) -> Solid:
    """Return a cylinder.

    Parameters
    ----------
    centre_mm
        Middle of the axis.
    sign
        +1 for material, -1 for a hole.
    axis
        0, 1 or 2 for x, y or z.
    """
    square = diameter_mm**2 / 4
    volume = sign * pi * square * height_mm
    across = volume * (square / 4 + height_mm**2 / 12)
    moments = [across, across, across]
    moments[axis] = volume * square / 2
    return Solid(centre_mm, volume, (moments[0], moments[1], moments[2]))


def rounded_box(centre_mm: Triple, size_mm: Triple, radius_mm: float) -> Solid:
    """Return a box with edges and corners rounded by a radius: a smaller box, swept by a ball.

    The sizes are full lengths; the radius is at most half the least of them, 0 for sharp edges.

    Notes
    -----
    It is the sum of the smaller box, a slab on each face, a quarter of a cylinder along each edge and an octant of the
    ball at each corner.
    """
    if radius_mm == 0:
        return box(centre_mm, size_mm)
    a, b, c = (size / 2 - radius_mm for size in size_mm)
    slabs = 8 * (a * b * c + radius_mm * (a * b + b * c + c * a))
    volume = slabs + 2 * pi * radius_mm**2 * (a + b + c) + 4 / 3 * pi * radius_mm**3
    x, y, z = (_rounded_square(*halves, radius_mm) for halves in ((a, b, c), (b, c, a), (c, a, b)))
    return Solid(centre_mm, volume, (y + z, x + z, x + y))


def _rounded_square(a: float, b: float, c: float, r: float) -> float:
    """Return the volume integral of x2 over a rounded box; a, b, c are half the edges of the smaller box."""
    slabs = 8 / 3 * ((a + r) ** 3 * b * c + a**3 * r * (b + c))
    along = 2 / 3 * pi * r**2 * a**3
    across = 2 * (b + c) * (pi * r**2 * a**2 + 8 / 3 * r**3 * a + pi / 4 * r**4)
    return slabs + along + across + pi * r**3 * (4 / 3 * a**2 + r * a + 4 / 15 * r**2)


def rim_cut(centre_mm: Triple, diameter_mm: float, radius_mm: float, up: int = 1) -> Solid:
    """Return what is cut off a cylinder along z if the rim of one end is rounded: a ring.

    Parameters
    ----------
    centre_mm
        Middle of that end.
    diameter_mm
        Of the cylinder.
    radius_mm
        Of the rounding, above 0; at most half the diameter.
    up
        +1 for the upper end, -1 for the lower one.

    Notes
    -----
    The section of the ring is a square less a quarter of a disc, both with their corner on the circle in which the
    rounding meets the end. Pappus' theorem gives the volume, and likewise the moments.
    """
    r, outer = radius_mm, diameter_mm / 2
    inner = outer - r
    square, fourth = (outer**2 - inner**2) / 2, (outer**4 - inner**4) / 4
    # integrals over the section of s, s w, s w2 and s3: s is the distance from the axis, w the height over the corner
    volume = square * r - (pi / 4 * r**2 * inner + r**3 / 3)
    first = square * r**2 / 2 - (r**3 / 3 * inner + r**4 / 8)
    second = square * r**3 / 3 - (pi / 16 * r**4 * inner + r**5 / 15)
    polar = fourth * r - (
        pi / 4 * r**2 * inner**3 + r**3 * inner**2 + 3 / 16 * pi * r**4 * inner + 2 / 15 * r**5
    )
    middle = first / volume
    across = -2 * pi * (polar / 2 + second - volume * middle**2)
    x, y, z = centre_mm
    centre = (x, y, z + up * (middle - r))
    return Solid(centre, -2 * pi * volume, (across, across, -2 * pi * polar))


def prism(outline_mm: Array, low_mm: float, high_mm: float, axis: int) -> Solid:
    """Return a right prism.

    Parameters
    ----------
    outline_mm : ndarray, shape (n, 2)
        Corners of its base in order, in the two other axes (x before y before z).
    low_mm, high_mm
        Its two ends along its axis.
    axis
        0, 1 or 2 for x, y or z.
    """
    area, middle, squares = _polygon(outline_mm)
    across = [other for other in range(3) if other != axis]
    centre, spread = np.zeros(3), np.zeros((3, 3))
    centre[across], centre[axis] = middle, (low_mm + high_mm) / 2
    spread[np.ix_(across, across)] = squares * (high_mm - low_mm)
    spread[axis, axis] = area * (high_mm - low_mm) ** 3 / 12
    moments = np.trace(spread) - np.diag(spread)
    return Solid(
        triple(centre),
        area * (high_mm - low_mm),
        triple(moments),
        (float(spread[1, 2]), float(spread[0, 2]), float(spread[0, 1])),
    )


def triple(vector: Array) -> Triple:
    """Return a vector of shape (3,) as a tuple, with -0.0 turned into 0.0."""
    x, y, z = (float(component) + 0.0 for component in vector)
    return x, y, z


def _polygon(corners: Array) -> tuple[float, Array, Array]:
    """Return area, centroid and second moments about it, shape (2, 2), by a fan of triangles at the first corner."""
    first, last = corners[1:-1] - corners[0], corners[2:] - corners[0]
    areas = (first[:, 0] * last[:, 1] - first[:, 1] * last[:, 0]) / 2
    area = float(areas.sum())
    middle = _weighted_sum(areas, (first + last)) / 3 / area
    # the integral over a triangle from the origin is area/12 (a a' + b b' + (a + b)(a + b)')
    squares = sum(np.einsum("i,ij,ik->jk", areas, arm, arm) for arm in (first, last, first + last))
    spread = squares / 12 - area * np.outer(middle, middle)
    turned = 1 if area > 0 else -1
    return abs(area), corners[0] + middle, np.asarray(turned * spread)


def _weighted_sum(weights: Array, vectors: Array) -> Array:
    """Return the sum; a product of matrices would have other last digits on other processors."""
    return np.asarray((weights[:, None] * vectors).sum(axis=0))


def compose(solids: Iterable[Solid], density_g_cm3: float) -> MassProperties:
    """Return the mass properties of a sum of signed solids of one material.

    There is at least one; cuts must lie inside material (not checked).

    Notes
    -----
    Inertia is moved to the common centre of mass by the parallel-axis theorem.
    """
    parts = list(solids)
    volumes = np.array([part.volume_mm3 for part in parts])
    centres = np.array([part.centre_mm for part in parts])
    volume = float(volumes.sum())
    centre = _weighted_sum(volumes, centres) / volume
    arms = centres - centre
    spread = np.einsum("i,ij,ik->jk", volumes, arms, arms)
    own = np.diag(np.sum([part.moments_mm5 for part in parts], axis=0))
    yz, xz, xy = np.sum([part.products_mm5 for part in parts], axis=0)
    products = np.array([(0.0, xy, xz), (xy, 0.0, yz), (xz, yz, 0.0)])
    inertia = own - products + np.trace(spread) * np.eye(3) - spread
    density_g_mm3 = density_g_cm3 / 1000.0
    return MassProperties(density_g_mm3 * volume, volume, centre, density_g_mm3 * inertia)


def join(parts: Iterable[MassProperties]) -> MassProperties:
    """Return the mass properties of rigidly joined parts.

    There is at least one, and their centres are in one frame.
    """
    parts = list(parts)
    masses = np.array([part.mass_g for part in parts])
    centres = np.array([part.centre_mm for part in parts])
    mass = float(masses.sum())
    centre = _weighted_sum(masses, centres) / mass
    arms = centres - centre
    spread = np.einsum("i,ij,ik->jk", masses, arms, arms)
    own = np.sum([part.inertia_g_mm2 for part in parts], axis=0)
    inertia = own + np.trace(spread) * np.eye(3) - spread
    return MassProperties(mass, sum(part.volume_mm3 for part in parts), centre, inertia)
