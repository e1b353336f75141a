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
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from brickphys import units
from brickphys.engines import engine
from brickphys.engines.hands import Hands
from brickphys.errors import needing
from brickphys.odds.roll import MAX_BRICKS
from brickphys.shapes.body import Body
from brickphys.shapes.hull import convex_hull
from brickphys.signals import check_cancelled
from brickphys.throws import flight
from brickphys.throws.conditions import BRICK_ON_BRICK, ContactCoefficients
from brickphys.throws.release import PLANE, TRAY, Floor

MIN_RESTITUTION = 0.01
"""A damped spring has no restitution of 0; smaller restitutions are simulated as this one."""
_IMPEDANCE = 0.9999
"""The share of the required acceleration that a contact gets; the largest value that MuJoCo accepts."""
_NO_FRICTION = 1e-8
"""Stiffness of friction over that of the normal force, in the main solver."""
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
    z = brentq(lambda ratio: returned_share(ratio) - wanted, 0.0, 10.0)
    frequency = min(math.pi / settings.contact_s, 1 / (2 * z * settings.step_s))
    return Spring(frequency**2, 2 * z * frequency)


def build(
    body: Body,
    contact: ContactCoefficients,
    settings: MujocoSettings,
    bricks: int = 1,
    floor: Floor = PLANE,
) -> Any:
    """Return MuJoCo's model of some like bodies over the plane z = 0, within the walls of a floor.

    The model has the core of the hull, over a plane that lies lower by the edge radius. A contact begins two radii
    above that plane. MuJoCo puts its point half way between corner and plane, which is where the rounded body touches.
    So it does between two bodies and at walls.
    """
    module = mujoco()
    spec = module.MjSpec()
    set_options(spec.option, settings)
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
        # no collision mask: the only contacts are those of the pairs below
        own, mesh = f"brick {number}", module.mjtGeom.mjGEOM_MESH
        brick.add_geom(name=own, type=mesh, meshname="hull", contype=0, conaffinity=0)
        others = {f"brick {other}": BRICK_ON_BRICK for other in range(number)}
        for other, pair_contact in (dict.fromkeys(planes, contact) | others).items():
            pair = spec.add_pair(geomname1=other, geomname2=own, condim=3, margin=2 * edge)
            set_contact(pair, pair_contact, settings)
    return spec.compile()


def _add_planes(spec: Any, floor: Floor, edge: float) -> Iterator[str]:
    """Add the planes of a floor, farther out by the edge radius, and yield their names."""
    half = None if floor.inside_mm is None else floor.inside_mm / 2 / units.MM_PER_UNIT + edge
    places = {"floor": ([0.0, 0.0, -edge], [1.0, 0.0, 0.0, 0.0])}
    if half is not None:  # a quarter of a turn about y or x
        places |= {f"wall {sign} x": ([-sign * half, 0, 0], [1, 0, sign, 0]) for sign in (1, -1)}
        places |= {f"wall {sign} y": ([0, -sign * half, 0], [1, -sign, 0, 0]) for sign in (1, -1)}
    for name, (place, turn) in places.items():
        plane = mujoco().mjtGeom.mjGEOM_PLANE
        spec.worldbody.add_geom(name=name, type=plane, size=[0, 0, 1], pos=place, quat=turn)
        yield name


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
    """Return MuJoCo's states of worlds of bodies.

    Parameters
    ----------
    states : States, shape (n,) or (n, k)
        k bodies of each world.

    Returns
    -------
    ndarray, shape (n, 1 + 13 k)
        Time; position and quaternion (scalar first) of each body; velocity and spin in the body of each.
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


_PARALLEL = 1e-6
"""Edges with a smaller sine between them count as parallel."""
_UNTOUCHED_MM = 1e-3
"""The contacts of a brick that penetrates less than this have negligible energy."""
_ELASTIC_FACTOR = 4.0
"""Bound of the elastic energy at a penetration depth, as a multiple of that of the whole mass on one spring. Two
contacts of a hull are at least 0.3 of its radius apart, so its tilt is at most three times depth over radius."""


@dataclass(frozen=True)
class MujocoEngine(engine.Engine):
    """MuJoCo's rigid bodies on a plane or in a tray."""

    settings: MujocoSettings = field(default_factory=MujocoSettings)
    max_bricks: int = field(default=MAX_BRICKS, kw_only=True)
    floors: tuple[str, ...] = field(default=(PLANE.name, TRAY.name), kw_only=True)
    name: str = field(default="mujoco", kw_only=True)

    @property
    def versions(self) -> dict[str, str]:
        """Version of MuJoCo."""
        return {"mujoco": mujoco().__version__}

    def land(
        self, body: Body, contact: ContactCoefficients, states: flight.States, floor: Floor = PLANE
    ) -> engine.Landing:
        """Integrate `states`, shape (n, k), until every hand has stopped; see `Engine.land`.

        Raises MissingExtraError if MuJoCo is not installed.
        """
        engine.check_throws(self, contact, states, floor)
        return _Hands(body, contact, floor, states, self.settings).land()


