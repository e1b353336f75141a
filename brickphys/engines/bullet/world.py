"""Bullet world: the bodies of hands of bricks in PyBullet, with an interface in mm and m/s."""

import math
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np

from brickphys.arrays import Indices, Mask
from brickphys.engines.bullet.floor import FLOOR_GROUP, BulletFloor
from brickphys.engines.bullet.lift import BrickContact
from brickphys.engines.bullet.settings import BulletSettings
from brickphys.engines.compound import MAX_PARTS, compound
from brickphys.engines.solver import configure, own_coefficients, set_free, set_groups
from brickphys.errors import InvalidValueError
from brickphys.shapes.body import Body
from brickphys.throws.floors import Floor
from brickphys.throws.states import States
from brickphys.throws.surfaces import BRICK_ON_BRICK, ContactCoefficients
from brickphys.units import GRAVITY_M_S2, GRAVITY_UNITS_S2, MM_PER_UNIT, UNITS_PER_M

_SINGLE_GROUP = 2
MAX_GROUPS = 29
"""Bullet's collision filter has 32 bits; one is for the floor, two are unused."""
_CLIENT_BRICKS = 32
"""Bricks in a client. All are in the same place, and Bullet compares each pair of them in every step."""


def clients_needed(shape: tuple[int, ...], floor: Floor) -> int:
    """Return the number of clients for n hands of k bricks, `shape` (n, k); on studs hands share the floor's bodies."""
    hands, bricks = shape
    return 1 if floor.studs else min(hands, math.ceil(hands * bricks / _CLIENT_BRICKS))


