"""Lanes: the engine that throws many single bodies at once, in the lanes of vector registers.

Like `brickphys.engines.compiled`, with which it shares bodies, tables and settings, it takes any convex body on a
plane. Its step on the floor is more exact; see ``docs/engines.md``.

Numba is imported at the first throw.
"""

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from brickphys.engines.compiled import CompiledEngine, CompiledSettings, Loops
from brickphys.shapes.body import Body
from brickphys.throws.faces import face_map

if TYPE_CHECKING:
    from brickphys.engines.lanes_flight_kernel import Sector

SETTINGS = CompiledSettings(step_s=1 / 500, bounce_steps=0.25, touch_share=1e-6)
"""The step on the floor is of second order, and corners land one after the other, each at its own time."""


@dataclass(frozen=True)
class LanesEngine(CompiledEngine):
    """Single convex bodies on a plane, many at once."""

    settings: CompiledSettings = SETTINGS
    name: str = field(default="lanes", kw_only=True)

    @property
    def ring_settings(self) -> CompiledSettings:
        """Round bodies have the step of `compiled`, of first order."""
        usual = self.settings
        return replace(usual, step_s=usual.step_s / 4, bounce_steps=8 * usual.bounce_steps)

    def _loops(self, body: Body) -> Loops:
        from brickphys.engines.lanes_kernel import throw_all, workspace

        sector, corners = tuple(kernel_sector(body)), len(face_map(body).hull.corners_mm)
        return Loops(throw_all, lambda count: (*workspace(corners, count), sector))


@lru_cache(maxsize=64)
def kernel_sector(body: Body) -> "Sector":
    """Return the corners of a body without their mirror images, for the kernels."""
    from brickphys.engines.lanes_flight_kernel import Sector

    corners = face_map(body).hull.corners_mm + 0.0  # no -0.0
    number = {tuple(one): k for k, one in enumerate(corners.tolist())}
    x, y, z = (
        all(tuple(one) in number for one in (corners * sign + 0.0).tolist())
        for sign in 1 - 2 * np.eye(3)
    )
    signs = [np.array([1, -1 if mirrored else 1]) for mirrored in (x, y, z)]
    octants = np.stack(np.meshgrid(*signs, indexing="ij"), axis=-1)
    kept = corners[(corners >= 0).all(axis=1, where=[x, y, z])]
    images = kept[:, None, None, None] * octants + 0.0
    place = [number[tuple(one)] for one in images.reshape(-1, 3).tolist()]
    along = np.ascontiguousarray(kept.T)
    corner = np.array(place).reshape(len(kept), 2, 2, 2)
    # the third derivative of the upward vector by its three terms; the spin has a rate of at most 0.6 change w2
    a, b, c = body.inertia_g_mm2
    change = max(abs(b - c) / a, abs(c - a) / b, abs(a - b) / c)
    jerk = 1.0 + 1.8 * change + change * change
    return Sector(along[0], along[1], along[2], (x, y, z), jerk, corner)
