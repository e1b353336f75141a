"""Body: a rigid body as an engine needs it."""

from dataclasses import dataclass

import numpy as np

from brickphys.errors import InvalidValueError
from brickphys.units import Array, Triple

MIN_SIZE_MM = 0.5
MAX_SIZE_MM = 500.0
"""Sizes outside this range are refused: the engines are not trusted there."""
MIN_EDGE_RADIUS_MM = 1e-9
"""Least edge radius that is not 0."""


@dataclass(frozen=True, eq=False)
class Face:
    """A face on which a body may come to rest, and the pose that this is."""

    pose: str
    """Name of the pose, such as ``"side"``."""
    normal: Triple
    """Outward unit normal in the body frame; it points down at rest."""


@dataclass(frozen=True)
class Part:
    """A convex piece of a body that is not convex: a box, or an upright cylinder."""

    centre_mm: Triple
    """In the body frame."""
    size_mm: Triple
    """Full edge lengths of the box, or of the box around the cylinder."""
    is_round: bool = False


@dataclass(frozen=True, eq=False)
class Body:
    """A rigid body. It collides with planes and other bodies as its convex hull, with studded floors as its parts.

    The hull has rounded edges: it is a polyhedron, its *core*, swept by a ball of the edge radius. So the lowest point
    over a plane is the lowest corner of the core, less the radius.

    The body frame has its origin in the centre of mass; its axes are principal axes.
    """

    name: str
    """The shape as the command line writes it, such as ``"2x2"`` or ``"2x2:r0.2"``."""
    mass_g: float
    volume_mm3: float
    """Mass, and the volume of the material (not of the hull)."""
    inertia_g_mm2: Triple
    """Principal moments of inertia about the centre of mass."""
    vertices_mm: Array
    """Corners of the core of the convex hull, relative to the centre of mass, shape (n, 3)."""
    faces: tuple[Face, ...]
    """Faces with a named pose."""
    centre_of_mass_mm: float
    """Height of the centre of mass above the underside."""
    parts: tuple[Part, ...] = ()
    """Convex parts, as large as if their edges were sharp; empty for a convex body."""
    edge_radius_mm: float = 0.0
    """Radius of all edges and corners; 0 for sharp ones. The core is this much smaller than the body."""
    scoring: tuple[str, ...] = ()
    """Poses that count for the score of a roll; none for a body that is not rolled for a score."""

    @property
    def poses(self) -> tuple[str, ...]:
        """Names of the poses, each once, in the order of the faces."""
        return tuple(dict.fromkeys(face.pose for face in self.faces))

    @property
    def radius_mm(self) -> float:
        """Distance of the farthest point of the hull from the centre of mass."""
        return float(np.linalg.norm(self.vertices_mm, axis=1).max()) + self.edge_radius_mm


def check_size(value_mm: float, what: str) -> float:
    """Return a length in mm if a body may have it.

    Raises InvalidValueError if the value is not finite, or outside `MIN_SIZE_MM` to `MAX_SIZE_MM`.
    """
    if not MIN_SIZE_MM <= value_mm <= MAX_SIZE_MM:  # NaN fails too
        raise InvalidValueError(
            f"{what} {value_mm:g} mm is outside {MIN_SIZE_MM:g} mm to {MAX_SIZE_MM:g} mm"
        )
    return value_mm


def check_edge_radius(radius_mm: float, limit_mm: float, what: str) -> float:
    """Return an edge radius in mm if a body may have it.

    InvalidValueError if the radius is not finite, negative, not below the limit, or above 0 and too small to compute
    with. It must be below a limit, of which `what` tells what it is.
    """
    if 0 < radius_mm < MIN_EDGE_RADIUS_MM:
        raise InvalidValueError(
            f"edge_radius_mm {radius_mm:g} is below {MIN_EDGE_RADIUS_MM:g}; 0 is for sharp edges"
        )
    if not 0 <= radius_mm < limit_mm:  # NaN fails too
        raise InvalidValueError(
            f"edge_radius_mm {radius_mm:g} is not from 0 to below {limit_mm:g}, {what}"
        )
    return radius_mm


def shape_name(plain: str, edge_radius_mm: float, usual_mm: float = 0.0) -> str:
    """Return the name of a shape with an edge radius: ``2x2:r0.3``; without it (``2x2``) if the radius is usual."""
    return plain if edge_radius_mm == usual_mm else f"{plain}:r{number(edge_radius_mm)}"


def number(value: float) -> str:
    """Return the shortest text of a number that reads back as the same float."""
    return repr(float(value)).removesuffix(".0")
