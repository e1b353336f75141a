"""Compound: the collision shape of boxes and cylinders that are joined rigidly, in PyBullet."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

import numpy as np

from brickphys.arrays import Array
from brickphys.errors import InvalidValueError
from brickphys.shapes.body import Part
from brickphys.throws.rotations import rotate
from brickphys.units import MM_PER_UNIT

MAX_PARTS = 16
"""Largest number of shapes in a compound of PyBullet."""
_IDENTITY = np.array([0.0, 0.0, 0.0, 1.0])
_CUBE = "".join(
    [f"v {x} {y} {z}\n" for x, y, z in itertools.product((-0.5, 0.5), repeat=3)]
    + [f"f {corner} {corner} {corner}\n" for corner in range(1, 9)]
)
"""A Wavefront file of a cube of size 1; PyBullet takes the corners of its faces."""


def compound(
    module: ModuleType,
    client: int,
    parts: Sequence[Part],
    edge_radius_mm: float = 0.0,
    turned: Array = _IDENTITY,
) -> int:
    """Return the collision shape of at most `MAX_PARTS` parts.

    The margin of a cylinder reaches inwards. That of a box does too, but not where it touches a plane, so a box with
    rounded edges is the hull of its core.

    Parameters
    ----------
    module, client
        As `client.connection` yields them.
    parts
        Boxes and cylinders about the centre of mass.
    edge_radius_mm
        Radius of the edges; the margin of the body must be as large.
    turned : ndarray, shape (4,)
        Rotation from the frame of the parts to that of the body.

    Raises
    ------
    InvalidValueError
        If there are more parts.
    """
    if len(parts) > MAX_PARTS:
        raise InvalidValueError(
            f"a body of {len(parts)} parts: the bullet engine takes at most {MAX_PARTS}"
        )
    size_mm = np.array([part.size_mm for part in parts])
    centres = rotate(turned, np.array([part.centre_mm for part in parts])) / MM_PER_UNIT
    box = module.GEOM_MESH if edge_radius_mm else module.GEOM_BOX
    with TemporaryDirectory() as folder:
        cube = Path(folder, "cube.obj")  # PyBullet reads the hulls of a compound from files only
        cube.write_text(_CUBE)
        form: int = module.createCollisionShapeArray(
            shapeTypes=[module.GEOM_CYLINDER if part.is_round else box for part in parts],
            halfExtents=(size_mm / 2 / MM_PER_UNIT).tolist(),
            fileNames=[str(cube)] * len(parts),
            meshScales=((size_mm - 2 * edge_radius_mm) / MM_PER_UNIT).tolist(),
            radii=(size_mm[:, 0] / 2 / MM_PER_UNIT).tolist(),
            lengths=(size_mm[:, 2] / MM_PER_UNIT).tolist(),
            collisionFramePositions=centres.tolist(),
            collisionFrameOrientations=[turned.tolist()] * len(parts),
            physicsClientId=client,
        )
    return form
