"""Bullet: the reference engine. PyBullet, used after its pitfalls at the size of a brick.

Lengths are centimetres, so that bodies measure 0.2 to 10 units. Damping and sleeping are off, velocities are not
clamped, inertia is the hollow brick's own, and the floor is an exact plane. Contacts are impulses on velocity only: the
position correction (ERP) is nil, because it pays its way in energy that was never there. Free flight is not stepped at
all but flown in closed form to the next touch, so that every bounce starts at the surface. All settings come
from the convergence study in ``docs/convergence.md``.

A world holds many hands. Every hand has its own collision group: its bricks meet each other and the floor, never
another hand, and the solver neither merges hands nor stops early, so a hand does not depend on its company (tested).
"""

import math
from dataclasses import dataclass, field
from importlib.metadata import version
from types import ModuleType

import numpy as np
import numpy.typing as npt

from brickphys.engines.client import connection
from brickphys.engines.engine import Landing, check_restitution, outcomes
from brickphys.errors import DivergenceError, InvalidValueError
from brickphys.shapes.body import Body
from brickphys.throws.faces import FaceMap, face_map
from brickphys.throws.flight import fly, gap_mm, time_to_touch
from brickphys.throws.rotations import down, unrotate
from brickphys.throws.states import States
from brickphys.throws.surfaces import BRICK_ON_BRICK, Contact
from brickphys.units import GRAVITY_M_S2, GRAVITY_UNITS_S2, MM2_PER_UNIT2, MM_PER_UNIT, UNITS_PER_M

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

_FLOOR_GROUP = 1
_SINGLE_GROUP = 2
MAX_GROUPS = 29
"""Bullet's collision filter has 32 bits: one is the floor's, two stay unused."""


@dataclass(frozen=True)
class BulletSettings:
    """What can be chosen about the integration; the defaults are those of the convergence study.

    Attributes
    ----------
    step_s
        Time step.
    iterations
        Iterations of the contact solver in every step.
    erp
        Share of a penetration that is pushed out in a step.
    margin_mm
        How far hulls grow outward.
    breaking_mm
        Distance within which a contact point exists; a large one swallows restitution.
    bounce_steps
        Contacts slower than what gravity adds in so many steps do not bounce: else bodies at rest would jitter.
    look_s
        Time between two looks at whether a hand is decided, at rest, or in flight.
    by_energy
        Stop once the energy left cannot turn any brick over; else integrate to rest.
    flights
        Fly in closed form between bounces; else step through the air.
    rest_m_s, rest_rad_s, rest_s
        A hand rests when all its bricks have been slower than this for this long.
    limit_s
        A hand that is not done after this time is unsettled.
    hands
        Hands a world, for single bricks.
    """

    step_s: float = 1 / 2000
    iterations: int = 20
    erp: float = 0.0
    margin_mm: float = 0.001
    breaking_mm: float = 0.0025
    bounce_steps: float = 2.0
    look_s: float = 0.008
    by_energy: bool = True
    flights: bool = True
    rest_m_s: float = 0.001
    rest_rad_s: float = 0.1
    rest_s: float = 0.1
    limit_s: float = 10.0
    hands: int = 512

    @property
    def look_steps(self) -> int:
        """Steps between two looks."""
        return max(1, round(self.look_s / self.step_s))

    @property
    def bounce_m_s(self) -> float:
        """Slower contacts do not bounce."""
        return self.bounce_steps * GRAVITY_M_S2 * self.step_s


ENERGY_SLACK_MM = 0.02
"""A brick is decided when it lacks this much height for leaving its pose: more than the engine's own errors."""
ENERGY_GAIN_LIMIT = 0.5
"""A hand that gains this share of its energy has diverged."""
REST_TOLERANCE_DEG = 3.0
"""A brick at rest within this angle of a stable face lies on it; any other leans."""
_AIRBORNE_MM = 0.05


