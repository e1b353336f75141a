"""Body: what an engine needs to know of a thing that is thrown."""

from dataclasses import dataclass

import numpy as np

from brickphys.arrays import Array
from brickphys.errors import InvalidValueError

MIN_SIZE_MM = 0.5
MAX_SIZE_MM = 500.0


@dataclass(frozen=True, eq=False)
class Face:
    """A face on which a body may come to rest, and what a player calls that rest.

    Attributes
    ----------
    pose
        Name of the pose, such as ``"side"``.
    normal
        Outward unit normal in the body frame; it points down at rest.
    """

    pose: str
    normal: tuple[float, float, float]


@dataclass(frozen=True)
class Part:
    """A convex piece of a body that is not convex: a box, or an upright cylinder.

    Attributes
    ----------
    centre_mm
        In the body frame.
    size_mm
        Full edge lengths of the box, or of the box around the cylinder.
    is_round
        Whether it is a cylinder.
    """

    centre_mm: tuple[float, float, float]
    size_mm: tuple[float, float, float]
    is_round: bool = False


@dataclass(frozen=True, eq=False)
class Body:
    """A rigid body that touches planes and its like with its convex hull, and finer things with its parts.

    The body frame has its origin in the centre of mass; its axes are principal axes.

    Attributes
    ----------
    name
        The shape as the command line writes it, such as ``"2x2"``.
    mass_g, volume_mm3
        Mass, and the volume of the material (not of the hull).
    inertia_g_mm2
        Principal moments of inertia about the centre of mass.
    vertices_mm : ndarray, shape (n, 3)
        Corners of the convex hull, relative to the centre of mass.
    faces
        Every face that a player has a name for.
    centre_of_mass_mm
        Height of the centre of mass above the underside (the middle for symmetric bodies).
    parts
        What it is made of; empty for a convex body, which is its own hull.
    """

    name: str
    mass_g: float
    volume_mm3: float
    inertia_g_mm2: tuple[float, float, float]
    vertices_mm: Array
    faces: tuple[Face, ...]
    centre_of_mass_mm: float
    parts: tuple[Part, ...] = ()

    @property
    def poses(self) -> tuple[str, ...]:
        """Names of the poses, each once, in the order of the faces."""
        return tuple(dict.fromkeys(face.pose for face in self.faces))

    @property
    def radius_mm(self) -> float:
        """Distance of the farthest hull corner from the centre of mass."""
        return float(np.linalg.norm(self.vertices_mm, axis=1).max())


def check_size(value_mm: float, what: str) -> float:
    """Return a length in millimetres if a body can have it.

    Raises
    ------
    InvalidValueError
        If the value is not finite, or outside 0.5 mm to 500 mm (there the engines are not trusted).
    """
    if not MIN_SIZE_MM <= value_mm <= MAX_SIZE_MM:  # NaN fails too
        raise InvalidValueError(
            f"{what} {value_mm:g} mm is outside {MIN_SIZE_MM:g} mm to {MAX_SIZE_MM:g} mm"
        )
    return value_mm
