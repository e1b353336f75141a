"""MuJoCo model: one body over a plane, with an interface in mm and m/s.

Lengths in MuJoCo are in centimetres, masses in grams. A contact is a spring and a damper that push but do not pull,
with Coulomb friction.

MuJoCo solves normal forces and friction together as a convex problem. This relaxes Coulomb's law: a contact that slips
at speed v separates at friction times v (measured: a tile that slides at 1 m/s with friction 0.8 hops 5 mm high).
Therefore the friction of the main solver is negligible (`_NO_FRICTION`). The pass that MuJoCo calls "noslip" then adds
Coulomb's friction to the normal forces, without compliance.
"""

import math
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from scipy.optimize import brentq

from brickphys.arrays import Array
from brickphys.engines.engine import LIMIT_S
from brickphys.errors import needing
from brickphys.shapes.body import Body
from brickphys.shapes.hull import convex_hull
from brickphys.throws.rotations import rotate, unrotate
from brickphys.throws.states import States
from brickphys.throws.surfaces import ContactCoefficients
from brickphys.units import GRAVITY_UNITS_S2, MM2_PER_UNIT2, MM_PER_UNIT, UNITS_PER_M

MIN_RESTITUTION = 0.01
"""A damped spring has no restitution of 0; smaller restitutions are simulated as this one."""
_IMPEDANCE = 0.9999
"""The share of the required acceleration that a contact gets; the largest value that MuJoCo accepts."""
_NO_FRICTION = 1e-8
"""Stiffness of friction over that of the normal force, in the main solver."""
_MAX_ITERATIONS = 100
_TOLERANCE = 1e-14


@dataclass(frozen=True)
class MujocoSettings:
    """Settings of the integration; the defaults are explained in ``docs/engines.md``.

    Attributes
    ----------
    contact_s
        Duration of an elastic impact: half a period of the contact's spring.
    step_s
        Time step.
    check_s
        Time between two checks whether a brick is decided, at rest, or in flight.
    by_energy
        Whether to stop once the brick has not the energy to leave its pose; else integrate to rest.
    rest_m_s, rest_rad_s, rest_s
        A brick is at rest when its speed and spin have been below these limits for this time. MuJoCo keeps three
        contacts of a hull and a plane, so a brick on its studs jitters by 1 um, with up to 0.15 rad/s.
    limit_s
        A throw that is not done after this time is unsettled.
    """

    contact_s: float = 1 / 5000
    step_s: float = 1 / 80_000
    check_s: float = 1 / 2500
    by_energy: bool = True
    rest_m_s: float = 0.005
    rest_rad_s: float = 0.5
    rest_s: float = 0.1
    limit_s: float = LIMIT_S

    @property
    def check_steps(self) -> int:
        """Time steps between two checks."""
        return max(1, round(self.check_s / self.step_s))


@dataclass(frozen=True)
class Spring:
    """Spring and damper of a contact, per mass; the acceleration is ``-stiffness x - damping v``.

    Attributes
    ----------
    stiffness
        Stiffness over mass, 1/s2.
    damping
        Damping over mass, 1/s.
    """

    stiffness: float
    damping: float


def mujoco() -> ModuleType:
    """Return the module MuJoCo.

    Raises
    ------
    MissingExtraError
        If MuJoCo is not installed.
    """
    with needing("mujoco", "MuJoCo"):
        import mujoco as module
    return module  # type: ignore[no-any-return]


def returned_share(damping_ratio: float) -> float:
    """Return the restitution of an impact on a spring and a damper that separate when their force is 0.

    The motion ``x'' + 2 z w x' + w^2 x = 0`` from x = 0 ends when x'' is 0. The ratio of final to initial speed depends
    on the damping ratio z only (T. Schwager and T. Poeschel, "Coefficient of restitution and linear-dashpot model
    revisited", Granular Matter 9, 2007).
    """
    z = damping_ratio
    if z < 1:
        root = math.sqrt(1 - z * z)
        return math.exp(-z / root * math.atan2(2 * z * root, 2 * z * z - 1))
    root = math.sqrt(max(z * z - 1, 1e-18))
    return float(((z + root) / (z - root)) ** (-z / root))


def spring(restitution: float, settings: MujocoSettings) -> Spring:
    """Return spring and damper for a restitution (at least `MIN_RESTITUTION`).

    The spring is softer with strong damping, since a time step must not remove more than the whole speed.
    """
    wanted = max(restitution, MIN_RESTITUTION)
    z = brentq(lambda ratio: returned_share(ratio) - wanted, 0.0, 10.0)
    frequency = min(math.pi / settings.contact_s, 1 / (2 * z * settings.step_s))
    return Spring(frequency**2, 2 * z * frequency)