@dataclass(frozen=True)
class BulletEngine:
    """PyBullet's rigid bodies on a plane."""

    settings: BulletSettings = field(default_factory=BulletSettings)
    max_restitution: float = 0.7
    name: str = "bullet"

    @property
    def versions(self) -> dict[str, str]:
        """Version of PyBullet."""
        return {"pybullet": version("pybullet")}

    def land(self, body: Body, contact: Contact, states: States) -> Landing:
        """Integrate `states` (n, k) until every hand has stopped; see `Engine.land`."""
        check_restitution(self, contact)
        if not len(states):
            raise InvalidValueError("no hands to land")
        size = self.settings.hands if states.position_mm.shape[1] == 1 else MAX_GROUPS
        parts = [
            _land_world(body, contact, states[first : first + size], self.settings)
            for first in range(0, len(states), size)
        ]
        return Landing(
            outcomes(body),
            np.concatenate([part.pose for part in parts]),
            States.concatenate([part.states for part in parts]),
            np.concatenate([part.time_s for part in parts]),
            np.concatenate([part.energy_gain for part in parts]),
        )

    def trajectory(
        self, body: Body, contact: Contact, states: States, every_s: float, duration_s: float
    ) -> States:
        """Step one hand through air and bounces and return its states at even times, for pictures.

        Parameters
        ----------
        states : States, shape (1, k)
            The hand at its release.
        every_s, duration_s
            Time between two states, and until the last one.

        Returns
        -------
        States, shape (frames, k)
        """
        check_restitution(self, contact)
        steps = max(1, round(every_s / self.settings.step_s))
        with connection() as (module, client):
            world = _World(
                module, client, body, contact, states.position_mm.shape[:2], self.settings
            )
            world.put(0, states[0])
            frames = [world.get([0])]
            for _ in range(round(duration_s / every_s)):
                world.step(steps)
                frames.append(world.get([0]))
        return States.concatenate(frames)


def _land_world(body: Body, contact: Contact, states: States, settings: BulletSettings) -> Landing:
    with connection() as (module, client):
        world = _World(module, client, body, contact, states.position_mm.shape[:2], settings)
        return _Hands(body, world, states, settings).land()


class _World:
    """The bodies of `n` hands of `k` bricks in one PyBullet world, in millimetres and metres a second."""

    def __init__(
        self,
        module: ModuleType,
        client: int,
        body: Body,
        contact: Contact,
        shape: tuple[int, ...],
        settings: BulletSettings,
    ) -> None:
        self._bullet, self._client, self._body = module, client, body
        self._set_up(settings)
        self._add_floor(contact)
        hull = module.createCollisionShape(
            module.GEOM_MESH,
            vertices=(body.vertices_mm / MM_PER_UNIT).tolist(),
            physicsClientId=client,
        )
        self._bricks = [
            [self._add_brick(hull, settings, self._group(hand, shape[1])) for _ in range(shape[1])]
            for hand in range(shape[0])
        ]

    def _set_up(self, settings: BulletSettings) -> None:
        self._bullet.setGravity(0, 0, -GRAVITY_UNITS_S2, physicsClientId=self._client)
        self._bullet.setPhysicsEngineParameter(
            fixedTimeStep=settings.step_s,
            numSolverIterations=settings.iterations,
            solverResidualThreshold=0.0,  # else bodies of one world decide together when to stop iterating
            numSubSteps=0,
            erp=settings.erp,
            contactERP=settings.erp,
            frictionERP=settings.erp,
            contactBreakingThreshold=settings.breaking_mm / MM_PER_UNIT,
            restitutionVelocityThreshold=settings.bounce_m_s * UNITS_PER_M,
            contactSlop=0.0,
            enableConeFriction=1,
            deterministicOverlappingPairs=1,
            physicsClientId=self._client,
        )

    def _add_floor(self, contact: Contact) -> None:
        shape = self._bullet.createCollisionShape(
            self._bullet.GEOM_PLANE, physicsClientId=self._client
        )
        floor = self._bullet.createMultiBody(0, shape, physicsClientId=self._client)
        # coefficients of a pair multiply: the bricks carry the roots of theirs, the floor the rest of the pair's
        self._bullet.changeDynamics(
            floor,
            -1,
            lateralFriction=contact.friction / math.sqrt(BRICK_ON_BRICK.friction),
            restitution=contact.restitution / math.sqrt(BRICK_ON_BRICK.restitution),
            physicsClientId=self._client,
        )
        self._bullet.setCollisionFilterGroupMask(
            floor, -1, _FLOOR_GROUP, -1, physicsClientId=self._client
        )

    @staticmethod
    def _group(hand: int, bricks: int) -> tuple[int, int]:
        """Return collision group and mask: single bricks see only the floor, others their hand too."""
        if bricks == 1:
            return _SINGLE_GROUP, _FLOOR_GROUP
        group = 1 << (hand + 1)
        return group, group | _FLOOR_GROUP

    def _add_brick(self, hull: int, settings: BulletSettings, filters: tuple[int, int]) -> int:
        body = self._body
        brick: int = self._bullet.createMultiBody(body.mass_g, hull, physicsClientId=self._client)
        self._bullet.changeDynamics(
            brick,
            -1,
            lateralFriction=math.sqrt(BRICK_ON_BRICK.friction),
            restitution=math.sqrt(BRICK_ON_BRICK.restitution),
            rollingFriction=0.0,
            spinningFriction=0.0,
            linearDamping=0.0,
            angularDamping=0.0,
            localInertiaDiagonal=[moment / MM2_PER_UNIT2 for moment in body.inertia_g_mm2],
            collisionMargin=settings.margin_mm / MM_PER_UNIT,
            maxJointVelocity=1e7,  # the default clamps every component at 1 m/s
            activationState=self._bullet.ACTIVATION_STATE_DISABLE_SLEEPING,
            physicsClientId=self._client,
        )
        self._bullet.setCollisionFilterGroupMask(brick, -1, *filters, physicsClientId=self._client)
        return brick

    def put(self, hand: int, states: States) -> None:
        """Set the bricks of one hand; `states` has shape (k,)."""
        position = (states.position_mm / MM_PER_UNIT).tolist()
        velocity = (states.velocity_m_s * UNITS_PER_M).tolist()
        quaternion, spin = states.quaternion.tolist(), states.spin_rad_s.tolist()
        for i, brick in enumerate(self._bricks[hand]):
            self._bullet.resetBasePositionAndOrientation(
                brick, position[i], quaternion[i], physicsClientId=self._client
            )
            self._bullet.resetBaseVelocity(
                brick, velocity[i], spin[i], physicsClientId=self._client
            )

    def get(self, hands: list[int]) -> States:
        """Read the bricks of some hands; shape (len(hands), k)."""
        bricks = [brick for hand in hands for brick in self._bricks[hand]]
        client = self._client
        poses = [
            self._bullet.getBasePositionAndOrientation(brick, physicsClientId=client)
            for brick in bricks
        ]
        rates = [self._bullet.getBaseVelocity(brick, physicsClientId=client) for brick in bricks]
        shape = (len(hands), -1)
        return States(
            np.array([pose[0] for pose in poses]).reshape(*shape, 3) * MM_PER_UNIT,
            np.array([pose[1] for pose in poses]).reshape(*shape, 4),
            np.array([rate[0] for rate in rates]).reshape(*shape, 3) / UNITS_PER_M,
            np.array([rate[1] for rate in rates]).reshape(*shape, 3),
        )

    def retire(self, hand: int) -> None:
        """Take the bricks of a hand out of the way: asleep, and met by nothing."""
        for brick in self._bricks[hand]:
            self._bullet.setCollisionFilterGroupMask(brick, -1, 0, 0, physicsClientId=self._client)
            self._bullet.changeDynamics(
                brick,
                -1,
                activationState=self._bullet.ACTIVATION_STATE_SLEEP,
                physicsClientId=self._client,
            )

    def step(self, times: int) -> None:
        """Advance every brick by `times` steps."""
        for _ in range(times):
            self._bullet.stepSimulation(physicsClientId=self._client)


