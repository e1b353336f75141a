"""World: the bodies of some hands in PyBullet, spoken to in millimetres and metres a second."""

import math
from collections.abc import Sequence
from types import ModuleType

import numpy as np

from brickphys.engines.bullet_settings import BulletSettings
from brickphys.shapes.body import Body
from brickphys.throws.states import States
from brickphys.throws.surfaces import BRICK_ON_BRICK, Contact
from brickphys.units import GRAVITY_UNITS_S2, MM2_PER_UNIT2, MM_PER_UNIT, UNITS_PER_M

_FLOOR_GROUP = 1
_SINGLE_GROUP = 2
MAX_GROUPS = 29
"""Bullet's collision filter has 32 bits: one is the floor's, two stay unused."""


class BulletWorld:
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

    def put(self, hand: int, states: States, only: Sequence[int] | None = None) -> None:
        """Set the bricks of one hand, or `only` some of them; `states` has shape (k,)."""
        position = (states.position_mm / MM_PER_UNIT).tolist()
        velocity = (states.velocity_m_s * UNITS_PER_M).tolist()
        quaternion, spin = states.quaternion.tolist(), states.spin_rad_s.tolist()
        for i in range(len(states)) if only is None else only:
            brick = self._bricks[hand][i]
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