def build(body: Body, contact: ContactCoefficients, settings: MujocoSettings) -> Any:
    """Return MuJoCo's model of one body over the plane z = 0.

    The model has the core of the hull, over a plane that lies lower by the edge radius. A contact begins two radii
    above that plane. MuJoCo puts its point half way between corner and plane, which is where the rounded body touches.
    """
    module = mujoco()
    spec = module.MjSpec()
    set_options(spec.option, settings)
    spec.option.gravity = [0.0, 0.0, -GRAVITY_UNITS_S2]
    hull = convex_hull(body.vertices_mm).corners_mm / MM_PER_UNIT
    spec.add_mesh(
        name="hull",
        uservert=hull.ravel().tolist(),
    )
    plane, mesh = module.mjtGeom.mjGEOM_PLANE, module.mjtGeom.mjGEOM_MESH
    edge = body.edge_radius_mm / MM_PER_UNIT
    spec.worldbody.add_geom(name="floor", type=plane, size=[0, 0, 1], pos=[0, 0, -edge])
    brick = spec.worldbody.add_body(
        explicitinertial=True,
        mass=body.mass_g,
        inertia=[moment / MM2_PER_UNIT2 for moment in body.inertia_g_mm2],
    )
    brick.add_freejoint()
    # no collision mask: the only contact is that of the pair below
    brick.add_geom(name="brick", type=mesh, meshname="hull", contype=0, conaffinity=0)
    pair = spec.add_pair(geomname1="floor", geomname2="brick", condim=3, margin=2 * edge)
    set_contact(pair, contact, settings)
    return spec.compile()


def set_contact(pair: Any, contact: ContactCoefficients, settings: MujocoSettings) -> None:
    """Give a pair of shapes of a MuJoCo model friction and restitution."""
    law = spring(contact.restitution, settings)
    pair.friction = [contact.friction, contact.friction, 0.0, 0.0, 0.0]
    pair.solref = [-law.stiffness * _IMPEDANCE, -law.damping * _IMPEDANCE]
    # friction removes the whole slip in a step if the cone allows it
    pair.solreffriction = [0.0, -_IMPEDANCE / settings.step_s]
    pair.solimp = [_IMPEDANCE, _IMPEDANCE, 1.0, 0.5, 1.0]


def set_options(option: Any, settings: MujocoSettings) -> None:
    """Set time step and contact solver of a MuJoCo model; it has no weight unless that is set."""
    module = mujoco()
    disable = module.mjtDisableBit
    option.timestep = settings.step_s
    option.gravity = [0.0, 0.0, 0.0]
    option.integrator = module.mjtIntegrator.mjINT_EULER
    option.cone = module.mjtCone.mjCONE_ELLIPTIC
    option.jacobian = module.mjtJacobian.mjJAC_DENSE
    option.iterations, option.tolerance = _MAX_ITERATIONS, _TOLERANCE
    option.noslip_iterations, option.noslip_tolerance = _MAX_ITERATIONS, _TOLERANCE
    option.impratio = _NO_FRICTION
    # do not limit the stiffness of springs, and do not reset the state silently when a number is not finite
    option.disableflags = int(disable.mjDSBL_REFSAFE) | int(disable.mjDSBL_AUTORESET)


def pack(states: States) -> Array:
    """Return MuJoCo's states, shape (n, 14): time, position, quaternion (scalar first), velocity, spin in the body."""
    spin = unrotate(states.quaternion, states.spin_rad_s)
    time_s = np.zeros((len(states), 1))
    parts = (
        time_s,
        states.position_mm / MM_PER_UNIT,
        np.roll(states.quaternion, 1, axis=1),
        states.velocity_m_s * UNITS_PER_M,
        spin,
    )
    return np.concatenate(parts, axis=1)


def unpack(packed: Array) -> States:
    """Return the states, shape (n,), of MuJoCo's states, shape (n, 14)."""
    _, position, orientation, velocity, spin = np.split(packed, (1, 4, 8, 11), axis=1)
    quaternion = np.roll(orientation, -1, axis=1)
    quaternion = quaternion / np.linalg.norm(quaternion, axis=1, keepdims=True)
    return States(
        position * MM_PER_UNIT, quaternion, velocity / UNITS_PER_M, rotate(quaternion, spin)
    )
