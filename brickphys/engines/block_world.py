"""Block world: blocks on a floor in PyBullet, with an interface in mm, g and m/s.

Contacts are impulses on velocity only, as in `brickphys.engines.bullet`. PyBullet returns the impulse of each contact
point, friction included. The change of a block's momentum is the sum of these and of the impulse of its weight, within
rounding.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from brickphys.arrays import Array
from brickphys.engines.block import Block, principal_axes
from brickphys.engines.block_settings import BlockSettings
from brickphys.errors import InvalidValueError
from brickphys.throws.rotations import cross, multiply, rotate, turn, unrotate
from brickphys.throws.states import States
from brickphys.throws.surfaces import ContactCoefficients
from brickphys.units import GRAVITY_M_S2, GRAVITY_UNITS_S2, MM2_PER_UNIT2, MM_PER_UNIT, UNITS_PER_M

_FLOOR_GROUP, _BLOCK_GROUP = 1, 2
_IDENTITY = np.array([0.0, 0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class BlockContact:
    """The contact of two blocks in one step.

    Attributes
    ----------
    first, second
        Numbers of the blocks, the smaller one first.
    points_mm : ndarray, shape (m, 3)
        Contact points on the second block.
    normal : ndarray, shape (3,)
        Unit vector from the second block to the first.
    depth_mm
        Penetration depth.
    impulses_g_m_s : ndarray, shape (m, 3)
        Impulses on the first block at the points in this step; those on the second are opposite.
    """

    first: int
    second: int
    points_mm: Array
    normal: Array
    depth_mm: float
    impulses_g_m_s: Array


class BlockWorld:
    """Blocks and a floor in one PyBullet world.

    Parameters
    ----------
    module, client
        From `brickphys.engines.client.connection`.
    blocks
        The blocks, numbered in this order.
    between, floor
        Coefficients of contact of two blocks, and of a block and the floor.
    settings
        Settings of the integration.

    Raises
    ------
    InvalidValueError
        If friction or restitution is 0 between blocks but not on the floor. PyBullet multiplies the coefficients of
        both partners, which cannot represent that.
    """

    def __init__(
        self,
        module: ModuleType,
        client: int,
        blocks: Sequence[Block],
        between: ContactCoefficients,
        floor: ContactCoefficients,
        settings: BlockSettings,
    ) -> None:
        self._bullet, self._client, self._settings = module, client, settings
        self._blocks = blocks
        self._set_up()
        # PyBullet multiplies the coefficients of a pair: blocks have the roots of theirs, the floor has the quotient
        friction, restitution = math.sqrt(between.friction), math.sqrt(between.restitution)
        self._floor = self._add_floor(
            _quotient(floor.friction, friction, "friction"),
            _quotient(floor.restitution, restitution, "restitution"),
        )
        axes = [
            (np.zeros(3), _IDENTITY) if b.mass is None else principal_axes(b.mass.inertia_g_mm2)
            for b in blocks
        ]
        self._moments = np.array([moments for moments, _ in axes])
        self._axes = np.array([axis for _, axis in axes])
        self.masses_g = np.array([b.mass.mass_g if b.mass else 0.0 for b in blocks])
        self._restitution = restitution
        self._bodies = [self._add(n, friction, restitution) for n in range(len(blocks))]
        self._numbers = {body: number for number, body in enumerate(self._bodies)}

    def _set_up(self) -> None:
        settings = self._settings
        self._bullet.setGravity(0, 0, -GRAVITY_UNITS_S2, physicsClientId=self._client)
        self._bullet.setPhysicsEngineParameter(
            fixedTimeStep=settings.step_s,
            numSolverIterations=settings.iterations,
            solverResidualThreshold=0.0,
            numSubSteps=0,
            erp=0.0,
            contactERP=0.0,
            frictionERP=0.0,
            contactBreakingThreshold=settings.breaking_mm / MM_PER_UNIT,
            restitutionVelocityThreshold=settings.bounce_m_s * UNITS_PER_M,
            contactSlop=0.0,
            enableConeFriction=1,
            deterministicOverlappingPairs=1,
            physicsClientId=self._client,
        )

    def _add_floor(self, friction: float, restitution: float) -> int:
        plane = self._bullet.createCollisionShape(
            self._bullet.GEOM_PLANE, planeNormal=[0, 0, 1], physicsClientId=self._client
        )
        body: int = self._bullet.createMultiBody(0, plane, physicsClientId=self._client)
        self._bullet.changeDynamics(
            body,
            -1,
            lateralFriction=friction,
            restitution=restitution,
            physicsClientId=self._client,
        )
        self._filter(body, _FLOOR_GROUP, _BLOCK_GROUP)
        return body

    def _filter(self, body: int, group: int, mask: int) -> None:
        self._bullet.setCollisionFilterGroupMask(
            body, -1, group, mask, physicsClientId=self._client
        )

    def _add(self, number: int, friction: float, restitution: float) -> int:
        block = self._blocks[number]
        start = self.start(number)
        body: int = self._bullet.createMultiBody(
            self.masses_g[number],
            self._shape(block, self._axes[number]),
            basePosition=(start.position_mm / MM_PER_UNIT).tolist(),
            baseOrientation=start.quaternion.tolist(),
            physicsClientId=self._client,
        )
        self._bullet.changeDynamics(
            body,
            -1,
            lateralFriction=friction,
            restitution=restitution,
            rollingFriction=0.0,
            spinningFriction=0.0,
            linearDamping=0.0,
            angularDamping=0.0,
            localInertiaDiagonal=(self._moments[number] / MM2_PER_UNIT2).tolist(),
            collisionMargin=self._settings.margin_mm / MM_PER_UNIT,
            maxJointVelocity=1e7,  # the default clamps every component at 1 m/s
            activationState=self._bullet.ACTIVATION_STATE_DISABLE_SLEEPING,
            physicsClientId=self._client,
        )
        self._set_filter(body, free=not block.is_held)
        if not block.is_held and block.mass:
            velocity = [UNITS_PER_M * speed for speed in block.velocity_m_s]
            self._bullet.resetBaseVelocity(body, [*velocity, 0.0], physicsClientId=self._client)
        return body

    def _shape(self, block: Block, axes: Array) -> int:
        """Return the collision shape in the frame of the principal axes about the centre of mass."""
        inverse = axes * [-1.0, -1.0, -1.0, 1.0]
        size, module = block.box_mm, self._bullet
        if size is None:
            corners = rotate(inverse, block.corners_mm - block.centre_mm) / MM_PER_UNIT
            shape = {"shapeType": module.GEOM_MESH, "vertices": corners.tolist()}
        else:
            low, high = block.corners_mm.min(axis=0), block.corners_mm.max(axis=0)
            middle = rotate(inverse, (low + high) / 2 - block.centre_mm) / MM_PER_UNIT
            shape = {
                "shapeType": module.GEOM_BOX,
                "halfExtents": (size / 2 / MM_PER_UNIT).tolist(),
                "collisionFramePosition": middle.tolist(),
                "collisionFrameOrientation": inverse.tolist(),
            }
        form: int = module.createCollisionShape(**shape, physicsClientId=self._client)
        return form

    def start(self, number: int) -> States:
        """Return the initial position and orientation of a block, at rest; shape ()."""
        block = self._blocks[number]
        heading = turn(np.array([0.0, 0.0, math.radians(block.heading_deg)]))
        place = np.array([*block.position_mm, 0.0]) + rotate(heading, block.centre_mm)
        return States(place, multiply(heading, self._axes[number]), np.zeros(3), np.zeros(3))

    def _set_filter(self, body: int, *, free: bool) -> None:
        self._filter(body, _BLOCK_GROUP, _BLOCK_GROUP | (_FLOOR_GROUP if free else 0))

    def release(self, number: int) -> None:
        """Let a held block collide with the floor; held blocks collide with blocks only."""
        self._set_filter(self._bodies[number], free=True)

    def set_bouncing(self, number: int, *, bounces: bool) -> None:
        """Switch the restitution of a block on or off; it is on at first."""
        restitution = self._restitution if bounces else 0.0
        self._bullet.changeDynamics(
            self._bodies[number], -1, restitution=restitution, physicsClientId=self._client
        )

    def put(self, number: int, states: States) -> None:
        """Set position and velocity of a block; `states` has shape ()."""
        body = self._bodies[number]
        self._bullet.resetBasePositionAndOrientation(
            body,
            (states.position_mm / MM_PER_UNIT).tolist(),
            states.quaternion.tolist(),
            physicsClientId=self._client,
        )
        self._bullet.resetBaseVelocity(
            body,
            (states.velocity_m_s * UNITS_PER_M).tolist(),
            states.spin_rad_s.tolist(),
            physicsClientId=self._client,
        )

    def get(self) -> States:
        """Return the states of all blocks, shape (n,), at their centres of mass and in their principal axes."""
        poses, rates = [], []
        for body in self._bodies:
            poses.append(
                self._bullet.getBasePositionAndOrientation(body, physicsClientId=self._client)
            )
            rates.append(self._bullet.getBaseVelocity(body, physicsClientId=self._client))
        return States(
            np.array([pose[0] for pose in poses]) * MM_PER_UNIT,
            np.array([pose[1] for pose in poses]),
            np.array([rate[0] for rate in rates]) / UNITS_PER_M,
            np.array([rate[1] for rate in rates]),
        )

    def poses(self, states: States) -> Array:
        """Return the poses of the blocks' frames, shape (n, 7): origin in mm, then quaternion, scalar last."""
        quaternion = multiply(states.quaternion, self._axes * [-1.0, -1.0, -1.0, 1.0])
        centres = np.array([block.centre_mm for block in self._blocks])
        return np.concatenate(
            [states.position_mm - rotate(quaternion, centres), quaternion], axis=1
        )

    def energies_mj(self, states: States, numbers: Sequence[int] | None = None) -> Array:
        """Return kinetic plus potential energies in mJ of all blocks, or of some; 0 for immovable blocks."""
        which = slice(None) if numbers is None else numbers
        masses, some = self.masses_g[which], states[which]
        spin = unrotate(some.quaternion, some.spin_rad_s)
        # grams times (m/s)2 are millijoules
        kinetic = masses * (some.velocity_m_s**2).sum(axis=1) / 2
        kinetic = kinetic + (self._moments[which] * spin**2).sum(axis=1) / 2e6
        energies: Array = kinetic + masses * GRAVITY_M_S2 * some.position_mm[:, 2] / 1000
        return energies

    def lift(self, number: int, states: States) -> None:
        """Cancel the weight of a block for the next step; `states` are its present ones, shape ()."""
        self._bullet.applyExternalForce(
            self._bodies[number],
            -1,
            [0.0, 0.0, self.masses_g[number] * GRAVITY_UNITS_S2],
            (states.position_mm / MM_PER_UNIT).tolist(),
            self._bullet.WORLD_FRAME,
            physicsClientId=self._client,
        )

    def step(self) -> None:
        """Advance by one time step."""
        self._bullet.stepSimulation(physicsClientId=self._client)

    def detect(self) -> None:
        """Find contacts without advancing."""
        self._bullet.performCollisionDetection(physicsClientId=self._client)

    def touches(self) -> list[BlockContact]:
        """Return the contacts between blocks in the last step or `detect`."""
        return list(self._grouped(self._bullet.getContactPoints(physicsClientId=self._client)))

    def _grouped(self, points: Iterable[Any]) -> Iterable[BlockContact]:
        pairs: dict[tuple[int, int], list[tuple[float, Any]]] = {}
        for point in points:
            if self._floor in point[1:3]:
                continue
            first, second = self._numbers[point[1]], self._numbers[point[2]]
            sign = 1.0 if first < second else -1.0
            pairs.setdefault((min(first, second), max(first, second)), []).append((sign, point))
        for (first, second), found in sorted(pairs.items()):
            yield self._touch(first, second, found)

    def _touch(self, first: int, second: int, found: list[tuple[float, Any]]) -> BlockContact:
        sign, deepest = min(found, key=lambda pair: pair[1][8])
        impulses = [
            s * (np.multiply(p[9], p[7]) + np.multiply(p[10], p[11]) + np.multiply(p[12], p[13]))
            for s, p in found
        ]
        return BlockContact(
            first,
            second,
            np.array([p[6] if s > 0 else p[5] for s, p in found]) * MM_PER_UNIT,
            sign * np.array(deepest[7]),
            -deepest[8] * MM_PER_UNIT,
            np.array(impulses) * self._settings.step_s / UNITS_PER_M,
        )


def relative_velocities(states: States, touch: BlockContact) -> Array:
    """Return the velocities of the first block relative to the second at the contact points, shape (m, 3)."""
    arms = touch.points_mm[:, None] - states.position_mm[[touch.first, touch.second]]
    spins = states.spin_rad_s[[touch.first, touch.second]]
    there = states.velocity_m_s[[touch.first, touch.second]] + cross(
        np.broadcast_to(spins, arms.shape), arms / 1000.0
    )
    return np.asarray(there[:, 0] - there[:, 1])


def _quotient(pair: float, own: float, name: str) -> float:
    if own:
        return pair / own
    if pair:
        raise InvalidValueError(
            f"{name} {pair:g} on the floor needs a {name} above 0 between blocks"
        )
    return 0.0
