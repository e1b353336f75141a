"""Sliding: when a body that slides or spins level on a plane can no longer turn over.

A body that slides on a facet presses on the floor with N = m g, and friction pulls it there with at most mu N, at a
distance h below the centre of mass. A spin w about the vertical adds the torque w2 (n x I n), which is 0 if the normal
n of the facet is a principal axis. The pressure balances both torques from a point that is at most

    mu h + w2 |n x I n| / (m g)

from the projection of the centre of mass. While that is less than the distance of the nearest edge, the pressure is
inside the facet, and the body neither tips nor rises, however fast and far it slides. So up to the *tipping friction*,
that distance over h, a level body is decided. On studs, at walls and between other bodies it may trip: there sliding
decides nothing.
"""

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from brickphys.arrays import Array, Mask
from brickphys.shapes.body import Body
from brickphys.throws.energy import energy_height_mm
from brickphys.throws.faces import face_map
from brickphys.throws.rotations import cross, down
from brickphys.throws.states import States
from brickphys.units import GRAVITY_M_S2

TIPPING_SHARE = 0.9
"""A level body is decided up to this share of the tipping friction; the rest is for its tilt and what jitters."""
LEVEL_MM = 0.002
"""A body is level on a facet if the energy of all but its slide and its spin about the vertical could lift it by less
than this."""
_DEPTH = 10.0
"""Least depth of a basin, in limits of level, in which sliding bodies are decided."""
_ROUNDING = 1e-9
"""Share of the largest moment of inertia that counts as rounding."""


class Slides(NamedTuple):
    """Tables by facet, each of shape (f,)."""

    rest_mm: Array
    """Height of the centre of mass over the facet."""
    friction: Array
    """Friction up to which a body that does not spin is decided on the facet; 0 where it cannot rest."""
    spin_s2: Array
    """Friction that would tip it as much as a spin about the vertical, over the square of the spin."""


@lru_cache(maxsize=64)
def slides(body: Body) -> Slides:
    """Return the friction and spin up to which a body that slides level on each facet of its hull is decided."""
    faces = face_map(body)
    hull, barrier_mm = faces.hull, faces.tables.barrier_height_mm
    reach_mm = np.array(
        [
            _reach_mm(hull.corners_mm[ring], normal)
            for ring, normal in zip(hull.rings, hull.normals, strict=True)
        ]
    )
    moments = np.array(body.inertia_g_mm2)
    torque = np.linalg.norm(cross(hull.normals, hull.normals * moments), axis=1)
    torque = np.where(torque > _ROUNDING * moments.max(), torque, 0.0)
    weight = 1000.0 * GRAVITY_M_S2 * body.mass_g
    deep = barrier_mm - hull.offsets_mm > _DEPTH * LEVEL_MM
    friction = TIPPING_SHARE * np.maximum(reach_mm, 0.0) / hull.offsets_mm
    rest_mm = np.ascontiguousarray(hull.offsets_mm, dtype=np.float64)
    return Slides(rest_mm, np.where(deep, friction, 0.0), torque / (weight * rest_mm))


def slides_level(
    body: Body, friction: float, states: States, level_mm: float | Array = LEVEL_MM
) -> Mask:
    """Return which bodies on a plane can only slide or spin level on their facet, so that their pose is decided.

    Parameters
    ----------
    body, friction
        The body, and its friction on the plane.
    states : States, shape (n,)
        Bodies on the plane z = 0.
    level_mm : float or ndarray, shape (n,)
        Limit of level, see `LEVEL_MM`: at least the errors of the engine.

    Returns
    -------
    ndarray of bool, shape (n,)
    """
    limits = slides(body)
    if friction >= limits.friction.max():
        return np.zeros(len(states), dtype=bool)
    facet = face_map(body).facets(down(states.quaternion))
    vertical = np.array([0.0, 0.0, 1.0])
    rocking = replace(
        states,
        velocity_m_s=states.velocity_m_s * vertical,
        spin_rad_s=states.spin_rad_s * (1.0 - vertical),
    )
    level = energy_height_mm(body, rocking) - limits.rest_mm[facet] < level_mm
    turning = states.spin_rad_s[:, 2] ** 2 * limits.spin_s2[facet]
    return np.asarray(level & (friction + turning < limits.friction[facet]))


def _reach_mm(corners_mm: Array, normal: Array) -> float:
    """Return the distance of a facet's nearest edge from the projection of the centre of mass; negative outside."""
    outward = np.cross(np.roll(corners_mm, -1, axis=0) - corners_mm, normal)
    outward /= np.linalg.norm(outward, axis=1)[:, None]
    return float((corners_mm * outward).sum(axis=1).min())
