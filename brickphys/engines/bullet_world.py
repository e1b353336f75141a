"""Bullet world: the bodies of hands of bricks in PyBullet, with an interface in mm and m/s."""

import math
from collections.abc import Sequence
from types import ModuleType

import numpy as np

from brickphys.arrays import Indices, Mask
from brickphys.engines.bullet_floor import FLOOR_GROUP, BulletFloor
from brickphys.engines.bullet_settings import BulletSettings
from brickphys.errors import InvalidValueError
from brickphys.shapes.body import Body
from brickphys.throws.floors import Floor
from brickphys.throws.states import States
from brickphys.throws.surfaces import BRICK_ON_BRICK, ContactCoefficients
from brickphys.units import GRAVITY_M_S2, GRAVITY_UNITS_S2, MM2_PER_UNIT2, MM_PER_UNIT, UNITS_PER_M

_SINGLE_GROUP = 2
MAX_GROUPS = 29
"""Bullet's collision filter has 32 bits; one is for the floor, two are unused."""
_MAX_PARTS = 16
"""Largest number of shapes in a compound of PyBullet."""


class BulletWorld:
    """The bodies of n hands of k bricks in one PyBullet world; `shape` is (n, k)."""

    def __init__(
        self,
        module: ModuleType,
        client: int,
        body: Body,
        contact: ContactCoefficients,
        floor: Floor,
        shape: tuple[int, ...],
        settings: BulletSettings,
    ) -> None:
        self._bullet, self._client, self._body = module, client, body
        self._period_mm = floor.period_mm
        self._origin_mm = np.zeros((shape[0], 3))  # of each hand, in whole periods of the floor
        self._set_up(settings)
        self._floor = BulletFloor(module, client, floor, contact, shape[1], body.radius_mm)
        form = self._compound() if floor.studs and body.parts else self._hull()
        self._bricks = [
            [self._add_brick(form, settings, self._group(hand, shape[1])) for _ in range(shape[1])]
            for hand in range(shape[0])
        ]

    def _set_up(self, settings: BulletSettings) -> None:
        self._bullet.setGravity(0, 0, -GRAVITY_UNITS_S2, physicsClientId=self._client)
        self._bullet.setPhysicsEngineParameter(
            fixedTimeStep=settings.step_s,
            numSolverIterations=settings.iterations,
            solverResidualThreshold=0.0,  # else the number of iterations depends on all bodies of the world
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

    def _hull(self) -> int:
        """Return the collision shape of the core of the convex hull; its margin adds the rounded edges."""
        form: int = self._bullet.createCollisionShape(
            self._bullet.GEOM_MESH,
            vertices=(self._body.vertices_mm / MM_PER_UNIT).tolist(),
            physicsClientId=self._client,
        )
        return form

    def _compound(self) -> int:
        """Return the collision shape of the parts of the body, for studs between studs and inside an open brick.

        The margin of a part reaches inwards: it rounds the edges of the part, except where these touch a plane.
        """
        parts, module = self._body.parts, self._bullet
        if len(parts) > _MAX_PARTS:
            raise InvalidValueError(
                f"{self._body.name} has {len(parts)} parts; on studs the bullet engine takes at most {_MAX_PARTS}"
            )
        thinnest_mm = min(min(part.size_mm) for part in parts)
        if 2 * self._body.edge_radius_mm >= thinnest_mm:
            raise InvalidValueError(
                f"{self._body.name}: on studs the edge radius must be below half of the thinnest part, "
                f"{thinnest_mm / 2:g} mm"
            )
        size = np.array([part.size_mm for part in parts]) / MM_PER_UNIT
        form: int = module.createCollisionShapeArray(
            shapeTypes=[
                module.GEOM_CYLINDER if part.is_round else module.GEOM_BOX for part in parts
            ],
            halfExtents=(size / 2).tolist(),
            radii=(size[:, 0] / 2).tolist(),
            lengths=size[:, 2].tolist(),
            collisionFramePositions=[
                [length / MM_PER_UNIT for length in part.centre_mm] for part in parts
            ],
            physicsClientId=self._client,
        )
        return form

    @staticmethod
    def _group(hand: int, bricks: int) -> tuple[int, int]:
        """Return collision group and mask: single bricks collide with the floor only, others with their hand too."""
        if bricks == 1:
            return _SINGLE_GROUP, FLOOR_GROUP
        group = 1 << (hand + 1)
        return group, group | FLOOR_GROUP

    def _add_brick(self, form: int, settings: BulletSettings, filters: tuple[int, int]) -> int:
        body = self._body
        brick: int = self._bullet.createMultiBody(body.mass_g, form, physicsClientId=self._client)
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
            collisionMargin=max(settings.margin_mm, body.edge_radius_mm) / MM_PER_UNIT,
            maxJointVelocity=1e7,  # the default clamps every component at 1 m/s
            activationState=self._bullet.ACTIVATION_STATE_DISABLE_SLEEPING,
            physicsClientId=self._client,
        )
        self._bullet.setCollisionFilterGroupMask(brick, -1, *filters, physicsClientId=self._client)
        return brick

    def put(self, hand: int, states: States, only: Sequence[int] | None = None) -> None:
        """Set the states of the bricks of one hand, or of the bricks `only`; `states` has shape (k,)."""
        if only is None and self._period_mm is not None:
            periods = np.round(states.position_mm[:, :2].mean(axis=0) / self._period_mm)
            self._origin_mm[hand, :2] = self._period_mm * periods
        position = ((states.position_mm - self._origin_mm[hand]) / MM_PER_UNIT).tolist()
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
        """Return the states of the bricks of some hands, shape (len(hands), k)."""
        bricks = [brick for hand in hands for brick in self._bricks[hand]]
        client = self._client
        poses = [
            self._bullet.getBasePositionAndOrientation(brick, physicsClientId=client)
            for brick in bricks
        ]
        rates = [self._bullet.getBaseVelocity(brick, physicsClientId=client) for brick in bricks]
        shape = (len(hands), -1)
        place = np.array([pose[0] for pose in poses]).reshape(*shape, 3) * MM_PER_UNIT
        return States(
            place + self._origin_mm[hands][:, None],
            np.array([pose[1] for pose in poses]).reshape(*shape, 4),
            np.array([rate[0] for rate in rates]).reshape(*shape, 3) / UNITS_PER_M,
            np.array([rate[1] for rate in rates]).reshape(*shape, 3),
        )

    def off_centre(self, hands: Indices, states: States) -> Mask:
        """Return which hands, shape (m,), must be moved back to the middle of the studs."""
        middle = states.position_mm.mean(axis=1) - self._origin_mm[hands]
        return np.asarray(np.abs(middle[:, :2]).max(axis=1) > self._floor.reach_mm)

    def beyond_studs(self, hands: Indices, states: States) -> Mask:
        """Return which hands, shape (m,), have a brick that reaches beyond the studs."""
        place = np.abs(states.position_mm[..., :2] - self._origin_mm[hands][:, None, :2])
        return np.asarray(place.max(axis=(1, 2)) + self._body.radius_mm > self._floor.edge_mm)

    def remove(self, hand: int) -> None:
        """Deactivate the bricks of a hand: they sleep and do not collide."""
        for brick in self._bricks[hand]:
            self._bullet.setCollisionFilterGroupMask(brick, -1, 0, 0, physicsClientId=self._client)
            self._bullet.changeDynamics(
                brick,
                -1,
                activationState=self._bullet.ACTIVATION_STATE_SLEEP,
                physicsClientId=self._client,
            )

    def lay_floor(self, hands: Indices, states: States, time_s: float) -> None:
        """Lay the floor wherever some hands, shape (m,), may touch it within `time_s`.

        An impact may give a brick the energy of another. Its speed then stays below twice the largest of the hand.
        """
        body, spin = self._body, np.linalg.norm(states.spin_rad_s, axis=-1)
        speed = np.linalg.norm(states.velocity_m_s, axis=-1) + spin * body.radius_mm / 1000
        fastest = np.broadcast_to(speed.max(axis=1, keepdims=True), speed.shape)
        distance_mm = 1000 * time_s * (2 * fastest + GRAVITY_M_S2 * time_s)
        places = states.position_mm - self._origin_mm[hands][:, None]
        self._floor.lay(places.reshape(-1, 3), (distance_mm + body.radius_mm).ravel())

    def step(self, times: int) -> None:
        """Advance the world by `times` time steps."""
        for _ in range(times):
            self._bullet.stepSimulation(physicsClientId=self._client)
