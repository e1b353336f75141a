"""Energy: kinetic plus potential energy, as the height to which it would lift the body."""

import numpy as np

from brickphys.arrays import Array
from brickphys.shapes.body import Body
from brickphys.throws.rotations import down, unrotate
from brickphys.throws.states import States
from brickphys.units import GRAVITY_M_S2


def energy_height_mm(body: Body, states: States) -> Array:
    """Return kinetic plus potential energy over m g, in mm above the floor, shape (...,).

    A body that penetrates the floor counts as resting on it. So the height is an upper bound, and safe to compare
    with the barriers of `faces`.
    """
    reach = (down(states.quaternion) @ body.vertices_mm.T).max(axis=-1) + body.edge_radius_mm
    height = np.maximum(states.position_mm[..., 2], reach)
    spin = unrotate(states.quaternion, states.spin_rad_s)
    twice_kinetic = (states.velocity_m_s**2).sum(axis=-1) * 1e6 + (
        np.array(body.inertia_g_mm2) / body.mass_g * spin**2
    ).sum(axis=-1)
    return np.asarray(height + twice_kinetic / (2 * GRAVITY_M_S2 * 1000.0))