class _Worlds:
    """Steps bricks: each alone, or together with those that it may touch meanwhile."""

    def __init__(
        self, body: Body, contact: ContactCoefficients, floor: Floor, settings: MujocoSettings
    ) -> None:
        self._body, self._contact, self._floor, self._settings = body, contact, floor, settings
        self._time_s = settings.check_steps * settings.step_s
        self._models: dict[int, tuple[Any, Any]] = {}
        mujoco()  # raises MissingExtraError without MuJoCo

    def step(self, now: flight.States, asleep: units.Mask) -> tuple[flight.States, units.Mask]:
        """Return hands, shape (m, k), at the next check, and which of their bricks may have touched another or a wall.

        Bricks that touch nothing fly in closed form, and those `asleep`, shape (m, k), stay where they are unless
        something may touch them.
        """
        hands, k = now.position_mm.shape[:2]
        labels, touching = self._clusters(now)
        bricks, together = now.flat().map(np.copy), touching.ravel()
        lands = flight.time_to_touch(self._body, bricks, advances=1) < self._time_s
        stepped = together | (lands & ~asleep.ravel())
        flown = ~(together | lands)
        time_s = np.full(int(flown.sum()), self._time_s)
        _put(bricks, flown, flight.fly(self._body, bricks[flown], time_s))
        sizes = np.where(stepped, np.bincount(labels)[labels], 0)
        for size in np.unique(sizes[stepped]).tolist():
            members = np.flatnonzero(sizes == size)
            rows = members[np.argsort(labels[members], kind="stable")].reshape(-1, size)
            _put(bricks, rows, self._rolled_out(bricks[rows]))
        return bricks.map(lambda array: array.reshape(hands, k, -1)), touching

    def _clusters(self, now: flight.States) -> tuple[units.Indices, units.Mask]:
        """Return a number of each cluster of bricks, shape (m k,), and which may touch another or a wall, (m, k).

        An impact may give a brick the energy of another. Its speed then stays below twice the largest of the hand.
        """
        body, (m, k) = self._body, now.position_mm.shape[:2]
        speed = np.linalg.norm(now.velocity_m_s, axis=-1)
        speed += np.linalg.norm(now.spin_rad_s, axis=-1) * body.radius_mm / 1000
        reach_mm = 1000 * self._time_s * (2 * speed.max(axis=1) + units.GRAVITY_M_S2 * self._time_s)
        i, j = np.triu_indices(k, k=1)
        distance = np.linalg.norm(now.position_mm[:, i] - now.position_mm[:, j], axis=-1)
        hand, pair = np.nonzero(distance < 2 * (body.radius_mm + reach_mm[:, None]))
        gap_mm = box_gap_mm(body, now[hand, i[pair]], now[hand, j[pair]])
        near = gap_mm < 2 * reach_mm[hand]
        ends = (k * hand + i[pair])[near], (k * hand + j[pair])[near]
        graph = coo_array((np.ones(len(ends[0])), ends), shape=(m * k, m * k))
        labels = connected_components(graph, directed=False)[1].astype(np.intp)
        walled = self._floor.near_wall(now.position_mm, body.radius_mm + reach_mm[:, None])
        return labels, walled | (np.bincount(labels)[labels] > 1).reshape(m, k)

    def _rolled_out(self, states: flight.States) -> flight.States:
        """Return the states of clusters of k bricks, shape (n, k), after the steps of a check."""
        from mujoco import MjData, rollout

        bricks = states.position_mm.shape[1]
        if bricks not in self._models:
            model = build(self._body, self._contact, self._settings, bricks, self._floor)
            self._models[bricks] = model, MjData(model)
        # rollout starts every world without forces of the previous one, so worlds are independent
        steps, _ = rollout.rollout(
            *self._models[bricks], pack(states), nstep=self._settings.check_steps
        )
        return unpack(steps[:, -1])


