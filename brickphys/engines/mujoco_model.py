"""Model: one body over a plane in MuJoCo, spoken to in millimetres and metres a second.

Lengths are centimetres, masses grams. A contact is a spring and a damper that push, never pull, with Coulomb friction.

MuJoCo solves normal forces and friction together as a convex problem. That widens Coulomb's law: a contact that slips
at speed v is driven apart at friction times v (measured here: a tile that slides at 1 m/s with friction 0.8 hops 5 mm
high). Therefore the main solver gets friction too soft to matter (`_NO_FRICTION`), and the pass that MuJoCo calls
"noslip" adds Coulomb's friction to its normal forces, without any softness.
"""

import math
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from scipy.optimize import brentq

from brickphys.arrays import Array
from brickphys.errors import needing
from brickphys.shapes.body import Body
from brickphys.shapes.hull import convex_hull
from brickphys.throws.rotations import rotate, unrotate
from brickphys.throws.states import States
from brickphys.throws.surfaces import ContactCoefficients
from brickphys.units import GRAVITY_UNITS_S2, MM2_PER_UNIT2, MM_PER_UNIT, UNITS_PER_M

MIN_RESTITUTION = 0.01
"""A damped spring always returns something: smaller restitutions are thrown as this one."""
_IMPEDANCE = 0.9999
"""The largest that MuJoCo takes: the share of the asked for acceleration that a contact really gets."""
_NO_FRICTION = 1e-8
"""Stiffness of friction over that of the normal force, in the main solver."""
_MAX_ITERATIONS = 100
_TOLERANCE = 1e-14


@dataclass(frozen=True)
class MujocoSettings:
    """What can be chosen about the integration; the defaults are those of ``docs/engines.md``.

    Attributes
    ----------
    contact_s
        How long an elastic impact would last: half a period of the contact's spring.
    step_s
        Time step.
    look_s
        Time between two looks at whether a brick is decided, at rest, or in flight.
    by_energy
        Stop once the energy left cannot turn the brick over; else integrate to rest.
    rest_m_s, rest_rad_s, rest_s
        A brick rests when it has been slower than this for this long. MuJoCo keeps three contacts of a hull and a
        plane: a brick on its studs changes between them and trembles by a micrometre, at up to 0.15 rad/s.
    limit_s
        A throw that is not done after this time is unsettled.
    """

    contact_s: float = 1 / 5000
    step_s: float = 1 / 80_000
    look_s: float = 1 / 2500
    by_energy: bool = True
    rest_m_s: float = 0.005
    rest_rad_s: float = 0.5
    rest_s: float = 0.1
    limit_s: float = 10.0

    @property
    def look_steps(self) -> int:
        """Steps between two looks."""
        return max(1, round(self.look_s / self.step_s))


@dataclass(frozen=True)
class Spring:
    """Spring and damper of a contact, per mass: the acceleration asked for is ``-stiffness x - damping v``.

    Attributes
    ----------
    stiffness
        1/s2.
    damping
        1/s.
    """

    stiffness: float
    damping: float


def mujoco() -> ModuleType:
    """Import MuJoCo.

    Raises
    ------
    MissingExtraError
        If it is not installed.
    """
    with needing("mujoco", "MuJoCo"):
        import mujoco as module
    return module  # type: ignore[no-any-return]


def returned_share(damping_ratio: float) -> float:
    """Return the restitution of an impact on a spring and a damper that let go when their force is nil.

    The motion ``x'' + 2 z w x' + w2 x = 0`` from x = 0 ends when x'' is nil; the speed then over that of the start is
    a function of the damping ratio z alone (T. Schwager and T. Poeschel, "Coefficient of restitution and linear-dashpot
    model revisited", Granular Matter 9, 2007).
    """
    z = damping_ratio
    if z < 1:
        root = math.sqrt(1 - z * z)
        return math.exp(-z / root * math.atan2(2 * z * root, 2 * z * z - 1))
    root = math.sqrt(max(z * z - 1, 1e-18))
    return float(((z + root) / (z - root)) ** (-z / root))