class BulletWorld:
    """The bodies of n hands of k bricks; `shape` is (n, k), `clients` are `clients_needed` worlds of PyBullet."""

    def __init__(
        self,
        module: ModuleType,
        clients: Sequence[int],
        body: Body,
        contact: ContactCoefficients,
        floor: Floor,
        shape: tuple[int, ...],
        settings: BulletSettings,
    ) -> None:
        hands, bricks = shape
        self._bullet, self._clients, self._body = module, clients, body
        self._period_mm = floor.period_mm
        self._origin_mm = np.zeros((hands, 3))  # of each hand, in whole periods of the floor
        # index of the client of each hand
        self._of_hand = [len(clients) * hand // hands for hand in range(hands)]
        self._left = np.bincount(self._of_hand)
        self._floors, forms = [], []
        for client in clients:
            iterations = settings.stud_iterations if floor.studs else settings.iterations
            self._set_up(client, settings, iterations)
            self._floors.append(BulletFloor(module, client, floor, contact, bricks, body.radius_mm))
            compound = floor.studs and body.parts
            forms.append(self._compound(client) if compound else self._hull(client))
        self._bricks = [
            [
                self._add_brick(clients[of], forms[of], settings, self._group(hand, bricks))
                for _ in range(bricks)
            ]
            for hand, of in enumerate(self._of_hand)
        ]
        self._places = {  # hand and number of a brick, by its client and body
            (of, brick): (hand, i)
            for hand, of in enumerate(self._of_hand)
            for i, brick in enumerate(self._bricks[hand])
        }

    def _set_up(self, client: int, settings: BulletSettings, iterations: int) -> None:
        self._bullet.setGravity(0, 0, -GRAVITY_UNITS_S2, physicsClientId=client)
        configure(
            self._bullet,
            client,
            settings.step_s,
            iterations,
            settings.breaking_mm,
            settings.bounce_m_s,
            settings.erp,
        )

    def _hull(self, client: int) -> int:
        """Return the collision shape of the core of the convex hull; its margin adds the rounded edges."""
        form: int = self._bullet.createCollisionShape(
            self._bullet.GEOM_MESH,
            vertices=(self._body.vertices_mm / MM_PER_UNIT).tolist(),
            physicsClientId=client,
        )
        return form

    def _compound(self, client: int) -> int:
        """Return the collision shape of the parts of the body, for studs between studs and inside an open brick."""
        parts, radius_mm = self._body.parts, self._body.edge_radius_mm
        if len(parts) > MAX_PARTS:
            raise InvalidValueError(
                f"{self._body.name} has {len(parts)} parts; on studs the bullet engine takes at most {MAX_PARTS}"
            )
        thinnest_mm = min(min(part.size_mm) for part in parts)
        if 2 * radius_mm >= thinnest_mm:
            raise InvalidValueError(
                f"{self._body.name}: on studs the edge radius must be below half of the thinnest part, "
                f"{thinnest_mm / 2:g} mm"
            )
        return compound(self._bullet, client, parts, radius_mm)

    @staticmethod
    def _group(hand: int, bricks: int) -> tuple[int, int]:
        """Return collision group and mask: single bricks collide with the floor only, others with their hand too."""
        if bricks == 1:
            return _SINGLE_GROUP, FLOOR_GROUP
        group = 1 << (hand + 1)
        return group, group | FLOOR_GROUP

    def _add_brick(
        self,
        client: int,
        form: int,
        settings: BulletSettings,
        filters: tuple[int, int],
    ) -> int:
        body = self._body
        brick: int = self._bullet.createMultiBody(body.mass_g, form, physicsClientId=client)
        set_free(
            self._bullet,
            client,
            brick,
            own_coefficients(BRICK_ON_BRICK),
            body.inertia_g_mm2,
            max(settings.margin_mm, body.edge_radius_mm),
            self._bullet.ACTIVATION_STATE_DISABLE_SLEEPING,
        )
        set_groups(self._bullet, client, brick, *filters)
        return brick

    def _client(self, hand: int) -> int:
        return self._clients[self._of_hand[hand]]

    def _used(self) -> list[int]:
        """Return the clients that have hands left."""
        return [client for client, left in zip(self._clients, self._left, strict=True) if left]

    def put(self, hand: int, states: States, only: Sequence[int] | None = None) -> None:
        """Set the states of the bricks of one hand, or of the bricks `only`; `states` has shape (k,)."""
        if only is None and self._period_mm is not None:
            periods = np.round(states.position_mm[:, :2].mean(axis=0) / self._period_mm)
            self._origin_mm[hand, :2] = self._period_mm * periods
        position = ((states.position_mm - self._origin_mm[hand]) / MM_PER_UNIT).tolist()
        velocity = (states.velocity_m_s * UNITS_PER_M).tolist()
        quaternion, spin = states.quaternion.tolist(), states.spin_rad_s.tolist()
        client = self._client(hand)
        for i in range(len(states)) if only is None else only:
            brick = self._bricks[hand][i]
            self._bullet.resetBasePositionAndOrientation(
                brick, position[i], quaternion[i], physicsClientId=client
            )
            self._bullet.resetBaseVelocity(brick, velocity[i], spin[i], physicsClientId=client)

    def get(self, hands: list[int]) -> States:
        """Return the states of the bricks of some hands, shape (len(hands), k)."""
        bricks = [(brick, self._client(hand)) for hand in hands for brick in self._bricks[hand]]
        poses = [
            self._bullet.getBasePositionAndOrientation(brick, physicsClientId=client)
            for brick, client in bricks
        ]
        rates = [
            self._bullet.getBaseVelocity(brick, physicsClientId=client) for brick, client in bricks
        ]
        shape = (len(hands), -1)
        place = np.array([pose[0] for pose in poses]).reshape(*shape, 3) * MM_PER_UNIT
        return States(
            place + self._origin_mm[hands][:, None],
            np.array([pose[1] for pose in poses]).reshape(*shape, 4),
            np.array([rate[0] for rate in rates]).reshape(*shape, 3) / UNITS_PER_M,
            np.array([rate[1] for rate in rates]).reshape(*shape, 3),
        )

    def touches(self, hands: Indices, sunk_mm: float) -> list[BrickContact]:
        """Return all contacts of those of some hands, shape (m,), that have one deeper than `sunk_mm`."""
        points: dict[int, list[Any]] = {hand: [] for hand in hands.tolist()}
        for of, client in enumerate(self._clients):
            for point in self._bullet.getContactPoints(physicsClientId=client):
                hand, _ = self._places.get((of, point[1])) or self._places[of, point[2]]
                if hand in points:
                    points[hand].append(point)
        return [
            self._touch(row, hand, point)
            for row, hand in enumerate(points)
            if min((point[8] for point in points[hand]), default=0.0) < -sunk_mm / MM_PER_UNIT
            for point in points[hand]
        ]

    def _touch(self, row: int, hand: int, point: Any) -> BrickContact:
        places = [self._places.get((self._of_hand[hand], body)) for body in point[1:3]]
        first, second = [place and (row, place[1]) for place in places]
        place_mm = MM_PER_UNIT * np.array(point[5]) + self._origin_mm[hand]
        return BrickContact((first, second), place_mm, np.array(point[7]), -MM_PER_UNIT * point[8])

    def off_centre(self, hands: Indices, states: States) -> Mask:
        """Return which hands, shape (m,), must be moved back to the middle of the studs."""
        middle = states.position_mm.mean(axis=1) - self._origin_mm[hands]
        return np.asarray(np.abs(middle[:, :2]).max(axis=1) > self._floors[0].reach_mm)

    def beyond_studs(self, hands: Indices, states: States) -> Mask:
        """Return which hands, shape (m,), have a brick that reaches beyond the studs."""
        place = np.abs(states.position_mm[..., :2] - self._origin_mm[hands][:, None, :2])
        return np.asarray(place.max(axis=(1, 2)) + self._body.radius_mm > self._floors[0].edge_mm)

    def remove(self, hand: int) -> None:
        """Deactivate the bricks of a hand: they sleep and do not collide."""
        client = self._client(hand)
        self._left[self._of_hand[hand]] -= 1
        for brick in self._bricks[hand]:
            set_groups(self._bullet, client, brick, 0, 0)
            self._bullet.changeDynamics(
                brick,
                -1,
                activationState=self._bullet.ACTIVATION_STATE_SLEEP,
                physicsClientId=client,
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
        for ground in self._floors:
            ground.lay(places.reshape(-1, 3), (distance_mm + body.radius_mm).ravel())

    def find_contacts(self, hands: Indices) -> None:
        """Let Bullet find the contacts of some hands, shape (m,), where they are now."""
        for client in {self._client(hand) for hand in hands.tolist()}:
            self._bullet.performCollisionDetection(physicsClientId=client)

    def step(self, times: int) -> None:
        """Advance the world by `times` time steps."""
        for client in self._used():
            for _ in range(times):
                self._bullet.stepSimulation(physicsClientId=client)