def _put(states: flight.States, rows: units.Indices | units.Mask, found: flight.States) -> None:
    for name in ("position_mm", "quaternion", "velocity_m_s", "spin_rad_s"):
        getattr(states, name)[rows] = getattr(found, name)


def box_gap_mm(body: Body, one: flight.States, two: flight.States) -> units.Array:
    """Return lower bounds of the distances of bodies, shape (n,): the widest gap of the boxes around their hulls.

    By the theorem of the separating axis: along the normals of faces and across each pair of edges.
    """
    low, high = body.vertices_mm.min(axis=0), body.vertices_mm.max(axis=0)
    half_mm = (high - low) / 2 + body.edge_radius_mm
    sides = [flight.rotate(states.quaternion[:, None], np.eye(3)) for states in (one, two)]
    middles = [
        states.position_mm + flight.rotate(states.quaternion, (low + high) / 2)
        for states in (one, two)
    ]
    across = flight.cross(sides[0][:, :, None], sides[1][:, None]).reshape(-1, 9, 3)
    axes = np.concatenate([*sides, across], axis=1)
    length = np.linalg.norm(axes, axis=-1)
    gap_mm = np.abs((axes * (middles[0] - middles[1])[:, None]).sum(axis=-1))
    for side in sides:
        gap_mm -= np.abs((axes[:, :, None] * side[:, None]).sum(axis=-1)) @ half_mm
    # parallel edges have no axis across
    return np.asarray(
        (gap_mm / np.maximum(length, _PARALLEL)).max(
            axis=1, where=length > _PARALLEL, initial=-np.inf
        )
    )


class _Hands(Hands):
    """Hands, from release to rest."""

    _settings: MujocoSettings

    def __init__(
        self,
        body: Body,
        contact: ContactCoefficients,
        floor: Floor,
        states: flight.States,
        settings: MujocoSettings,
    ) -> None:
        super().__init__(body, contact, floor, states, settings, settings.step_s)
        self._worlds = _Worlds(body, contact, floor, settings)
        self._stiffness = spring(contact.restitution, settings).stiffness
        self._check_s = settings.check_steps * settings.step_s

    def land(self) -> engine.Landing:
        """Fly, step and check until every hand is done."""
        self._check_energy(self._states)
        now = self._states
        while len(self._active):
            check_cancelled()
            asleep = self._still[self._active] >= self._settings.rest_s
            now, touching = self._worlds.step(self._fly(now), asleep)
            self._time[self._active] += self._check_s
            sunk_mm = np.maximum(-flight.gap_mm(self._body, now), 0.0)
            stored = touching | (sunk_mm >= _UNTOUCHED_MM)
            energy_mm = self._check_energy(now, np.asarray(stored.any(axis=1)))
            elastic_mm = np.where(touching, np.inf, self._elastic_mm(sunk_mm))
            done = self._decide(now, energy_mm, elastic_mm)
            done |= self._rest(now, self._slow(now), self._check_s)
            done |= self._time[self._active] >= self._settings.limit_s
            self._store(now)
            now, self._active = now[~done], self._active[~done]
        return self.landing()

    def _fly(self, now: flight.States) -> flight.States:
        """Return the states with the hands in the air moved to their next contact."""
        walls_s = self._floor.wall_time(now.position_mm, now.velocity_m_s, self._body.radius_mm)
        time_s = np.minimum(flight.free_time(self._body, now), walls_s.min(axis=1))
        # a flight must leave time for one more check before the limit
        left_s = self._settings.limit_s - self._check_s - self._time[self._active]
        time_s = np.clip(time_s, 0.0, np.maximum(left_s, 0.0))
        self._time[self._active] += time_s
        return flight.fly(
            self._body, now, np.broadcast_to(time_s[:, None], now.position_mm.shape[:2])
        )

    def _elastic_mm(self, sunk_mm: units.Array) -> units.Array:
        """Return bounds of the elastic energy, as a height, at depths in the floor."""
        energy_m2_s2 = _ELASTIC_FACTOR * self._stiffness * (sunk_mm / 1000.0) ** 2 / 2.0
        return np.asarray(1000.0 * energy_m2_s2 / units.GRAVITY_M_S2)

    def _slow(self, now: flight.States) -> units.Mask:
        slow = np.linalg.norm(now.velocity_m_s, axis=-1) < self._settings.rest_m_s
        return np.asarray(
            slow & (np.linalg.norm(now.spin_rad_s, axis=-1) < self._settings.rest_rad_s)
        )
