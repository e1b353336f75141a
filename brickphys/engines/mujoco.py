"""MuJoCo: an independent check of the other engines. Contacts are stiff springs with dampers that last 0.2 ms.

Free flight is computed in closed form to the next contact; everything else is stepped by ``mujoco.rollout``. The end is
decided by energy as in the other engines. The effect of the contact model on the shares is in ``docs/engines.md``. The
engine needs the extra ``mujoco``, which is imported at the first throw.

Lengths in MuJoCo are in centimetres, masses in grams. A contact is a spring and a damper that push but do not pull,
with Coulomb friction.

MuJoCo solves normal forces and friction together as a convex problem. This relaxes Coulomb's law: a contact that slips
at speed v separates at friction times v (measured: a tile that slides at 1 m/s with friction 0.8 hops 5 mm high).
Therefore the friction of the main solver is negligible (`_NO_FRICTION`). The pass that MuJoCo calls "noslip" then adds
Coulomb's friction to the normal forces, without compliance.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np
from scipy.optimize import brentq

from brickphys import units
from brickphys.engines import engine
from brickphys.errors import needing
from brickphys.shapes.body import Body
from brickphys.shapes.hull import convex_hull
from brickphys.throws import flight
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.faces import face_map, slides_level
from brickphys.throws.release import FLAT_DEG, PLANE, Floor

MIN_RESTITUTION = 0.01
"""A damped spring has no restitution of 0; smaller restitutions are simulated as this one."""
_IMPEDANCE = 0.9999
"""The share of the required acceleration that a contact gets; the largest value that MuJoCo accepts."""
_NO_FRICTION = 1e-8
"""Stiffness of friction over that of the normal force, in the main solver."""
_MAX_ITERATIONS = 100
_TOLERANCE = 1e-14


@dataclass(frozen=True)
class MujocoSettings(engine.HandSettings):
    """Settings of the integration; the defaults are explained in ``docs/engines.md``.

    MuJoCo keeps three contacts of a hull and a plane, so a brick on its studs jitters by 1 um, with up to 0.15 rad/s.
    """

    contact_s: float = 1 / 5000
    """Duration of an elastic impact: half a period of the contact's spring."""
    step_s: float = 1 / 80_000
    check_s: float = 1 / 2500
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
    spec.option.gravity = [0.0, 0.0, -units.GRAVITY_UNITS_S2]
    hull = convex_hull(body.vertices_mm).corners_mm / units.MM_PER_UNIT
    spec.add_mesh(
        name="hull",
        uservert=hull.ravel().tolist(),
    )
    plane, mesh = module.mjtGeom.mjGEOM_PLANE, module.mjtGeom.mjGEOM_MESH
    edge = body.edge_radius_mm / units.MM_PER_UNIT
    spec.worldbody.add_geom(name="floor", type=plane, size=[0, 0, 1], pos=[0, 0, -edge])
    brick = spec.worldbody.add_body(
        explicitinertial=True,
        mass=body.mass_g,
        inertia=[moment / units.MM2_PER_UNIT2 for moment in body.inertia_g_mm2],
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


def pack(states: flight.States) -> units.Array:
    """Return MuJoCo's states, shape (n, 14): time, position, quaternion (scalar first), velocity, spin in the body."""
    spin = flight.unrotate(states.quaternion, states.spin_rad_s)
    time_s = np.zeros((len(states), 1))
    parts = (
        time_s,
        states.position_mm / units.MM_PER_UNIT,
        np.roll(states.quaternion, 1, axis=1),
        states.velocity_m_s * units.UNITS_PER_M,
        spin,
    )
    return np.concatenate(parts, axis=1)


def unpack(packed: units.Array) -> flight.States:
    """Return the states, shape (n,), of MuJoCo's states, shape (n, 14)."""
    _, position, orientation, velocity, spin = np.split(packed, (1, 4, 8, 11), axis=1)
    quaternion = np.roll(orientation, -1, axis=1)
    quaternion = quaternion / np.linalg.norm(quaternion, axis=1, keepdims=True)
    return flight.States(
        position * units.MM_PER_UNIT,
        quaternion,
        velocity / units.UNITS_PER_M,
        flight.rotate(quaternion, spin),
    )


Stepper = Callable[[flight.States], flight.States]
"""Returns the states of bricks, shape (n,), after the time steps between two checks."""

_UNTOUCHED_MM = 1e-3
"""The contacts of a brick that penetrates less than this have negligible energy."""
_ELASTIC_FACTOR = 4.0
"""Bound of the elastic energy at a penetration depth, as a multiple of that of the whole mass on one spring. Two
contacts of a hull are at least 0.3 of its radius apart, so its tilt is at most three times depth over radius."""


@dataclass(frozen=True)
class MujocoEngine(engine.Engine):
    """MuJoCo's rigid bodies: single bodies on a plane."""

    settings: MujocoSettings = field(default_factory=MujocoSettings)
    name: str = field(default="mujoco", kw_only=True)

    @property
    def versions(self) -> dict[str, str]:
        """Version of MuJoCo."""
        return {"mujoco": mujoco().__version__}

    def land(
        self, body: Body, contact: ContactCoefficients, states: flight.States, floor: Floor = PLANE
    ) -> engine.Landing:
        """Integrate `states`, shape (n, 1), until every brick has stopped; see `Engine.land`.

        Raises MissingExtraError if MuJoCo is not installed.
        """
        engine.check_throws(self, contact, states, floor)
        stiffness = spring(contact.restitution, self.settings).stiffness
        throws = _Throws(body, contact.friction, states.flat(), self.settings, stiffness)
        throws.land(_stepper(body, contact, self.settings))
        return throws.landing()


def _stepper(body: Body, contact: ContactCoefficients, settings: MujocoSettings) -> Stepper:
    model = build(body, contact, settings)  # raises MissingExtraError without MuJoCo
    from mujoco import MjData, rollout

    data = MjData(model)

    def step(states: flight.States) -> flight.States:
        # rollout starts every throw without forces of the previous one, so throws are independent
        states_at_all_steps, _ = rollout.rollout(
            model, data, pack(states), nstep=settings.check_steps
        )
        return unpack(states_at_all_steps[:, -1])

    return step


class _Throws:
    """Single bricks, from release to rest."""

    def __init__(
        self,
        body: Body,
        friction: float,
        states: flight.States,
        settings: MujocoSettings,
        stiffness: float,
    ) -> None:
        self._body, self._friction = body, friction
        self._settings, self._stiffness = settings, stiffness
        self._faces = face_map(body)
        self._check_s = settings.check_steps * settings.step_s
        count = len(states)
        self._states = states.map(np.copy)
        self._pose = np.full(count, len(engine.outcomes(body)) - 1)  # unsettled until known
        self._time = np.zeros(count)
        self._still = np.zeros(count)
        self._gain = np.zeros(count)
        self._start_mm = flight.energy_height_mm(body, states)
        self._lowest_mm = self._start_mm.copy()
        self._active = np.arange(count)

    def land(self, step: Stepper) -> None:
        """Fly, step and check until every brick is done."""
        self._check_energy(self._states, self._start_mm)
        now = self._states
        while len(self._active):
            now = step(self._fly(now))
            self._time[self._active] += self._check_s
            energy_mm = flight.energy_height_mm(self._body, now)
            self._check_energy(now, energy_mm)
            done = self._decide(now, energy_mm) | self._rest(now)
            done |= self._time[self._active] >= self._settings.limit_s
            self._store(now, done)
            now, self._active = now[~done], self._active[~done]

    def landing(self) -> engine.Landing:
        """Return the results of all bricks."""
        together = self._states.map(lambda array: array[:, None])
        poses = engine.outcomes(self._body)
        return engine.Landing(poses, self._pose[:, None], together, self._time, self._gain)

    def _store(self, now: flight.States, done: units.Mask) -> None:
        for name in ("position_mm", "quaternion", "velocity_m_s", "spin_rad_s"):
            getattr(self._states, name)[self._active[done]] = getattr(now, name)[done]

    def _fly(self, now: flight.States) -> flight.States:
        """Return the states with the bricks in the air moved to their next contact."""
        time_s = flight.free_time(self._body, now[:, None])
        # a flight must leave time for one more check before the limit
        left_s = self._settings.limit_s - self._check_s - self._time[self._active]
        time_s = np.clip(time_s, 0.0, np.maximum(left_s, 0.0))
        self._time[self._active] += time_s
        return flight.fly(self._body, now, time_s)

    def _sunk_mm(self, now: flight.States) -> units.Array:
        return np.maximum(-flight.gap_mm(self._body, now), 0.0)

    def _check_energy(self, now: flight.States, energy_mm: units.Array) -> None:
        """Record gains of energy between checks without elastic energy in contacts; DivergenceError if too large."""
        free = self._sunk_mm(now) < _UNTOUCHED_MM
        lowest = self._lowest_mm[self._active]
        lowest = np.where(free, np.minimum(lowest, energy_mm), lowest)
        gain = np.where(free, energy_mm - lowest, 0.0) / self._start_mm[self._active]
        wrong = ~np.isfinite(energy_mm) | (gain > engine.ENERGY_GAIN_LIMIT)
        engine.check_gain(self._body, wrong, gain, self._settings.step_s)
        self._lowest_mm[self._active] = lowest
        self._gain[self._active] = np.maximum(self._gain[self._active], gain)

    def _decide(self, now: flight.States, energy_mm: units.Array) -> units.Mask:
        """Return which bricks have too little energy, elastic energy included, to leave their pose; record the pose.

        A brick that slides level is decided at any speed, see `brickphys.throws.faces`.
        """
        if not self._settings.by_energy:
            return np.zeros(len(now), dtype=bool)
        sunk_m = self._sunk_mm(now) / 1000.0
        elastic_mm = (
            1000.0 * _ELASTIC_FACTOR * self._stiffness * sunk_m**2 / (2.0 * units.GRAVITY_M_S2)
        )
        basin = self._faces.decide(flight.down(now.quaternion))
        done = energy_mm + elastic_mm + engine.ENERGY_SLACK_MM < basin.barrier_height_mm
        done |= slides_level(self._body, self._friction, now, engine.ENERGY_SLACK_MM - elastic_mm)
        self._pose[self._active[done]] = basin.pose_index[done]
        return np.asarray(done)

    def _rest(self, now: flight.States) -> units.Mask:
        """Return which bricks have been at rest for long enough, and record their poses."""
        slow = np.linalg.norm(now.velocity_m_s, axis=1) < self._settings.rest_m_s
        slow &= np.linalg.norm(now.spin_rad_s, axis=1) < self._settings.rest_rad_s
        still = np.where(slow, self._still[self._active] + self._check_s, 0.0)
        self._still[self._active] = still
        done = still >= self._settings.rest_s
        pose = self._faces.pose_at_rest(flight.down(now.quaternion[done]), FLAT_DEG)
        self._pose[self._active[done]] = pose
        return np.asarray(done)
