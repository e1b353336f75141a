"""Block: a rigid prism over a convex outline between two heights, with mass, position and velocity at the start."""

from dataclasses import dataclass

import numpy as np
import scipy  # loads its transforms with the first engine: a third of a second

from brickphys.arrays import Array
from brickphys.errors import InvalidValueError
from brickphys.shapes.solids import MassProperties

Pair = tuple[float, float]

_SQUARE_MM = 1e-6
"""Largest deviation of an outline's corners from a rectangle that still counts as one."""


@dataclass(frozen=True, eq=False)
class Block:
    """A convex prism on the floor, or above it.

    Its own frame has z up and its origin on the floor; the outline, the heights and the centre of mass are given there.

    Attributes
    ----------
    outline_mm : ndarray, shape (n, 2)
        Corners of the base, counter-clockwise, convex.
    bottom_mm, top_mm
        Heights above the floor.
    mass
        Mass, centre of mass and inertia; None for an immovable block.
    position_mm
        Position of its origin on the floor.
    heading_deg
        Heading, counter-clockwise.
    velocity_m_s
        Initial velocity along x and y of the world; a held block gets it when it is released.
    is_held
        Whether the block has neither weight nor motion until something runs into it. Held are flyers, vehicles with a
        speed of their own, and what a held block carries.
    carrier
        Number of the block that carries it; the two are let go together. None if it stands by itself.

    Raises
    ------
    InvalidValueError
        If the top is not above the bottom, or a mass is not positive.
    """

    outline_mm: Array
    bottom_mm: float
    top_mm: float
    mass: MassProperties | None
    position_mm: Pair = (0.0, 0.0)
    heading_deg: float = 0.0
    velocity_m_s: Pair = (0.0, 0.0)
    is_held: bool = False
    carrier: int | None = None

    def __post_init__(self) -> None:
        if not self.bottom_mm < self.top_mm:
            raise InvalidValueError(
                f"a block's top, {self.top_mm:g} mm, is not above its bottom, {self.bottom_mm:g} mm"
            )
        if self.mass is not None and not self.mass.mass_g > 0:
            raise InvalidValueError(f"a block's mass, {self.mass.mass_g:g} g, is not above 0")

    @property
    def corners_mm(self) -> Array:
        """Corners in its own frame, shape (2 n, 3)."""
        return np.vstack(
            [np.column_stack([self.outline_mm, np.full(len(self.outline_mm), z)])
             for z in (self.bottom_mm, self.top_mm)]
        )  # fmt: skip

    @property
    def centre_mm(self) -> Array:
        """Centre of mass in its own frame, shape (3,); without mass the middle of the bounding box."""
        if self.mass is not None:
            return self.mass.centre_mm
        corners = self.corners_mm
        middle: Array = (corners.min(axis=0) + corners.max(axis=0)) / 2
        return middle

    @property
    def box_mm(self) -> Array | None:
        """Edges of the block, shape (3,), if its outline is a rectangle along its own axes; else None."""
        low, high = self.outline_mm.min(axis=0), self.outline_mm.max(axis=0)
        off = np.minimum(np.abs(self.outline_mm - low), np.abs(self.outline_mm - high))
        if len(self.outline_mm) != 4 or off.max() > _SQUARE_MM:
            return None
        return np.array([*(high - low), self.top_mm - self.bottom_mm])


def principal_axes(inertia_g_mm2: Array) -> tuple[Array, Array]:
    """Return the principal moments, shape (3,), and the quaternion (scalar last) of their axes in the body's frame.

    Order and signs of the axes are chosen nearest to the body's own axes, so a nearly symmetric body keeps its axes.
    """
    _, axes = np.linalg.eigh(inertia_g_mm2)
    order = [0, 1, 2]
    for row in range(3):
        best = max(order[row:], key=lambda column: abs(axes[row, column]))
        other = order.index(best)
        order[row], order[other] = order[other], order[row]
    axes = axes[:, order]
    axes = axes * np.where(np.diag(axes) < 0, -1.0, 1.0)
    if np.linalg.det(axes) < 0:
        axes[:, 2] *= -1.0
    moments: Array = np.einsum("ji,jk,ki->i", axes, inertia_g_mm2, axes)
    return moments, scipy.spatial.transform.Rotation.from_matrix(axes).as_quat()