class _Hands:
    """The hands of one world on their way from release to rest."""

    def __init__(self, body: Body, world: _World, states: States, settings: BulletSettings) -> None:
        self._body, self._world, self._settings = body, world, settings
        self._faces: FaceMap = face_map(body)
        self._start_mm = _energy_mm(body, states).sum(axis=1)
        n, k = states.position_mm.shape[:2]
        self._states = states.map(np.copy)
        self._pose = np.full((n, k), len(outcomes(body)) - 1)  # unsettled until known
        self._time = np.zeros(n)
        self._still = np.zeros(n)
        self._gain = np.zeros(n)
        self._lowest_mm = self._start_mm.copy()
        self._active = np.arange(n)

    def land(self) -> Landing:
        now = self._states
        self._place(now, np.ones(len(now), dtype=bool))
        while len(self._active):
            self._world.step(self._settings.look_steps)
            elapsed = self._settings.look_steps * self._settings.step_s
            self._time[self._active] += elapsed
            now = self._world.get(self._active.tolist())
            energy = self._check(now)
            done = self._decide(now, energy) | self._rest(now, elapsed)
            done |= self._time[self._active] >= self._settings.limit_s
            for hand in self._active[done].tolist():
                self._world.retire(hand)
            self._store(now)
            now, self._active = now[~done], self._active[~done]
            self._place(now, np.zeros(len(now), dtype=bool))
        return Landing(outcomes(self._body), self._pose, self._states, self._time, self._gain)

    def _store(self, now: States) -> None:
        for name in ("position_mm", "quaternion", "velocity_m_s", "spin_rad_s"):
            getattr(self._states, name)[self._active] = getattr(now, name)

    def _place(self, now: States, force: Mask) -> None:
        """Fly the hands that are in the air to their next touch, and put those that moved."""
        moved = force
        if self._settings.flights and len(now):
            time_s = _free_time(self._body, now)
            worth = time_s > self._settings.look_steps * self._settings.step_s
            time_s = np.where(worth, time_s, 0.0)
            now = fly(self._body, now, np.broadcast_to(time_s[:, None], now.position_mm.shape[:2]))
            self._time[self._active] += time_s
            self._still[self._active[worth]] = 0.0
            moved = force | worth
        for row in np.flatnonzero(moved).tolist():
            self._world.put(int(self._active[row]), now[row])

    def _check(self, now: States) -> Array:
        """Return the energies as heights (m, k); raise DivergenceError if they make no sense."""
        energy = _energy_mm(self._body, now)
        total = energy.sum(axis=1)
        lowest = np.minimum(self._lowest_mm[self._active], total)
        gain = (total - lowest) / self._start_mm[self._active]
        wrong = ~np.isfinite(total) | (gain > ENERGY_GAIN_LIMIT)
        if wrong.any():
            raise DivergenceError(
                f"{int(wrong.sum())} hands of {self._body.name} diverged: energy grew by "
                f"{float(gain[wrong][0]):.0%} (limit {ENERGY_GAIN_LIMIT:.0%}) at a step of "
                f"{self._settings.step_s:g} s"
            )
        self._lowest_mm[self._active] = lowest
        self._gain[self._active] = np.maximum(self._gain[self._active], gain)
        return energy

    def _decide(self, now: States, energy: Array) -> Mask:
        """Tell which hands have too little energy left for any brick to leave its pose.

        A brick leaves its pose only with the barrier's energy, and the first one that leaves can take it from
        nowhere but the excess of the whole hand over its lowest rests.
        """
        if not self._settings.by_energy:
            return np.zeros(len(now), dtype=bool)
        shape = energy.shape
        basin = self._faces.decide(down(now.quaternion).reshape(-1, 3))
        rest, barrier = basin.rest_height_mm.reshape(shape), basin.barrier_height_mm.reshape(shape)
        excess = np.maximum(energy - rest, 0.0).sum(axis=1)
        done = excess + ENERGY_SLACK_MM < (barrier - rest).min(axis=1)
        self._pose[self._active[done]] = basin.pose_index.reshape(shape)[done]
        return np.asarray(done)

    def _rest(self, now: States, elapsed: float) -> Mask:
        """Tell which hands have been at rest for long enough, and name their poses."""
        slow = np.linalg.norm(now.velocity_m_s, axis=-1) < self._settings.rest_m_s
        slow &= np.linalg.norm(now.spin_rad_s, axis=-1) < self._settings.rest_rad_s
        still = slow.all(axis=1)
        self._still[self._active] = np.where(still, self._still[self._active] + elapsed, 0.0)
        done = self._still[self._active] >= self._settings.rest_s
        at_rest = down(now.quaternion[done]).reshape(-1, 3)
        pose = self._faces.pose_at_rest(at_rest, REST_TOLERANCE_DEG)
        self._pose[self._active[done]] = pose.reshape(-1, self._pose.shape[1])
        return np.asarray(done)


