"""Standing body: boxes and upright cylinders that are joined rigidly and stand on a table."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from brickphys.arrays import Array, Mask
from brickphys.engines.blocks.block import principal_axes
from brickphys.shapes.body import Part
from brickphys.shapes.solids import MassProperties
from brickphys.throws.rotations import multiply, rotate, unrotate
from brickphys.throws.states import States
from brickphys.units import GRAVITY_M_S2

_RIM = 24
"""Corners of the polygon that stands for the rim of a cylinder where its lowest point is looked for."""


@dataclass(frozen=True, eq=False)
class StandingBody:
    """A body in a frame with z up and its origin on the table.

    Its states (`brickphys.throws.states.States`) are those of the centre of mass and of the principal axes.

    Attributes
    ----------
    parts
        Boxes and upright cylinders; the lowest stand on the table.
    mass
        Mass, centre of mass and inertia.
    base_mm : ndarray, shape (n, 2)
        Corners of the base, over whose edges it tips: convex, counter-clockwise.
    """

    parts: tuple[Part, ...]
    mass: MassProperties
    base_mm: Array

    @cached_property
    def axes(self) -> tuple[Array, Array]:
        """Principal moments in g mm2, shape (3,), and the quaternion of their axes in the body's frame."""
        return principal_axes(self.mass.inertia_g_mm2)

    @property
    def start(self) -> States:
        """The standing body at rest, shape ()."""
        return States(self.mass.centre_mm, self.axes[1], np.zeros(3), np.zeros(3))

    @cached_property
    def corners_mm(self) -> Array:
        """Corners of all parts about the centre of mass, in the body's axes, shape (m, 3)."""
        corners = [_corners(part) for part in self.parts]
        return np.asarray(np.concatenate(corners) - self.mass.centre_mm)

    @cached_property
    def reach_mm(self) -> float:
        """Distance of the farthest point from the centre of mass."""
        return float(np.linalg.norm(self.corners_mm, axis=1).max())

    @cached_property
    def barrier_mm(self) -> float:
        """Least height of the centre of mass over the table at which the body can tip over an edge of its base."""
        foot, height = self.mass.centre_mm[:2], self.mass.centre_mm[2]
        along = np.roll(self.base_mm, -1, axis=0) - self.base_mm
        share = ((foot - self.base_mm) * along).sum(axis=1) / (along**2).sum(axis=1)
        nearest = self.base_mm + np.clip(share, 0.0, 1.0)[:, None] * along
        return float(np.hypot(np.linalg.norm(nearest - foot, axis=1).min(), height))

    def frame(self, states: States) -> Array:
        """Return the orientations of the body's own axes, shape (..., 4)."""
        return multiply(states.quaternion, self.axes[1] * [-1.0, -1.0, -1.0, 1.0])

    def energy_mm(self, states: States) -> Array:
        """Return the energies of bodies, shape (n,), as heights of the centre of mass at rest.

        Heights are over the table, or over the lowest point of a body that has sunk into it by the engine's error.
        """
        spin = unrotate(states.quaternion, states.spin_rad_s)
        kinetic = self.mass.mass_g * (states.velocity_m_s**2).sum(axis=-1) / 2
        kinetic = kinetic + (self.axes[0] * spin**2).sum(axis=-1) / 2e6
        height = states.position_mm[:, 2]
        lowest = height + rotate(self.frame(states)[:, None], self.corners_mm)[..., 2].min(axis=1)
        sunk = np.minimum(0.0, lowest)
        return np.asarray(height - sunk + 1000.0 * kinetic / (self.mass.mass_g * GRAVITY_M_S2))

    def upright(self, states: States) -> Mask:
        """Return which bodies, shape (n,), would fall back on their base if they were at rest.

        These are not yet over the edge: along the lean, the lowest corner of the base is ahead of the centre of mass.
        """
        frame = self.frame(states)
        base = np.column_stack([self.base_mm, np.zeros(len(self.base_mm))]) - self.mass.centre_mm
        corners = rotate(frame[:, None], base)
        rows = np.arange(len(corners))
        lowest = corners[rows, corners[..., 2].argmin(axis=1)]
        up = rotate(frame, np.array([0.0, 0.0, 1.0]))
        lean = np.hypot(up[:, 0], up[:, 1])
        ahead = (lowest[:, :2] * up[:, :2]).sum(axis=1) > 0
        return np.asarray((up[:, 2] > 0) & (ahead | (lean < 1e-9)))


def _corners(part: Part) -> Array:
    """Return corners of a part, shape (m, 3); of a cylinder points of both rims."""
    half = np.array(part.size_mm) / 2
    if part.is_round:
        turn = 2 * np.pi * np.arange(_RIM) / _RIM
        plan = np.column_stack([np.cos(turn), np.sin(turn)]) * half[:2]
    else:
        plan = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half[:2]
    ends = [np.column_stack([plan, np.full(len(plan), z)]) for z in (-half[2], half[2])]
    return np.asarray(np.array(part.centre_mm) + np.concatenate(ends))