def spring(restitution: float, settings: MujocoSettings) -> Spring:
    """Return spring and damper whose impacts return this restitution (at least `MIN_RESTITUTION`).

    Strong damping makes the spring softer, since no step may take away more than all of the speed.
    """
    wanted = max(restitution, MIN_RESTITUTION)
    z = brentq(lambda ratio: returned_share(ratio) - wanted, 0.0, 10.0)
    frequency = min(math.pi / settings.contact_s, 1 / (2 * z * settings.step_s))
    return Spring(frequency**2, 2 * z * frequency)


def build(body: Body, contact: ContactCoefficients, settings: MujocoSettings) -> Any:
    """Return MuJoCo's model of one body over the plane z = 0."""
    module = mujoco()
    spec = module.MjSpec()
    _set_options(module, spec.option, settings)
    hull = convex_hull(body.vertices_mm).corners_mm / MM_PER_UNIT
    spec.add_mesh(
        name="hull",
        uservert=hull.ravel().tolist(),
    )
    plane, mesh = module.mjtGeom.mjGEOM_PLANE, module.mjtGeom.mjGEOM_MESH
    spec.worldbody.add_geom(name="floor", type=plane, size=[0, 0, 1])
    brick = spec.worldbody.add_body(
        explicitinertial=True,
        mass=body.mass_g,
        inertia=[moment / MM2_PER_UNIT2 for moment in body.inertia_g_mm2],
    )
    brick.add_freejoint()
    # no collision mask: the only contact is that of the pair below, which has its own law
    brick.add_geom(name="brick", type=mesh, meshname="hull", contype=0, conaffinity=0)
    law = spring(contact.restitution, settings)
    pair = spec.add_pair(geomname1="floor", geomname2="brick", condim=3)
    pair.friction = [contact.friction, contact.friction, 0.0, 0.0, 0.0]
    pair.solref = [-law.stiffness * _IMPEDANCE, -law.damping * _IMPEDANCE]
    pair.solreffriction = [
        0.0,
        -_IMPEDANCE / settings.step_s,
    ]  # all of the slip, if the cone allows
    pair.solimp = [_IMPEDANCE, _IMPEDANCE, 1.0, 0.5, 1.0]
    return spec.compile()


def _set_options(module: ModuleType, option: Any, settings: MujocoSettings) -> None:
    disable = module.mjtDisableBit
    option.timestep = settings.step_s
    option.gravity = [0.0, 0.0, -GRAVITY_UNITS_S2]
    option.integrator = module.mjtIntegrator.mjINT_EULER
    option.cone = module.mjtCone.mjCONE_ELLIPTIC
    option.jacobian = module.mjtJacobian.mjJAC_DENSE
    option.iterations, option.tolerance = _MAX_ITERATIONS, _TOLERANCE
    option.noslip_iterations, option.noslip_tolerance = _MAX_ITERATIONS, _TOLERANCE
    option.impratio = _NO_FRICTION
    # springs as stiff as asked for, and no silent return to the origin when something is not finite
    option.disableflags = int(disable.mjDSBL_REFSAFE) | int(disable.mjDSBL_AUTORESET)


def pack(states: States) -> Array:
    """Return MuJoCo's states, shape (n, 14): time, position, orientation (scalar first), velocity, spin in the body."""
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
    """Return the states (n,) that MuJoCo's (n, 14) stand for."""
    _, position, orientation, velocity, spin = np.split(packed, (1, 4, 8, 11), axis=1)
    quaternion = np.roll(orientation, -1, axis=1)
    quaternion = quaternion / np.linalg.norm(quaternion, axis=1, keepdims=True)
    return States(
        position * MM_PER_UNIT, quaternion, velocity / UNITS_PER_M, rotate(quaternion, spin)
    )
