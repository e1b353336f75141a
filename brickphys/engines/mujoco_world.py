"""MuJoCo world: bodies and floor of a world of MuJoCo, its springs and settings.

Lengths in MuJoCo are in centimetres, masses in grams. A contact is a spring and a damper that push but do not pull,
with Coulomb friction.

MuJoCo solves normal forces and friction together as a convex problem. This relaxes Coulomb's law: a contact that slips
at speed v separates at friction times v (measured: a tile that slides at 1 m/s with friction 0.8 hops 5 mm high).
Therefore the friction of the main solver is negligible (`_NO_FRICTION`). The pass that MuJoCo calls "noslip" then adds
Coulomb's friction to the normal forces, without compliance.
"""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np
import scipy  # loads its root finder with the first engine

from brickphys import units
from brickphys.engines import engine
from brickphys.errors import InvalidValueError, needing
from brickphys.shapes.body import Body
from brickphys.shapes.hull import convex_hull
from brickphys.throws import flight
from brickphys.throws.conditions import BRICK_ON_BRICK, ContactCoefficients
from brickphys.throws.release import PLANE, STUD_HEIGHT_MM, STUD_RADIUS_MM, Floor

MIN_RESTITUTION = 0.01
"""A damped spring has no restitution of 0; smaller restitutions are simulated as this one."""
_IMPEDANCE = 0.9999
"""The share of the required acceleration that a contact gets; the largest value that MuJoCo accepts."""
_NO_FRICTION = 1e-8
"""Stiffness of friction over that of the normal force, in the main solver."""
_RIM_MM = 0.1
"""Radius of the rims of a floor's studs. Where sharp edges meet sharp rims, an overlap has no clear direction: a sharp
tile that slides over sharp studs stops after half of its way."""
MAX_REACH_MM = 48.0
"""Reach of the largest body on studs, as with Bullet; one that lies on hundreds of studs has too many contacts."""
_STUDDED_BYTES = 1 << 28
"""Memory for contacts with studs; what is not used costs nothing."""
_MAX_ITERATIONS = 100
_TOLERANCE = 1e-6


@dataclass(frozen=True)
class MujocoSettings(engine.HandSettings):
    """Settings of the integration; the defaults are explained in ``docs/engines.md``.

    MuJoCo changes between the corners of a face, so a brick on its studs jitters by 1 um, with up to 0.15 rad/s.
    """

    contact_s: float = 1 / 5000
    """Duration of an elastic impact: half a period of the contact's spring."""
    step_s: float = 1 / 80_000
    check_s: float = 1 / 1250
    """Time between two checks whether a brick is decided, at rest, or in flight."""
    rest_m_s: float = field(default=0.005, kw_only=True)
    rest_rad_s: float = field(default=0.5, kw_only=True)

    @property
    def check_steps(self) -> int:
        """Time steps between two checks."""
        return max(1, round(self.check_s / self.step_s))


@dataclass(frozen=True)
class Spring:
    """Spring and damper of a contact, per mass; the acceleration is ``-stiffness x - damping v``."""

    stiffness: float
    """Stiffness over mass, 1/s2."""
    damping: float
    """Damping over mass, 1/s."""


