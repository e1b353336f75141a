"""Signed solids: mass properties in closed form.

A hollow thing is a sum of boxes and upright cylinders, some of them with a negative sign (a cavity, a hole).
Volume, first moment and inertia are additive, so nothing is meshed or sampled.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import pi

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Triple = tuple[float, float, float]


@dataclass(frozen=True)
class Solid:
    """A primitive that is added (sign +1) or cut out (sign -1).

    Attributes
    ----------
    centre_mm
        Centroid.
    volume_mm3
        Volume, negative for a cut.
    moments_mm5
        Volume integrals of y2 + z2, x2 + z2 and x2 + y2 about the centroid, with the sign of the volume.
    """

    centre_mm: Triple
    volume_mm3: float
    moments_mm5: Triple


@dataclass(frozen=True, eq=False)
class MassProperties:
    """What a rigid body is, as far as free motion can tell.

    Attributes
    ----------
    mass_g, volume_mm3
        Mass and volume of the material.
    centre_mm : ndarray, shape (3,)
        Centre of mass.
    inertia_g_mm2 : ndarray, shape (3, 3)
        Inertia tensor about the centre of mass.
    """

    mass_g: float
    volume_mm3: float
    centre_mm: Array
    inertia_g_mm2: Array


def box(centre_mm: Triple, size_mm: Triple, sign: int = 1) -> Solid:
    """Return a box with its edges along the axes.

    Parameters
    ----------
    centre_mm, size_mm
        Centre, and full edge lengths.
    sign
        +1 for material, -1 for a cavity.
    """
    a, b, c = size_mm
    volume = sign * a * b * c
    moments = (b * b + c * c, a * a + c * c, a * a + b * b)
    return Solid(
        centre_mm,
        volume,
        (volume * moments[0] / 12, volume * moments[1] / 12, volume * moments[2] / 12),
    )


def cylinder(centre_mm: Triple, diameter_mm: float, height_mm: float, sign: int = 1) -> Solid:
    """Return a cylinder with its axis along z.

    Parameters
    ----------
    centre_mm
        Middle of the axis.
    diameter_mm, height_mm
        Size.
    sign
        +1 for material, -1 for a hole.
    """
    square = diameter_mm**2 / 4
    volume = sign * pi * square * height_mm
    across = volume * (square / 4 + height_mm**2 / 12)
    return Solid(centre_mm, volume, (across, across, volume * square / 2))


def compose(solids: Iterable[Solid], density_g_cm3: float) -> MassProperties:
    """Add signed solids of one material.

    Parameters
    ----------
    solids
        At least one; cuts must lie inside material, which is not checked.
    density_g_cm3
        Density of the material.

    Notes
    -----
    Inertia is moved to the common centre of mass by the parallel-axis theorem.
    """
    parts = list(solids)
    volumes = np.array([part.volume_mm3 for part in parts])
    centres = np.array([part.centre_mm for part in parts])
    volume = float(volumes.sum())
    centre = volumes @ centres / volume
    arms = centres - centre
    spread = np.einsum("i,ij,ik->jk", volumes, arms, arms)
    own = np.diag(np.sum([part.moments_mm5 for part in parts], axis=0))
    inertia = own + np.trace(spread) * np.eye(3) - spread
    density_g_mm3 = density_g_cm3 / 1000.0
    return MassProperties(density_g_mm3 * volume, volume, centre, density_g_mm3 * inertia)