def _energy_mm(body: Body, states: States) -> Array:
    """Return kinetic plus potential energy over m g: the height in mm to which it would lift the brick.

    A corner that has sunk into the floor is not taken off the height.
    """
    reach = (down(states.quaternion) @ body.vertices_mm.T).max(axis=-1)
    height = np.maximum(states.position_mm[..., 2], reach)
    spin = unrotate(states.quaternion, states.spin_rad_s)
    twice_kinetic = (states.velocity_m_s**2).sum(axis=-1) * 1e6 + (
        np.array(body.inertia_g_mm2) / body.mass_g * spin**2
    ).sum(axis=-1)
    return np.asarray(height + twice_kinetic / (2 * GRAVITY_M_S2 * 1000.0))


def _free_time(body: Body, states: States) -> Array:
    """Return how long all bricks of each hand (n, k) surely touch neither floor nor each other, shape (n,)."""
    n, k = states.position_mm.shape[:2]
    free = np.zeros(n)
    airborne = (gap_mm(body, states) > _AIRBORNE_MM).all(axis=1)
    if not airborne.any():
        return free
    flying = states[airborne]
    time_s = time_to_touch(body, flying.flat()).reshape(-1, k).min(axis=1)
    if k > 1:
        time_s = np.minimum(time_s, _time_apart(2 * body.radius_mm, flying))
    free[airborne] = time_s
    return free


def _time_apart(reach_mm: float, states: States) -> Array:
    """Return how long the bricks of each hand stay farther apart than `reach_mm`, shape (n,).

    All bricks fall alike, so that their distances change at constant velocity.
    """
    i, j = np.triu_indices(states.position_mm.shape[1], k=1)
    r = (states.position_mm[:, i] - states.position_mm[:, j]) / 1000.0
    v = states.velocity_m_s[:, i] - states.velocity_m_s[:, j]
    a, b = (v**2).sum(axis=-1), (r * v).sum(axis=-1)
    c = (r**2).sum(axis=-1) - (reach_mm / 1000.0) ** 2
    root = b**2 - a * c
    meets = (b < 0) & (root > 0)
    time_s = np.where(meets, c / (-b + np.sqrt(np.where(meets, root, 1.0))), np.inf)
    return np.asarray(np.where(c <= 0, 0.0, time_s).min(axis=1))