def mujoco() -> ModuleType:
    """Return the module MuJoCo.

    Raises MissingExtraError if MuJoCo is not installed.
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
    z = scipy.optimize.brentq(lambda ratio: returned_share(ratio) - wanted, 0.0, 10.0)
    frequency = min(math.pi / settings.contact_s, 1 / (2 * z * settings.step_s))
    return Spring(frequency**2, 2 * z * frequency)


def build(
    body: Body,
    contact: ContactCoefficients,
    settings: MujocoSettings,
    bricks: int = 1,
    floor: Floor = PLANE,
    way_mm: float = 0.0,
) -> Any:
    """Return MuJoCo's model of some like bodies over the plane z = 0, within the walls of a floor.

    The model has the core of the hull, over a plane that lies lower by the edge radius. A contact begins two radii
    above that plane. MuJoCo puts its point half way between corner and plane, which is where the rounded body touches.
    So it does between two bodies and at walls.

    On studs each body has a patch of its own: those that it may touch as long as its centre is within `way_mm` of where
    it was when the patch was laid (`patch_places`). The parts of the body touch the studs, its hull all else.
    """
    module = mujoco()
    spec = module.MjSpec()
    set_options(spec.option, settings)
    if floor.studs:
        if body.radius_mm > MAX_REACH_MM:
            raise InvalidValueError(
                f"a body that reaches {body.radius_mm:.0f} mm from its centre of mass is too large for studs "
                f"(at most {MAX_REACH_MM:.0f} mm)"
            )
        spec.memory = _STUDDED_BYTES
        # with the usual 1e-6 MuJoCo 3.4 finds so wrong normals that tiles stop early
        spec.option.ccd_tolerance, spec.option.ccd_iterations = 1e-10, 100
        # one contact of a part with a stud is enough, and twice as fast
        spec.option.enableflags = 0
        spec.option.disableflags |= int(getattr(module.mjtDisableBit, "mjDSBL_MULTICCD", 0))
    spec.option.gravity = [0.0, 0.0, -units.GRAVITY_UNITS_S2]
    hull = convex_hull(body.vertices_mm).corners_mm / units.MM_PER_UNIT
    spec.add_mesh(name="hull", uservert=hull.ravel().tolist())
    edge = body.edge_radius_mm / units.MM_PER_UNIT
    planes = list(_add_planes(spec, floor, edge))
    for number in range(bricks):
        brick = spec.worldbody.add_body(
            explicitinertial=True,
            mass=body.mass_g,
            inertia=[moment / units.MM2_PER_UNIT2 for moment in body.inertia_g_mm2],
        )
        brick.add_freejoint()
        own = _add_form(brick, f"brick {number}", module.mjtGeom.mjGEOM_MESH, meshname="hull")
        others = {f"brick {other}": BRICK_ON_BRICK for other in range(number)}
        for other, pair_contact in (dict.fromkeys(planes, contact) | others).items():
            _add_pair(spec, (other, own), 2 * edge, pair_contact, settings)
        if floor.studs:
            parts = list(_add_parts(brick, body, number)) or [own]
            studs = _add_studs(spec, body.radius_mm + way_mm, number)
            for stud, part in itertools.product(studs, parts):
                margin = edge + _RIM_MM / units.MM_PER_UNIT
                _add_pair(spec, (stud, part), margin, contact, settings)
    return spec.compile()


def _add_form(body: Any, name: str, form: Any, **shape: Any) -> str:
    """Add a shape to a body, and return its name. It has no collision mask: the only contacts are those of pairs."""
    body.add_geom(name=name, type=form, contype=0, conaffinity=0, **shape)
    return name


def _add_pair(
    spec: Any,
    names: tuple[str, str],
    margin: float,
    contact: ContactCoefficients,
    settings: MujocoSettings,
) -> None:
    pair = spec.add_pair(geomname1=names[0], geomname2=names[1], condim=3, margin=margin)
    set_contact(pair, contact, settings)


def _add_planes(spec: Any, floor: Floor, edge: float) -> Iterator[str]:
    """Add the planes of a floor, farther out by the edge radius, and yield their names."""
    half = None if floor.inside_mm is None else floor.inside_mm / 2 / units.MM_PER_UNIT + edge
    depth = STUD_HEIGHT_MM / units.MM_PER_UNIT if floor.studs else 0.0
    places = {"floor": ([0.0, 0.0, -depth - edge], [1.0, 0.0, 0.0, 0.0])}
    if half is not None:  # a quarter of a turn about y or x
        places |= {f"wall {sign} x": ([-sign * half, 0, 0], [1, 0, sign, 0]) for sign in (1, -1)}
        places |= {f"wall {sign} y": ([0, -sign * half, 0], [1, -sign, 0, 0]) for sign in (1, -1)}
    for name, (place, turn) in places.items():
        plane = mujoco().mjtGeom.mjGEOM_PLANE
        spec.worldbody.add_geom(name=name, type=plane, size=[0, 0, 1], pos=place, quat=turn)
        yield name


def _add_parts(brick: Any, body: Body, number: int) -> Iterator[str]:
    """Add the cores of the parts of a body, and yield their names."""
    engine.check_parts(body)
    forms = mujoco().mjtGeom
    for i, part in enumerate(body.parts):
        x, y, z = (np.array(part.size_mm) / 2 - body.edge_radius_mm) / units.MM_PER_UNIT
        form, size = (
            (forms.mjGEOM_CYLINDER, [x, z, 0]) if part.is_round else (forms.mjGEOM_BOX, [x, y, z])
        )
        place = np.array(part.centre_mm) / units.MM_PER_UNIT
        yield _add_form(brick, f"part {number} {i}", form, size=size, pos=place)


def _add_studs(spec: Any, reach_mm: float, number: int) -> Iterator[str]:
    """Add the cores of the studs that a body may touch, whose centre is in the middle period, and yield their names.

    They belong to a body that MuJoCo lets us put anywhere.
    """
    patch, form = spec.worldbody.add_body(mocap=True), mujoco().mjtGeom.mjGEOM_CYLINDER
    reach_mm += STUD_RADIUS_MM
    count = math.ceil(reach_mm / units.STUD_MM) + 1
    line_mm = units.STUD_MM * (np.arange(-count, count) + 0.5)
    radius, height = np.array([STUD_RADIUS_MM, STUD_HEIGHT_MM]) - _RIM_MM
    size = np.array([radius, height / 2, 0.0]) / units.MM_PER_UNIT
    for i, (x, y) in enumerate(itertools.product(line_mm, line_mm)):
        away_mm = math.hypot(*(max(abs(along) - units.STUD_MM / 2, 0.0) for along in (x, y)))
        if away_mm <= reach_mm:
            place = np.array([x, y, -_RIM_MM - height / 2]) / units.MM_PER_UNIT
            yield _add_form(patch, f"stud {number} {i}", form, size=size, pos=place)


def patch_places(states: flight.States) -> units.Array:
    """Return where to lay the studs of bodies, states of shape (n, k): whole periods next to each; (n, 3 k)."""
    places_mm = units.STUD_MM * np.round(states.position_mm / units.STUD_MM) * [1.0, 1.0, 0.0]
    return np.asarray(places_mm.reshape(len(states), -1) / units.MM_PER_UNIT)


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
    # the forces of the step before are no good guess in stiff contacts: without them steps are a tenth faster
    option.disableflags |= int(disable.mjDSBL_WARMSTART)
    # all contacts of two faces; MuJoCo 4 finds them unless told not to
    option.enableflags = int(getattr(module.mjtEnableBit, "mjENBL_MULTICCD", 0))


def pack(states: flight.States) -> units.Array:
    """Return MuJoCo's states of worlds of bodies, shape (n, 1 + 13 k).

    These are the time; position and quaternion (scalar first) of each body; velocity and spin in the body of each. The
    worlds have the shape (n,) or (n, k), with k bodies in each.
    """
    spin = flight.unrotate(states.quaternion, states.spin_rad_s)
    quaternion = np.roll(states.quaternion, 1, axis=-1)
    pose = np.concatenate([states.position_mm / units.MM_PER_UNIT, quaternion], axis=-1)
    rate = np.concatenate([states.velocity_m_s * units.UNITS_PER_M, spin], axis=-1)
    n = len(states)
    return np.hstack([np.zeros((n, 1)), pose.reshape(n, -1), rate.reshape(n, -1)])


def unpack(packed: units.Array) -> flight.States:
    """Return the states, shape (n, k), of MuJoCo's states, shape (n, 1 + 13 k)."""
    n, bricks = len(packed), packed.shape[1] // 13
    _, pose, rate = np.split(packed, (1, 1 + 7 * bricks), axis=1)
    position, orientation = np.split(pose.reshape(n, bricks, 7), (3,), axis=-1)
    velocity, spin = np.split(rate.reshape(n, bricks, 6), (3,), axis=-1)
    quaternion = np.roll(orientation, -1, axis=-1)
    quaternion = quaternion / np.linalg.norm(quaternion, axis=-1, keepdims=True)
    return flight.States(
        position * units.MM_PER_UNIT,
        quaternion,
        velocity / units.UNITS_PER_M,
        flight.rotate(quaternion, spin),
    )
